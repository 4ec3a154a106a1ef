#include "locks.hpp"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "target.hpp"

namespace agentrun::landlock {
namespace {

bool names_an_entry(const std::string& name, const Options& options) {
  return std::any_of(options.states.begin(), options.states.end(), [&](const State& state) {
    return std::find(state.entries.begin(), state.entries.end(), name) != state.entries.end();
  });
}

/// The directory, held, when `place` is a named entry of it.
Descriptor state_of(const Caller& caller, Place place, const std::string& name, const Options& options) {
  place.path.erase(place.path.size() - name.size());
  if (place.path.empty()) place.path = ".";
  Descriptor parent = find(caller, place);
  if (!parent.valid()) return {};
  const std::string path = real_path(parent);
  const bool is_state = std::any_of(options.states.begin(), options.states.end(), [&](const State& state) {
    return state.directory == path &&
           std::find(state.entries.begin(), state.entries.end(), name) != state.entries.end();
  });
  return is_state ? std::move(parent) : Descriptor();
}

}  // namespace

std::optional<int> change_lock(const seccomp_data& call, const Caller& caller, const Options& options) {
  int number = AT_FDCWD;
  unsigned path = 0;
  std::optional<mode_t> mode;
  switch (call.nr) {
#ifdef SYS_mkdir
    case SYS_mkdir:
      mode = static_cast<mode_t>(call.args[1]);
      break;
    case SYS_rmdir:
      break;
#endif
    case SYS_mkdirat:
      mode = static_cast<mode_t>(call.args[2]);
      [[fallthrough]];
    case SYS_unlinkat:
      number = static_cast<int>(call.args[0]);
      path = 1;
      break;
    default:
      return std::nullopt;
  }
  auto text = caller.text(call.args[path]);
  if (!text) return std::nullopt;
  while (text->size() > 1 && text->ends_with('/')) text->pop_back();
  const std::string name = text->substr(text->rfind('/') + 1);
  if (name.empty() || !names_an_entry(name, options)) return std::nullopt;
  const Descriptor parent = state_of(caller, {number, *text, true}, name, options);
  if (!parent.valid()) return std::nullopt;
  const int result = mode ? ::mkdirat(parent.get(), name.c_str(), *mode & ~caller.umask())
                          : ::unlinkat(parent.get(), name.c_str(), AT_REMOVEDIR);
  return result == 0 ? 0 : errno;
}

}  // namespace agentrun::landlock
