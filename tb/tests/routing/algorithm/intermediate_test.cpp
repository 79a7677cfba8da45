// Routes over an intermediate router or group: every pair of nodes, every draw.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "routing/algorithm/output_queues.h"
#include "routing/analysis/channel_dependency.h"
#include "routing/analysis/link_loads.h"
#include "routing/base/random.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::intermediate_test {
namespace {

using namespace routing;

std::unique_ptr<RoutingAlgorithm> made(const char* name, const Topology& t, std::uint32_t vcs = 4,
                                       std::uint32_t threshold = 0) {
  RoutingContext context;
  context.vcs = vcs;
  context.configuration.set("routing.ugal_threshold", threshold);
  return RoutingRegistry::instance().make(name, t, context);
}

struct Step {
  RouterId router;
  PortId out;
  VcMask vcs;
};
/// The last step leaves the network at the destination. Of the VCs that are offered the packet takes the lowest, or the
/// highest.
std::vector<Step> walk(const Topology& t, const RoutingAlgorithm& algorithm, std::size_t from, std::size_t to,
                       std::uint32_t draw, bool highest = false) {
  std::vector<Step> steps;
  const Attachment& start = t.nodes[from].front();
  const auto drawn = static_cast<std::uint8_t>(draw);
  RouteQuery q{start.router, start.port, VcId{0}, NodeId{from}, NodeId{to}, kNoRoute, drawn};
  while (steps.size() < 100) {
    CandidateList ways;
    algorithm.route(q, ways);
    EXPECT_EQ(ways.size(), 1U);
    steps.push_back({q.router, ways[0].port, ways[0].vcs});
    const Port& out = t.port(q.router, ways[0].port);
    if (out.kind != PortKind::kNetwork) {
      EXPECT_EQ(out.node, NodeId{to});
      return steps;
    }
    const int vc = highest ? 31 - __builtin_clz(ways[0].vcs) : __builtin_ctz(ways[0].vcs);
    q = {out.peer_router, out.peer_port, VcId{static_cast<std::size_t>(vc)}, NodeId{from}, NodeId{to}, kNoRoute, drawn};
  }
  ADD_FAILURE() << "node " << from << " to node " << to << " does not arrive";
  return steps;
}

/// The router where a way takes its first VC of the upper half, or leaves.
std::size_t change_of(const std::vector<Step>& steps, VcMask lower) {
  const auto last = std::prev(steps.end());
  return static_cast<std::size_t>(
      std::find_if(steps.begin(), last, [&](const Step& s) { return (s.vcs & lower) == 0; }) - steps.begin());
}

std::vector<Topology> cubes() {
  return {cube_of("cube", {4, 3}), cube_of("cube", {4, 3}, true), cube_of("cube", {3, 2, 2}, false, 2),
          cube_of("cube", {6}, true), cube_of("flattened_butterfly", {3, 3}, false, 2)};
}

TEST(Valiant, GoesAShortestWayToEveryRouterAlikeAndOnFromThere) {
  for (const Topology& t : cubes()) {
    const auto algorithm = made("valiant", t);
    for (std::size_t from = 0; from < t.node_count(); ++from) {
      const auto to_start = t.distances_to(t.router_of(NodeId{from}));
      for (std::size_t to = 0; to < t.node_count(); ++to) {
        const auto to_end = t.distances_to(t.router_of(NodeId{to}));
        std::map<std::uint32_t, std::uint32_t> chosen;
        for (std::uint32_t draw = 0; draw < 256; ++draw) {
          const auto steps = walk(t, *algorithm, from, to, draw, draw % 2 != 0);
          const std::size_t change = change_of(steps, 3);
          const RouterId by = steps[change].router;
          ASSERT_EQ(change, to_start[by.value]) << t.name;
          ASSERT_EQ(steps.size() - 1 - change, to_end[by.value]) << t.name;
          for (std::size_t i = 0; i < change; ++i) ASSERT_EQ(steps[i].vcs & 12U, 0U);
          for (std::size_t i = change; i + 1 < steps.size(); ++i) ASSERT_EQ(steps[i].vcs & 3U, 0U);
          ++chosen[by.value];
        }
        ASSERT_EQ(chosen.size(), t.router_count()) << t.name;
        for (const auto& [router, kinds] : chosen) {
          ASSERT_LE(kinds, 256 / t.router_count() + 1) << t.name;
          ASSERT_GE(kinds, 256 / t.router_count()) << t.name;
        }
      }
    }
  }
}

/// 8x8: 4 links on a shortest way by the mean, 8 over an intermediate, for every pair.
TEST(Valiant, DoublesTheMeanWayOnATorus) {
  const Topology t = cube_of("cube", {8, 8}, true);
  const auto algorithm = made("valiant", t);
  for (const std::size_t to : {0U, 9U, 27U}) {
    std::size_t links = 0;
    for (std::uint32_t draw = 0; draw < 256; ++draw)
      links += path_between(t, *algorithm, NodeId{0}, NodeId{to}, draw).size() - 1;
    EXPECT_EQ(links, 8U * 256);
  }
}

double busiest(const Topology& t, const RoutingAlgorithm& algorithm, const std::vector<Flow>& flows) {
  double most = 0.0;
  const auto loads = link_loads(t, algorithm, flows);
  for (std::size_t r = 0; r < loads.size(); ++r) {
    for (std::size_t p = 0; p < loads[r].size(); ++p) {
      if (t.port(RouterId{r}, PortId{p}).kind == PortKind::kNetwork) most = std::max(most, loads[r][p]);
    }
  }
  return most;
}

/// Three links on in x and in y on an 8x8 torus: shortest ways load a link with three nodes' packets, Valiant's with
/// two (a link's share of uniform traffic is one): 0.5 of what uniform traffic could have.
TEST(Valiant, CarriesTornadoAsUniformTrafficAtHalfTheCapacity) {
  const Topology t = cube_of("cube", {8, 8}, true);
  std::vector<Flow> tornado;
  for (std::size_t n = 0; n < 64; ++n) {
    tornado.push_back({NodeId{n}, NodeId{(n % 8 + 3) % 8 + 8 * ((n / 8 + 3) % 8)}, 1.0, {}});
  }
  EXPECT_DOUBLE_EQ(busiest(t, *made("dimension_order", t), tornado), 3.0);
  EXPECT_NEAR(busiest(t, *made("valiant", t), tornado), 2.0, 0.1);
}

/// Of many flows 16 draws each, evenly apart, others for other pairs.
TEST(LinkLoads, TakeSomeDrawsOfMany) {
  const Topology t = cube_of("cube", {4, 4}, true);
  const auto valiant = made("valiant", t), order = made("dimension_order", t);
  const Draws some(*valiant, {NodeId{3}, NodeId{5}, 1.0, {}}, 16), other(*valiant, {NodeId{4}, NodeId{5}, 1.0, {}}, 16);
  EXPECT_EQ(some.count, 16U);
  EXPECT_EQ(some.step, 16U);
  EXPECT_LT(some.first, 16U);
  EXPECT_NE(some.first, other.first);
  const Draws all(*order, {NodeId{3}, NodeId{5}, 1.0, {}}, 16);
  EXPECT_EQ(all.first, 0U);
  EXPECT_EQ(all.step, 1U);
  EXPECT_EQ(all.count, order->draws());
}

/// Of every router of the box, those of two ties included: 6x4 torus, three or two links on either way.
TEST(Romm, GoesShortestWaysByEveryRouterOfTheBoxAlike) {
  for (const Topology& t : {cube_of("cube", {4, 3}), cube_of("cube", {6, 4}, true), cube_of("cube", {3, 3, 2}),
                            cube_of("flattened_butterfly", {4, 3})}) {
    const auto algorithm = made("romm", t);
    for (std::size_t from = 0; from < t.node_count(); ++from) {
      for (std::size_t to = 0; to < t.node_count(); ++to) {
        const auto to_end = t.distances_to(RouterId{to});
        std::map<std::uint32_t, std::uint32_t> chosen;
        for (std::uint32_t draw = 0; draw < 256; ++draw) {
          const auto steps = walk(t, *algorithm, from, to, draw, draw % 2 != 0);
          ASSERT_EQ(steps.size() - 1, to_end[from]) << t.name;
          ++chosen[steps[change_of(steps, 3)].router.value];
        }
        std::size_t box = 0;  // routers on some shortest way
        const auto to_start = t.distances_to(RouterId{from});
        for (std::size_t r = 0; r < t.router_count(); ++r) box += to_start[r] + to_end[r] == to_end[from] ? 1 : 0;
        ASSERT_EQ(chosen.size(), box) << t.name << ": " << from << " to " << to;
      }
    }
  }
}

/// l, g: links within a group and between groups; the third of the VCs behind each.
std::string kinds(const Topology& t, const std::vector<Step>& steps) {
  std::string text;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    text += steps[i].out.value + 1U >= t.dragonfly->routers_per_group ? 'g' : 'l';
    const std::array<const char*, 8> thirds{"-", "0", "1", "01", "2", "02", "12", "012"};
    text += thirds.at(steps[i].vcs);
  }
  return text;
}

