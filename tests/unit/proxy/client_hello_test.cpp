#include "client_hello.hpp"

#include <gtest/gtest.h>

#include "support/client_hello.hpp"
#include "temp_dir.hpp"

namespace agentrun::proxy::test {
namespace {

using namespace std::string_literals;
using Progress = ClientHelloReader::Progress;

struct Read {
  Progress progress = Progress::need_more;
  std::optional<std::string> name;

  friend bool operator==(const Read&, const Read&) = default;
};

Read read_whole(std::string_view bytes) {
  ClientHelloReader reader;
  const Progress progress = reader.feed(bytes);
  return {progress, reader.name()};
}

Read read_byte_by_byte(std::string_view bytes) {
  ClientHelloReader reader;
  Progress progress = Progress::need_more;
  for (std::size_t i = 0; i < bytes.size() && progress == Progress::need_more; ++i)
    progress = reader.feed(bytes.substr(i, 1));
  return {progress, reader.name()};
}

Read read(std::string_view bytes) {
  const Read result = read_whole(bytes);
  EXPECT_EQ(read_byte_by_byte(bytes), result);
  return result;
}

/// A hello with these extensions.
std::string with(std::string_view extensions) { return handshake_record(hello_message(hello_body(extensions))); }

std::string recorded(const char* name) {
  return testing::read_file(std::filesystem::path(AGENTRUN_CORPUS) / "fuzz_client_hello" / name);
}

TEST(ClientHellos, NameTheirServer) {
  EXPECT_EQ(read(client_hello("a.test")), (Read{Progress::hello, "a.test"}));
  EXPECT_EQ(read(client_hello("a.test") + "what comes behind is not looked at"), (Read{Progress::hello, "a.test"}));
  EXPECT_EQ(read(with(server_name({"A.Test."}))), (Read{Progress::hello, "A.Test."})) << "as it was sent";
}

TEST(ClientHellos, MayNameNone) {
  EXPECT_EQ(read(client_hello("")), (Read{Progress::hello, std::nullopt}));
  EXPECT_EQ(read(with("")), (Read{Progress::hello, std::nullopt}));
  const std::string body = hello_body("");
  EXPECT_EQ(read(handshake_record(hello_message(body.substr(0, body.size() - 2)))),
            (Read{Progress::hello, std::nullopt}))
      << "without extensions at all";
}

TEST(ClientHellos, OfARealLibraryAreRead) {
  EXPECT_EQ(read(recorded("openssl_named")), (Read{Progress::hello, "a.test"}));
  EXPECT_EQ(read(recorded("openssl_unnamed")), (Read{Progress::hello, std::nullopt}));
}

TEST(ClientHellos, MayComeInAnyRecords) {
  const std::string message = hello_message(hello_body(server_name({"a.test"})));
  for (std::size_t size = 1; size < message.size(); ++size) {
    std::string records;
    for (std::size_t at = 0; at < message.size(); at += size) records += handshake_record(message.substr(at, size));
    EXPECT_EQ(read_whole(records), (Read{Progress::hello, "a.test"})) << size;
  }
}

TEST(ClientHellos, MayHaveAnyRecordVersion) {
  std::string bytes = client_hello("a.test");
  for (const char version : {'\x00', '\x04', '\xFF'}) {
    bytes[1] = version;
    EXPECT_EQ(read(bytes), (Read{Progress::hello, "a.test"})) << "servers must not look at it (RFC 8446, 5.1)";
  }
}

TEST(ClientHellos, NeedMoreUntilTheirLastByte) {
  const std::string bytes = client_hello("a.test");
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(read(bytes.substr(0, size)).progress, Progress::need_more) << size;
}

TEST(ClientHellos, AreNotWhatBeginsNoTlsRecord) {
  for (const std::string& bytes : {"GET / HTTP/1.1\r\n"s, "SSH-2.0-x"s, "\x05\x01\x00"s, "\0"s, "\x13"s, "\x19"s,
                                   "\xFF"s, "\x80\x2E\x01\x03\x01"s})
    EXPECT_EQ(read(bytes), (Read{Progress::not_tls, std::nullopt}));
}

TEST(ClientHellos, AreBrokenBehindOtherRecords) {
  for (const std::string& record : {"\x14\x03\x03\x00\x01\x01"s, "\x15\x03\x03\x00\x02\x01\x5A"s,
                                    "\x17\x03\x03\x00\x01x"s, "\x18\x03\x03\x00\x01x"s})
    EXPECT_EQ(read(record + client_hello("a.test")).progress, Progress::broken) << "some servers skip such a record";
  const std::string message = hello_message(hello_body(server_name({"a.test"})));
  EXPECT_EQ(read(handshake_record(message.substr(0, 9)) + "\x15\x03\x03\x00\x02\x01\x5A" +
                 handshake_record(message.substr(9)))
                .progress,
            Progress::broken);
}

TEST(ClientHellos, AreBrokenWhenTwoReadersCouldSeeTwoNames) {
  EXPECT_EQ(read(with(server_name({"a.test", "b.test"}))).progress, Progress::broken);
  EXPECT_EQ(read(with(server_name({"a.test"}) + server_name({"b.test"}))).progress, Progress::broken);
  EXPECT_EQ(read(with(server_name({"a.test"}) + server_name({"a.test"}))).progress, Progress::broken);
}

TEST(ClientHellos, AreBrokenByAnOddServerName) {
  const std::string entry = std::string(1, '\0') + vector_of(2, "a.test");
  for (const std::string& content :
       {""s, vector_of(2, ""), "\0"s, vector_of(2, entry) + "x", vector_of(2, entry + "x"), vector_of(2, entry + entry),
        vector_of(2, "\x01" + vector_of(2, "a.test")), vector_of(2, std::string(1, '\0') + vector_of(2, "")),
        vector_of(2, entry).substr(0, 5), vector_of(2, entry.substr(0, 6))})
    EXPECT_EQ(read(with(extension(0, content))).progress, Progress::broken);
}

TEST(ClientHellos, AreBrokenByLengthsThatDoNotFit) {
  const std::string body = hello_body(server_name({"a.test"}));
  for (std::size_t size = 0; size < body.size(); ++size) {
    const std::string cut = handshake_record(hello_message(body.substr(0, size)));
    const bool has_no_extensions = size == body.size() - server_name({"a.test"}).size() - 2;
    EXPECT_EQ(read_whole(cut).progress, has_no_extensions ? Progress::hello : Progress::broken) << size;
  }
  EXPECT_EQ(read(handshake_record(hello_message(body + "x"))).progress, Progress::broken);
  EXPECT_EQ(read(handshake_record(hello_message(body) + "x")).progress, Progress::broken);
  EXPECT_EQ(read(handshake_record("")).progress, Progress::broken);
  EXPECT_EQ(read("\x16\x03\x01\x40\x01").progress, Progress::broken) << "a record over 16 KiB";
}

TEST(ClientHellos, AreBrokenAsAnotherMessage) {
  EXPECT_EQ(read(handshake_record("\x02" + vector_of(3, hello_body("")))).progress, Progress::broken);
  EXPECT_EQ(read(handshake_record(std::string(4, '\0'))).progress, Progress::broken);
}

TEST(ClientHellos, HaveABound) {
  const auto hello_of_size = [](std::size_t size) {
    const std::string name = server_name({"a.test"});
    const std::size_t others = hello_message(hello_body(name + extension(21, ""))).size();
    return hello_message(hello_body(name + extension(21, std::string(size - others, '\0'))));
  };
  const std::string longest = hello_of_size(ClientHelloReader::max_size);
  ASSERT_EQ(longest.size(), ClientHelloReader::max_size);
  EXPECT_EQ(read(handshake_record(longest)), (Read{Progress::hello, "a.test"}));
  const std::string longer = hello_of_size(ClientHelloReader::max_size + 1);
  EXPECT_EQ(read(handshake_record(longer.substr(0, 1000))).progress, Progress::broken)
      << "as soon as its length is seen";
}

}  // namespace
}  // namespace agentrun::proxy::test
