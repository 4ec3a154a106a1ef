#include "include_line.hpp"

#include <regex>
#include <sstream>

namespace agentrun::layering {

std::vector<Include> includes_of(const std::string& content) {
  static const std::regex directive(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
  std::vector<Include> found;
  std::istringstream lines(content);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("include") == std::string::npos) continue;
    std::smatch match;
    if (std::regex_match(line, match, directive)) found.push_back({match[2], match[1] == "<"});
  }
  return found;
}

}  // namespace agentrun::layering