TEST(Valiant, GoesOverEveryGroupOfADragonflyAlike) {
  const std::set<std::string> ends{"", "l2"}, middles{"g12", "l1g12"}, outs{"g0", "l0g0"};
  for (const Topology& t : {dragonfly_of(4, 2, 2), dragonfly_of(3, 1, 1), dragonfly_of(1, 2, 3)}) {
    const auto algorithm = made("valiant", t, 3);
    const Dragonfly& d = *t.dragonfly;
    std::set<std::string> far;
    for (const auto& out : outs) {
      for (const auto& middle : middles) {
        for (const auto& end : ends) far.insert(out + middle + end);
      }
    }
    for (const auto& middle : middles) {
      for (const auto& end : ends) far.insert(middle + end);
    }
    for (std::size_t from = 0; from < t.node_count(); from += 5) {
      for (std::size_t to = 0; to < t.node_count(); ++to) {
        const std::uint32_t source = d.group(t.router_of(NodeId{from})), end = d.group(t.router_of(NodeId{to}));
        std::map<std::uint32_t, std::uint32_t> by;  // packets by the groups that they see between
        std::uint32_t straight = 0;
        for (std::uint32_t draw = 0; draw < 256; ++draw) {
          const auto steps = walk(t, *algorithm, from, to, draw, draw % 2 != 0);
          const std::string way = kinds(t, steps);
          std::set<std::uint32_t> groups;
          for (const Step& s : steps) groups.insert(d.group(s.router));
          groups.erase(source);
          groups.erase(end);
          ASSERT_LE(groups.size(), 1U);
          if (groups.empty()) {
            ++straight;
            ASSERT_EQ(std::count(way.begin(), way.end(), '0'), 0) << way;
            ASSERT_TRUE(source == end ? way.empty() || way == "l12" : far.count(way) != 0) << way;
          } else {
            ++by[*groups.begin()];
            ASSERT_EQ(far.count(way), 1U) << way;
            ASSERT_NE(way.find("g0"), std::string::npos) << way;
          }
        }
        const std::uint32_t own = source == end ? 1 : 2, share = 256 / d.groups();
        ASSERT_EQ(by.size(), d.groups() - own);
        for (const auto& [group, packets] : by) ASSERT_TRUE(packets == share || packets == share + 1);
        ASSERT_GE(straight, own * share);
      }
    }
  }
}

