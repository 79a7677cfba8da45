// What comes from a checkpoint into Myrinet-like switches, register by register and event by event: each that names
// something that is not there, or that another contradicts, is refused for what it is, and the last value that is
// allowed is taken.
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <set>
#include <string>

#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/restored.h"

namespace braid::test::myrinet_restored_test {
namespace {

using models::kNone;
using models::PortIndex;
using models::myrinet::Channel;
using models::myrinet::Input;
using models::myrinet::Output;
using models::myrinet::Passing;
using State = Input::State;

constexpr models::PacketSlot kNoPacket = 0x7fffffff;

struct MyrinetRestored : Restored {
  /// 8 switches with 4 hosts and 4 links each: 64 ports of switches, 96 channels, legs through in-transit buffers.
  explicit MyrinetRestored(const models::Experiment& e = irregular_myrinet(8, 0.3, "balanced", "every_switch"))
      : Restored(e) {
    bench.run(500);
  }
  const models::myrinet::Slice& slice() const { return myrinet_of(bench).slice(); }
  Channel& channel(PortIndex c) const { return const_cast<Channel&>(slice().channels()[c]); }
  Input& input(PortIndex c) const { return const_cast<Input&>(slice().inputs()[c]); }
  Output& output(PortIndex o) const { return const_cast<Output&>(slice().outputs()[o]); }
  const routing::RouteTable& routes() const { return *bench.routing->routes(); }

