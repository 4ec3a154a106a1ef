#include "cli/plugins_report.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "agentrun/text.hpp"
#include "cli/printable.hpp"

namespace agentrun::cli {

namespace {

using host::PluginListing;
using host::PluginStage;
using Row = std::array<std::string, 5>;

/// Trust is judged behind the search and in front of everything else.
bool trusted(const PluginListing& listing) noexcept {
  return !listing.error || listing.error->stage > PluginStage::trust;
}

std::string status(const PluginListing& listing) {
  std::string text = listing.shadowed ? "shadowed" : "";
  if (listing.error) {
    if (!text.empty()) text += ", ";
    text += trusted(listing) ? "refused (" + std::string(to_string(listing.error->stage)) + "): " : "not trusted: ";
    text += describe(listing.error->error);
  }
  return text.empty() ? "ok" : text;
}

Row row(const PluginListing& listing) {
  const std::string file = listing.file.empty() ? "(built in)" : listing.file.string();
  return {to_string(listing.kind), printable_line(listing.name),
          listing.version.empty() ? "?" : printable_line(listing.version), printable_line(file),
          printable_line(status(listing))};
}

/// Code points, which is what a terminal shows for the names of files in most scripts.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

void append_field(std::string& out, std::string_view name, std::string_view json) {
  if (out.back() != '{') out += ',';
  append_json_string(out, name);
  (out += ':') += json;
}

std::string json_or_null(std::string_view text) {
  if (text.empty()) return "null";
  std::string json;
  append_json_string(json, text);
  return json;
}

std::string_view json(bool value) { return value ? "true" : "false"; }

std::string object(const PluginListing& listing) {
  std::string out = "{";
  append_field(out, "kind", json_or_null(to_string(listing.kind)));
  append_field(out, "name", json_or_null(listing.name));
  append_field(out, "version", json_or_null(listing.version));
  append_field(out, "file", json_or_null(listing.file.string()));
  append_field(out, "abi", json_or_null(listing.abi));
  append_field(out, "trusted", json(trusted(listing)));
  append_field(out, "shadowed", json(listing.shadowed));
  append_field(out, "usable", json(!listing.shadowed && !listing.error));
  append_field(out, "stage", listing.error ? json_or_null(to_string(listing.error->stage)) : "null");
  append_field(out, "reason", listing.error ? json_or_null(describe(listing.error->error)) : "null");
  return out + '}';
}

}  // namespace

std::string plugins_table(const std::vector<PluginListing>& listings) {
  if (listings.empty()) return {};
  std::vector<Row> rows = {{"KIND", "NAME", "VERSION", "FILE", "STATUS"}};
  for (const PluginListing& listing : listings) rows.push_back(row(listing));
  std::array<std::size_t, 5> widths{};
  for (const Row& cells : rows) {
    for (std::size_t column = 0; column < cells.size(); ++column) {
      widths[column] = std::max(widths[column], width(cells[column]));
    }
  }
  std::string out;
  for (const Row& cells : rows) {
    for (std::size_t column = 0; column + 1 < cells.size(); ++column) {
      (out += cells[column]).append(widths[column] - width(cells[column]) + 2, ' ');
    }
    (out += cells.back()) += '\n';
  }
  return out;
}

std::string plugins_json(const std::vector<PluginListing>& listings) {
  std::string out = "[";
  for (const PluginListing& listing : listings) {
    if (out.size() > 1) out += ',';
    out += object(listing);
  }
  return out + "]\n";
}

}  // namespace agentrun::cli