/// What waits for what, where VCs that `merged` gives one number are one: is there a circle?
bool waits_in_a_circle(const Topology& t, const RoutingAlgorithm& algorithm, const std::vector<std::size_t>& merged) {
  std::map<std::array<std::size_t, 3>, std::set<std::array<std::size_t, 3>>> behind;
  for (std::size_t from = 0; from < t.node_count(); ++from) {
    for (std::size_t to = 0; to < t.node_count(); ++to) {
      for (std::uint32_t draw = 0; draw < 256; ++draw) {
        const auto steps = walk(t, algorithm, from, to, draw);
        std::vector<std::array<std::size_t, 3>> channels;
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
          const auto vc = static_cast<std::size_t>(__builtin_ctz(steps[i].vcs));
          channels.push_back({steps[i].router.value, steps[i].out.value, merged[vc]});
          behind[channels.back()];
          if (i > 0) behind[channels[i - 1]].insert(channels[i]);
        }
      }
    }
  }
  for (bool gone = true; gone;) {  // take away what waits for nothing
    gone = false;
    for (auto at = behind.begin(); at != behind.end();) {
      auto& waits = at->second;
      for (auto w = waits.begin(); w != waits.end();) w = behind.count(*w) == 0 ? waits.erase(w) : std::next(w);
      gone |= waits.empty();
      at = waits.empty() ? behind.erase(at) : std::next(at);
    }
  }
  return !behind.empty();
}

