// Set-up of all streams at once (setup.searches = "parallel"): an order that fails leaves nothing to the next one;
// circuits that share local ports; what it cannot go with. To the cycle: parallel_setup_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "models/families/hybrid/token_order.h"
#include "tb/tests/support/at_once.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::parallel_orders_test {
namespace {

using models::hybrid::Options;
using models::hybrid::ParallelSetup;
using models::hybrid::RouterBank;
using models::hybrid::SetupUnits;
using Start = std::tuple<std::size_t, std::size_t, std::uint32_t>;  // circuit, local port, lane

using Order = std::vector<std::uint32_t>;
bool before(const Order& order, std::uint32_t first, std::uint32_t then) {
  return std::find(order.begin(), order.end(), first) < std::find(order.begin(), order.end(), then);
}
/// The orders that a set-up with this seed tries, from `order` on, until one has the stream `first` before `then`.
std::uint32_t orders_until(Order& order, std::uint64_t seed, std::uint32_t first, std::uint32_t then) {
  Random random(seed, "setup.order");
  std::uint32_t orders = 1;
  for (; !before(order, first, then); ++orders) models::hybrid::shuffle(order, random);
  return orders;
}

/// 2x2 mesh, 0 1 / 2 3. A: 0 -> 3 goes over 1, B: 1 -> 0, C: 1 -> 3. Where A is older than C it has the link 1-3, B
/// that to 0, and C has no way. Where C is older A goes over 2, and all stand, whoever comes first: all routers have
/// forgotten the orders before.
TEST(SetupAtOnceOrders, BeginAnewWithUnitsThatRememberNothing) {
  std::uint32_t most = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    AtOnce bench(grid(2, 2, 2), {{0, 3}, {1, 0}, {1, 3}}, 100, seed);
    const models::SetupResults results = bench.end();
    ASSERT_FALSE(results.fell_back_to_packets) << seed;
    Order order{0, 1, 2};
    const std::uint32_t orders = orders_until(order, seed, 2, 0);
    EXPECT_EQ(results.orders_tried, orders) << seed;
    EXPECT_EQ(results.failed_stream, "") << "it stands at last";
    EXPECT_EQ(bench.user.successes, 1);
    EXPECT_EQ(bench.user.failures, 0);
    using Routers = std::vector<std::uint32_t>;
    EXPECT_EQ(AtOnce::routers(bench.circuit(results, "A")), (Routers{0, 2, 3})) << seed;
    EXPECT_EQ(AtOnce::routers(bench.circuit(results, "B")), (Routers{1, 0})) << seed;
    EXPECT_EQ(AtOnce::routers(bench.circuit(results, "C")), (Routers{1, 3})) << seed;
    const bool c_first = before(order, 2, 1);  // of the two of router 1, whose unit takes a message a cycle
    EXPECT_EQ(bench.circuit(results, "C").setup_cycles, c_first ? 5U : 6U) << "of the last order";
    EXPECT_EQ(bench.circuit(results, "B").setup_cycles, c_first ? 6U : 5U) << "of the last order";
    EXPECT_EQ(bench.circuit(results, "C").backtracks, 0U) << "of the last order";
    EXPECT_EQ(bench.circuit(results, "B").backtracks, 0U);
    EXPECT_GE(results.total_cycles, std::uint64_t{20} * (orders - 1));
    most = std::max(most, orders);
  }
  EXPECT_GE(most, 3U) << "the sample says too little";
}

