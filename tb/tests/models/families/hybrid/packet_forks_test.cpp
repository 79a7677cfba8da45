// Packets that routers copy (docs/router.md, "A packet that forks"): to the cycle, which links they cross, that every
// destination has each once, and that they never wait for each other in a circle but where their rule is broken.
#include "models/families/hybrid/packet_forks.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "models/engine/watchdog.h"
#include "models/workload/workload.h"
#include "tb/tests/support/copies.h"

namespace braid::test::packet_forks_test {
namespace {

using models::Experiment;

Experiment cube(std::uint32_t vcs, std::uint32_t depth) {
  Experiment e = CopyRig::mesh(1, 1, vcs, depth);
  Experiment other;
  other.set("topology.kind", "cube");
  other.set("topology.sizes", std::vector<std::uint32_t>{3, 3, 3});
  other.set("routing.algorithm", "dimension_order");
  other.set("router.vcs", vcs);
  other.set("router.buffer_depth", depth);
  return other;
}

// ---------------------------------------------------------------- to the cycle

/// 3 + 5 R + (L - 1) to every destination, as if each were sent a packet of its own in an empty network.
void expect_latencies(const Experiment& e, std::size_t from, std::uint32_t flits) {
  CopyRig rig(e, flits);
  rig.run(3);
  const std::uint64_t made = rig.made();
  const std::vector<std::size_t> to = rig.all_but(from);
  std::map<std::uint64_t, std::size_t> due;  // [cycle] destinations
  for (const std::size_t each : to) ++due[made + 3 + 5 * rig.routers(from, each) + flits - 1];
  const std::uint32_t message = rig.send(from, to, flits);
  std::size_t there = 0;
  for (const auto& [cycle, more] : due) {
    rig.run(cycle - 1 - rig.made());
    ASSERT_EQ(rig.taken(), there) << "at cycle N - 1";
    rig.run(1);
    there += more;
    ASSERT_EQ(rig.taken(), there) << "from " << from << ", " << flits << " flits";
  }
  for (const std::size_t each : to) {
    EXPECT_EQ(rig.arrived[message][each],
              std::vector<std::uint64_t>{made + 3 + 5 * rig.routers(from, each) + flits - 1});
    EXPECT_EQ(rig.hops[message][each], rig.routers(from, each));
  }
  EXPECT_EQ(rig.injected[message], std::set<std::uint64_t>{made + 2});
  EXPECT_EQ(rig.left, to.size()) << "each destination's packet has left its source";
  const auto c = rig.fabric().counters();
  EXPECT_EQ(c.flits_injected, flits) << "one packet";
  EXPECT_EQ(c.flits_delivered, flits * to.size());
  EXPECT_EQ(c.flits_copied, flits * (to.size() - 1));
}

TEST(PacketFork, CostsNoCycle) {
  for (const std::uint32_t flits : {1U, 2U, 4U}) {
    for (std::size_t from = 0; from < 16; ++from) expect_latencies(CopyRig::mesh(4, 4), from, flits);
    for (const std::size_t from : {0U, 13U, 26U}) expect_latencies(cube(1, 4), from, flits);
  }
  expect_latencies(CopyRig::mesh(8, 8, 4, 8), 27, 8);
}

TEST(PacketFork, ToOneIsAPacketAsAnyOther) {
  CopyRig rig(CopyRig::mesh(4, 4));
  rig.run(3);
  const std::uint64_t made = rig.made();
  rig.send(0, {15}, 4);
  rig.run(100);
  EXPECT_EQ(rig.arrived[0][15], std::vector<std::uint64_t>{made + 3 + 5 * 7 + 3});
  EXPECT_EQ(rig.fabric().counters().flits_copied, 0U);
}

/// Two destinations at one node, and the source itself: they part behind the ejection link, where the ways end.
TEST(PacketFork, ReachesANodeTwiceByOneCopy) {
  CopyRig rig(CopyRig::mesh(3, 3));
  rig.run(3);
  const std::uint64_t made = rig.made();
  rig.send(4, {5, 5, 4}, 2);
  rig.run(100);
  EXPECT_EQ(rig.arrived[0][5], (std::vector<std::uint64_t>{made + 3 + 10 + 1, made + 3 + 10 + 1}));
  EXPECT_EQ(rig.arrived[0][4], std::vector<std::uint64_t>{made + 3 + 5 + 1});
  EXPECT_EQ(rig.fabric().counters().flits_delivered, 4U);
}

// ---------------------------------------------------------------- branches by themselves

/// Router 1 of a row of three above three: packet A of 3 flits forks there, to 2 and to 4. A packet of 12 flits from 1
/// to 2 has the one VC to 2 before it. The branch to 4 does not wait: it is there as if alone. That to 2 takes the VC
/// when the long packet's tail has left it.
TEST(PacketFork, HasBranchesThatDoNotWaitForEachOther) {
  CopyRig rig(CopyRig::mesh(3, 2, 1, 4), 3);
  rig.run(3);
  const std::uint64_t made = rig.made();
  rig.send_one(1, 2, 12);
  rig.send(0, {2, 4}, 3);
  rig.run(3 + 5 * 3 + 2 - 1);
  EXPECT_TRUE(rig.arrived[1].empty()) << "at cycle N - 1";
  rig.run(1);
  EXPECT_EQ(rig.arrived[1][4], std::vector<std::uint64_t>{made + 3 + 5 * 3 + 2});
  EXPECT_TRUE(rig.arrived[1][2].empty());
  ASSERT_TRUE(rig.drain());
  EXPECT_GT(rig.arrived[1][2].front(), rig.arrived[0][2].front());
}

/// The drawing of docs/router.md: a packet of six flits has the VC to router 2 until its tail has SA in cycle 10. The
/// branch to 4 goes as if alone. The one to 2 gets the VC in 11 and sends in 12, two cycles later, and is behind the
/// tail of the long packet once more in router 2.
TEST(PacketFork, GoesOnWhereAWayIsTakenWhenTheWayIsFree) {
  CopyRig rig(CopyRig::mesh(3, 2, 1, 8), 2);
  rig.run(3);
  const std::uint64_t made = rig.made();
  rig.send_one(1, 2, 6);
  rig.send(0, {2, 4}, 2);
  rig.run(18);
  EXPECT_TRUE(rig.arrived[1].empty()) << "at cycle N - 1";
  rig.run(1);
  EXPECT_EQ(rig.arrived[1][4], std::vector<std::uint64_t>{made + 19});
  rig.run(2);
  EXPECT_TRUE(rig.arrived[1][2].empty()) << "at cycle N - 1";
  rig.run(1);
  EXPECT_EQ(rig.arrived[1][2], std::vector<std::uint64_t>{made + 22});
  EXPECT_EQ(rig.arrived[0][2], std::vector<std::uint64_t>{made + 18});
}

/// Where ways part, a head leaves when the whole packet has room. One VC of four flits; three flits have gone to node 1
/// before, with SA in 5, 6 and 7, and in node 1's router, whose VA the head has first, in 10, 11 and 12: their credits
/// count in 13, 14 and 15. The next head has SA in 10, with one credit. A packet of one flit goes then; one of two,
/// three, four flits that forks at its source's router, to 1 and to 3, in 13, 14, 15. Its tail is at node 1 8 + (L - 1)
/// cycles after its head's SA. The branch to 3 waits for nothing.
TEST(PacketFork, SendsItsHeadWhenTheWholePacketHasRoom) {
  const std::uint64_t head_sa[] = {10, 13, 14, 15};
  for (std::uint32_t flits = 1; flits <= 4; ++flits) {
    CopyRig rig(CopyRig::mesh(3, 2, 1, 4), 4);
    rig.run(3);
    const std::uint64_t made = rig.made();
    rig.send_one(0, 1, 3);
    rig.send(0, {1, 3}, flits);
    ASSERT_TRUE(rig.drain());
    EXPECT_EQ(rig.arrived[1][1].front() - made, head_sa[flits - 1] + 8 + flits - 1) << flits;
    EXPECT_EQ(rig.arrived[1][3].front() - made, 10 + 8 + flits - 1) << flits;
  }
  CopyRig rig(CopyRig::mesh(3, 2, 1, 4), 4);  // to one node: its head does not wait
  rig.run(3);
  const std::uint64_t made = rig.made();
  rig.send_one(0, 1, 3);
  rig.send_one(0, 1, 4);
  ASSERT_TRUE(rig.drain());
  EXPECT_LT(rig.arrived[1][1].front() - made, 15 + 8 + 3U);
}

// ---------------------------------------------------------------- which links

using Edge = std::pair<std::pair<int, int>, std::pair<int, int>>;

/// The union of the ways in x, then in y; by itself.
std::set<Edge> tree_of(int width, std::size_t from, const std::vector<std::size_t>& to) {
  std::set<Edge> edges;
  for (const std::size_t each : to) {
    std::pair<int, int> at{static_cast<int>(from) % width, static_cast<int>(from) / width};
    const std::pair<int, int> end{static_cast<int>(each) % width, static_cast<int>(each) / width};
    while (at != end) {
      std::pair<int, int> next = at;
      if (at.first != end.first) {
        next.first += end.first > at.first ? 1 : -1;
      } else {
        next.second += end.second > at.second ? 1 : -1;
      }
      edges.insert({at, next});
      at = next;
    }
  }
  return edges;
}

TEST(PacketFork, CrossesEachLinkOfItsTreeOnce) {
  Random random(11);
  for (int i = 0; i < 40; ++i) {
    const int width = i % 2 == 0 ? 4 : 8;
    CopyRig rig(CopyRig::mesh(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(width)), 3);
    rig.run(2);
    const std::size_t nodes = rig.topology().node_count(), from = random.below(nodes);
    std::set<std::size_t> drawn;
    const std::size_t wanted = 1 + random.below(nodes - 1);
    while (drawn.size() < wanted) drawn.insert(random.below(nodes));
    const std::vector<std::size_t> to(drawn.begin(), drawn.end());
    rig.send(from, to, 3);
    ASSERT_TRUE(rig.drain());
    const std::set<Edge> tree = tree_of(width, from, to);
    const routing::Topology& t = rig.topology();
    std::uint64_t links = 0;
    for (std::size_t r = 0; r < t.router_count(); ++r) {
      for (std::size_t p = 0; p < t.port_count(RouterId{r}); ++p) {
        const routing::Port& port = t.port(RouterId{r}, PortId{p});
        if (port.kind != routing::PortKind::kNetwork) continue;
        const int a = static_cast<int>(r), b = static_cast<int>(port.peer_router.value);
        const bool in_tree = tree.count({{a % width, a / width}, {b % width, b / width}}) != 0;
        const std::uint64_t flits = rig.fabric().link_use(RouterId{r}, PortId{p}).packet_flits;
        ASSERT_EQ(flits, in_tree ? 3U : 0U) << r << " to " << b;
        links += flits;
      }
    }
    EXPECT_EQ(links, 3 * tree.size());
    EXPECT_EQ(rig.fabric().counters().flit_hops, 3 * (tree.size() + to.size())) << "and the ejection links";
  }
}

// ---------------------------------------------------------------- under load

struct Load {
  Experiment experiment;
  std::uint32_t depth;  // flits of a VC
  std::uint64_t seed;
};

/// Every node sends as fast as it can: half of the packets to 2 to all nodes, the others to one, of up to three times
/// the buffer, which go by wormhole as ever. Nothing is lost or doubled, and all of it arrives.
void expect_all_once(const Load& load) {
  CopyRig rig(load.experiment, load.depth);
  Random random(load.seed);
  const std::size_t nodes = rig.topology().node_count();
  std::map<std::uint32_t, std::multiset<std::size_t>> wanted;
  rig.run(2);
  for (int cycle = 0; cycle < 1500; ++cycle) {
    for (std::size_t from = 0; from < nodes; ++from) {
      if (rig.fabric().transport(0).queued(from) > 2) continue;
      if (random.below(2) == 0) {
        const std::size_t to = random.below(nodes);
        const auto flits = static_cast<std::uint32_t>(1 + random.below(std::uint64_t{3} * load.depth));
        wanted[rig.send_one(from, to, flits)] = {to};
      } else {
        std::set<std::size_t> to;
        const std::size_t most = random.below(3) == 0 ? nodes : 2 + random.below(4);
        while (to.size() < most) to.insert(random.below(nodes));
        const auto flits = static_cast<std::uint32_t>(1 + random.below(load.depth));
        wanted[rig.send(from, {to.begin(), to.end()}, flits)] = {to.begin(), to.end()};
      }
    }
    rig.run(1);
    if (testing::Test::HasFatalFailure()) return;
  }
  ASSERT_TRUE(rig.drain()) << rig.fabric().describe_waiting();
  for (const auto& [message, to] : wanted) {
    std::multiset<std::size_t> got;
    for (const auto& [node, cycles] : rig.arrived[message]) {
      for (std::size_t i = 0; i < cycles.size(); ++i) got.insert(node);
    }
    ASSERT_EQ(got, to) << message;
  }
  EXPECT_EQ(rig.left, rig.packets_made());
  EXPECT_GT(wanted.size(), 100U);
}

TEST(PacketForkUnderLoad, ReachesEveryDestinationOnceOnAMeshOf4x4) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    expect_all_once({CopyRig::mesh(4, 4, 1, 2), 2, seed});
    expect_all_once({CopyRig::mesh(4, 4, 2, 4), 4, seed});
  }
}
TEST(PacketForkUnderLoad, ReachesEveryDestinationOnceOnAMeshOf8x8) {
  expect_all_once({CopyRig::mesh(8, 8, 1, 4), 4, 4});
}
TEST(PacketForkUnderLoad, ReachesEveryDestinationOnceIn3D) {
  for (const std::uint32_t vcs : {1U, 3U}) expect_all_once({cube(vcs, 4), 4, 5});
}
/// Rings with datelines: which VCs a link offers hangs on the destination, so that two branches may take one link.
TEST(PacketForkUnderLoad, ReachesEveryDestinationOnceOnATorus) {
  Experiment e = CopyRig::mesh(4, 4, 2, 4);
  e.set("topology.kind", "torus");
  e.set("routing.ties", "fixed");
  expect_all_once({std::move(e), 4, 6});
}

