#pragma once
// Finding the head of an HTTP answer and its status. More lenient than with requests: a line may end without a return.

#include <cstddef>
#include <optional>
#include <string_view>

namespace agentrun::proxy {

/// Where the head ends, with its blank line, looking at `from` and behind; the size of `bytes` plus one when not yet.
[[nodiscard]] std::size_t find_head_end(std::string_view bytes, std::size_t from) noexcept;

/// Without its line end.
[[nodiscard]] std::string_view first_line_of(std::string_view head) noexcept;

/// 100 to 999, of "HTTP/1.x CODE" with nothing or a space and a phrase behind it.
[[nodiscard]] std::optional<int> parse_status(std::string_view line) noexcept;

/// False as soon as the first bytes can begin no status line: the end of such a head may never come.
[[nodiscard]] bool may_become_status(std::string_view bytes) noexcept;

/// An interim answer, behind which another one comes.
[[nodiscard]] constexpr bool is_interim(int status) noexcept { return status < 200; }

}  // namespace agentrun::proxy
