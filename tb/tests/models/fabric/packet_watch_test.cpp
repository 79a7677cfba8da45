// Watched packets: the events of one packet to the cycle, what a router's watch shows, what is refused.
#include "models/fabric/packet_watch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "routing/base/input_error.h"
#include "tb/tests/support/bench.h"

namespace braid::test::packet_watch_test {
namespace {

/// Four flits from node 0 to node 1 and, in the same cycle, one flit back, on a mesh of two routers.
std::vector<std::string> watched(const std::string& what, std::uint64_t cycles = 100) {
  models::Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("watch.what", what);
  Bench bench(e);
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.network->send_packet(NodeId{1}, NodeId{0}, 1);
  bench.run(cycles);
  std::vector<std::string> lines;
  bench.network->watch()->each_line(*bench.network->packet_log(), bench.network->store(), "-",
                                    [&](std::string_view line) { lines.emplace_back(line); });
  return lines;
}

/// docs/router.md: made in cycle 9, on the injection link in 11, five cycles a hop.
TEST(Watch, FollowsAPacketFromItsSourceToItsDestination) {
  EXPECT_EQ(watched("packet=0.0"),
            (std::vector<std::string>{"     cycle   after  packet        event",
                                      "         9      +0  0.0           made for node 1, 4 flits",
                                      "        11      +2  0.0           head on the injection link",
                                      "        12      +1  0.0           routed at 0,0 from local0, leaves by east",
                                      "        13      +1  0.0           tail out of the source queue",
                                      "        17      +4  0.0           routed at 1,0 from west",
                                      "        25      +8  0.0           delivered at node 1, latency 16, 2 routers"}));
}

TEST(Watch, OfASourceIsOfItsPacketsAndOfARouterOfWhatComesThere) {
  EXPECT_EQ(watched("source=0"), watched("packet=0.0"));
  const std::vector<std::string> router = watched("router=1,0");
  ASSERT_EQ(router.size(), 3U);
  EXPECT_EQ(router[1], "        12      +1  1.0           routed at 1,0 from local0, leaves by west");
  EXPECT_EQ(router[2], "        17      +4  0.0           routed at 1,0 from west");
  EXPECT_EQ(watched("source=0 source=1").size(), 13U);
}

TEST(Watch, SaysWhereAPacketStoodWhenTheRunEnded) {
  EXPECT_EQ(watched("packet=0.0", 4).back(), "        13      +1  0.0           tail out of the source queue");
  EXPECT_EQ(watched("packet=0.0", 4)[3],
            "        12      +1  0.0           routed at 0,0 from local0, not at the next router when the run ended");
}

TEST(Watch, OfNothingKeepsNoRecord) {
  const Bench bench(uniform_mesh(0.1, 2, 2));
  EXPECT_EQ(bench.network->packet_log(), nullptr);
  EXPECT_EQ(bench.network->watch(), nullptr);
}

TEST(Watch, OfAPacketKeepsItsRecordOnly) {
  models::Experiment e = uniform_mesh(0.5, 2, 2);
  e.set("watch.what", "packet=3.5");
  Bench bench(e);
  bench.run(500);
  std::size_t records = 0;
  for (const auto& page : bench.network->packet_log()->pages()) records += page.records().size();
  EXPECT_EQ(records, 1U);
}

TEST(Watch, RefusesWhatIsNotThere) {
  const auto refusal = [](const std::string& what) -> std::string {
    try {
      watched(what);
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("pcket=0.0"),
            "watch.what: unknown thing \"pcket\" (did you mean \"packet\"?); known: packet, source, router");
  EXPECT_EQ(refusal("router=1.0"), "watch.what: unknown router \"1.0\" (did you mean \"1,0\"?)");
  const std::string packet = ": expected packet=SOURCE.SEQUENCE, numbers from 0, nodes up to 1";
  for (const char* word : {"packet", "packet=", "packet=0", "packet=0.", "packet=.0", "packet=2.0", "packet=-1.0",
                           "packet=0.4294967296", "packet=0.1x", "packet=0.0.0"}) {
    EXPECT_EQ(refusal(word), std::string("watch.what: ") + word + packet);
  }
  EXPECT_EQ(refusal("source=2"), "watch.what: source=2: expected source=NODE, numbers from 0, nodes up to 1");
  EXPECT_EQ(refusal(" "), "watch.what names nothing: expected packet=SOURCE.SEQUENCE, source=NODE or router=NAME");
}

}  // namespace
}  // namespace braid::test::packet_watch_test
