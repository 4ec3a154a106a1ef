#include "record/saved_session.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temp_dir.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class SavedSessions : public ::testing::Test {
 protected:
  void save(const std::string& id, const std::string& text, const std::string& runtime = "pi") {
    root_.write("run/" + id + ".jsonl", text);
    auto session = SavedSession::create(directory_, runtime);
    ASSERT_TRUE(session) << describe(session.error());
    const auto saved = session->save(record(id), note(id));
    ASSERT_TRUE(saved) << describe(saved.error());
    EXPECT_TRUE(*saved);
  }
  [[nodiscard]] SessionRecord record(const std::string& id) const { return {root_ / "run", {id + ".jsonl", id}, id}; }
  [[nodiscard]] static SessionNote note(const std::string& id) {
    SessionNote note;
    note.id = id;
    note.cwd = "/work";
    note.status = "finished";
    note.agentrun = "0";
    return note;
  }
  [[nodiscard]] std::string resume_error(const std::string& id, const std::string& runtime = "pi") const {
    const auto session = SavedSession::resume(directory_, runtime, id);
    return session ? "resumed" : describe(session.error());
  }

  const agentrun::testing::TempDir root_;
  const fs::path directory_ = root_ / "saved";
};

TEST_F(SavedSessions, MoveTheRecordAndNoteWhatItIs) {
  save("one", "text");
  EXPECT_EQ(content(directory_ / "pi/one/record/one.jsonl"), "text");
  EXPECT_FALSE(fs::exists(root_ / "run"));
  const auto note = read_note(directory_ / "pi/one/session.json");
  ASSERT_TRUE(note);
  EXPECT_EQ(note->id, "one");
  EXPECT_EQ(note->runtime, "pi");
  EXPECT_EQ(note->cwd, "/work");
  EXPECT_EQ(note->model, std::nullopt);
  EXPECT_EQ(note->status, "finished");
  EXPECT_THAT(note->created, ::testing::MatchesRegex("20..-..-..T..:..:..\\....Z"));
}

TEST_F(SavedSessions, LeaveOtherFilesOfThePlaceAlone) {
  root_.write("run/other.jsonl", "other");
  save("one", "text");
  EXPECT_EQ(content(root_ / "run/other.jsonl"), "other");
  EXPECT_FALSE(fs::exists(root_ / "run/one.jsonl"));
}

TEST_F(SavedSessions, AreNotMadeWithoutARecord) {
  auto session = SavedSession::create(directory_, "pi");
  ASSERT_TRUE(session);
  EXPECT_EQ(session->save(record("one"), note("one")), false);
  EXPECT_THAT(fs::directory_iterator(directory_ / "pi") == fs::directory_iterator(), true) << "no draft is left";
}

TEST_F(SavedSessions, AreReplacedInOneStepWhenResumed) {
  save("one", "first");
  const std::string created = read_note(directory_ / "pi/one/session.json")->created;
  {
    auto session = SavedSession::resume(directory_, "pi", "one");
    ASSERT_TRUE(session) << describe(session.error());
    ASSERT_TRUE(session->place(record("one")));
    EXPECT_EQ(content(root_ / "run/one.jsonl"), "first");
    root_.write("run/one.jsonl", "first and second");
    ASSERT_EQ(session->save(record("one"), note("one")), true);
  }
  EXPECT_EQ(content(directory_ / "pi/one/record/one.jsonl"), "first and second");
  EXPECT_EQ(read_note(directory_ / "pi/one/session.json")->created, created);
  EXPECT_FALSE(fs::exists(root_ / "run/one.jsonl"));
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory_ / "pi")) names.push_back(entry.path().filename());
  EXPECT_THAT(names, ElementsAre("one"));
}

TEST_F(SavedSessions, StayAsTheyWereWhenTheRunLeavesNoRecord) {
  save("one", "first");
  {
    auto session = SavedSession::resume(directory_, "pi", "one");
    ASSERT_TRUE(session);
    ASSERT_TRUE(session->place(record("one")));
    fs::remove(root_ / "run/one.jsonl");
    EXPECT_EQ(session->save(record("one"), note("one")), false);
  }
  EXPECT_EQ(content(directory_ / "pi/one/record/one.jsonl"), "first");
}

TEST_F(SavedSessions, TakeAwayWhatTheyPlacedWhenTheRunDoesNotStart) {
  save("one", "first");
  {
    auto session = SavedSession::resume(directory_, "pi", "one");
    ASSERT_TRUE(session);
    ASSERT_TRUE(session->place(record("one")));
    const SavedSession moved(std::move(*session));
    EXPECT_TRUE(fs::exists(root_ / "run/one.jsonl"));
  }
  EXPECT_FALSE(fs::exists(root_ / "run"));
}

TEST_F(SavedSessions, RefuseASecondRunThatResumesTheSameOne) {
  save("one", "text");
  {
    const auto session = SavedSession::resume(directory_, "pi", "one");
    ASSERT_TRUE(session);
    EXPECT_THAT(resume_error("one"), HasSubstr("another run goes on with that session"));
  }
  EXPECT_EQ(resume_error("one"), "resumed");
}

TEST_F(SavedSessions, RefuseWhatTheyDoNotKnow) {
  EXPECT_THAT(resume_error("one"), HasSubstr("no such session of pi"));
  save("one", "text", "codex");
  EXPECT_THAT(resume_error("one"), HasSubstr("belongs to codex, not to pi"));
  for (const char* id : {"", ".", "..", "../one", "a/b", ".new-1", "a b", "a\nb"}) {
    EXPECT_THAT(resume_error(id), HasSubstr("not the id of a session")) << id;
  }
}

TEST_F(SavedSessions, RefuseANoteThatSaysSomethingElse) {
  save("one", "text");
  fs::rename(directory_ / "pi/one", directory_ / "pi/two");
  EXPECT_THAT(resume_error("two"), HasSubstr("no such session"));
  std::ofstream(directory_ / "pi/two/session.json") << "[]";
  EXPECT_THAT(resume_error("two"), HasSubstr("is not the note of a saved session"));
}

TEST_F(SavedSessions, RefuseADirectoryThatCannotBeMade) {
  root_.write("file", "");
  const auto session = SavedSession::create(root_ / "file/below", "pi");
  ASSERT_FALSE(session);
  EXPECT_THAT(session.error().message, HasSubstr("--session-dir"));
}

}  // namespace
}  // namespace agentrun::host
