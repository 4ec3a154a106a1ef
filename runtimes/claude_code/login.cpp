#include "login.hpp"

#include <string>

#include "agentrun/text.hpp"
#include "json/json_line.hpp"

namespace agentrun::claude_code {

namespace {

using Status = LoginReport::Status;

constexpr const char* remedy = "Run claude auth login, or set CLAUDE_CODE_OAUTH_TOKEN (claude setup-token makes one)";

/// "authMethod" of what claude prints; empty when it prints something else.
std::string auth_method(const std::string& output) {
  simdjson::dom::parser parser;
  simdjson::dom::element status;
  if (parser.parse(output).get(status) != simdjson::SUCCESS) return {};
  return std::string(json::text_member(status, "authMethod"));
}

}  // namespace

LoginReport login_report(const LoginContext& context) {
  if (context.environment.get_nonempty("CLAUDE_CODE_OAUTH_TOKEN"))
    return {Status::ok, "CLAUDE_CODE_OAUTH_TOKEN is set"};
  const CheckRun run = context.services.run({context.executable.native(), "auth", "status"});
  if (run.exit_code == 0) {
    const std::string method = auth_method(run.output);
    return {Status::ok, method.empty() ? "logged in" : "logged in (" + method + ")"};
  }
  if (run.timed_out) return {Status::failed, "claude auth status did not answer in time. Run it by hand"};
  if (!auth_method(run.output).empty()) return {Status::failed, std::string("claude is not logged in. ") + remedy};
  const std::string said = summary_line(first_line(run.error));
  return {Status::failed, "claude auth status failed" + (said.empty() ? "" : " (" + said + ")") + ". " + remedy};
}

}  // namespace agentrun::claude_code
