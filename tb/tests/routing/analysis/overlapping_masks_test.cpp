// VCs that stand in several masks are told apart one by one, or a cycle over one of them would go unseen.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "routing/analysis/channel_dependency.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::overlapping_masks_test {
namespace {

using namespace routing;

constexpr VcMask kVc0 = 1, kVc1 = 2, kVc2 = 4;

bool injected(const Topology& t, const RouteQuery& q) { return t.port(q.router, q.in_port).kind == PortKind::kLocal; }

/// Clockwise on a ring of three, at most two links: injected packets may take any VC of `first`, in transit they take
/// what `second` says, each a candidate.
Scripted two_hops(const Topology& ring, std::uint32_t vcs, VcMask first, const std::vector<VcMask>& second,
                  VcMask escape = 0) {
  return {ring, vcs, {escape, false, false}, [&ring, first, second](const RouteQuery& q, CandidateList& out) {
            const PortId port = port_to(ring, q.router, RouterId{(q.router.value + 1) % 3});
            if (injected(ring, q)) return out.add(port, first);
            for (const VcMask mask : second) out.add(port, mask);
          }};
}

/// In the order of their names.
std::vector<std::string> cycle(const Topology& t, const Scripted& algorithm, std::uint32_t vcs) {
  std::vector<std::string> channels = ChannelDependencyGraph(t, algorithm, vcs).find_cycle();
  std::sort(channels.begin(), channels.end());
  return channels;
}

const std::vector<std::string>& ring_on_vc_1() {
  static const std::vector<std::string> all{"(r0)->to_r1 vc 1", "(r1)->to_r2 vc 1", "(r2)->to_r0 vc 1"};
  return all;
}

/// First hops on VC 0 or 1, second ones on 1: whoever is on 1 waits for 1. By the lowest VC of each mask alone, 0 waits
/// for 1 and nothing for 0.
TEST(OverlappingMasks, AreFollowedVcByVc) {
  const Topology ring = ring_of(3);
  EXPECT_EQ(cycle(ring, two_hops(ring, 2, kVc0 | kVc1, {kVc1}), 2), ring_on_vc_1());
  EXPECT_EQ(cycle(ring, two_hops(ring, 2, kVc0, {kVc1}), 2), std::vector<std::string>());
  EXPECT_EQ(cycle(ring, two_hops(ring, 3, kVc0 | kVc1, {kVc2}), 3), std::vector<std::string>());
}

/// The mask between them has no VC in common with either.
TEST(OverlappingMasks, AreSeenBehindOneThatOverlapsNone) {
  const Topology ring = ring_of(3);
  EXPECT_EQ(cycle(ring, two_hops(ring, 3, kVc0 | kVc1, {kVc2, kVc1}), 3), ring_on_vc_1());
  EXPECT_EQ(cycle(ring, two_hops(ring, 3, kVc0 | kVc2, {kVc1}), 3), std::vector<std::string>());
}

/// A mask over escape and other VCs counts as two, which have nothing in common.
TEST(OverlappingMasks, AreCutAtTheEscape) {
  const Topology ring = ring_of(3);
  EXPECT_EQ(cycle(ring, two_hops(ring, 2, kVc0 | kVc1, {kVc0 | kVc1}, kVc0), 2),
            (std::vector<std::string>{"(r0)->to_r1 vc 0", "(r1)->to_r2 vc 0", "(r2)->to_r0 vc 0"}));
  EXPECT_EQ(cycle(ring, two_hops(ring, 3, kVc0 | kVc2, {kVc1 | kVc2}, kVc0 | kVc1), 3), std::vector<std::string>());
}

/// An escape VC that is offered by one of several candidates is offered; the first place without one is named.
TEST(OverlappingMasks, OneCandidateWithAnEscapeIsEnough) {
  const Topology ring = ring_of(3);
  EXPECT_EQ(ChannelDependencyGraph(ring, two_hops(ring, 3, kVc0, {kVc2, kVc1}, kVc0 | kVc1), 3).state_without_escape(),
            "");
  EXPECT_EQ(ChannelDependencyGraph(ring, two_hops(ring, 3, kVc0, {kVc1, kVc2}, kVc0 | kVc1), 3).state_without_escape(),
            "");
  EXPECT_EQ(ChannelDependencyGraph(ring, two_hops(ring, 3, kVc0, {kVc2}, kVc0 | kVc1), 3).state_without_escape(),
            "router r2, packet from node 1 to node 0");
}

}  // namespace
}  // namespace braid::test::overlapping_masks_test
