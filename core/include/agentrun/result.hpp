#pragma once
// The error type of the whole project: what went wrong, and what the reader can do about it.

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace agentrun {

enum class ErrorCode {
  usage,        ///< the command line asks for something that makes no sense
  not_found,    ///< a file, program or plugin that is needed is not there
  unavailable,  ///< it is there and does not work on this machine
  untrusted,    ///< it is there and somebody else could have written it
  io,           ///< the operating system refused a read, a write or a start
  plugin,       ///< a plugin broke the contract of plugin.hpp
  interrupted,  ///< a signal ended the work
};

/// `message` names the cause in one sentence without a final full stop; `hint` names the remedy (may be empty).
struct Error {
  ErrorCode code = ErrorCode::io;
  std::string message;
  std::string hint;
};

template <class T>
using Result = tl::expected<T, Error>;

/// The failed side of any Result.
[[nodiscard]] inline tl::unexpected<Error> failure(ErrorCode code, std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(hint)});
}

/// Cause and remedy as one line: "CAUSE. REMEDY", or the cause alone.
[[nodiscard]] inline std::string describe(const Error& error) {
  return error.hint.empty() ? error.message : error.message + ". " + error.hint;
}

}  // namespace agentrun
