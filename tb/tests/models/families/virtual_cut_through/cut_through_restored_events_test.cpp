// Events of virtual cut-through routers in a checkpoint, as bytes: each is one that its ports may have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "tb/tests/support/cut_through.h"
#include "tb/tests/support/families.h"
#include "tb/tests/support/restored.h"

namespace braid::test::cut_through_restored_events_test {
namespace {

using models::Experiment;
using models::kNone;
using models::PortIndex;
using models::virtual_cut_through::Bank;
using models::virtual_cut_through::Slice;
using Kind = Slice::EventKind;

/// Of an event's members, as they are saved.
constexpr std::size_t kKind = 8, kOut = 11, kIn = 15, kLength = 19;

Experiment tree() {
  Experiment e = in_family("virtual_cut_through");
  add_traffic(e, 0.9);
  return e;
}

struct Events : Restored {
  explicit Events(const Experiment& e) : Restored(e) { bench.run(300); }
  Slice& slice() { return dynamic_cast<models::virtual_cut_through::Fabric&>(bench.network->fabric()).slice(0); }
  Bank& bank() { return slice().bank(); }

  std::uint32_t at(std::size_t offset) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
  /// What is said with another value there.
  std::string said(std::size_t offset, std::uint32_t value, std::size_t size = 4) const {
    std::string changed = bytes;
    std::memcpy(changed.data() + offset, &value, size);
    return said_to(*other.network, changed);
  }
  std::string said_of_kind(std::size_t event, Kind kind) const {
    return said(event + kKind, static_cast<std::uint32_t>(kind), 1);
  }
  /// Where an event of that kind is that is as wanted(out port, in port), in this cycle or in a later one: what looks
  /// like one, and of whose kind nothing but the kind is said. `bytes` is of that cycle.
  template <class Wanted>
  std::size_t find(Kind kind, Wanted wanted) {
    const auto found = run_until([&]() -> std::optional<std::size_t> {
      bytes = saved(*bench.network);
      const std::uint64_t now = bench.network->now();
      for (std::size_t i = 0; i + kLength <= bytes.size(); ++i) {
        std::uint64_t due = 0;
        std::memcpy(&due, bytes.data() + i, sizeof due);
        if (due <= now || due > now + 255 || bytes[i + kKind] != static_cast<char>(kind)) continue;
        if (at(i + kOut) >= bank().links.size() || !wanted(at(i + kOut), at(i + kIn))) continue;
        if (said(i + kKind, 6, 1) == "kind of event 6, here are 6") return i;
      }
      return std::nullopt;
    });
    return found.value_or(0);
  }
  std::string bytes;
};

/// Of a switch next to a root, whose ports lead to two switches below and to two above.
TEST(CutThroughRestoredEvent, OfATransferIsOfTwoPortsOfASwitch) {
  Events e(tree());
  Bank& bank = e.bank();
  const auto inside = [&](PortIndex out, PortIndex in) {
    return in < bank.input_port_count() && !bank.is_injection_port(out) && bank.router_of(in) == bank.router_of(out);
  };
  const std::size_t event = e.find(Kind::kTransferred, inside);
  const PortIndex in = e.at(event + kIn), out = e.at(event + kOut);
  const auto ports = static_cast<std::uint32_t>(bank.input_port_count());
  const auto links = static_cast<std::uint32_t>(bank.links.size());
  EXPECT_EQ(e.said(event + kOut, links), "port " + std::to_string(links) + ", here are " + std::to_string(links));
  EXPECT_EQ(e.said(event + kIn, ports), "port " + std::to_string(ports) + ", here are " + std::to_string(ports));
  const std::string between = no_such_state("a transfer between two routers");
  EXPECT_EQ(e.said(event + kIn, (in + bank.port_stride()) % ports), between);
  EXPECT_EQ(e.said(event + kOut, (out + bank.port_stride()) % ports), between);
  EXPECT_EQ(e.said(event + kOut, bank.injection_port(0)), between);
  EXPECT_EQ(e.said_of_kind(event, Kind::kLeft), "") << "it is ended in either way";
  EXPECT_EQ(e.said_of_kind(event, Kind::kInjected), no_such_state("an injection by a router"));
  EXPECT_EQ(e.said_of_kind(event, Kind::kRipe), no_such_state("a head that waits for a tail and is not there"));
}

/// A root has ports down alone.
TEST(CutThroughRestoredEvent, OfATransferLeadsSomewhere) {
  Events e(tree());
  Bank& bank = e.bank();
  const auto unwired = [&](PortIndex out) {
    const PortIndex first = out - bank.port_of(out);
    PortIndex p = first;
    while (p < first + bank.port_stride() && bank.links[p].target != kNone) ++p;
    return p;
  };
  const auto at_root = [&](PortIndex out, PortIndex in) {
    return in < bank.input_port_count() && !bank.is_injection_port(out) && bank.router_of(in) == bank.router_of(out) &&
           bank.queues[in].leaving && unwired(out) < out - bank.port_of(out) + bank.port_stride();
  };
  const std::size_t event = e.find(Kind::kTransferred, at_root);
  EXPECT_EQ(e.said(event + kOut, unwired(e.at(event + kOut))), no_such_state("a transfer that leads nowhere"));
}

TEST(CutThroughRestoredEvent, OfAnInjectionIsOfANodeThatSends) {
  Events e(tree());
  Bank& bank = e.bank();
  const std::size_t event =
      e.find(Kind::kInjected, [&](PortIndex out, PortIndex) { return bank.is_injection_port(out); });
  EXPECT_EQ(e.said(event + kOut, 0), no_such_state("an injection by a router"));
  const auto first = static_cast<PortIndex>(bank.injection_port(0));
  std::size_t twice = 0;
  for (PortIndex link = first; link < first + 8; ++link) {  // of each other node: it sends nothing, or is done twice
    if (link == e.at(event + kOut)) continue;
    twice += e.said(event + kOut, link) == no_such_state("an injection that is not under way") ? 1 : 0;
  }
  EXPECT_EQ(twice, 7U);
}

/// A packet for a node has left its last queue, and goes on from a register behind its port.
TEST(CutThroughRestoredEvent, OfARegisterIsOfItsPacket) {
  Events e(vct_fat_tree(0.4));
  Bank& bank = e.bank();
  const auto in_register = [&](PortIndex out, std::uint32_t slot) {
    const auto& slots = e.slice().in_registers();
    return bank.links[out].to_node && std::find(slots.begin(), slots.end(), slot) != slots.end();
  };
  const std::size_t event = e.find(Kind::kSentOff, in_register);
  EXPECT_EQ(e.said(event + kIn, 0x7fffffff).rfind("packet 2147483647, here are ", 0), 0U);
  EXPECT_EQ(e.said(event + kOut, bank.injection_port(0)), no_such_state("a packet that is sent nowhere"));
  PortIndex unwired = 0;
  while (unwired < bank.input_port_count() && bank.links[unwired].target != kNone) ++unwired;
  ASSERT_LT(unwired, bank.input_port_count());
  EXPECT_EQ(e.said(event + kOut, unwired), no_such_state("a packet that is sent nowhere"));
  auto& registers = const_cast<std::vector<models::PacketSlot>&>(e.slice().in_registers());
  const auto said_of = [&](models::PacketSlot slot) { return e.said_after([&] { registers.push_back(slot); }); };
  EXPECT_EQ(said_of(0x7fffffff).rfind("packet 2147483647, here are ", 0), 0U);
  models::PacketSlot queued = 0;  // of a packet that is in a queue
  for (PortIndex p = 0; p < bank.input_port_count(); ++p) {
    if (bank.queues[p].count > 0 && !bank.queues[p].leaving) queued = bank.front(p).slot;
  }
  EXPECT_EQ(said_of(queued), no_such_state("a register that sends nothing"));
}

/// A head whose tail is late asks when it cannot be late any more: until then it is there, and has a way on.
TEST(CutThroughRestoredEvent, OfATailIsOfAHeadThatWaitsForIt) {
  Events e(vct_fat_tree(0.4));
  Bank& bank = e.bank();
  const auto waits = [&](PortIndex out, PortIndex in) { return out == in && in < bank.input_port_count(); };
  const std::size_t event = e.find(Kind::kRipe, waits);
  const PortIndex in = e.at(event + kIn);
  const std::string gone = no_such_state("a head that waits for a tail and is not there");
  EXPECT_EQ(e.said_after([&] { bank.ways[in] = 0; }), gone);
  EXPECT_EQ(e.said_after([&] { bank.queues[in].leaving = true; }), gone);
  EXPECT_EQ(e.said_after([&] { bank.queues[in].count = 0; }), gone);
  const auto ports = static_cast<std::uint32_t>(bank.input_port_count());
  EXPECT_EQ(e.said(event + kIn, ports), "port " + std::to_string(ports) + ", here are " + std::to_string(ports));
  EXPECT_EQ(e.said(event + kIn, in == 0 ? 1 : 0), gone) << "of another port";
}

}  // namespace
}  // namespace braid::test::cut_through_restored_events_test
