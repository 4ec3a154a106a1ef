#include "doctor/login_check.hpp"

namespace agentrun::host {
namespace {

Finding finding_of(const LoginReport& report) {
  switch (report.status) {
    case LoginReport::Status::ok:
      return good(report.detail);
    case LoginReport::Status::skipped:
      return skipped(report.detail);
    case LoginReport::Status::failed:
      break;
  }
  return {CheckResult::Status::failed, report.detail};
}

}  // namespace

Finding check_login(const Examinee& examinee, const std::optional<std::filesystem::path>& executable,
                    const Scratch& scratch, SignalSource& signals) {
  if (!executable) return skipped("needs the executable");
  if (examinee.model_refusal && examinee.traits.takes_model) return skipped(describe(*examinee.model_refusal));
  const auto directory = scratch.directory("login");
  if (!directory) return failed(directory.error());
  CheckRunner services = outside_commands(examinee.setting, scratch.path(), signals);
  const Environment environment = outside_environment(examinee.setting, scratch.path());
  const auto report = examinee.runtime->login(
      {examinee.arguments, environment, services, *executable, examinee.setting.cwd, *directory});
  return report ? finding_of(*report) : failed(report.error());
}

}  // namespace agentrun::host
