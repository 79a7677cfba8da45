// Rows of a waveform of Myrinet-like switches, told from registers that are written by hand: the packet at the front of
// a slack buffer, why its flits stay, what a port sends. By exact cycle: myrinet_waveform_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tb/tests/support/myrinet.h"

namespace braid::test::myrinet_rows_test {
namespace {

using models::kNone;
using models::PortIndex;
using models::myrinet::Channel;
using models::myrinet::Input;
using models::myrinet::Output;
using State = Input::State;

constexpr std::uint64_t kNow = 40;
enum Stall : std::uint64_t { kNothing, kMoves, kRoutes, kNoFlit, kOutputTaken, kStopped };

/// The switch in the middle of three. Packets 2.0, 2.1 and 2.2 are in slots 0, 1 and 2.
struct Rows {
  Bench bench{myrinet_row(3)};
  const models::myrinet::Slice& slice = myrinet_of(bench).slice();
  PortIndex east = port(routing::kEast), local = port(PortId{4}), west = port(routing::kWest);
  models::SignalTable table;
  std::unique_ptr<models::SignalSource> source;

  Rows() {
    for (int i = 0; i < 3; ++i) bench.network->send_packet(NodeId{2}, NodeId{0}, 4);
    source = bench.network->fabric().signals(table, {RouterId{1}});
  }
  PortIndex port(PortId p) const { return slice.wiring().port_index(RouterId{1}, p); }
  /// That leads to the port west of the switch.
  Channel& into() const { return const_cast<Channel&>(slice.channels()[slice.channel_into(west)]); }
  Input& input() const { return const_cast<Input&>(slice.inputs()[slice.channel_into(west)]); }
  Channel& out(PortIndex o) const { return const_cast<Channel&>(slice.channels()[o]); }
  Output& output(PortIndex o) const { return const_cast<Output&>(slice.outputs()[o]); }
  static models::myrinet::Passing passing(models::PacketSlot slot) {
    models::myrinet::Passing packet;
    packet.slot = slot;
    packet.flits = 9;
    return packet;
  }
  std::uint64_t row(const std::string& where, const std::string& name) const {
    source->sample(kNow);
    for (const models::Signal& s : table.signals()) {
      if (s.scope == "router_1_0." + where && s.name == name) return s.value;
    }
    ADD_FAILURE() << "no row " << where << "." << name;
    return 0;
  }
  std::uint64_t in(const std::string& name) const { return row("west", name); }
};

std::uint64_t packet(std::uint32_t sequence) { return models::packet_number(2, sequence); }

/// It is there while a flit of it is, or while its header has been taken; one that is on the link is not.
TEST(MyrinetRows, NameThePacketAtTheFrontOfABuffer) {
  Rows r;
  EXPECT_EQ(r.in("packet"), 0U);
  r.into().passing = {Rows::passing(1), Rows::passing(2)};
  EXPECT_EQ(r.in("packet"), 0U) << "no flit of it has come";
  EXPECT_EQ(r.in("head_source"), 2U);
  EXPECT_EQ(r.in("head_sequence"), 1U);
  r.into().arrived.add(1);
  EXPECT_EQ(r.in("packet"), packet(1));
  EXPECT_EQ(r.in("flits"), 1U);
  r.into().left.add(1);
  EXPECT_EQ(r.in("packet"), 0U);
  EXPECT_EQ(r.in("flits"), 0U);
  for (const State state : {State::kWaits, State::kRouting, State::kOpen}) {
    r.input().state = state;
    r.input().output = r.east;
    EXPECT_EQ(r.in("packet"), packet(1)) << "its header was taken";
    EXPECT_EQ(r.in("state"), static_cast<std::uint64_t>(state));
  }
  r.into().passing.pop_front();
  EXPECT_EQ(r.in("packet"), packet(2));
  r.into().passing.clear();
  r.input() = {};
  EXPECT_EQ(r.in("packet"), 0U);
  EXPECT_EQ(r.in("head_sequence"), 2U) << "keeps its value where no packet is";
}

TEST(MyrinetRows, NameTheOutputOfAnInput) {
  Rows r;
  EXPECT_EQ(r.in("out"), 0U);
  r.input().output = r.east;
  EXPECT_EQ(r.in("out"), 1U) << "the first port";
  r.input().output = r.local;
  EXPECT_EQ(r.in("out"), 5U);
  r.into().stopping = true;
  EXPECT_EQ(r.in("stop"), 1U);
  r.into().stopping = false;
  EXPECT_EQ(r.in("stop"), 0U);
}

/// In each state of an input, of an output that sends, that has nothing to send, that may not.
TEST(MyrinetRows, TellWhyFlitsStay) {
  Rows r;
  r.input().output = r.east;
  r.into().passing = {Rows::passing(1)};
  struct Case {
    State state;
    bool sends, go;
    std::uint64_t stall;
  };
  for (const Case& c : {Case{State::kIdle, true, true, kNothing}, Case{State::kIdle, false, false, kNothing},
                        Case{State::kWaits, true, true, kOutputTaken}, Case{State::kWaits, false, false, kOutputTaken},
                        Case{State::kRouting, false, true, kRoutes}, Case{State::kRouting, false, false, kRoutes},
                        Case{State::kOpen, true, true, kMoves}, Case{State::kOpen, true, false, kMoves},
                        Case{State::kOpen, false, true, kNoFlit}, Case{State::kOpen, false, false, kStopped}}) {
    r.input().state = c.state;
    Channel& out = r.out(r.east);
    c.sends ? out.sent.start(0) : out.sent.stop(0);
    out.go = c.go;
    EXPECT_EQ(r.in("stall"), c.stall) << static_cast<int>(c.state) << c.sends << c.go;
    EXPECT_EQ(r.row("east", "sends"), c.sends ? 1U : 0U);
    EXPECT_EQ(r.row("east", "go"), c.go ? 1U : 0U);
  }
}

/// Who has the port: the packet at the front of the input that it was granted to, if any is left there. One that has
/// the port is held by nobody.
TEST(MyrinetRows, NameThePacketThatHasThePort) {
  Rows r;
  r.into().passing = {Rows::passing(1)};
  r.input().state = State::kWaits;
  r.input().output = r.east;
  EXPECT_EQ(r.in("held_by"), 0U) << "nobody has it";
  EXPECT_EQ(r.row("east", "taken"), 0U);
  const PortIndex holder = r.slice.channel_into(r.local);
  r.output(r.east).input = holder;
  EXPECT_EQ(r.in("held_by"), 0U) << "what was there was cut off";
  EXPECT_EQ(r.row("east", "taken"), 1U);
  r.out(holder).passing = {Rows::passing(2)};
  EXPECT_EQ(r.in("held_by"), packet(2));
  for (const State state : {State::kIdle, State::kRouting, State::kOpen}) {
    r.input().state = state;
    EXPECT_EQ(r.in("held_by"), 0U) << static_cast<int>(state);
  }
  EXPECT_EQ(r.row("west", "taken") + r.row("local0", "taken"), 0U);
}

/// Of a port that sends; what goes into the void is no packet.
TEST(MyrinetRows, NameThePacketThatIsSent) {
  Rows r;
  Channel& out = r.out(r.east);
  out.sending = Rows::passing(2);
  EXPECT_EQ(r.row("east", "sending"), 0U);
  out.sent.start(kNow - 1);
  EXPECT_EQ(r.row("east", "sending"), packet(2));
  EXPECT_EQ(r.row("local0", "sending"), 0U);
  out.dead = true;
  EXPECT_EQ(r.row("east", "sending"), 0U);
  EXPECT_EQ(r.row("east", "sends"), 1U);
}

/// Flits that are in the buffer at the cycle that is looked at.
TEST(MyrinetRows, CountFlitsAtTheCycle) {
  Rows r;
  r.into().arrived.start(kNow - 5);
  EXPECT_EQ(r.in("flits"), 5U);
  r.into().left.start(kNow - 2);
  EXPECT_EQ(r.in("flits"), 3U);
}

}  // namespace
}  // namespace braid::test::myrinet_rows_test
