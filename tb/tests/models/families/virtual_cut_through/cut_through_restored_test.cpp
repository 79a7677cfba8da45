// What comes from a checkpoint into virtual cut-through routers, register by register and event by event: each that
// names something that is not there, or that another contradicts, is refused for what it is, and the last value that is
// allowed is taken.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tb/tests/support/cut_through.h"
#include "tb/tests/support/families.h"
#include "tb/tests/support/restored.h"

namespace braid::test::cut_through_restored_test {
namespace {

using models::Experiment;
using models::kNone;
using models::PortIndex;
using models::virtual_cut_through::Bank;
using models::virtual_cut_through::PortMask;
using models::virtual_cut_through::QueuedPacket;
using models::virtual_cut_through::Slice;

constexpr models::PacketSlot kNoPacket = 0x7fffffff;

/// 8 nodes and 12 switches of 4 ports, in queues of four packets.
Experiment busy() {
  Experiment e = in_family("virtual_cut_through");
  add_traffic(e, 0.9);
  return e;
}

struct CutThroughRestored : Restored {
  explicit CutThroughRestored(const Experiment& e = busy(), std::size_t slices = 1) : Restored(e, slices) {
    bench.run(300);
  }
  Slice& slice(std::size_t s = 0) {
    return dynamic_cast<models::virtual_cut_through::Fabric&>(bench.network->fabric()).slice(s);
  }
  Bank& bank() { return slice().bank(); }
  models::virtual_cut_through::Router& router(PortIndex p) { return bank().routers[bank().router_of(p).value]; }
  PortMask bit(PortIndex p) { return PortMask{1} << bank().port_of(p); }
  /// Its head asks for nothing.
  bool rests(PortIndex p) { return bank().queues[p].count == 0 || bank().queues[p].leaving; }
  bool chooses(PortIndex p) { return (router(p).choosing & bit(p)) != 0; }

