#include "upstream_answer.hpp"

#include <algorithm>

#include "answer_head.hpp"
#include "http_syntax.hpp"

namespace agentrun::proxy {

UpstreamAnswer::Progress UpstreamAnswer::feed(std::string_view bytes) {
  held_.append(bytes);
  for (;;) {
    const std::size_t size = find_head_end(held_, searched_);
    if (std::min(size, held_.size()) > max_head_size) return Progress::invalid;
    if (size > held_.size()) {
      searched_ = held_.size();
      return may_become_status(held_) ? Progress::need_more : Progress::invalid;
    }
    const std::optional<int> status = parse_status(first_line_of(held_));
    if (!status) return Progress::invalid;
    held_.erase(0, size);
    searched_ = 0;
    if (is_interim(*status)) continue;
    status_ = *status;
    return status_ < 300 ? Progress::opened : Progress::refused;
  }
}

}  // namespace agentrun::proxy
