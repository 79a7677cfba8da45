// Figures declared beside what counts them: what a report holds, how raw counts become rates, how ports add up.
#include "routing/base/figures.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace braid::test::figures_test
