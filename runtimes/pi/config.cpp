#include "config.hpp"

#include <fstream>
#include <system_error>

#include <simdjson.h>

namespace agentrun::pi {

namespace {

namespace dom = simdjson::dom;

// Far above any real one; keeps a planted file from filling the memory.
constexpr std::uintmax_t largest_file = 16 * 1024 * 1024;

std::optional<std::string> read_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size > largest_file) return std::nullopt;
  std::string content(static_cast<std::size_t>(size), '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (!stream && !stream.eof()) return std::nullopt;
  content.resize(static_cast<std::size_t>(stream.gcount()));
  if (content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);
  return content;
}

std::optional<std::string> text_at(dom::element object, std::string_view key) {
  std::string_view text;
  if (object[key].get(text) != simdjson::SUCCESS || text.empty()) return std::nullopt;
  return std::string(text);
}

/// The base URL of the entry in `models` whose id is `id`.
std::optional<std::string> own_base_url(dom::element provider, std::string_view id) {
  dom::array models;
  if (provider["models"].get(models) != simdjson::SUCCESS) return std::nullopt;
  std::optional<std::string> found;
  for (const dom::element model : models) {
    if (text_at(model, "id") == id) found = text_at(model, "baseUrl");
  }
  return found;
}

std::size_t end_of_string(std::string_view text, std::size_t quote) {
  for (std::size_t i = quote + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

/// Copies `text`, strings as they are, and asks `skip` how many bytes to leave out at any other place.
template <class Skip>
std::string without(std::string_view text, Skip skip) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      const std::size_t end = end_of_string(text, i);
      out.append(text.substr(i, end - i));
      i = end;
    } else if (const std::size_t count = skip(text.substr(i)); count != 0) {
      i += count;
    } else {
      out.push_back(text[i++]);
    }
  }
  return out;
}

}  // namespace

std::string plain_json(std::string_view text) {
  const std::string uncommented = without(text, [](std::string_view rest) -> std::size_t {
    return rest.starts_with("//") ? std::min(rest.find('\n'), rest.size()) : 0;
  });
  return without(uncommented, [](std::string_view rest) -> std::size_t {
    if (rest.front() != ',') return 0;
    const std::size_t next = rest.find_first_not_of(" \t\r\n", 1);
    return next != std::string_view::npos && (rest[next] == '}' || rest[next] == ']') ? 1 : 0;
  });
}

std::optional<DefaultModel> read_default_model(const std::filesystem::path& settings_file) {
  const std::optional<std::string> content = read_file(settings_file);
  if (!content) return std::nullopt;
  dom::parser parser;
  dom::element settings;
  if (parser.parse(*content).get(settings) != simdjson::SUCCESS) return std::nullopt;
  std::optional<std::string> provider = text_at(settings, "defaultProvider");
  if (!provider) return std::nullopt;
  return DefaultModel{std::move(*provider), text_at(settings, "defaultModel").value_or("")};
}

std::optional<ModelAddress> read_model_address(const std::filesystem::path& models_file, std::string_view model) {
  const std::optional<std::string> content = read_file(models_file);
  if (!content) return std::nullopt;
  dom::parser parser;
  dom::object providers;
  if (parser.parse(plain_json(*content))["providers"].get(providers) != simdjson::SUCCESS) return std::nullopt;

  std::optional<ModelAddress> best;
  for (const auto [id, provider] : providers) {
    const bool fits = model.size() > id.size() && model.starts_with(id) && model[id.size()] == '/';
    if (!fits || (best && best->provider.size() >= id.size())) continue;
    std::optional<std::string> url = own_base_url(provider, model.substr(id.size() + 1));
    if (!url) url = text_at(provider, "baseUrl");
    if (url) best = ModelAddress{std::string(id), std::move(*url)};
  }
  return best;
}

bool is_login_file(const std::filesystem::path& file) {
  const std::optional<std::string> content = read_file(file);
  if (!content) return false;
  dom::parser parser;
  dom::object logins;
  if (parser.parse(*content).get(logins) != simdjson::SUCCESS) return false;
  if (logins.size() == 0) return file.filename() == "auth.json";
  for (const auto [provider, login] : logins) {
    if (!text_at(login, "type")) return false;
  }
  return true;
}

}  // namespace agentrun::pi
