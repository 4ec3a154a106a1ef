#include "refusal.hpp"

#include <cerrno>

#include "agentrun/text.hpp"

namespace agentrun::landlock {
namespace {

std::string cause(const CheckRun& run) {
  if (run.timed_out) return "it did not end in time";
  if (const std::string line = summary_line(first_line(run.error), 300); !line.empty()) return line;
  if (run.exit_code) return "it exited with code " + std::to_string(*run.exit_code) + " and printed nothing";
  return "it was killed and printed nothing";
}

}  // namespace

Error no_landlock(const Kernel& kernel) {
  if (kernel.error == EOPNOTSUPP) {
    return {ErrorCode::unavailable, "Landlock is switched off in this kernel",
            "Add landlock to the kernel's lsm= boot parameter, or use --sandbox off"};
  }
  if (kernel.error == EPERM) {
    return {ErrorCode::unavailable, "the container does not allow Landlock",
            "Use a container runtime whose seccomp profile knows it (docker 20.10.10 or later), or use --sandbox off"};
  }
  return {ErrorCode::unavailable, "this kernel has no Landlock",
          "Linux 5.13 or later with CONFIG_SECURITY_LANDLOCK has it; else use --sandbox off"};
}

Error helper_missing(const std::filesystem::path& expected) {
  return {ErrorCode::unavailable, "the helper " + expected.string() + " is not installed",
          "Install the package agentrun-backend-landlock again"};
}

Error cannot_start(const CheckRun& run) {
  return {ErrorCode::unavailable, "agentrun-landlock cannot start: " + cause(run), "Use --sandbox off"};
}

Error network_not_limited() {
  return {ErrorCode::unavailable, "the landlock backend cannot limit the network on this machine",
          "Use --sandbox relax to run with an open network"};
}

Error no_private_tmp() {
  return {ErrorCode::unavailable, "the landlock backend cannot give an empty /tmp",
          "Leave --private-tmp out, or use --backend bwrap"};
}

Error hidden_inside_writable(const std::filesystem::path& hidden, const std::filesystem::path& writable) {
  return {ErrorCode::unavailable,
          "the landlock backend cannot hide " + hidden.string() + " inside " + writable.string() +
              ", which the agent may write",
          "Move it elsewhere, use another --cwd or --backend bwrap, or give up the default list with "
          "--no-default-deny-read"};
}

}  // namespace agentrun::landlock
