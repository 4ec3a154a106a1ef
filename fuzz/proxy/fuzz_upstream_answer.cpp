#include <string>

#include "http_syntax.hpp"
#include "targets.hpp"
#include "upstream_answer.hpp"

namespace agentrun::fuzz {
namespace {

using agentrun::proxy::UpstreamAnswer;
using Progress = UpstreamAnswer::Progress;

}  // namespace

void fuzz_upstream_answer(std::string_view input) {
  UpstreamAnswer at_once;
  const Progress whole = at_once.feed(input);

  UpstreamAnswer in_pieces;
  Progress last = Progress::need_more;
  std::size_t used = 0;
  while (used < input.size() && last == Progress::need_more) last = in_pieces.feed(input.substr(used++, 1));

  require(last == whole || input.empty(), "the pieces make no difference");
  require(at_once.status() == in_pieces.status(), "the pieces make no other status");
  if (whole == Progress::opened) {
    require(at_once.status() >= 200 && at_once.status() < 300, "only 2xx opens a tunnel");
    require(at_once.take_rest() == input.substr(used), "what is behind the head is the tunnel's");
    require(in_pieces.take_rest().empty(), "a head ends at its last byte");
  }
  if (whole == Progress::refused) require(at_once.status() >= 300, "1xx and 2xx are no refusals");
}

}  // namespace agentrun::fuzz
