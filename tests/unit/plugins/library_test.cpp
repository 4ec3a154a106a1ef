// Opening real modules from real directories.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "memory_bytes.hpp"
#include "plugin_directory.hpp"

namespace agentrun::host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

Outcome open(const PluginDirectory& directory, const std::string& name) {
  return outcome_of(directory.library().open_runtime(name, {}));
}

TEST(PluginLibrary, OpensARuntime) {
  PluginDirectory directory;
  directory.install("runtime-good");
  const auto runtime = directory.library().open_runtime("good", {"/nonexistent"});
  ASSERT_TRUE(runtime) << runtime.error().error.message;
  EXPECT_EQ((*runtime)->traits().executable, "fixture");
}

TEST(PluginLibrary, OpensABackend) {
  PluginDirectory directory;
  directory.install("backend-good");
  const auto backend = directory.library().open_backend("good", {});
  ASSERT_TRUE(backend) << backend.error().error.message;
  EXPECT_EQ((*backend)->traits().kind, "fixture");
}

TEST(PluginLibrary, OpensTheSamePluginAgain) {
  PluginDirectory directory;
  directory.install("runtime-good");
  const auto first = directory.library().open_runtime("good", {});
  const auto second = directory.library().open_runtime("good", {});
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->get(), second->get());
}

TEST(PluginLibrary, TakesARuntimeOnlyAsARuntime) {
  PluginDirectory directory;
  directory.install("runtime-good");
  EXPECT_EQ(outcome_of(directory.library().open_backend("good", {})).stage, "search");
}

TEST(PluginLibrary, FollowsALinkToATrustedPlace) {
  PluginDirectory directory;
  const auto elsewhere = directory.make("elsewhere");
  PluginDirectory::install("runtime-good", elsewhere, "real.so");
  std::filesystem::create_symlink("elsewhere/real.so", directory.path() / "agentrun-runtime-good.so");
  EXPECT_EQ(open(directory, "good").stage, "opened");
  EXPECT_EQ(directory.library().directory_of(PluginKind::runtime, "good"), elsewhere);
}

TEST(PluginLibrary, RefusesALinkToAPlaceThatOthersCanWrite) {
  PluginDirectory directory;
  const auto elsewhere = directory.make("elsewhere");
  PluginDirectory::install("runtime-good", elsewhere, "real.so");
  std::filesystem::create_symlink("elsewhere/real.so", directory.path() / "agentrun-runtime-good.so");
  PluginDirectory::set_mode(elsewhere, 0777);
  EXPECT_EQ(open(directory, "good").stage, "trust");
  EXPECT_THAT(open(directory, "good").hint, HasSubstr("chmod go-w " + elsewhere.string()));
}

TEST(PluginLibrary, RefusesALinkThatLeadsThroughAPlaceThatOthersCanWrite) {
  PluginDirectory directory;
  PluginDirectory::install("runtime-good", directory.make("good"), "real.so");
  const auto open_place = directory.make("open");
  std::filesystem::create_symlink("../good/real.so", open_place / "middle.so");
  std::filesystem::create_symlink("open/middle.so", directory.path() / "agentrun-runtime-good.so");
  PluginDirectory::set_mode(open_place, 0777);
  EXPECT_EQ(open(directory, "good").stage, "trust");
}

TEST(PluginLibrary, RefusesALinkToNothing) {
  PluginDirectory directory;
  std::filesystem::create_symlink("absent.so", directory.path() / "agentrun-runtime-good.so");
  EXPECT_EQ(open(directory, "good").stage, "trust");
  EXPECT_THAT(open(directory, "good").message, HasSubstr("absent.so"));
  EXPECT_EQ(directory.library().directory_of(PluginKind::runtime, "good"), std::nullopt);
}

