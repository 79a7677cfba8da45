// The input queues of a cut-through router alone: what they ask of the routing algorithm, for whom, and how they ask
// for its answer. The middle router of a row of three; ports east, west, north, south and the node's.
#include "models/stages/virtual_cut_through/input_queue.h"

#include <gtest/gtest.h>

#include <vector>

#include "tb/tests/support/module_wires.h"
#include "tb/tests/support/trees.h"

namespace braid::test::cut_through_input_queue_test {
namespace {

using models::stages::Bits;
using namespace models::stages::virtual_cut_through;  // NOLINT(google-build-using-namespace)

constexpr unsigned kPorts = 5, kEast = 0, kWest = 1, kLocal = 4;

/// Gives the ways that a test wants, and notes what it is asked.
class Told final : public routing::RoutingAlgorithm {
 public:
  Told() : RoutingAlgorithm(1) {}
  void route(const routing::RouteQuery& q, routing::CandidateList& out) const override {
    queries.push_back(q);
    for (const unsigned port : ways) out.add(PortId{port}, 1);
  }
  std::size_t max_candidates() const override { return kPorts; }
  std::vector<unsigned> ways{kEast};
  mutable std::vector<routing::RouteQuery> queries;
};

struct Queues {
  Queues() : bench(row()), queue("queue", Place{bench.topology, told, bench.experiment, RouterId{1}}) {
    queue.clk_i(clock);
    queue.grant_i(grant);
    queue.link_source_i(source);
    queue.link_destination_i(destination);
    queue.link_flits_i(flits);
    queue.link_valid_i(valid);
    queue.leaves_i(leaves);
    queue.count_o(count);
    queue.head_flits_o(head_flits);
    queue.through_o(through);
    queue.entering_o(entering);
    queue.choosing_o(choosing);
    queue.ways_o(ways);
  }
  static models::Experiment row() {
    models::Experiment e = vct_grid("mesh", 0.0);
    e.set("topology.width", 3);
    e.set("topology.height", 1);
    return e;
  }
  static void put_field(Wire& wire, unsigned i, unsigned width, std::uint64_t value) {
    Bits bits = wire.read();
    bits.set(i * width, width, value);
    wire.write(bits);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  /// A head on a port's link in the next cycle.
  void head(unsigned port, std::uint64_t from, std::uint64_t to, std::uint64_t length) {
    put_field(source, port, kNodeBits, from);
    put_field(destination, port, kNodeBits, to);
    put_field(flits, port, kFlitBits, length);
    put_field(valid, port, 1, 1);
  }
  void cycle() {
    edge(clock);
    put(valid, 0);
    put(grant, 0);
    put(leaves, 0);
  }
  std::uint64_t of(const Wire& wire, unsigned i, unsigned width) const { return wire.read().field(i * width, width); }

  Bench bench;
  Told told;
  sc_core::sc_signal<bool> clock;
  Wires wires;
  InputQueue queue;
  Wire &grant = wires(kPorts * kPorts), &source = wires(kPorts * kNodeBits), &destination = wires(kPorts * kNodeBits);
  Wire &flits = wires(kPorts * kFlitBits), &valid = wires(kPorts), &leaves = wires(kPorts);
  Wire &count = wires(kPorts * kCountBits), &head_flits = wires(kPorts * kFlitBits);
  Wire &through = wires(kPorts * kPorts), &entering = wires(kPorts * kPorts);
  Wire &choosing = wires(kPorts), &ways = wires(kPorts * kPorts);
};

/// Two heads in a cycle, each with its own numbers.
TEST(InputQueueAlone, AsksForEachHeadByWhatItsLinkSays) {
  Queues q;
  q.head(kWest, 7, 2, 3);
  q.head(kLocal, 5, 0x8001, 9);
  q.cycle();
  ASSERT_EQ(q.told.queries.size(), 2U);
  for (const routing::RouteQuery& asked : q.told.queries) {
    const bool west = asked.in_port == PortId{kWest};
    EXPECT_EQ(asked.router, RouterId{1});
    EXPECT_EQ(asked.in_port, PortId{west ? kWest : kLocal});
    EXPECT_EQ(asked.source, NodeId{west ? 7U : 5U});
    EXPECT_EQ(asked.destination, NodeId{west ? 2U : 0x8001U});
  }
  EXPECT_NE(q.told.queries[0].in_port, q.told.queries[1].in_port);
  EXPECT_EQ(q.of(q.head_flits, kWest, kFlitBits), 3U);
  EXPECT_EQ(q.of(q.head_flits, kLocal, kFlitBits), 9U);
  EXPECT_EQ(q.of(q.count, kWest, kCountBits), 1U);
  EXPECT_EQ(q.of(q.count, kLocal, kCountBits), 1U);
  EXPECT_EQ(q.of(q.count, kEast, kCountBits), 0U);
  EXPECT_EQ(at(q.through), (1U << kWest | 1U << kLocal) << kPorts * kEast) << "both ask for the east";
}

/// A head with several ways chooses: it names them, and asks for none by itself until it is granted one.
TEST(InputQueueAlone, NamesTheWaysOfAHeadThatMayChoose) {
  Queues q;
  q.told.ways = {kWest, kEast, kLocal};
  q.head(kWest, 0, 2, 4);
  q.cycle();
  EXPECT_EQ(at(q.choosing), 1U << kWest);
  EXPECT_EQ(q.of(q.ways, kWest, kPorts), 1U << kEast | 1U << kWest | 1U << kLocal);
  EXPECT_EQ(at(q.through), 0U);
  put(q.grant, std::uint64_t{1} << (kLocal * kPorts + kWest));
  q.cycle();
  EXPECT_EQ(at(q.choosing), 0U);
  EXPECT_EQ(q.of(q.count, kWest, kCountBits), 1U) << "until its tail has left";
  put(q.leaves, 1U << kWest);
  q.cycle();
  EXPECT_EQ(at(q.count), 0U);
  EXPECT_FALSE(q.head_flits.read().any());
}

/// A queue takes packets behind each other, and each is asked for when it is first.
TEST(InputQueueAlone, AsksForTheNextWhenTheFirstHasLeft) {
  Queues q;
  for (const std::uint64_t length : {3U, 5U, 6U}) {
    q.head(kLocal, length, 2, length);
    q.cycle();
  }
  EXPECT_EQ(q.told.queries.size(), 1U);
  EXPECT_EQ(q.of(q.count, kLocal, kCountBits), 3U);
  for (const std::uint64_t next : {5U, 6U}) {
    put(q.grant, std::uint64_t{1} << (kEast * kPorts + kLocal));
    q.cycle();
    put(q.leaves, 1U << kLocal);
    q.cycle();
    EXPECT_EQ(q.told.queries.back().source, NodeId{next});
    EXPECT_EQ(q.of(q.head_flits, kLocal, kFlitBits), next);
  }
  EXPECT_EQ(q.told.queries.size(), 3U);
}

}  // namespace
}  // namespace braid::test::cut_through_input_queue_test
