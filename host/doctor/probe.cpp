#include "doctor/probe.hpp"

#include <charconv>

#include "agentrun/host/doctor.hpp"

namespace agentrun::host {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The text behind `word` and a space.
std::optional<std::string_view> behind(std::string_view line, std::string_view word) {
  if (!line.starts_with(word) || line.size() <= word.size() || line[word.size()] != ' ') return std::nullopt;
  return line.substr(word.size() + 1);
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string to_string(const Target& target) { return target.host + ":" + std::to_string(target.port); }

std::vector<std::string> arguments_of(const FileQuestions& questions) {
  std::vector<std::string> arguments{std::string(probe_argument), "files", questions.inside.native(),
                                     questions.outside.native()};
  for (const auto& path : questions.denied) arguments.push_back(path.native());
  return arguments;
}

FileAnswers read_answers(const FileQuestions& questions, std::string_view output) {
  FileAnswers answers;
  for (const std::string_view line : lines_of(output)) {
    if (line == "ran") answers.ran = true;
    if (line == "outside") answers.outside = true;
    if (const auto text = behind(line, "inside")) answers.inside = *text;
    const auto text = behind(line, "read");
    const auto index = text ? number_in<std::size_t>(*text) : std::nullopt;
    if (index && *index < questions.denied.size()) answers.read.push_back(questions.denied[*index]);
  }
  return answers;
}

std::vector<std::string> connect_arguments(const std::vector<Target>& targets) {
  std::vector<std::string> arguments{std::string(probe_argument), "connect"};
  for (const Target& target : targets) {
    arguments.push_back(target.host);
    arguments.push_back(std::to_string(target.port));
  }
  return arguments;
}

std::vector<ConnectAnswer> read_connect_answers(std::size_t targets, std::string_view output) {
  std::vector<ConnectAnswer> answers;
  for (const std::string_view line : lines_of(output)) {
    const std::size_t space = std::min(line.find(' '), line.size());
    if (const auto status = number_in<int>(line.substr(0, space))) {
      answers.push_back({*status, std::string(line.substr(std::min(space + 1, line.size())))});
    }
  }
  answers.resize(targets);
  return answers;
}

std::vector<std::string> resolve_arguments(const std::string& host) {
  return {std::string(probe_argument), "resolve", host};
}

}  // namespace agentrun::host
