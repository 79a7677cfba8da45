// What registers of a set-up of all streams at once are held to when a checkpoint brings them: each by itself, with the
// last value that is taken and the first that is not; and that it goes on as if it had never been saved.
#include <gtest/gtest.h>

#include <deque>
#include <stdexcept>

#include "tb/tests/support/at_once.h"
#include "tb/tests/support/by_hand.h"

namespace braid::test::restored_searches_test {
namespace {

using models::hybrid::kNone;
using models::hybrid::SearchKind;
using models::hybrid::SearchMessage;
using models::hybrid::SearchUnits;
using models::hybrid::VcIndex;

struct Entry {
  std::uint64_t tried = 0;
  std::uint32_t attempt = 0;
  VcIndex in = kNone, out = kNone;
  bool acknowledged = false, ripping = false;
};
struct Units {
  std::vector<Entry> entries;                       // [router][stream]
  std::vector<std::vector<SearchMessage>> waiting;  // [router]
  std::vector<std::uint32_t> ages;                  // [stream]
  std::vector<SearchUnits::UnderWay> under_way;
  std::vector<std::uint32_t> backtracks;  // [stream]
  std::uint32_t most_waiting = 0;
  models::hybrid::SearchCounts counts;
  void checkpoint(Checkpoint& c) {
    c.each(entries);
    c.each(waiting);
    c(ages, under_way, backtracks, most_waiting, counts);
  }
};
struct Source {
  std::uint8_t state = 0;
  std::uint32_t attempt = 0, finished = 0;
  VcIndex lane = kNone;
  std::uint64_t found_cycle = 0;
};
struct Finished {
  std::uint64_t cycle = 0, streams = 0;
};
struct Registers {
  Random random{0};
  std::uint8_t phase = 0;
  std::vector<std::uint32_t> order;
  std::uint64_t order_began = 0;
  std::deque<Finished> finished;
  std::uint64_t agreed_at = 0;
  models::SetupResults results;
  std::vector<Source> sources;  // [stream]
  Units units;
  void checkpoint(Checkpoint& c) {
    c(random, phase, order, order_began, finished, agreed_at, results);
    c.each(sources);
    c(units);
  }
};

/// 3x2 mesh, A: 0 -> 2, B: 1 -> 2, after cycle 2: each holds the link east of its source's router, and its probe is
/// under way.
struct Searching {
  explicit Searching(const Configuration& network = grid(3, 2, 2), std::uint64_t cycle = 2)
      : bench(network, {{0, 2}, {1, 2}}), hand(*after(bench, cycle).setup, made(bench.topology.router_count())) {}
  static AtOnce& after(AtOnce& bench, std::uint64_t cycle) {
    bench.run_to(cycle);
    return bench;
  }
  static Registers made(std::size_t routers) {
    Registers registers;
    registers.sources.resize(2);
    registers.units.entries.resize(routers * 2);
    registers.units.waiting.resize(routers);
    return registers;
  }
  AtOnce bench;
  ByHand<models::hybrid::ParallelSetup, Registers> hand;
  VcIndex lane(std::size_t router, PortId port) const {
    return bench.bank->circuit_vc(bench.bank->port_index(RouterId{router}, port));
  }
  std::size_t inputs() const { return bench.bank->input_vc_count(); }
};

TEST(RestoredAtOnce, HasAnOrderOfAllStreams) {
  Searching s;
  EXPECT_EQ(s.hand.own().order, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(s.hand.refusal([](Registers&) {}), "");
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.order = {1, 0}; }), "");
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.order = {0, 2}; }), here("circuit", 2, 2));
  const std::string other = no_such_state("an order of other circuits");
  for (const std::vector<std::uint32_t>& order : {std::vector<std::uint32_t>{}, {0}, {0, 0}, {1, 0, 1}}) {
    EXPECT_EQ(s.hand.refusal([&](Registers& r) { r.order = order; }), other) << order.size();
  }
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.results.circuits.resize(2); }), "");
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.results.circuits.resize(3); }), other);
}

