// Ports that do not say their width, channels that somebody waits for, and clocks of which somebody has looked in the
// middle of a cycle. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "models/stages/base/bit_ports.h"
#include "models/stages/base/hardware_view.h"
#include "models/stages/base/register_channel.h"
#include "models/stages/base/stage.h"
#include "models/stages/base/step_clock.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/elaborate.h"
#include "tb/tests/support/sat.h"

namespace braid::test::ports_and_clocks_test {
namespace {

using models::stages::Bits;
using models::stages::InBits;
using models::stages::OutBits;
using models::stages::PortSignals;
using models::stages::RegisterChannel;
using models::stages::Stage;
using models::stages::StepClocks;
using Cycles = std::vector<std::uint64_t>;

// ---------------------------------------------------------------- ports

struct Unsaid : sc_core::sc_module {
  explicit Unsaid(const sc_core::sc_module_name& name) : sc_module(name) {}
  InBits in_i{"in_i"};
  OutBits out_o{"out_o"};
  sc_core::sc_in<Bits> plain_i{"plain_i"};
  sc_core::sc_out<Bits> plain_o{"plain_o"};
};

/// A port that does not say its width has what the test says; and where that says nothing, none.
TEST(PortsThatDoNotSayTheirWidth, HaveTheTests) {
  Unsaid two("two"), none("none");
  EXPECT_EQ(two.in_i.width(), 0U);
  EXPECT_EQ(two.out_o.width(), 0U);
  const PortSignals of_two(two, 2), of_none(none);
  elaborate();
  for (const char* port : {"in_i", "out_o", "plain_i", "plain_o"}) {
    EXPECT_EQ(of_two.read(port).width(), 2U) << port;
    EXPECT_EQ(of_none.read(port).width(), 0U) << port;
  }
}

/// On either side of a module, and whether a channel or a signal is at the other end.
TEST(PortsThatDoNotSayTheirWidth, TakeWhatTheyAreBoundTo) {
  struct Nobodys final : models::stages::Bank {
  } bank;
  RegisterChannel nine("nine", 9, bank, [](Bits&) {});
  sc_core::sc_signal<Bits> seven("seven", Bits(7)), plain("plain", Bits(3));
  Unsaid unsaid("unsaid");
  unsaid.in_i(seven), unsaid.out_o(nine), unsaid.plain_i(plain), unsaid.plain_o(plain);
  struct Said : sc_core::sc_module {
    explicit Said(const sc_core::sc_module_name& name) : sc_module(name) {}
    InBits in_i{"in_i", 7};
    OutBits out_o{"out_o", 7};
  } right("right"), wrong("wrong");
  sc_core::sc_signal<Bits> eight("eight", Bits(8)), another("another", Bits(7));
  right.in_i(seven), right.out_o(another);
  wrong.in_i(another), wrong.out_o(eight);
  elaborate();
  EXPECT_EQ(complaint([&] { models::stages::check_widths(unsaid); }), "");
  EXPECT_EQ(complaint([&] { models::stages::check_widths(right); }), "");
  EXPECT_EQ(complaint([&] { models::stages::check_widths(wrong); }),
            "wrong.out_o: a port of 7 bits is bound to a signal of 8");
}

// ---------------------------------------------------------------- channels

struct Register final : models::stages::Bank {
  unsigned value = 5;
};

/// Looks at its input when that tells of a change, and says whether there was one just now.
class Listener final : public sc_core::sc_module {
 public:
  sc_core::sc_in<Bits> data_i{"data_i"};
  std::vector<bool> told;

  SC_HAS_PROCESS(Listener);
  explicit Listener(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_METHOD(look);
    sensitive << data_i;
    dont_initialize();
  }

 private:
  void look() { told.push_back(data_i->event()); }
};

TEST(RegisterChannelThatIsWaitedFor, HasAnEventInTheDeltaOfItsChangeAlone) {
  Register bank;
  RegisterChannel channel("channel", 8, bank, [&](Bits& b) { b.set(0, 8, bank.value); });
  Listener listener("listener");
  listener.data_i(channel);
  elaborate();
  EXPECT_FALSE(channel.event()) << "nothing has changed";
  RegisterChannel::settle_watched();
  sc_core::sc_start(1, sc_core::SC_NS);
  EXPECT_EQ(listener.told, std::vector<bool>{true});
  sc_core::sc_start(1, sc_core::SC_NS);
  RegisterChannel::settle_watched();
  sc_core::sc_start(1, sc_core::SC_NS);
  EXPECT_EQ(listener.told.size(), 1U) << "it is what it was";
  EXPECT_FALSE(channel.event());
}

// ---------------------------------------------------------------- clocks

struct Desk {
  bool work = true;
  Cycles together, by_process;
};

/// One function runs all of a step.
class Together final : public Stage {
 public:
  using Looked = Desk;
  static constexpr bool kTogether = true;
  enum Kind { kInPlace, kRegisters };
  Together(const char* name, Desk& desk, Kind kind) : Stage(name), desk_(desk), kind_(kind) {}
  Desk* looked() const { return &desk_; }
  static bool has_work_in(Together&, Desk* desk, std::uint64_t) { return desk->work; }
  static void run_all(const std::vector<Desk*>& desks, std::uint64_t cycle) {
    for (Desk* desk : desks) desk->together.push_back(cycle);
  }
  static void run_in(Together&, Desk*, std::uint64_t) { ADD_FAILURE() << "by itself"; }