/// Where nothing forks, routers that could grant what routers that could not do: every packet in its cycle.
TEST(PacketForkUnderLoad, ChangesNothingForPacketsToOne) {
  std::map<std::uint32_t, std::map<std::size_t, std::vector<std::uint64_t>>> first;
  for (const std::uint32_t announced : {0U, 4U}) {
    CopyRig rig(CopyRig::mesh(4, 4, 3, 4), announced);
    Random random(7);
    rig.run(2);
    for (int cycle = 0; cycle < 2000; ++cycle) {
      for (std::size_t from = 0; from < 16; ++from) {
        if (rig.fabric().transport(0).queued(from) > 2) continue;
        const std::size_t to = random.below(16);
        rig.send_one(from, to, static_cast<std::uint32_t>(1 + random.below(9)));
      }
      rig.run(1);
    }
    ASSERT_TRUE(rig.drain());
    if (announced == 0) {
      first = rig.arrived;
    } else {
      EXPECT_EQ(rig.arrived, first);
      EXPECT_GT(first.size(), 2000U);
    }
  }
}

// ---------------------------------------------------------------- the rule, broken

/// Whole-packet buffers are what keeps trees from deadlock: with packets of 12 flits through buffers of 4, announced as
/// shorter ones, broadcasts of two nodes of one row hold each other's columns.
TEST(PacketForkRule, BrokenEndsInADeadlock) {
  CopyRig rig(CopyRig::mesh(4, 4, 1, 4), 4);
  rig.run(2);
  for (std::size_t from = 0; from < 16; ++from) rig.send(from, rig.all_but(from), 12);
  EXPECT_FALSE(rig.drain(1000));
  const std::string waiting = rig.fabric().describe_waiting();
  EXPECT_NE(waiting.find("each needs what the next one holds"), std::string::npos) << waiting;
  EXPECT_NE(waiting.find("needs output VCs with room, one each way"), std::string::npos) << waiting;
}
TEST(PacketForkRule, KeptDoesNot) {
  CopyRig rig(CopyRig::mesh(4, 4, 1, 4), 4);
  rig.run(2);
  for (int i = 0; i < 3; ++i) {
    for (std::size_t from = 0; from < 16; ++from) rig.send(from, rig.all_but(from), 4);
  }
  EXPECT_TRUE(rig.drain());
}

