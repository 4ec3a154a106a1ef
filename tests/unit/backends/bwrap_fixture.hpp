#pragma once
// What the tests of bwrap's planning share.

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "agentrun/policy.hpp"
#include "backend_files.hpp"
#include "check.hpp"
#include "wrapper.hpp"

namespace agentrun::bwrap {

using Arguments = std::vector<std::string>;

inline Arguments concat(std::initializer_list<Arguments> parts) {
  Arguments all;
  for (const Arguments& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Where `part` begins in `all`, or nothing.
inline std::optional<std::size_t> find(const Arguments& all, const Arguments& part) {
  const auto at = std::search(all.begin(), all.end(), part.begin(), part.end());
  if (at == all.end()) return std::nullopt;
  return static_cast<std::size_t>(at - all.begin());
}

inline NetworkAccess network(NetworkAccess::Kind kind) {
  NetworkAccess access;
  access.kind = kind;
  return access;
}

inline Policy built(const PolicyBuilder& builder) {
  auto policy = builder.build();
  if (!policy) throw std::runtime_error(describe(policy.error()));
  return *std::move(policy);
}

/// A working directory, a session directory and the findings of a machine where everything works.
class BwrapPlanning : public ::testing::Test {
 protected:
  [[nodiscard]] PolicyBuilder builder() const {
    PolicyBuilder made(cwd);
    made.writable(session);
    return made;
  }
  [[nodiscard]] static Findings findings() {
    return {.bwrap = "/usr/bin/bwrap", .socat = std::nullopt, .door = std::nullopt, .namespaces = {}, .host = {}};
  }

  testing::TempDir root;
  std::filesystem::path cwd = testing::make_directory(root / "work");
  std::filesystem::path session = testing::make_directory(root / "agentrun-1");
};

}  // namespace agentrun::bwrap