 private:
  void join(models::stages::StepClock& clock) override {
    kind_ == kInPlace ? clock.add_in_place(*this) : clock.add_registers(*this);
  }
  void step(std::uint64_t cycle) override { desk_.by_process.push_back(cycle); }
  Desk& desk_;
  const Kind kind_;
};

TEST(StepClockOfStagesTogether, RunsAllOfThemByOneCallAndTellsOfIt) {
  StepClocks clocks(1);
  Desk one, other;
  Together a("a", one, Together::kInPlace), b("b", other, Together::kInPlace);
  a.clk_i(clocks[0]), b.clk_i(clocks[0]);
  elaborate();
  clocks.begin(4);
  EXPECT_TRUE(clocks[0].rise());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(one.together, Cycles{4});
  EXPECT_EQ(other.together, Cycles{4});
  EXPECT_TRUE(one.by_process.empty() && other.by_process.empty());
}

TEST(StepClockOfStagesTogether, ChangesRegistersOnceACycle) {
  StepClocks clocks(1);
  Desk one, other;
  other.work = false;
  Together a("a", one, Together::kRegisters), b("b", other, Together::kRegisters);
  a.clk_i(clocks[0]), b.clk_i(clocks[0]);
  elaborate();
  for (const std::uint64_t cycle : {0U, 1U, 2U}) {
    clocks.begin(cycle);
    EXPECT_TRUE(clocks[0].rise());
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  EXPECT_EQ(one.together, (Cycles{0, 1, 2}));
  EXPECT_EQ(other.together, (Cycles{0, 1, 2})) << "with those that have work";
  one.work = false;
  clocks.begin(3);
  EXPECT_FALSE(clocks[0].rise());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(one.together.size(), 3U) << "nobody has any";
}

/// One by one, of a class for each number.
template <int>
class ByItself final : public Stage {
 public:
  using Looked = Desk;
  ByItself(const char* name, Desk& desk) : Stage(name), desk_(desk) {}
  Desk* looked() const { return &desk_; }
  static bool has_work_in(ByItself&, Desk* desk, std::uint64_t) { return desk->work; }
  static void run_in(ByItself&, Desk* desk, std::uint64_t cycle) { desk->together.push_back(cycle); }

 private:
  void join(models::stages::StepClock& clock) override { clock.add_in_place(*this); }
  void step(std::uint64_t cycle) override { desk_.by_process.push_back(cycle); }
  Desk& desk_;
};

/// It tells of any of them, whichever class it is of.
TEST(StepClockOfSeveralClasses, TellsOfTheOneThatRan) {
  StepClocks clocks(1);
  Desk desks[3];
  ByItself<0> a("a", desks[0]);
  ByItself<1> b("b", desks[1]);
  ByItself<2> c("c", desks[2]);
  for (Stage* stage : std::initializer_list<Stage*>{&a, &b, &c}) stage->clk_i(clocks[0]);
  elaborate();
  for (std::uint64_t cycle = 0; cycle < 4; ++cycle) {
    for (std::uint64_t i = 0; i < 3; ++i) desks[i].work = i == cycle;
    clocks.begin(cycle);
    EXPECT_EQ(clocks[0].rise(), cycle < 3) << cycle;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(desks[i].together, i <= cycle ? Cycles{i} : Cycles{}) << cycle;
  }
}

/// Whoever looks in the middle of a cycle has its stages run then, once; the next cycle's run when its clock rises.
class LookedAt : public testing::TestWithParam<Together::Kind> {};

TEST_P(LookedAt, InACycleRunsInTheNextOneAsUsual) {
  StepClocks clocks(1);
  Desk desk;
  Together stage("stage", desk, GetParam());
  stage.clk_i(clocks[0]);
  elaborate();
  clocks.begin(7);
  EXPECT_TRUE(clocks[0].rise());
  clocks.finish();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(desk.together.size() + desk.by_process.size(), 1U) << "once";
  clocks.begin(8);
  clocks.finish();
  clocks.finish();
  EXPECT_EQ(desk.by_process.back(), 8U);
  EXPECT_EQ(desk.together.size() + desk.by_process.size(), 2U);
  EXPECT_FALSE(clocks[0].rise()) << "nobody is left";
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(desk.together.size() + desk.by_process.size(), 2U) << "it has run";
  clocks.begin(9);
  EXPECT_TRUE(clocks[0].rise());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(desk.together.back(), 9U);
}
INSTANTIATE_TEST_SUITE_P(Of, LookedAt, testing::Values(Together::kInPlace, Together::kRegisters),
                         [](const auto& kind) { return kind.param == Together::kInPlace ? "stages" : "registers"; });

/// A mechanism that a network has not takes none of its steps.
TEST(StepsOfMechanisms, AreNoneWhereTheNetworkHasNoSuchThing) {
  const auto steps = [](const char* mechanism, const models::Experiment& e) {
    return models::stages::MechanismViewRegistry::instance().make(mechanism)->steps(e);
  };
  models::Experiment e = uniform_mesh(0.1, 2, 2);
  EXPECT_EQ(steps("sat", e), 0U);
  EXPECT_EQ(steps("lines", e), 0U);
  EXPECT_EQ(steps("sat", with_sat(e, "ring", 1, 2)), 2U);
  e.open("broadcast");
  EXPECT_EQ(steps("lines", e), 0U) << "over packets";
  e.set("broadcast.medium", "line");
  EXPECT_EQ(steps("lines", e), 2U);
  EXPECT_EQ(steps("sat", e), 0U);
}

}  // namespace
}  // namespace braid::test::ports_and_clocks_test