/// An order goes as if it were the first: streams of one node, which are as old as they are asked for, against set-ups
/// in which they are asked for in the order of each, one after the other. The next begins when the one before has
/// ended.
TEST(SetupAtOnceOrders, AreAlikeWhicheverComesFirst) {
  Random random(5, "parallel_orders_test");
  constexpr std::size_t kFrom = 5, kNodes = 12;
  std::size_t later = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    AtOnce::Ends streams;
    while (streams.size() < 4) {
      const std::size_t to = random.below(kNodes);
      if (to != kFrom) streams.emplace_back(kFrom, to);
    }
    AtOnce tried(grid(4, 3, 4), streams, 5, seed);
    const models::SetupResults found = tried.end();
    Order order{0, 1, 2, 3};
    Random shuffles(seed, "setup.order");
    std::uint64_t cycles = 0;
    models::SearchesAtOnce counts;
    for (std::uint32_t i = 1; i <= found.orders_tried; ++i) {
      if (i > 1) models::hybrid::shuffle(order, shuffles);
      AtOnce::Ends in_order;
      for (const std::uint32_t stream : order) in_order.push_back(streams[stream]);
      AtOnce one(grid(4, 3, 4), in_order, 0, seed);
      const models::SetupResults alone = one.end();
      ASSERT_EQ(alone.fell_back_to_packets, i < found.orders_tried || found.fell_back_to_packets) << seed;
      cycles += alone.total_cycles;
      counts.searches += alone.at_once->searches;
      counts.backtracks += alone.at_once->backtracks;
      counts.rip_ups += alone.at_once->rip_ups;
      counts.waits += alone.at_once->waits;
      if (alone.fell_back_to_packets) continue;
      for (std::size_t s = 0; s < 4; ++s) {
        const std::string name(1, static_cast<char>('A' + s)), was(1, static_cast<char>('A' + order[s]));
        EXPECT_EQ(AtOnce::routers(one.circuit(alone, name)), AtOnce::routers(tried.circuit(found, was))) << seed;
        EXPECT_EQ(one.circuit(alone, name).setup_cycles, tried.circuit(found, was).setup_cycles) << seed;
        EXPECT_EQ(one.circuit(alone, name).backtracks, tried.circuit(found, was).backtracks) << seed;
      }
    }
    EXPECT_EQ(found.total_cycles, cycles) << seed;
    EXPECT_EQ(found.at_once->searches, counts.searches) << seed;
    EXPECT_EQ(found.at_once->backtracks, counts.backtracks) << seed;
    EXPECT_EQ(found.at_once->rip_ups, counts.rip_ups) << seed;
    EXPECT_EQ(found.at_once->waits, counts.waits) << seed;
    later += found.orders_tried > 1 ? 1 : 0;
  }
  EXPECT_GE(later, 20U) << "the sample says too little";
}

/// ... with as many attempts as the first had. On a row of three A: 0 -> 2 and B: 1 -> 2 want the one link into 2; the
/// younger needs three attempts to learn that it has none.
TEST(SetupAtOnceOrders, CountAttemptsAnew) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    AtOnce free(grid(3, 1, 2), {{0, 2}, {1, 2}}, 4, seed), limited(grid(3, 1, 2), {{0, 2}, {1, 2}}, 4, seed);
    limited.setup->limit_attempts(3);
    const models::SetupResults as_ever = free.end(), results = limited.end();
    EXPECT_EQ(results.orders_tried, 5U);
    EXPECT_EQ(results.total_cycles, as_ever.total_cycles) << seed;
    EXPECT_EQ(results.at_once->searches, as_ever.at_once->searches) << seed;
    EXPECT_GT(results.at_once->searches, 3U * 5) << seed;
  }
}

/// All sources know when a message has been up the tree and down again: 2 x the longest way x (1 + the longest link).
TEST(SetupAtOnceOrders, AreAgreedOnOverTheLongestWay) {
  Configuration one;
  one.set("topology.kind", "flattened_butterfly");
  one.set("topology.sizes", std::vector<std::uint32_t>{1});
  one.set("topology.concentration", 2);
  AtOnce alone(one, {{0, 1}});
  EXPECT_EQ(alone.setup->agreement_cycles(), 0U) << "one router";
  EXPECT_FALSE(alone.end().fell_back_to_packets);
  EXPECT_EQ(alone.setup->results().total_cycles, 1U) << "its unit has it in 1, and all know";
  EXPECT_EQ(AtOnce(grid(2, 1, 1), {{0, 1}}).setup->agreement_cycles(), 4U);
  EXPECT_EQ(AtOnce(grid(3, 3, 1), {{0, 1}}).setup->agreement_cycles(), 16U);
  EXPECT_EQ(AtOnce(grid(4, 4, 1, "torus"), {{0, 1}}).setup->agreement_cycles(), 16U);
  Configuration slow = grid(3, 2, 1);
  slow.set("topology.link_latency_cycles", 4);
  EXPECT_EQ(AtOnce(slow, {{0, 1}}).setup->agreement_cycles(), 2U * 3 * 5);
}

