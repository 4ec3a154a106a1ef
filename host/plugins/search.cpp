#include "plugins/search.hpp"

#include <algorithm>
#include <system_error>

#include "plugins/plugin_error.hpp"
#include "plugins/plugin_text.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;

constexpr const char* below_prefix = "lib/agentrun/plugins";
constexpr const char* below_data = "agentrun/plugins";

// A relative entry would mean the working directory, where an agent or a stranger's checkout may have put a file.
void add_absolute(std::vector<fs::path>& directories, const fs::path& directory) {
  if (!directory.is_absolute()) return;
  fs::path plain = directory;
  while (!plain.has_filename() && plain.has_relative_path()) plain = plain.parent_path();
  if (std::ranges::find(directories, plain) == directories.end()) directories.push_back(std::move(plain));
}

void add_list(std::vector<fs::path>& directories, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    add_absolute(directories, list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

void add_chosen_by_caller(std::vector<fs::path>& directories, const Environment& caller) {
  if (const auto list = caller.get_nonempty("AGENTRUN_PLUGIN_PATH")) add_list(directories, *list);
  // The XDG base directory specification: a relative value is invalid and counts as not set.
  const auto data = caller.get_nonempty("XDG_DATA_HOME");
  if (data && fs::path(*data).is_absolute()) {
    add_absolute(directories, fs::path(*data) / below_data);
  } else if (const auto home = caller.get_nonempty("HOME")) {
    add_absolute(directories, fs::path(*home) / ".local/share" / below_data);
  }
}

}  // namespace

std::vector<fs::path> search_directories(const SearchFacts& facts) {
  std::vector<fs::path> directories;
  // Attack: a set-user-id agentrun is started with variables that name the attacker's own plugins.
  if (!facts.elevated) add_chosen_by_caller(directories, facts.caller);
  if (facts.executable.is_absolute()) {
    add_absolute(directories, facts.executable.parent_path().parent_path() / below_prefix);
  }
  add_absolute(directories, facts.compiled_in);
  return directories;
}

PluginResult<fs::path> find_plugin(const std::vector<fs::path>& directories, const PluginName& plugin) {
  if (auto valid = check_name(plugin); !valid) return failed_at(PluginStage::search, std::move(valid.error()));

  const std::string file_name = file_name_of(plugin);
  std::string looked_in;
  for (const fs::path& directory : directories) {
    fs::path candidate = directory / file_name;
    std::error_code error;
    const fs::file_status status = fs::symlink_status(candidate, error);
    if (fs::exists(status)) return candidate;
    looked_in += (looked_in.empty() ? "" : ", ") + directory.string();
    if (status.type() != fs::file_type::not_found) looked_in += " (" + error.message() + ")";
  }
  const std::string target = file_name.substr(0, file_name.size() - 3);
  return failed_at(
      PluginStage::search, ErrorCode::not_found,
      std::string("no ") + described(plugin) + " (looked in: " + (looked_in.empty() ? "nothing" : looked_in) + ")",
      "Install the package " + target + ", or name the directory of " + file_name +
          " in AGENTRUN_PLUGIN_PATH; `agentrun plugins` lists what is there");
}

std::vector<fs::path> plugin_files(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    if (parse_file_name(entry->path().filename().string())) files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace agentrun::host
