// What a checkpoint of a network says before its first cycle: registers of the set-up, of the nodes' interfaces and of
// engines begin with nothing; and what a slice that has no turns, no forks and no buffers behind its switch leaves out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "models/families/hybrid/engine_choice.h"
#include "models/families/hybrid/rerouting.h"
#include "tb/tests/support/at_once.h"
#include "tb/tests/support/forks.h"
#include "tb/tests/support/saved.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::first_registers_test {
namespace {

using models::hybrid::kNone;

/// The registers of `object` as `Mirror` names them.
template <class Mirror, class Object>
Mirror read(Object& object, Mirror mirror = {}) {
  restore(mirror, saved(object));
  return mirror;
}

// ---------------------------------------------------------------- the holder of the token

struct Sequencer {
  Random random{0};
  std::uint8_t state = 9;
  std::vector<std::uint32_t> order;
  std::size_t position = 9, standing = 9;
  std::uint64_t wait_until = 9;
  bool avoids = true;
  std::vector<std::uint32_t> stood_order;
  bool stood_avoids = true, anew = true;
  std::uint32_t orders_tried_anew = 9;
  models::SetupResults results;
  void checkpoint(Checkpoint& c) {
    c(random, state, order, position, standing, wait_until, avoids, stood_order, stood_avoids, anew, orders_tried_anew,
      results);
  }
};
struct Requests {
  std::vector<models::hybrid::VcIndex> lanes = std::vector<models::hybrid::VcIndex>(2);
  std::uint32_t searches = 9;
  bool last_avoids = true;
  std::uint64_t started = 9;
  void checkpoint(Checkpoint& c) {
    c.each(lanes);
    c(searches, last_avoids, started);
  }
};
struct Round {
  std::uint8_t state = 9;
  std::uint64_t due = 9;
  std::size_t position = 9;
  std::uint64_t wait_until = 9, longest = 9, now = 9;
  models::hybrid::CircuitEnd end{9, 9, 9};
  std::vector<models::Move> open;
  std::vector<std::vector<models::CircuitResult::Step>> old_paths;
  models::RerouteResults results;
  void checkpoint(Checkpoint& c) { c(state, due, position, wait_until, longest, now, end, open, old_paths, results); }
};

models::hybrid::SetupSequencer& sequencer_of(const Bench& bench) {
  return const_cast<models::hybrid::SetupSequencer&>(*models::hybrid::of(bench.network->fabric()).setup_sequencer());
}

TEST(FirstRegisters, OfTheTokensHolderAreBeforeTheFirstStream) {
  Bench bench(tile_streams(3, 1, 1, {{1, 2}, {0, 1}}));
  const auto s = read<Sequencer>(sequencer_of(bench));
  EXPECT_EQ(s.state, 0) << "the token comes to the first stream";
  EXPECT_EQ(s.order, (std::vector<std::uint32_t>{1, 0})) << "node by node";
  EXPECT_EQ(s.position + s.standing + s.wait_until + s.orders_tried_anew, 0U);
  EXPECT_TRUE(s.stood_order.empty());
  EXPECT_FALSE(s.avoids || s.stood_avoids || s.anew);
  EXPECT_TRUE(s.results.attempted);
  EXPECT_EQ(s.results.orders_tried, 1U);
  EXPECT_EQ(s.results.total_cycles, 0U);
  const auto r = read<Requests>(models::hybrid::of(bench.network->fabric()).setup_requests());
  EXPECT_EQ(r.searches + r.started, 0U);
  EXPECT_FALSE(r.last_avoids);
  for (const models::hybrid::VcIndex lane : r.lanes) EXPECT_EQ(lane, kNone);
}

/// When all stand: behind the last, in the order that stood.
TEST(FirstRegisters, OfTheTokensHolderAreThenBehindTheLast) {
  Bench bench(tile_streams(3, 1, 1, {{1, 2}, {0, 1}}));
  bench.run(30);
  const auto s = read<Sequencer>(sequencer_of(bench));
  EXPECT_EQ(s.state, 3) << "done";
  EXPECT_EQ(s.position, 2U);
  EXPECT_EQ(s.standing, 2U);
  EXPECT_EQ(s.wait_until, 12U) << "two searches of five cycles, and the token's one after each";
  EXPECT_EQ(s.stood_order, s.order);
  EXPECT_FALSE(s.avoids || s.stood_avoids || s.anew);
  EXPECT_EQ(s.results.total_cycles, 12U);
  const auto r = read<Requests>(models::hybrid::of(bench.network->fabric()).setup_requests());
  EXPECT_EQ(r.searches, 2U);
  EXPECT_EQ(r.started, 6U);
}

/// Wants nothing to be moved.
class NoUser final : public models::CircuitUser {
 public:
  std::vector<models::CircuitRequest> circuits() const override { return {}; }
  void circuit_found(std::size_t, std::size_t, std::uint32_t) override {}
  void set_up(bool) override {}
};

TEST(FirstRegisters, OfCircuitsThatMoveRestUntilTheyAreDue) {
  Bench bench(tile_streams(3, 1, 1, {{1, 2}, {0, 1}}));
  models::hybrid::Options options;
  options.reroute = models::hybrid::Reroute::kEach;
  options.reroute_at_cycle = 77;
  NoUser user;
  models::hybrid::Rerouting rerouting(models::hybrid::of(bench.network->fabric()).setup_requests(), sequencer_of(bench),
                                      user, options);
  const auto r = read<Round>(rerouting);
  EXPECT_EQ(r.state, 0) << "resting";
  EXPECT_EQ(r.due, 77U);
  EXPECT_EQ(r.position + r.wait_until + r.longest + r.now, 0U);
  EXPECT_EQ(r.end.local_port + r.end.lane, 0U);
  EXPECT_EQ(r.open.size(), 2U);
  EXPECT_EQ(r.old_paths.size(), 2U);
  EXPECT_EQ(r.results.rounds, 0U);
  EXPECT_TRUE(r.results.moves.empty());
  EXPECT_FALSE(rerouting.message_under_way());
  rerouting.step(5);
  EXPECT_EQ(read<Round>(rerouting).now, 5U);
  EXPECT_EQ(read<Round>(rerouting).state, 0);
}

/// Where set-up has given up there is nothing to move, now or later.
TEST(FirstRegisters, OfCircuitsThatMoveAreNeverDueWithoutAny) {
  models::Experiment e = tile_streams(2, 1, 1, {{0, 1}, {0, 1}});
  e.set("setup.retries", 0);
  Bench bench(e);
  bench.run(40);
  ASSERT_TRUE(bench.network->setup_results().fell_back_to_packets);
  models::hybrid::Options options;
  options.reroute = models::hybrid::Reroute::kEach;
  options.reroute_at_cycle = 77;
  NoUser user;
  models::hybrid::Rerouting rerouting(models::hybrid::of(bench.network->fabric()).setup_requests(), sequencer_of(bench),
                                      user, options);
  rerouting.step(76);
  EXPECT_EQ(read<Round>(rerouting).due, 77U);
  rerouting.step(77);
  EXPECT_EQ(read<Round>(rerouting).due, UINT64_MAX);
  EXPECT_EQ(read<Round>(rerouting).state, 0);
}

// ---------------------------------------------------------------- all at once

struct Units {
  struct Entry {
    std::uint64_t tried = 9;
    std::uint32_t attempt = 9;
    models::hybrid::VcIndex in = 9, out = 9;
    bool acknowledged = true, ripping = true;
  };
  std::vector<Entry> entries = std::vector<Entry>(2 * 2);
  std::vector<std::vector<models::hybrid::SearchMessage>> waiting =
      std::vector<std::vector<models::hybrid::SearchMessage>>(2);
  std::vector<std::uint32_t> ages;
  std::vector<models::hybrid::SearchUnits::UnderWay> under_way;
  std::vector<std::uint32_t> backtracks;
  std::uint32_t most_waiting = 9;
  models::hybrid::SearchCounts counts;
  void checkpoint(Checkpoint& c) {
    c.each(entries);
    c.each(waiting);
    c(ages, under_way, backtracks, most_waiting, counts);
  }
};
struct AllAtOnce {
  struct Source {
    std::uint8_t state = 9;
    std::uint32_t attempt = 9, finished = 9;
    models::hybrid::VcIndex lane = 9;
    std::uint64_t found_cycle = 9;
  };
  struct Finished {
    std::uint64_t cycle = 9, streams = 9;
  };
  Random random{0};
  std::uint8_t phase = 9;
  std::vector<std::uint32_t> order;
  std::uint64_t order_began = 9;
  std::deque<Finished> finished;
  std::uint64_t agreed_at = 9;
  models::SetupResults results;
  std::vector<Source> sources = std::vector<Source>(2);
  Units units;
  void checkpoint(Checkpoint& c) {
    c(random, phase, order, order_began, finished, agreed_at, results);
    c.each(sources);
    c(units);
  }
};

TEST(FirstRegisters, OfAllSearchesAtOnceAreOfNone) {
  AtOnce bench(grid(2, 1, 1), {{1, 0}, {0, 1}});
  const auto r = read<AllAtOnce>(*bench.setup);
  EXPECT_EQ(r.phase, 0) << "to begin";
  EXPECT_EQ(r.order, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(r.order_began, 0U);
  EXPECT_TRUE(r.finished.empty());
  EXPECT_EQ(r.agreed_at, UINT64_MAX) << "nobody has failed";
  for (const AllAtOnce::Source& s : r.sources) {
    EXPECT_EQ(s.state + s.attempt + s.finished + s.found_cycle, 0U);
    EXPECT_EQ(s.lane, kNone);
  }
  EXPECT_EQ(r.units.most_waiting, 0U);
  EXPECT_TRUE(r.units.under_way.empty());
  EXPECT_EQ(r.units.ages, (std::vector<std::uint32_t>{0, 0})) << "no order has begun";
  EXPECT_EQ(r.units.backtracks, (std::vector<std::uint32_t>{0, 0}));
  for (const Units::Entry& e : r.units.entries) {
    EXPECT_EQ(e.tried + e.attempt, 0U);
    EXPECT_EQ(e.in, kNone);
    EXPECT_EQ(e.out, kNone);
    EXPECT_FALSE(e.acknowledged || e.ripping);
  }
}

/// After the cycle of the requests, 3: each stream's first attempt, one message each.
TEST(FirstRegisters, OfAllSearchesAtOnceAreThenOfTheFirstOrder) {
  AtOnce bench(grid(2, 1, 1), {{1, 0}, {0, 1}});
  bench.setup->step(3);
  const auto r = read<AllAtOnce>(*bench.setup);
  EXPECT_EQ(r.phase, 1) << "searching";
  EXPECT_EQ(r.order_began, 3U);
  ASSERT_EQ(r.finished.size(), 1U);
  EXPECT_EQ(r.finished[0].cycle + r.finished[0].streams, 0U) << "none has finished, from the beginning on";
  EXPECT_EQ(r.agreed_at, UINT64_MAX);
  EXPECT_EQ(r.units.ages, (std::vector<std::uint32_t>{1, 0})) << "the stream of node 0 is the oldest";
  for (std::size_t stream = 0; stream < 2; ++stream) {
    EXPECT_EQ(r.sources[stream].state, 1) << "searching";
    EXPECT_EQ(r.sources[stream].attempt, 1U);
    EXPECT_EQ(r.sources[stream].finished, 0U);
    ASSERT_EQ(r.units.under_way.size(), 2U);
    EXPECT_EQ(r.units.under_way[stream].cycle, 4U) << "at its unit in the next cycle";
    EXPECT_EQ(r.units.under_way[stream].message.attempt, 1U);
    EXPECT_EQ(r.units.under_way[stream].message.kind, models::hybrid::SearchKind::kProbe);
    EXPECT_FALSE(r.units.under_way[stream].message.entered);
  }
}

// ---------------------------------------------------------------- forks, engines, slices

struct Trees {
  explicit Trees(const models::hybrid::RouterBank& bank)
      : next(bank.output_vc_count()), tree(bank.input_vc_count()), circuit(bank.output_vc_count()) {}
  std::vector<models::hybrid::VcIndex> next;
  std::vector<std::uint32_t> tree, circuit;
  std::vector<models::hybrid::VcIndex> ends;
  std::uint32_t searched = 9;
  struct Item {
    std::vector<models::PacketTransport::Copy> copies;
    std::uint32_t left = 9;
  };
  std::vector<Item> items;
  std::vector<std::uint32_t> free_items, item_of;
  void checkpoint(Checkpoint& c) {
    c.part("circuits that fork");
    c.each(next);
    c.each(tree);
    c.each(circuit);
    c(ends, searched, items, free_items, item_of);
  }
};

TEST(FirstRegisters, OfCircuitsThatForkAreOfNoTree) {
  ForkRig rig({{3, 5, 0}, {3, 1, 0}});
  const auto& bank = rig.fabric().bank();
  auto& forks = const_cast<models::hybrid::CircuitForks&>(*rig.fabric().forks());
  const Trees trees = read<Trees>(forks, Trees(bank));
  EXPECT_EQ(trees.searched, 0U);
  EXPECT_TRUE(trees.ends.empty() && trees.items.empty() && trees.free_items.empty() && trees.item_of.empty());
  for (const models::hybrid::VcIndex out : trees.next) EXPECT_EQ(out, kNone);
  for (const std::uint32_t circuit : trees.circuit) EXPECT_EQ(circuit, kNone);
  for (const std::uint32_t tree : trees.tree) EXPECT_EQ(tree, 0U);
}

struct Chooser {
  bool planes = true;
  std::uint64_t last_look = 9, flit_hops = 9, lost = 9, patience = 9;
  void checkpoint(Checkpoint& c) { c(planes, last_look, flit_hops, lost, patience); }
};

/// docs/planes.md: lists at first, which may lose as much as planes cost in 64 cycles.
TEST(FirstRegisters, OfTheEngineChooserAreOfLists) {
  models::hybrid::EngineChooser chooser;
  const auto first = read<Chooser>(chooser);
  EXPECT_FALSE(first.planes);
  EXPECT_EQ(first.last_look + first.flit_hops + first.lost, 0U);
  EXPECT_EQ(first.patience, 64U);
  EXPECT_FALSE(chooser.planes(32, 100, 2.0));
  const auto then = read<Chooser>(chooser);
  EXPECT_EQ(then.last_look, 32U);
  EXPECT_EQ(then.flit_hops, 100U);
  EXPECT_EQ(then.lost, 36U) << "of 64 that are even";
}

/// The last thing that the slice of a plain router saves is its count of flits through switches.
TEST(FirstRegisters, OfASliceEndWithItsCountOfTraversals) {
  for (const bool circuits : {false, true}) {
    models::Experiment e = circuits ? tile_streams(3, 1, 1, {{0, 2}}) : uniform_mesh(0.3, 3, 1);
    if (circuits) add_traffic(e, 0.3);
    e.set("simulation.engine", "lists");
    Bench bench(e);
    bench.run(200);
    auto& slice = models::hybrid::of(bench.network->fabric()).slice(0);
    const std::string bytes = saved(slice);
    std::uint64_t last = 0;
    ASSERT_GT(bytes.size(), sizeof last);
    std::memcpy(&last, bytes.data() + bytes.size() - sizeof last, sizeof last);
    EXPECT_EQ(last, slice.switch_traversals()) << "no turns, no forks, no speculation, nothing behind the switch";
    EXPECT_GT(last, 100U);
    if (!circuits) continue;
    e.set("router.circuit_burst_flits", 3);
    Bench turns(e);
    turns.run(200);
    const std::string more = saved(models::hybrid::of(turns.network->fabric()).slice(0));
    std::memcpy(&last, more.data() + more.size() - sizeof last, sizeof last);
    EXPECT_NE(last, models::hybrid::of(turns.network->fabric()).slice(0).switch_traversals()) << "counters of turns";
  }
}

/// Parts are named in what is saved, so that a checkpoint that is read out of step is told at the next of them.
TEST(FirstRegisters, AreInPartsThatAreNamed) {
  const auto name = [](const char* part) {
    Checkpoint c;
    c.part(part);
    return c.bytes();
  };
  Bench bench(tile_streams(3, 1, 1, {{0, 2}}), 3);
  auto& fabric = models::hybrid::of(bench.network->fabric());
  const std::string slice = saved(fabric.slice(0)), all = saved(fabric);
  EXPECT_EQ(slice.substr(0, name("slice").size()), name("slice"));
  const auto times = [&](const char* part) {
    std::size_t count = 0;
    for (std::size_t at = all.find(name(part)); at != std::string::npos; at = all.find(name(part), at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(times("slice"), 3U);
  EXPECT_EQ(times("engine"), 1U);
  EXPECT_EQ(times("circuits"), 1U);
}

/// Whatever an interface was doing: what it has to do is looked at in the cycle after it was restored.
TEST(FirstRegisters, OfAnInterfaceThatIsRestoredAreLookedAt) {
  const models::Experiment e = uniform_mesh(0.0, 2, 1);
  Bench busy(e, 2), idle(e, 2);
  busy.run(10);
  idle.run(10);
  busy.network->send_packet(NodeId{0}, NodeId{1}, 1);
  auto& interfaces = models::hybrid::of(idle.network->fabric()).slice(0).interfaces();
  EXPECT_FALSE(interfaces.at_work());
  restore(*idle.network, saved(*busy.network));
  EXPECT_TRUE(interfaces.at_work());
  idle.run(30);
  EXPECT_EQ(idle.delivered(), 1U);
  EXPECT_FALSE(interfaces.at_work());
}

}  // namespace
}  // namespace braid::test::first_registers_test
