// The clocks of a network of modules, and the channels between these: who runs when, and what who looks sees. One case
// a process (SystemC elaborates once).
#include "models/stages/base/step_clock.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/stages/base/bits.h"
#include "models/stages/base/register_channel.h"
#include "models/stages/base/stage.h"

namespace braid::test::step_clock_test {
namespace {

using models::stages::Bits;
using models::stages::RegisterChannel;
using models::stages::StepClocks;

class Counter final : public models::stages::Stage {
 public:
  explicit Counter(const char* name) : Stage(name) {}
  bool has_work(std::uint64_t) override { return works; }
  bool works = true;
  std::vector<std::uint64_t> cycles;

 private:
  void step(std::uint64_t cycle) override { cycles.push_back(cycle); }
};

/// That says so to its clock.
class OfAnotherClass final : public models::stages::Stage {
 public:
  explicit OfAnotherClass(const char* name) : Stage(name) {}
  bool has_work(std::uint64_t) override { return works; }
  bool works = true;
  std::vector<std::uint64_t> cycles;

 private:
  void join(models::stages::StepClock& clock) override { clock.add(*this); }
  void step(std::uint64_t cycle) override { cycles.push_back(cycle); }
};

void deltas(int count) {
  for (int i = 0; i < count; ++i) sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

/// What was notified before runs in one delta.
void run_notified() { deltas(1); }

class InOrder final : public models::stages::Stage {
 public:
  InOrder(const char* name, std::string& ran) : Stage(name), ran_(ran) {}

 private:
  void step(std::uint64_t) override { ran_ += name(); }
  std::string& ran_;
};

/// One order a process.
class ProcessOrders : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ProcessOrders, AreThoseThatATestWants) {
  setenv("BRAID_PROCESS_ORDER", GetParam().first, 1);
  std::string ran;
  StepClocks clocks(1);
  InOrder a("a", ran), b("b", ran), c("c", ran);
  for (InOrder* stage : {&a, &b, &c}) stage->clk_i(clocks[0]);
  deltas(1);
  clocks.begin(0);
  clocks[0].rise();
  run_notified();
  EXPECT_EQ(ran, GetParam().second);
}
INSTANTIATE_TEST_SUITE_P(As, ProcessOrders, testing::Values(std::pair{"forward", "abc"}, std::pair{"backward", "cba"}),
                         [](const auto& order) { return order.param.first; });

TEST(StepClock, RunsItsStagesInTheDeltaInWhichItRises) {
  StepClocks clocks(2);
  Counter first("first"), second("second");
  first.clk_i(clocks[0]);
  second.clk_i(clocks[1]);
  deltas(1);
  clocks.begin(7);
  clocks[0].rise();
  run_notified();
  EXPECT_EQ(first.cycles, std::vector<std::uint64_t>{7});
  EXPECT_TRUE(second.cycles.empty());
  clocks[1].rise();
  run_notified();
  EXPECT_EQ(second.cycles, std::vector<std::uint64_t>{7});
}

TEST(StepClock, WakesOfFewWithWorkTheseAlone) {
  StepClocks clocks(1);
  Counter a("a"), b("b"), c("c");
  for (Counter* stage : {&a, &b, &c}) stage->clk_i(clocks[0]);
  a.works = c.works = false;
  deltas(1);
  clocks.begin(0);
  clocks[0].rise();
  run_notified();
  EXPECT_EQ(b.cycles.size(), 1u);
  EXPECT_TRUE(a.cycles.empty() && c.cycles.empty());
  a.works = true;  // two of three
  clocks.begin(1);
  clocks[0].rise();
  run_notified();
  EXPECT_EQ(c.cycles, std::vector<std::uint64_t>{1}) << "where most work all run";
}

/// Every crew is asked, and the steps in which nobody has work take no delta.
TEST(StepClock, WakesStagesOfAllClassesAndTellsIfThereWereAny) {
  StepClocks clocks(2);
  Counter a("a"), b("b");
  OfAnotherClass c("c");
  for (models::stages::Stage* stage : std::initializer_list<models::stages::Stage*>{&a, &b, &c}) {
    stage->clk_i(clocks[0]);
  }
  a.works = b.works = false;
  deltas(1);
  EXPECT_FALSE(clocks[1].rise()) << "a step without stages";
  clocks.begin(0);
  EXPECT_TRUE(clocks[0].rise());
  run_notified();
  EXPECT_TRUE(a.cycles.empty() && b.cycles.empty());
  EXPECT_EQ(c.cycles, std::vector<std::uint64_t>{0});
  c.works = false;
  clocks.begin(1);
  EXPECT_FALSE(clocks[0].rise());
  run_notified();
  EXPECT_EQ(c.cycles.size(), 1u);
}

TEST(StepClock, RunsWhatHasNotRunForWhoLooksAndNothingTwice) {
  StepClocks clocks(2);
  Counter first("first"), second("second");
  first.clk_i(clocks[0]);
  second.clk_i(clocks[1]);
  deltas(1);
  clocks.begin(3);
  clocks[0].rise();
  run_notified();
  clocks.finish();
  clocks[1].rise();
  run_notified();
  EXPECT_EQ(first.cycles, std::vector<std::uint64_t>{3});
  EXPECT_EQ(second.cycles, std::vector<std::uint64_t>{3});
}

/// Made of registers: it says so to its clock. A class for each number.
template <int>
class RegisterOf final : public models::stages::Stage {
 public:
  explicit RegisterOf(const char* name) : Stage(name) {}
  bool has_work(std::uint64_t) override { return works; }
  bool works = true;
  std::vector<std::uint64_t> cycles;
  std::string* ran = nullptr;

