#include <unistd.h>

#include <set>
#include <utility>

#include "agentrun/host/plugins.hpp"
#include "plugins/builtin.hpp"
#include "plugins/inspect.hpp"
#include "plugins/path_walk.hpp"
#include "plugins/plugin_error.hpp"
#include "plugins/search.hpp"
#include "plugins/trust.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;

/// Version and ABI as far as the file shows them, and the first reason to refuse it.
void describe_file(PluginListing& listing, const PluginName& plugin) {
  const auto refuse = [&](PluginError error) {
    if (!listing.error) listing.error = std::move(error);
  };
  if (auto valid = check_name(plugin); !valid) refuse({PluginStage::search, std::move(valid.error())});

  auto steps = walk(SystemPathReader(), listing.file);
  if (!steps) return refuse({PluginStage::trust, std::move(steps.error())});
  if (auto closed = judge_steps(*steps, geteuid()); !closed) refuse({PluginStage::trust, std::move(closed.error())});

  const auto bytes = FileBytes::open(steps->real);
  if (!bytes) return refuse({PluginStage::inspect, bytes.error()});
  const auto inspection = inspect(*bytes, steps->real);
  if (!inspection) return refuse(inspection.error());
  listing.version = inspection->facts.version;
  listing.abi = inspection->facts.abi;
  if (auto fits = judge_inspection(*inspection, plugin, steps->real); !fits) refuse(std::move(fits.error()));
}

}  // namespace

std::vector<PluginListing> PluginLibrary::list() const {
  std::vector<PluginListing> listings;
  std::set<std::pair<PluginKind, std::string>> seen;
  for (const fs::path& directory : directories_) {
    for (const fs::path& file : plugin_files(directory)) {
      const PluginName plugin = *parse_file_name(file.filename().string());
      PluginListing listing;
      listing.kind = plugin.kind;
      listing.name = plugin.name;
      listing.file = file;
      listing.shadowed = !seen.emplace(plugin.kind, plugin.name).second;
      describe_file(listing, plugin);
      listings.push_back(std::move(listing));
    }
  }
  for (const AgentrunPluginDescriptor* builtin : builtin_plugins()) {
    PluginListing listing;
    listing.kind = static_cast<PluginKind>(builtin->kind);
    listing.name = builtin->name;
    listing.version = builtin->version;
    listing.abi = builtin->abi;
    listing.shadowed = !seen.emplace(listing.kind, listing.name).second;
    listings.push_back(std::move(listing));
  }
  return listings;
}

}  // namespace agentrun::host
