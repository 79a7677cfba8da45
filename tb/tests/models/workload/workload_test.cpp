// Workloads behind their interface: one of the tests' own beside synthetic sources, and a network without any.
#include "models/workload/workload.h"

#include <gtest/gtest.h>

#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"

namespace braid::test::workload_test {
namespace {

using namespace models;

/// Node 0 sends a flit to node 1 every `every` cycles; node 1 answers each, as another class.
class Ping final : public Workload {
 public:
  struct Options {
    std::uint32_t every = 50;
  };
  static const OptionTable<Options>& options() {
    static const OptionTable<Options> table =
        OptionTable<Options>("ping").integer("every", &Options::every, 1, 1000, "cycles");
    return table;
  }
  static const FigureTable<Ping>& figures() {
    static const FigureTable<Ping> table =
        FigureTable<Ping>().add("pongs", "", "that came back", [](const Ping& p) { return p.pongs; });
    return table;
  }
  explicit Ping(const WorkloadContext& context) : every_(options().read(context.configuration).every) {}

  std::vector<std::string> classes() const override { return {"pings", "pongs"}; }
  std::vector<std::string> kinds() const override { return {"ping", "pong"}; }
  void open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) override {
    opened.emplace_back(slice, nodes.size());
    outlets_.push_back(&outlet);
    for (const NodeId node : nodes) home_[node.value] = slice;
  }
  void generate(std::size_t slice, std::uint64_t cycle) override {
    if (slice == home_[0] && cycle % every_ == 0) send(slice, cycle, 0, NodeId{0}, NodeId{1});
    if (slice == home_[1] && owed_ > 0) {
      send(slice, cycle, 1, NodeId{1}, NodeId{0});
      --owed_;
    }
  }
  void deliver(std::size_t slice, std::uint64_t, const Packet& packet) override {
    EXPECT_EQ(slice, home_[packet.destination.value]);
    if (packet.kind == 0) {
      ++owed_;
    } else {
      ++pongs;
    }
  }
  void sent(const Packet& packet) override { tags_sent.push_back(packet.tag); }
  bool advanced() override { return false; }
  State state() const override { return owed_ > 0 ? State::kBusy : State::kWaiting; }
  Report report(std::uint64_t) const override { return figures().of(*this); }

  std::uint64_t pongs = 0;
  std::vector<std::pair<std::size_t, std::size_t>> opened;  // slice, nodes
  std::vector<std::uint32_t> tags_sent;

 private:
  void send(std::size_t slice, std::uint64_t cycle, std::uint8_t kind, NodeId from, NodeId to) {
    Outlet& outlet = *outlets_[slice];
    const std::size_t port = outlet.next_port(from);
    const PacketSlot packet = outlet.make(cycle, kind, kind, from, to, 1);
    outlet[packet].tag = 100U + kind;
    outlet.transport().send(port, packet);
  }
  std::uint32_t every_;
  std::vector<Outlet*> outlets_;
  std::size_t home_[2] = {0, 0};
  std::uint32_t owed_ = 0;
};

/// In the cases that want it, for every case has a process of its own.
void register_ping() {
  WorkloadRegistry::instance().add("ping", "of the tests", Ping::options().list(), Ping::figures().list(),
                                   [](const WorkloadContext& c) { return std::make_unique<Ping>(c); });
}

Experiment pings(std::uint32_t every) {
  register_ping();
  Experiment e;
  e.set("topology.width", 2);
  e.set("topology.height", 1);
  e.set("ping.every", every);
  return e;
}

/// A section of its name is all that an experiment needs: keys, check, results.
TEST(Workload, IsChosenByItsSection) {
  EXPECT_NO_THROW(check_experiment(pings(50)));
  Experiment e = uniform_mesh(0.0, 2, 1);
  EXPECT_EQ(Bench(e).network->workload<Ping>(), nullptr);
  e.open("ping");
  Bench both(e);
  EXPECT_NE(both.network->workload<Ping>(), nullptr);
  EXPECT_NE(both.network->workload<SyntheticSources>(), nullptr);
  EXPECT_EQ(both.network->workloads().size(), 2U);
  EXPECT_EQ(both.network->traffic_classes(), (std::vector<std::string>{"packets", "pings", "pongs"}));
}

/// A ping made in cycle 0 is there in cycle 3 + 5 x 2 = 13 (docs/router.md); the pong, made then, in cycle 26.
TEST(Workload, GetsItsPacketsWhereTheyArrive) {
  for (const std::size_t slices : {1, 2}) {
    Bench bench(pings(50), slices);
    const Ping& ping = *bench.network->workload<Ping>();
    bench.run(26);
    EXPECT_EQ(ping.pongs, 0U);
    bench.run(1);
    EXPECT_EQ(ping.pongs, 1U);
    EXPECT_EQ(ping.tags_sent, (std::vector<std::uint32_t>{100, 101}));
    EXPECT_EQ(ping.opened.size(), slices);
    bench.run(500);
    EXPECT_EQ(ping.pongs, 11U) << "cycles 0, 50, ..., 500";
    EXPECT_TRUE(bench.network->conservation().holds());
  }
}

TEST(Workload, HasFiguresForEachClassAndItsOwn) {
  Experiment e = pings(20);
  e.set("simulation.min_warmup_cycles", 1000);
  e.set("simulation.max_warmup_cycles", 5000);
  e.set("simulation.measure_cycles", 2000);
  Simulation simulation(e);
  const Results r = simulation.run();
  ASSERT_EQ(r.classes.size(), 2U);
  EXPECT_EQ(r.classes[0].name, "pings");
  EXPECT_EQ(r.classes[1].name, "pongs");
  EXPECT_DOUBLE_EQ(r.classes[0].packet_latency_cycles.mean, 13.0);
  EXPECT_DOUBLE_EQ(r.classes[0].offered_flits_per_node_cycle, 1.0 / 40.0);
  EXPECT_GT(r.workloads.get<std::uint64_t>("pongs"), 340U);
  EXPECT_FALSE(r.steady) << "it says that it never comes on";
  EXPECT_FALSE(r.saturated) << "it is not of those that can saturate a network";
}

TEST(Workload, NamesKindsForThePacketLog) {
  Bench bench(pings(50));
  Packet packet;
  EXPECT_EQ(bench.network->kind_of(packet), "own");
  packet.workload = 0;
  EXPECT_EQ(bench.network->kind_of(packet), "ping");
  packet.kind = 1;
  EXPECT_EQ(bench.network->kind_of(packet), "pong");
}

/// Nothing is needed of an experiment to have a network that a test bench sends packets through.
TEST(NetworkWithoutWorkload, CarriesTheUsersPackets) {
  Experiment e;
  e.set("topology.width", 2);
  e.set("topology.height", 1);
  Bench bench(e);
  EXPECT_TRUE(bench.network->workloads().empty());
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 1);  // made in cycle 9
  bench.run(12);
  EXPECT_EQ(bench.delivered(), 0U);
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 1U);
  EXPECT_THROW(check_experiment(e), InputError) << "a run needs somebody who sends";
}

}  // namespace
}  // namespace braid::test::workload_test
