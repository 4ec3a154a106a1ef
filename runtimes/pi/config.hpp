#pragma once
// What pi's own configuration files say, as far as it matters here. A file that pi would not accept says nothing.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace agentrun::pi {

struct DefaultModel {
  std::string provider;
  std::string model;  ///< empty when the settings name a provider alone
};

/// `defaultProvider` and `defaultModel` of settings.json.
[[nodiscard]] std::optional<DefaultModel> read_default_model(const std::filesystem::path& settings_file);

/// What models.json says about one model.
struct ModelAddress {
  std::string provider;
  std::string base_url;
};

/// The provider in front of a '/' in `model` ("provider/model") when models.json gives it a base URL; that of the
/// model itself comes first. A provider's name may hold a '/': the longest one that fits counts.
[[nodiscard]] std::optional<ModelAddress> read_model_address(const std::filesystem::path& models_file,
                                                             std::string_view model);

/// True for a regular file as pi keeps its logins: an object with entries that are objects with a "type". Without
/// entries, as pi makes it, it must also be called auth.json.
[[nodiscard]] bool is_login_file(const std::filesystem::path& file);

/// models.json may have comments up to the end of a line and commas behind the last element; this takes them out.
[[nodiscard]] std::string plain_json(std::string_view text);

}  // namespace agentrun::pi
