// What blocks for ever, aborts or writes past an array in intersim2 is one line here: where, what, what was expected.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tb/tests/models/icnt/configurations.h"

namespace braid::models::icnt {
namespace {

std::string line_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "no error";
}

std::string refused(const std::string& text, unsigned shaders = 15, unsigned memories = 12) {
  return line_of([&] { network(text, shaders, memories); });
}

TEST(IcntErrors, MoreDevicesThanNodes) {
  EXPECT_EQ(refused(crossbar(52), 30, 24),
            "test.icnt: 30 shaders and 24 memories need 54 nodes, and k = 52, n = 1 has 52");
  EXPECT_EQ(refused(crossbar(52), 4000000000U, 500000000U).substr(0, 40), "test.icnt: 4000000000 shaders and 500000");
  EXPECT_EQ(refused(crossbar(52), 0, 24), "test.icnt: expected a shader and a memory at least");
}

TEST(IcntErrors, NodeMaps) {
  EXPECT_EQ(refused(crossbar(52, "use_map = 1;"), 28, 24),
            "test.icnt: use_map = 1 needs memory_node_map = {NODE,...}; for 28 shaders and 24 memories there is no "
            "placement of intersim2's");
  EXPECT_EQ(refused("memory_node_map = {1,2};\n" + crossbar(52, "use_map = 1;"), 28, 24),
            "test.icnt:1:19: memory_node_map has 2 nodes, expected one for each of 24 memories");
  const std::string mesh = mesh6x6();
  const auto mapped = [&](const std::string& map) {
    return refused("//\n" + mesh + "\n memory_node_map=" + map + ";", 28, 8);
  };
  EXPECT_EQ(mapped("{2,7,10,12,21,25,28,36}").substr(0, 10), "test.icnt:");
  EXPECT_NE(mapped("{2,7,10,12,21,25,28,36}").find("has node 36, expected nodes 0 to 35"), std::string::npos);
  EXPECT_NE(mapped("{2,7,10,12,21,25,28,2}").find("has node 2 twice"), std::string::npos);
  EXPECT_NE(mapped("{2,x}").find("expected nodes in braces, as {2,7,10}"), std::string::npos);
}

TEST(IcntErrors, ChannelsThatAreNotThere) {
  EXPECT_EQ(
      refused("sim_type = gpgpusim; topology = fly; k = 27; n = 1; routing_function = dest_tag; num_vcs = 4;"),
      "test.icnt (default): read_request_end_vc = 5, expected a channel of num_vcs = 4, 0 to 3; a file with other "
      "than 16 channels names all eight *_begin_vc and *_end_vc");
  EXPECT_NE(
      refused(crossbar(27, "\nwrite_reply_end_vc = 1;")).find("test.icnt:9:22: write_reply_end_vc = 1, expected a"),
      std::string::npos);
  EXPECT_NE(refused(crossbar(27, with_vcs(2) + "read_reply_begin_vc = 1; read_reply_end_vc = 0;"))
                .find("read_reply_begin_vc = 1, expected at most read_reply_end_vc = 0"),
            std::string::npos);
}

/// As in intersim2: requests have the lower half of the channels where a file says -1, replies the upper half; one
/// channel is everybody's.
TEST(IcntErrors, KindsWithoutChannelsOfTheirOwnHaveHalfOfThem) {
  const auto halves = [](unsigned vcs, const std::string& more = "") {
    std::string text = "num_vcs = " + std::to_string(vcs) + ";\n";
    for (const char* kind : {"read_request", "write_request", "read_reply", "write_reply"})
      text += std::string(kind) + "_begin_vc = -1; " + kind + "_end_vc = -1;\n";
    return refused(crossbar(27, text + more));
  };
  for (const unsigned vcs : {1U, 2U, 4U, 5U}) EXPECT_EQ(halves(vcs), "no error") << vcs;
  EXPECT_EQ(halves(4, "write_request_begin_vc = 1; read_reply_end_vc = 2;"), "no error");
  EXPECT_NE(halves(4, "write_request_begin_vc = 2;").find("expected at most write_request_end_vc = 1"),
            std::string::npos);
  EXPECT_NE(halves(4, "read_reply_end_vc = 1;").find("expected at most read_reply_end_vc = 1"), std::string::npos);
}

TEST(IcntErrors, FilesAndStatements) {
  EXPECT_EQ(line_of([] { Interconnect("/nowhere.icnt", 1, 1); }), "/nowhere.icnt: cannot be read");
  EXPECT_EQ(refused("k = 3;\nvc_buf_sizes = 4;"),
            "test.icnt:2:1: no key \"vc_buf_sizes\"; the nearest is \"vc_buf_size\"");
  EXPECT_EQ(refused("k = 3;\ninput_spedup = 4;"),
            "test.icnt:2:1: no key \"input_spedup\"; the nearest is \"input_speedup\"");
  EXPECT_EQ(refused("k = 3;\nxput_speedup = 4;"),  // two are as near: the first
            "test.icnt:2:1: no key \"xput_speedup\"; the nearest is \"input_speedup\"");
  EXPECT_EQ(refused("k 3;"), "test.icnt:1:3: expected '=' after \"k\", found '3'");
  EXPECT_EQ(refused("k = 3"), "test.icnt:1:6: expected ';' after the value of \"k\", found the end of the file");
  EXPECT_EQ(refused("k = ;"), "test.icnt:1:5: expected the value of \"k\", found ';'");
  EXPECT_EQ(refused("// k\n[fly]"), "test.icnt:2:1: expected the name of a key, found '['");
  EXPECT_EQ(refused("traffic = {{1,2}"), "test.icnt:1:17: expected '}', found the end of the file");
  EXPECT_EQ(refused("k = \x01;"), "test.icnt:1:5: expected the value of \"k\", found byte 1");
  EXPECT_EQ(refused(""), "test.icnt (default): sim_type = latency, expected gpgpusim");
}

TEST(IcntErrors, ValuesThatTheLibraryDoesNotHave) {
  EXPECT_NE(refused(crossbar(27, "\ntopology = cmesh;"))
                .find("test.icnt:9:12: topology = cmesh, expected fly, mesh, torus or anynet"),
            std::string::npos);
  EXPECT_NE(refused(crossbar(27, "topology = torus;")).find("routing_function = dest_tag, expected dim_order, which"),
            std::string::npos);
  EXPECT_NE(refused(crossbar(27, "topology = torus; routing_function = dim_order;"))
                .find("read_request_end_vc = 0, expected another channel than read_request_begin_vc: on a torus a kind "
                      "has two at least"),
            std::string::npos);
  EXPECT_NE(refused(crossbar(27, "sw_allocator = wavefront;")).find("expected islip, islip(ROUNDS)"),
            std::string::npos);
  EXPECT_NE(refused(crossbar(27, "sw_allocator = islip(0);")).find("expected islip, islip(ROUNDS)"), std::string::npos);
  EXPECT_NE(
      refused(crossbar(27, "speculative = 1;")).find("speculative = 1, and this library has speculative = 0 only"),
      std::string::npos);
  EXPECT_NE(refused(crossbar(27, "internal_speedup = 0.5;")).find("expected a number from 1 to 16"), std::string::npos);
  EXPECT_NE(refused(crossbar(27, "k = 70; n = 2;")).find("at most 4096 nodes"), std::string::npos);
  EXPECT_NE(refused(crossbar(27, "k = 12x;")).find("expected an integer from 1 to 4096"), std::string::npos);
  EXPECT_NE(refused(crossbar(27, "routing_function = dor;")).find("expected dest_tag"), std::string::npos);
  EXPECT_NE(refused(crossbar(27, "ejection_buffer_size = 63;")).find("expected 0 or at least vc_buf_size = 64"),
            std::string::npos);
  EXPECT_NE(refused(crossbar(27, "subnets = 3;")).find("expected an integer from 1 to 2"), std::string::npos);
}

TEST(IcntErrors, ABoundaryBufferOfOneFlitIsTaken) {
  EXPECT_EQ(refused(crossbar(27, "boundary_buffer_size = 1;")), "no error");
  EXPECT_NE(refused(crossbar(27, "boundary_buffer_size = 0;")), "no error");
}

TEST(IcntErrors, KeysOfNoEffectAreTaken) {
  EXPECT_EQ(refused(crossbar(27, "alloc_iters = 7; traffic = uniform; packet_size = {{1,2},{3}}; seed = 3; x = 9;")),
            "no error");
}

TEST(IcntErrors, PacketsThatCouldNeverBeServed) {
  Interconnect net = network(crossbar(27, "input_buffer_size = 64; boundary_buffer_size = 3;"), 15, 12);
  int payload = 0;
  const auto push = [&](unsigned from, unsigned to, unsigned bytes, int kind = 0) {
    return line_of([&] { net.push(from, to, &payload, bytes, static_cast<Kind>(kind)); });
  };
  const std::string boundary = "test.icnt: a packet of 121 bytes has 4 flits, and boundary_buffer_size holds 3";
  EXPECT_EQ(push(0, 15, 121), boundary);
  EXPECT_EQ(line_of([&] { net.has_buffer(0, 121); }), boundary);
  EXPECT_EQ(push(0, 15, 2561), "test.icnt: a packet of 2561 bytes has 65 flits, and input_buffer_size holds 64");
  EXPECT_EQ(line_of([&] { net.has_buffer(0, 4000000000U); }),
            "test.icnt: a packet of 4000000000 bytes has 100000000 flits, and input_buffer_size holds 64");
  EXPECT_EQ(push(0, 15, 0), "test.icnt: a packet of 0 bytes has no flit, expected 1 byte or more");
  EXPECT_EQ(push(0, 1, 8),
            "test.icnt: from device 0 to device 1: with subnets = 2 shaders send to memories and memories to shaders");
  EXPECT_NE(push(15, 16, 8).find("from device 15 to device 16"), std::string::npos);
  EXPECT_EQ(push(0, 27, 8), "test.icnt: device 27, expected 0 to 26");
  EXPECT_EQ(line_of([&] { net.pop(27); }), "test.icnt: device 27, expected 0 to 26");
  EXPECT_EQ(push(0, 15, 8, 4), "test.icnt: kind 4, expected 0 to 3");
  EXPECT_FALSE(net.busy()) << "what was refused has left nothing behind";
  EXPECT_EQ(net.totals(0).pushed, 0U);
  while (net.has_buffer(0, 40)) net.push(0, 15, &payload, 40, kReadRequest);
  EXPECT_EQ(push(0, 15, 40), "test.icnt: device 0 has no room for 40 bytes; ask has_buffer() first");
}

TEST(IcntErrors, OneSubnetCarriesEverything) {
  Interconnect net = network(one_net(), 4, 32);
  int payload = 0;
  net.push(0, 3, &payload, 8, kReadRequest);
  for (unsigned transfers = 0; transfers < 8; ++transfers) net.transfer();
  EXPECT_EQ(net.pop(3), &payload) << "a shader sends to a shader";
}

}  // namespace
}  // namespace braid::models::icnt
