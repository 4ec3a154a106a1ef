#pragma once
// Feeds a translator the way the host does, and keeps what it says.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agentrun/runtime.hpp"

namespace agentrun::testing {

class Records final : public RecordSink {
 public:
  void record(Record&& record) noexcept override { all_.push_back(std::move(record)); }
  void stop(std::string reason) noexcept override { stops_.push_back(std::move(reason)); }

  [[nodiscard]] const std::vector<Record>& all() const { return all_; }
  [[nodiscard]] const std::vector<std::string>& stops() const { return stops_; }
  void clear() { all_.clear(); }

  template <class Kind>
  [[nodiscard]] std::vector<Kind> of() const {
    std::vector<Kind> found;
    for (const Record& record : all_) {
      if (const auto* one = std::get_if<Kind>(&record)) found.push_back(*one);
    }
    return found;
  }

 private:
  std::vector<Record> all_;
  std::vector<std::string> stops_;
};

/// The bytes behind the line are those of another event: a translator that reads on is found out.
inline void feed(Translator& translator, std::string_view line, RecordSink& sink) {
  std::string buffer(line);
  buffer.append("\n{\"type\":\"message_end\",\"message\":{\"role\":\"user\",\"content\":\"read too far\"}}");
  static_assert(Translator::line_padding <= 64);
  translator.line(std::string_view(buffer).substr(0, line.size()), sink);
}

/// Every line of `output`, the last one without a newline too.
inline void feed_all(Translator& translator, std::string_view output, RecordSink& sink) {
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    feed(translator, output.substr(0, end), sink);
    output.remove_prefix(std::min(end + 1, output.size()));
  }
}

inline ExitFacts exited(int code) {
  ExitFacts facts;
  facts.exit_code = code;
  return facts;
}

inline ExitFacts killed_by(int signal) {
  ExitFacts facts;
  facts.signal = signal;
  return facts;
}

}  // namespace agentrun::testing
