#include "pi/services.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agentrun/host_name.hpp"
#include "pi/config.hpp"
#include "pi/providers.hpp"
#include "temp_dir.hpp"

namespace agentrun::pi {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PiServices : public ::testing::Test {
 protected:
  [[nodiscard]] ServiceHosts hosts(std::optional<std::string> model) const {
    return service_hosts(model, state_.path());
  }

  static void expect_unknown(const ServiceHosts& services, const std::string& provider) {
    EXPECT_THAT(services.hosts, IsEmpty());
    ASSERT_TRUE(services.unknown.has_value());
    EXPECT_EQ(describe(*services.unknown), "cannot tell which host pi's model service uses (provider: " + provider +
                                               "). Use --network custom --allow-host <host of the model service>");
  }

  testing::TempDir state_;
};

TEST(PiProviders, AreReachedWherePisOwnListSays) {
  EXPECT_EQ(provider_host("deepseek"), "api.deepseek.com");
  EXPECT_EQ(provider_host("anthropic"), "api.anthropic.com");
  EXPECT_EQ(provider_host("openai"), "api.openai.com");
  EXPECT_EQ(provider_host("google"), "generativelanguage.googleapis.com");
  EXPECT_EQ(provider_host("openrouter"), "openrouter.ai");
  EXPECT_EQ(provider_host("openai-codex"), "chatgpt.com");
  EXPECT_EQ(provider_host("zai-coding-cn"), "open.bigmodel.cn");
  EXPECT_EQ(provider_host("ant-ling"), "api.ant-ling.com");
}

TEST(PiProviders, AreMatchedExactly) {
  for (const char* name : {"", "Anthropic", "anthropi", "anthropics", "azure", "amazon-bedrock", "google-vertex"}) {
    EXPECT_EQ(provider_host(name), std::nullopt) << name;
  }
}

TEST_F(PiServices, FollowTheModelsProvider) {
  EXPECT_THAT(hosts("openrouter/anthropic/claude:free").hosts, ElementsAre("openrouter.ai"));
  EXPECT_THAT(hosts("deepseek/deepseek-chat:high").hosts, ElementsAre("api.deepseek.com"));
}

TEST_F(PiServices, AreUnknownForAProviderOutsideTheTable) { expect_unknown(hosts("mine/m"), "mine"); }

TEST_F(PiServices, FollowTheDefaultProviderWithoutAModel) {
  state_.write("settings.json", "\xEF\xBB\xBF{\"defaultProvider\":\"groq\"}");
  EXPECT_THAT(hosts({}).hosts, ElementsAre("api.groq.com"));
}

TEST_F(PiServices, AreUnknownWithoutAModelAndADefaultProvider) {
  expect_unknown(hosts({}), "unknown");
  for (const char* settings : {"", "{", "[]", "{}", R"({"defaultProvider":7})", R"({"defaultProvider":""})"}) {
    state_.write("settings.json", settings);
    expect_unknown(hosts({}), "unknown");
  }
}

TEST_F(PiServices, FollowTheBaseUrlOfTheUsersOwnProvider) {
  state_.write("models.json", R"({ // of my own
    "providers": {
      "mine": {"baseUrl": "https://user:pw@LLM.Example.test./v1", "models": [{"id": "m"},],},
      "anthropic": {"baseUrl": "https://gateway.test/v1"},
      "google": {"headers": {"x": "y"}},
    }})");
  EXPECT_THAT(hosts("mine/m").hosts, ElementsAre("llm.example.test"));
  EXPECT_THAT(hosts("anthropic/claude").hosts, ElementsAre("gateway.test"));
  EXPECT_THAT(hosts("google/gemini").hosts, ElementsAre("generativelanguage.googleapis.com"));
  state_.write("settings.json", R"({"defaultProvider":"mine","defaultModel":"m"})");
  EXPECT_THAT(hosts({}).hosts, ElementsAre("llm.example.test"));
}

TEST_F(PiServices, PreferTheBaseUrlOfTheModelItself) {
  state_.write("models.json", R"({"providers": {"mine": {"baseUrl": "https://one.test", "models": [
    {"id": "a"}, {"id": "b", "baseUrl": "https://two.test:443/v1"}]}}})");
  EXPECT_THAT(hosts("mine/a").hosts, ElementsAre("one.test"));
  EXPECT_THAT(hosts("mine/b:low").hosts, ElementsAre("two.test"));
}

TEST_F(PiServices, FindAProviderWithASlashInItsName) {
  state_.write("models.json",
               R"({"providers": {"a": {"baseUrl": "https://short.test"}, "a/b": {"baseUrl": "https://long.test"}}})");
  EXPECT_THAT(hosts("a/b/m").hosts, ElementsAre("long.test"));
  EXPECT_THAT(hosts("a/c").hosts, ElementsAre("short.test"));
}

TEST_F(PiServices, AreNotOpenedOnAnotherPortThan443) {
  const std::pair<const char*, const char*> cases[] = {{"http://llm.test/v1", "llm.test:80"},
                                                       {"http://127.0.0.1:8080/v1", "127.0.0.1:8080"},
                                                       {"https://a:b@llm.test:8443?x", "llm.test:8443"}};
  for (const auto& [url, target] : cases) {
    state_.write("models.json", R"({"providers": {"mine": {"baseUrl": ")" + std::string(url) + "\"}}}");
    const ServiceHosts services = hosts("mine/m");
    EXPECT_THAT(services.hosts, IsEmpty()) << url;
    ASSERT_TRUE(services.unknown.has_value()) << url;
    EXPECT_EQ(services.unknown->hint, std::string("Use --network custom --allow-host ") + target);
    EXPECT_THAT(services.unknown->message, ::testing::HasSubstr(target));
  }
  state_.write("models.json", R"({"providers": {"mine": {"baseUrl": "http://llm.test:443"}}})");
  EXPECT_THAT(hosts("mine/m").hosts, ElementsAre("llm.test"));
}

TEST_F(PiServices, AreUnknownForABaseUrlWithoutAHost) {
  for (const char* url : {"llm.test", "https://", "https://[::1]/v1", "https://a b/", "https://h:/v1", "https://h:0"}) {
    state_.write("models.json", R"({"providers": {"mine": {"baseUrl": ")" + std::string(url) + "\"}}}");
    expect_unknown(hosts("mine/m"), "mine");
  }
}

TEST_F(PiServices, IgnoreABrokenModelsFile) {
  for (const char* models : {"", "{", "[]", "null", R"({"providers": []})", R"({"providers": {"openai": 7}})"}) {
    state_.write("models.json", models);
    EXPECT_THAT(hosts("openai/gpt").hosts, ElementsAre("api.openai.com")) << models;
  }
}

TEST(PiConfig, LosesCommentsAndTrailingCommasOutsideStrings) {
  EXPECT_EQ(plain_json("{\"a\":\"//x,}\\\"//\", // c\n\"b\":[1, ] , }"), "{\"a\":\"//x,}\\\"//\", \n\"b\":[1 ]  }");
  EXPECT_EQ(plain_json("1 // no newline"), "1 ");
  EXPECT_EQ(plain_json("\"open // string"), "\"open // string");
  EXPECT_EQ(plain_json("[1,"), "[1,");
  EXPECT_EQ(plain_json(""), "");
}

}  // namespace
}  // namespace agentrun::pi
