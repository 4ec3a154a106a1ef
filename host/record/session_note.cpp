#include "record/session_note.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>

#include <boost/json/src.hpp>

#include "agentrun/event.hpp"
#include "system/file.hpp"

namespace agentrun::host {
namespace {

constexpr std::size_t largest_note = 65536;

tl::unexpected<Error> unreadable(const std::filesystem::path& file, const std::string& why) {
  return failure(ErrorCode::io, file.string() + " is not the note of a saved session: " + why,
                 "Restore the file, or start a new session");
}

std::string text(const boost::json::object& object, const char* key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

}  // namespace

std::string to_json(const SessionNote& note) {
  boost::json::object object;
  object["id"] = note.id;
  object["runtime"] = note.runtime;
  object["cwd"] = note.cwd;
  object["created"] = note.created;
  object["model"] = note.model ? boost::json::value(*note.model) : boost::json::value(nullptr);
  object["status"] = note.status;
  object["agentrun"] = note.agentrun;
  return boost::json::serialize(object) + "\n";
}

Result<SessionNote> read_note(const std::filesystem::path& file) {
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!opened.valid()) return unreadable(file, system_text(errno));
  std::array<char, largest_note> content{};
  const ssize_t count = ::read(opened.get(), content.data(), content.size());
  if (count < 0) return unreadable(file, system_text(errno));
  boost::system::error_code error;
  const auto value = boost::json::parse({content.data(), static_cast<std::size_t>(count)}, error);
  if (error || !value.is_object()) return unreadable(file, "no JSON object");
  const auto& object = value.get_object();
  SessionNote note{text(object, "id"),     text(object, "runtime"), text(object, "cwd"), text(object, "created"), {},
                   text(object, "status"), text(object, "agentrun")};
  if (const auto model = text(object, "model"); !model.empty()) note.model = model;
  if (note.id.empty() || note.runtime.empty()) return unreadable(file, "it names no session");
  return note;
}

std::string note_time() {
  std::string text;
  append_time(text, std::chrono::system_clock::now());
  return text;
}

}  // namespace agentrun::host
