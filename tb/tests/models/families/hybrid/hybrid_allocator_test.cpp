// Allocators by hand: requests set in the registers of one router, grants read off.
#include <gtest/gtest.h>

#include "models/families/hybrid/circuit_allocator.h"
#include "models/families/hybrid/switch_allocator.h"
#include "models/families/hybrid/vc_allocator.h"
#include "tb/tests/support/one_router.h"

namespace braid::test::hybrid_allocator_test {
namespace {

using namespace models;
using namespace models::hybrid;
using namespace one_router;

std::unique_ptr<SwitchAllocator> switch_allocator(const Router& router, const char* name, const char* arbiter) {
  return SwitchAllocatorRegistry::instance().make(name, router.allocator(arbiter));
}

// ---------------------------------------------------------------- SA

TEST(SeparableSwitchAllocator, TakesInputsInTurn) {
  Router router;
  const auto sa = switch_allocator(router, "separable_input_first", "round_robin");
  router.request({{0, 0, kLocal}, {1, 0, kLocal}, {3, 0, kLocal}});
  std::string order;
  for (int i = 0; i < 5; ++i) order += granted(*sa, router);
  EXPECT_EQ(order, "0.0 1.0 3.0 0.0 1.0 ");
}

/// Input 1 loses the first cycle to input 0, so its VC pointer stays at lane 0; alone, it then takes lane 0, lane 1.
TEST(SeparableSwitchAllocator, MovesAPointerOnlyWithAGrant) {
  Router router;
  const auto sa = switch_allocator(router, "separable_input_first", "round_robin");
  router.request({{0, 0, kLocal}, {1, 0, kLocal}, {1, 1, kLocal}});
  EXPECT_EQ(granted(*sa, router), "0.0 ");
  router.request({{1, 0, kLocal}, {1, 1, kLocal}});
  EXPECT_EQ(granted(*sa, router), "1.0 ");
  EXPECT_EQ(granted(*sa, router), "1.1 ");
  EXPECT_EQ(granted(*sa, router), "1.0 ");
}

/// Each input offers one VC. Input 0 offers lane 0 for the local port, where input 1 is next in turn: its lane 1 for
/// the north port, which nobody asks for, loses the cycle. In the next cycle it is the other way round.
TEST(SeparableSwitchAllocator, OffersOneVcOfAnInputAndLosesTheOthers) {
  Router router;
  const auto sa = switch_allocator(router, "separable_input_first", "round_robin");
  router.request({{0, 0, kLocal}, {1, 0, kLocal}});
  EXPECT_EQ(granted(*sa, router), "0.0 ");
  router.request({{0, 1, kLocal}});
  EXPECT_EQ(granted(*sa, router), "0.1 ") << "input 0's VC pointer is at lane 0 again, the local port's at input 1";
  router.request({{0, 0, kLocal}, {0, 1, 2}, {1, 0, kLocal}});
  EXPECT_EQ(granted(*sa, router), "1.0 ");
  EXPECT_EQ(granted(*sa, router), "0.0 ");
}

TEST(IslipSwitchAllocator, RequestsEveryOutputOfAnInput) {
  Router router;
  const auto sa = switch_allocator(router, "islip", "round_robin");
  router.request({{0, 0, kLocal}});
  EXPECT_EQ(granted(*sa, router), "0.0 ");
  router.request({{0, 0, kLocal}, {0, 1, 2}, {1, 0, kLocal}});
  EXPECT_EQ(granted(*sa, router), "0.1 1.0 ") << "the local port grants 1, so input 0 takes its other output";
}

/// Both outputs grant input 0 (all pointers at 0), which accepts port 2. The local port's pointer must not move: it
/// grants input 0 again, which accepts it, for its pointer is now past 2. Only then comes input 1.
TEST(IslipSwitchAllocator, MovesPointersOnlyOnAnAcceptedGrant) {
  Router router;
  const auto sa = switch_allocator(router, "islip", "round_robin");
  router.request({{0, 0, 2}, {0, 1, kLocal}, {1, 0, kLocal}});
  EXPECT_EQ(granted(*sa, router), "0.0 ");
  EXPECT_EQ(granted(*sa, router), "0.1 ");
  EXPECT_EQ(granted(*sa, router), "0.0 1.0 ");
}

/// What input 0 did not accept goes to input 1 in the second iteration, and that moves no pointer: in the next cycle
/// the local port grants input 0 again, not input 3.
TEST(IslipSwitchAllocator, MatchesWhatIsLeftOverInTheNextIteration) {
  Router router;
  const auto sa = SwitchAllocatorRegistry::instance().make("islip", router.allocator("round_robin", 2));
  router.request({{0, 0, 2}, {0, 1, kLocal}, {1, 0, kLocal}, {3, 0, kLocal}});
  EXPECT_EQ(granted(*sa, router), "0.0 1.0 ");
  EXPECT_EQ(granted(*sa, router), "0.1 ");
  EXPECT_EQ(granted(*sa, router), "0.0 1.0 ") << "nothing of the cycles before is left";
}

/// 2 was served last, 0 before it, 1 never: 1, 0, 2. Round robin would go on with 0.
TEST(MatrixSwitchAllocator, ServesWhoHasWaitedLongest) {
  for (const char* name : {"separable_input_first", "islip"}) {
    Router router;
    const auto sa = switch_allocator(router, name, "matrix");
    router.request({{0, 0, kLocal}, {1, 0, kLocal}, {2, 0, kLocal}});
    EXPECT_EQ(granted(*sa, router), "0.0 ") << name;
    router.request({{2, 0, kLocal}});
    EXPECT_EQ(granted(*sa, router), "2.0 ") << name;
    router.request({{0, 0, kLocal}, {1, 0, kLocal}, {2, 0, kLocal}});
    std::string order;
    for (int i = 0; i < 3; ++i) order += granted(*sa, router);
    EXPECT_EQ(order, "1.0 0.0 2.0 ") << name;
  }
}

/// A circuit's flit takes its input and its output port out of packet allocation; a closed output is never given.
TEST(SwitchAllocators, LeaveToCircuitsWhatTheyTake) {
  for (const char* name : {"separable_input_first", "islip", "wavefront", "pim", "maximum_size"}) {
    Router router(2, true);
    const auto sa = switch_allocator(router, name, "round_robin");
    bool taken[8] = {}, inputs[8] = {};
    router.request({{0, 0, kLocal}, {1, 0, 2}, {3, 0, 1}});
    EXPECT_EQ(granted(*sa, router, taken, inputs), "0.0 1.0 3.0 ") << name;
    taken[2] = true;  // a circuit's flit crosses to port 2
    EXPECT_EQ(granted(*sa, router, taken, inputs), "0.0 3.0 ") << name;
    router.bank->switch_requests[router.port(0)] |= 1U << router.bank->circuit_lane();
    EXPECT_EQ(granted(*sa, router, taken, inputs), "0.0 3.0 ") << name << ": a circuit of input 0 asks in vain";
    inputs[0] = true;  // ... and goes
    EXPECT_EQ(granted(*sa, router, taken, inputs), "3.0 ") << name;
    router.bank->closed_outputs[router.port(1)] = true;  // reserved and not shared
    EXPECT_EQ(granted(*sa, router, taken, inputs), "") << name;
  }
}

// ---------------------------------------------------------------- circuits

std::string granted(CircuitAllocator& allocator, const Router& router) {
  WorkList<VcIndex> grants;
  grants.reserve(router.bank->port_stride());
  allocator.allocate(router.ports, {}, grants);
  std::string text;
  for (const VcIndex v : grants) {
    text += std::to_string(router.bank->port_of(router.bank->port_of_vc(v))) + "." +
            std::to_string(router.bank->circuit_of(v)) + " ";
  }
  return text;
}

/// Two packet VCs: lanes 2 to 5 are circuits 0 to 3. Three of node 4's, two of which go on to other routers.
TEST(CircuitAllocator, TakesTheCircuitsOfAnInputInTurn) {
  Router router(2, true, 4);
  CircuitAllocator circuits(*router.bank, router.range);
  router.request({{kLocal, 2, 0}, {kLocal, 3, 1}, {kLocal, 5, 2}});
  std::string order;
  for (int i = 0; i < 4; ++i) order += granted(circuits, router);
  EXPECT_EQ(order, "4.0 4.1 4.3 4.0 ");
}

/// Circuits from three routers that end at one local port, and one that passes.
TEST(CircuitAllocator, TakesTheInputsOfAnOutputInTurn) {
  Router router(2, true, 4);
  CircuitAllocator circuits(*router.bank, router.range);
  router.request({{0, 2, kLocal}, {1, 2, 2}, {2, 2, kLocal}, {3, 2, kLocal}});
  EXPECT_EQ(granted(circuits, router), "0.0 1.0 ");
  EXPECT_EQ(granted(circuits, router), "2.0 1.0 ");
  EXPECT_EQ(granted(circuits, router), "3.0 1.0 ");
  EXPECT_EQ(granted(circuits, router), "0.0 1.0 ");
}

/// The first circuit of the node goes back to it and loses to input 0: it is still the first to be offered.
TEST(CircuitAllocator, MovesATurnOnlyWithAGrant) {
  Router router(2, true, 4);
  CircuitAllocator circuits(*router.bank, router.range);
  router.request({{0, 2, kLocal}, {kLocal, 2, kLocal}, {kLocal, 3, 1}});
  EXPECT_EQ(granted(circuits, router), "0.0 ");
  EXPECT_EQ(granted(circuits, router), "4.0 ") << "the output's turn is past input 0";
  EXPECT_EQ(granted(circuits, router), "0.0 4.1 ");
}

// ---------------------------------------------------------------- VA

/// VA's grants as "INPUT PORT.LANE>OUTPUT PORT.LANE ", by input.
std::string vcs_granted(VcAllocator& allocator, const Router& router, const std::vector<VcIndex>& heads) {
  WorkList<VcIndex> waiting;
  waiting.reserve(heads.size());
  for (const VcIndex v : heads) waiting.push(v);
  WorkList<VcGrant> grants;
  grants.reserve(64);
  allocator.allocate({*router.bank, waiting}, grants);
  const auto name = [&](VcIndex v) {
    return std::to_string(router.bank->port_of(router.bank->port_of_vc(v))) + "." +
           std::to_string(router.bank->lane_of(v));
  };
  std::set<std::string> names;
  for (const VcGrant& g : grants) {
    names.insert(name(g.in_vc) + ">" + name(g.out_vc) + " ");
    router.bank->last_ports[g.in_vc] =
        static_cast<std::uint8_t>(router.bank->port_of(router.bank->port_of_vc(g.out_vc)));
  }
  std::string text;
  for (const std::string& n : names) text += n;
  return text;
}

std::unique_ptr<VcAllocator> vc_allocator(const Router& router, const char* name) {
  return VcAllocatorRegistry::instance().make(name, router.allocator("round_robin"));
}

TEST(VcAllocators, GiveAVcToTheHeadsThatAskForItInTurn) {
  for (const char* name : {"separable_input_first", "islip"}) {
    Router router(1);
    const auto va = vc_allocator(router, name);
    const std::vector<VcIndex> heads{router.vc(3, 0), router.vc(0, 0), router.vc(1, 0)};
    for (const VcIndex head : heads) router.wait(head, {{PortId{2}, 0, 1}});
    std::string order;
    for (int i = 0; i < 4; ++i) order += vcs_granted(*va, router, heads);
    EXPECT_EQ(order, "0.0>2.0 1.0>2.0 3.0>2.0 0.0>2.0 ") << name;
  }
}

TEST(VcAllocators, GiveNothingThatIsTaken) {
  for (const char* name : {"separable_input_first", "islip"}) {
    Router router(2);
    const auto va = vc_allocator(router, name);
    router.wait(router.vc(0, 0), {{PortId{2}, 0, 3}});
    router.bank->free_vcs[router.port(2)] = 2;
    EXPECT_EQ(vcs_granted(*va, router, {router.vc(0, 0)}), "0.0>2.1 ") << name;
    router.bank->free_vcs[router.port(2)] = 0;
    EXPECT_EQ(vcs_granted(*va, router, {router.vc(0, 0)}), "") << name;
  }
}

TEST(SeparableVcAllocator, GoesRoundAmongTheFreeVcsOfAPort) {
  Router router(4);
  const auto va = vc_allocator(router, "separable_input_first");
  router.wait(router.vc(0, 0), {{PortId{2}, 0, 0b1011}});  // lane 2 is not offered
  std::string order;
  for (int i = 0; i < 4; ++i) order += vcs_granted(*va, router, {router.vc(0, 0)});
  EXPECT_EQ(order, "0.0>2.0 0.0>2.1 0.0>2.3 0.0>2.0 ");
}

/// Among candidates with a free VC the one of highest priority, whatever the space behind it.
TEST(SeparableVcAllocator, AsksTheCandidateOfHighestPriorityThatHasAFreeVc) {
  Router router(2);
  const auto va = vc_allocator(router, "separable_input_first");
  const std::vector<VcIndex> head{router.vc(kLocal, 0)};
  router.wait(head[0], {{PortId{0}, 1, 1}, {PortId{1}, 3, 1}, {PortId{2}, 2, 1}});
  router.bank->output_vcs[router.vc(1, 0)].credits = 1;
  EXPECT_EQ(vcs_granted(*va, router, head), "4.0>1.0 ");
  router.bank->free_vcs[router.port(1)] = 2;  // lane 0 is taken, lane 1 not offered
  EXPECT_EQ(vcs_granted(*va, router, head), "4.0>2.0 ");
  router.bank->free_vcs[router.port(2)] = 0;
  EXPECT_EQ(vcs_granted(*va, router, head), "4.0>0.0 ");
}

/// Among equals the one with most free buffer space downstream, over the VCs offered.
TEST(SeparableVcAllocator, AsksAmongEqualsWhereMostSpaceIs) {
  Router router(2);
  const auto va = vc_allocator(router, "separable_input_first");
  const std::vector<VcIndex> head{router.vc(kLocal, 0)};
  router.wait(head[0], {{PortId{3}, 1, 3}, {PortId{1}, 1, 3}});
  router.bank->output_vcs[router.vc(3, 1)].credits = 7;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(vcs_granted(*va, router, head).substr(0, 5), "4.0>1") << "15 and 16";
  router.bank->output_vcs[router.vc(1, 0)].credits = 6;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(vcs_granted(*va, router, head).substr(0, 5), "4.0>3") << "15 and 14";
}

/// Ties: the first port after the one of the input VC's last packet, whatever the order of the candidates. Each
/// input VC goes round for itself.
TEST(SeparableVcAllocator, GoesRoundAmongPortsWithEqualSpace) {
  Router router(1);
  const auto va = vc_allocator(router, "separable_input_first");
  const VcIndex local = router.vc(kLocal, 0), south = router.vc(3, 0);
  router.wait(local, {{PortId{3}, 1, 1}, {PortId{0}, 1, 1}, {PortId{2}, 1, 1}, {PortId{1}, 0, 1}});
  router.wait(south, {{PortId{0}, 1, 1}, {PortId{2}, 1, 1}});
  std::string order;
  for (int i = 0; i < 4; ++i) order += vcs_granted(*va, router, {local});
  EXPECT_EQ(order, "4.0>2.0 4.0>3.0 4.0>0.0 4.0>2.0 ") << "after reset as if its last packet had taken port 0";
  EXPECT_EQ(vcs_granted(*va, router, {south}), "3.0>2.0 ");
  EXPECT_EQ(vcs_granted(*va, router, {local, south}), "3.0>0.0 4.0>3.0 ");
  EXPECT_EQ(vcs_granted(*va, router, {local}), "4.0>0.0 ");
}

/// A VC is free though nothing is left behind it, nor behind any other way's: it is asked for all the same, by the same
/// rules.
TEST(SeparableVcAllocator, AsksWhereNoSpaceIsIfAllAreFull) {
  Router router(1);
  const auto va = vc_allocator(router, "separable_input_first");
  const std::vector<VcIndex> head{router.vc(kLocal, 0)};
  router.wait(head[0], {{PortId{3}, 1, 1}, {PortId{1}, 1, 1}, {PortId{2}, 0, 1}});
  for (const std::uint32_t p : {1U, 2U, 3U}) router.bank->output_vcs[router.vc(p, 0)].credits = 0;
  EXPECT_EQ(vcs_granted(*va, router, head), "4.0>1.0 ") << "the first port after 0";
  EXPECT_EQ(vcs_granted(*va, router, head), "4.0>3.0 ");
  router.bank->output_vcs[router.vc(2, 0)].credits = 8;
  EXPECT_EQ(vcs_granted(*va, router, head), "4.0>1.0 ") << "a way of lower priority has space";
  router.bank->free_vcs[router.port(1)] = router.bank->free_vcs[router.port(3)] = 0;
  router.bank->output_vcs[router.vc(2, 0)].credits = 0;
  EXPECT_EQ(vcs_granted(*va, router, head), "4.0>2.0 ");
}

/// The way of highest priority comes first and has no free VC: the next ones are compared among themselves.
TEST(SeparableVcAllocator, ComparesThoseThatAreLeft) {
  Router router(1);
  const auto va = vc_allocator(router, "separable_input_first");
  const std::vector<VcIndex> head{router.vc(kLocal, 0)};
  router.wait(head[0], {{PortId{0}, 3, 1}, {PortId{1}, 1, 1}, {PortId{2}, 2, 1}, {PortId{3}, 2, 1}});
  router.bank->free_vcs[router.port(0)] = 0;
  router.bank->output_vcs[router.vc(2, 0)].credits = 3;
  router.bank->output_vcs[router.vc(3, 0)].credits = 5;
  EXPECT_EQ(vcs_granted(*va, router, head), "4.0>3.0 ") << "5 and 3; the 8 of lower priority do not count";
  router.bank->output_vcs[router.vc(2, 0)].credits = 6;
  EXPECT_EQ(vcs_granted(*va, router, head), "4.0>2.0 ");
  router.bank->free_vcs[router.port(2)] = router.bank->free_vcs[router.port(3)] = 0;
  EXPECT_EQ(vcs_granted(*va, router, head), "4.0>1.0 ");
  router.bank->free_vcs[router.port(1)] = 0;
  EXPECT_EQ(vcs_granted(*va, router, head), "");
}

/// Two heads ask for one VC each: separable, the loser waits though another VC is free; iSLIP requests both.
TEST(VcAllocators, DifferInWhatALoserGets) {
  Router separable(2), islip(2);
  const auto heads = [](Router& router) {
    const std::vector<VcIndex> both{router.vc(0, 0), router.vc(1, 0)};
    for (const VcIndex head : both) router.wait(head, {{PortId{2}, 0, 3}});
    return both;
  };
  const auto va = vc_allocator(separable, "separable_input_first");
  EXPECT_EQ(vcs_granted(*va, separable, heads(separable)), "0.0>2.0 ");
  EXPECT_EQ(vcs_granted(*va, separable, heads(separable)), "0.0>2.1 1.0>2.0 ");
  // Both VCs grant head 0, which accepts the first. The pointer of the other stays, and it grants head 0 again.
  const auto slip = vc_allocator(islip, "islip");
  EXPECT_EQ(vcs_granted(*slip, islip, heads(islip)), "0.0>2.0 ");
  EXPECT_EQ(vcs_granted(*slip, islip, heads(islip)), "0.0>2.1 1.0>2.0 ");
}

/// With two iterations the loser of the test before gets the other VC at once. No pointer moves by that: VC 1 grants
/// head 0 again, which accepts it, for its own pointer is past VC 0.
TEST(IslipVcAllocator, MatchesWhatIsLeftOverInTheNextIteration) {
  Router router(2);
  const auto va = VcAllocatorRegistry::instance().make("islip", router.allocator("round_robin", 2));
  const std::vector<VcIndex> heads{router.vc(0, 0), router.vc(1, 0)};
  for (const VcIndex head : heads) router.wait(head, {{PortId{2}, 0, 3}});
  EXPECT_EQ(vcs_granted(*va, router, heads), "0.0>2.0 1.0>2.1 ");
  EXPECT_EQ(vcs_granted(*va, router, heads), "0.0>2.1 1.0>2.0 ");
}

/// iSLIP over VCs asks for all candidates, whatever their priority: an accept pointer at 0 takes the lowest port.
TEST(IslipVcAllocator, DoesNotLookAtPriorities) {
  Router router(1);
  const auto va = vc_allocator(router, "islip");
  router.wait(router.vc(kLocal, 0), {{PortId{3}, 5, 1}, {PortId{1}, 0, 1}});
  EXPECT_EQ(vcs_granted(*va, router, {router.vc(kLocal, 0)}), "4.0>1.0 ");
  EXPECT_EQ(vcs_granted(*va, router, {router.vc(kLocal, 0)}), "4.0>3.0 ") << "its pointer is past port 1";
}

}  // namespace
}  // namespace braid::test::hybrid_allocator_test
