#include <string>

#include "http_syntax.hpp"
#include "response_head.hpp"
#include "targets.hpp"

namespace agentrun::fuzz {
namespace {

using agentrun::proxy::Hop;
using agentrun::proxy::ResponseHeadFilter;
using Progress = ResponseHeadFilter::Progress;

}  // namespace

void fuzz_response_head(std::string_view input) {
  ResponseHeadFilter at_once(Hop::origin);
  std::string whole;
  const Progress progress = at_once.feed(input, whole);

  ResponseHeadFilter in_pieces(Hop::origin);
  std::string pieces;
  Progress last = Progress::need_more;
  std::size_t used = 0;
  while (used < input.size() && last == Progress::need_more) last = in_pieces.feed(input.substr(used++, 1), pieces);

  require(last == progress, "the pieces make no difference");
  if (progress == Progress::invalid) return;
  if (progress == Progress::passed) {
    pieces.append(input.substr(used));
    require(whole.find("\r\nConnection: close\r\n\r\n") != std::string::npos, "the final head closes");
  }
  require(whole == pieces, "the pieces make no other bytes");
  require(whole.empty() || whole.starts_with("HTTP/1."), "what is passed on is an answer");
}

}  // namespace agentrun::fuzz
