#pragma once
// Judging a plugin by its bytes, before any of its code can run.

#include <filesystem>

#include "agentrun/host/plugins.hpp"
#include "plugins/file_bytes.hpp"
#include "plugins/module_image.hpp"
#include "plugins/plugin_facts.hpp"
#include "plugins/plugin_name.hpp"

namespace agentrun::host {

struct Inspection {
  ModuleImage image;
  PluginFacts facts;
};

/// Reads; fails when the file is no shared object or holds no facts.
[[nodiscard]] PluginResult<Inspection> inspect(const ByteSource& file, const std::filesystem::path& path);

/// Decides whether it is the plugin that was asked for, built for this agentrun. Pure.
[[nodiscard]] PluginResult<void> judge_inspection(const Inspection& inspection, const PluginName& wanted,
                                                  const std::filesystem::path& path);

}  // namespace agentrun::host
