// stream.multicast = "routers" on packets: items of a group leave their node as one packet, which routers copy.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/continued.h"

namespace braid::test::packet_multicast_test {
namespace {

/// A source in the middle of a 3x3 mesh duplicates its items to three workers in corners; the sink takes from all.
std::string split_join(const std::string& group) {
  const std::string file = temporary_file(group.empty() ? "packets_apart.toml" : "packets_copied.toml");
  std::ofstream out(file);
  out << "name = \"split_join\"\n[[actor]]\nname = \"source\"\nwork = 4\ntile = 4\n";
  for (const int tile : {0, 2, 6}) out << "[[actor]]\nname = \"w" << tile << "\"\nwork = 4\ntile = " << tile << "\n";
  out << "[[actor]]\nname = \"sink\"\nwork = 4\ntile = 1\n";
  for (const int tile : {0, 2, 6}) {
    out << "[[edge]]\nfrom = \"source\"\nto = \"w" << tile << "\"\npush = 2\npop = 2\n" << group;
    out << "[[edge]]\nfrom = \"w" << tile << "\"\nto = \"sink\"\n";
  }
  return file;
}

models::Experiment program(const char* multicast, const std::string& group = "group = 0\n") {
  models::Experiment e;
  e.set("topology.width", 3);
  e.set("topology.height", 3);
  e.set("router.vcs", 2);
  e.set("router.buffer_depth", 4);
  e.open("stream");
  e.set("stream.graph", split_join(group));
  e.set("stream.multicast", multicast);
  e.set("interface.packet_items", 4);
  return e;
}

/// In a firing of the source six items of its own and three of the workers'; as copies two and three. The same items
/// arrive, and no slower.
TEST(PacketMulticast, SendsItemsOnceAndDeliversAll) {
  Bench with(program("routers")), without(program("none"));
  with.run(6000);
  without.run(6000);
  const auto c = with.network->conservation(), d = without.network->conservation();
  EXPECT_TRUE(c.holds());
  ASSERT_TRUE(c.flits_copied);
  EXPECT_FALSE(d.flits_copied);
  EXPECT_EQ(c.flits_injected + *c.flits_copied, c.flits_delivered + c.flits_in_flight);
  const auto& a = program_of(with).edges();
  const auto& b = program_of(without).edges();
  for (std::size_t e = 0; e < a.size(); ++e) {
    EXPECT_GT(a[e].delivered_items, 500U);
    EXPECT_GE(a[e].delivered_items + 40, b[e].delivered_items) << e;
  }
  const double sent = static_cast<double>(c.flits_injected) / static_cast<double>(c.flits_delivered);
  EXPECT_NEAR(sent, 5.0 / 9.0, 0.02) << "of each that is delivered";
  EXPECT_EQ(d.flits_injected, d.flits_delivered + d.flits_in_flight);
}

TEST(PacketMulticast, LeavesStreamsOfDifferentItemsApart) {
  Bench one(program("routers", "")), other(program("none", ""));
  one.run(1500);
  other.run(1500);
  EXPECT_FALSE(one.network->conservation().flits_copied);
  EXPECT_EQ(one.network->merged_statistics().packet_hash(), other.network->merged_statistics().packet_hash());
}

TEST(PacketMulticast, GoesOnFromACheckpoint) {
  for (const std::uint64_t cut : {7U, 40U, 133U, 611U}) {
    expect_continues(program("routers"), cut, 200);
    if (HasFailure()) return;
  }
}

TEST(PacketMulticast, IsRefusedInALineThatNamesTheKey) {
  const auto with = [](const std::string& key, const auto& value) {
    models::Experiment e = program("routers");
    e.set(key, value);
    try {
      Bench bench(e);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string key = "stream.multicast = \"routers\": ";
  EXPECT_EQ(with("interface.packet_items", 5),
            key +
                "where ways part each branch needs room for the whole packet; expected packets of at most "
                "router.buffer_depth = 4 flits, not of 5");
  EXPECT_EQ(with("interface.transfer", "pull"),
            key + "each consumer asks for blocks of its own; expected interface.transfer = \"push\"");
  EXPECT_EQ(with("change.migrate", "sink@8"),
            key + "packets keep their trees, and a section [change] moves streams; expected \"none\"");
  EXPECT_NE(with("topology.local_ports", 4).find(key + "a tree is made of the one way"), std::string::npos);
  EXPECT_NE(with("router.architecture", "ideal").find("expected router.architecture = \"hybrid\""), std::string::npos);
  EXPECT_EQ(with("interface.packet_items", 3), "");
}

}  // namespace
}  // namespace braid::test::packet_multicast_test
