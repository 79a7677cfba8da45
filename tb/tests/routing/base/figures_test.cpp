// Figures declared beside what counts them: what a report holds, how raw counts become rates, how ports add up.
#include "routing/base/figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "routing/base/registry.h"

namespace braid::test::figures_test {
namespace {

struct Wheel {
  std::uint32_t spokes = 7;
  double size_m() const { return 0.5; }
};
struct Cart {
  bool loaded = true;
  std::string name = "ox";
  Estimate speed{2.0, 0.25};
  RawCount turns{12, 4};
  std::vector<Wheel> wheels = {Wheel{6}, Wheel{8}};
  std::optional<Wheel> spare;
};

FigureTable<Cart> cart_figures() {
  const FigureTable<Wheel> wheel =
      FigureTable<Wheel>().add("spokes", "", "of wood", &Wheel::spokes).add("size_m", "m", "across", &Wheel::size_m);
  return FigureTable<Cart>()
      .add("loaded", "", "is it", &Cart::loaded)
      .add("name", "", "of what pulls", &Cart::name)
      .add("speed_m_s", "m/s", "of the cart", &Cart::speed)
      .add("turns", "1/cycle", "of a wheel", &Cart::turns)
      .parts("wheels", "", "all of them", &Cart::wheels, wheel)
      .only_in_json()
      .part("spare", "", "wheel", &Cart::spare, wheel);
}

TEST(Figures, AreReportedInTheOrderOfTheirDeclaration) {
  const Report report = cart_figures().of(Cart{});
  std::vector<std::string> names;
  for (const Reported& figure : report.figures) names.push_back(figure.declared->name);
  EXPECT_EQ(names, (std::vector<std::string>{"loaded", "name", "speed_m_s", "turns", "wheels"}));
  EXPECT_EQ(report.figures[2].declared->unit, "m/s");
  EXPECT_EQ(report.figures[2].declared->meaning, "of the cart");
  EXPECT_TRUE(report.figures[4].declared->only_in_json);
  EXPECT_FALSE(report.figures[3].declared->only_in_json);
}

TEST(Figures, AreFoundByNameAndPartsByPath) {
  Cart cart;
  cart.spare = Wheel{9};
  const Report report = cart_figures().of(cart);
  EXPECT_TRUE(report.get<bool>("loaded"));
  EXPECT_EQ(report.get<std::string>("name"), "ox");
  EXPECT_EQ(report.get<Estimate>("speed_m_s").half_width_95, 0.25);
  EXPECT_EQ(report.get<std::uint64_t>("spare.spokes"), 9U);
  EXPECT_EQ(report.get<double>("spare.size_m"), 0.5);
  EXPECT_EQ(report.get<std::vector<Report>>("wheels")[1].get<std::uint64_t>("spokes"), 8U);
  EXPECT_THROW((void)report.get<double>("spare.weight"), std::out_of_range);
  EXPECT_THROW((void)report.get<double>("weight"), std::out_of_range);
}

TEST(Figures, OptionalPartsAreMarked) {
  const FigureTable<Cart> table = cart_figures();
  EXPECT_FALSE(table.list()[4]->optional);
  EXPECT_TRUE(table.list()[5]->optional);
  EXPECT_EQ(table.list()[5]->parts().size(), 2U);
}

/// 12 turns of 4 wheels before, 36 after, over 3 cycles: (36 - 12) / 4 / 3. What is no count stays as it is at the end.
TEST(Figures, RatesAreGrowthPerCycleAndCounter) {
  Cart before, after;
  after.turns.events = 36;
  after.loaded = false;
  const Report rate = rates(cart_figures().of(before), cart_figures().of(after), 3);
  EXPECT_EQ(rate.get<double>("turns"), 2.0);
  EXPECT_FALSE(rate.get<bool>("loaded"));
}

TEST(Figures, RatesOfNoCounterAreZero) {
  Cart cart;
  cart.turns = {0, 0};
  EXPECT_EQ(rates(cart_figures().of(cart), cart_figures().of(cart), 1).get<double>("turns"), 0.0);
}

/// Whoever names no number of counters has one; of none at all, the events.
TEST(RawCounts, HaveTheMeanOfTheirCounters) {
  EXPECT_EQ(RawCount{}.events, 0U);
  EXPECT_EQ(RawCount{}.counters, 1U);
  EXPECT_EQ((RawCount{6, 1}.mean()), 6.0);
  EXPECT_EQ((RawCount{6, 2}.mean()), 3.0);
  EXPECT_EQ((RawCount{6, 4}.mean()), 1.5);
  EXPECT_EQ((RawCount{6, 0}.mean()), 6.0);
  EXPECT_EQ((RawCount{0, 0}.mean()), 0.0);
}

/// Counts and counters are added; a number has no sum over ports.
TEST(Figures, OfSeveralPortsAddUp) {
  struct Port {
    std::uint64_t sent;
    RawCount busy;
  };
  const auto table = FigureTable<Port>().add("sent", "", "", &Port::sent).add("busy", "", "", &Port::busy);
  const Report sum = added_up({table.of({3, {10, 1}}), table.of({4, {20, 1}}), table.of({5, {30, 2}})});
  EXPECT_EQ(sum.get<std::uint64_t>("sent"), 12U);
  EXPECT_EQ(sum.get<RawCount>("busy").events, 60U);
  EXPECT_EQ(sum.get<RawCount>("busy").counters, 4U);
  EXPECT_TRUE(added_up({}).empty());
  EXPECT_TRUE(added_up({Report{}, Report{}}).empty());
  const auto sizes = FigureTable<Wheel>().add("size_m", "m", "", &Wheel::size_m);
  EXPECT_THROW((void)added_up({sizes.of(Wheel{}), sizes.of(Wheel{})}), std::logic_error);
}

/// A figure that two policies share names both.
TEST(Figures, OfPoliciesNameEveryPolicyThatHasThem) {
  const FigureList shared = FigureTable<Wheel>().add("spokes", "", "of wood", &Wheel::spokes).list();
  const FigureList own = FigureTable<Wheel>().add("size_m", "m", "across", &Wheel::size_m).list();
  FigureList all;
  detail::add_conditional(all, shared, "cart = \"ox\"");
  detail::add_conditional(all, own, "cart = \"ox\"");
  detail::add_conditional(all, shared, "cart = \"mule\"");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]->conditions, (std::vector<std::string>{"cart = \"ox\"", "cart = \"mule\""}));
  EXPECT_EQ(all[1]->conditions, (std::vector<std::string>{"cart = \"ox\""}));
}

