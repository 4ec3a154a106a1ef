#include "readable.hpp"

#include <dirent.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

namespace agentrun::landlock {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

/// `hidden` lies below the directory; `prefix` ends in a slash.
bool below(std::string_view prefix, std::string_view hidden) { return hidden.starts_with(prefix); }

class Walk {
 public:
  Walk(const std::vector<std::string>& hidden, const std::function<void(const std::string&)>& grant)
      : hidden_(hidden), grant_(grant) {}

  void visit(const std::string& path) {
    if (std::find(hidden_.begin(), hidden_.end(), path) != hidden_.end()) return;
    const std::string prefix = path.ends_with('/') ? path : path + '/';
    if (std::none_of(hidden_.begin(), hidden_.end(), [&](const auto& hidden) { return below(prefix, hidden); })) {
      grant_(path);
      return;
    }
    const std::unique_ptr<DIR, CloseDirectory> directory(::opendir(path.c_str()));
    // What cannot be listed is not granted.
    if (!directory) return;
    while (const dirent* entry = ::readdir(directory.get())) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != ".." && entry->d_type != DT_LNK) visit(prefix + entry->d_name);
    }
  }

 private:
  const std::vector<std::string>& hidden_;
  const std::function<void(const std::string&)>& grant_;
};

}  // namespace

void grant_around(const std::vector<std::string>& hidden, const std::function<void(const std::string&)>& grant) {
  Walk(hidden, grant).visit("/");
}

}  // namespace agentrun::landlock
