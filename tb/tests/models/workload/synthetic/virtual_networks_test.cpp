// Classes with virtual channels of their own: what the algorithms of their ranges say becomes what the network's one
// says. The ranges here have algorithms that differ in everything.
#include "models/workload/synthetic/virtual_networks.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::virtual_networks_test {
namespace {

using models::VirtualNetworks;

/// What an algorithm may say of itself.
struct Claims {
  VcMask injection = 0, escape = 0;
  bool by_source = false, bubble = false;
  std::uint32_t draws = 1;
  std::size_t candidates = 1;
  bool room = true;
};

class Claiming : public routing::RoutingAlgorithm {
 public:
  Claiming(std::uint32_t vcs, const Claims& claims) : RoutingAlgorithm(vcs), claims_(claims) {}
  /// By the port of the VC that the packet has come on, with the first and the last of its own VCs.
  void route(const routing::RouteQuery& query, routing::CandidateList& out) const override {
    out.clear();
    out.add(PortId{std::size_t{query.in_vc.value}}, VcMask{1} | (all_vcs_ & ~(all_vcs_ >> 1)));
  }
  VcMask injection_vcs() const override { return claims_.injection; }
  VcMask escape_vcs() const override { return claims_.escape; }
  bool depends_on_source() const override { return claims_.by_source; }
  bool relies_on_bubble() const override { return claims_.bubble; }
  std::uint32_t draws() const override { return claims_.draws; }
  std::size_t max_candidates() const override { return claims_.candidates; }
  void check_room() const override {
    if (!claims_.room) throw InputError("no room");
  }

 private:
  Claims claims_;
};

/// One that looks at queues, at all of them if it is told to.
class Looking final : public Claiming, public routing::ReadsOutputQueues {
 public:
  Looking(std::uint32_t vcs, bool all, int& told) : Claiming(vcs, {}), all_(all), told_(told) {}
  bool reads_all_queues() const override { return all_; }
  void read_queues(const routing::OutputQueues&) const override { ++told_; }

