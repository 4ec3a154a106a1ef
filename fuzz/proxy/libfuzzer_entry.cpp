// One executable for each target: AGENTRUN_FUZZ_TARGET names the function.

#include <cstddef>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  agentrun::fuzz::AGENTRUN_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