TEST(RestoredAtOnce, IsInAPhaseAndKnowsWhoHasFinished) {
  Searching s;
  constexpr std::uint8_t kToBegin = 0, kSearching = 1;
  EXPECT_EQ(s.hand.own().phase, kSearching);
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.phase = 3; }), "");
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.phase = 4; }), here("state of the set-up", 4, 4));
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.finished.clear(); }), no_such_state("a tree over no routers"));
  EXPECT_EQ(s.hand.refusal([](Registers& r) {
    r.finished.clear();
    r.phase = kToBegin;
  }),
            "");
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.finished.push_back({0, 2}); }), "");
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.finished.push_back({0, 3}); }), here("circuit", 3, 3));
  const std::size_t ports = s.bench.topology.port_count(RouterId{1});
  const auto by = [&](std::size_t port) {
    return s.hand.refusal([&](Registers& r) {
      r.results.circuits.resize(1);
      r.results.circuits[0].path.push_back({RouterId{1}, PortId{port}});
    });
  };
  EXPECT_EQ(by(ports - 1), "");
  EXPECT_EQ(by(ports), here("port", ports, ports));
}

TEST(RestoredAtOnce, HasSourcesThatSearchFromTheirNodes) {
  Searching s;
  for (std::size_t stream = 0; stream < 2; ++stream) {
    EXPECT_EQ(s.hand.refusal([&](Registers& r) { r.sources[stream].state = 3; }), "");
    EXPECT_EQ(s.hand.refusal([&](Registers& r) { r.sources[stream].state = 4; }), here("state of a search", 4, 4));
    const auto from = [&](VcIndex lane) {
      return s.hand.refusal([&](Registers& r) { r.sources[stream].lane = lane; });
    };
    const std::string elsewhere = no_such_state("a search from no node");
    EXPECT_EQ(from(kNone), "") << "its node has no lane left";
    EXPECT_EQ(from(s.lane(5, routing::kFirstGridLocalPort)), "");
    EXPECT_EQ(from(s.lane(0, routing::kEast)), elsewhere) << "from another router";
    EXPECT_EQ(from(s.lane(0, routing::kWest)), elsewhere) << "from nowhere";
    EXPECT_EQ(from(static_cast<VcIndex>(s.inputs())), here("circuit lane", s.inputs(), s.inputs()));
  }
}

TEST(RestoredAtOnce, HasMessagesOfSearchesOnCircuitLanes) {
  Searching s;
  ASSERT_EQ(s.hand.own().units.under_way.size(), 2U);
  const auto message = [&](const auto& change) {
    return s.hand.refusal([&](Registers& r) { change(r.units.under_way[1].message); });
  };
  EXPECT_EQ(message([&](SearchMessage& m) { m.lane = static_cast<VcIndex>(s.inputs()); }),
            here("circuit lane", s.inputs(), s.inputs()));
  EXPECT_EQ(message([](SearchMessage& m) { --m.lane; }), no_such_state("a search on no circuit lane"));
  EXPECT_EQ(message([](SearchMessage& m) { m.stream = 2; }), here("circuit", 2, 2));
  EXPECT_EQ(message([](SearchMessage& m) { m.kind = static_cast<SearchKind>(5); }), here("kind of message", 5, 5));
}

/// A probe of A at the unit of router 0, which A has come by and B has not.
TEST(RestoredAtOnce, HasMessagesThatWaitAtTheirRouter) {
  Searching s;
  const VcIndex lane = s.lane(0, routing::kFirstGridLocalPort);
  const auto waiting = [&](std::size_t router, const SearchMessage& message) {
    return s.hand.refusal([&](Registers& r) { r.units.waiting[router].push_back(message); });
  };
  constexpr std::uint32_t kA = 0, kB = 1;
  EXPECT_EQ(waiting(0, {lane, kA, 1, SearchKind::kProbe, false}), "");
  EXPECT_EQ(waiting(0, {lane, kA, 1, SearchKind::kProbe, true}), "");
  EXPECT_EQ(waiting(0, {lane, kB, 1, SearchKind::kProbe, false}), "") << "it has just come";
  EXPECT_EQ(waiting(0, {lane, kB, 1, SearchKind::kProbe, true}), no_such_state("a search that has come from nowhere"));
  EXPECT_EQ(waiting(1, {lane, kA, 1, SearchKind::kProbe, false}),
            no_such_state("a search that waits at another router"));
  EXPECT_EQ(waiting(0, {lane, 2, 1, SearchKind::kProbe, false}), here("circuit", 2, 2));
}

