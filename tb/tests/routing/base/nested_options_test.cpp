// Options behind options behind options: what is read, what exists, and the shortest true answer to a key that does
// not. (One step deep: options_test.cpp.)
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "routing/base/options.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::nested_options_test {
namespace {

struct Wagon {
  std::string kind = "none", brake = "none";
  std::uint32_t force = 4;
  bool loud = false;
};

/// `force` exists with a drum brake, which carts and sleds have, and in a van by itself.
OptionTable<Wagon> wagon_options() {
  const auto force = OptionTable<Wagon>("w").integer("force", &Wagon::force, 1, 9, "of the brake");
  const auto brake = OptionTable<Wagon>("w").text("brake", &Wagon::brake, "what slows it").with("drum", force);
  return OptionTable<Wagon>("w")
      .boolean("loud", &Wagon::loud, "is it")
      .text("kind", &Wagon::kind, "what it is")
      .with("cart", brake)
      .with("sled", brake)
      .with("van", force);
}

Configuration given(const std::vector<std::pair<std::string, OptionValue>>& values) {
  Configuration c;
  std::size_t line = 0;
  for (const auto& [key, value] : values) c.set("w." + key, value, {"w.toml", ++line, 1});
  return c;
}
OptionValue text(const char* word) { return std::string(word); }
const OptionValue kThree{std::int64_t{3}};

TEST(NestedOptions, AreReadWhereEveryConditionHolds) {
  const auto force = [](const std::vector<std::pair<std::string, OptionValue>>& values) {
    return wagon_options().read(given(values)).force;
  };
  EXPECT_EQ(force({{"kind", text("cart")}, {"brake", text("drum")}, {"force", kThree}}), 3U);
  EXPECT_EQ(force({{"kind", text("cart")}, {"brake", text("disc")}, {"force", kThree}}), 4U);
  EXPECT_EQ(force({{"kind", text("none")}, {"brake", text("drum")}, {"force", kThree}}), 4U);
  EXPECT_EQ(force({{"kind", text("van")}, {"force", kThree}}), 3U);
}

TEST(NestedOptions, ExistWhereEveryConditionHolds) {
  using Keys = std::set<std::string>;
  const auto keys = [](const std::vector<std::pair<std::string, OptionValue>>& values) {
    return existing_keys(wagon_options().list(), given(values));
  };
  EXPECT_EQ(keys({}), (Keys{"w.kind", "w.loud"}));
  EXPECT_EQ(keys({{"kind", text("sled")}}), (Keys{"w.brake", "w.kind", "w.loud"}));
  EXPECT_EQ(keys({{"kind", text("sled")}, {"brake", text("drum")}}), (Keys{"w.brake", "w.force", "w.kind", "w.loud"}));
  EXPECT_EQ(keys({{"kind", text("van")}}), (Keys{"w.force", "w.kind", "w.loud"}));
}

/// A kind that would lead to no more than the present one does is no other way.
TEST(NestedOptions, ThatDoNotExistAreAnsweredWithTheFirstStepOfEachWay) {
  const auto said = [](const std::vector<std::pair<std::string, OptionValue>>& values) {
    const Configuration c = given(values);
    return complaint([&] { check_given(wagon_options().list(), c); });
  };
  EXPECT_EQ(said({{"kind", text("cart")}, {"brake", text("drum")}, {"force", kThree}}), "");
  EXPECT_EQ(said({{"force", kThree}}),
            "w.toml:1:1: w.force belongs to w.kind = \"cart\", \"sled\", \"van\"; this experiment has \"none\"");
  EXPECT_EQ(said({{"kind", text("cart")}, {"force", kThree}}),
            "w.toml:2:1: w.force belongs to w.kind = \"van\" or w.brake = \"drum\"; this experiment has \"cart\"");
  EXPECT_EQ(said({{"kind", text("van")}, {"brake", text("drum")}}),
            "w.toml:2:1: w.brake belongs to w.kind = \"cart\", \"sled\"; this experiment has \"van\"");
}

/// Both from the command line, so that neither has a line: the first by name.
TEST(NestedOptions, OfTwoWithoutAPlaceTheFirstByNameIsSaid) {
  Configuration c;
  c.set("w.brake", "drum", {"--set", 0, 0});
  c.set("w.force", 3, {"--set", 0, 0});
  const std::string said = complaint([&] { check_given(wagon_options().list(), c); });
  EXPECT_EQ(said.rfind("--set: w.brake belongs to ", 0), 0U) << said;
}

TEST(NestedOptions, AreDeclaredWithTheLastStepOfTheirWay) {
  std::vector<std::string> all;
  for_each_declared(wagon_options().list(), [&](const Option& o, const std::string& condition) {
    all.push_back(o.name + (condition.empty() ? "" : " with " + condition));
  });
  EXPECT_EQ(all, (std::vector<std::string>{"loud", "kind", "brake with w.kind = \"cart\"",
                                           "force with w.brake = \"drum\"", "brake with w.kind = \"sled\"",
                                           "force with w.brake = \"drum\"", "force with w.kind = \"van\""}));
}

/// A name without a dot names a section and no key.
TEST(NestedOptions, AreKeysOfSections) {
  EXPECT_EQ(complaint([] { (void)declared_option(wagon_options().list(), "w", {"--set", 0, 0}); }),
            "--set: unknown key in [w] \"\"; known: brake, force, kind, loud");
  EXPECT_EQ(declared_option(wagon_options().list(), "w.force", {}).text, "of the brake");
}

}  // namespace
}  // namespace braid::test::nested_options_test
