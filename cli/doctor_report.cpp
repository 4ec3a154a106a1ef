#include "cli/doctor_report.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/text.hpp"
#include "cli/printable.hpp"

namespace agentrun::cli {

namespace {

using Status = host::CheckResult::Status;

constexpr std::string_view longest_status = "[fail]";
constexpr std::string_view longest_check = "executable";

std::string_view name_of(Status status) {
  if (status == Status::ok) return "ok";
  return status == Status::failed ? "fail" : "skip";
}

class TextReport final : public DoctorReport {
 public:
  explicit TextReport(Console& console) : console_(console) {}

  void begin(const std::vector<std::string>& runtimes) override {
    for (const std::string& name : runtimes) width_ = std::max(width_, name.size());
  }

  void add(const host::CheckResult& result) override {
    std::string line;
    append(line, '[' + std::string(name_of(result.status)) + ']', longest_status.size());
    append(line, result.runtime, width_);
    append(line, result.check, longest_check.size());
    line += printable_line(result.detail);
    line.erase(line.find_last_not_of(' ') + 1);
    if (printed_) printed_ = console_.print(line + '\n');
  }

  Result<void> finish() override { return printed_; }

 private:
  static void append(std::string& line, std::string_view cell, std::size_t width) {
    (line += cell).append(width - std::min(width, cell.size()) + 2, ' ');
  }

  Console& console_;
  std::size_t width_ = 0;
  Result<void> printed_;
};

class JsonReport final : public DoctorReport {
 public:
  explicit JsonReport(Console& console) : console_(console) {}

  void begin(const std::vector<std::string>& /*runtimes*/) override { text_ = "["; }

  void add(const host::CheckResult& result) override {
    text_ += text_.size() > 1 ? ",{" : "{";
    append("runtime", result.runtime);
    append("check", result.check);
    append("status", name_of(result.status));
    append("detail", result.detail);
    text_ += '}';
  }

  Result<void> finish() override { return text_.empty() ? Result<void>() : console_.print(text_ + "]\n"); }

 private:
  void append(std::string_view name, std::string_view value) {
    if (text_.back() != '{') text_ += ',';
    append_json_string(text_, name);
    text_ += ':';
    append_json_string(text_, value);
  }

  Console& console_;
  std::string text_;
};

}  // namespace

std::unique_ptr<DoctorReport> make_doctor_report(bool json, Console& console) {
  if (json) return std::make_unique<JsonReport>(console);
  return std::make_unique<TextReport>(console);
}

}  // namespace agentrun::cli
