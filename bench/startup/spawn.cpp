// Times command lines in turn, so that all meet the same machine:
//
//   bench_spawn ROUNDS COMMAND [ARGUMENT…] [--next COMMAND [ARGUMENT…]]…       (commands as absolute paths)
//
// Prints one JSON array with an object for each command: of every round the milliseconds from the start to the first
// byte of standard output ("first_byte", -1 without one) and to the end ("whole"), and the peak memory in MiB of the
// process that was started, without its children ("peak"). Stops when a command does not exit with 0.

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has it in no header

namespace {

using Clock = std::chrono::steady_clock;

struct Series {
  std::vector<char*> argv;  // ends with a null pointer
  std::vector<double> first_byte;
  std::vector<double> whole;
  std::vector<double> peak;
};

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "bench_spawn: %s\n", why.c_str());
  std::exit(1);
}

double milliseconds_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

void run(Series& series) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) stop("cannot make a pipe");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  const auto began = Clock::now();
  pid_t child = 0;
  if (const int error = ::posix_spawn(&child, series.argv[0], &actions, nullptr, series.argv.data(), environ);
      error != 0) {
    stop(std::string("cannot start ") + series.argv[0] + ": " + std::strerror(error));
  }
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  double first_byte = -1;
  char buffer[4096];
  while (::read(ends[0], buffer, sizeof buffer) > 0) {
    if (first_byte < 0) first_byte = milliseconds_since(began);
  }
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  if (::wait4(child, &status, 0, &usage) != child) stop("cannot wait");
  series.whole.push_back(milliseconds_since(began));
  series.first_byte.push_back(first_byte);
  series.peak.push_back(static_cast<double>(usage.ru_maxrss) / 1024);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::string line;
    for (std::size_t i = 0; i + 1 < series.argv.size(); ++i) line += std::string(" ") + series.argv[i];
    stop("this did not exit with 0:" + line);
  }
}

std::string array(const std::vector<double>& values, std::size_t from) {
  std::string text = "[";
  for (std::size_t i = from; i < values.size(); ++i) {
    char number[32];
    std::snprintf(number, sizeof number, "%s%.3f", i == from ? "" : ", ", values[i]);
    text += number;
  }
  return text + "]";
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 2 ? std::atoi(argv[1]) : 0;
  if (rounds < 1) stop("usage: bench_spawn ROUNDS COMMAND [ARGUMENT…] [--next COMMAND [ARGUMENT…]]…");
  std::vector<Series> all(1);
  for (int i = 2; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--next") {
      all.emplace_back();
    } else {
      all.back().argv.push_back(argv[i]);
    }
  }
  for (Series& series : all) series.argv.push_back(nullptr);

  constexpr int warm_up = 3;
  for (int round = 0; round < warm_up + rounds; ++round) {
    for (Series& series : all) run(series);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::printf("%s{\"first_byte\": %s, \"whole\": %s, \"peak\": %s}", i == 0 ? "[" : ",\n ",
                array(all[i].first_byte, warm_up).c_str(), array(all[i].whole, warm_up).c_str(),
                array(all[i].peak, warm_up).c_str());
  }
  std::printf("]\n");
}
