// A jump of the wall clock must not end a run or keep it from ending.

#include <gtest/gtest.h>

#include "temp_dir.hpp"

namespace agentrun::host {
namespace {

TEST(Clocks, OnlyTheDatesOfEventsAndSavedSessionsComeFromTheWallClock) {
  const std::filesystem::path root(AGENTRUN_SOURCE_DIR);
  std::vector<std::string> users;
  for (const char* room : {"core", "host", "proxy", "backends", "runtimes", "cli"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / room)) {
      const auto extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".hpp") continue;
      const std::string text = testing::read_file(entry.path());
      for (const char* clock : {"system_clock", "CLOCK_REALTIME", "gettimeofday", "time(nullptr)", "time(NULL)"}) {
        if (text.find(clock) != std::string::npos) {
          users.push_back(std::filesystem::relative(entry.path(), root).native());
          break;
        }
      }
    }
  }
  std::sort(users.begin(), users.end());
  EXPECT_EQ(users, (std::vector<std::string>{"core/include/agentrun/event.hpp", "core/src/event_json.cpp",
                                             "host/record/session_note.cpp", "host/run/event_stream.hpp"}));
}

}  // namespace
}  // namespace agentrun::host
