// The watchdog: in which cycle it ends a run, for what, and what it says.
#include "models/engine/watchdog.h"

#include <gtest/gtest.h>

#include <sstream>

#include "models/experiment/simulation.h"
#include "models/fabric/wait_cycle.h"
#include "tb/tests/support/families.h"
#include "tb/tests/support/loads.h"
#include "tb/tests/support/watchdog_limits.h"

namespace braid::test::watchdog_test {
namespace {

using models::Experiment;
using models::Watchdog;

std::string complaint(Watchdog& watchdog) {
  try {
    watchdog.check();
  } catch (const models::DeadlockError& error) {
    return error.what();
  }
  return {};
}

/// Four routers in a ring with one VC, everything clockwise. Each node sends eight flits two routers on, all in cycle
/// 9: each packet gets its first link, fills the two flits of the buffer behind it, and waits for the next link, which
/// another packet holds.
struct Ring : Bench {
  static Experiment experiment() {
    Experiment e = uniform_mesh(0.0);
    e.set("topology.kind", "graph");
    e.set("topology.file", source_file("tb/experiments/ring.graphml"));
    e.set("router.vcs", 1);
    e.set("router.buffer_depth", 2);
    e.set("routing.algorithm", "table");
    e.set("routing.table_file", source_file("tb/experiments/ring_clockwise.txt"));
    return e;
  }
  Ring() : Bench(experiment()) {
    run(10);
    for (std::size_t n = 0; n < 4; ++n) network->send_packet(NodeId{n}, NodeId{(n + 2) % 4}, 8);
  }
};

TEST(Watchdog, EndsADeadlockAtItsLimitAndNotACycleBefore) {
  Ring ring;
  Watchdog watchdog(*ring.network, limits(50));
  std::uint64_t movements = 0, moved_at = 0;
  for (;;) {
    ring.run(1);
    if (ring.network->movements() != movements) moved_at = ring.network->now();
    movements = ring.network->movements();
    if (ring.network->now() == moved_at + 50) break;
    ASSERT_EQ(complaint(watchdog), "") << "in cycle " << ring.network->now();
    ASSERT_LT(ring.network->now(), 200U) << "no deadlock";
  }
  EXPECT_NE(complaint(watchdog), "");
}

/// At each router: the packet that came over the link needs the output that the router's own packet holds, and that one
/// needs a credit of the buffer that the first one's like fills at the next router. Two flits wait in each buffer.
TEST(Watchdog, NamesTheCycleOfADeadlock) {
  Ring ring;
  ring.run(300);
  Watchdog watchdog(*ring.network, limits(100));
  EXPECT_EQ(complaint(watchdog), "") << "sees the movements so far";
  ring.run(100);
  const std::string text = complaint(watchdog);
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 10U) << text;
  EXPECT_EQ(lines[0], "deadlock: no flit has moved up to cycle 410 and 16 are in the network");
  EXPECT_EQ(lines[1], "cycle of 8 waiting channels, each needs what the next one holds:");
  const std::vector<std::string> links{"da", "ab", "bc", "cd"};  // into router a, b, c, d
  std::size_t router = 4;
  for (std::size_t i = 2; i < 10; ++i) {
    const std::string& line = lines[i];
    const std::size_t r = static_cast<std::size_t>(line.at(9) - 'a');  // "  router a port ..."
    ASSERT_LT(r, 4U) << line;
    const bool over_link = line.find(" port " + links[r] + " vc 0: ") != std::string::npos;
    const std::size_t from = over_link ? (r + 3) % 4 : r;
    EXPECT_NE(line.find("packet 0 of node " + std::to_string(from) + " to node " + std::to_string((from + 2) % 4) +
                        " (2 flits buffered, created in cycle 9) needs " + (over_link ? "an output VC" : "a credit")),
              std::string::npos)
        << line;
    EXPECT_TRUE(router == 4 || r == (over_link ? (router + 1) % 4 : router)) << "each needs what the next one holds";
    router = r;
  }
}

/// Two VCs: a full buffer is waited for on the VC that the packet was given, which need not be the one it came by. Each
/// line is held against the registers of the channel that it names.
TEST(Watchdog, FollowsAFullBufferOnTheVcThatItsPacketHolds) {
  Experiment e = Ring::experiment();
  e.set("router.vcs", 2);
  e.set("traffic.rate_flits_per_node_cycle", 0.9);
  e.set("traffic.flits", 8);
  std::size_t changes = 0;  // of VC
  for (int seed = 1; seed <= 8; ++seed) {
    e.set("experiment.seed", seed);
    Bench bench(e);
    bench.run(5000);
    const models::hybrid::RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
    const std::string text = bench.network->fabric().describe_waiting();
    if (text.find("cycle of") == std::string::npos) continue;  // some packets still move
    std::istringstream in(text);
    std::vector<std::pair<models::hybrid::VcIndex, bool>> cycle;  // and: needs a credit
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string word, router, port;
      std::uint32_t vc = 0;
      if (!(words >> word >> router >> word >> port >> word >> vc) || word != "vc") continue;
      const RouterId r{static_cast<std::size_t>(router[0] - 'a')};
      std::size_t p = 0;
      while (bench.topology.port(r, PortId{p}).name != port) ++p;
      cycle.emplace_back(bank.vc_index(bank.port_index(r, PortId{p}), vc),
                         line.find("needs a credit") != std::string::npos);
    }
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const auto [v, credit] = cycle[i];
      if (!credit) continue;
      const models::hybrid::VcIndex out = bank.input_vcs[v].out_vc;
      EXPECT_EQ(bank.lane_of(cycle[(i + 1) % cycle.size()].first), bank.lane_of(out))
          << "line " << i << " seed " << seed;
      changes += bank.lane_of(v) != bank.lane_of(out) ? 1 : 0;
    }
  }
  EXPECT_GT(changes, 0U) << "a report that knows no VCs would pass";
}