/// As many classes of VCs as are asked for, and one fewer, whichever two are made one.
TEST(Phases, NeedTheirClassesOfVcs) {
  const Topology mesh = cube_of("cube", {3, 3}), torus = cube_of("cube", {4, 3}, true);
  EXPECT_FALSE(waits_in_a_circle(mesh, *made("valiant", mesh, 2), {0, 1}));
  EXPECT_TRUE(waits_in_a_circle(mesh, *made("valiant", mesh, 2), {0, 0}));
  EXPECT_FALSE(waits_in_a_circle(torus, *made("valiant", torus), {0, 1, 2, 3}));
  for (const auto& merged : std::vector<std::vector<std::size_t>>{{0, 0, 1, 2}, {0, 1, 1, 2}, {0, 1, 2, 2}}) {
    EXPECT_TRUE(waits_in_a_circle(torus, *made("valiant", torus), merged));
  }
  const Topology dragonfly = dragonfly_of(3, 1, 2);
  EXPECT_FALSE(waits_in_a_circle(dragonfly, *made("valiant", dragonfly, 3), {0, 1, 2}));
  EXPECT_TRUE(waits_in_a_circle(dragonfly, *made("valiant", dragonfly, 3), {0, 0, 1}));
  EXPECT_TRUE(waits_in_a_circle(dragonfly, *made("valiant", dragonfly, 3), {0, 1, 1}));
}

/// Always on round the ring, from a node to itself, too: once round.
class Passing final : public RoutingAlgorithm {
 public:
  explicit Passing(const Topology& ring) : RoutingAlgorithm(1), ring_(ring) {}
  std::size_t max_candidates() const override { return 1; }
  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const bool injected = ring_.port(q.router, q.in_port).kind == PortKind::kLocal;
    const RouterId next{(q.router.value + 1) % 3};
    if (q.router == ring_.router_of(q.destination) && !injected)
      return out.add(ring_.nodes[q.destination.value][0].port, 1);
    out.add(port_to(ring_, q.router, next), 1);
  }

 private:
  const Topology& ring_;
};

/// The deadlock check itself follows packets on through their destination's router, where they are on their way out.
TEST(Phases, AreWalkedBeyondTheDestinationsRouter) {
  for (const auto& t :
       {cube_of("cube", {4, 4}, true), cube_of("cube", {6}, true), cube_of("cube", {5, 3}), dragonfly_of(4, 1, 1)}) {
    for (const std::uint32_t vcs : {4U, 5U, 7U}) {
      EXPECT_TRUE(ChannelDependencyGraph(t, *made("valiant", t, vcs), vcs).find_cycle().empty()) << t.name;
    }
  }
  // To itself a packet goes once round the ring.
  const Topology ring = ring_of(3);
  const Passing passing(ring);
  EXPECT_EQ(ChannelDependencyGraph(ring, passing, 1).find_cycle().size(), 3U);
}

/// So many flits on each port.
class Queues final : public OutputQueues {
 public:
  std::map<std::uint32_t, std::uint32_t> flits;  // [port]
  std::uint32_t waiting_flits(RouterId, PortId port) const override {
    const auto found = flits.find(port.value);
    return found == flits.end() ? 0 : found->second;
  }
  std::uint32_t waited_flits(RouterId, PortId) const override { return 99; }
};

/// ... on each port of each router, a cycle ago.
class QueuesEverywhere final : public OutputQueues {
 public:
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> flits;
  std::uint32_t waiting_flits(RouterId, PortId) const override { return 99; }
  std::uint32_t waited_flits(RouterId router, PortId port) const override {
    return flits.at({router.value, port.value});
  }
};

