#include "doctor/version.hpp"

#include <algorithm>
#include <compare>
#include <vector>

namespace agentrun::host {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view tag_characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.-";

std::string_view span_of(std::string_view text, std::string_view characters) {
  return text.substr(0, std::min(text.find_first_not_of(characters), text.size()));
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    parts.push_back(text.substr(0, dot));
    text.remove_prefix(std::min(dot + 1, text.size()));
  }
  return parts;
}

bool is_number(std::string_view text) { return !text.empty() && span_of(text, digits).size() == text.size(); }

/// Of any length: no conversion that could overflow.
std::strong_ordering compare_numbers(std::string_view left, std::string_view right) {
  const auto significant = [](std::string_view number) {
    return number.substr(std::min(number.find_first_not_of('0'), number.size()));
  };
  left = significant(left);
  right = significant(right);
  if (left.size() != right.size()) return left.size() <=> right.size();
  return left <=> right;
}

std::strong_ordering compare_parts(std::string_view left, std::string_view right) {
  if (is_number(left) && is_number(right)) return compare_numbers(left, right);
  if (is_number(left) != is_number(right)) {
    return is_number(left) ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  return left <=> right;
}

/// "1.2" and "1.2.0" are equal.
std::strong_ordering compare_releases(std::string_view left, std::string_view right) {
  std::vector<std::string_view> a = parts_of(left);
  std::vector<std::string_view> b = parts_of(right);
  a.resize(std::max(a.size(), b.size()), "0");
  b.resize(a.size(), "0");
  for (std::size_t at = 0; at < a.size(); ++at) {
    if (const auto order = compare_numbers(a[at], b[at]); std::is_neq(order)) return order;
  }
  return std::strong_ordering::equal;
}

/// A release without a tag comes behind all of its tags.
std::strong_ordering compare_tags(std::string_view left, std::string_view right) {
  if (left.empty() || right.empty()) return left.empty() <=> right.empty();
  const auto a = parts_of(left);
  const auto b = parts_of(right);
  for (std::size_t at = 0; at < std::min(a.size(), b.size()); ++at) {
    if (const auto order = compare_parts(a[at], b[at]); std::is_neq(order)) return order;
  }
  return a.size() <=> b.size();
}

struct Split {
  std::string_view release;
  std::string_view tag;
};

Split split(std::string_view version) {
  const std::size_t dash = std::min(version.find('-'), version.size());
  return {version.substr(0, dash), version.substr(std::min(dash + 1, version.size()))};
}

}  // namespace

std::optional<std::string> find_version(std::string_view output) {
  for (std::size_t at = 0; (at = output.find_first_of(digits, at)) != std::string_view::npos;) {
    std::string_view release = span_of(output.substr(at), "0123456789.");
    const std::size_t read = release.size();
    while (release.ends_with('.')) release.remove_suffix(1);
    if (release.find('.') != std::string_view::npos && release.find("..") == std::string_view::npos) {
      std::string version(release);
      const std::string_view rest = output.substr(at + release.size());
      if (rest.starts_with('-')) version += span_of(rest, tag_characters);
      while (version.ends_with('.') || version.ends_with('-')) version.pop_back();
      return version;
    }
    at += read;
  }
  return std::nullopt;
}

bool older(std::string_view version, std::string_view than) {
  const Split left = split(version);
  const Split right = split(than);
  const auto order = compare_releases(left.release, right.release);
  return std::is_lt(std::is_neq(order) ? order : compare_tags(left.tag, right.tag));
}

}  // namespace agentrun::host
