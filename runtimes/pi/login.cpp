#include "login.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "agentrun/text.hpp"
#include "arguments.hpp"
#include "config.hpp"
#include "json/json_line.hpp"
#include "line_kind.hpp"
#include "message.hpp"
#include "state.hpp"

namespace agentrun::pi {

namespace {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;

constexpr const char* prompt = "Reply with OK.";
constexpr const char* log_in =
    "Log in with /login in pi, put the provider's key into the session environment, or pass the content of auth.json "
    "in AGENTRUN_PI_AUTH";
constexpr const char* list_models = "pi --list-models shows those that it knows";

LoginReport failed(const std::string& cause, const std::string& remedy) {
  return {LoginReport::Status::failed, cause + ". " + remedy};
}

/// A state directory of the check's own, because each start of pi writes there. Its login is a link to the user's: a
/// token that pi refreshes meanwhile makes the old one void and must reach the user's file. pi 1.6.0 locks and writes
/// what the link leads to. Without a login there is no link, or pi would make the file.
Result<fs::path> scratch_state(const fs::path& state, const fs::path& scratch) {
  const fs::path copy = scratch / "state";
  std::error_code error;
  fs::create_directory(copy, error);
  if (!error && fs::exists(state / "auth.json")) fs::create_symlink(state / "auth.json", copy / "auth.json", error);
  for (const char* name : {"settings.json", "models.json", "models-store.json"}) {
    if (!error && fs::is_regular_file(state / name)) fs::copy_file(state / name, copy / name, error);
  }
  if (!error) return copy;
  return failure(ErrorCode::io, "cannot copy pi's settings to " + copy.string() + " (" + error.message() + ")",
                 "Check that " + state.string() + " can be read, and the temporary directory written");
}

CheckCommand one_start(const LoginContext& context, const fs::path& state) {
  CheckCommand command{context.executable.native(), "-p", "--mode", "json", "--no-session"};
  for (std::string& option : plain_options()) command.argv.push_back(std::move(option));
  if (context.arguments.model) command.argv.insert(command.argv.end(), {"--model", *context.arguments.model});
  command.argv.insert(command.argv.end(), {"--", prompt});
  command.variables.push_back({"PI_CODING_AGENT_DIR", state.native()});
  command.cwd = context.scratch;
  return command;
}

/// The first message of the assistant.
struct Beginning {
  std::string model;  ///< "provider/model"
  bool failed = false;
  std::string error;
};

std::optional<Beginning> beginning_in(std::string_view line, json::JsonLine& parser) {
  const LineKind kind = line_kind(line);
  if (kind != LineKind::assistant_begins && kind != LineKind::unclear) return std::nullopt;
  const auto event = parser.parse(line);
  dom::element message;
  if (!event || json::text_member(*event, "type") != "message_start") return std::nullopt;
  if ((*event)["message"].get(message) != simdjson::SUCCESS) return std::nullopt;
  if (json::text_member(message, "role") != "assistant") return std::nullopt;
  return Beginning{message_model(message), json::text_member(message, "stopReason") == "error",
                   std::string(json::text_member(message, "errorMessage"))};
}

/// "provider/model", or "provider/" when nothing more is known; empty when nothing is.
std::string expected_model(const LoginContext& context, const fs::path& state) {
  if (context.arguments.model) return std::string(without_thinking_level(*context.arguments.model));
  const auto chosen = read_default_model(state / "settings.json");
  return chosen ? chosen->provider + "/" + chosen->model : "";
}

bool fits(const std::string& used, const std::string& expected, const LoginContext& context) {
  if (expected.ends_with('/')) return used.starts_with(expected);
  return expected.empty() || used == expected || used == context.arguments.model;
}

/// What the service says to a bad key may hold a part of it.
LoginReport service_failure(const Beginning& beginning) {
  for (const char* refusal : {"401", "403"}) {
    if (beginning.error.starts_with(refusal)) {
      return failed("the model service of " + beginning.model + " refuses the login (" + refusal + ")", log_in);
    }
  }
  return failed(
      "the model service of " + beginning.model + " fails (" + summary_line(first_line(beginning.error), 200) + ")",
      "Check the service, and whether this machine reaches it");
}

std::string first_sentence(std::string_view text) {
  std::string sentence = summary_line(first_line(text), 300);
  sentence.resize(std::min(sentence.find(". "), sentence.size()));
  while (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

LoginReport no_answer(const CheckRun& run) {
  if (run.timed_out) {
    return failed("the model did not begin to answer in time",
                  "Check whether this machine reaches the model service (agentrun doctor pi --network full)");
  }
  const std::string said = first_sentence(run.error);
  if (run.error.find("/login") != std::string::npos) return failed("pi says: " + said, log_in);
  const std::string cause = said.empty() ? "pi ended without an answer of the model" : "pi says: " + said;
  return failed(cause, "Run pi by hand, or name another model with --model");
}

/// pi goes on with a model that its provider's list does not have, and only warns.
bool warns_of_the_model(const CheckRun& run) {
  return run.error.find("Warning: Model ") != std::string::npos && run.error.find(" not found") != std::string::npos;
}

}  // namespace

Result<LoginReport> check_login(const LoginContext& context) {
  const auto state = state_directory(context.environment, context.cwd);
  if (!state) return tl::unexpected(state.error());
  const auto copy = scratch_state(*state, context.scratch);
  if (!copy) return tl::unexpected(copy.error());

  json::JsonLine parser;
  std::optional<Beginning> beginning;
  CheckCommand command = one_start(context, *copy);
  command.enough = [&](std::string_view line) {
    if (!beginning) beginning = beginning_in(line, parser);
    return beginning.has_value();
  };
  const CheckRun run = context.services.run(command);

  if (!beginning) return no_answer(run);
  const std::string expected = expected_model(context, *state);
  if (warns_of_the_model(run)) return failed("pi does not know the model " + beginning->model, list_models);
  if (!fits(beginning->model, expected, context)) {
    return failed("pi uses " + beginning->model + " and not " + expected, list_models);
  }
  if (beginning->failed) return service_failure(*beginning);
  return LoginReport{LoginReport::Status::ok, beginning->model + " answers"};
}

}  // namespace agentrun::pi