TEST(Watchdog, OfAPacketsAgeEndsTheRunAtTheLimitsNextCycle) {
  // Heads are on the injection link two cycles after creation, in cycle 11; each waits in its second router.
  Ring ring;
  Watchdog watchdog(*ring.network, limits(0, 60));
  while (ring.network->now() < 11 + 60) {
    ring.run(1);
    ASSERT_EQ(complaint(watchdog), "") << "in cycle " << ring.network->now();
  }
  ring.run(1);
  const std::string text = complaint(watchdog);
  EXPECT_EQ(text.rfind("livelock: packet 0 of node ", 0), 0U) << text;
  EXPECT_NE(text.find(" has been in the network for 61 cycles (limit 60) and passed 2 routers"), std::string::npos)
      << text;
}

TEST(Watchdog, ThatIsOffSaysNothing) {
  Ring ring;
  Watchdog watchdog(*ring.network, limits(0));
  ring.run(5000);
  EXPECT_EQ(complaint(watchdog), "");
  ring.run(5000);
  EXPECT_EQ(complaint(watchdog), "");
}

TEST(Watchdog, IsQuietWhileNothingIsInTheNetwork) {
  Bench bench(uniform_mesh(0.0, 2, 1));
  Watchdog watchdog(*bench.network, limits(10));
  for (int i = 0; i < 100; ++i) {
    bench.run(1);
    ASSERT_EQ(complaint(watchdog), "");
  }
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  for (int i = 0; i < 100; ++i) {
    bench.run(1);
    ASSERT_EQ(complaint(watchdog), "") << "idle time before does not count";
  }
  EXPECT_EQ(bench.delivered(), 1U);
}

TEST(Watchdog, LetsAnActorComputeForLongerThanItsLimit) {
  Bench bench(streaming(stream_pair(2000, 1, 1, 1)));
  Watchdog watchdog(*bench.network, limits(100));
  for (int i = 0; i < 5000; ++i) {
    bench.run(1);
    ASSERT_EQ(complaint(watchdog), "") << "in cycle " << i;
  }
  EXPECT_EQ(program_of(bench).actors()[1].firings, 2U);
}

