#include "refusal.hpp"

#include "agentrun/text.hpp"

namespace agentrun::bwrap {
namespace {

std::string install(const std::string& package, const std::string& name) {
  return "Install " + name + ": apt-get install " + package + " (Debian, Ubuntu), dnf install " + package +
         " (Fedora), pacman -S " + package + " (Arch)";
}

std::string cause(const CheckRun& run) {
  if (run.timed_out) return "it did not end in time";
  if (const std::string line = summary_line(first_line(run.error), 300); !line.empty()) return line;
  if (run.exit_code) return "it exited with code " + std::to_string(*run.exit_code) + " and printed nothing";
  return "it was killed and printed nothing";
}

}  // namespace

Error wsl1() {
  return {ErrorCode::unavailable, "WSL1 has no Linux kernel and bwrap cannot run there",
          "Convert the distribution with wsl --set-version NAME 2, or use --sandbox off"};
}

Error bwrap_missing() {
  return {ErrorCode::unavailable, "bwrap not found in PATH", install("bubblewrap", "bubblewrap")};
}

Error socat_missing() { return {ErrorCode::unavailable, "socat not found in PATH", install("socat", "socat")}; }

Error bwrap_too_old(const Version& found) {
  return {ErrorCode::unavailable,
          "bwrap " + to_string(found) + " is too old, " + to_string(oldest_bwrap) + " or later is needed",
          "Upgrade bubblewrap, or use --sandbox off"};
}

Error bwrap_cannot_start(const CheckRun& run) {
  return {ErrorCode::unavailable, "bwrap cannot start: " + cause(run),
          "In a docker container use --sandbox off. On Ubuntu 23.10 or later, allow bwrap to create user namespaces "
          "with an AppArmor profile: " AGENTRUN_DOC_DIR "/troubleshooting.md"};
}

}  // namespace agentrun::bwrap
