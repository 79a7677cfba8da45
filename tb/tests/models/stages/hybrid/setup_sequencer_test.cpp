// The set-up sequencer alone: the token goes from stream to stream; an order that fails is torn down (docs/setup.md).
#include "models/stages/hybrid/setup_sequencer.h"

#include "models/engine/engine.h"
#include "tb/tests/support/stage_bench.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::setup_sequencer_test {
namespace {

using namespace models::stages::hybrid;
using models::hybrid::ControlKind;
using Phase = models::hybrid::SetupSequencer::View::Phase;

std::vector<models::CircuitRequest> streams() { return {{"a", NodeId{0U}, NodeId{5U}}, {"b", NodeId{1U}, NodeId{6U}}}; }

struct Bench : StageBench<SetupSequencer> {
  explicit Bench(const models::hybrid::Options& options) : StageBench(streams(), options, 1) {}
  Phase phase() const { return static_cast<Phase>(field("state_o", 0, 2)); }
  bool asks(ControlKind kind) const {
    return bit("request_valid_o", 0) && field("request_kind_o", 0, 2) == static_cast<std::uint64_t>(kind);
  }
  std::uint64_t stream() const { return field("request_stream_o", 0, 32); }
  std::uint64_t standing() const { return field("standing_o", 0, 32); }
  /// A cycle in which the router says how the search or tear-down has ended.
  void ends(bool success) {
    wires.set("outcome_valid_i", 0);
    wires.set("outcome_success_i", 0, success);
    edge();
    wires.clear("outcome_valid_i");
  }
};

TEST(SetupSequencerModule, SearchesTheNextStreamWhenTheTokenHasMovedOn) {
  models::hybrid::Options options;
  options.setup_token_cycles = 3;
  Bench bench(options);
  bench.edge();
  EXPECT_TRUE(bench.asks(ControlKind::kProbe));
  EXPECT_EQ(bench.stream(), 0U);
  EXPECT_EQ(bench.field("order_o", 0, 32), 1U);
  for (int cycle = 0; cycle < 9; ++cycle) {
    bench.edge();
    EXPECT_FALSE(bench.bit("request_valid_o", 0)) << "it waits for the outcome";
    EXPECT_EQ(bench.phase(), Phase::kSearches);
  }
  bench.ends(true);
  EXPECT_EQ(bench.standing(), 1U);
  EXPECT_EQ(bench.phase(), Phase::kPassesToken);
  bench.edges(2);
  EXPECT_FALSE(bench.bit("request_valid_o", 0)) << "the token is under way";
  bench.edge();
  EXPECT_TRUE(bench.asks(ControlKind::kProbe)) << "three cycles after the outcome";
  EXPECT_EQ(bench.stream(), 1U);
  bench.ends(true);
  bench.edges(3);
  EXPECT_EQ(bench.standing(), 2U);
  EXPECT_EQ(bench.phase(), Phase::kDone);
}

TEST(SetupSequencerModule, TearsAFailedOrderDownAndTriesAnother) {
  models::hybrid::Options options;
  options.setup_retries = 1;
  Bench bench(options);
  bench.edge();
  bench.ends(true);
  bench.edge();
  ASSERT_TRUE(bench.asks(ControlKind::kProbe));
  bench.ends(false);
  EXPECT_TRUE(bench.asks(ControlKind::kTearDown)) << "of the circuit that stands";
  EXPECT_EQ(bench.stream(), 0U);
  EXPECT_EQ(bench.phase(), Phase::kTearsDown);
  bench.ends(true);
  EXPECT_EQ(bench.standing(), 0U);
  EXPECT_EQ(bench.field("order_o", 0, 32), 2U);
  bench.edge();
  EXPECT_TRUE(bench.asks(ControlKind::kProbe));
  bench.ends(false);
  EXPECT_EQ(bench.phase(), Phase::kDone) << "no order is left: packets carry everything";
}

/// A round of circuits that move takes 18 cycles and the token's, as over lists (rerouting_test.cpp), and the next one
/// begins in the cycle after: with two steps a cycle it would begin in the one in which the round before has ended.
TEST(SetupSequencerInANetwork, TakesOneStepACycle) {
  models::Experiment e = tile_streams(3, 1, 1, {{0, 2}});
  e.set("setup.reroute", "each");
  e.set("setup.reroute_at_cycle", 30);
  e.set("setup.reroute_every_cycles", 1);
  const test::Bench bench(e, 3);
  models::make_process_per_stage_engine(*bench.network)->run(200);
  const std::vector<models::Move>& moves = models::hybrid::of(bench.network->fabric()).reroute_results().moves;
  ASSERT_GT(moves.size(), 5U);
  for (std::size_t i = 0; i < moves.size(); ++i) EXPECT_EQ(moves[i].stopped_cycle, 30 + 20 * i);
}

}  // namespace
}  // namespace braid::test::setup_sequencer_test
