#pragma once
// Runs the built agentrun as a user would, and reads what it said.

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "temp_dir.hpp"

namespace agentrun::testing {

namespace json = boost::json;

inline constexpr std::chrono::seconds patience{60};

/// True when `condition` holds within `limit`; asks it every few milliseconds.
[[nodiscard]] bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds limit = patience);

struct Invocation {
  std::vector<std::string> args;
  std::map<std::string, std::string> environment;  ///< the whole of it
  std::filesystem::path cwd;
  std::string input;
  std::optional<std::string> program;  ///< default: the built agentrun
  std::vector<std::string> prefix;     ///< a launcher in front: {"setpriv", "--reuid=65534"}
};

struct Finished {
  int exit_code = -1;  ///< 128 + n when a signal ended it
  std::string out;
  std::string err;
  long peak_kib = 0;  ///< of the process itself

  /// Standard output as JSON lines; a line that is none fails the test.
  [[nodiscard]] std::vector<json::object> events() const;
  [[nodiscard]] std::vector<json::object> events(std::string_view type) const;
  /// The last event.
  [[nodiscard]] json::object end() const;
};

/// A started process; killed when it goes out of scope.
class Program {
 public:
  explicit Program(const Invocation& invocation);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  void signal(int number) const;
  /// Reads until standard output holds `text`.
  [[nodiscard]] bool said(std::string_view text, std::chrono::milliseconds limit = patience);
  /// Its standard output as far as it has been read.
  [[nodiscard]] const std::string& output() const noexcept { return finished_.out; }
  /// Closes this side of its standard output.
  void close_output();
  /// Until it ends; a failure of the test after `limit`.
  [[nodiscard]] Finished wait(std::chrono::milliseconds limit = patience);

 private:
  bool pump(std::chrono::milliseconds wait);

  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::string input_;
  Finished finished_;
};

[[nodiscard]] Finished run(const Invocation& invocation);

/// A home, a working directory and a temporary directory for one run.
class Stage {
 public:
  Stage();

  [[nodiscard]] const TempDir& root() const noexcept { return root_; }
  [[nodiscard]] std::filesystem::path home() const { return root_ / "home"; }
  [[nodiscard]] std::filesystem::path work() const { return root_ / "work"; }
  [[nodiscard]] std::filesystem::path tmp() const { return root_ / "tmp"; }
  [[nodiscard]] std::filesystem::path outside() const { return root_ / "outside"; }

  /// In the working directory, with HOME, TMPDIR and PATH of the stage.
  [[nodiscard]] Invocation invocation(std::vector<std::string> args) const;
  [[nodiscard]] Finished run(std::vector<std::string> args, std::string input = {}) const;

  /// No session directory was left in TMPDIR.
  [[nodiscard]] bool clean() const;

 private:
  TempDir root_;
};

/// Processes whose environment holds NAME=VALUE, other than this one: what a run left behind.
[[nodiscard]] std::vector<pid_t> processes_marked(std::string_view marker);

}  // namespace agentrun::testing
