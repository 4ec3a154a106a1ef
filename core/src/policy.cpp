#include "agentrun/policy.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "hidden_below.hpp"

namespace agentrun {
namespace {

namespace fs = std::filesystem;

void add_once(std::vector<fs::path>& list, const fs::path& path) {
  if (std::find(list.begin(), list.end(), path) == list.end()) list.push_back(path);
}

/// The existing ones; nothing twice, nothing inside another.
std::vector<HiddenPath> hidden_of(const std::vector<fs::path>& paths) {
  std::vector<HiddenPath> found;
  for (const fs::path& path : paths) {
    auto one = hidden(path);
    if (one && std::find(found.begin(), found.end(), *one) == found.end()) found.push_back(*std::move(one));
  }
  std::vector<HiddenPath> outermost;
  for (const HiddenPath& path : found) {
    const bool inside = std::any_of(found.begin(), found.end(), [&](const HiddenPath& other) {
      return other != path && is_below(path.path, other);
    });
    if (!inside) outermost.push_back(path);
  }
  return outermost;
}

}  // namespace

bool is_below(const fs::path& path, const HiddenPath& hiding) {
  if (!hiding.directory) return path == hiding.path;
  return std::mismatch(hiding.path.begin(), hiding.path.end(), path.begin(), path.end()).first == hiding.path.end();
}

PolicyBuilder::PolicyBuilder(fs::path cwd) : cwd_(std::move(cwd)) { require("working directory", cwd_); }

PolicyBuilder& PolicyBuilder::writable(fs::path directory) {
  writable_.push_back(std::move(directory));
  return *this;
}

PolicyBuilder& PolicyBuilder::state(StateDirectory directory) {
  states_.push_back(std::move(directory));
  return *this;
}

PolicyBuilder& PolicyBuilder::network(NetworkPolicy policy) {
  network_ = std::move(policy);
  return *this;
}

PolicyBuilder& PolicyBuilder::private_tmp(bool wanted) {
  private_tmp_ = wanted;
  return *this;
}

PolicyBuilder& PolicyBuilder::unix_socket(fs::path socket) {
  unix_sockets_.push_back(std::move(socket));
  return *this;
}

PolicyBuilder& PolicyBuilder::require(std::string name, fs::path directory) {
  required_.push_back({std::move(name), std::move(directory)});
  return *this;
}

PolicyBuilder& PolicyBuilder::deny_read_default(fs::path path) {
  denials_.push_back({std::nullopt, std::move(path)});
  return *this;
}

PolicyBuilder& PolicyBuilder::deny_read(std::string_view value, const fs::path& base) {
  denials_.push_back({std::string(value), absolute_from(base, value)});
  return *this;
}

PolicyBuilder& PolicyBuilder::hide(fs::path path) {
  hide_.push_back(std::move(path));
  return *this;
}

Result<std::vector<fs::path>> PolicyBuilder::checked_denials() const {
  const auto swallowed = [this](const fs::path& path) {
    return std::find_if(required_.begin(), required_.end(),
                        [&](const Required& required) { return contains(path, required.directory); });
  };
  std::vector<fs::path> denied;
  for (const Denial& denial : denials_) {
    if (!denial.written && swallowed(denial.path) == required_.end()) add_once(denied, denial.path);
  }
  for (const Denial& denial : denials_) {
    if (!denial.written) continue;
    const std::string option = "--deny-read " + *denial.written + ": ";
    if (denial.written->empty()) return failure(ErrorCode::usage, "--deny-read: the path is empty", "Give a path");
    if (denial.written->front() == '~') {
      return failure(ErrorCode::usage, option + "~ is not expanded, give the full path");
    }
    const auto required = swallowed(denial.path);
    if (required != required_.end()) {
      return failure(ErrorCode::usage, option + "contains the " + required->name + ' ' + required->directory.string());
    }
    add_once(denied, denial.path);
  }
  return denied;
}

Result<Policy> PolicyBuilder::build() const {
  std::error_code error;
  Policy policy;
  policy.cwd_ = fs::canonical(cwd_, error);
  if (!error && !fs::is_directory(policy.cwd_, error) && !error) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (error) {
    return failure(ErrorCode::usage, "working directory " + cwd_.string() + " cannot be used: " + error.message(),
                   "Give an existing directory with --cwd");
  }
  if (policy.cwd_ == policy.cwd_.root_path()) {
    return failure(ErrorCode::usage, "the working directory is /, so that nothing would be left to protect",
                   "Give a directory below it with --cwd");
  }
  auto denied = checked_denials();
  if (!denied) return tl::unexpected<Error>(std::move(denied.error()));
  policy.deny_read_ = *std::move(denied);

  policy.writable_.push_back(policy.cwd_);
  for (const fs::path& directory : writable_) {
    // In a dry run the session directory is a placeholder; it stays as it is.
    fs::path real = fs::canonical(directory, error);
    add_once(policy.writable_, error ? directory : real);
  }

  std::vector<fs::path> to_hide = policy.deny_read_;
  to_hide.insert(to_hide.end(), hide_.begin(), hide_.end());
  policy.hidden_ = hidden_of(to_hide);

  std::vector<fs::path> must_be_written = policy.writable_;
  for (const StateDirectory& state : states_) {
    policy.states_.push_back({real_path(state.directory), state.writable_entries});
    must_be_written.push_back(policy.states_.back().directory);
  }
  for (const fs::path& path : must_be_written) {
    for (const HiddenPath& hiding : policy.hidden_) {
      if (!is_below(path, hiding)) continue;
      return failure(ErrorCode::usage,
                     "the agent must write " + path.string() + ", which lies in the unreadable " + hiding.path.string(),
                     "Move one of them, or use --no-default-deny-read and --deny-read");
    }
  }
  for (const fs::path& socket : unix_sockets_) add_once(policy.unix_sockets_, real_path(socket));
  policy.private_tmp_ = private_tmp_;
  policy.network_ = network_;
  return policy;
}

}  // namespace agentrun