/// Of the same name and another meaning, or the other way round, they are two.
TEST(Figures, AreTheSameByNameAndMeaning) {
  const FigureList wood = FigureTable<Wheel>().add("spokes", "", "of wood", &Wheel::spokes).list();
  const FigureList steel = FigureTable<Wheel>().add("spokes", "", "of steel", &Wheel::spokes).list();
  const FigureList rods = FigureTable<Wheel>().add("rods", "", "of wood", &Wheel::spokes).list();
  FigureList all;
  for (const FigureList* figures : {&wood, &steel, &rods, &wood}) detail::add_conditional(all, *figures, "c");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]->conditions.size(), 2U);
  EXPECT_EQ(all[1]->conditions.size(), 1U);
  EXPECT_EQ(all[2]->conditions.size(), 1U);
}

/// A part that every run has is no optional one; counts of one counter are their events.
TEST(Figures, OfAPartThatIsAlwaysThereAreNotOptional) {
  struct Bicycle {
    Wheel front{5}, back{6};
    RawCount turns;
  };
  const auto spokes_of = FigureTable<Wheel>().add("spokes", "", "of wood", &Wheel::spokes);
  const auto table = FigureTable<Bicycle>()
                         .part("front", "", "wheel", &Bicycle::front, spokes_of)
                         .part("back", "", "wheel", [](const Bicycle& b) { return b.back; }, spokes_of);
  EXPECT_FALSE(table.list()[0]->optional);
  EXPECT_FALSE(table.list()[1]->optional);
  Bicycle bicycle;
  EXPECT_EQ(table.of(bicycle).get<std::uint64_t>("front.spokes"), 5U);
  EXPECT_EQ(table.of(bicycle).get<std::uint64_t>("back.spokes"), 6U);
  EXPECT_EQ(bicycle.turns.counters, 1U);
  bicycle.turns.events = 6;
  EXPECT_EQ(bicycle.turns.mean(), 6.0);
}

