#pragma once

#include <cstddef>
#include <string>

namespace agentrun::testing {

/// `count` times `c`. Not inlined: with a constant count GCC 12 warns about its own string code (GCC bug 105651).
[[gnu::noinline]] inline std::string repeated(std::size_t count, char c) { return std::string(count, c); }

}  // namespace agentrun::testing
