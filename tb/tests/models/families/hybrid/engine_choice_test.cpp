// When lists and planes change places (engine_choice.h), by hand: a look in 32 cycles; what the other engine would have
// saved, in flits of which it knows how many are even, against 64 cycles of planes, and twice as many after each
// change.
#include "models/families/hybrid/engine_choice.h"

#include <gtest/gtest.h>

namespace braid::test::engine_choice_test {
namespace {

using models::hybrid::EngineChooser;

constexpr std::uint64_t kLook = 32;

/// A chooser that is asked every 32 cycles.
class Looks {
 public:
  explicit Looks(double break_even) : break_even_(break_even) {}
  /// So many flits have crossed switches since the last look: planes from now on?
  bool look(std::uint64_t flits) {
    cycle_ += kLook;
    return chooser.planes(cycle_, hops_ += flits, break_even_);
  }
  EngineChooser chooser;

 private:
  double break_even_;
  std::uint64_t cycle_ = 0, hops_ = 0;
};

TEST(EngineChooser, LooksEvery32Cycles) {
  EngineChooser chooser;
  EXPECT_FALSE(chooser.due(kLook - 1));
  EXPECT_TRUE(chooser.due(kLook));
  (void)chooser.planes(40, 0, 2.0);
  EXPECT_FALSE(chooser.due(40 + kLook - 1));
  EXPECT_TRUE(chooser.due(40 + kLook));
}

/// Two flits a cycle are even: 64 of a look. Lists may lose as many as planes would cost in 64 cycles, 128.
TEST(EngineChooser, BeginsWithListsAndTakesPlanesWhenThesePay) {
  EXPECT_FALSE(Looks(2.0).look(64 + 128));
  EXPECT_TRUE(Looks(2.0).look(64 + 129));
  Looks added(2.0);
  EXPECT_FALSE(added.look(64 + 64));
  EXPECT_FALSE(added.look(64 + 64));
  EXPECT_TRUE(added.look(64 + 1)) << "what is lost adds up";
  Looks gained(2.0);
  EXPECT_FALSE(gained.look(64 + 64));
  EXPECT_FALSE(gained.look(0)) << "as many are gained";
  EXPECT_FALSE(gained.look(0)) << "no more can be gained than was lost";
  EXPECT_FALSE(gained.look(64 + 128));
  EXPECT_TRUE(gained.look(64 + 1));
}

/// 1.3 flits a cycle: 42 of 41.6 in 32 cycles, 83 of 83.2 in 64.
TEST(EngineChooser, RoundsFlitsToTheNearest) {
  EXPECT_FALSE(Looks(1.3).look(42 + 83));
  EXPECT_TRUE(Looks(1.3).look(42 + 84));
}

/// Nothing moves: planes lose 64 flits a look. Each change doubles the patience, up to 4096 cycles.
TEST(EngineChooser, HasTwiceThePatienceAfterEachChange) {
  Looks looks(2.0);
  constexpr std::uint64_t kMuch = 1000000;
  for (const int idle : {128 / 32 + 1, 512 / 32 + 1, 2048 / 32 + 1, 4096 / 32 + 1, 4096 / 32 + 1}) {
    EXPECT_TRUE(looks.look(kMuch));
    for (int i = 1; i < idle; ++i) EXPECT_TRUE(looks.look(0)) << i << " of " << idle;
    EXPECT_FALSE(looks.look(0)) << idle;
  }
}

/// At the most patience, of 4096 cycles and so 8192 flits, to the flit.
TEST(EngineChooser, HasNoMorePatienceThan4096Cycles) {
  Looks looks(2.0);
  for (int round = 0; round < 3; ++round) {  // of two changes each: 64 cycles, doubled six times
    EXPECT_TRUE(looks.look(1000000));
    while (looks.look(0)) {
    }
  }
  EXPECT_FALSE(looks.look(64 + 8192));
  EXPECT_TRUE(looks.look(64 + 1));
}

/// It stays there: after two changes more, which would have made it four times as long.
TEST(EngineChooser, KeepsTheMostPatience) {
  for (const int rounds : {4, 6}) {
    Looks looks(2.0);
    for (int round = 0; round < rounds; ++round) {
      EXPECT_TRUE(looks.look(1000000));
      while (looks.look(0)) {
      }
    }
    EXPECT_FALSE(looks.look(64 + 8192)) << rounds;
    EXPECT_TRUE(looks.look(64 + 1)) << rounds;
  }
}

/// In planes what moves is gained, what stands still is lost.
TEST(EngineChooser, KeepsPlanesWhileTheyPay) {
  Looks looks(2.0);
  EXPECT_TRUE(looks.look(64 + 129));
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(looks.look(64)) << "even, " << i;
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(looks.look(0)) << "256 flits: 128 cycles";
  EXPECT_TRUE(looks.look(64 + 64));
  EXPECT_TRUE(looks.look(0));
  EXPECT_FALSE(looks.look(63)) << "one more";
}

TEST(EngineChooser, GoesOnFromACheckpoint) {
  for (int cut = 0; cut < 12; ++cut) {
    Looks looks(2.0), other(2.0);
    const auto flits = [](int i) { return i % 6 == 0 ? 1000U : 0U; };
    for (int i = 0; i < cut; ++i) looks.look(flits(i));
    Checkpoint saved;
    looks.chooser.checkpoint(saved);
    for (int i = 0; i < cut; ++i) other.look(500);  // to have come as far; where it is it takes from the checkpoint
    Checkpoint restored(saved.bytes());
    other.chooser.checkpoint(restored);
    restored.finish();
    std::uint64_t hops = 0;
    for (int i = 0; i < cut; ++i) hops += flits(i);
    EngineChooser& a = looks.chooser;
    EngineChooser& b = other.chooser;
    for (int i = cut; i < 40; ++i) {
      const std::uint64_t cycle = kLook * static_cast<std::uint64_t>(i + 1);
      EXPECT_EQ(a.due(cycle - 1), b.due(cycle - 1));
      hops += flits(i);
      EXPECT_EQ(a.planes(cycle, hops, 2.0), b.planes(cycle, hops, 2.0)) << "cut after " << cut << ", look " << i;
    }
  }
}

}  // namespace
}  // namespace braid::test::engine_choice_test
