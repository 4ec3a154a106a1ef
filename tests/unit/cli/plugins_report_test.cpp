#include "cli/plugins_report.hpp"

#include <gtest/gtest.h>

namespace agentrun::cli {
namespace {

using host::PluginError;
using host::PluginListing;
using host::PluginStage;

std::vector<PluginListing> listings() {
  PluginListing good;
  good.kind = PluginKind::runtime;
  good.name = "pi";
  good.file = "/usr/lib/agentrun/plugins/agentrun-runtime-pi.so";
  good.version = "1.0.0";
  good.abi = "v1_x";
  PluginListing open = good;
  open.name = "echo";
  open.file = "/home/ä/agentrun-runtime-echo.so";
  open.error = PluginError{PluginStage::trust, {ErrorCode::untrusted, "others can write it", "chmod go-w it"}};
  PluginListing broken;
  broken.name = "landlock";
  broken.file = "/p/agentrun-backend-landlock.so";
  broken.shadowed = true;
  broken.error = PluginError{PluginStage::inspect, {ErrorCode::plugin, "not an ELF file\n\x1b[2J", ""}};
  PluginListing built_in;
  built_in.name = "none";
  built_in.version = "0.1.0";
  built_in.abi = "v1_x";
  return {good, open, broken, built_in};
}

TEST(PluginsTable, AlignsItsColumns) {
  EXPECT_EQ(plugins_table(listings()),
            "KIND     NAME      VERSION  FILE                                              STATUS\n"
            "runtime  pi        1.0.0    /usr/lib/agentrun/plugins/agentrun-runtime-pi.so  ok\n"
            "runtime  echo      1.0.0    /home/ä/agentrun-runtime-echo.so                  "
            "not trusted: others can write it. chmod go-w it\n"
            "backend  landlock  ?        /p/agentrun-backend-landlock.so                   "
            "shadowed, refused (inspect): not an ELF file  [2J\n"
            "backend  none      0.1.0    (built in)                                        ok\n");
}

TEST(PluginsTable, IsEmptyWithoutPlugins) { EXPECT_EQ(plugins_table({}), ""); }

TEST(PluginsJson, IsOneArray) {
  EXPECT_EQ(plugins_json({}), "[]\n");
  auto two = listings();
  two.erase(two.begin());
  two.erase(two.begin());
  EXPECT_EQ(
      plugins_json(two),
      "[{\"kind\":\"backend\",\"name\":\"landlock\",\"version\":null,\"file\":\"/p/agentrun-backend-landlock.so\","
      "\"abi\":null,\"trusted\":true,\"shadowed\":true,\"usable\":false,\"stage\":\"inspect\","
      "\"reason\":\"not an ELF file\\n\\u001b[2J\"},"
      "{\"kind\":\"backend\",\"name\":\"none\",\"version\":\"0.1.0\",\"file\":null,\"abi\":\"v1_x\","
      "\"trusted\":true,\"shadowed\":false,\"usable\":true,\"stage\":null,\"reason\":null}]\n");
}

TEST(PluginsJson, TellsTrustFromOtherFaults) {
  const std::string json = plugins_json({listings()[1]});
  EXPECT_NE(json.find("\"trusted\":false"), std::string::npos);
  EXPECT_NE(json.find("\"usable\":false,\"stage\":\"trust\",\"reason\":\"others can write it. chmod go-w it\""),
            std::string::npos);
}

}  // namespace
}  // namespace agentrun::cli