/// A packet of 600 flits is on a link for 600 cycles; some families count all of its flits when its head goes.
TEST(Watchdog, LetsAPacketCrossALinkForLongerThanItsLimitInEveryFamily) {
  for (const std::string family : {"hybrid", "ideal", "virtual_cut_through", "po2", "myrinet"}) {
    Experiment e = in_family(family);
    e.set("broadcast.flits", 600);
    Bench bench(e);
    Watchdog watchdog(*bench.network, limits(20));
    for (int i = 0; i < 6000; ++i) {
      bench.run(1);
      ASSERT_EQ(complaint(watchdog), "") << family << " in cycle " << i;
    }
    EXPECT_GT(bench.delivered(), 2U) << family;
  }
}

Experiment broadcast_of_nine() {
  Experiment e;
  e.set("topology.width", 3);
  e.set("topology.height", 3);
  e.open("broadcast");
  return e;
}

TEST(Watchdog, LetsProcessorsOfBroadcastsAndAllReducesWorkForLongerThanItsLimit) {
  for (const std::string operation : {"broadcast", "all_reduce"}) {
    for (const std::string key : {"event_cycles", "send_cycles", "receive_cycles", "gap_cycles", "settle_cycles"}) {
      Experiment e = broadcast_of_nine();
      e.set("broadcast.operation", operation);
      e.set("broadcast." + key, 300);
      Bench bench(e);
      Watchdog watchdog(*bench.network, limits(50));
      for (int i = 0; i < 8000; ++i) {
        bench.run(1);
        ASSERT_EQ(complaint(watchdog), "") << operation << ", " << key << " in cycle " << i;
      }
      EXPECT_GT(bench.delivered(), 16U) << operation << ", " << key;
    }
  }
}

/// Node 4 does not pass on broadcast 1; without a timeout the root waits for ever.
TEST(Watchdog, EndsABroadcastThatIsNotAcknowledgedUnlessItTimesOut) {
  for (const int timeout : {0, 1000}) {
    Experiment e = broadcast_of_nine();
    e.set("broadcast.silent_broadcast", 1);
    e.set("broadcast.silent_node", 4);
    e.set("broadcast.timeout_cycles", timeout);
    Bench bench(e);
    Watchdog watchdog(*bench.network, limits(200));
    std::string text;
    while (text.empty() && bench.network->now() < 5000) {
      bench.run(1);
      text = complaint(watchdog);
    }
    const std::string stalled =
        "stalled: the workload waits with no flit in the network up to cycle " + std::to_string(bench.network->now());
    EXPECT_EQ(text, timeout == 0 ? stalled : "");
  }
}

/// Three packets of 16 flits for the next router but one, in each node of a ring of four without a bubble: every buffer
/// is full of packets that wait for the next one. The last transfers end within 64 cycles.
TEST(Watchdog, EndsADeadlockOfWholePackets) {
  Experiment e = Ring::experiment();
  e.set("router.architecture", "virtual_cut_through");
  e.set("router.queue_packets", 1);
  Bench bench(e);
  for (int i = 0; i < 3; ++i) {
    for (std::size_t n = 0; n < 4; ++n) bench.network->send_packet(NodeId{n}, NodeId{(n + 2) % 4}, 16);
  }
  Watchdog watchdog(*bench.network, limits(50));
  std::string text;
  while (text.empty() && bench.network->now() < 400) {
    bench.run(1);
    text = complaint(watchdog);
  }
  EXPECT_LT(bench.network->now(), 64U + 50U);
  EXPECT_EQ(text.rfind("deadlock: no flit has moved up to cycle ", 0), 0U) << text;
}

