// The scripted model service does what tests of real agents rely on.

#include "model_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <thread>

namespace agentrun::testing {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using ::testing::HasSubstr;

struct Answer {
  unsigned status = 0;
  std::string body;
  bool complete = false;
};

class Client {
 public:
  explicit Client(const ModelServer& server) { socket_.connect({asio::ip::address_v4::loopback(), server.port()}); }

  Answer post(const std::string& target, const std::string& body) {
    http::request<http::string_body> request(http::verb::post, target, 11);
    request.body() = body;
    request.prepare_payload();
    http::write(socket_, request);
    http::response_parser<http::string_body> parser;
    boost::system::error_code error;
    http::read(socket_, buffer_, parser, error);
    return {parser.get().result_int(), parser.get().body(), !error};
  }

 private:
  asio::io_context context_;
  asio::ip::tcp::socket socket_{context_};
  boost::beast::flat_buffer buffer_;
};

TEST(ModelServer, AnswersInTheOrderOfItsScriptAndThenWithTheLastTurn) {
  ModelServer server({ModelTurn::say("one"), ModelTurn::say("two")});
  Client client(server);
  for (const char* text : {"one", "two", "two"}) {
    const Answer answer = client.post("/v1/chat/completions", R"({"model":"m","stream":true})");
    EXPECT_EQ(answer.status, 200U);
    EXPECT_TRUE(answer.complete);
    // A text comes in two halves.
    EXPECT_THAT(answer.body, HasSubstr(R"("content":")" + std::string(text).substr(0, 1) + '"'));
    EXPECT_THAT(answer.body, HasSubstr(R"("model":"m")"));
    EXPECT_TRUE(answer.body.ends_with("data: [DONE]\n\n"));
  }
}

TEST(ModelServer, KeepsTheRequests) {
  ModelServer server({ModelTurn::say("x")});
  EXPECT_FALSE(server.wait_for_requests(1, std::chrono::milliseconds(0)));
  (void)Client(server).post("/v1/chat/completions", "the body");
  ASSERT_TRUE(server.wait_for_requests(1));
  EXPECT_EQ(server.requests()[0].method, "POST");
  EXPECT_EQ(server.requests()[0].target, "/v1/chat/completions");
  EXPECT_EQ(server.requests()[0].headers["content-length"], "8");
  EXPECT_EQ(server.requests()[0].body, "the body");
}

TEST(ModelServer, StreamsToolCalls) {
  ModelServer server({ModelTurn::call("bash", R"({"command":"ls"})")});
  const Answer answer = Client(server).post("/chat/completions", "{}");
  EXPECT_THAT(answer.body, HasSubstr(R"("id":"call_1_0","type":"function","function":{"name":"bash")"));
  EXPECT_THAT(answer.body, HasSubstr(R"("finish_reason":"tool_calls")"));
}

TEST(ModelServer, GivesErrors) {
  ModelServer server({ModelTurn::error(401, "bad key")});
  const Answer answer = Client(server).post("/v1/chat/completions", "{}");
  EXPECT_EQ(answer.status, 401U);
  EXPECT_THAT(answer.body, HasSubstr(R"("message":"bad key")"));
}

TEST(ModelServer, KnowsNoOtherService) {
  ModelServer server({ModelTurn::say("x")});
  EXPECT_EQ(Client(server).post("/v1/models", "{}").status, 404U);
}

TEST(ModelServer, CutsAStreamInItsMiddle) {
  ModelTurn turn = ModelTurn::say("hello");
  turn.ending = ModelTurn::Ending::cut;
  ModelServer server({turn});
  const Answer answer = Client(server).post("/v1/chat/completions", "{}");
  EXPECT_EQ(answer.status, 200U);
  EXPECT_FALSE(answer.complete);
}

TEST(ModelServer, EndsWhileAnAnswerHangs) {
  ModelTurn turn = ModelTurn::say("hello");
  turn.ending = ModelTurn::Ending::hang;
  auto server = std::make_unique<ModelServer>(std::vector<ModelTurn>{turn});
  Client client(*server);
  std::thread waiting([&] { EXPECT_FALSE(client.post("/v1/chat/completions", "{}").complete); });
  EXPECT_TRUE(server->wait_for_requests(1));
  server.reset();
  waiting.join();
}

}  // namespace
}  // namespace agentrun::testing
