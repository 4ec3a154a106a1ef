#pragma once
// What is fuzzed of the proxy. Each function takes any bytes and aborts when an invariant is broken; the unit tests
// replay corpus/<function>/ through the same functions.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace agentrun::fuzz {

void fuzz_client_hello(std::string_view input);
void fuzz_request_head(std::string_view input);
void fuzz_response_head(std::string_view input);
void fuzz_socks(std::string_view input);
void fuzz_upstream_answer(std::string_view input);
void fuzz_upstream_environment(std::string_view input);

inline void require(bool holds, const char* invariant) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", invariant);
  std::abort();
}

}  // namespace agentrun::fuzz
