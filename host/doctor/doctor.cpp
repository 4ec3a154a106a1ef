#include "agentrun/host/doctor.hpp"

#include <unistd.h>

#include <algorithm>

#include "doctor/enclosure.hpp"
#include "doctor/executable_check.hpp"
#include "doctor/login_check.hpp"
#include "doctor/network_check.hpp"
#include "doctor/order.hpp"
#include "doctor/sandbox_check.hpp"
#include "process/process_tree.hpp"
#include "run/login.hpp"
#include "run/outcome.hpp"
#include "run/report.hpp"

namespace agentrun::host {
namespace {

constexpr int some_failed = 1;
constexpr int refused = 2;

struct Entry {
  std::string name;
  tl::expected<Examinee, Unfit> examinee;
};

class Doctor {
 public:
  Doctor(const DoctorOptions& options, const Job& job, CheckReport& report, SignalSource& signals, NetworkFeed& feed)
      : options_(options), job_(job), report_(report), signals_(signals), feed_(feed) {}

  int examine_all();

 private:
  [[nodiscard]] bool interrupted();
  Result<std::vector<Entry>> admit();
  void examine(const Entry& entry);
  void examine_sandbox(const Examinee& examinee, const std::optional<std::filesystem::path>& executable,
                       const Scratch& scratch);
  bool add(const std::string& runtime, const char* check, Finding finding);

  const DoctorOptions& options_;
  const Job& job_;
  CheckReport& report_;
  SignalSource& signals_;
  NetworkFeed& feed_;
  bool failed_ = false;
};

bool Doctor::interrupted() {
  static_cast<void>(signals_.take());
  return signals_.first().has_value();
}

/// False when a signal came meanwhile: what the check found out then is not to be trusted.
bool Doctor::add(const std::string& runtime, const char* check, Finding finding) {
  if (interrupted()) return false;
  failed_ = failed_ || finding.status == CheckResult::Status::failed;
  report_.add({runtime, check, finding.status, std::move(finding.detail)});
  return true;
}

/// Refuses before the first check what no run could be started with.
Result<std::vector<Entry>> Doctor::admit() {
  const auto names = options_.every_runtime ? usual_order(options_.runtimes) : without_repeats(options_.runtimes);
  std::vector<Entry> entries;
  std::optional<Error> misfit;
  bool any_fits = false;
  for (const std::string& name : names) {
    auto examinee = open_examinee(name, options_, job_, signals_);
    if (interrupted()) return failure(ErrorCode::interrupted, "interrupted");
    if (!examinee && !examinee.error().broken_plugin) return tl::unexpected(examinee.error().error);
    const bool unfit = examinee && !examinee->sandbox && examinee->sandbox.error().code == ErrorCode::usage;
    if (unfit && !misfit) misfit = examinee->sandbox.error();
    any_fits = any_fits || !unfit;
    entries.push_back({name, std::move(examinee)});
  }
  if (misfit && (!options_.every_runtime || !any_fits)) return tl::unexpected(*misfit);
  for (const Entry& entry : entries) {
    if (!entry.examinee) continue;
    if (auto written =
            write_login(entry.examinee->name, entry.examinee->setting, options_.session.debug ? &job_.facts : nullptr);
        !written) {
      return tl::unexpected(written.error());
    }
  }
  return entries;
}

void Doctor::examine_sandbox(const Examinee& examinee, const std::optional<std::filesystem::path>& executable,
                             const Scratch& scratch) {
  const bool network = options_.session.network != NetworkMode::none;
  if (const auto none = no_sandbox(examinee)) {
    if (add(examinee.name, "sandbox", *none) && network) {
      add(examinee.name, "network", skipped("needs the sandbox"));
    }
    return;
  }
  auto enclosure = Enclosure::make(examinee, executable, options_, job_, scratch, signals_, feed_);
  const Finding finding =
      enclosure ? check_sandbox(*enclosure, examinee, executable, job_, scratch) : failed(enclosure.error());
  if (!add(examinee.name, "sandbox", finding) || !network) return;
  const bool holds = finding.status == CheckResult::Status::ok;
  add(examinee.name, "network",
      holds ? check_network(*enclosure, examinee, options_, job_, scratch, signals_) : skipped("needs the sandbox"));
}

void Doctor::examine(const Entry& entry) {
  if (!entry.examinee) {
    add(entry.name, "executable", failed(entry.examinee.error().error));
    return;
  }
  const Examinee& examinee = *entry.examinee;
  const auto scratch = Scratch::make(job_.caller.environment);
  if (!scratch) {
    add(entry.name, "executable", failed(scratch.error()));
    return;
  }
  ExecutableFinding executable = check_executable(examinee, *scratch, signals_);
  if (!add(entry.name, "executable", std::move(executable.finding))) return;
  if (!add(entry.name, "login", check_login(examinee, executable.path, *scratch, signals_))) return;
  examine_sandbox(examinee, executable.path, *scratch);
}

int Doctor::examine_all() {
  const auto entries = admit();
  if (signals_.first()) {
    report_.begin({});
    return signal_exit_code(*signals_.first());
  }
  if (!entries) {
    complain(describe(entries.error()));
    return refused;
  }
  std::vector<std::string> names;
  for (const Entry& entry : *entries) names.push_back(entry.name);
  report_.begin(names);
  for (const Entry& entry : *entries) {
    examine(entry);
    if (interrupted()) return signal_exit_code(*signals_.first());
  }
  return failed_ ? some_failed : 0;
}

}  // namespace

int run_doctor(const DoctorOptions& options, const Job& job, CheckReport& report) {
  auto signals = SignalSource::open();
  auto feed = NetworkFeed::make();
  if (!signals || !feed) {
    complain(describe(signals ? feed.error() : signals.error()));
    return refused;
  }
  become_subreaper();
  const std::vector<pid_t> spared = children_of(::getpid());
  const int code = Doctor(options, job, report, *signals, **feed).examine_all();
  kill_descendants(spared, std::chrono::seconds(2));
  return code;
}

}  // namespace agentrun::host
