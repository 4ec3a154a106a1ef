#pragma once
// Which call started which subagent. dsh gives a subagent a session of its own, which names the session it came from
// but not the call: calls and sessions of several subagents that start at once come in any order.

#include <map>
#include <string>
#include <string_view>

namespace agentrun::dsh {

/// Memory grows with the sessions that are open.
class Delegations {
 public:
  /// A session began. An empty `parent` is the main agent's.
  void created(std::string_view session, std::string_view parent);

  /// A call in `session` asks for a subagent that gets `prompt`.
  void called(std::string_view session, std::string_view call, std::string_view prompt);

  /// The first message of `session` tells which call it belongs to. True when it belongs to none: something else
  /// started the session, and it is a subagent under its own name.
  [[nodiscard]] bool begins_alone(std::string_view session, std::string_view prompt);

  /// Forgets the call and its session. False when the call asked for no subagent.
  bool ended(std::string_view session, std::string_view call);

  /// Forgets a session that no call started. False when one did, and for the main agent's.
  bool ended(std::string_view session);

  /// What records name as their parent: the id of the call or the session, empty for the main agent.
  [[nodiscard]] std::string_view subagent_of(std::string_view session) const;
  [[nodiscard]] std::string_view parent_of(std::string_view session) const;
  [[nodiscard]] bool is_main(std::string_view session) const;

 private:
  struct Session {
    std::string parent;    ///< a session; empty for the main agent's
    std::string subagent;  ///< empty until it is known
    bool by_call = false;
  };
  struct Call {
    std::string session;
    std::string id;
    std::string prompt;
    bool taken = false;
  };

  std::map<std::string, Session, std::less<>> sessions_;
  std::multimap<std::string, Call, std::less<>> calls_;  ///< by the session that they are in, in their order
};

}  // namespace agentrun::dsh