  /// What is said to a thing below `end` that is as wanted and is changed.
  template <class Wanted, class Change>
  std::string said_of(std::size_t end, Wanted wanted, Change change) {
    const auto found = run_until([&]() -> std::optional<PortIndex> {
      for (PortIndex i = 0; i < end; ++i) {
        if (wanted(i)) return i;
      }
      return std::nullopt;
    });
    return found ? said_after([&] { change(*found); }) : "nothing to change";
  }
  template <class Wanted, class Change>
  std::string said_of_channel(Wanted wanted, Change change) {
    return said_of(slice().channels().size(), wanted, change);
  }
  template <class Wanted, class Change>
  std::string said_of_output(Wanted wanted, Change change) {
    return said_of(slice().outputs().size(), wanted, change);
  }
};

/// A row of three switches, where ports north and south lead nowhere.
MyrinetRestored row_of_three() {
  models::Experiment e = myrinet_row(3);
  e.set("traffic.rate_flits_per_node_cycle", 0.5);
  return MyrinetRestored(e);
}

/// The last packet that is sent on an open channel, and one that is on its way.
TEST(MyrinetRestoredPacket, HasASlotARouteAndAFlit) {
  MyrinetRestored r;
  const auto open = [&](PortIndex c) { return r.channel(c).open; };
  const auto passes = [&](PortIndex c) { return !r.channel(c).open && !r.channel(c).passing.empty(); };
  for (const bool sent : {true, false}) {
    SCOPED_TRACE(sent);
    const auto said = [&](auto change) {
      const auto of = [&](PortIndex c) { change(sent ? r.channel(c).sending : r.channel(c).passing.back()); };
      return sent ? r.said_of_channel(open, of) : r.said_of_channel(passes, of);
    };
    const std::string routes = std::to_string(r.routes().size());
    EXPECT_EQ(said([](Passing& p) { p.slot = kNoPacket; }).rfind("packet 2147483647, here are ", 0), 0U);
    EXPECT_EQ(said([&](Passing& p) { p.route = static_cast<routing::RouteId>(r.routes().size()); }),
              "route " + routes + ", here are " + routes);
    std::string end;
    const auto off = [&](Passing& p) {
      p.hop = static_cast<std::uint16_t>(r.routes().links(p.route) + 2);
      end = std::to_string(p.hop);
    };
    const std::string refused = said(off);
    EXPECT_EQ(refused, "router of a route " + end + ", here are " + end);
    EXPECT_EQ(said([](Passing& p) { p.flits = p.header; }), no_such_state("a packet without a flit"));
  }
  const auto last = [&](PortIndex c) {
    Passing& p = r.channel(c).sending;
    p.hop = static_cast<std::uint16_t>(r.routes().links(p.route) + 1);
  };
  EXPECT_EQ(r.said_of_channel(open, last), "") << "to its node";
  for (const bool cut : {false, true}) {
    const auto shortest = [&](PortIndex c) {
      Passing& p = r.channel(c).sending;
      p.flits = p.header + 1;
      p.cut = cut;
    };
    EXPECT_EQ(r.said_of_channel(open, shortest), "") << "its end sign alone, where it is cut";
  }
}

TEST(MyrinetRestoredChannel, ComesFromAChannelAndLeadsSomewhere) {
  MyrinetRestored r;
  ASSERT_EQ(r.slice().channels().size(), 96U);
  const auto rests = [&](PortIndex c) { return !r.channel(c).open; };
  EXPECT_EQ(r.said_of_channel(rests, [&](PortIndex c) { r.channel(c).source = 96; }), "channel 96, here are 96");
  EXPECT_EQ(r.said_of_channel(rests, [&](PortIndex c) { r.channel(c).source = 95; }), "");
  const std::string nowhere = no_such_state("a channel that leads nowhere");
  const auto of_a_switch = [&](PortIndex c) { return r.channel(c).open && !r.channel(c).from_node; };
  EXPECT_EQ(r.said_of_channel(of_a_switch, [&](PortIndex c) { r.channel(c).source = kNone; }), nowhere);
  const auto of_a_host = [&](PortIndex c) { return r.channel(c).open && r.channel(c).from_node; };
  EXPECT_EQ(r.said_of_channel(of_a_host, [&](PortIndex c) { r.channel(c).source = kNone; }), "") << "its memory";
  MyrinetRestored row = row_of_three();
  const auto unwired = [&](PortIndex c) { return row.channel(c).target == kNone; };
  const auto open = [&](PortIndex c) {
    PortIndex from = 0;
    while (row.channel(from).passing.empty()) ++from;
    row.channel(c).open = true;
    row.channel(c).source = from;
    row.channel(c).sending = row.channel(from).passing.front();
  };
  EXPECT_EQ(row.said_of_channel(unwired, open), nowhere);
}

TEST(MyrinetRestoredInput, AsksForAPortForThePacketAtItsFront) {
  MyrinetRestored r;
  const auto idle = [&](PortIndex c) { return r.input(c).state == State::kIdle; };
  const auto empty = [&](PortIndex c) { return idle(c) && r.channel(c).passing.empty(); };
  EXPECT_EQ(r.said_of_channel(idle, [&](PortIndex c) { r.input(c).state = static_cast<State>(4); }),
            "state of an input 4, here are 4");
  EXPECT_EQ(r.said_of_channel(idle, [&](PortIndex c) { r.input(c).output = 64; }), "port 64, here are 64");
  EXPECT_EQ(r.said_of_channel(idle, [&](PortIndex c) { r.input(c).output = 63; }), "");
  const auto busy = [&](PortIndex c) { return !idle(c); };
  EXPECT_EQ(r.said_of_channel(busy, [&](PortIndex c) { r.input(c).output = kNone; }),
            no_such_state("a packet that asks for no port"));
  const auto ask = [&](PortIndex c) {
    r.input(c).state = State::kWaits;
    r.input(c).output = 0;
  };
  EXPECT_EQ(r.said_of_channel(empty, ask), no_such_state("a header of no packet"));
}

TEST(MyrinetRestoredOutput, IsGrantedAndAskedByInputsThatAreThere) {
  MyrinetRestored r;
  const auto idle = [&](PortIndex o) { return r.output(o).input == kNone; };
  EXPECT_EQ(r.said_of_output(idle, [&](PortIndex o) { r.output(o).input = 96; }), "channel 96, here are 96");
  EXPECT_EQ(r.said_of_output(idle, [&](PortIndex o) { r.output(o).input = 95; }), "");
  EXPECT_EQ(r.said_of_output(idle, [&](PortIndex o) { r.output(o).last = 65; }), "turn of a port 65, here are 65");
  EXPECT_EQ(r.said_of_output(idle, [&](PortIndex o) { r.output(o).last = 64; }), "");
  EXPECT_EQ(r.said_of_output(idle, [&](PortIndex o) { r.output(o).asked |= 1U << 8; }), "port 8, here are 8");
  MyrinetRestored row = row_of_three();
  const auto any = [](PortIndex) { return true; };
  std::set<std::string> said;
  for (unsigned port = 0; port < 5; ++port) {  // of switch 0: east, west, north, south and its node
    said.insert(row.said_of_output(any, [&](PortIndex o) { row.output(o).asked |= 1U << port; }));
    EXPECT_EQ(said.count(""), 1U) << "the first leads east";
  }
  EXPECT_EQ(said, (std::set<std::string>{"", no_such_state("a port that is not there")}));
}

/// A switch that turns to a packet has one.
TEST(MyrinetRestoredOutput, IsRoutedForThePacketThatHasIt) {
  MyrinetRestored r;
  const auto routes = [&](PortIndex c) { return r.input(c).state == State::kRouting; };
  EXPECT_EQ(r.said_of_channel(routes, [&](PortIndex c) { r.output(r.input(c).output).input = kNone; }),
            no_such_state("a header of no packet"));
}

// ---------------------------------------------------------------- events, as bytes

/// Of an event's members, as they are saved, and its kinds.
constexpr std::size_t kChannel = 8, kKind = 12, kLength = 13;
enum Kind : char { kRouted = 6, kTail = 8, kBegin = 9, kKinds = 11 };

std::string with(const std::string& bytes, std::size_t offset, std::uint32_t value, std::size_t size) {
  std::string changed = bytes;
  std::memcpy(changed.data() + offset, &value, size);
  return changed;
}

struct Found {
  std::size_t offset;
  PortIndex channel;
};

/// Where some events are: what looks like one, and of whose kind nothing but the kind is said.
std::vector<Found> events(MyrinetRestored& r, const std::string& bytes, std::size_t wanted) {
  std::vector<Found> found;
  const std::uint64_t now = r.bench.network->now();
  for (std::size_t i = 0; i + kLength <= bytes.size() && found.size() < wanted; ++i) {
    std::uint64_t due = 0;
    PortIndex channel = 0;
    std::memcpy(&due, bytes.data() + i, sizeof due);
    std::memcpy(&channel, bytes.data() + i + kChannel, sizeof channel);
    if (due < now || due > now + 1000 || channel >= r.slice().channels().size()) continue;
    if (bytes[i + kKind] < 0 || bytes[i + kKind] >= kKinds) continue;
    if (said_to(*r.other.network, with(bytes, i + kKind, kKinds, 1)) == "kind of event 11, here are 11") {
      found.push_back({i, channel});
    }
  }
  return found;
}

/// Each of some events, made one of every kind that only some channels have.
TEST(MyrinetRestoredEvent, IsOfAChannelThatMayHaveIt) {
  MyrinetRestored r;
  const std::string bytes = saved(*r.bench.network);
  const std::vector<Found> found = events(r, bytes, 24);
  std::set<bool> of_hosts;
  for (const auto& [offset, c] : found) {
    const auto said = [&, at = offset](Kind kind) {
      return said_to(*r.other.network, with(bytes, at + kKind, kind, 1));
    };
    const bool from_node = r.channel(c).from_node, to_node = r.channel(c).to_node;
    of_hosts.insert(from_node);
    EXPECT_EQ(said(kBegin), from_node ? "" : no_such_state("a packet that begins at a router")) << c;
    EXPECT_EQ(said(kTail), to_node ? "" : no_such_state("a tail that comes to a router")) << c;
    if (from_node) {
      EXPECT_EQ(said(kRouted), "port " + std::to_string(c) + ", here are 64");
    } else {
      EXPECT_EQ(said(kRouted), r.output(c).input == kNone ? no_such_state("a header of no packet") : "") << c;
    }
    EXPECT_EQ(said_to(*r.other.network, with(bytes, offset + kChannel, 96, 4)), "channel 96, here are 96");
  }
  EXPECT_EQ(of_hosts.size(), 2U) << "and of switches";
}

TEST(MyrinetRestoredEvent, IsOfAChannelThatIsWired) {
  MyrinetRestored r = row_of_three();
  const std::string bytes = saved(*r.bench.network);
  const std::vector<Found> found = events(r, bytes, 1);
  ASSERT_EQ(found.size(), 1U);
  PortIndex unwired = 0;
  while (r.channel(unwired).target != kNone) ++unwired;
  EXPECT_EQ(said_to(*r.other.network, with(bytes, found[0].offset + kChannel, unwired, 4)),
            no_such_state("an event of a channel that is not there"));
}

}  // namespace
}  // namespace braid::test::myrinet_restored_test
