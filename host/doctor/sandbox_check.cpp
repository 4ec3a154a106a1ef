#include "doctor/sandbox_check.hpp"

#include <algorithm>

#include "agentrun/path.hpp"
#include "agentrun/text.hpp"
#include "doctor/probe.hpp"

namespace agentrun::host {
namespace {

constexpr const char* report_it = "Do not run agents with this backend here, and report it as a fault of agentrun";

/// The denied paths that are there, with content to hide.
std::vector<std::filesystem::path> existing_denials(const Policy& policy) {
  std::vector<std::filesystem::path> paths;
  for (const auto& path : policy.deny_read()) {
    if (const auto there = hidden(path)) paths.push_back(there->path);
  }
  return paths;
}

bool is_stand_in(const Examinee& examinee) {
  return examinee.traits.confines_itself && examinee.sandbox->traits.only_for.empty();
}

std::string backend_name(const SandboxChoice& sandbox) {
  std::string name = sandbox.name;
  for (const Tool& tool : sandbox.readiness.tools) {
    name += name == sandbox.name ? " (" : ", ";
    name += tool.name + (tool.version.empty() ? "" : " " + tool.version);
  }
  return sandbox.readiness.tools.empty() ? name : name + ")";
}

std::string joined(const std::vector<std::string>& phrases) {
  std::string text;
  for (const std::string& phrase : phrases) (text += text.empty() ? "" : ", ") += phrase;
  return text;
}

std::string success(const Examinee& examinee, std::size_t denials, bool default_list,
                    const std::optional<std::string>& note) {
  const SandboxChoice& sandbox = *examinee.sandbox;
  std::string text = backend_name(sandbox) + ": writes inside, not outside; " + std::to_string(denials) +
                     (denials == 1 ? " denied path is" : " denied paths are") + " unreadable, default list " +
                     (default_list ? "in force" : "dropped");
  if (!sandbox.readiness.enforcement.full()) text += "; partial: " + joined(sandbox.readiness.enforcement.missing);
  if (note) text += "; " + *note;
  if (is_stand_in(examinee)) {
    text += "; this was the wrapper of the backend, in place of " + examinee.name +
            "'s own sandbox, which starts with a model only";
  }
  return text;
}

/// Nothing when all is as it should be.
std::optional<Finding> objection(const FileAnswers& answers, const FileQuestions& questions,
                                 const EnclosedResult& result) {
  if (!answers.ran) {
    const std::string said = summary_line(first_line(result.error), 300);
    return failed("no command runs in the sandbox" + (said.empty() ? "" : " (" + said + ")"),
                  "agentrun exec --debug -- true shows what is started");
  }
  std::error_code error;
  if (answers.outside || std::filesystem::exists(questions.outside, error)) {
    return failed("a command in the sandbox wrote " + questions.outside.string() + ", outside of it", report_it);
  }
  if (!answers.read.empty()) {
    return failed("a command in the sandbox read " + answers.read.front().string() + ", which is denied", report_it);
  }
  if (answers.inside != "ok" || !std::filesystem::exists(questions.inside, error)) {
    return failed("a command in the sandbox cannot write its working directory (" + answers.inside + ")",
                  "Check the disk and the mount options of " + questions.inside.parent_path().string());
  }
  return std::nullopt;
}

std::optional<Finding> runtime_objection(Enclosure& enclosure, const std::filesystem::path& executable) {
  const auto result = enclosure.run([&](const Ground&) {
    return EnclosedCommand{{executable.native(), "--version"}, true};
  });
  if (!result) return failed(result.error());
  if (result->exit_code == 0) return std::nullopt;
  const std::string said = summary_line(first_line(result->error), 300);
  return failed(executable.string() + " does not start in the sandbox" + (said.empty() ? "" : " (" + said + ")"),
                "Run agentrun exec -- " + shell_quote(executable.native()) + " --version to see all that it says");
}

}  // namespace

std::optional<Finding> no_sandbox(const Examinee& examinee) {
  if (!examinee.sandbox) {
    return examinee.sandbox.error().code == ErrorCode::usage ? skipped(describe(examinee.sandbox.error()))
                                                             : failed(examinee.sandbox.error());
  }
  if (examinee.sandbox->running()) return std::nullopt;
  if (examinee.sandbox->missing.empty()) return skipped("the sandbox is off");
  return skipped("a run would have none: " + examinee.sandbox->missing);
}

Finding check_sandbox(Enclosure& enclosure, const Examinee& examinee,
                      const std::optional<std::filesystem::path>& executable, const Job& job, const Scratch& scratch) {
  const auto denied = scratch.file("denied", "readable\n");
  if (!denied) return failed(denied.error());
  enclosure.deny_read(*denied);
  FileQuestions questions{enclosure.cwd() / "inside", scratch.path() / "outside", {}};
  const auto result = enclosure.run([&](const Ground& ground) {
    questions.denied = existing_denials(ground.policy);
    EnclosedCommand command{{job.caller.executable.native()}};
    for (std::string& argument : arguments_of(questions)) command.argv.push_back(std::move(argument));
    return command;
  });
  if (!result) return failed(result.error());
  const FileAnswers answers = read_answers(questions, result->output);
  if (auto bad = objection(answers, questions, *result)) return *bad;
  if (executable && !examinee.traits.confines_itself && !examinee.traits.executable.empty()) {
    if (auto bad = runtime_objection(enclosure, *executable)) return *bad;
  }
  const std::size_t denials = questions.denied.size() - 1;  // without the scratch file
  return good(success(examinee, denials, enclosure.default_list(), result->note));
}

}  // namespace agentrun::host
