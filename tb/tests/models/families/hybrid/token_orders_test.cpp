// The holder of the set-up token (setup_sequencer.h) by itself: units of the tests answer its searches and tear-downs.
// What it asks in which cycle, which orders it tries, and what is left when it has given up (docs/setup.md).
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/families/hybrid/setup_sequencer.h"
#include "models/families/hybrid/token_order.h"
#include "tb/tests/support/by_hand.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::token_orders_test {
namespace {

using models::CircuitRequest;
using models::CircuitResult;
using models::hybrid::Options;
using models::hybrid::SetupSequencer;
using Order = std::vector<std::uint32_t>;
using Phase = SetupSequencer::View::Phase;

/// Circuits a, b, ... from node 0, 1, ...; what is asked is noted: S and a circuit for a search, A for one that avoids
/// links, T for a tear-down, R where all units are to forget.
struct Units final : models::hybrid::CircuitSearch {
  explicit Units(std::size_t count) {
    for (std::size_t c = 0; c < count; ++c) {
      requests.push_back({std::string(1, static_cast<char>('a' + static_cast<char>(c))), NodeId{c}, NodeId{c + 1}});
      trees.push_back(c);
    }
  }
  const std::vector<CircuitRequest>& circuits() const override { return requests; }
  bool search(std::uint64_t /*cycle*/, std::size_t circuit, bool avoids) override {
    said += (avoids ? "A" : "S") + std::to_string(circuit);
    result = {};
    return circuit != no_lane;
  }
  bool renumber(std::uint64_t /*cycle*/, std::uint32_t numbers) override {
    EXPECT_EQ(numbers, 1U) << "a search needs one";
    const bool now = std::exchange(forget, false);
    if (now) said += 'R';
    return now;
  }
  void tear_down(std::uint64_t /*cycle*/, std::size_t circuit) override {
    said += "T" + std::to_string(circuit);
    result = {};
  }
  const models::hybrid::SearchOutcome& outcome() const override { return result; }
  CircuitResult take_found(std::size_t c) override {
    return {requests[c].name, requests[c].source, requests[c].destination, {}, 4, 0, {}};
  }
  models::hybrid::CircuitEnd source(std::size_t circuit) const override {
    return {10 + circuit, static_cast<std::uint32_t>(circuit), 1};
  }
  std::size_t tree_of(std::size_t circuit) const override { return trees[circuit]; }
  void check_path(const std::vector<CircuitResult::Step>& /*path*/) const override {}

