#include "codex_fixture.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace agentrun::testing {

void RealCodex::SetUp() {
  const char* directory = std::getenv("AGENTRUN_AGENTS_DIR");
  if (directory == nullptr || !std::filesystem::exists(std::filesystem::path(directory) / "bin/codex")) {
    if (std::getenv("AGENTRUN_REQUIRE_ALL") != nullptr) {
      FAIL() << "no codex in AGENTRUN_AGENTS_DIR (scripts/npm-agents installs it)";
    }
    GTEST_SKIP() << "no codex in AGENTRUN_AGENTS_DIR (scripts/npm-agents installs it)";
  }
  agents_ = std::filesystem::path(directory) / "bin";
  stage_.root().write("home/.codex/auth.json", R"({"OPENAI_API_KEY":"sk-login-of-the-user"})");
}

ModelTurn RealCodex::shell(const std::string& command) {
  return ModelTurn::call("exec_command", json::serialize(json::object{{"cmd", command}}));
}

ModelTurn RealCodex::patch(const std::string& path) {
  return ModelTurn::call("apply_patch", "*** Begin Patch\n*** Add File: " + path + "\n+hello\n*** End Patch\n");
}

std::vector<std::string> RealCodex::provider(const std::string& url) {
  return {"--", "-c", R"(model_provider="test")", "-c",
          R"(model_providers.test={name="test", base_url=")" + url +
              R"(", wire_api="responses", env_key="TEST_MODEL_KEY", request_max_retries=0, stream_max_retries=0})"};
}

Invocation RealCodex::invocation(std::vector<std::string> options) const {
  std::vector<std::string> args{"codex", "--path", agents_.native(), "--format", "jsonl", "--prompt", "Do it"};
  args.insert(args.end(), options.begin(), options.end());
  const std::vector<std::string> rest = provider(model_->url());
  args.insert(args.end(), rest.begin(), rest.end());
  Invocation call = stage_.invocation(std::move(args));
  call.environment["TEST_MODEL_KEY"] = "test-key";
  return call;
}

Finished RealCodex::run(std::vector<std::string> options) const {
  return agentrun::testing::run(invocation(std::move(options)));
}

Invocation RealCodex::as_ordinary_user(Invocation call) const {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(stage_.root().path())) {
    EXPECT_EQ(::lchown(entry.path().c_str(), 65534, 65534), 0);
  }
  EXPECT_EQ(::chmod(stage_.root().path().c_str(), 0755), 0);
  const std::filesystem::path agents = std::filesystem::canonical(agents_);
  // The same name, by which node looks for modules.
  const std::filesystem::path seen = stage_.root().make(agents.parent_path().filename().native());
  std::ranges::replace(call.args, agents_.native(), (seen / agents.filename()).native());
  call.prefix = {
      "unshare",
      "--mount",
      "--propagation",
      "private",
      "/bin/sh",
      "-c",
      "mount --bind \"$0\" \"$1\" && shift && exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"",
      agents.parent_path().native(),
      seen.native()};
  return call;
}

std::string RealCodex::seen_by_model() const {
  std::string all;
  for (const ModelRequest& request : model_->requests()) all += request.body;
  return all;
}

void RealCodex::expect_nothing_left() const {
  EXPECT_TRUE(stage_.clean());
  EXPECT_TRUE(processes_marked("AGENTRUN_TEST_STAGE=" + stage_.root().path().native()).empty());
}

std::vector<std::string> tools_of(const Finished& result) {
  std::vector<std::string> tools;
  for (const json::object& event : result.events("tool")) {
    tools.push_back(std::string(event.at("name").as_string()) + ": " + std::string(event.at("summary").as_string()));
  }
  return tools;
}

}  // namespace agentrun::testing