 private:
  bool all_;
  int& told_;
};

using Algorithms = std::vector<std::unique_ptr<routing::RoutingAlgorithm>>;

/// A range of three VCs, the next three, and so on; class i has the range i.
VirtualNetworks side_by_side(Algorithms algorithms) {
  std::vector<VirtualNetworks::Range> ranges;
  std::vector<std::uint8_t> of_class;
  for (std::uint32_t i = 0; i < algorithms.size(); ++i) {
    ranges.push_back({3 * i, 3, std::move(algorithms[i])});
    of_class.push_back(static_cast<std::uint8_t>(i));
  }
  return {static_cast<std::uint32_t>(3 * ranges.size()), std::move(ranges), std::move(of_class)};
}

/// Both orders: what one of them says counts wherever it stands.
std::vector<VirtualNetworks> both_orders(const Claims& one, const Claims& other) {
  std::vector<VirtualNetworks> all;
  for (const bool swapped : {false, true}) {
    Algorithms algorithms;
    algorithms.push_back(std::make_unique<Claiming>(3, swapped ? other : one));
    algorithms.push_back(std::make_unique<Claiming>(3, swapped ? one : other));
    all.push_back(side_by_side(std::move(algorithms)));
  }
  return all;
}

TEST(VirtualNetworks, PutTheVcsOfTheirRangesSideBySide) {
  const std::vector<VirtualNetworks> networks =
      both_orders({0b011, 0b001, false, false, 1, 1}, {0b110, 0b100, false, false, 1, 1});
  EXPECT_EQ(networks[0].injection_vcs(), 0b110011U);
  EXPECT_EQ(networks[0].injection_vcs_of(0), 0b000011U);
  EXPECT_EQ(networks[0].injection_vcs_of(1), 0b110000U);
  EXPECT_EQ(networks[0].injection_vcs_of(2), 0b000011U) << "of no class's own: the first range";
  EXPECT_EQ(networks[0].escape_vcs(), 0b100001U);
  EXPECT_EQ(networks[1].injection_vcs(), 0b011110U);
  EXPECT_EQ(networks[1].escape_vcs(), 0b001100U);
  EXPECT_TRUE(networks[0].injection_by_class());
  EXPECT_TRUE(networks[0].acyclic_by_construction()) << "each range was looked at alone";
}

/// One range that needs something is enough, whichever it is; none that does is none.
TEST(VirtualNetworks, NeedWhatAnyOfTheirRangesNeeds) {
  const auto none = both_orders({}, {});
  for (const VirtualNetworks& network : none) {
    EXPECT_FALSE(network.depends_on_source());
    EXPECT_FALSE(network.relies_on_bubble());
    EXPECT_FALSE(network.reads_queues());
    EXPECT_FALSE(network.reads_all_queues());
    EXPECT_EQ(network.draws(), 1U);
    EXPECT_EQ(network.max_candidates(), 1U);
    EXPECT_NO_THROW(network.check_room());
  }
  for (const VirtualNetworks& network : both_orders({}, {0, 0, true, false, 4, 2})) {
    EXPECT_TRUE(network.depends_on_source());
    EXPECT_FALSE(network.relies_on_bubble());
    EXPECT_EQ(network.draws(), 4U);
    EXPECT_EQ(network.max_candidates(), 2U);
  }
  for (const VirtualNetworks& network : both_orders({0, 0, false, false, 2, 7}, {0, 0, false, true, 1, 3, false})) {
    EXPECT_FALSE(network.depends_on_source());
    EXPECT_TRUE(network.relies_on_bubble());
    EXPECT_EQ(network.draws(), 2U);
    EXPECT_EQ(network.max_candidates(), 7U);
    EXPECT_THROW(network.check_room(), InputError);
  }
}

/// A packet comes on a VC of the router's, which its own range counts from its first; one that comes on another range's
/// VC, from the node as it were, counts as on the first.
TEST(VirtualNetworks, RouteByTheVcOfTheRange) {
  const auto networks = both_orders({}, {});
  const auto way = [&](std::size_t in_vc, std::uint8_t traffic_class) {
    routing::CandidateList out;
    routing::RouteQuery query{RouterId{0}, PortId{4}, VcId{in_vc}, NodeId{0}, NodeId{1}};
    query.traffic_class = traffic_class;
    networks[0].route(query, out);
    EXPECT_EQ(out.size(), 1U);
    return std::make_pair(out[0].port.value, out[0].vcs);
  };
  const auto on = [](std::uint32_t vc, VcMask vcs) { return std::make_pair(PortId{vc}.value, vcs); };
  EXPECT_EQ(way(0, 0), on(0, 0b000101U));
  EXPECT_EQ(way(2, 0), on(2, 0b000101U));
  EXPECT_EQ(way(3, 1), on(0, 0b101000U));
  EXPECT_EQ(way(5, 1), on(2, 0b101000U));
  EXPECT_EQ(way(2, 1), on(0, 0b101000U)) << "of the range before";
  EXPECT_EQ(way(1, 9), on(1, 0b000101U)) << "a packet of no class of these";
}

/// Queues that nobody reads.
class NoQueues final : public routing::OutputQueues {
 public:
  std::uint32_t waiting_flits(RouterId, PortId) const override { return 0; }
  std::uint32_t waited_flits(RouterId, PortId) const override { return 0; }
};

TEST(VirtualNetworks, TellTheQueuesToEachRangeThatReadsThem) {
  for (const bool all : {false, true}) {
    int told = 0;
    Algorithms algorithms;
    algorithms.push_back(std::make_unique<Claiming>(3, Claims{}));
    algorithms.push_back(std::make_unique<Looking>(3, false, told));
    algorithms.push_back(std::make_unique<Looking>(3, all, told));
    const VirtualNetworks network = side_by_side(std::move(algorithms));
    EXPECT_TRUE(network.reads_queues());
    EXPECT_EQ(network.reads_all_queues(), all);
    network.read_queues(NoQueues());
    EXPECT_EQ(told, 2);
  }
}

// ---------------------------------------------------------------- of an experiment

std::string refusal(const std::string& keys, const std::string& vcs = "[0, 1]") {
  const std::string text =
      "[topology]\nwidth = 4\nheight = 4\n" + keys + "[[traffic]]\nname = \"a\"\nvcs = " + vcs + "\n";
  return complaint([&] { Bench(models::parse_experiment(text, "e.toml")); });
}

TEST(VirtualNetworks, AreOfModelledHybridRoutersAlone) {
  const std::string says = "traffic.vcs: virtual channels of a class's own are known to modelled hybrid routers: ";
  EXPECT_EQ(refusal(""), "");
  EXPECT_EQ(refusal("[router]\narchitecture = \"hybrid\"\nimplementation = \"model\"\n"), "");
  EXPECT_NE(refusal("[router]\narchitecture = \"ideal\"\n").find(says), std::string::npos);
  EXPECT_NE(refusal("[router]\narchitecture = \"virtual_cut_through\"\n").find(says), std::string::npos);
  EXPECT_NE(refusal("[router]\nimplementation = \"rtl\"\n").find(says), std::string::npos);
  EXPECT_NE(refusal("[stage]\n").find(says), std::string::npos);
}

TEST(VirtualNetworks, AreNamedByTheirFirstAndLastChannel) {
  const std::string says = "traffic.vcs of a: expected [FIRST, LAST], two virtual channels of 0 to 3";
  for (const char* good : {"[0, 0]", "[3, 3]", "[0, 3]", "[1, 2]", "[]"}) EXPECT_EQ(refusal("", good), "") << good;
  for (const char* bad : {"[0]", "[0, 1, 2]", "[2, 1]", "[0, 4]", "[4, 4]"}) {
    EXPECT_NE(refusal("", bad).find(says), std::string::npos) << bad << refusal("", bad);
  }
}

/// An adaptive algorithm's escape channel is the first of each range.
TEST(VirtualNetworks, OfAnAdaptiveAlgorithmHaveAnEscapeEach) {
  const models::Experiment e = models::parse_experiment(
      "[topology]\nwidth = 4\nheight = 4\n[router]\nvcs = 6\n[routing]\nalgorithm = \"minimal_adaptive\"\n"
      "[[traffic]]\nname = \"a\"\nvcs = [0, 2]\n[[traffic]]\nname = \"b\"\nvcs = [3, 5]\n",
      "e.toml");
  const routing::Topology topology = routing::make_topology(e);
  EXPECT_EQ(models::make_routing_by_class(topology, e)->escape_vcs(), 0b001001U);
}

}  // namespace
}  // namespace braid::test::virtual_networks_test
