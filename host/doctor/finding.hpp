#pragma once
// What one check found out.

#include <string>
#include <utility>

#include "agentrun/host/doctor.hpp"

namespace agentrun::host {

struct Finding {
  CheckResult::Status status = CheckResult::Status::ok;
  std::string detail;
};

[[nodiscard]] inline Finding good(std::string detail) { return {CheckResult::Status::ok, std::move(detail)}; }
[[nodiscard]] inline Finding skipped(std::string detail) { return {CheckResult::Status::skipped, std::move(detail)}; }
[[nodiscard]] inline Finding failed(const std::string& cause, const std::string& remedy) {
  return {CheckResult::Status::failed, cause + ". " + remedy};
}
[[nodiscard]] inline Finding failed(const Error& error) { return {CheckResult::Status::failed, describe(error)}; }

}  // namespace agentrun::host