  /// What is said to a port of a switch that is as wanted and is changed.
  template <class Wanted, class Change>
  std::string said_of(Wanted wanted, Change change) {
    const auto found = run_until([&]() -> std::optional<PortIndex> {
      for (PortIndex p = 0; p < bank().input_port_count(); ++p) {
        if (wanted(p)) return p;
      }
      return std::nullopt;
    });
    return found ? said_after([&] { change(*found); }) : "nothing to change";
  }
};

TEST(CutThroughRestoredQueue, HasItsPacketsInItsPlaces) {
  CutThroughRestored r;
  auto& queues = r.bank().queues;
  const auto empty = [&](PortIndex p) { return queues[p].count == 0; };
  EXPECT_EQ(r.said_of(empty, [&](PortIndex p) { queues[p].first = 4; }), "place in a queue 4, here are 4");
  EXPECT_EQ(r.said_of(empty, [&](PortIndex p) { queues[p].first = 3; }), "");
  const auto full = [&](PortIndex p) { return queues[p].count == 4; };
  EXPECT_EQ(r.said_of(full, [&](PortIndex p) { queues[p].count = 5; }), "number of packets in a queue 5, here are 5");
  EXPECT_EQ(r.said_of(empty, [&](PortIndex p) { queues[p].leaving = true; }),
            no_such_state("a packet that leaves an empty queue"));
}

/// The first packet of a queue, and the last one.
TEST(CutThroughRestoredQueue, HoldsPacketsAsTheyAreInTheStore) {
  CutThroughRestored r;
  auto& queues = r.bank().queues;
  const auto full = [&](PortIndex p) { return queues[p].count == 4; };
  for (const std::uint32_t i : {0U, 3U}) {
    const auto packet = [&](PortIndex p) -> QueuedPacket& { return const_cast<QueuedPacket&>(r.bank().queued(p, i)); };
    const std::string said = r.said_of(full, [&](PortIndex p) { packet(p).slot = kNoPacket; });
    EXPECT_EQ(said.rfind("packet 2147483647, here are ", 0), 0U) << said;
    const std::string other = no_such_state("a packet of another length");
    EXPECT_EQ(r.said_of(full, [&](PortIndex p) { packet(p).length_flits = 0; }), other);
    EXPECT_EQ(r.said_of(full, [&](PortIndex p) { ++packet(p).length_flits; }), other);
  }
}

TEST(CutThroughRestoredHead, AsksWhereItIsForWhatIsThere) {
  CutThroughRestored r;
  Bank& bank = r.bank();
  const std::string gone = no_such_state("a head that asks and is not there");
  for (const bool leaves : {false, true}) {
    const auto rests = [&](PortIndex p) { return r.rests(p) && bank.queues[p].leaving == leaves; };
    EXPECT_EQ(r.said_of(rests, [&](PortIndex p) { bank.through[p] |= r.bit(p); }), gone);
    EXPECT_EQ(r.said_of(rests, [&](PortIndex p) { bank.entering[p] |= r.bit(p); }), gone);
    const auto choose = [&](PortIndex p) {
      bank.ways[p] = 1;
      r.router(p).choosing |= r.bit(p);
    };
    EXPECT_EQ(r.said_of(rests, choose), gone);
  }
  const std::string nowhere = no_such_state("a way that leads nowhere");
  const auto chooses = [&](PortIndex p) { return r.chooses(p); };
  EXPECT_EQ(r.said_of(chooses, [&](PortIndex p) { bank.ways[p] = 0; }), nowhere);
  EXPECT_EQ(r.said_of(chooses, [&](PortIndex p) { bank.ways[p] |= PortMask{1} << 63; }), nowhere);
  const auto any = [](PortIndex) { return true; };
  EXPECT_EQ(r.said_of(any, [&](PortIndex p) { bank.next_turn[p] = 64; }), "turn of a port 64, here are 64");
  EXPECT_EQ(r.said_of(any, [&](PortIndex p) { bank.next_turn[p] = 63; }), "");
}

/// The switches of the roots have no ports up.
TEST(CutThroughRestoredOutput, IsAPortThatLeadsSomewhere) {
  CutThroughRestored r;
  const auto unwired = [&](PortIndex p) { return r.bank().links[p].target == kNone; };
  const std::string nowhere = no_such_state("an output port that is not there");
  EXPECT_EQ(r.said_of(unwired, [&](PortIndex p) { r.router(p).asked |= r.bit(p); }), nowhere);
  EXPECT_EQ(r.said_of(unwired, [&](PortIndex p) { r.router(p).credited |= r.bit(p); }), nowhere);
}

/// A packet that leaves has an event that ends it.
TEST(CutThroughRestoredTransfer, IsUnderWayWhileItsPacketLeaves) {
  CutThroughRestored r;
  const auto leaves = [&](PortIndex p) { return r.bank().queues[p].leaving; };
  EXPECT_EQ(r.said_of(leaves, [&](PortIndex p) { r.bank().queues[p].leaving = false; }),
            no_such_state("a transfer that is not under way"));
}

/// In two slices: what is on its way to a slice is for a port of its own.
TEST(CutThroughRestoredChannel, BringsWhatIsForItsSlice) {
  CutThroughRestored r(busy(), 2);
  Bank& bank = r.bank();
  const auto ports = static_cast<PortIndex>(bank.input_port_count());
  const auto links = static_cast<PortIndex>(bank.links.size());
  const std::uint64_t now = r.bench.network->now();
  const auto arrival = [&](std::size_t s, PortIndex port, const QueuedPacket& packet) {
    return r.said_after([&] { r.slice(s).own_channel().at(now).arrivals.push_back({port, packet}); });
  };
  const QueuedPacket packet{0, NodeId{0}, NodeId{1}, 5, 0};
  EXPECT_EQ(arrival(0, ports, packet), "port " + std::to_string(ports) + ", here are " + std::to_string(ports));
  const QueuedPacket none{kNoPacket, NodeId{0}, NodeId{1}, 5, 0};
  EXPECT_EQ(arrival(0, 0, none).rfind("packet 2147483647, here are ", 0), 0U);
  const std::string lost = no_such_state("a packet on the way to no router");
  PortIndex unwired = 0;
  while (bank.upstream[unwired] != kNone) ++unwired;
  for (const std::size_t s : {0U, 1U}) EXPECT_EQ(arrival(s, unwired, packet), lost) << "of a port without a link";
  EXPECT_EQ(arrival(0, 0, {0, NodeId{0}, NodeId{1}, 0, 0}), lost) << "of no flit";
  EXPECT_EQ(arrival(1, 0, packet), lost) << "a port of the first slice's";

  const auto credit = [&](std::size_t s, PortIndex port) {
    return r.said_after([&] { r.slice(s).own_channel().at(now).credits.push_back({port, 5, now + 3}); });
  };
  const std::string refused = no_such_state("a credit for another router");
  EXPECT_EQ(credit(0, links), "port " + std::to_string(links) + ", here are " + std::to_string(links));
  EXPECT_EQ(credit(0, 0), "");
  EXPECT_EQ(credit(1, 0), refused);
  // Its ports are numbered behind those of the first slice's last router.
  PortIndex border = 0;
  while (credit(0, border).empty()) border += bank.port_stride();
  EXPECT_EQ(credit(0, border), refused);
  EXPECT_EQ(credit(0, border - 1), "");
  EXPECT_EQ(credit(1, border), "");
  EXPECT_EQ(credit(1, border - 1), refused);
  // Nodes are at the lowest switches, of the first slice or of both: each injection link is one slice's.
  for (std::size_t i = 0; i < 8; ++i) {
    const PortIndex link = bank.injection_port(i);
    const bool first = bank.links[link].target < border;
    EXPECT_EQ(credit(first ? 0 : 1, link), "") << i;
    EXPECT_EQ(credit(first ? 1 : 0, link), refused) << i;
  }
}

}  // namespace
}  // namespace braid::test::cut_through_restored_test
