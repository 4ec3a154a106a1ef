#include "cli/application.hpp"

#include <memory>
#include <utility>

#include "cli/doctor_report.hpp"
#include "cli/explain_report.hpp"
#include "cli/facts.hpp"
#include "cli/plugins_report.hpp"
#include "cli/printable.hpp"

namespace agentrun::cli {

namespace {

constexpr int failed = 1;
constexpr int denied = 1;
constexpr int rejected = 2;
constexpr int exec_refused = 125;

bool is_exec(const std::vector<std::string>& words) { return !words.empty() && words.front() == "exec"; }
/// Sub-commands that have no events: what they refuse goes to standard error only.
bool is_report(const std::vector<std::string>& words) {
  return !words.empty() && (words.front() == "plugins" || words.front() == "doctor" || words.front() == "explain");
}

void complain(Console& console, std::string_view detail) {
  console.complain("agentrun: " + printable_line(detail) + '\n');
}

int print(Console& console, std::string_view text) {
  const auto printed = console.print(text);
  if (printed) return 0;
  complain(console, describe(printed.error()));
  return failed;
}

/// Does what a command says.
class Dispatch {
 public:
  Dispatch(Engine& engine, Console& console) : engine_(engine), console_(console) {}

  int operator()(const RunCommand& command) {
    const auto formatter = make_formatter(command.format);
    FactOutput facts(command.options.session, console_);
    return engine_.run_agent(command.options, facts, *formatter);
  }

  int operator()(const ExecCommand& command) {
    FactOutput facts(command.options.session, console_);
    return engine_.run_command(command.options, facts);
  }

  int operator()(const ExplainCommand& command) {
    FactOutput facts(command.options.session, console_);
    const auto explanation = engine_.explain(command.options, facts);
    if (!explanation) {
      complain(console_, describe(explanation.error()));
      return rejected;
    }
    const int printed = print(console_, command.json ? explanation_json(*explanation) : explanation_text(*explanation));
    return printed != 0 ? rejected : explanation->allowed ? 0 : denied;
  }

  int operator()(const PluginsCommand& command) {
    const auto listings = engine_.plugins();
    if (command.json) return print(console_, plugins_json(listings));
    if (listings.empty()) {
      std::string places;
      for (const auto& directory : engine_.directories()) (places += places.empty() ? "" : ", ") += directory.string();
      complain(console_, "no plugins found (looked in: " + places + ')');
    }
    return print(console_, plugins_table(listings));
  }

  int operator()(const DoctorCommand& command) {
    FactOutput facts(command.options.session, console_);
    const auto report = make_doctor_report(command.json, console_);
    const int code = engine_.run_doctor(command.options, facts, *report);
    const auto printed = report->finish();
    if (printed) return code;
    complain(console_, describe(printed.error()));
    return code == 0 ? failed : code;
  }

  int operator()(const ShowText& command) { return print(console_, command.text); }

 private:
  Engine& engine_;
  Console& console_;
};

}  // namespace

int run_application(const std::vector<std::string>& words, Engine& engine, Console& console) {
  const OutputFormat usual = usual_format(console.output_is_terminal());
  const auto command = parse_command_line(words, engine, usual);
  if (command) return std::visit(Dispatch(engine, console), *command);

  const auto reject = [&engine](const std::string& detail, host::EventFormatter& formatter) {
    return engine.reject(detail, formatter);
  };
  return refuse(words, command.error(), reject, console);
}

int refuse(const std::vector<std::string>& words, const Error& error, const Reject& reject, Console& console) {
  const std::string detail = printable_line(describe(error));
  if (is_exec(words) || is_report(words)) {
    complain(console, detail);
    return is_exec(words) ? exec_refused : rejected;
  }
  const OutputFormat usual = usual_format(console.output_is_terminal());
  return reject(detail, *make_formatter(scan_output_format(words).value_or(usual)));
}

int internal_error(const std::vector<std::string>& words, std::string_view what, Console& console) {
  complain(console, "internal error: " + std::string(what));
  return is_exec(words) ? exec_refused : failed;
}

}  // namespace agentrun::cli
