// Synthetic sources at the bounds of what they may do: rates, cycles, lengths and shares at N and beyond; that an
// exchange leaves nothing behind; and what a checkpoint of them may bring.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/loads.h"
#include "tb/tests/support/saved.h"
#include "traffic/synthetic/pattern.h"

namespace braid::test::sources_bounds_test {
namespace {

using models::Experiment;

Experiment read(const std::string& text) { return models::parse_experiment(text, "e.toml"); }
std::string refusal(const std::string& text) {
  return complaint([&] { const Bench bench(read(text)); });
}
models::Workload& workload_of(const Bench& bench) { return *bench.network->workloads().front(); }

// ---------------------------------------------------------------- rates and cycles

/// A flit a cycle by each local port, and no more.
TEST(SourceRates, AreAtMostAFlitACycleAPort) {
  const auto said = [](const std::string& ports, const std::string& rate) {
    return refusal("[topology]\nwidth = 2\nheight = 2\nlocal_ports = " + ports +
                   "\n[traffic]\nrate_flits_per_node_cycle = " + rate + "\n");
  };
  EXPECT_EQ(said("1", "1.0"), "");
  EXPECT_EQ(said("2", "2.0"), "");
  EXPECT_NE(said("1", "1.01").find("traffic.rate_flits_per_node_cycle = 1.01 is out of range: expected 0 to 1"),
            std::string::npos);
  EXPECT_NE(said("2", "2.5").find("expected 0 to 2"), std::string::npos);
}

/// A source that always has a packet needs a bound: of its queue, or of its requests under way.
TEST(SourceRates, OfASaturatedSourceHaveABound) {
  const std::string source = "[traffic]\nprocess = \"saturated\"\n";
  EXPECT_NE(refusal(source).find("never stops making packets"), std::string::npos);
  EXPECT_EQ(refusal("[interface]\nsource_queue_packets = 1\n" + source), "");
  EXPECT_EQ(refusal(source + "request_reply = true\noutstanding = 1\n"), "");
}

/// A packet in each cycle from the first one on, none in the cycle of the stop.
TEST(SourceCycles, AreFromTheStartToTheStop) {
  const auto made = [](const std::string& keys, std::uint64_t cycles) {
    Bench bench(
        read("[topology]\nwidth = 2\nheight = 1\n[traffic]\nname = \"a\"\nprocess = \"constant\"\nflits = 1\n"
             "length = \"fixed\"\nrate_flits_per_node_cycle = 1.0\n" +
             keys));
    bench.run(cycles);
    return bench.network->conservation().packets_created;
  };
  EXPECT_EQ(made("start_cycle = 5\nstop_cycle = 9\n", 5), 0U) << "before";
  EXPECT_EQ(made("start_cycle = 5\nstop_cycle = 9\n", 6), 2U) << "of each of two nodes";
  EXPECT_EQ(made("start_cycle = 5\nstop_cycle = 9\n", 30), 8U) << "5, 6, 7 and 8";
  EXPECT_EQ(made("stop_cycle = 1\n", 30), 2U) << "cycle 0 alone";
  EXPECT_EQ(made("", 30), 60U) << "they never stop";
}

/// Three nodes make a packet in each cycle, one packet leaves: each queue is full at the packet that it has room for,
/// and one packet is on its way.
TEST(SourceQueue, IsFullAtItsLastPacket) {
  for (const std::uint32_t room : {1U, 2U, 3U}) {
    Experiment e = overload();
    e.set("interface.source_queue_packets", room);
    Bench bench(e);
    bench.run(300);
    EXPECT_EQ(bench.network->conservation().packets_in_flight, 3U * room + 1) << room;
  }
}

// ---------------------------------------------------------------- messages of packets of one flit

/// A message's packets of a flit each are answered one by one, whatever length the message has.
TEST(MessagesOfOneFlit, AreMessages) {
  const std::string text =
      "[topology]\nwidth = 3\nheight = 1\n[message]\npacket_flits = 1\n[traffic]\npattern = \"neighbour\"\n"
      "length = \"fixed\"\nflits = 2\nrate_flits_per_node_cycle = 0.5\nrequest_reply = true\nreply_flits = 5\n";
  const Bench bench(read(text));
  EXPECT_TRUE(sources_of(bench).message_results().has_value());
  const auto flows = sources_of(bench).flows(1000);
  ASSERT_EQ(flows.size(), 6U);
  EXPECT_DOUBLE_EQ(flows[0].weight, 0.5);
  EXPECT_DOUBLE_EQ(flows[3].weight, 0.5 * 5) << "five flits for each";
  const std::string two_subnets = "[network]\nsubnets = 2\n", of_one = "[message]\npacket_flits = 1\n";
  EXPECT_NE(refusal(of_one + "[traffic]\nrequest_reply = true\noutstanding = 1\n").find("are answered one by one"),
            std::string::npos);
  EXPECT_NE(refusal(two_subnets + of_one + "[traffic]\nsubnets = [0, 1]\n").find("expected one subnet"),
            std::string::npos);
}

/// Before the first message there is none that a packet could be of.
TEST(MessagesOfOneFlit, AreKnownWhenTheyHaveBeenMade) {
  Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("message.packet_flits", 1);
  const Bench bench(e);
  models::Packet packet;
  EXPECT_TRUE(sources_of(bench).knows(packet)) << "of no message";
  packet.message = 0;
  EXPECT_FALSE(sources_of(bench).knows(packet));
  send_message(bench, NodeId{0}, NodeId{1}, 2);
  EXPECT_TRUE(sources_of(bench).knows(packet));
  packet.message = 1U << 30;
  EXPECT_FALSE(sources_of(bench).knows(packet));
  const Bench none(uniform_mesh(0.0, 2, 1));
  packet.message = 0;
  EXPECT_FALSE(sources_of(none).knows(packet)) << "without messages";
}

/// A message has up to 65535 packets: in a checkpoint too.
TEST(MessagesOfOneFlit, HaveNoMorePacketsThanALength) {
  Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("message.packet_flits", 1);
  Bench bench(e);
  const Bench other(e);
  constexpr std::uint32_t kPackets = 0x4d3;
  send_message(bench, NodeId{0}, NodeId{1}, kPackets);
  const std::string bytes = saved(workload_of(bench));
  const std::string wanted(reinterpret_cast<const char*>(&kPackets), sizeof kPackets);
  const std::size_t at = bytes.rfind(wanted);  // before it the numbers of free slots may have that one, too
  ASSERT_NE(at, std::string::npos);
  const auto said = [&](std::uint32_t packets) {
    std::string damaged = bytes;
    std::memcpy(damaged.data() + at, &packets, sizeof packets);
    return complaint<CheckpointError>([&] { restore(workload_of(other), damaged); });
  };
  EXPECT_EQ(said(kPackets), "");
  EXPECT_EQ(said(65535), "");
  EXPECT_EQ(said(65536), "number of packets 65536, here are 65536");
}

// ---------------------------------------------------------------- shares

TEST(SourceFlows, AreKnownExactlyOfUpTo512Nodes) {
  EXPECT_TRUE(sources_of(Bench(uniform_mesh(0.1, 32, 16))).knows_flows());
  EXPECT_FALSE(sources_of(Bench(uniform_mesh(0.1, 27, 19))).knows_flows());
}

/// Nobody gets a share of nothing: all of it goes to the hot node.
TEST(SourceFlows, LeaveOutWhoGetsNothing) {
  Experiment e = uniform_mesh(0.2, 3, 1);
  e.set("traffic.pattern", "hot_spot").set("traffic.hot_nodes", std::vector<std::uint32_t>{1});
  e.set("traffic.hot_fraction", 1.0);
  const Bench bench(e);
  const auto flows = sources_of(bench).flows(1000);
  ASSERT_EQ(flows.size(), 3U);
  for (const routing::Flow& flow : flows) {
    EXPECT_EQ(flow.destination, NodeId{1});
    EXPECT_DOUBLE_EQ(flow.weight, 0.2);
  }
}

/// To the next node or to the one after it, and node 2 sends nothing: who goes where is known by drawing only.
class Drawing final : public traffic::TrafficPattern {
 public:
  traffic::Destination destination(NodeId source, Random& random) const override {
    if (source.value == 2) return {};
    return NodeId{(source.value + 1 + random.below(2)) % 3};
  }
};

/// Of few nodes 4096 draws each, of which every one weighs alike.
TEST(SourceFlows, OfAPatternThatIsDrawnAreOf4096Draws) {
  traffic::PatternRegistry::instance().add(
      "drawing", "of the tests",
      [](const routing::Topology&, const Configuration&) { return std::make_unique<Drawing>(); });
  Experiment e = uniform_mesh(0.5, 3, 1);
  e.set("traffic.pattern", "drawing");
  const Bench bench(e);
  ASSERT_FALSE(sources_of(bench).knows_flows());
  std::map<std::uint32_t, double> sent;
  const auto flows = sources_of(bench).flows(1000);
  ASSERT_EQ(flows.size(), 4U);
  for (const routing::Flow& flow : flows) {
    const double draws = flow.weight / 0.5 * 4096.0;
    EXPECT_NEAR(draws, std::round(draws), 1e-6);
    EXPECT_NEAR(draws, 2048.0, 5 * 32.0) << "five standard deviations";
    sent[flow.source.value] += flow.weight;
  }
  EXPECT_NEAR(sent.at(0), 0.5, 1e-9);
  EXPECT_NEAR(sent.at(1), 0.5, 1e-9);
}

// ---------------------------------------------------------------- classes

/// One list of subnets for each class, whether or not its replies are answered under a name.
TEST(SourceClasses, HaveSubnetsEach) {
  for (const char* keys : {"", "request_reply = true\n", "name = \"a\"\n", "name = \"a\"\nrequest_reply = true\n"}) {
    const Bench bench(read(std::string("[topology]\nwidth = 2\nheight = 1\n[traffic]\n") + keys));
    const models::SyntheticSources& sources = sources_of(bench);
    const models::ClassSubnets subnets = sources.class_subnets().value();
    ASSERT_EQ(subnets.size(), sources.classes().size()) << keys;
    for (const auto& some : subnets) EXPECT_EQ(some, std::vector<std::uint32_t>{0}) << keys;
    EXPECT_TRUE(sources.open_loop());
    EXPECT_TRUE(sources.bears_losses());
    EXPECT_EQ(sources.order(), 0U) << "before all other workloads";
  }
}

/// A reply says which request it answers; a request answers none.
TEST(SourceClasses, TellRequestsFromReplies) {
  models::Packet packet;
  packet.tag_sequence = 7;
  packet.kind = 0;
  EXPECT_EQ(models::SyntheticSources::answered_request(packet), std::nullopt);
  packet.kind = 1;
  EXPECT_EQ(models::SyntheticSources::answered_request(packet), std::optional<std::uint32_t>(7));
  EXPECT_FALSE(sources_of(Bench(uniform_mesh(0.1, 2, 1))).has_replies());
}

// ---------------------------------------------------------------- exchanges

/// Five requests at once of a node that may have one under way: four are held. When all are answered, nothing is left
/// of them, neither in what is held, nor of those that wait for room, nor of answers.
TEST(Exchanges, LeaveNothingBehind) {
  for (const int service : {0, 30}) {
    Bench bench(
        read("[topology]\nwidth = 2\nheight = 1\n[traffic]\nname = \"a\"\nrate_flits_per_node_cycle = 0.0\n"
             "request_reply = true\noutstanding = 1\nservice_cycles = " +
             std::to_string(service) + "\n"));
    models::SyntheticSources& sources = sources_of(bench);
    const auto exchange = [&](std::size_t requests) {
      for (std::size_t i = 0; i < requests; ++i) sources.send(bench.network->now(), NodeId{0}, NodeId{1}, 1);
      EXPECT_EQ(sources.held_packets(), requests - 1);
      bench.run(600);
      EXPECT_EQ(sources.held_packets(), 0U);
    };
    bench.run(10);
    exchange(2);
    EXPECT_EQ(bench.delivered(), 4U);
    const std::string before = saved(sources);
    exchange(5);
    EXPECT_EQ(bench.delivered(), 14U) << service;
    const std::string after = saved(sources);
    EXPECT_EQ(after.size(), before.size()) << service;
    if (service == 0) {
      EXPECT_TRUE(after == before);
    }
  }
}

/// A request to a node that serves one at a time: the second is answered a service later (docs/router.md: 3 + 5 x 2
/// cycles each way).
TEST(Exchanges, AreServedInTurn) {
  Bench bench(
      read("[topology]\nwidth = 2\nheight = 1\n[traffic]\nname = \"a\"\nrate_flits_per_node_cycle = 0.0\n"
           "request_reply = true\nservice_cycles = 100\nlength = \"fixed\"\nflits = 1\n"));
  models::SyntheticSources& sources = sources_of(bench);
  bench.run(10);
  bench.network->window() = {true, 0, 1000};
  for (int i = 0; i < 2; ++i) sources.send(9, NodeId{0}, NodeId{1}, 1);
  bench.run(400);
  const models::ExchangeResults r = sources.exchange_results().value().at(0);
  EXPECT_EQ(r.counts.served, 2U);
  EXPECT_EQ(r.counts.busy_sum, 200U);
  EXPECT_EQ(r.counts.wait_sum, 99U) << "it comes a cycle later, and waits for the first to end";
  EXPECT_EQ(r.counts.round_trips.distribution().min, 126.0);
  EXPECT_EQ(r.counts.round_trips.distribution().max, 226.0);
  sources.begin_window();
  EXPECT_EQ(sources.exchange_results().value().at(0).counts.served, 0U) << "a second window";
}

// ---------------------------------------------------------------- checkpoints

/// Saved before the first cycle, in which every source fires: whoever goes on from there has these packets, too.
TEST(SourceCheckpoint, BeforeTheFirstCycleIsTheWholeRun) {
  Experiment e = uniform_mesh(1.0, 2, 2);
  e.set("traffic.process", "constant").set("traffic.flits", 1).set("traffic.length", "fixed");
  Bench bench(e), other(e);
  other.run(7);
  restore(*other.network, saved(*bench.network));
  for (Bench* one : {&bench, &other}) {
    one->run(1);
    EXPECT_EQ(one->network->conservation().packets_created, 4U) << "cycle 0";
    one->run(50);
  }
  EXPECT_EQ(other.network->conservation().packets_created, bench.network->conservation().packets_created);
  EXPECT_EQ(other.network->merged_statistics().packet_hash(), bench.network->merged_statistics().packet_hash());
}

}  // namespace
}  // namespace braid::test::sources_bounds_test
