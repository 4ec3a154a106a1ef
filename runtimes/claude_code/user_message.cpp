#include "user_message.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>

#include "agentrun/text.hpp"

namespace agentrun::claude_code {

namespace {

/// By the first bytes; the host has let only these four through.
std::string_view media_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG")) return "image/png";
  if (bytes.starts_with("GIF8")) return "image/gif";
  if (bytes.starts_with("RIFF")) return "image/webp";
  return "image/jpeg";
}

Result<std::string> image_block(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file || bytes.empty()) {
    return failure(ErrorCode::io, "the image " + path.string() + " cannot be read", "Check that it is still there");
  }
  return R"({"type":"image","source":{"type":"base64","media_type":")" + std::string(media_type(bytes)) +
         R"(","data":")" + base64(bytes) + R"("}})";
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) out.push_back(i <= group.size() ? digits[bits >> (18 - 6 * i) & 63U] : '=');
  }
  return out;
}

Result<std::string> user_message(std::string_view prompt, const std::vector<std::filesystem::path>& images) {
  std::string content;
  for (const std::filesystem::path& image : images) {
    auto block = image_block(image);
    if (!block) return tl::unexpected(block.error());
    content += *block + ",";
  }
  std::string text;
  append_json_string(text, prompt);
  content = images.empty() ? text : "[" + content + R"({"type":"text","text":)" + text + "}]";
  return R"({"type":"user","message":{"role":"user","content":)" + content + "}}\n";
}

}  // namespace agentrun::claude_code