TEST(RestoredAtOnce, HasUnitsThatHoldWhatTheTableSays) {
  Searching s;
  constexpr std::size_t kA = 0 * 2 + 0, kB = 1 * 2 + 1;  // of A at router 0, of B at router 1
  ASSERT_EQ(s.hand.own().units.entries[kA].out, s.lane(0, routing::kEast));
  ASSERT_EQ(s.hand.own().units.entries[kB].out, s.lane(1, routing::kEast));
  const std::string other = no_such_state("a search that holds a lane which is not its");
  const auto entry = [&](const auto& change) {
    return s.hand.refusal([&](Registers& r) { change(r.units.entries[kA]); });
  };
  EXPECT_EQ(entry([](Entry& e) { e.out = kNone; }), "") << "it holds none";
  EXPECT_EQ(entry([](Entry& e) { e.in = kNone; }), other);
  EXPECT_EQ(entry([&](Entry& e) { e.out = s.lane(1, routing::kEast); }), other) << "it is B's";
  EXPECT_EQ(entry([&](Entry& e) { e.in = s.lane(1, routing::kFirstGridLocalPort); }), other) << "B has come in there";
  EXPECT_EQ(entry([&](Entry& e) { e.in = static_cast<VcIndex>(s.inputs()); }),
            here("circuit lane", s.inputs(), s.inputs()));
  const std::size_t outputs = s.bench.bank->output_vc_count();
  EXPECT_EQ(entry([&](Entry& e) { e.out = static_cast<VcIndex>(outputs); }), here("circuit lane", outputs, outputs));
  VcIndex& owner = s.bench.bank->output_vcs[s.lane(0, routing::kEast)].owner;
  const VcIndex own = std::exchange(owner, kNone);
  EXPECT_EQ(s.hand.put([](Registers&) {}), other) << "the table's other side says that nobody has it";
  owner = own;
  EXPECT_EQ(s.hand.put([](Registers&) {}), "");
}

TEST(RestoredAtOnce, IsOfAsManyStreams) {
  Searching s;
  const std::string other = no_such_state("another number of circuits");
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.units.ages.push_back(0); }), other);
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.units.ages.pop_back(); }), other);
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.units.backtracks.push_back(0); }), other);
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.units.backtracks.pop_back(); }), other);
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.units.ages = {1, 0}; }), "");
  EXPECT_EQ(s.hand.refusal([](Registers& r) { r.units.ages[1] = 2; }), here("age", 2, 2));
}

/// How many messages there are, and whose rip-ups, is counted when they are read.
TEST(RestoredAtOnce, CountsMessagesAndRipUps) {
  Searching s;
  const SearchUnits& units = s.bench.setup->units();
  EXPECT_FALSE(units.quiet());
  for (std::uint32_t kind = 0; kind < 5; ++kind) {
    EXPECT_EQ(s.hand.put([&](Registers& r) { r.units.under_way[1].message.kind = static_cast<SearchKind>(kind); }), "");
    EXPECT_EQ(units.being_ripped_up(1), kind < 2) << "RIP-UP and RIPPED-UP, " << kind;
    EXPECT_FALSE(units.being_ripped_up(0)) << kind;
  }
  const auto one_waits = [&](Registers& r) {
    r.units.under_way.clear();
    r.units.waiting[0].push_back({s.lane(0, routing::kFirstGridLocalPort), 0, 1, SearchKind::kProbe, false});
  };
  EXPECT_EQ(s.hand.put(one_waits), "");
  EXPECT_FALSE(units.quiet());
  EXPECT_EQ(s.hand.put([](Registers& r) { r.units.under_way.clear(); }), "");
  EXPECT_TRUE(units.quiet());
}

/// Attempts have numbers of 16 bits: a stream that is ripped up when it has had the last of them has none left.
TEST(RestoredAtOnce, HasNoMoreAttemptsThanNumbers) {
  for (const std::uint32_t had : {65533U, 65534U, 65535U}) {
    Searching s;
    EXPECT_EQ(s.hand.put([&](Registers& r) { r.sources[1].attempt = had; }), "");
    const models::SetupResults results = s.bench.end();
    EXPECT_EQ(results.fell_back_to_packets, had == 65535) << had;
    EXPECT_EQ(results.failed_stream, had == 65535 ? "B" : "") << had;
  }
}

