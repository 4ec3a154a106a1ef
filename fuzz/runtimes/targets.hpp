#pragma once
// The fuzz targets of the runtimes as plain functions, so that the unit tests can replay their corpora.

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace agentrun::fuzz {

inline void require(bool holds, const char* invariant) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", invariant);
  std::abort();
}

/// `input` is the whole standard output of an agent.
void fuzz_claude_code_translator(std::string_view input);
void fuzz_codex_translator(std::string_view input);
void fuzz_demo_translator(std::string_view input);
void fuzz_dsh_translator(std::string_view input);
void fuzz_pi_translator(std::string_view input);

/// `input` is what codex keeps of a thread.
void fuzz_codex_rollout(std::string_view input);

}  // namespace agentrun::fuzz
