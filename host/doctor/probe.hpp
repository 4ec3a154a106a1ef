#pragma once
// agentrun started inside a sandbox, to look around there. What it is asked and what it answers; the answer is one line
// a question.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace agentrun::host {

struct Target {
  std::string host;
  std::uint16_t port = 0;
};

[[nodiscard]] std::string to_string(const Target& target);

struct FileQuestions {
  std::filesystem::path inside;               ///< a file to make where the agent may write
  std::filesystem::path outside;              ///< and where it may not
  std::vector<std::filesystem::path> denied;  ///< that must not be readable
};

struct FileAnswers {
  bool ran = false;
  std::string inside;                       ///< "ok", or why it could not be made
  bool outside = false;                     ///< it was made
  std::vector<std::filesystem::path> read;  ///< of the denied ones
};

/// Behind the executable.
[[nodiscard]] std::vector<std::string> arguments_of(const FileQuestions& questions);
[[nodiscard]] FileAnswers read_answers(const FileQuestions& questions, std::string_view output);

struct ConnectAnswer {
  int status = 0;    ///< of the proxy (200 without one); 0: no connection to it or to the host
  std::string text;  ///< of a refusal or failure
};

[[nodiscard]] std::vector<std::string> connect_arguments(const std::vector<Target>& targets);
/// One for each target; status 0 for those that were not answered.
[[nodiscard]] std::vector<ConnectAnswer> read_connect_answers(std::size_t targets, std::string_view output);

/// Asks for the IPv4 addresses of a name: the output has one on each line.
[[nodiscard]] std::vector<std::string> resolve_arguments(const std::string& host);

}  // namespace agentrun::host
