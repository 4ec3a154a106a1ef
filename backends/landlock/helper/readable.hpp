#pragma once
// Landlock cannot take away inside what it granted. So reading is granted around the hidden paths: whole directories
// that hold none of them, and one by one the entries of those that do.

#include <functional>
#include <string>
#include <vector>

namespace agentrun::landlock {

/// The paths to grant, each told to `grant`. `hidden` are absolute, links resolved. A directory above a hidden path
/// is not granted itself and cannot be listed; entries made in it later are not granted. Links are left out: what
/// they lead to has a path of its own.
void grant_around(const std::vector<std::string>& hidden, const std::function<void(const std::string&)>& grant);

}  // namespace agentrun::landlock