/// Every node sends one packet of 12 flits to all others and announces 4.
class TooLong final : public models::Workload {
 public:
  explicit TooLong(const models::WorkloadContext& context) : nodes_(context.topology.node_count()) {
    context.fabric.copy_packets("a test", 4);
  }
  std::vector<std::string> classes() const override { return {"long"}; }
  std::vector<std::string> kinds() const override { return {"long"}; }
  void open(std::size_t, const std::vector<NodeId>&, models::Outlet& outlet) override { outlet_ = &outlet; }
  void generate(std::size_t, std::uint64_t cycle) override {
    for (std::size_t from = 0; cycle == 1 && from < nodes_; ++from) {
      std::vector<NodeId> to;
      for (std::size_t n = 0; n < nodes_; ++n) {
        if (n != from) to.push_back(NodeId{n});
      }
      outlet_->send_copies(cycle, 0, NodeId{from}, to, 12);
    }
  }
  void deliver(std::size_t, std::uint64_t, const models::Packet&) override {}

 private:
  std::size_t nodes_;
  models::Outlet* outlet_ = nullptr;
};

TEST(PacketForkRule, BrokenIsReportedByTheWatchdog) {
  struct None {};
  static const OptionTable<None> keys("too_long");
  static const FigureTable<TooLong> figures;
  models::WorkloadRegistry::instance().add(
      "too_long", "of the tests", keys.list(), figures.list(),
      [](const models::WorkloadContext& c) { return std::make_unique<TooLong>(c); });
  Experiment e = CopyRig::mesh(4, 4, 1, 4);
  e.open("too_long");
  Bench bench(std::move(e));
  models::WatchdogOptions limits;
  limits.watchdog_cycles = 500;
  models::Watchdog watchdog(*bench.network, limits);
  std::string said;
  for (int i = 0; i < 100 && said.empty(); ++i) {
    bench.run(100);
    try {
      watchdog.check();
    } catch (const models::DeadlockError& error) {
      said = error.what();
    }
  }
  EXPECT_NE(said.find("deadlock: no flit has moved"), std::string::npos) << said;
  EXPECT_NE(said.find("each needs what the next one holds"), std::string::npos) << said;
}

