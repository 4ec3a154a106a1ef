#include "layers.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace agentrun::layering {
namespace {

using Rooms = std::set<std::string>;

struct Rules {
  Rooms rooms;               ///< whose public headers it may include
  Rooms libraries;           ///< first path component of angled includes, beside the standard library
  bool system_calls = true;  ///< <unistd.h>, <sys/…>, <linux/…>
};

const std::map<std::string, Rules>& rules() {
  static const std::map<std::string, Rules> table = {
      {"core", {{"core"}, {"tl"}, false}},
      {"proxy", {{"core", "proxy"}, {"tl", "boost"}}},
      {"host", {{"core", "proxy", "host"}, {"tl", "boost", "spdlog", "fmt"}}},
      {"cli", {{"core", "host", "cli"}, {"tl", "CLI", "spdlog", "fmt"}}},
      {"backends", {{"core"}, {"tl", "simdjson.h"}}},
      {"runtimes", {{"core"}, {"tl", "simdjson.h"}}},
  };
  return table;
}

constexpr std::array system_folders = {"sys", "linux", "netinet", "arpa", "net", "mach", "mach-o"};

std::string first_component(const std::string& path) { return path.substr(0, path.find('/')); }

/// "agentrun/host/run.hpp" belongs to host, "agentrun/path.hpp" to core.
std::string owner_of(const std::string& header) {
  for (const char* room : {"proxy", "host", "cli"}) {
    if (header.starts_with(std::string("agentrun/") + room + "/")) return room;
  }
  return "core";
}

bool is_standard(const std::string& header) { return header.find_first_of("./") == std::string::npos; }

bool is_system(const std::string& header) {
  if (!header.ends_with(".h")) return false;
  return header.find('/') == std::string::npos ||
         std::ranges::find(system_folders, first_component(header)) != system_folders.end();
}

}  // namespace

std::optional<std::string> objection(const std::string& file, const Include& include) {
  const std::string room = first_component(file);
  const auto found = rules().find(room);
  if (found == rules().end()) return "no rules for the room " + room;
  const Rules& rule = found->second;
  const std::string& target = include.target;

  if (!include.angled) {
    if (target.starts_with("agentrun/") && !rule.rooms.contains(owner_of(target))) {
      return room + " must not know " + owner_of(target);
    }
    return std::nullopt;
  }
  if (is_standard(target)) return std::nullopt;
  if (target.starts_with("boost/dll")) {
    return file == "host/plugins/load.cpp" ? std::nullopt : std::optional("Boost.DLL belongs to host/plugins/load.cpp");
  }
  if (rule.libraries.contains(first_component(target))) return std::nullopt;
  if (is_system(target) && target != "simdjson.h") {
    return rule.system_calls ? std::nullopt : std::optional(room + " has the standard library only");
  }
  return room + " must not use <" + target + ">";
}

}  // namespace agentrun::layering
