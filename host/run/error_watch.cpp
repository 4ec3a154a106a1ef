#include "run/error_watch.hpp"

#include <algorithm>

#include "agentrun/text.hpp"

namespace agentrun::host {

void ErrorWatch::feed(std::string_view bytes) {
  tail_.append(bytes.substr(bytes.size() - std::min(bytes.size(), tail_bytes)));
  if (tail_.size() > 2 * tail_bytes) tail_.erase(0, tail_.size() - tail_bytes);
  if (rule_.prefix.empty() || reason_) return;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    line_.append(part.substr(0, line_bytes - std::min(line_bytes, line_.size())));
    if (end == std::string_view::npos) return;
    end_line();
    bytes.remove_prefix(end + 1);
  }
}

void ErrorWatch::end_line() {
  const bool notice = std::find(rule_.notices.begin(), rule_.notices.end(), line_) != rule_.notices.end();
  if (!reason_ && !notice && line_.starts_with(rule_.prefix)) reason_ = to_utf8(line_.substr(rule_.prefix.size()));
  line_.clear();
}

std::string ErrorWatch::tail() const {
  std::string text = to_utf8(tail_);
  text.erase(std::find_if(text.rbegin(), text.rend(), [](char c) { return c != '\n' && c != '\r' && c != ' '; }).base(),
             text.end());
  return std::string(last_characters(text, tail_characters));
}

std::optional<std::string> ErrorWatch::start_failure(std::optional<int> exit_code) const {
  if (rule_.prefix.empty() || exit_code.value_or(0) == 0) return std::nullopt;
  if (!rule_.exit_codes.empty() &&
      std::find(rule_.exit_codes.begin(), rule_.exit_codes.end(), *exit_code) == rule_.exit_codes.end()) {
    return std::nullopt;
  }
  if (reason_) return reason_;
  ErrorWatch last = *this;
  last.end_line();
  return last.reason_;
}

}  // namespace agentrun::host