 private:
  void join(models::stages::StepClock& clock) override { clock.add_registers(*this); }
  void step(std::uint64_t cycle) override {
    cycles.push_back(cycle);
    if (ran != nullptr) *ran += name();
  }
};
using Register = RegisterOf<0>;

/// No stage: it waits for the clock as any module of one's own does.
class Onlooker final : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  int edges = 0;

  SC_HAS_PROCESS(Onlooker);
  explicit Onlooker(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_METHOD(count);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  void count() { ++edges; }
};

TEST(StepClock, RisesForOthersWhereAllStagesAreRegisters) {
  StepClocks clocks(1);
  Register stage("stage");
  Onlooker onlooker("onlooker");
  stage.clk_i(clocks[0]);
  onlooker.clk_i(clocks[0]);
  deltas(1);
  for (const std::uint64_t cycle : {0U, 1U}) {
    clocks.begin(cycle);
    EXPECT_TRUE(clocks[0].rise());
    run_notified();
  }
  EXPECT_EQ(onlooker.edges, 2);
  EXPECT_EQ(stage.cycles, (std::vector<std::uint64_t>{0, 1}));
}

TEST(StepClock, RunsRegistersWithWorkOnceAndTellsIfThereWereAny) {
  StepClocks clocks(1);
  Register a("a"), b("b");
  a.clk_i(clocks[0]);
  b.clk_i(clocks[0]);
  a.works = false;
  deltas(1);
  clocks.begin(4);
  EXPECT_TRUE(clocks[0].rise());
  EXPECT_TRUE(b.cycles.empty()) << "not before the update phase";
  run_notified();
  EXPECT_EQ(b.cycles, std::vector<std::uint64_t>{4});
  EXPECT_TRUE(a.cycles.empty());
  b.works = false;
  clocks.begin(5);
  EXPECT_FALSE(clocks[0].rise()) << "none has work: no delta";
  a.works = true;
  EXPECT_TRUE(clocks[0].rise());
  clocks.finish();  // somebody looks before the update phase
  run_notified();
  EXPECT_EQ(a.cycles, std::vector<std::uint64_t>{5});
  EXPECT_EQ(b.cycles, (std::vector<std::uint64_t>{4, 5}));
}

TEST(StepClock, ChangesRegistersOfAllClasses) {
  StepClocks clocks(1);
  Register a("a");
  RegisterOf<1> b("b");
  a.clk_i(clocks[0]);
  b.clk_i(clocks[0]);
  deltas(1);
  clocks.begin(2);
  EXPECT_TRUE(clocks[0].rise());
  run_notified();
  EXPECT_EQ(a.cycles, std::vector<std::uint64_t>{2});
  EXPECT_EQ(b.cycles, std::vector<std::uint64_t>{2});
  a.works = false;
  clocks.begin(3);
  EXPECT_TRUE(clocks[0].rise()) << "the other class has work";
  run_notified();
  EXPECT_EQ(a.cycles.size(), 1u);
  EXPECT_EQ(b.cycles, (std::vector<std::uint64_t>{2, 3}));
}

/// One order a process.
TEST_P(ProcessOrders, AreThoseOfRegistersToo) {
  setenv("BRAID_PROCESS_ORDER", GetParam().first, 1);
  std::string ran;
  StepClocks clocks(1);
  Register a("a"), b("b"), c("c");
  for (Register* stage : {&a, &b, &c}) {
    stage->clk_i(clocks[0]);
    stage->ran = &ran;
  }
  deltas(1);
  clocks.begin(0);
  clocks[0].rise();
  run_notified();
  EXPECT_EQ(ran, GetParam().second);
}

/// What tells of work beside the stage, and how the stage ran.
struct Desk {
  bool work = true;
  std::vector<std::uint64_t> in_place, by_process;
};

/// That its clock may call.
class InPlace final : public models::stages::Stage {
 public:
  using Looked = Desk;
  InPlace(const char* name, Desk& desk) : Stage(name), desk_(desk) {}
  Desk* looked() const { return &desk_; }
  static bool has_work_in(InPlace&, Desk* desk, std::uint64_t) { return desk->work; }
  static void run_in(InPlace&, Desk* desk, std::uint64_t cycle) { desk->in_place.push_back(cycle); }