TEST(PluginLibrary, RefusesADirectoryThatTheGroupCanWrite) {
  PluginDirectory directory;
  const auto file = directory.install("runtime-good");
  PluginDirectory::set_mode(directory.path(), 0775);
  PluginDirectory::set_mode(file, 0664);
  const Outcome outcome = open(directory, "good");
  EXPECT_EQ(outcome.stage, "trust");
  EXPECT_EQ(outcome.code, ErrorCode::untrusted);
  EXPECT_EQ(outcome.hint, "Run: chmod go-w " + directory.path().string() + " " + file.string());
}

TEST(PluginLibrary, RefusesAFileThatEverybodyCanWrite) {
  PluginDirectory directory;
  PluginDirectory::set_mode(directory.install("runtime-good"), 0646);
  EXPECT_EQ(open(directory, "good").stage, "trust");
}

TEST(PluginLibrary, RefusesAFileOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  PluginDirectory directory;
  ASSERT_EQ(chown(directory.install("runtime-good").c_str(), 65534, 65534), 0);
  EXPECT_EQ(open(directory, "good").stage, "trust");
  EXPECT_THAT(open(directory, "good").message, HasSubstr("belongs to user 65534"));
}

TEST(PluginLibrary, RefusesAPluginBelowAWritablePath) {
  PluginDirectory directory;
  directory.install("runtime-good");
  directory.install("backend-good");
  const PluginLibrary library = directory.library();
  for (const auto& writable : {directory.path(), directory.path().parent_path()}) {
    EXPECT_EQ(outcome_of(library.open_runtime("good", {writable})).stage, "trust");
    EXPECT_EQ(outcome_of(library.open_backend("good", {writable})).stage, "trust");
  }
}

TEST(PluginLibrary, RefusesAWritablePathThatIsReachedThroughALink) {
  PluginDirectory directory;
  directory.install("runtime-good");
  PluginDirectory other;
  std::filesystem::create_symlink(directory.path(), other.path() / "project");
  EXPECT_EQ(outcome_of(directory.library().open_runtime("good", {other.path() / "project"})).stage, "trust");
}

TEST(PluginLibrary, EndsTheSearchAtTheFirstHitEvenIfItFails) {
  PluginDirectory directory;
  const auto first = directory.make("first");
  const auto second = directory.make("second");
  PluginDirectory::write(first / "agentrun-runtime-good.so", "broken");
  PluginDirectory::install("runtime-good", second, "agentrun-runtime-good.so");
  const Outcome outcome = outcome_of(PluginLibrary({first, second}).open_runtime("good", {}));
  EXPECT_EQ(outcome.stage, "inspect");
  EXPECT_THAT(outcome.message, HasSubstr(first.string()));
  EXPECT_EQ(outcome_of(PluginLibrary({second, first}).open_runtime("good", {})).stage, "opened");
}

TEST(PluginLibrary, RefusesAnotherAbiBeforeLoading) {
  PluginDirectory directory;
  directory.install("runtime-other-abi");
  const Outcome outcome = open(directory, "other-abi");
  EXPECT_EQ(outcome.stage, "inspect");
  EXPECT_THAT(outcome.message, HasSubstr("built for ABI v0_000000000000_"));
  EXPECT_THAT(outcome.message, HasSubstr("this agentrun has " AGENTRUN_ABI_ID));
}

TEST(PluginLibrary, RefusesFilesThatAreNoPlugins) {
  PluginDirectory directory;
  directory.install("runtime-no-plugin");
  directory.install("runtime-facts-only");
  const auto named = [&](const std::string& name) { return directory.path() / ("agentrun-runtime-" + name + ".so"); };
  PluginDirectory::write(named("text"), "print('hello')\n");
  PluginDirectory::write(named("empty"), "");
  PluginDirectory::write(named("cut"), fixture_bytes("runtime-good").substr(0, 4000));
  std::filesystem::create_directory(named("directory"));
  PluginDirectory::set_mode(named("directory"), 0755);

  EXPECT_THAT(open(directory, "no-plugin").message, HasSubstr("no agentrun plugin"));
  EXPECT_THAT(open(directory, "facts-only").message, HasSubstr("exports no agentrun_plugin_"));
  EXPECT_THAT(open(directory, "text").message, HasSubstr("is not a shared object"));
  EXPECT_THAT(open(directory, "empty").message, HasSubstr("is empty"));
  EXPECT_THAT(open(directory, "cut").message, HasSubstr("is cut short or damaged"));
  EXPECT_THAT(open(directory, "directory").message, HasSubstr("is not a regular file"));
  for (const char* name : {"no-plugin", "facts-only", "text", "empty", "cut", "directory"}) {
    EXPECT_NE(open(directory, name).hint, "") << name;
  }
}

