// What agentrun adds to a bare bwrap: both start the same command in turn, in one run, on the same machine. The rows of
// the table that bench/report.sh prints come from here.

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has it in no header

namespace {

using Argv = std::vector<std::string>;

struct Sample {
  double milliseconds = 0;
  double mebibytes = 0;  // peak of the process that was started, without its children
};

[[noreturn]] void stop(const std::string& why) {
  std::cerr << "bench_startup: " << why << '\n';
  std::exit(1);
}

std::string joined(const Argv& argv) {
  std::string text;
  for (const std::string& argument : argv) text += (text.empty() ? "" : " ") + argument;
  return text;
}

Sample run(const Argv& argv) {
  std::vector<char*> pointers;
  pointers.reserve(argv.size() + 1);
  for (const std::string& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);

  const auto began = std::chrono::steady_clock::now();
  pid_t child = 0;
  if (const int error = ::posix_spawn(&child, pointers[0], nullptr, nullptr, pointers.data(), environ); error != 0) {
    stop("cannot start " + argv[0] + ": " + std::strerror(error));
  }
  int status = 0;
  rusage usage{};
  if (::wait4(child, &status, 0, &usage) != child) stop("cannot wait for " + argv[0]);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) stop("this did not exit with 0: " + joined(argv));
  return {took.count(), static_cast<double>(usage.ru_maxrss) / 1024};
}

/// Of one side.
struct Summary {
  double median = 0;
  double least = 0;
  double most = 0;
  double peak = 0;
};

Summary summarize(std::vector<Sample> samples) {
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.milliseconds < b.milliseconds; });
  Summary summary{samples[samples.size() / 2].milliseconds, samples.front().milliseconds, samples.back().milliseconds,
                  0};
  for (const Sample& sample : samples) summary.peak = std::max(summary.peak, sample.mebibytes);
  return summary;
}

std::string time_text(const Summary& summary) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << summary.median << " ms (" << summary.least << " to " << summary.most
       << ")";
  return text.str();
}

template <class Value>
std::string text(Value value, int digits, const char* unit) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(digits) << value << unit;
  return out.str();
}

void row(const std::string& what, const std::string& measured, const std::string& goal, const std::string& verdict) {
  std::cout << what << '\t' << measured << '\t' << goal << '\t' << verdict << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const int pairs = argc > 3 ? std::atoi(argv[3]) : 60;
  if (argc < 3 || pairs < 1) stop("usage: bench_startup AGENTRUN BWRAP [PAIRS]   (both as absolute paths)");
  const Argv ours = {argv[1], "exec", "--network", "full", "--", "true"};
  const Argv bare = {
      argv[2],         "--ro-bind", "/",        "/", "--dev", "/dev", "--proc", "/proc", "--die-with-parent",
      "--unshare-net", "--",        "/bin/true"};
  constexpr double ratio_goal = 2.5;
  constexpr double memory_goal = 16;

  for (int warm_up = 0; warm_up < 3; ++warm_up) {
    (void)run(bare);
    (void)run(ours);
  }
  std::vector<Sample> bare_samples;
  std::vector<Sample> our_samples;
  for (int pair = 0; pair < pairs; ++pair) {
    bare_samples.push_back(run(bare));
    our_samples.push_back(run(ours));
  }

  const Summary bwrap = summarize(bare_samples);
  const Summary agentrun = summarize(our_samples);
  const double ratio = agentrun.median / bwrap.median;
  row("bare bwrap around true, " + std::to_string(pairs) + " pairs", time_text(bwrap), "", "");
  row("agentrun exec --network full -- true", time_text(agentrun), "", "");
  row("  against bare bwrap", text(ratio, 2, " x"), "<= 2.5 x", ratio <= ratio_goal ? "ok" : "MISSED");
  row("  peak memory of agentrun", text(agentrun.peak, 1, " MiB"), "<= 16 MiB",
      agentrun.peak <= memory_goal ? "ok" : "MISSED");
}
