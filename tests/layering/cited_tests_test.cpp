// The documents name the tests that hold a claim. A name that no test has is a claim that nobody tries to break.

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "checkout.hpp"

namespace agentrun::layering {
namespace {

namespace fs = std::filesystem;

/// "Suite.Name" for each match, whose first two groups are those.
std::set<std::string> matches(const std::string& text, const std::regex& expression) {
  std::set<std::string> found;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), expression); match != std::sregex_iterator();
       ++match)
    found.insert((*match)[1].str() + '.' + (*match)[2].str());
  return found;
}

TEST(CitedTests, AllExist) {
  std::set<std::string> tests;
  const std::regex definition("TEST(?:_F|_P)?\\((\\w+),\\s+(\\w+)\\)");
  for (const auto& entry : fs::recursive_directory_iterator(checkout / "tests")) {
    if (entry.path().extension() == ".cpp") tests.merge(matches(content_of(entry.path()), definition));
  }
  std::size_t cited = 0;
  const std::regex citation("`([A-Z]\\w+)\\.([A-Z]\\w+)`");
  for (const auto& entry : fs::directory_iterator(checkout / "docs")) {
    if (entry.path().extension() != ".md") continue;
    for (const std::string& name : matches(content_of(entry.path()), citation)) {
      ++cited;
      EXPECT_TRUE(tests.contains(name)) << entry.path().filename() << " cites " << name;
    }
  }
  EXPECT_GT(cited, 30U) << "the threat model cites them";
}

}  // namespace
}  // namespace agentrun::layering
