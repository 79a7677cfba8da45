// What a slice's own lists are held to when a checkpoint has brought them (Slice::check_restored): heads, requests and
// flits in the ST register are of its routers, and go where a switch leads. A flit more than there are is none of that,
// but the sum is wrong.
#include <gtest/gtest.h>

#include <functional>

#include "models/families/hybrid/fabric.h"
#include "tb/tests/support/restored.h"

namespace braid::test::restored_slice_test {
namespace {

using models::Flit;
using models::hybrid::Fabric;
using models::hybrid::PortIndex;
using models::hybrid::RouterBank;
using models::hybrid::Slice;
using models::hybrid::VcIndex;
using models::hybrid::VcState;

const std::string kOneMore = no_such_state("packets or flits that do not add up");
const PortId kNode = routing::kFirstGridLocalPort;

/// A row of three routers, each a slice, after some traffic. The middle one's lists are changed.
struct Row {
  explicit Row(const std::function<void(models::Experiment&)>& set = [](models::Experiment&) {})
      : restored(made(set), 3) {
    restored.bench.run(40);
    while (!slice().heads().empty() || !slice().switch_register().empty()) restored.bench.run(1);
  }
  static models::Experiment made(const std::function<void(models::Experiment&)>& set) {
    models::Experiment e = uniform_mesh(0.05, 3, 1);
    set(e);
    return e;
  }
  Fabric& fabric() { return models::hybrid::of(restored.bench.network->fabric()); }
  Slice& slice() { return fabric().slice(1); }
  const RouterBank& bank() { return fabric().bank(); }
  VcIndex vc(std::size_t router, PortId port, std::uint32_t lane) {
    return bank().vc_index(bank().port_index(RouterId{router}, port), lane);
  }
  /// With a head more, whose VC has so many flits.
  std::string with_head(VcIndex v, std::uint16_t count, int times = 1) {
    auto& heads = const_cast<models::WorkList<VcIndex>&>(slice().heads());
    const std::size_t size = heads.size();
    const auto had = bank().input_vcs[v];
    const std::string said = restored.said_after([&] {
      for (int i = 0; i < times; ++i) heads.push(v);
      bank().input_vcs[v].count = count;
    });
    EXPECT_EQ(heads.size(), size) << "as it was";
    EXPECT_EQ(bank().input_vcs[v].count, had.count) << "as it was";
    return said;
  }
  /// With a flit more in the ST register.
  std::string with_crossing(const std::vector<Slice::Traversal>& more) {
    auto& crossing = const_cast<models::WorkList<Slice::Traversal>&>(slice().switch_register());
    return restored.said_after([&] {
      for (const Slice::Traversal& t : more) crossing.push(t);
    });
  }
  PortIndex port(std::size_t router, PortId p) { return bank().port_index(RouterId{router}, p); }
  Restored restored;
};

TEST(RestoredSlice, HasHeadsOfItsOwnRouters) {
  const std::string wrong = no_such_state("a list with a VC twice, or an empty one");
  Row row;
  const VcIndex first = row.vc(1, PortId{0U}, 0), last = row.vc(1, kNode, 3);
  EXPECT_EQ(row.with_head(first, 1), kOneMore);
  EXPECT_EQ(row.with_head(last, 1), kOneMore);
  EXPECT_EQ(row.with_head(first, 0), wrong) << "no flit is there";
  EXPECT_EQ(row.with_head(first, 1, 2), wrong) << "twice";
  EXPECT_EQ(row.with_head(row.vc(1, routing::kNorth, 0), 1), no_such_state("flits at a port that nothing feeds"));
  EXPECT_EQ(row.with_head(row.vc(0, kNode, 3), 1), wrong) << "of the router before";
  EXPECT_EQ(row.with_head(row.vc(2, routing::kWest, 0), 1), wrong) << "of the router behind";
}

/// What crosses its switch comes in at a port of it and goes out by one that leads on, each output once.
TEST(RestoredSlice, HasFlitsThatCrossItsSwitches) {
  const std::string nowhere = no_such_state("a flit that crosses no switch");
  Row row;
  const Flit flit(0, 0, 2, 0);
  const PortIndex west = row.port(1, routing::kWest), east = row.port(1, routing::kEast), node = row.port(1, kNode);
  const VcIndex first = row.vc(1, PortId{0U}, 0), last = row.vc(1, kNode, 3);
  EXPECT_EQ(row.with_crossing({}), "");
  EXPECT_EQ(row.with_crossing({{flit, first, west}}), kOneMore);
  EXPECT_EQ(row.with_crossing({{flit, last, node}}), kOneMore);
  EXPECT_EQ(row.with_crossing({{flit, first, east}, {flit, last, node}}), kOneMore);
  EXPECT_EQ(row.with_crossing({{flit, first, east}, {flit, last, east}}), nowhere) << "two flits to one output";
  EXPECT_EQ(row.with_crossing({{flit, row.vc(0, kNode, 3), east}}), nowhere) << "from the router before";
  EXPECT_EQ(row.with_crossing({{flit, row.vc(2, routing::kWest, 0), east}}), nowhere) << "from the router behind";
  EXPECT_EQ(row.with_crossing({{flit, first, row.port(0, routing::kEast)}}), nowhere) << "of the router before";
  EXPECT_EQ(row.with_crossing({{flit, first, row.port(2, routing::kWest)}}), nowhere) << "of the router behind";
  EXPECT_EQ(row.with_crossing({{flit, first, row.port(1, routing::kNorth)}}), nowhere) << "at the rim";
  EXPECT_EQ(row.with_crossing({{flit, row.vc(1, routing::kNorth, 0), east}}), nowhere) << "from where nothing comes";
  EXPECT_EQ(row.with_crossing({{Flit(0, 0, 2, 3), first, east}}), kOneMore);
  EXPECT_EQ(row.with_crossing({{Flit(0, 0, 2, 4), first, east}}), here("lane", 4, 4));
}

/// With more ports of the crossbar as many flits of an input, and to an output: VC v by number v mod s, input port i by
/// number i mod t.
TEST(RestoredSlice, HasNoTwoFlitsOnAPortOfItsCrossbar) {
  const std::string two = no_such_state("two flits on one port of a crossbar");
  Row row([](models::Experiment& e) {
    e.set("router.input_speedup", 2);
    e.set("router.output_speedup", 2);
  });
  const auto flit = [](std::uint32_t lane) { return Flit(0, 0, 2, lane); };
  const PortIndex east = row.port(1, routing::kEast), node = row.port(1, kNode);
  const PortId even{0U}, odd{1U};
  EXPECT_EQ(row.with_crossing({{flit(0), row.vc(1, even, 0), east}, {flit(0), row.vc(1, even, 1), node}}), kOneMore);
  EXPECT_EQ(row.with_crossing({{flit(0), row.vc(1, even, 0), east}, {flit(0), row.vc(1, even, 2), node}}), two)
      << "VCs 0 and 2 of one input";
  EXPECT_EQ(row.with_crossing({{flit(0), row.vc(1, odd, 1), east}, {flit(0), row.vc(1, odd, 3), node}}), two)
      << "VCs 1 and 3 of one input";
  EXPECT_EQ(row.with_crossing({{flit(0), row.vc(1, even, 0), east}, {flit(1), row.vc(1, odd, 0), east}}), kOneMore);
  EXPECT_EQ(row.with_crossing({{flit(0), row.vc(1, even, 0), east}, {flit(1), row.vc(1, kNode, 0), east}}), two)
      << "inputs 0 and 4 to one output";
}

/// A router's ports with a request up, and no others, are those that are asked.
TEST(RestoredSlice, HasRequestsOfPortsThatAsk) {
  const std::string wrong = no_such_state("a switch request of no VC");
  models::Experiment e = uniform_mesh(0.3, 3, 1);
  e.set("router.buffer_depth", 1);
  Restored restored(e, 3);
  const RouterBank& bank = models::hybrid::of(restored.bench.network->fabric()).bank();
  for (const std::size_t router : {0U, 1U, 2U}) {
    const PortIndex port = *restored.run_until([&]() -> std::optional<PortIndex> {
      for (PortIndex p = bank.port_index(RouterId{router}, PortId{0U}), i = 0; i < bank.port_stride(); ++i, ++p) {
        if (bank.switch_requests[p] != 0) return p;
      }
      return {};
    });
    EXPECT_EQ(restored.said_after([&] { bank.switch_requests[port] = 0; }), wrong) << router;
  }
  // A VC that has a flit and an output VC without a credit: its request is down.
  const VcIndex v = *restored.run_until([&]() -> std::optional<VcIndex> {
    for (VcIndex each = 0; each < bank.input_vc_count(); ++each) {
      const auto& vc = bank.input_vcs[each];
      if (vc.state == VcState::kActive && vc.count > 0 && bank.switch_requests[bank.port_of_vc(each)] == 0) return each;
    }
    return {};
  });
  EXPECT_EQ(restored.said_after([&] { bank.switch_requests[bank.port_of_vc(v)] = 1U << bank.lane_of(v); }), wrong);
}

/// A head that waits for an output VC is in the state of one.
TEST(RestoredSlice, HasHeadsThatWaitAsTheyAre) {
  Restored restored(uniform_mesh(0.4, 3, 1), 1);
  const RouterBank& bank = models::hybrid::of(restored.bench.network->fabric()).bank();
  const VcIndex v = *restored.run_until([&]() -> std::optional<VcIndex> {
    for (VcIndex each = 0; each < bank.input_vc_count(); ++each) {
      if (bank.input_vcs[each].state == VcState::kWaitsForVc) return each;
    }
    return {};
  });
  EXPECT_EQ(restored.said_after([&] { bank.input_vcs[v].state = VcState::kNeedsRoute; }),
            no_such_state("a VC that waits and is in another state"));
}

// ---------------------------------------------------------------- lists, as long as hardware can fill them

std::string longer_than(std::size_t most) { return here("length of a list", most + 1, most + 1); }

/// A router of eight port numbers with four lanes each: a head in each, and one more; a flit in the ST register for
/// each input port, or two where the crossbar has two ports for it.
TEST(RestoredSlice, HasListsAsLongAsItsRegistersAllow) {
  for (const std::uint32_t speedup : {1U, 2U, 3U}) {
    Row row([&](models::Experiment& e) { e.set("router.input_speedup", speedup); });
    const VcIndex v = row.vc(1, routing::kWest, 0);
    EXPECT_EQ(row.with_head(v, 1, 33), no_such_state("a list with a VC twice, or an empty one"));
    EXPECT_EQ(row.with_head(v, 1, 34), longer_than(33));
    const Slice::Traversal t{Flit(0, 0, 2, 0), v, row.port(1, routing::kEast)};
    const std::size_t most = std::size_t{8} * speedup;
    EXPECT_EQ(row.with_crossing(std::vector<Slice::Traversal>(most, t)),
              no_such_state("a flit that crosses no switch"));
    EXPECT_EQ(row.with_crossing(std::vector<Slice::Traversal>(most + 1, t)), longer_than(most));
  }
}

/// On the links into a router: flits as many as ports, its node's among them; credits twice as many, or as a faster
/// crossbar can send in a cycle: of each port input speed-up x steps, and one of its node.
TEST(RestoredSlice, HasChannelsForAsMuchAsCanCome) {
  struct Case {
    std::uint32_t input;
    double internal;
    std::size_t credits;  // of a port
  };
  for (const Case& c : {Case{1, 1.0, 2}, Case{2, 1.0, 3}, Case{3, 1.0, 4}, Case{16, 1.0, 5}, Case{1, 1.5, 3},
                        Case{2, 2.0, 5}, Case{3, 2.5, 10}}) {
    Row row([&](models::Experiment& e) {
      e.set("router.input_speedup", c.input);
      e.set("router.internal_speedup", c.internal);
    });
    auto& slot = row.slice().outgoing().front()->slots().front();
    const std::size_t ports = 8 + 1, credits = ports * c.credits;
    const auto with = [&](auto& list, std::size_t count, auto item) {
      return row.restored.said_after([&] {
        while (list.size() < count) list.push(item);
      });
    };
    EXPECT_EQ(with(slot.credits, credits, VcIndex{0}), "") << c.input << ", " << c.internal;
    EXPECT_EQ(with(slot.credits, credits + 1, VcIndex{0}), longer_than(credits)) << c.input << ", " << c.internal;
    const models::hybrid::FlitArrival arrival{Flit(0, 0, 2, 0), row.vc(1, routing::kWest, 0)};
    EXPECT_EQ(with(slot.packets, ports, arrival), kOneMore) << c.input << ", " << c.internal;
    EXPECT_EQ(with(slot.packets, ports + 1, arrival), longer_than(ports)) << c.input << ", " << c.internal;
    EXPECT_EQ(with(slot.circuits, ports + 1, arrival), longer_than(ports)) << c.input << ", " << c.internal;
    const models::hybrid::FlitArrival ejection{Flit(0, 0, 2, 0), 1};
    EXPECT_EQ(with(slot.ejections, ports, ejection), no_such_state("two flits on a link to a node"))
        << c.input << ", " << c.internal;
    EXPECT_EQ(with(slot.ejections, ports + 1, ejection), longer_than(ports)) << c.input << ", " << c.internal;
  }
}

}  // namespace
}  // namespace braid::test::restored_slice_test
