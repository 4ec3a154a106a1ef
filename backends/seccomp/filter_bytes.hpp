#pragma once
// What generate.cpp writes.

#include <string_view>

namespace agentrun::seccomp {

extern const std::string_view open_network;
extern const std::string_view own_network;
extern const std::string_view supervised;
extern const std::string_view supervised_with_locks;

}  // namespace agentrun::seccomp
