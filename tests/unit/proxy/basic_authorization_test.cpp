#include "basic_authorization.hpp"

#include <gtest/gtest.h>

namespace agentrun::proxy {
namespace {

using namespace std::string_literals;

TEST(Base64, IsThatOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFB\xFF\xFE\0"s), "+//+AA==");
}

TEST(PercentDecoding, TakesTwoHexDigits) {
  EXPECT_EQ(percent_decoded("a%40b%3Ac%2f"), "a@b:c/");
  EXPECT_EQ(percent_decoded("%00%fF"), "\0\xFF"s);
}

TEST(PercentDecoding, LeavesWhatIsNoCode) {
  for (const char* text : {"%", "%4", "a%", "%zz", "%4g", "100%", "+"}) EXPECT_EQ(percent_decoded(text), text);
  EXPECT_EQ(percent_decoded("%%41"), "%A");
}

TEST(BasicAuthorization, DecodesUserAndPasswordEachForItself) {
  EXPECT_EQ(basic_authorization("user:password"), "Basic " + base64("user:password"));
  EXPECT_EQ(basic_authorization("user"), "Basic " + base64("user:"));
  EXPECT_EQ(basic_authorization(":password"), "Basic " + base64(":password"));
  EXPECT_EQ(basic_authorization("us%40er:a:b%3Ac"), "Basic " + base64("us@er:a:b:c"));
}

TEST(BasicAuthorization, CannotAddAHeaderLine) {
  const std::string value = basic_authorization("user:x%0d%0aEvil: 1\r\nWorse: 2");
  EXPECT_EQ(value.find_first_of("\r\n"), std::string::npos);
}

}  // namespace
}  // namespace agentrun::proxy
