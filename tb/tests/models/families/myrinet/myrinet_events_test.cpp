// Which events Myrinet-like switches file for a packet that nobody stops, cycle by cycle, as a checkpoint has them:
// each once, for the cycle in which something changes, and none between (docs/in-transit-buffers.md).
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/saved.h"

namespace braid::test::myrinet_events_test {
namespace {

using models::PortIndex;

/// As the slice numbers them.
enum Kind : std::uint8_t {
  kArrivalsBegin,
  kArrivalsEnd,
  kStop,
  kGo,
  kLook,
  kOccupancy,
  kRouted,
  kHead,
  kTail,
  kBegin,
  kEndSign
};
struct Event {
  std::uint64_t due;
  PortIndex channel;
  Kind kind;
};

/// 32 flits from node 1 to node 0, so that no channel of it has number 0, as much else in a checkpoint; two flits of
/// header before them. Cable of a cycle, link of eight, 24 to turn.
struct OnePacket {
  Bench bench{myrinet_row(2)};
  models::myrinet::Slice& slice = dynamic_cast<models::myrinet::Fabric&>(bench.network->fabric()).slice();
  PortIndex cable = slice.wiring().injection_port(1), link = port(1, routing::kWest), out = port(0, PortId{4});

  PortIndex port(std::size_t r, PortId p) const { return slice.wiring().port_index(RouterId{r}, p); }
  void run_through(std::uint64_t cycle) { bench.run(cycle + 1 - bench.network->now()); }
  /// Those of all cycles that are filed now, by cycle, channel and kind.
  std::multiset<std::string> filed() {
    std::multiset<std::string> all;
    const std::string bytes = saved(slice);
    for (std::uint64_t due = bench.network->now(); due < 200; ++due) {
      for (const PortIndex channel : {cable, link, out}) {
        for (std::uint8_t kind = kArrivalsBegin; kind <= kEndSign; ++kind) {
          const Event event{due, channel, static_cast<Kind>(kind)};
          const std::string wanted = as_saved(event);
          for (std::size_t at = bytes.find(wanted); at != std::string::npos; at = bytes.find(wanted, at + 1)) {
            all.insert(name(event));
          }
        }
      }
    }
    return all;
  }
  static std::string as_saved(const Event& e) {
    std::string bytes;
    bytes.append(reinterpret_cast<const char*>(&e.due), sizeof e.due);
    bytes.append(reinterpret_cast<const char*>(&e.channel), sizeof e.channel);
    bytes.append(reinterpret_cast<const char*>(&e.kind), sizeof e.kind);
    return bytes;
  }
  std::string name(const Event& e) const {
    return std::to_string(e.due) +
           (e.channel == cable  ? " cable "
            : e.channel == link ? " link "
                                : " out ") +
           std::to_string(e.kind);
  }
  std::multiset<std::string> names(const std::vector<Event>& events) const {
    std::multiset<std::string> all;
    for (const Event& e : events) all.insert(name(e));
    return all;
  }
};

/// Looks are filed for the cycle in which a tail leaves (a host's, a node's) or has left (a link's); what fills a
/// buffer is looked at when it could come to its mark, of 56 flits.
TEST(MyrinetEvents, AreFiledForTheCycleInWhichSomethingChanges) {
  OnePacket p;
  p.bench.run(9);
  EXPECT_EQ(p.filed(), p.names({}));
  p.bench.network->send_packet(NodeId{1}, NodeId{0}, 32);
  EXPECT_EQ(p.filed(), p.names({{9, p.cable, kBegin}}));
  struct Step {
    std::uint64_t cycle;
    std::vector<Event> events;
  };
  const Event first_tail{42, p.cable, kLook}, routed_0{34, p.link, kRouted}, full_0{66, p.cable, kOccupancy},
      tail_left{67, p.link, kLook}, routed_1{66, p.out, kRouted}, full_1{98, p.link, kOccupancy};
  for (const Step& step :
       std::vector<Step>{{9, {{10, p.cable, kArrivalsBegin}, first_tail}},
                         {10, {first_tail, routed_0, full_0}},
                         {33, {first_tail, routed_0, full_0}},
                         {34, {first_tail, full_0, {42, p.link, kArrivalsBegin}, tail_left}},
                         {41, {first_tail, full_0, {42, p.link, kArrivalsBegin}, tail_left}},
                         {42, {full_0, tail_left, routed_1, {43, p.cable, kLook}, full_1}},
                         {43, {full_0, tail_left, routed_1, full_1, {44, p.cable, kArrivalsEnd}}},
                         {44, {full_0, tail_left, routed_1, full_1}},
                         {66, {tail_left, full_1, {67, p.out, kArrivalsBegin}, {67, p.out, kHead}, {97, p.out, kLook}}},
                         {67, {full_1, {97, p.out, kLook}, {75, p.link, kArrivalsEnd}}},
                         {75, {full_1, {97, p.out, kLook}}},
                         {97, {full_1, {98, p.out, kTail}, {98, p.out, kLook}}}}) {
    p.run_through(step.cycle);
    EXPECT_EQ(p.filed(), p.names(step.events)) << "behind cycle " << step.cycle;
  }
  p.run_through(98);
  EXPECT_EQ(p.bench.delivered(), 1U);
  p.run_through(120);
  EXPECT_EQ(p.filed(), p.names({}));
}

}  // namespace
}  // namespace braid::test::myrinet_events_test
