// Lists of modules: room for all of them is asked for behind the first, and the last one dies first.
#include "models/stages/base/module_list.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "models/experiment/experiment.h"
#include "models/stages/base/hardware_view.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::module_list_test {
namespace {

using models::stages::heap_bytes;
using models::stages::ModuleList;

class Part {
 public:
  Part(std::vector<int>& died, int which, std::size_t bytes = 0) : number(which), died_(died), held_(bytes, 'x') {}
  ~Part() { died_.push_back(number); }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  const int number;

 private:
  std::vector<int>& died_;
  std::vector<char> held_;
};

TEST(ModuleList, LetsTheLastOneDieFirst) {
  std::vector<int> died;
  {
    ModuleList<Part> parts;
    EXPECT_TRUE(parts.empty());
    for (int i = 0; i < 4; ++i) EXPECT_EQ(parts.add(died, i).number, i);
    EXPECT_FALSE(parts.empty());
    EXPECT_TRUE(died.empty());
  }
  EXPECT_EQ(died, (std::vector<int>{3, 2, 1, 0}));
}

/// A small piece and one that malloc maps by itself.
TEST(ModuleList, CountsWhatIsOnTheHeap) {
  if (heap_bytes() == 0) GTEST_SKIP() << "nobody counts";
  for (const std::size_t bytes : {std::size_t{60} << 10, std::size_t{64} << 20}) {
    const std::uint64_t before = heap_bytes();
    const auto piece = std::make_unique<char[]>(bytes);
    char* volatile seen = piece.get();  // or nobody would need the piece
    EXPECT_NE(seen, nullptr);
    EXPECT_GE(heap_bytes() - before, bytes);
    EXPECT_LT(heap_bytes() - before, bytes + (64 << 10));
  }
}

/// A million parts like the first one are 10^6 GB: the second is never made. Of a few, or of nobody knows how many,
/// all are.
TEST(ModuleList, IsRefusedWhereMemoryHasNoRoomForTheOthers) {
  if (heap_bytes() == 0) GTEST_SKIP() << "nobody counts";
  constexpr std::size_t kMegabyte = 1 << 20;
  std::vector<int> died;
  ModuleList<Part> many(1000000000), few(3), unknown;
  const std::string said = complaint([&] { many.add(died, 0, kMegabyte); });
  EXPECT_EQ(said.rfind("simulation.schedule = \"process_per_stage\": modules of 1000000000 routers take about ", 0), 0U)
      << said;
  for (ModuleList<Part>* parts : {&few, &unknown}) {
    EXPECT_EQ(complaint([&] {
                for (int i = 0; i < 3; ++i) parts->add(died, i, kMegabyte);
              }),
              "");
  }
  EXPECT_EQ(complaint([&] { many.add(died, 1, kMegabyte); }), "") << "it has been asked";
}

TEST(RoomForModules, IsAskedForTheOthers) {
  using models::stages::check_room_for_modules;
  EXPECT_EQ(complaint([] { check_room_for_modules(1, std::uint64_t{1} << 62); }), "") << "the first has been made";
  EXPECT_EQ(complaint([] { check_room_for_modules(1000, 1 << 10); }), "");
  EXPECT_NE(complaint([] { check_room_for_modules(2, std::uint64_t{1} << 60); }), "");
}

/// A module's name has letters and digits of what it is of.
TEST(ModuleName, IsOfLettersDigitsAndLines) {
  using models::stages::module_name;
  EXPECT_EQ(module_name("router", "1,2"), "router_1_2");
  EXPECT_EQ(module_name("switch", "s0"), "switch_s0");
  EXPECT_EQ(module_name("a-b", "Zz9.[x]"), "a_b_Zz9__x_");
}

/// Steps of a cycle: the family's, and those of lines beside it, one at least.
TEST(HardwareViewSteps, AreThoseOfRoutersAndOfLines) {
  models::Experiment e;
  EXPECT_EQ(models::stages::steps_of("po2", e), 5U + 1);
  EXPECT_EQ(models::stages::steps_of("myrinet", e), 8U + 1);
  EXPECT_EQ(models::stages::steps_of("ideal", e), 5U + 1);
  EXPECT_EQ(models::stages::steps_of("no such family", e), 2U + 1) << "two processes a router";
  models::Experiment lines = e;
  lines.open("broadcast");
  lines.set("broadcast.medium", "line");
  EXPECT_EQ(models::stages::steps_of("po2", lines), 5U + 2) << "the line, then its stations";
  for (const std::size_t steps : {2U, 3U}) {
    lines.set("interface.fairness", steps == 2 ? "sat" : "sat_auto");
    EXPECT_EQ(models::stages::steps_of("po2", lines), 5 + steps) << "a home station more";
  }
}

}  // namespace
}  // namespace braid::test::module_list_test