TEST(PluginLibrary, RefusesAFileOfAnotherKindOrName) {
  PluginDirectory directory;
  PluginDirectory::install("backend-good", directory.path(), "agentrun-runtime-good.so");
  PluginDirectory::install("runtime-good", directory.path(), "agentrun-runtime-bad.so");
  EXPECT_EQ(open(directory, "good").stage, "inspect");
  EXPECT_EQ(open(directory, "bad").stage, "inspect");
}

TEST(PluginLibrary, SaysWhatThePluginNeeds) {
  PluginDirectory directory;
  directory.install("runtime-missing-library");
  directory.install("runtime-undefined-function");
  EXPECT_EQ(open(directory, "missing-library").stage, "load");
  EXPECT_THAT(open(directory, "missing-library").message, HasSubstr("libfixture-absent"));
  EXPECT_EQ(open(directory, "undefined-function").stage, "load");
  EXPECT_THAT(open(directory, "undefined-function").message, HasSubstr("agentrun_fixture_no_such_function"));
}

TEST(PluginLibrary, RefusesADescriptorThatIsNotWhatTheFileSaid) {
  PluginDirectory directory;
  directory.install("runtime-wrong-descriptor");
  EXPECT_EQ(open(directory, "wrong-descriptor").stage, "descriptor");
}

TEST(PluginLibrary, ReportsAnExceptionOfTheConstructor) {
  PluginDirectory directory;
  directory.install("runtime-throwing-create");
  directory.install("runtime-throwing-traits");
  EXPECT_EQ(open(directory, "throwing-create").stage, "create");
  EXPECT_EQ(open(directory, "throwing-create").message,
            "runtime plugin 'throwing-create' could not be created: no licence");
  EXPECT_THAT(open(directory, "throwing-traits").message, HasSubstr("unknown exception"));
}

TEST(PluginLibrary, NamesWhatIsThere) {
  PluginDirectory directory;
  const auto first = directory.make("first");
  const auto second = directory.make("second");
  for (const auto& file :
       {first / "agentrun-runtime-b.so", second / "agentrun-runtime-b.so", second / "agentrun-runtime-a.so",
        second / "agentrun-backend-c.so", second / "agentrun-runtime-exec.so", second / "agentrun-runtime-Bad.so"}) {
    PluginDirectory::write(file, "");
  }
  const PluginLibrary library({first, directory.path() / "absent", second});
  EXPECT_THAT(library.names(PluginKind::runtime), IsSupersetOf({"a", "b"}));
  EXPECT_THAT(library.names(PluginKind::runtime), ::testing::Not(::testing::Contains(::testing::AnyOf("exec", "Bad"))));
  EXPECT_THAT(library.names(PluginKind::backend), ::testing::Contains("c"));
}

TEST(PluginLibrary, IgnoresRelativeEntriesOfThePluginPath) {
  Environment caller;
  caller.set("AGENTRUN_PLUGIN_PATH", "plugins:/abs:./x");
  const auto directories = PluginLibrary::search_path(caller, "/opt/bin/agentrun");
  EXPECT_EQ(directories.front(), "/abs");
  for (const auto& directory : directories) EXPECT_TRUE(directory.is_absolute()) << directory;
}

}  // namespace
}  // namespace agentrun::host