TEST(SetupAtOnceOrders, SayBeforeTheyBeginThatNothingHasBeen) {
  AtOnce bench(grid(2, 2, 2), {{0, 3}});
  const models::SetupResults results = bench.setup->results();
  EXPECT_TRUE(results.attempted);
  EXPECT_EQ(results.orders_tried, 1U);
  EXPECT_FALSE(results.fell_back_to_packets);
  EXPECT_EQ(results.total_cycles, 0U);
  EXPECT_TRUE(results.circuits.empty());
  EXPECT_EQ(results.at_once->searches + results.at_once->backtracks + results.at_once->rip_ups + results.at_once->waits,
            0U);
  EXPECT_TRUE(bench.setup->units().quiet());
  EXPECT_FALSE(bench.setup->done());
  bench.run_to(0);
  EXPECT_EQ(bench.setup->results().at_once->searches, 1U);
  EXPECT_FALSE(bench.setup->units().quiet());
  bench.end();
  EXPECT_TRUE(bench.setup->units().quiet());
}

/// No streams: they all stand at once.
TEST(SetupAtOnceOrders, OfNoStreamStand) {
  AtOnce bench(grid(2, 2, 2), {});
  const models::SetupResults results = bench.end();
  EXPECT_FALSE(results.fell_back_to_packets);
  EXPECT_EQ(bench.user.successes, 1);
  EXPECT_TRUE(results.circuits.empty());
}

// ---------------------------------------------------------------- local ports that circuits share

/// Streams on a row of three routers, by hand.
struct Shared final : models::CircuitUser {
  Shared(const AtOnce::Ends& ends, std::uint32_t local_ports, std::uint32_t lanes, bool share = true)
      : topology(routing::make_topology(grid(3, 1, local_ports))) {
    for (std::size_t i = 0; i < ends.size(); ++i) {
      requests.push_back({std::string(1, static_cast<char>('A' + i)), NodeId{ends[i].first}, NodeId{ends[i].second}});
    }
    options.circuits = true;
    options.circuit_lanes = lanes;
    options.setup_retries = 0;
    options.share_reserved_links = share;
    bank = std::make_unique<RouterBank>(topology, options, 1);
    around = std::make_unique<SetupUnits>(topology, *bank, share);
    setup = std::make_unique<ParallelSetup>(topology, *bank, *around, *this, options, 1);
  }
  std::vector<models::CircuitRequest> circuits() const override { return requests; }
  void circuit_found(std::size_t circuit, std::size_t port, std::uint32_t lane) override {
    starts.emplace_back(circuit, port, lane);
  }
  void set_up(bool success) override { stands = success; }
  Shared& run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles && !setup->done(); ++i) setup->step(next++);
    return *this;
  }
  Shared& end() { return run(10000); }
  /// Of the circuit lane of a router's output port: the number of the input port that has it, or -1.
  int holder(std::size_t router, PortId port, std::uint32_t lane) const {
    const models::hybrid::VcIndex in =
        bank->circuit_in(bank->circuit_vc(bank->port_index(RouterId{router}, port), lane));
    return in == models::hybrid::kNone ? -1 : static_cast<int>(bank->port_of(bank->port_of_vc(in)));
  }

  routing::Topology topology;
  std::vector<models::CircuitRequest> requests;
  Options options;
  std::unique_ptr<RouterBank> bank;
  std::unique_ptr<SetupUnits> around;
  std::unique_ptr<ParallelSetup> setup;
  std::vector<Start> starts;
  std::uint64_t next = 0;
  bool stands = false;
};
const PortId kLocal = routing::kFirstGridLocalPort, kSecond{std::size_t{routing::kFirstGridLocalPort.value} + 1};