  std::vector<CircuitRequest> requests;
  std::vector<std::size_t> trees;
  models::hybrid::SearchOutcome result;
  std::size_t no_lane = 99;
  bool forget = false;
  std::string said;
};
/// Is told "CIRCUIT by PORT.LANE", "CIRCUIT of TREE", and how it has ended.
struct User final : models::CircuitUser {
  explicit User(const Units& of) : units(of) {}
  std::vector<CircuitRequest> circuits() const override { return units.requests; }
  void circuit_found(std::size_t circuit, std::size_t port, std::uint32_t lane) override {
    told += std::to_string(circuit) + " by " + std::to_string(port) + "." + std::to_string(lane) + "; ";
  }
  void circuit_joined(std::size_t circuit, std::size_t tree) override {
    told += std::to_string(circuit) + " of " + std::to_string(tree) + "; ";
  }
  void set_up(bool success) override { told += success ? "all stand" : "packets"; }
  const Units& units;
  std::string told;
};

struct Holder {
  explicit Holder(std::size_t count, const Options& options = {}, std::uint64_t seed = 1)
      : units(count), sequencer(units, user, options, seed) {}
  /// What it asks in so many cycles, "-" in one in which it asks nothing.
  std::string run(std::uint64_t cycles = 1) {
    std::string all;
    for (std::uint64_t i = 0; i < cycles; ++i) {
      units.said.clear();
      sequencer.step(now++);
      all += units.said.empty() ? "-" : units.said;
    }
    return all;
  }
  /// The search or tear-down has ended; what it asks then.
  std::string after(bool success, std::uint64_t cycles = 1) {
    units.result.done = true;
    units.result.success = success;
    return run(cycles);
  }
  SetupSequencer::View view() const { return sequencer.view(); }
  Units units;
  User user{units};
  SetupSequencer sequencer;
  std::uint64_t now = 0;
};

Options with(std::uint32_t retries, std::uint32_t token = 1) {
  Options o;
  o.setup_retries = retries;
  o.setup_token_cycles = token;
  return o;
}

TEST(TokenOrders, SearchTheNextWhenTheTokenHasMovedOn) {
  Holder h(2, with(0, 3));
  EXPECT_EQ(h.run(4), "S0---") << "it waits for the end of the search";
  EXPECT_EQ(h.view().phase, Phase::kSearches);
  EXPECT_EQ(h.after(true, 4), "---S1") << "three cycles later";
  EXPECT_EQ(h.view().standing, 1U);
  EXPECT_EQ(h.view().stream, 1U);
  EXPECT_EQ(h.after(true, 3), "---");
  EXPECT_FALSE(h.sequencer.done());
  EXPECT_FALSE(h.sequencer.has_set_up());
  EXPECT_EQ(h.run(5), "-----");
  EXPECT_TRUE(h.sequencer.done() && h.sequencer.has_set_up());
  EXPECT_EQ(h.user.told, "0 by 10.0; 1 by 11.1; all stand");
  const models::SetupResults& results = h.sequencer.results();
  EXPECT_EQ(results.total_cycles, 4U + 3 + 1 + 3) << "the cycle in which the token has passed the last";
  EXPECT_EQ(results.circuits.size(), 2U);
  EXPECT_EQ(results.orders_tried, 1U);
  EXPECT_FALSE(results.fell_back_to_packets);
}

/// Those that stand are taken down, the last first, each when the one before is down; then the token moves on, and the
/// next order is drawn.
TEST(TokenOrders, TakeDownWhatStandsWhenOneFails) {
  Holder h(4, with(1));
  Order next{0, 1, 2, 3};
  Random random(1, "setup.order");
  models::hybrid::shuffle(next, random);
  EXPECT_EQ(h.run(), "S0");
  EXPECT_EQ(h.after(true, 2), "-S1");
  EXPECT_EQ(h.after(true, 2), "-S2");
  EXPECT_EQ(h.after(true, 2), "-S3");
  EXPECT_EQ(h.after(false), "T2");
  EXPECT_EQ(h.view().phase, Phase::kTearsDown);
  EXPECT_EQ(h.view().standing, 2U);
  EXPECT_EQ(h.run(2), "--");
  EXPECT_EQ(h.after(true), "T1");
  EXPECT_EQ(h.after(true), "T0");
  EXPECT_EQ(h.sequencer.results().circuits.size(), 3U) << "so far";
  EXPECT_EQ(h.after(true, 2), "-S" + std::to_string(next[0]));
  EXPECT_TRUE(h.sequencer.results().circuits.empty());
  EXPECT_EQ(h.sequencer.results().orders_tried, 2U);
  EXPECT_EQ(h.sequencer.results().failed_stream, "d");
  EXPECT_EQ(h.view().order, 2U);
  EXPECT_EQ(h.after(false, 10), "----------") << "none stood, and no order is left";
  EXPECT_EQ(h.user.told, "0 by 10.0; 1 by 11.1; 2 by 12.2; packets");
  EXPECT_EQ(h.sequencer.results().failed_stream, h.units.requests[next[0]].name) << "of the last order";
  EXPECT_TRUE(h.sequencer.results().fell_back_to_packets);
}

/// Branches go with their tree, so there is nothing to take down for them.
TEST(TokenOrders, TakeNoBranchDown) {
  Holder h(5, with(0));
  h.units.trees = {0, 0, 2, 2, 4};
  EXPECT_EQ(h.run(), "S0");
  for (const char* next : {"-S1", "-S2", "-S3", "-S4"}) EXPECT_EQ(h.after(true, 2), next);
  EXPECT_EQ(h.user.told, "0 by 10.0; 1 of 0; 2 by 12.2; 3 of 2; ");
  EXPECT_EQ(h.after(false), "T2");
  EXPECT_EQ(h.after(true), "T0");
  EXPECT_EQ(h.after(true), "-");
  EXPECT_TRUE(h.sequencer.done());
}

/// A source without a lane fails in the cycle of its request; where numbers have run out the request is a cycle later.
TEST(TokenOrders, AskInTheirCycle) {
  Holder h(2, with(0));
  h.units.no_lane = 1;
  EXPECT_EQ(h.run(), "S0");
  EXPECT_EQ(h.after(true, 2), "-S1T0");
  EXPECT_EQ(h.sequencer.results().failed_stream, "b");
  Holder forgets(1, with(0));
  forgets.units.forget = true;
  EXPECT_EQ(forgets.run(3), "RS0-");
}

/// Orders anew, each without the links that are to be avoided: as many at random as set-up tries, then the one that
/// stood, which may take any. If that fails, too, nothing is as it was.
TEST(TokenOrders, AnewEndWithTheOneThatStood) {
  for (const bool avoids : {true, false}) {
    for (const std::uint32_t retries : {0U, 2U}) {
      Options options = with(retries);
      if (avoids) options.avoid_links = "0,0.east";
      Holder h(2, options);
      h.run();
      h.after(true, 2);
      h.after(true, 2);
      ASSERT_TRUE(h.sequencer.done());
      h.sequencer.search_anew(h.now++);
      EXPECT_TRUE(h.sequencer.has_set_up()) << "the first time";
      EXPECT_FALSE(h.sequencer.done());
      EXPECT_TRUE(h.sequencer.results().circuits.empty());
      Order order{0, 1};
      Random random(1, "setup.order");
      for (std::uint32_t tried = 1; tried <= retries + 1; ++tried) {
        models::hybrid::shuffle(order, random);
        EXPECT_EQ(h.view().order, tried);
        EXPECT_EQ(h.run(), (avoids ? "A" : "S") + std::to_string(order[0]));
        EXPECT_EQ(h.after(false), "-");
      }
      EXPECT_EQ(h.view().order, retries + 2);
      EXPECT_EQ(h.run(), "S0") << "of the order that stood";
      EXPECT_EQ(complaint<std::logic_error>([&] { h.after(false); }),
                "setup.reroute: the order that stood finds no path for a");
      EXPECT_EQ(h.sequencer.results().failed_stream, "") << "the set-up has not failed";
      EXPECT_EQ(h.sequencer.results().orders_tried, 1U);
    }
  }
}

/// What stood last stands again if nothing else does: with what its searches avoided.
TEST(TokenOrders, AnewMayStandAsTheyAreAndThenAgain) {
  Options options = with(0);
  options.avoid_links = "0,0.east";
  Holder h(1, options);
  h.run();
  h.after(true, 2);
  h.sequencer.search_anew(h.now++);
  EXPECT_EQ(h.run(), "A0");
  EXPECT_EQ(h.after(true, 2), "--");
  EXPECT_TRUE(h.sequencer.done());
  EXPECT_EQ(h.sequencer.standing(0).stream, "a");
  EXPECT_EQ(h.user.told, "0 by 10.0; all stand0 by 10.0; ") << "set-up has ended once";
  h.sequencer.search_anew(h.now++);
  EXPECT_EQ(h.run(), "A0");
  EXPECT_EQ(h.after(false, 2), "-A0") << "the order that stood avoided them, too";
}

/// Circuits are known by their place, whatever the order in which they stand.
TEST(TokenOrders, KnowCircuitsByTheirPlace) {
  Holder h(3, with(0));
  h.run();
  for (int i = 0; i < 3; ++i) h.after(true, 2);
  const auto stand = [&] {
    std::string names;
    for (const CircuitResult& c : h.sequencer.results().circuits) names += c.stream;
    return names + std::to_string(h.view().standing);
  };
  EXPECT_EQ(stand(), "abc3");
  h.sequencer.drop(0);
  EXPECT_EQ(stand(), "bc2");
  EXPECT_EQ(h.sequencer.standing(1).stream, "b");
  EXPECT_EQ(h.sequencer.standing(2).stream, "c");
  h.sequencer.drop(2);
  EXPECT_EQ(stand(), "b1");
  h.sequencer.put(2, {"C", NodeId{2}, NodeId{3}, {}, 0, 0, {}});
  h.sequencer.put(0, {"A", NodeId{0}, NodeId{1}, {}, 0, 0, {}});
  EXPECT_EQ(stand(), "bCA3");
  EXPECT_EQ(h.sequencer.standing(0).stream, "A");
  h.sequencer.replace(2, {"+", NodeId{2}, NodeId{3}, {}, 0, 0, {}});
  EXPECT_EQ(stand(), "b+A3");
  EXPECT_EQ(h.sequencer.token_order(), (Order{0, 1, 2}));
}

struct Registers {
  Random random{0};
  std::uint8_t state = 0;
  Order order;
  std::size_t position = 0, standing = 0;
  std::uint64_t wait_until = 0;
  bool avoids = false;
  Order stood_order;
  bool stood_avoids = false, anew = false;
  std::uint32_t orders_tried_anew = 0;
  models::SetupResults results;
  void checkpoint(Checkpoint& c) {
    c(random, state, order, position, standing, wait_until, avoids, stood_order, stood_avoids, anew, orders_tried_anew,
      results);
  }
};

/// With two retries: three orders at random and the one that stood, which is the fourth.
TEST(RestoredSequencer, HasTriedNoMoreOrdersThanThereAre) {
  Holder h(2, with(2));
  h.run();
  h.after(true, 2);
  h.after(true, 2);
  ByHand<SetupSequencer, Registers> hand(h.sequencer);
  EXPECT_EQ(hand.own().stood_order, (Order{0, 1}));
  const auto tried = [&](std::uint32_t orders, const Order& order) {
    return hand.refusal([&](Registers& r) {
      r.anew = true;
      r.orders_tried_anew = orders;
      r.order = order;
    });
  };
  const std::string other = no_such_state("an order that did not stand");
  EXPECT_EQ(tried(3, {0, 1}), "");
  EXPECT_EQ(tried(3, {1, 0}), "");
  EXPECT_EQ(tried(4, {0, 1}), "");
  EXPECT_EQ(tried(4, {1, 0}), other);
  EXPECT_EQ(tried(5, {0, 1}), here("number of orders", 5, 5));
}

}  // namespace
}  // namespace braid::test::token_orders_test
