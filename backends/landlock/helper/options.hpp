#pragma once
// The helper's command line, as backends/landlock/wrapper.cpp writes it. Nobody else is meant to.

#include <cstdint>
#include <string>
#include <vector>

namespace agentrun::landlock {

enum class Network { cut, proxied, open };

struct State {
  std::string directory;
  std::vector<std::string> entries;
};

/// Paths are absolute, links resolved.
struct Options {
  int abi = 0;  ///< of Landlock: what the plan promised, no less and no more
  Network network = Network::cut;
  std::uint16_t port = 0;  ///< of the proxy on 127.0.0.1
  std::vector<std::string> writable;
  std::vector<std::string> hidden;
  std::vector<std::string> sockets;  ///< outside, that may be connected to
  std::vector<State> states;
  std::string cwd = "/";
  char** command = nullptr;
};

/// Ends the program when the line is not understood.
[[nodiscard]] Options parse(int argc, char** argv);

}  // namespace agentrun::landlock
