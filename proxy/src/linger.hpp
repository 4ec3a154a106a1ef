#pragma once
// The last word to a client: closing at once while it still sends would reset the connection and may destroy the
// answer before it is read.

#include <string>

#include "loop.hpp"
#include "stream.hpp"

namespace agentrun::proxy {

/// Sends `answer`, closes the sending side, then reads and drops until the client has closed, at most for the loop's
/// linger time in all.
void linger(Loop& loop, Stream client, std::string answer);

}  // namespace agentrun::proxy
