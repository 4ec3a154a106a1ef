#include "turn_end.hpp"

#include "agentrun/text.hpp"
#include "json/json_line.hpp"

namespace agentrun::dsh {

namespace {

namespace dom = simdjson::dom;
using json::text_member;

constexpr std::size_t detail_limit = 500;  // characters

Verdict failed(std::string detail) {
  Verdict verdict;
  verdict.status = Verdict::Status::failed;
  verdict.detail = std::move(detail);
  return verdict;
}

std::string error_detail(const TurnEnd& end, const ExitFacts& exit) {
  std::string detail(first_characters(end.code.empty() ? end.message : end.code + ": " + end.message, detail_limit));
  // dsh says the same of a service that is down and of one that the proxy refused.
  if (end.code == "TRANSPORT" && !exit.last_refusal.empty()) {
    detail.append(" (the network policy refused ").append(exit.last_refusal).append(")");
  }
  return detail;
}

}  // namespace

TurnEnd read_turn_end(dom::element reason) {
  TurnEnd end;
  end.kind = text_member(reason, "kind");
  dom::element error;
  if (reason["error"].get(error) == simdjson::SUCCESS) {
    end.code = text_member(error, "code");
    end.message = text_member(error, "message");
  }
  return end;
}

Verdict verdict_of(const TurnEnd& end, const ExitFacts& exit) {
  if (end.kind == "error") return failed(error_detail(end, exit));
  // What stopped it is on standard error.
  if (exit.exit_code != 0) return failed("");
  if (end.kind.empty()) return failed("dsh ended before its turn did");
  Verdict verdict;
  if (end.kind == "completed") return verdict;
  if (end.kind == "max-tokens") {
    verdict.detail = "the model reached its limit of output tokens: the answer may be incomplete";
    return verdict;
  }
  return failed("dsh's turn ended as " + end.kind);
}

}  // namespace agentrun::dsh
