// What a pattern need not say: whoever asks learns that it is not known, and counts on nothing.
#include <gtest/gtest.h>

#include "routing/base/checkpoint.h"
#include "traffic/synthetic/injection.h"
#include "traffic/synthetic/pattern.h"

namespace braid::test::own_pattern_test {
namespace {

using namespace traffic;

/// Draws, and says nothing of it.
class Drawn final : public TrafficPattern {
 public:
  Destination destination(NodeId source, Random&) const override {
    return source.value == 0 ? Destination{} : Destination{NodeId{source.value - 1}};
  }
};

class Told final : public FixedPattern {
 public:
  Destination only_destination(NodeId source) const override {
    return source.value == 0 ? Destination{} : Destination{NodeId{source.value - 1}};
  }
};

TEST(TrafficPattern, ThatOnlyDrawsSaysNoSharesAndNoRate) {
  const Drawn pattern;
  TrafficPattern::Shares to;
  EXPECT_FALSE(pattern.add_shares(NodeId{1}, 1.0, to));
  EXPECT_TRUE(to.empty());
  EXPECT_FALSE(pattern.rate_flits_per_cycle(NodeId{1}).has_value());
}

TEST(TrafficPattern, OfOneDestinationDrawsItAndGivesItTheWholeShare) {
  const Told pattern;
  Random random(1), other(1);
  EXPECT_EQ(pattern.destination(NodeId{3}, random), Destination{NodeId{2}});
  EXPECT_FALSE(pattern.destination(NodeId{0}, random).has_value());
  EXPECT_EQ(random(), other()) << "nothing was drawn";
  TrafficPattern::Shares to;
  EXPECT_TRUE(pattern.add_shares(NodeId{3}, 0.25, to));
  EXPECT_TRUE(pattern.add_shares(NodeId{3}, 0.5, to));
  EXPECT_TRUE(pattern.add_shares(NodeId{0}, 1.0, to)) << "known: to nobody";
  EXPECT_EQ(to, (TrafficPattern::Shares{{NodeId{2}, 0.75}}));
}

TEST(Destination, IsANodeOrNobody) {
  const Destination nobody, first = NodeId{0}, last = NodeId{~std::uint32_t{0} - 1};
  EXPECT_FALSE(nobody);
  EXPECT_FALSE(nobody.has_value());
  EXPECT_TRUE(first);
  EXPECT_TRUE(last.has_value());
  EXPECT_EQ(first->value, 0U);
  EXPECT_EQ((*last).value, 4294967294U);
  EXPECT_TRUE(nobody == Destination{std::nullopt});
  EXPECT_FALSE(nobody == first);
  EXPECT_FALSE(first == last);
}

/// Whoever has no checkpoint of its own must not be left out of one in silence.
TEST(InjectionProcess, HasACheckpointOfItsOwn) {
  class Own final : public InjectionProcess {
   public:
    std::uint64_t next_gap(Random&) override { return 1; }
    std::unique_ptr<InjectionProcess> clone() const override { return std::make_unique<Own>(*this); }
  };
  Own own;
  Checkpoint saved;
  EXPECT_THROW(own.checkpoint(saved), CheckpointError);
}

}  // namespace
}  // namespace braid::test::own_pattern_test
