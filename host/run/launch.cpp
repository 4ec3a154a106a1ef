#include "run/launch.hpp"

#include <sys/wait.h>

#include <cerrno>
#include <csignal>

#include "system/file.hpp"

namespace agentrun::host {
namespace {

constexpr std::chrono::seconds gate_limit{5};

void end(pid_t pid) {
  ::kill(-pid, SIGKILL);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

tl::unexpected<LaunchError> failed(Error error, bool at_gate) {
  return tl::unexpected(LaunchError{std::move(error), at_gate});
}

}  // namespace

tl::expected<Launched, LaunchError> launch(SpawnRequest request, Confinement& confinement, SignalSource& signals) {
  request.argv = confinement.plan.argv;
  request.environment = confinement.environment.to_block();
  Launched launched;
  if (confinement.plan.gate) {
    auto keeper = GateKeeper::make();
    if (!keeper) return failed(keeper.error(), false);
    launched.keeper = std::move(*keeper);
    launched.keeper->add_to(request);
  }
  std::vector<Descriptor> inputs;
  for (const PlannedInput& input : confinement.plan.inputs) {
    auto file = memory_file(input.content);
    if (!file) return failed(file.error(), false);
    request.extra.push_back({input.number, file->get()});
    inputs.push_back(std::move(*file));
  }
  const auto pid = spawn(request);
  if (!pid) return failed(pid.error(), false);
  launched.pid = *pid;
  if (!launched.keeper) return launched;

  auto listener = launched.keeper->wait(signals, gate_limit);
  const bool served = !confinement.ground.proxy || (listener && listener->valid());
  if (!listener || !served) {
    end(*pid);
    if (!listener && listener.error().code == ErrorCode::interrupted) return failed(listener.error(), false);
    Error error =
        listener ? Error{ErrorCode::unavailable, "no listening socket came from inside", {}} : listener.error();
    error.message = "sandbox is not available: " + error.message;
    return failed(std::move(error), true);
  }
  if (confinement.ground.proxy) confinement.ground.proxy->serve(listener->release());
  launched.keeper->let_in();
  return launched;
}

}  // namespace agentrun::host