 private:
  void join(models::stages::StepClock& clock) override { clock.add_in_place(*this); }
  void step(std::uint64_t cycle) override { desk_.by_process.push_back(cycle); }
  Desk& desk_;
};

using Cycles = std::vector<std::uint64_t>;

TEST(StepClock, CallsStagesWithWorkItselfAndTellsIfThereWereAny) {
  StepClocks clocks(1);
  Desk busy, idle;
  idle.work = false;
  InPlace a("a", busy), b("b", idle);
  a.clk_i(clocks[0]);
  b.clk_i(clocks[0]);
  deltas(1);
  clocks.begin(6);
  EXPECT_TRUE(clocks[0].rise());
  EXPECT_EQ(busy.in_place, Cycles{6}) << "at once";
  run_notified();
  clocks.finish();
  EXPECT_EQ(busy.in_place, Cycles{6});
  EXPECT_TRUE(busy.by_process.empty()) << "once";
  EXPECT_TRUE(idle.in_place.empty() && idle.by_process.empty());
  busy.work = false;
  clocks.begin(7);
  EXPECT_FALSE(clocks[0].rise()) << "none has work: no delta";
  run_notified();
  EXPECT_EQ(busy.in_place, Cycles{6});
}

TEST(StepClock, CallsNoneThatHasRunForWhoLooks) {
  StepClocks clocks(1);
  Desk desk;
  InPlace stage("stage", desk);
  stage.clk_i(clocks[0]);
  deltas(1);
  clocks.begin(2);
  clocks.finish();
  EXPECT_EQ(desk.by_process, Cycles{2});
  clocks[0].rise();
  run_notified();
  EXPECT_EQ(desk.by_process, Cycles{2});
  EXPECT_TRUE(desk.in_place.empty());
}

/// A module of somebody else's in a step of stages that the clock calls.
TEST(StepClock, WakesThoseThatItCannotCallAndNoneBesideThem) {
  StepClocks clocks(1);
  Desk desk;
  InPlace stage("stage", desk);
  Counter others("others");
  stage.clk_i(clocks[0]);
  others.clk_i(clocks[0]);
  deltas(1);
  for (const std::uint64_t cycle : {0U, 1U}) {
    clocks.begin(cycle);
    EXPECT_TRUE(clocks[0].rise());
    run_notified();
  }
  EXPECT_EQ(others.cycles, (Cycles{0, 1}));
  EXPECT_EQ(desk.in_place, (Cycles{0, 1}));
  EXPECT_TRUE(desk.by_process.empty());
}

TEST(StepClock, CallsNoneWhereOthersWaitForTheEdge) {
  StepClocks clocks(1);
  Desk desk;
  InPlace stage("stage", desk);
  Register registers("registers");
  Onlooker onlooker("onlooker");
  stage.clk_i(clocks[0]);
  registers.clk_i(clocks[0]);
  onlooker.clk_i(clocks[0]);
  deltas(1);
  clocks.begin(3);
  EXPECT_TRUE(clocks[0].rise());
  EXPECT_TRUE(desk.in_place.empty());
  run_notified();
  EXPECT_EQ(onlooker.edges, 1);
  EXPECT_EQ(desk.by_process, Cycles{3});
  EXPECT_TRUE(desk.in_place.empty());
  EXPECT_EQ(registers.cycles, Cycles{3});
}

TEST(Stage, CountsTheEdgesOfASignalOfOthers) {
  sc_core::sc_clock clock("clock", 10, sc_core::SC_NS);
  Counter stage("stage");
  stage.clk_i(clock);
  sc_core::sc_start(25, sc_core::SC_NS);
  EXPECT_EQ(stage.cycles, (std::vector<std::uint64_t>{0, 1, 2}));
}

class Registers final : public models::stages::Bank {
 public:
  unsigned value = 5;
};

TEST(RegisterChannel, ReadsTheBankAsItIsAndWritesItInTheUpdatePhase) {
  Registers bank;
  RegisterChannel channel(
      "channel", 8, bank, [&](Bits& b) { b.set(0, 8, bank.value); },
      [&](const Bits& b) { bank.value = static_cast<unsigned>(b.field(0, 8)); });
  deltas(1);
  EXPECT_EQ(channel.read().field(0, 8), 5u);
  bank.value = 6;
  EXPECT_EQ(channel.read().field(0, 8), 6u);
  channel.write(Bits(8, 9));
  EXPECT_EQ(bank.value, 6u) << "not before the update phase";
  deltas(1);
  EXPECT_EQ(bank.value, 9u);
}

class Listener final : public sc_core::sc_module {
 public:
  sc_core::sc_in<Bits> data_i{"data_i"};
  std::vector<std::uint64_t> seen;