struct Rig {
  static const char* axis() { return "rig of figures_test"; }
};
struct Ship {
  std::optional<std::uint16_t> crew;
  std::vector<std::string> names{"a", "b"};
  std::vector<std::uint64_t> tons{1, 2};
  std::vector<double> depths{0.5};
  std::optional<std::vector<Wheel>> wheels;
  Report rig;
};

FigureTable<Wheel> spokes(const char* name = "spokes") {
  return FigureTable<Wheel>().add(name, "", "of wood", &Wheel::spokes);
}
std::vector<std::string> names_of(const Report& report) {
  std::vector<std::string> names;
  for (const Reported& figure : report.figures) names.push_back(figure.declared->name);
  return names;
}
using FigureNames = std::vector<std::string>;

TEST(Figures, HaveTheTypeOfTheirValuesAndMayBeMissing) {
  const auto table = FigureTable<Ship>()
                         .add("crew", "", "on board", &Ship::crew)
                         .add("names", "", "painted", &Ship::names)
                         .add("tons", "", "of each", &Ship::tons)
                         .add("depths", "", "of each", &Ship::depths)
                         .parts("wheels", "", "to steer", &Ship::wheels, spokes());
  const FigureList& list = table.list();
  EXPECT_TRUE(std::holds_alternative<std::uint64_t>(list[0]->kind)) << "any integer";
  EXPECT_TRUE(std::holds_alternative<std::vector<std::string>>(list[1]->kind));
  EXPECT_TRUE(std::holds_alternative<std::vector<std::uint64_t>>(list[2]->kind));
  EXPECT_TRUE(std::holds_alternative<std::vector<double>>(list[3]->kind));
  EXPECT_TRUE(std::holds_alternative<std::vector<Report>>(list[4]->kind));
  for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(list[i]->optional, i == 0 || i == 4) << i;
  EXPECT_EQ(list[4]->parts().size(), 1U);
  Ship ship;
  EXPECT_EQ(names_of(table.of(ship)), (FigureNames{"names", "tons", "depths"}));
  ship.crew = 7;
  ship.wheels = std::vector<Wheel>{Wheel{5}};
  const Report all = table.of(ship);
  EXPECT_EQ(names_of(all), (FigureNames{"crew", "names", "tons", "depths", "wheels"}));
  EXPECT_EQ(all.get<std::uint64_t>("crew"), 7U);
  EXPECT_EQ(all.get<std::vector<std::string>>("names"), ship.names);
  EXPECT_EQ(all.get<std::vector<std::uint64_t>>("tons"), ship.tons);
  EXPECT_EQ(all.get<std::vector<double>>("depths"), ship.depths);
  EXPECT_EQ(all.get<std::vector<Report>>("wheels").at(0).get<std::uint64_t>("spokes"), 5U);
  EXPECT_THROW((void)all.get<double>("crew"), std::bad_variant_access);
}

