// Event lines in checkpoints: each goes on from every cycle as if it had never stopped, and a signal that is where none
// can be is refused. On a mesh of four nodes, whose nodes are one tile with their routers.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "models/event_lines/event_line.h"
#include "models/event_lines/packet_line.h"
#include "routing/base/checkpoint.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::line_checkpoints_test {
namespace {

using models::EventLine;

Configuration mesh(std::uint32_t width, std::uint32_t height) {
  Configuration c;
  c.set("topology.width", width);
  c.set("topology.height", height);
  c.set("topology.link_latency_cycles", 2);
  return c;
}
std::unique_ptr<EventLine> line_of(const std::string& carrier, const Configuration& c) {
  return models::EventLineRegistry::instance().make(carrier, routing::make_topology(c), c);
}

/// Each node lets the signal go in one cycle of three.
struct Stations final : models::Stops {
  std::string told;
  void receive(NodeId node, std::uint64_t cycle) override {
    told += std::to_string(node.value) + "@" + std::to_string(cycle) + " ";
  }
  bool try_release(NodeId node, std::uint64_t cycle) override { return (cycle + node.value) % 3 == 0; }
};

std::string refusal(EventLine& line, const std::string& bytes) {
  return complaint<CheckpointError>([&] { restore(line, bytes); });
}
/// With one number in place of what stands there.
template <class Number>
std::string with(std::string bytes, std::size_t at, Number value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

class LineCheckpoint : public testing::TestWithParam<const char*> {};

TEST_P(LineCheckpoint, GoesOnFromEveryCycle) {
  const Configuration c = mesh(3, 2);
  const auto one = line_of(GetParam(), c), other = line_of(GetParam(), c);
  const bool packets = dynamic_cast<models::PacketLine*>(one.get()) != nullptr;
  std::uint64_t arrives = 0;
  std::size_t receptions = 0;
  for (std::uint64_t cycle = 0; cycle < 200; ++cycle) {
    const std::string bytes = saved(*one);
    ASSERT_EQ(refusal(*other, bytes), "") << cycle;
    ASSERT_TRUE(saved(*other) == bytes) << cycle;
    Stations of_one, of_other, nobodys;
    for (const auto& [line, stations] : {std::pair(one.get(), &of_one), std::pair(other.get(), &of_other)}) {
      if (packets && arrives == cycle && cycle > 0) dynamic_cast<models::PacketLine*>(line)->arrive();
      line->step(cycle, *stations);
    }
    if (packets && dynamic_cast<models::PacketLine*>(one.get())->departs()) arrives = cycle + 7;
    ASSERT_EQ(of_other.told, of_one.told) << cycle;
    ASSERT_TRUE(saved(*other) == saved(*one)) << cycle;
    EXPECT_EQ(other->unheld_interval_cycles(), one->unheld_interval_cycles());
    receptions += of_one.told.empty() ? 0 : 1;
    for (std::uint64_t more = 1; more <= cycle % 5; ++more) other->step(cycle + more, nobodys);
  }
  EXPECT_GT(receptions, 6U) << "more than a round";
}
INSTANTIATE_TEST_SUITE_P(Carriers, LineCheckpoint,
                         testing::Values("ring", "spanning_tree", "control_packet", "diamond_ring"),
                         [](const auto& c) { return std::string(c.param); });

const std::string kNo = "no network is in such a state: ";

/// Stop, has it begun, is the signal at a station, which wire is next, cycles left: 8, 1, 1, 8 and 4 bytes. From each
/// of four stops one wire leads on.
TEST(RingLineCheckpoint, IsRefusedWithoutASignal) {
  const auto line = line_of("ring", mesh(2, 2));
  const std::string begun = saved(*line);
  ASSERT_EQ(begun.size(), 22U);
  EXPECT_EQ(refusal(*line, with<std::uint64_t>(begun, 0, 3)), "");
  EXPECT_EQ(refusal(*line, with<std::uint64_t>(begun, 0, 4)), "stop of a line 4, here are 4");
  const std::string on_its_way = with<char>(begun, 9, 0);
  EXPECT_EQ(refusal(*line, with<std::uint64_t>(on_its_way, 10, 0)), kNo + "a signal on no wire");
  EXPECT_EQ(refusal(*line, with<std::uint64_t>(on_its_way, 10, 1)), "");
  EXPECT_EQ(refusal(*line, with<std::uint64_t>(on_its_way, 10, 2)), kNo + "a signal on no wire");
  EXPECT_EQ(refusal(*line, with<std::uint64_t>(begun, 10, 2)), "") << "no wire has it";
}

/// Stop, has it begun, at a station, does the packet depart, has it arrived: 8 bytes and four of one.
TEST(PacketLineCheckpoint, IsRefusedWithTwoSignals) {
  const auto line = line_of("control_packet", mesh(2, 2));
  const std::string begun = saved(*line);
  ASSERT_EQ(begun.size(), 28U);
  EXPECT_EQ(refusal(*line, with<std::uint64_t>(begun, 0, 3)), "");
  EXPECT_EQ(refusal(*line, with<std::uint64_t>(begun, 0, 4)), "stop of a line 4, here are 4");
  EXPECT_EQ(refusal(*line, with<char>(begun, 10, 1)), kNo + "a signal in two places");
  EXPECT_EQ(refusal(*line, with<char>(with<char>(begun, 10, 1), 9, 0)), "") << "it departs";
}

/// Four switches and four nodes of six bytes each, three slots of cycles for what is on a wire, nodes that hold the
/// signal and those that have just got it.
TEST(SpanningTreeCheckpoint, IsRefusedWithASignalWhereNoneCanBe) {
  const auto line = line_of("spanning_tree", mesh(2, 2));
  const std::string begun = saved(*line);
  constexpr std::size_t kMoves = 8 + 8 * 6 + 8, kHolding = kMoves + 3 * 8, kArrived = kHolding + 8;
  ASSERT_EQ(begun.size(), kArrived + 8 + 1);
  const auto one_more = [&](std::size_t list, std::uint32_t place, bool moves) {
    std::string more(4, '\0');
    std::memcpy(more.data(), &place, 4);
    if (moves) more += '\1';  // upwards
    std::string bytes = with<std::uint64_t>(begun, list, 1);
    return refusal(*line, bytes.insert(list + 8, more));
  };
  for (const std::size_t nodes : {kHolding, kArrived}) {
    EXPECT_EQ(one_more(nodes, 4, false), "");
    EXPECT_EQ(one_more(nodes, 7, false), "");
    EXPECT_EQ(one_more(nodes, 3, false), kNo + "a switch that holds the signal");
    EXPECT_EQ(one_more(nodes, 8, false), "place of a line 8, here are 8");
  }
  for (std::size_t slot = 0; slot < 3; ++slot) {
    EXPECT_EQ(one_more(kMoves + 8 * slot, 7, true), "");
    EXPECT_EQ(one_more(kMoves + 8 * slot, 1, true), "");
    EXPECT_EQ(one_more(kMoves + 8 * slot, 0, true), kNo + "a signal above the root");
    EXPECT_EQ(one_more(kMoves + 8 * slot, 8, true), "place of a line 8, here are 8");
  }
}

}  // namespace
}  // namespace braid::test::line_checkpoints_test
