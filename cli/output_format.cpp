#include "cli/output_format.hpp"

#include "cli/jsonl_formatter.hpp"
#include "cli/text_formatter.hpp"

namespace agentrun::cli {

std::optional<OutputFormat> parse_output_format(std::string_view text) noexcept {
  if (text == "rich") return OutputFormat::rich;
  if (text == "text") return OutputFormat::text;
  if (text == "jsonl") return OutputFormat::jsonl;
  return std::nullopt;
}

OutputFormat usual_format(bool terminal) noexcept { return terminal ? OutputFormat::rich : OutputFormat::jsonl; }

std::optional<OutputFormat> scan_output_format(const std::vector<std::string>& words) {
  constexpr std::string_view option = "--format";
  std::optional<OutputFormat> found;
  for (std::size_t index = 0; index < words.size() && words[index] != "--"; ++index) {
    const std::string_view word = words[index];
    if (!word.starts_with(option)) continue;
    std::optional<OutputFormat> format;
    if (word.size() == option.size()) {
      if (index + 1 < words.size()) format = parse_output_format(words[index + 1]);
    } else if (word[option.size()] == '=') {
      format = parse_output_format(word.substr(option.size() + 1));
    }
    if (format) found = format;
  }
  return found;
}

std::unique_ptr<host::EventFormatter> make_formatter(OutputFormat format) {
  if (format == OutputFormat::jsonl) return std::make_unique<JsonlFormatter>();
  return std::make_unique<TextFormatter>();
}

}  // namespace agentrun::cli