/// A rip-up goes before all that comes back to its source: an answer to a search that is torn down is told as a fault
/// of the program.
TEST(RestoredAtOnce, HasNoAnswersToSearchesThatAreTornDown) {
  const auto said = [](Searching& s) {
    EXPECT_EQ(s.hand.put([](Registers& r) { r.phase = 2; }), "");
    return complaint<std::logic_error>([&] { s.bench.run_to(40); });
  };
  const std::string answer = "set-up: an answer to a search that is torn down";
  Searching finds;
  EXPECT_EQ(said(finds), answer) << "A's circuit stands in 10";
  Searching comes_back(grid(3, 1, 2), 11);
  EXPECT_EQ(said(comes_back), answer) << "B comes back in 13 (parallel_setup_test.cpp)";
}

void expect_same(const AtOnce& a, const AtOnce& b, std::uint64_t cut) {
  const models::SetupResults one = a.setup->results(), other = b.setup->results();
  ASSERT_EQ(one.circuits.size(), other.circuits.size()) << "cut after cycle " << cut;
  for (std::size_t i = 0; i < one.circuits.size(); ++i) {
    EXPECT_EQ(one.circuits[i].stream, other.circuits[i].stream) << "cut after cycle " << cut;
    EXPECT_EQ(AtOnce::routers(one.circuits[i]), AtOnce::routers(other.circuits[i])) << "cut after cycle " << cut;
    EXPECT_EQ(one.circuits[i].setup_cycles, other.circuits[i].setup_cycles) << "cut after cycle " << cut;
    EXPECT_EQ(one.circuits[i].backtracks, other.circuits[i].backtracks) << "cut after cycle " << cut;
  }
  EXPECT_EQ(one.total_cycles, other.total_cycles) << "cut after cycle " << cut;
  EXPECT_EQ(one.orders_tried, other.orders_tried) << "cut after cycle " << cut;
  EXPECT_EQ(one.failed_stream, other.failed_stream) << "cut after cycle " << cut;
  EXPECT_EQ(one.at_once->searches, other.at_once->searches) << "cut after cycle " << cut;
  EXPECT_EQ(one.at_once->backtracks, other.at_once->backtracks) << "cut after cycle " << cut;
  EXPECT_EQ(one.at_once->rip_ups, other.at_once->rip_ups) << "cut after cycle " << cut;
  EXPECT_EQ(one.at_once->waits, other.at_once->waits) << "cut after cycle " << cut;
  EXPECT_EQ(a.setup->units().most_waiting(), b.setup->units().most_waiting()) << "cut after cycle " << cut;
  EXPECT_EQ(a.lanes_held(), b.lanes_held()) << "cut after cycle " << cut;
}

/// With rip-ups and backtracks; with a search that waits; and with orders that fail and are drawn anew. Cut after every
/// cycle, and gone on with in one that would draw others.
TEST(RestoredAtOnce, GoesOnWhereverACheckpointHasCutIt) {
  const std::pair<Configuration, AtOnce::Ends> networks[] = {
      {grid(3, 2, 2), {{0, 2}, {1, 2}}}, {grid(2, 2, 2), {{0, 3}, {0, 3}}}, {grid(3, 1, 2), {{0, 2}, {1, 2}, {2, 0}}}};
  constexpr std::uint32_t kRetries = 2;
  for (const auto& [network, streams] : networks) {
    AtOnce whole(network, streams, kRetries);
    const std::uint64_t end = whole.end().total_cycles;
    for (std::uint64_t cut = 0; cut <= end; ++cut) {
      AtOnce before(network, streams, kRetries);
      before.run_to(cut);
      Checkpoint saved;
      saved(*before.bank, *before.setup);
      AtOnce after(network, streams, kRetries, 7);
      after.run_to(3);
      Checkpoint c(saved.bytes());
      c(*after.bank, *after.setup);
      c.finish();
      after.next = cut + 1;
      expect_same(before, after, cut);
      after.end();
      expect_same(whole, after, cut);
    }
  }
}

}  // namespace
}  // namespace braid::test::restored_searches_test