/// On a line of routers 0 to 5 from 2 to 3: straight up, 1 link; by router 1 down, 3 links.
TEST(Ugal, WeighsQueuesByLinks) {
  const Topology t = cube_of("cube", {6});
  const auto valiant = made("valiant", t);
  std::uint32_t by_1 = 0;
  const auto valiants_first = [&](std::uint32_t draw) { return walk(t, *valiant, 2, 3, draw); };
  while (valiants_first(by_1).size() != 4 + 0U || valiants_first(by_1)[0].out != PortId{1}) ++by_1;
  for (const std::uint32_t threshold : {0U, 4U}) {
    const auto ugal = made("ugal", t, 4, threshold);
    Queues queues;
    const auto straight = [&] { return walk(t, *ugal, 2, 3, by_1).size() == 2; };
    EXPECT_TRUE(straight()) << "nobody has told of queues";
    dynamic_cast<const ReadsOutputQueues&>(*ugal).read_queues(queues);
    for (const std::uint32_t down : {0U, 1U, 3U}) {
      queues.flits = {{0, 3 * down + threshold}, {1, down}};
      EXPECT_TRUE(straight()) << "as bad";
      ++queues.flits[0];
      EXPECT_FALSE(straight()) << "worse by one";
      const auto steps = walk(t, *ugal, 2, 3, by_1);
      EXPECT_EQ(steps[0].vcs, 3U);
      EXPECT_EQ(steps[1].vcs, 12U) << "from router 1 on, whatever the queues there";
    }
    EXPECT_EQ(walk(t, *ugal, 2, 2, by_1).size(), 1U) << "to itself";
  }
}

TEST(Ugal, TakesEitherWayOfADragonfly) {
  const Topology t = dragonfly_of(4, 2, 2);
  const auto ugal = made("ugal", t, 3), valiant = made("valiant", t, 3), minimal = made("dragonfly_minimal", t, 3);
  Queues queues;
  dynamic_cast<const ReadsOutputQueues&>(*ugal).read_queues(queues);
  std::size_t detours = 0;
  for (std::size_t to = 2; to < t.node_count(); to += 3) {
    const auto straight = walk(t, *minimal, 0, to, 0);
    for (std::uint32_t draw = 0; draw < 256; ++draw) {
      const auto over = walk(t, *valiant, 0, to, draw);
      const auto same = [](const std::vector<Step>& a, const std::vector<Step>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const Step& x, const Step& y) { return x.router == y.router && x.out == y.out; });
      };
      queues.flits.clear();
      EXPECT_TRUE(same(walk(t, *ugal, 0, to, draw), straight));
      if (over[0].out == straight[0].out) continue;
      // with the same flits either way, fewer links win: as many are in favour of the straight way
      const std::size_t links = straight.size() - 1, detour = over.size() - 1;
      queues.flits[straight[0].out.value] = static_cast<std::uint32_t>(detour);
      queues.flits[over[0].out.value] = static_cast<std::uint32_t>(links);
      EXPECT_TRUE(same(walk(t, *ugal, 0, to, draw), straight));
      --queues.flits[over[0].out.value];
      EXPECT_TRUE(same(walk(t, *ugal, 0, to, draw), over)) << to << " " << draw;
      ++detours;
    }
  }
  EXPECT_GT(detours, 1000U);
}

/// A queue cannot make a packet leave the router that has its destination.
TEST(Ugal, StaysAtTheRouterOfADragonflyThatHasTheDestination) {
  const Topology t = dragonfly_of(4, 2, 2);
  const auto ugal = made("ugal", t, 3), all_queues = made("ugal_g", t, 3);
  Queues queues;
  for (std::uint32_t p = 0; p < 7; ++p) queues.flits[p] = 9;
  dynamic_cast<const ReadsOutputQueues&>(*ugal).read_queues(queues);
  for (std::uint32_t draw = 0; draw < 256; ++draw) {
    for (const std::size_t to : {0U, 1U}) {
      EXPECT_EQ(walk(t, *ugal, 0, to, draw).size(), 1U) << draw;
      EXPECT_EQ(walk(t, *all_queues, 0, to, draw).size(), 1U) << draw;
    }
  }
}

