#include "agentrun/policy.hpp"

#include "temp_dir.hpp"

namespace agentrun {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PolicyTest : public ::testing::Test {
 protected:
  testing::TempDir temp_;
  fs::path cwd_ = temp_.make("cwd");
};

std::string refusal(const PolicyBuilder& builder) {
  const auto policy = builder.build();
  if (policy) return "(accepted)";
  EXPECT_EQ(policy.error().code, ErrorCode::usage);
  return describe(policy.error());
}

TEST_F(PolicyTest, WritesTheWorkingDirectoryFirst) {
  const fs::path session = temp_.make("session");
  fs::create_directory_symlink(cwd_, temp_ / "link");
  const Policy policy = PolicyBuilder(temp_ / "link").writable(session).writable(cwd_).build().value();
  EXPECT_EQ(policy.cwd(), cwd_);
  EXPECT_THAT(policy.writable(), ElementsAre(cwd_, session));
  EXPECT_THAT(policy.deny_read(), IsEmpty());
  EXPECT_THAT(policy.hidden(), IsEmpty());
  EXPECT_TRUE(policy.network().allows_nothing());
}

TEST_F(PolicyTest, KeepsThePlaceholderOfADryRun) {
  EXPECT_THAT(PolicyBuilder(cwd_).writable("<tempdir>").build().value().writable(), ElementsAre(cwd_, "<tempdir>"));
}

TEST_F(PolicyTest, RefusesTheRootAsWorkingDirectory) {
  EXPECT_THAT(refusal(PolicyBuilder("/")), HasSubstr("working directory is /"));
  EXPECT_THAT(refusal(PolicyBuilder("/usr/..")), HasSubstr("working directory is /"));
}

TEST_F(PolicyTest, RefusesAMissingWorkingDirectory) {
  EXPECT_THAT(refusal(PolicyBuilder(temp_ / "missing")), HasSubstr("missing cannot be used"));
  EXPECT_THAT(refusal(PolicyBuilder(temp_.write("file", ""))), HasSubstr("Not a directory"));
}

TEST_F(PolicyTest, ListsDefaultsBeforeOptionsWithoutDuplicates) {
  const Policy policy = PolicyBuilder(cwd_)
                            .deny_read("/x/b", "/")
                            .deny_read_default("/x/a")
                            .deny_read("a", "/x")
                            .deny_read("../c", "/x")
                            .deny_read_default("/x/a")
                            .build()
                            .value();
  EXPECT_THAT(policy.deny_read(), ElementsAre("/x/a", "/x/b", "/c"));
}

TEST_F(PolicyTest, RefusesATilde) {
  EXPECT_EQ(refusal(PolicyBuilder(cwd_).deny_read("~/.ssh", "/")),
            "--deny-read ~/.ssh: ~ is not expanded, give the full path");
  EXPECT_EQ(refusal(PolicyBuilder(cwd_).deny_read("~", "/")), "--deny-read ~: ~ is not expanded, give the full path");
}

TEST_F(PolicyTest, RefusesAnEmptyDenial) {
  EXPECT_THAT(refusal(PolicyBuilder(cwd_).deny_read("", "/x")), HasSubstr("--deny-read: the path is empty"));
}

TEST_F(PolicyTest, RefusesToDenyWhatTheRunNeeds) {
  EXPECT_EQ(refusal(PolicyBuilder(cwd_).deny_read(cwd_.string(), "/")),
            "--deny-read " + cwd_.string() + ": contains the working directory " + cwd_.string());
  EXPECT_EQ(refusal(PolicyBuilder(cwd_).deny_read(".", cwd_)),
            "--deny-read .: contains the working directory " + cwd_.string());
  EXPECT_THAT(refusal(PolicyBuilder(cwd_).deny_read("/", "/")), HasSubstr("--deny-read /: contains the working"));
  const fs::path state = temp_.make("pi");
  EXPECT_EQ(refusal(PolicyBuilder(cwd_).require("pi state directory", state).deny_read(state.string(), "/")),
            "--deny-read " + state.string() + ": contains the pi state directory " + state.string());
}

TEST_F(PolicyTest, SeesThroughLinksToWhatTheRunNeeds) {
  fs::create_directory_symlink(temp_.path(), temp_ / "link");
  EXPECT_THAT(refusal(PolicyBuilder(cwd_).deny_read((temp_ / "link").string(), "/")),
              HasSubstr("contains the working directory"));
}

TEST_F(PolicyTest, AllowsADenialInsideTheWorkingDirectory) {
  const fs::path secret = temp_.write("cwd/secret", "");
  const Policy policy = PolicyBuilder(cwd_).deny_read("secret", cwd_).build().value();
  EXPECT_THAT(policy.hidden(), ElementsAre(HiddenPath{secret, false}));
}

TEST_F(PolicyTest, DropsADefaultThatTheRunNeeds) {
  const Policy policy = PolicyBuilder(cwd_)
                            .require("temporary directory", temp_ / "tmp")
                            .deny_read_default(temp_.path())
                            .deny_read_default(temp_ / "tmp")
                            .deny_read_default(cwd_)
                            .deny_read_default(temp_ / "other")
                            .build()
                            .value();
  EXPECT_THAT(policy.deny_read(), ElementsAre(temp_ / "other"));
}

TEST_F(PolicyTest, HidesOnlyWhatExistsAndTheOutermost) {
  const fs::path keys = temp_.make("keys");
  temp_.write("keys/inner/key", "");
  const fs::path file = temp_.write("file", "");
  fs::create_directory_symlink(keys, temp_ / "link-to-keys");
  const Policy policy = PolicyBuilder(cwd_)
                            .deny_read_default(temp_ / "keys/inner/key")
                            .deny_read_default(temp_ / "missing")
                            .deny_read_default(temp_ / "link-to-keys")
                            .deny_read_default(keys)
                            .deny_read_default(file)
                            .build()
                            .value();
  EXPECT_EQ(policy.deny_read().size(), 5U);
  EXPECT_THAT(policy.hidden(), ElementsAre(HiddenPath{keys, true}, HiddenPath{file, false}));
}

TEST_F(PolicyTest, HidesForTheRuntimeWithoutListing) {
  const fs::path own = temp_.make("own");
  const Policy policy = PolicyBuilder(cwd_).hide(own).build().value();
  EXPECT_THAT(policy.deny_read(), IsEmpty());
  EXPECT_THAT(policy.hidden(), ElementsAre(HiddenPath{own, true}));
}

TEST_F(PolicyTest, RefusesAWritableDirectoryBelowAHiddenOne) {
  const fs::path session = temp_.make("keys/session");
  EXPECT_THAT(refusal(PolicyBuilder(cwd_).writable(session).deny_read_default(temp_ / "keys")),
              ::testing::AllOf(HasSubstr(session.string()), HasSubstr((temp_ / "keys").string())));
  EXPECT_THAT(refusal(PolicyBuilder(cwd_).writable(session).deny_read(session.string(), "/")),
              HasSubstr(session.string()));
  EXPECT_THAT(refusal(PolicyBuilder(cwd_).hide(temp_.path())), HasSubstr(cwd_.string()));
}

TEST_F(PolicyTest, RefusesHiddenState) {
  const fs::path state = temp_.make("keys/pi");
  EXPECT_THAT(refusal(PolicyBuilder(cwd_).state({state, {"auth.json"}}).deny_read_default(temp_ / "keys")),
              HasSubstr(state.string()));
  EXPECT_THAT(refusal(PolicyBuilder(cwd_)
                          .state({temp_.make("pi"), {"auth.json"}})
                          .state({state, {"auth.json"}})
                          .deny_read_default(temp_ / "keys")),
              HasSubstr(state.string()));
}

TEST_F(PolicyTest, ResolvesTheStateDirectory) {
  const fs::path state = temp_.make("pi");
  fs::create_directory_symlink(state, temp_ / "link");
  const Policy policy = PolicyBuilder(cwd_).state({temp_ / "link", {"auth.json"}}).build().value();
  EXPECT_THAT(policy.states(), ElementsAre(StateDirectory{state, {"auth.json"}}));
}

TEST_F(PolicyTest, CarriesTheNetwork) {
  auto network = NetworkPolicy::make(NetworkMode::full, {}, {}).value();
  EXPECT_EQ(PolicyBuilder(cwd_).network(network).build().value().network().mode(), NetworkMode::full);
}

}  // namespace
}  // namespace agentrun
