#include <string>

#include "client_hello.hpp"
#include "targets.hpp"

namespace agentrun::fuzz {
namespace {

using agentrun::proxy::ClientHelloReader;
using Progress = ClientHelloReader::Progress;

}  // namespace

void fuzz_client_hello(std::string_view input) {
  ClientHelloReader at_once;
  const Progress whole = at_once.feed(input);

  ClientHelloReader in_pieces;
  Progress last = Progress::need_more;
  std::size_t used = 0;
  while (used < input.size() && last == Progress::need_more) last = in_pieces.feed(input.substr(used++, 1));

  require(last == whole, "the pieces make no difference");
  require(at_once.name() == in_pieces.name(), "the pieces make no other name");
  if (whole == Progress::need_more)
    require(input.size() <= 6 * ClientHelloReader::max_size, "what is held has a bound");
  if (at_once.name() && whole == Progress::hello)
    require(input.find(*at_once.name()) != std::string_view::npos || input.size() > at_once.name()->size() + 5,
            "a name comes from the bytes");

  std::optional<std::string> name;
  if (!agentrun::proxy::parse_client_hello(input, name) || !name) return;
  require(!name->empty() && input.find(*name) != std::string_view::npos, "a name is in the message");
}

}  // namespace agentrun::fuzz
