#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "checkout.hpp"
#include "layers.hpp"

namespace agentrun::layering {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* rooms[] = {"core", "proxy", "host", "cli", "backends", "runtimes"};
constexpr std::ptrdiff_t most_lines = 420;

/// Below `folder` of the checkout, relative to it.
std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(checkout / folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".hpp") || name.ends_with(".cpp") || name.ends_with(".hpp.in") || name.ends_with(".cpp.in")) {
      sources.push_back(fs::relative(entry.path(), checkout));
    }
  }
  return sources;
}

/// Of backends/ or runtimes/: a folder that is no plugin of its own, for what several plugins share.
bool is_shared(const fs::path& folder) {
  const fs::path build = checkout / folder / "CMakeLists.txt";
  return fs::exists(build) && content_of(build).find("agentrun_add_plugin") == std::string::npos;
}

/// backends/ and runtimes/ hold a room for each plugin: one does not include another.
fs::path room_of(const fs::path& file) {
  auto component = file.begin();
  const fs::path first = *component++;
  return first == "backends" || first == "runtimes" ? first / *component : first;
}

/// Written from the checkout ("cli/help.hpp"), or from a folder between the file's and its room's.
bool found_in_room(const fs::path& file, const std::string& target) {
  if (target.find("..") != std::string::npos) return false;
  const fs::path room = room_of(file);
  if (target.starts_with(room.generic_string() + "/")) return fs::exists(checkout / target);
  for (fs::path folder = file.parent_path(); folder.string().starts_with(room.string());
       folder = folder.parent_path()) {
    if (fs::exists(checkout / folder / target)) return true;
  }
  const fs::path kind = *file.begin();
  if (room == kind) return false;
  return fs::exists(checkout / kind / target) && is_shared(kind / *fs::path(target).begin());
}

std::string objected(const std::string& file, const std::string& target, bool angled) {
  return objection(file, {target, angled}).value_or("allowed");
}

TEST(Layering, HoldsInEverySource) {
  std::vector<std::string> objections;
  std::size_t includes = 0;
  for (const char* room : rooms) {
    for (const fs::path& file : sources_below(room)) {
      for (const Include& include : includes_of(content_of(checkout / file))) {
        ++includes;
        if (auto reason = objection(file.generic_string(), include)) {
          objections.push_back(file.string() + " includes " + include.target + ": " + *reason);
        } else if (!include.angled && !include.target.starts_with("agentrun/") &&
                   !found_in_room(file, include.target)) {
          objections.push_back(file.string() + " includes " + include.target + ", which is not of its room");
        }
      }
    }
  }
  EXPECT_THAT(objections, IsEmpty());
  EXPECT_GT(includes, 100U);  // the scan sees the checkout
}

TEST(Layering, NeedsBoostDllInOneFileOnly) {
  std::vector<std::string> files;
  for (const char* room : rooms) {
    for (const fs::path& file : sources_below(room)) {
      if (content_of(checkout / file).find("boost/dll") != std::string::npos) files.push_back(file.generic_string());
    }
  }
  EXPECT_THAT(files, ElementsAre("host/plugins/load.cpp"));
}

TEST(Layering, KeepsSourcesShort) {
  std::vector<std::string> long_ones;
  for (const char* folder : {"core", "proxy", "host", "cli", "backends", "runtimes", "tests", "bench", "fuzz"}) {
    for (const fs::path& file : sources_below(folder)) {
      const std::string content = content_of(checkout / file);
      const auto lines = std::ranges::count(content, '\n');
      if (lines > most_lines) long_ones.push_back(file.string() + " has " + std::to_string(lines) + " lines");
    }
  }
  EXPECT_THAT(long_ones, IsEmpty());
}

TEST(Layering, LeavesPlatformsToFilesAndNotToTheCompiler) {
  std::vector<std::string> files;
  for (const char* room : rooms) {
    for (const fs::path& file : sources_below(room)) {
      // The boundary header is installed as one file for both platforms.
      if (file == "core/include/agentrun/plugin.hpp") continue;
      const std::string content = content_of(checkout / file);
      for (const char* macro : {"__linux__", "__APPLE__"}) {
        if (content.find(macro) != std::string::npos) files.push_back(file.string());
      }
    }
  }
  EXPECT_THAT(files, IsEmpty());
}