/// To the node itself, whose links nobody else wants: each has the next lane, of the ports in turn, to start and to
/// end.
TEST(SetupAtOnceLanes, AreSpreadOverTheLocalPorts) {
  Shared one({{1, 1}, {1, 1}, {1, 1}}, 1, 3);
  one.end();
  EXPECT_TRUE(one.stands);
  EXPECT_EQ(one.starts, (std::vector<Start>{{0, 1, 0}, {1, 1, 1}, {2, 1, 2}})) << "local port 1 is node 1's";
  for (std::uint32_t lane = 0; lane < 3; ++lane) EXPECT_EQ(one.holder(1, kLocal, lane), 4) << lane;
  Shared two({{1, 1}, {1, 1}, {1, 1}}, 2, 3);
  two.end();
  EXPECT_TRUE(two.stands);
  EXPECT_EQ(two.starts, (std::vector<Start>{{0, 2, 0}, {1, 3, 0}, {2, 2, 1}})) << "ports 2 and 3";
  EXPECT_EQ(two.holder(1, kLocal, 0), 4);
  EXPECT_EQ(two.holder(1, kSecond, 0), 5);
  EXPECT_EQ(two.holder(1, kLocal, 1), 4);
  EXPECT_EQ(two.holder(1, kSecond, 1), -1);
  EXPECT_EQ(two.holder(1, kLocal, 2), -1);
}

/// A lane too few, to start and to end.
TEST(SetupAtOnceLanes, AreSoManyAndNoMore) {
  for (const std::uint32_t lanes : {1U, 2U, 3U, 4U}) {
    EXPECT_EQ(Shared({{1, 1}, {1, 1}, {1, 1}}, 1, lanes).end().stands, lanes >= 3) << lanes;
    EXPECT_EQ(Shared({{0, 1}, {2, 1}, {1, 1}}, 1, lanes).end().stands, lanes >= 3) << lanes << ", three ends";
  }
}

/// B and C end at node 1 when A comes, on the two lanes there are: C, the youngest, loses its lane. The port keeps B
/// and gets A: it is closed to packets all the while, or, where packets share links, open.
TEST(SetupAtOnceLanes, OfAPortCloseItWhileAnyIsLeft) {
  for (const bool share : {true, false}) {
    Shared row({{0, 1}, {1, 1}, {2, 1}}, 1, 2, share);
    const models::hybrid::PortIndex port = row.bank->port_index(RouterId{1}, kLocal);
    row.run(2);
    EXPECT_EQ(row.bank->closed_outputs[port], !share) << "B's";
    bool seen_one = false;
    while (!row.setup->done()) {
      row.run(1);
      const int held = (row.holder(1, kLocal, 0) >= 0 ? 1 : 0) + (row.holder(1, kLocal, 1) >= 0 ? 1 : 0);
      EXPECT_EQ(row.bank->closed_outputs[port], !share && held > 0) << held << " in cycle " << row.next;
      seen_one = seen_one || held == 1;
    }
    EXPECT_TRUE(seen_one);
    EXPECT_FALSE(row.stands) << "three ends";
    EXPECT_EQ(row.setup->results().failed_stream, "C");
  }
}

// ---------------------------------------------------------------- refused

std::string refusal(const std::string& key, const std::string& value, const std::string& searches = "parallel") {
  return complaint([&] {
    models::Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
    e.set("setup.searches", searches);
    if (!key.empty()) e.set(key, value);
    models::hybrid::check_searches(models::hybrid::read_options(e), e);
  });
}

TEST(SetupAtOnce, IsRefusedBesideWhatHasOneSearch) {
  EXPECT_EQ(refusal("", ""), "");
  EXPECT_EQ(refusal("setup.reroute", "each"),
            "setup.searches = \"parallel\": setup.reroute moves circuits with the token; expected \"one_at_a_time\"");
  EXPECT_EQ(refusal("setup.reroute", "all"), refusal("setup.reroute", "each"));
  EXPECT_EQ(refusal("setup.reroute", "none"), "");
  EXPECT_EQ(refusal("setup.paths", "exact"),
            "setup.searches = \"parallel\": setup.paths = \"exact\" has the token install paths; expected \"routers\" "
            "beside it");
  EXPECT_EQ(refusal("setup.paths", "routers"), "");
  EXPECT_EQ(refusal("simulation.schedule", "process_per_stage"),
            "setup.searches = \"parallel\": simulation.schedule = \"process_per_stage\" has modules for one search; "
            "expected \"static\"");
  EXPECT_EQ(refusal("simulation.schedule", "static"), "");
  for (const auto& [key, value] : {std::pair("setup.reroute", "each"), std::pair("setup.paths", "exact"),
                                   std::pair("simulation.schedule", "process_per_stage")}) {
    EXPECT_EQ(refusal(key, value, "one_at_a_time"), "") << key;
  }
}

}  // namespace
}  // namespace braid::test::parallel_orders_test