/// Of a way between nodes, its last step aside: what it meets, and its links.
std::uint64_t flits_on(const std::vector<Step>& way, const QueuesEverywhere& queues) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < way.size(); ++i) sum += 1 + queues.waited_flits(way[i].router, way[i].out);
  return sum;
}

bool same_way(const std::vector<Step>& a, const std::vector<Step>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Step& x, const Step& y) { return x.router == y.router && x.out == y.out; });
}

/// Queues at random, anywhere: the packet takes the shorter of the two ways, of ways as long the straight one. Ways are
/// those of the two algorithms that UGAL chooses between, walked.
TEST(UgalG, AddsUpTheQueuesOnBothWays) {
  Random random(7, "queues");
  for (const auto& [t, shortest] : std::vector<std::pair<Topology, const char*>>{
           {cube_of("cube", {5, 3}), "dimension_order"},
           {cube_of("cube", {5, 3}, true), "dimension_order"},
           {cube_of("flattened_butterfly", {3, 4}, false, 2), "dimension_order"},
           {dragonfly_of(4, 2, 2), "dragonfly_minimal"}}) {
    const std::uint32_t vcs = 6;
    const auto ugal = made("ugal_g", t, vcs), valiant = made("valiant", t, vcs), straight = made(shortest, t, vcs);
    EXPECT_TRUE(same_way(walk(t, *ugal, 0, t.node_count() - 1, 9), walk(t, *straight, 0, t.node_count() - 1, 9)))
        << "nobody has told of queues";
    QueuesEverywhere queues;
    dynamic_cast<const ReadsOutputQueues&>(*ugal).read_queues(queues);
    std::size_t detours = 0, ties = 0;
    for (int i = 0; i < 3000; ++i) {
      for (std::size_t r = 0; r < t.router_count(); ++r) {
        for (std::uint32_t p = 0; p < t.port_count(RouterId{r}); ++p)
          queues.flits[{r, p}] = static_cast<std::uint32_t>(random() % 4);
      }
      const std::size_t from = random() % t.node_count(), to = random() % t.node_count();
      const auto draw = static_cast<std::uint32_t>(random() % 256);
      const auto a = walk(t, *straight, from, to, draw), b = walk(t, *valiant, from, to, draw);
      const std::uint64_t short_way = flits_on(a, queues), long_way = flits_on(b, queues);
      ASSERT_TRUE(same_way(walk(t, *ugal, from, to, draw), short_way <= long_way ? a : b))
          << t.name << " " << from << " " << to << " " << draw << ": " << short_way << " " << long_way;
      detours += short_way > long_way ? 1 : 0;
      ties += short_way == long_way && !same_way(a, b) ? 1 : 0;
    }
    EXPECT_GT(detours, 50U) << t.name;
    EXPECT_GT(ties, 10U) << t.name;
  }
}

TEST(Phases, AreRefusedWhereTheyCannotWork) {
  const auto refusal = [](const char* name, const Topology& t, std::uint32_t vcs) {
    return complaint([&] { made(name, t, vcs); });
  };
  EXPECT_EQ(refusal("valiant", cube_of("cube", {3, 3}, true), 3),
            "routing algorithm \"valiant\" on a torus needs router.vcs >= 4; it is 3");
  EXPECT_EQ(refusal("romm", cube_of("cube", {3, 3}), 1),
            "routing algorithm \"romm\" on a mesh or flattened butterfly needs router.vcs >= 2; it is 1");
  EXPECT_EQ(refusal("ugal", dragonfly_of(2, 1, 1), 2),
            "routing algorithm \"ugal\" on a dragonfly needs router.vcs >= 3; it is 2");
  EXPECT_EQ(refusal("romm", dragonfly_of(2, 1, 1), 4),
            "routing algorithm \"romm\" needs topology.kind = \"cube\" or \"flattened_butterfly\"; topology is "
            "dragonfly a=2 p=1 h=1");
  RoutingContext context;
  context.configuration.set("router.architecture", std::string("po2"));
  const Topology mesh = cube_of("cube", {3, 3});
  EXPECT_EQ(complaint([&] { RoutingRegistry::instance().make("valiant", mesh, context); }),
            "routing algorithm \"valiant\" needs router.architecture = \"hybrid\"");
}

}  // namespace
}  // namespace braid::test::intermediate_test