  SC_HAS_PROCESS(Listener);
  explicit Listener(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_METHOD(look);
    sensitive << data_i;
    dont_initialize();
  }

 private:
  void look() { seen.push_back(data_i.read().field(0, 8)); }
};

TEST(RegisterChannel, TellsOfAChangeWhenACycleIsOverAndOfNothingElse) {
  Registers bank;
  RegisterChannel channel("channel", 8, bank, [&](Bits& b) { b.set(0, 8, bank.value); });
  Listener listener("listener");
  listener.data_i(channel);
  deltas(1);
  for (const unsigned value : {5U, 6U, 6U, 7U}) {
    bank.value = value;
    RegisterChannel::settle_watched();
    deltas(2);
  }
  EXPECT_EQ(listener.seen, (std::vector<std::uint64_t>{5, 6, 7}));
}

TEST(Bits, KeepTheirPlaceAndTakeAnotherWidth) {
  Bits bits(70);
  bits.set(66, 3, 5);
  EXPECT_EQ(bits.field(66, 3), 5u);
  EXPECT_EQ(bits.field(0, 64), 0u);
  EXPECT_TRUE(bits[68] && !bits[67] && bits.any());
  const sc_dt::sc_bv_base* place = &bits.value();
  bits = Bits(4, 10);
  EXPECT_EQ(bits.text(), "4'b1010");
  EXPECT_EQ(&bits.value(), place);
  EXPECT_NE(bits, Bits(5, 10)) << "of another width";
}

}  // namespace
}  // namespace braid::test::step_clock_test
