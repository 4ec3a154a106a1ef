#pragma once
// Environment variables as a value.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agentrun {

class Environment {
 public:
  Environment() = default;

  /// From "KEY=VALUE" strings as in environ(7); entries without '=' or with an empty name are left out.
  [[nodiscard]] static Environment from_block(const char* const* block);

  [[nodiscard]] std::optional<std::string_view> get(std::string_view name) const;
  /// The value when it is set and not empty.
  [[nodiscard]] std::optional<std::string_view> get_nonempty(std::string_view name) const;
  void set(std::string_view name, std::string_view value);
  /// True when it was set.
  bool erase(std::string_view name);

  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& variables() const noexcept { return variables_; }
  /// "KEY=VALUE" strings for a new process, in the order of their names.
  [[nodiscard]] std::vector<std::string> to_block() const;

  friend bool operator==(const Environment&, const Environment&) = default;

 private:
  std::map<std::string, std::string, std::less<>> variables_;
};

/// [A-Za-z_][A-Za-z0-9_]*
[[nodiscard]] bool is_variable_name(std::string_view name) noexcept;

struct Variable {
  std::string name;
  std::string value;

  friend bool operator==(const Variable&, const Variable&) = default;
};

}  // namespace agentrun