TEST(LayeringRules, LetTheCoreKnowNobody) {
  EXPECT_EQ(objected("core/src/a.cpp", "string", true), "allowed");
  EXPECT_EQ(objected("core/src/a.cpp", "tl/expected.hpp", true), "allowed");
  EXPECT_EQ(objected("core/src/a.cpp", "agentrun/path.hpp", false), "allowed");
  for (const char* header :
       {"unistd.h", "sys/stat.h", "boost/json.hpp", "spdlog/spdlog.h", "fmt/format.h", "simdjson.h", "CLI/App.hpp"}) {
    EXPECT_NE(objected("core/src/a.cpp", header, true), "allowed") << header;
  }
  EXPECT_EQ(objected("core/src/a.cpp", "agentrun/host/run.hpp", false), "core must not know host");
}

TEST(LayeringRules, LetPluginsKnowTheCoreOnly) {
  for (const char* file : {"backends/x/a.cpp", "runtimes/x/a.cpp"}) {
    EXPECT_EQ(objected(file, "agentrun/plugin.hpp", false), "allowed");
    EXPECT_EQ(objected(file, "simdjson.h", true), "allowed");
    EXPECT_EQ(objected(file, "unistd.h", true), "allowed");
    for (const char* header : {"agentrun/host/plugins.hpp", "agentrun/proxy/proxy.hpp", "agentrun/cli/help.hpp"}) {
      EXPECT_NE(objected(file, header, false), "allowed") << header;
    }
    for (const char* header : {"boost/asio.hpp", "spdlog/spdlog.h", "boost/dll/import.hpp"}) {
      EXPECT_NE(objected(file, header, true), "allowed") << header;
    }
  }
}

TEST(LayeringRules, PointFromTheCommandLineThroughTheHostToTheProxy) {
  EXPECT_EQ(objected("proxy/src/a.cpp", "boost/asio.hpp", true), "allowed");
  EXPECT_NE(objected("proxy/src/a.cpp", "agentrun/host/run.hpp", false), "allowed");
  EXPECT_NE(objected("proxy/src/a.cpp", "spdlog/spdlog.h", true), "allowed");
  EXPECT_EQ(objected("host/run/a.cpp", "agentrun/proxy/proxy.hpp", false), "allowed");
  EXPECT_NE(objected("host/run/a.cpp", "CLI/App.hpp", true), "allowed");
  EXPECT_NE(objected("host/run/a.cpp", "boost/dll.hpp", true), "allowed");
  EXPECT_EQ(objected("host/plugins/load.cpp", "boost/dll/shared_library.hpp", true), "allowed");
  EXPECT_EQ(objected("cli/a.cpp", "CLI/App.hpp", true), "allowed");
  EXPECT_NE(objected("cli/a.cpp", "agentrun/proxy/proxy.hpp", false), "allowed");
  EXPECT_NE(objected("cli/a.cpp", "boost/asio.hpp", true), "allowed");
}

TEST(LayeringRules, KeepOtherIncludesInTheirRoom) {
  EXPECT_TRUE(found_in_room("host/plugins/load.cpp", "plugins/load.hpp"));
  EXPECT_TRUE(found_in_room("cli/main.cpp", "cli/help.hpp"));
  EXPECT_FALSE(found_in_room("cli/main.cpp", "plugins/load.hpp"));
  EXPECT_FALSE(found_in_room("cli/main.cpp", "host/plugins/load.hpp"));
  EXPECT_FALSE(found_in_room("cli/main.cpp", "../host/plugins/load.hpp"));
  EXPECT_FALSE(found_in_room("runtimes/demo/plugin.cpp", "pi/runtime.hpp"));
  EXPECT_TRUE(found_in_room("runtimes/demo/plugin.cpp", "json/json_line.hpp"));
  EXPECT_FALSE(found_in_room("backends/bwrap/plugin.cpp", "json/json_line.hpp"));
}

TEST(LayeringScan, SeesEveryFormOfInclude) {
  const auto found = includes_of("#include <a>\n  #  include \"b/c.hpp\"  // why\n// #include <no>\nint include;\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].target, "a");
  EXPECT_TRUE(found[0].angled);
  EXPECT_EQ(found[1].target, "b/c.hpp");
  EXPECT_FALSE(found[1].angled);
}

}  // namespace
}  // namespace agentrun::layering