/// a gives each item to d at once and to d by way of c1, c2 and c3, who collect a hundred of them first. The queues of
/// a -> d hold 13 + 12 items, so a stops long before, and all wait for ever.
TEST(Watchdog, NamesAStalledStreamProgramAtItsLimit) {
  const std::string file = temporary_file("stalled.toml");
  std::ofstream out(file);
  out << "name = \"stalled\"\n";
  for (const char* actor : {"a", "c1", "c2", "c3", "d"}) out << "[[actor]]\nname = \"" << actor << "\"\nwork = 1\n";
  const auto edge = [&](const char* from, const char* to, int push, int pop) {
    out << "[[edge]]\nfrom = \"" << from << "\"\nto = \"" << to << "\"\npush = " << push << "\npop = " << pop << "\n";
  };
  edge("a", "c1", 1, 10);
  edge("c1", "c2", 1, 10);
  edge("c2", "c3", 10, 1);
  edge("c3", "d", 10, 1);
  edge("a", "d", 1, 1);
  out.close();
  Experiment e = streaming(file, 5);
  e.set("interface.transfer", "pull");
  e.set("interface.stream_queue_items", 12);
  e.set("interface.receive_queue_items", 13);
  EXPECT_THROW(Bench{e}, InputError);  // would wait for ever
  e.set("interface.receive_queue_items", 108);
  Bench bench(e);
  for (auto& stream : program_of(bench).edges()) stream.promised_items = 108 - 13;  // by sleight of hand
  Watchdog watchdog(*bench.network, limits(70));
  std::uint64_t movements = 0, active_at = 0;
  for (;;) {
    bench.run(1);
    if (bench.network->movements() != movements || program_of(bench).computing()) {
      active_at = bench.network->now();
    }
    movements = bench.network->movements();
    if (bench.network->now() == active_at + 70) break;
    ASSERT_EQ(complaint(watchdog), "") << "in cycle " << bench.network->now();
    ASSERT_LT(bench.network->now(), 5000U) << "not stalled";
  }
  EXPECT_EQ(complaint(watchdog), "stalled: the workload waits with no flit in the network up to cycle " +
                                     std::to_string(bench.network->now()));
}

TEST(Watchdog, LooksFourTimesWithinItsLimitsAndAtLeastEveryThousandCycles) {
  Bench bench(uniform_mesh(0.0, 2, 1));
  const struct {
    std::uint64_t limit, age, step;
  } cases[] = {{0, 0, 1000},     {10000, 0, 1000}, {2000, 0, 500}, {0, 400, 100},
               {400, 2000, 100}, {2000, 400, 100}, {3, 0, 1}};
  for (const auto& c : cases) {
    EXPECT_EQ(Watchdog(*bench.network, limits(c.limit, c.age)).step_cycles(), c.step) << c.limit << ", " << c.age;
  }
}

// ---------------------------------------------------------------- cycles of waiting things

using Things = std::vector<std::uint32_t>;

class Graph final : public models::Waiters {
 public:
  explicit Graph(const std::vector<Things>& edges) : edges_(edges) {}
  std::size_t count() const override { return edges_.size(); }
  bool waits(std::uint32_t i) const override { return !edges_[i].empty(); }
  Things waits_for(std::uint32_t i) const override { return edges_[i]; }
  std::string describe(std::uint32_t i) const override { return std::to_string(i); }

 private:
  std::vector<Things> edges_;
};

Things cycle_of(const std::vector<Things>& waits_for) { return models::find_wait_cycle(Graph(waits_for)); }

TEST(WaitCycle, IsFoundWithoutTheThingsThatOnlyLeadToIt) {
  EXPECT_EQ(cycle_of({{1}, {2}, {3}, {4}, {2}}), (Things{2, 3, 4}));
}

TEST(WaitCycle, IsNoneWhereAllEnds) {
  EXPECT_TRUE(cycle_of({}).empty());
  EXPECT_TRUE(cycle_of({{}, {}}).empty());
  EXPECT_TRUE(cycle_of({{1, 2, 3}, {3}, {3, 1}, {}}).empty()) << "ways that meet again are no cycle";
}

TEST(WaitCycle, MayBeOneThingThatWaitsForItself) { EXPECT_EQ(cycle_of({{}, {0}, {0, 2}}), Things{2}); }

TEST(WaitCycle, IsFoundBehindADeadEndAndFromALaterStart) {
  EXPECT_EQ(cycle_of({{}, {0, 3}, {1, 0}, {2, 0}}), (Things{1, 3, 2}));
}

}  // namespace
}  // namespace braid::test::watchdog_test
