#include "options.hpp"

#include <cstdlib>
#include <string_view>

#include "failure.hpp"

namespace agentrun::landlock {

Options parse(int argc, char** argv) {
  Options options;
  bool network_told = false;
  int at = 1;
  const auto value = [&]() -> char* {
    if (++at >= argc) fail_plainly("an option without its value");
    return argv[at];
  };
  for (; at < argc; ++at) {
    const std::string_view option = argv[at];
    if (option == "--") break;
    if (option == "--abi") {
      options.abi = std::atoi(value());
    } else if (option == "--cut" || option == "--open") {
      options.network = option == "--cut" ? Network::cut : Network::open;
      network_told = true;
    } else if (option == "--port") {
      options.network = Network::proxied;
      options.port = static_cast<std::uint16_t>(std::atoi(value()));
      network_told = true;
    } else if (option == "--write") {
      options.writable.emplace_back(value());
    } else if (option == "--hide") {
      options.hidden.emplace_back(value());
    } else if (option == "--socket") {
      options.sockets.emplace_back(value());
    } else if (option == "--state") {
      options.states.push_back({value(), {}});
    } else if (option == "--entry" && !options.states.empty()) {
      options.states.back().entries.emplace_back(value());
    } else if (option == "--cwd") {
      options.cwd = value();
    } else {
      fail_plainly("an option that it does not know");
    }
  }
  if (at + 1 >= argc) fail_plainly("no command");
  if (options.abi < 1 || !network_told) fail_plainly("the plan is not complete");
  if (options.network == Network::proxied && options.port == 0) fail_plainly("the proxy has no port");
  options.command = argv + at + 1;
  return options;
}

}  // namespace agentrun::landlock