// ---------------------------------------------------------------- refused

std::string refusal(const std::function<void(Experiment&)>& change, std::uint32_t flits = 4) {
  Experiment e = CopyRig::mesh(4, 4);
  change(e);
  try {
    CopyRig rig(std::move(e), flits);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(PacketForkRefusals, NameWhatDoesNotGoWithIt) {
  EXPECT_EQ(refusal([](Experiment&) {}), "");
  EXPECT_EQ(refusal([](Experiment&) {}, 5),
            "a test: where ways part each branch needs room for the whole packet; expected packets of at most "
            "router.buffer_depth = 4 flits, not of 5");
  const auto says = [](const std::string& key, const auto& value, const std::string& part) {
    const std::string text = refusal([&](Experiment& e) { e.set(key, value); });
    EXPECT_NE(text.find(part), std::string::npos) << key << ": " << text;
    EXPECT_EQ(text.rfind("a test: ", 0), 0U) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
  };
  says("router.buffer_bypass", true, "expected router.buffer_bypass = false");
  says("router.speculative", true, "expected router.speculative = false");
  says("simulation.engine", "planes", "expected simulation.engine = \"auto\" or \"lists\"");
  says("routing.algorithm", "west_first", "expected a routing.algorithm that is deterministic");
  says("routing.algorithm", "odd_even", "expected a routing.algorithm that is deterministic");
  says("routing.algorithm", "minimal_adaptive", "expected a routing.algorithm that is deterministic");
  says("topology.local_ports", 2, "topology.local_ports = 1");
  says("router.vc_allocator", "islip", "\"separable_input_first\"");
  says("router.switch_allocator", "wavefront", "\"separable_input_first\"");
  says("router.arbiter", "matrix", "router.arbiter = \"round_robin\"");
  says("router.arbiter", "oldest_first", "router.arbiter = \"round_robin\"");
  says("interface.packet_ejection_flits", 1, "expected no interface.packet_*_flits");
}

}  // namespace
}  // namespace braid::test::packet_forks_test
