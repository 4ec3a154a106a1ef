#include "run/login.hpp"

#include "session/credentials.hpp"

namespace agentrun::host {

Result<void> write_login(const std::string& runtime, const Setting& setting, FactSink* facts) {
  const auto login = login_file_of(runtime);
  if (!login) return {};
  const auto written = write_credentials(*login, setting.environment, setting.cwd);
  if (!written) return tl::unexpected(written.error());
  if (*written && facts != nullptr) {
    facts->fact({"credentials", (*written)->variable + ((*written)->written ? " written to " : " already in ") +
                                    (*written)->path.string()});
  }
  return {};
}

}  // namespace agentrun::host
