// What comes from a checkpoint into the ideal network and cannot be: links, their packets and ports, and whose turn it
// is. The registers are written down here one by one. (Names of packets: ideal_restored_test.cpp.)
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/families/ideal/fabric.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::ideal_damaged_test {
namespace {

/// In the order in which the network saves them.
struct Registers {
  struct Link {
    std::uint32_t from, to;
    std::vector<std::uint32_t> packets;
    std::vector<std::uint64_t> ports;
    std::uint32_t next_flit;
    void checkpoint(Checkpoint& c) { c(from, to, packets, ports, next_flit); }
  };
  struct Flit {
    std::uint32_t packet;
    bool tail;
  };
  struct Waiting {
    std::vector<Flit> flits;
    void checkpoint(Checkpoint& c) { c(flits); }
  };
  std::vector<Link> links{{0, 1, {3, 4}, {0, 1}, 1}, {1, 2, {}, {}, 0}};
  std::map<std::uint64_t, std::uint32_t> link_of_pair{{1, 0}, {(std::uint64_t{1} << 32) + 2, 1}};
  std::vector<std::uint32_t> active{0};
  std::vector<std::uint64_t> queued{1, 1, 0, 0};  // four local ports
  std::vector<Flit> on_links{{3, false}};
  std::vector<Waiting> at_receiver{{}, {{{5, true}}}, {}};
  std::uint64_t injected = 1, delivered = 0;

  void checkpoint(Checkpoint& c) {
    c(links, link_of_pair, active);
    c.each(queued);
    c(on_links);
    c.each(at_receiver);
    c(injected, delivered);
  }
};

/// What a network of three nodes with four ports says to registers; "": it takes them, and saves the same.
std::string said(Registers registers) {
  models::PacketStore store;
  models::ideal::Fabric network(store, {2, 1, 1}, {true});
  const std::string bytes = saved(registers);
  Checkpoint c(bytes);
  c.set_network(3, 3);
  c.set_packets(6);
  std::string complained = complaint<CheckpointError>([&] {
    network.checkpoint(c);
    c.finish();
  });
  if (complained.empty()) {
    EXPECT_TRUE(saved(network) == bytes);
  }
  return complained;
}
template <class Change>
std::string said_after(Change change) {
  Registers registers;
  change(registers);
  return said(registers);
}

TEST(IdealDamaged, IsNotWhatANetworkSaves) { EXPECT_EQ(said({}), ""); }

/// Each packet of a link came from a port that is there.
TEST(IdealDamaged, IsALinkWhosePacketsHaveNoPort) {
  const std::string none = no_such_state("a packet from no port");
  EXPECT_EQ(said_after([](Registers& r) { r.links[0].ports.pop_back(); }), none);
  EXPECT_EQ(said_after([](Registers& r) { r.links[0].ports.push_back(0); }), none);
  EXPECT_EQ(said_after([](Registers& r) { r.links[1].ports.push_back(0); }), none) << "of the last link";
  EXPECT_EQ(said_after([](Registers& r) { r.links[0].ports[1] = 4; }), "local port 4, here are 4");
  EXPECT_EQ(said_after([](Registers& r) { r.links[0].ports[0] = 4; }), "local port 4, here are 4");
  EXPECT_EQ(said_after([](Registers& r) { r.links[0].ports[1] = 3; }), "");
}

TEST(IdealDamaged, IsAPacketThatIsNotThere) {
  const std::string none = "packet 6, here are 6";
  EXPECT_EQ(said_after([](Registers& r) { r.links[0].packets[1] = 6; }), none);
  EXPECT_EQ(said_after([](Registers& r) { r.on_links[0].packet = 6; }), none);
  EXPECT_EQ(said_after([](Registers& r) { r.on_links.push_back({6, true}); }), none) << "the last one";
  EXPECT_EQ(said_after([](Registers& r) { r.at_receiver[1].flits[0].packet = 6; }), none);
  EXPECT_EQ(said_after([](Registers& r) { r.at_receiver[2].flits.push_back({6, true}); }), none);
  EXPECT_EQ(said_after([](Registers& r) { r.on_links[0].packet = 5; }), "");
}

/// A pair of nodes has one of the links.
TEST(IdealDamaged, IsAPairWithoutALink) {
  EXPECT_EQ(said_after([](Registers& r) { r.link_of_pair[1] = 2; }), "link 2, here are 2");
  EXPECT_EQ(said_after([](Registers& r) { r.link_of_pair[(std::uint64_t{1} << 32) + 2] = 2; }), "link 2, here are 2");
  EXPECT_EQ(said_after([](Registers& r) { r.link_of_pair[1] = 1; }), "");
}

/// A link takes turns while it has packets.
TEST(IdealDamaged, IsATurnOfALinkThatSendsNothing) {
  EXPECT_EQ(said_after([](Registers& r) { r.active = {1}; }), no_such_state("a link that sends nothing"));
  EXPECT_EQ(said_after([](Registers& r) { r.active = {0, 1}; }), no_such_state("a link that sends nothing"));
  EXPECT_EQ(said_after([](Registers& r) { r.active = {2}; }), "link 2, here are 2");
  EXPECT_EQ(said_after([](Registers& r) { r.active = {}; }), "");
}

/// Of another number of ports or of nodes.
TEST(IdealDamaged, IsAnotherNetwork) {
  EXPECT_EQ(said_after([](Registers& r) { r.queued.pop_back(); }), "3 items, here are 4");
  EXPECT_EQ(said_after([](Registers& r) { r.at_receiver.pop_back(); }), "2 items, here are 3");
  EXPECT_EQ(said_after([](Registers& r) { r.links[0].to = 3; }), "node 3, here are 3");
}

}  // namespace
}  // namespace braid::test::ideal_damaged_test
