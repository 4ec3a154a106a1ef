#include "cli/option_values.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "agentrun/environment.hpp"
#include "agentrun/text.hpp"
#include "cli/printable.hpp"

namespace agentrun::cli {

namespace {

constexpr std::size_t longest_quote = 80;  // characters of a bad value that an error repeats

tl::unexpected<Error> invalid(std::string_view option, std::string_view value, std::string_view expected) {
  return failure(ErrorCode::usage, "invalid " + std::string(option) + " value '" +
                                       printable_line(summary_line(value, longest_quote)) + "': expected " +
                                       std::string(expected));
}

Result<void> not_empty(std::string_view option, std::string_view value) {
  if (!value.empty()) return {};
  return failure(ErrorCode::usage, std::string(option) + " is empty", "Give it a value or leave it out");
}

template <class Target>
Setter assigned(std::optional<Target>& target) {
  return [&target](std::string_view option, const std::string& value) {
    auto valid = not_empty(option, value);
    if (valid) target = value;
    return valid;
  };
}

template <class Target>
Setter appended(std::vector<Target>& target) {
  return [&target](std::string_view option, const std::string& value) {
    auto valid = not_empty(option, value);
    if (valid) target.emplace_back(value);
    return valid;
  };
}

}  // namespace

Setter store(std::optional<std::string>& target) { return assigned(target); }
Setter store(std::optional<std::filesystem::path>& target) { return assigned(target); }
Setter append(std::vector<std::string>& target) { return appended(target); }
Setter append(std::vector<std::filesystem::path>& target) { return appended(target); }

Setter store_count(std::optional<std::uint64_t>& target, std::uint64_t most) {
  return [&target, most](std::string_view option, const std::string& value) -> Result<void> {
    const std::string expected = "a whole number from 1 to " + std::to_string(most);
    const char* const end = value.data() + value.size();
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc{} || stop != end || number < 1 || number > most) return invalid(option, value, expected);
    target = number;
    return {};
  };
}

Setter store_sandbox_mode(std::optional<host::SandboxMode>& target) {
  return [&target](std::string_view option, const std::string& value) -> Result<void> {
    if (value == "on") {
      target = host::SandboxMode::on;
    } else if (value == "relax") {
      target = host::SandboxMode::relax;
    } else if (value == "off") {
      target = host::SandboxMode::off;
    } else {
      return invalid(option, value, "on, relax or off");
    }
    return {};
  };
}

Setter store_network_mode(NetworkMode& target) {
  return [&target](std::string_view option, const std::string& value) -> Result<void> {
    const auto mode = parse_network_mode(value);
    if (!mode) return invalid(option, value, "none, full or custom");
    target = *mode;
    return {};
  };
}

Setter store_sni_check(SniCheck& target) {
  return [&target](std::string_view option, const std::string& value) -> Result<void> {
    const auto check = parse_sni_check(value);
    if (!check) return invalid(option, value, "lenient, strict or off");
    target = *check;
    return {};
  };
}

Setter store_output_format(OutputFormat& target) {
  return [&target](std::string_view option, const std::string& value) -> Result<void> {
    const auto format = parse_output_format(value);
    if (!format) return invalid(option, value, "rich, text or jsonl");
    target = *format;
    return {};
  };
}

Setter store_backend(std::optional<std::string>& target) {
  return [&target](std::string_view option, const std::string& value) -> Result<void> {
    if (!is_plugin_name(value)) return invalid(option, value, "the name of a backend plugin: a-z, 0-9 and -");
    target = value;
    return {};
  };
}

Setter append_host_rule(std::vector<HostRule>& target) {
  return [&target](std::string_view /*option*/, const std::string& value) -> Result<void> {
    auto rule = parse_host_rule(value);
    if (!rule) return tl::unexpected<Error>(std::move(rule.error()));
    target.push_back(std::move(*rule));
    return {};
  };
}

Setter append_variable(std::vector<host::EnvOption>& target) {
  return [&target, number = 0](std::string_view option, const std::string& value) mutable -> Result<void> {
    ++number;
    const std::size_t equals = value.find('=');
    std::string name = value.substr(0, equals);
    if (!is_variable_name(name)) {
      return failure(ErrorCode::usage,
                     std::string(option) + " number " + std::to_string(number) + " does not start with a variable name",
                     "Write KEY=VALUE, or KEY for your own value; KEY is made of letters, digits and _, and does not "
                     "start with a digit");
    }
    std::optional<std::string> content;
    if (equals != std::string::npos) content = value.substr(equals + 1);
    target.push_back({std::move(name), std::move(content)});
    return {};
  };
}

bool is_plugin_name(std::string_view name) noexcept {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
    return letter == '-' || (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
  });
}

}  // namespace agentrun::cli