/// What policies report is asked for when somebody wants to know, for policies register while the program begins.
TEST(Figures, OfAPolicyAreThoseOfWhoeverRegistersAndOneRunHasThoseOfOne) {
  const auto table = FigureTable<Ship>().policy<Registry<Rig>>("rig", "m", "of the ship", "ship.rig",
                                                               [](const Ship& s) { return s.rig; });
  ASSERT_EQ(table.list().size(), 1U);
  const Figure& rig = *table.list()[0];
  EXPECT_TRUE(rig.parts().empty()) << "nobody has registered";
  Registry<Rig>::instance().add("jib", "one", {}, spokes().list(), [] { return std::make_unique<Rig>(); });
  Registry<Rig>::instance().add("lug", "two", {}, spokes().list(), [] { return std::make_unique<Rig>(); });
  EXPECT_EQ(rig.name + rig.unit + rig.meaning, "rigmof the ship");
  EXPECT_TRUE(rig.optional);
  EXPECT_TRUE(std::holds_alternative<Report>(rig.kind));
  ASSERT_EQ(rig.parts().size(), 1U);
  EXPECT_EQ(rig.parts()[0]->conditions, (FigureNames{"ship.rig = \"jib\"", "ship.rig = \"lug\""}));
  Ship ship;
  EXPECT_TRUE(table.of(ship).empty()) << "this one reports nothing";
  ship.rig = spokes().of(Wheel{3});
  EXPECT_EQ(table.of(ship).get<std::uint64_t>("rig.spokes"), 3U);
}

TEST(Figures, OfAPartThatSomeRunsHaveNameTheCondition) {
  const auto table = FigureTable<Ship>()
                         .reported("rig", "m", "of the ship", spokes().list(), "ship.sails = true",
                                   [](const Ship& s) { return s.rig; })
                         .among(spokes("own").list(), "ship.oars = true", [](const Ship& s) { return s.rig; });
  ASSERT_EQ(table.list().size(), 2U);
  EXPECT_EQ(table.list()[0]->conditions, FigureNames{"ship.sails = true"});
  EXPECT_TRUE(table.list()[0]->optional);
  EXPECT_EQ(table.list()[0]->parts().at(0)->name, "spokes");
  EXPECT_EQ(table.list()[1]->conditions, FigureNames{"ship.oars = true"});
  EXPECT_EQ(table.list()[1]->name, "own");
  Ship ship;
  EXPECT_TRUE(table.of(ship).empty());
  ship.rig = spokes().of(Wheel{3});
  EXPECT_EQ(names_of(table.of(ship)), FigureNames{"rig"}) << "it has no figure of the other name";
  ship.rig = spokes("own").of(Wheel{4});
  EXPECT_EQ(names_of(table.of(ship)), (FigureNames{"rig", "own"}));
  EXPECT_EQ(table.of(ship).get<std::uint64_t>("own"), 4U);
}

/// Each mark is of the entry before it alone.
TEST(Figures, AreMarkedOneByOne) {
  const auto table = FigureTable<Ship>()
                         .add("a", "", "", &Ship::tons)
                         .add("b", "", "", &Ship::tons)
                         .of_delivered()
                         .add("c", "", "", &Ship::crew)
                         .exists_with("ship.crew = true")
                         .add("d", "", "", &Ship::tons)
                         .only_in_json();
  const std::string names = "abcd";
  for (std::size_t i = 0; i < 4; ++i) {
    const Figure& figure = *table.list()[i];
    EXPECT_EQ(figure.of_delivered, names[i] == 'b') << names[i];
    EXPECT_EQ(figure.only_in_json, names[i] == 'd') << names[i];
    EXPECT_EQ(figure.conditions, names[i] == 'c' ? FigureNames{"ship.crew = true"} : FigureNames{}) << names[i];
  }
}

TEST(Figures, OfNoSampleAreNoNumbers) {
  EXPECT_TRUE(std::isnan(Estimate{}.mean));
  EXPECT_TRUE(std::isnan(Estimate{}.half_width_95));
  EXPECT_EQ((RawCount{12, 4}.mean()), 3.0);
  EXPECT_EQ((RawCount{12, 0}.mean()), 12.0);
  EXPECT_EQ(RawCount{}.mean(), 0.0);
}

}  // namespace
}  // namespace braid::test::figures_test
