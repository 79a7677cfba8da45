// Registers of virtual cut-through routers in a checkpoint, port by port: heads that ask are looked at by their own
// port's bit and nobody else's, ways and outputs by those of ports that are wired. Queues are filled by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tb/tests/support/cut_through_middle.h"
#include "tb/tests/support/restored.h"

namespace braid::test::cut_through_restored_ports_test {
namespace {

using models::PortIndex;
using models::virtual_cut_through::Bank;
using models::virtual_cut_through::PortMask;

constexpr std::uint32_t kPorts = 5;
constexpr PortMask bit(std::uint32_t port) { return PortMask{1} << port; }

/// Nine routers, of which the first has no port west and none south. Packet 0 has 4 flits in both networks; of these
/// the routers alone are saved, for packets that are put into queues by hand are nobody's.
struct Ports {
  Bench bench{CutThroughMiddle::nine()}, other{CutThroughMiddle::nine()};
  Bank& bank = dynamic_cast<models::virtual_cut_through::Fabric&>(bench.network->fabric()).slice(0).bank();

  Ports() {
    for (const Bench* one : {&bench, &other}) one->network->send_packet(NodeId{8}, NodeId{0}, 4);
  }
  static std::string said_to(const Bench& network, const std::string& bytes) {
    Checkpoint c(bytes);
    c.set_packets(1);
    return complaint<CheckpointError>([&] {
      network.network->fabric().checkpoint(c);
      c.finish();
    });
  }
  /// With what `change()` does to the registers, which are as they were afterwards.
  template <class Change>
  std::string said_after(Change change) {
    const std::string bytes = saved(bench.network->fabric());
    EXPECT_EQ(said_to(other, bytes), "") << "as it is";
    change();
    std::string said = said_to(other, saved(bench.network->fabric()));
    EXPECT_EQ(said_to(bench, bytes), "");
    return said;
  }
  PortIndex at(std::uint32_t r, std::uint32_t p) const { return bank.port_index(RouterId{r}, PortId{p}); }
  models::virtual_cut_through::Router& router(std::uint32_t r) const { return bank.routers[r]; }
  /// The packet is in that queue alone.
  void fill(std::uint32_t r, std::uint32_t p) const { bank.push(at(r, p), {0, NodeId{8}, NodeId{0}, 4, 1}); }
};

const std::string kGone = no_such_state("a head that asks and is not there");
const std::string kNowhere = no_such_state("a way that leads nowhere");
const std::string kNoOutput = no_such_state("an output port that is not there");

/// A head asks from the port where a packet waits, for whichever output.
TEST(CutThroughRestoredPorts, AskWhereAPacketWaits) {
  Ports r;
  for (std::uint32_t filled = 0; filled < kPorts; ++filled) {
    for (std::uint32_t asking = 0; asking < kPorts; ++asking) {
      for (const bool enters : {false, true}) {
        const std::string said = r.said_after([&] {
          r.fill(4, filled);
          (enters ? r.bank.entering : r.bank.through)[r.at(4, (asking + 2) % kPorts)] = bit(asking);
        });
        EXPECT_EQ(said, asking == filled ? "" : kGone) << filled << asking << enters;
      }
    }
  }
}

/// One that chooses has ways, each over a port that is wired; ways of heads that do not are of no matter.
TEST(CutThroughRestoredPorts, ChooseAmongWaysThatLeadSomewhere) {
  Ports r;
  for (std::uint32_t p = 0; p < kPorts; ++p) {
    const auto said = [&](std::uint32_t choosing, PortMask ways) {
      std::string text = r.said_after([&] {
        r.fill(4, p);
        r.bank.ways[r.at(4, p)] = ways;
        r.router(4).choosing = bit(choosing);
        if (choosing != p) r.bank.ways[r.at(4, choosing)] = bit(0);
      });
      return text;
    };
    EXPECT_EQ(said(p, 0), kNowhere) << p;
    EXPECT_EQ(said(p, bit(0) | bit(4)), "") << p;
    EXPECT_EQ(said(p, bit(0) | bit(5)), kNowhere) << p << ": there is no port 5";
    EXPECT_EQ(said((p + 1) % kPorts, 0), kGone) << p << ": the other's head is not there";
  }
}

/// Of the router in the corner: outputs asked for, or with credits, are those that are wired.
TEST(CutThroughRestoredPorts, AreAskedForWhereTheyLeadSomewhere) {
  Ports r;
  std::size_t unwired = 0;
  for (std::uint32_t p = 0; p < r.bank.port_stride(); ++p) {
    const bool wired = r.bank.links[r.at(0, p)].target != models::kNone;
    unwired += wired ? 0 : 1;
    EXPECT_EQ(r.said_after([&] { r.router(0).asked |= bit(p); }), wired ? "" : kNoOutput) << p;
    EXPECT_EQ(r.said_after([&] { r.router(0).credited |= bit(p); }), wired ? "" : kNoOutput) << p;
    const std::string ways = r.said_after([&] {
      r.fill(0, 4);
      r.bank.ways[r.at(0, 4)] = bit(0) | bit(p);
      r.router(0).choosing = bit(4);
    });
    EXPECT_EQ(ways, wired ? "" : kNowhere) << p;
  }
  EXPECT_EQ(unwired, 5U) << "west, south, and the numbers from 5 to 7";
}

/// A packet that leaves does not ask, and one that leaves has an event, which is not there.
TEST(CutThroughRestoredPorts, AreNotAskedByWhatLeaves) {
  Ports r;
  for (std::uint32_t p = 0; p < kPorts; ++p) {
    const std::string said = r.said_after([&] {
      r.fill(4, p);
      r.bank.queues[r.at(4, p)].leaving = true;
      r.bank.through[r.at(4, (p + 1) % kPorts)] = bit(p);
    });
    EXPECT_EQ(said, kGone) << p;
  }
}

}  // namespace
}  // namespace braid::test::cut_through_restored_ports_test
