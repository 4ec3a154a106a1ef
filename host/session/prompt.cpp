#include "session/prompt.hpp"

#include <unistd.h>

#include "session/input.hpp"

namespace agentrun::host {
namespace {

constexpr std::size_t prompt_limit = std::size_t{64} * 1024 * 1024;
constexpr const char* give_a_prompt = "Give --prompt TEXT or --prompt-file FILE, or pipe the prompt to standard input";

Result<std::string> find_prompt(const std::optional<std::string>& text,
                                const std::optional<std::filesystem::path>& file, int standard_input, int wake) {
  if (text) return *text;
  if (file) {
    InputLimits limits;
    limits.bytes = prompt_limit;
    return read_input_file(*file, "--prompt-file " + file->string(), limits, wake);
  }
  if (::isatty(standard_input) != 0) {
    return failure(ErrorCode::usage, "no prompt: standard input is a terminal", give_a_prompt);
  }
  return read_input(standard_input, "standard input", prompt_limit, wake);
}

}  // namespace

Result<std::string> read_prompt(const std::optional<std::string>& text,
                                const std::optional<std::filesystem::path>& file, int standard_input, int wake) {
  if (text && file) {
    return failure(ErrorCode::usage, "--prompt and --prompt-file are both given", "Give one of them");
  }
  auto prompt = find_prompt(text, file, standard_input, wake);
  if (!prompt) return prompt;
  if (prompt->empty()) return failure(ErrorCode::usage, "the prompt is empty", give_a_prompt);
  // A runtime that takes the prompt as an argument would see it cut off there.
  if (prompt->find('\0') != std::string::npos) {
    return failure(ErrorCode::usage, "the prompt contains a NUL byte", "Give text, not a binary file");
  }
  return prompt;
}

}  // namespace agentrun::host
