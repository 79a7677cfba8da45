// Options as they are declared: every kind with its bounds, what exists under which condition, and what is said of a
// key that does not. (Those of experiments: tb/tests/models/experiment.)
#include "routing/base/options.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tb/tests/support/graphs.h"

namespace braid::test::options_test {
namespace {

enum class Mode : std::uint8_t { kLow = 3, kHigh = 9 };

struct Inner {
  std::uint32_t depth = 4;
};
struct Machine {
  std::uint8_t count = 2;
  std::int64_t seed = 5;
  double rate = 0.5, size = 1.5;
  bool on = false;
  std::string text = "t", file = "f";
  std::vector<std::uint32_t> list{1, 2};
  Mode mode = Mode::kHigh;
};

OptionTable<Machine> machine_options() {
  return OptionTable<Machine>("machine")
      .integer("count", &Machine::count, 1, 4, "of wheels")
      .integer("seed", &Machine::seed, 0, kAnyInteger, "of dice")
      .number("rate", &Machine::rate, 0.25, 2.0, "per cycle")
      .number("size", &Machine::size, 0.0, kAnyNumber, "across")
      .boolean("on", &Machine::on, "is it")
      .text("text", &Machine::text, "any")
      .file("file", &Machine::file, "to read")
      .integers("list", &Machine::list, "of nodes")
      .choice<Mode>("mode", &Machine::mode, {{"low", Mode::kLow}, {"high", Mode::kHigh}}, "how");
}

const Option& option(const OptionList& list, const std::string& name) {
  for (const Option& o : list) {
    if (o.name == name) return o;
  }
  throw std::out_of_range(name);
}

TEST(OptionTables, GiveDefaultsWhereNothingIsGiven) {
  const Machine m = machine_options().read({});
  EXPECT_EQ(m.count, 2U);
  EXPECT_EQ(m.seed, 5);
  EXPECT_EQ(m.rate, 0.5);
  EXPECT_EQ(m.size, 1.5);
  EXPECT_FALSE(m.on);
  EXPECT_EQ(m.text, "t");
  EXPECT_EQ(m.file, "f");
  EXPECT_EQ(m.list, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(m.mode, Mode::kHigh);
}

TEST(OptionTables, PutEachValueIntoItsOwnField) {
  Configuration c;
  c.set("machine.count", 4);
  c.set("machine.seed", std::int64_t{1} << 40);
  c.set("machine.rate", 2);  // an integer is a number, too
  c.set("machine.size", 1e300);
  c.set("machine.on", true);
  c.set("machine.text", "u");
  c.set("machine.file", "g");
  c.set("machine.list", std::vector<std::uint32_t>{});
  c.set("machine.mode", "low");
  const Machine m = machine_options().read(c);
  EXPECT_EQ(m.count, 4U);
  EXPECT_EQ(m.seed, std::int64_t{1} << 40);
  EXPECT_EQ(m.rate, 2.0);
  EXPECT_EQ(m.size, 1e300);
  EXPECT_TRUE(m.on);
  EXPECT_EQ(m.text, "u");
  EXPECT_EQ(m.file, "g");
  EXPECT_TRUE(m.list.empty());
  EXPECT_EQ(m.mode, Mode::kLow);
}

TEST(OptionTables, SayOfEachOptionWhatItIs) {
  const OptionTable<Machine> table = machine_options();
  const auto expected = [&](const char* name) { return option(table.list(), name).expected(); };
  EXPECT_EQ(expected("count"), "integer, 1 to 4");
  EXPECT_EQ(expected("seed"), "integer, at least 0");
  EXPECT_EQ(expected("rate"), "number, 0.25 to 2");
  EXPECT_EQ(expected("size"), "number, at least 0");
  EXPECT_EQ(expected("on"), "true or false");
  EXPECT_EQ(expected("text"), "text");
  EXPECT_EQ(expected("file"), "file name");
  EXPECT_EQ(expected("list"), "list of integers, at least 0");
  EXPECT_EQ(expected("mode"), "one of: low, high");
  for (const Option& o : table.list()) {
    EXPECT_EQ(o.is_file, o.name == "file") << o.name;
    EXPECT_EQ(o.key(), "machine." + o.name);
    EXPECT_EQ(o.later, Option::Later::kNothing) << o.name;
    EXPECT_FALSE(o.branches) << o.name;
  }
  EXPECT_EQ(option(table.list(), "rate").text, "per cycle");
  EXPECT_EQ(option(table.list(), "mode").initial, OptionValue(std::string("high")));
  EXPECT_EQ(option(table.list(), "count").initial, OptionValue(std::int64_t{2}));
}

TEST(OptionTables, KnowTheirKeysToTheLetter) {
  const OptionTable<Machine> table = machine_options();
  const Option& count = option(table.list(), "count");
  EXPECT_TRUE(count.is("machine.count"));
  for (const char* other : {"machine.counts", "machine.coun", "machine_count", "Machine.count", "machinecount.",
                            "machine.cound", "nachine.count", "count", ""}) {
    EXPECT_FALSE(count.is(other)) << other;
  }
}

std::string said(const std::string& name, const OptionValue& value) {
  Configuration c;
  c.set("machine." + name, value, {"m.toml", 3, 7});
  return complaint([&] { (void)machine_options().read(c); });
}

TEST(OptionTables, RefuseWhatIsOneStepOutsideWithItsPlace) {
  const auto integer = [](std::int64_t i) { return OptionValue(i); };
  const double inf = std::numeric_limits<double>::infinity();
  for (const std::int64_t good : {1, 4}) EXPECT_EQ(said("count", integer(good)), "");
  EXPECT_EQ(said("count", integer(0)), "m.toml:3:7: machine.count = 0: expected integer, 1 to 4");
  EXPECT_EQ(said("count", integer(5)), "m.toml:3:7: machine.count = 5: expected integer, 1 to 4");
  EXPECT_EQ(said("count", OptionValue(2.0)), "m.toml:3:7: machine.count = 2.0: expected integer, 1 to 4");
  for (const std::int64_t good : {std::int64_t{0}, kAnyInteger}) EXPECT_EQ(said("seed", integer(good)), "");
  EXPECT_EQ(said("seed", integer(-1)), "m.toml:3:7: machine.seed = -1: expected integer, at least 0");
  for (const double good : {0.25, 2.0}) EXPECT_EQ(said("rate", OptionValue(good)), "");
  EXPECT_EQ(said("rate", OptionValue(0.2499)), "m.toml:3:7: machine.rate = 0.2499: expected number, 0.25 to 2");
  EXPECT_EQ(said("rate", OptionValue(2.001)), "m.toml:3:7: machine.rate = 2.001: expected number, 0.25 to 2");
  EXPECT_EQ(said("rate", integer(3)), "m.toml:3:7: machine.rate = 3.0: expected number, 0.25 to 2");
  EXPECT_EQ(said("size", OptionValue(0.0)), "");
  EXPECT_EQ(said("size", OptionValue(-1e-9)), "m.toml:3:7: machine.size = -1e-09: expected number, at least 0");
  EXPECT_EQ(said("size", OptionValue(inf)), "m.toml:3:7: machine.size = inf: expected number, at least 0");
  EXPECT_EQ(said("size", OptionValue(std::nan(""))), "m.toml:3:7: machine.size = nan: expected number, at least 0");
  EXPECT_EQ(said("on", integer(1)), "m.toml:3:7: machine.on = 1: expected true or false");
  EXPECT_EQ(said("text", OptionValue(true)), "m.toml:3:7: machine.text = true: expected text");
  EXPECT_EQ(said("file", integer(1)), "m.toml:3:7: machine.file = 1: expected file name");
  EXPECT_EQ(said("list", integer(1)), "m.toml:3:7: machine.list = 1: expected list of integers, at least 0");
  EXPECT_EQ(said("mode", integer(3)), "m.toml:3:7: machine.mode = 3: expected one of: low, high");
  EXPECT_EQ(said("mode", OptionValue(std::string("hihg"))),
            "m.toml:3:7: unknown machine.mode \"hihg\" (did you mean \"high\"?); known: low, high");
}

TEST(OptionTables, TellWhatMayBeAnotherAfterACheckpoint) {
  const auto table = OptionTable<Machine>("machine")
                         .integer("count", &Machine::count, 1, 4, "")
                         .after_warm_up()
                         .text("text", &Machine::text, "")
                         .section("other")
                         .file("file", &Machine::file, "")
                         .of_results();
  EXPECT_EQ(option(table.list(), "count").later, Option::Later::kAll);
  EXPECT_EQ(option(table.list(), "text").later, Option::Later::kNothing);
  EXPECT_EQ(option(table.list(), "file").later, Option::Later::kName);
  EXPECT_EQ(option(table.list(), "text").key(), "machine.text");
  EXPECT_EQ(option(table.list(), "file").key(), "other.file");
}

struct Vehicle : Inner {
  bool on = false;
  std::string kind = "none", name;
  std::uint32_t wheels = 0;
};

/// `depth` exists behind each of four conditions, under another name of the key.
OptionTable<Vehicle> vehicle_options() {
  const auto depth = [](const char* name) {
    return OptionTable<Vehicle>("v").integer(name, &Vehicle::depth, 1, 9, "of tyres");
  };
  const auto heavy = [](const Configuration& c) { return c.find("v.load") != nullptr; };
  return OptionTable<Vehicle>("v")
      .boolean("on", &Vehicle::on, "")
      .with_it(depth("a"))
      .text("kind", &Vehicle::kind, "")
      .with("cart", depth("b"))
      .with("sled", depth("b2"))
      .integer("wheels", &Vehicle::wheels, 0, 8, "")
      .with_it(depth("c"))
      .text("name", &Vehicle::name, "")
      .when("a load", heavy, depth("d"));
}

std::uint32_t depth_with(const std::vector<std::pair<std::string, OptionValue>>& given) {
  Configuration c;
  for (const auto& [key, value] : given) c.set("v." + key, value);
  return vehicle_options().read(c).depth;
}

TEST(OptionBranches, AreReadWhereTheirConditionHolds) {
  const OptionValue three{std::int64_t{3}}, yes{true}, no{false};
  const auto text = [](const char* word) { return OptionValue(std::string(word)); };
  EXPECT_EQ(depth_with({}), 4U);
  EXPECT_EQ(depth_with({{"a", three}}), 4U) << "off";
  EXPECT_EQ(depth_with({{"a", three}, {"on", no}}), 4U);
  EXPECT_EQ(depth_with({{"a", three}, {"on", yes}}), 3U);
  EXPECT_EQ(depth_with({{"b", three}, {"kind", text("sled")}}), 4U);
  EXPECT_EQ(depth_with({{"b", three}, {"kind", text("cart")}}), 3U);
  EXPECT_EQ(depth_with({{"b2", three}, {"kind", text("sled")}}), 3U);
  EXPECT_EQ(depth_with({{"c", three}, {"wheels", OptionValue(std::int64_t{0})}}), 4U);
  EXPECT_EQ(depth_with({{"c", three}, {"wheels", OptionValue(std::int64_t{1})}}), 3U);
  EXPECT_EQ(depth_with({{"d", three}}), 4U);
  EXPECT_EQ(depth_with({{"d", three}, {"load", yes}}), 3U);
}

TEST(OptionBranches, AreListedWithTheirConditions) {
  std::vector<std::string> all;
  for_each_declared(vehicle_options().list(), [&](const Option& o, const std::string& condition) {
    all.push_back(o.key() + (condition.empty() ? "" : " with " + condition));
  });
  EXPECT_EQ(all, (std::vector<std::string>{"v.on", "v.a with v.on = true", "v.kind", "v.b with v.kind = \"cart\"",
                                           "v.b2 with v.kind = \"sled\"", "v.wheels", "v.c with v.wheels", "v.name",
                                           "v.d with a load"}));
}

TEST(OptionBranches, ExistUnderAConfigurationWhetherTheirValuesAreGoodOrNot) {
  const OptionList list = vehicle_options().list();
  using Keys = std::set<std::string>;
  Configuration c;
  EXPECT_EQ(existing_keys(list, c), (Keys{"v.kind", "v.name", "v.on", "v.wheels"}));
  c.set("v.on", true);
  c.set("v.wheels", 9);  // one too many, but not none
  EXPECT_EQ(existing_keys(list, c), (Keys{"v.a", "v.c", "v.kind", "v.name", "v.on", "v.wheels"}));
  std::vector<std::string> visited;
  c.set("v.wheels", 8);
  for_each_option(
      list, c, [&](const Option& o, const OptionValue& value) { visited.push_back(o.name + " = " + to_text(value)); });
  EXPECT_EQ(visited,
            (std::vector<std::string>{"on = true", "a = 4", "kind = \"none\"", "wheels = 8", "c = 4", "name = \"\""}));
}

TEST(OptionKeys, ThatDoNotExistAreAnsweredWithWhatTheyNeed) {
  const OptionList list = vehicle_options().list();
  const auto checked = [&](const std::vector<std::tuple<std::string, OptionValue, std::size_t, std::size_t>>& given) {
    Configuration c;
    for (const auto& [key, value, line, column] : given) c.set(key, value, {"v.toml", line, column});
    return complaint([&] { check_given(list, c); });
  };
  const OptionValue one{std::int64_t{1}}, yes{true};
  EXPECT_EQ(checked({{"v.on", yes, 1, 1}, {"v.a", one, 2, 1}}), "");
  EXPECT_EQ(checked({{"v.a", one, 2, 1}}), "v.toml:2:1: v.a belongs to v.on = true; this experiment has false");
  EXPECT_EQ(checked({{"v.b", one, 2, 1}}),
            "v.toml:2:1: v.b belongs to v.kind = \"cart\"; this experiment has \"none\"");
  EXPECT_EQ(checked({{"v.c", one, 2, 1}}), "v.toml:2:1: v.c belongs to v.wheels; this experiment has 0");
  EXPECT_EQ(checked({{"v.d", one, 2, 1}}), "v.toml:2:1: v.d belongs to a load");
  EXPECT_EQ(
      checked({{"v.whels", one, 4, 2}}),
      "v.toml:4:2: unknown key in [v] \"whels\" (did you mean \"wheels\"?); known: a, b, b2, c, d, kind, name, on, "
      "wheels");
  EXPECT_EQ(checked({{"w.on", yes, 4, 2}}), "v.toml:4:2: unknown section \"w\" (did you mean \"v\"?); known: v");
  // Of several the first in the file, by line and then by column.
  const auto first = [&](std::size_t line, std::size_t column) {
    return checked({{"v.a", one, 5, 5}, {"v.d", one, line, column}}).substr(0, 11);
  };
  EXPECT_EQ(first(4, 9), "v.toml:4:9:");
  EXPECT_EQ(first(6, 1), "v.toml:5:5:");
  EXPECT_EQ(first(5, 4), "v.toml:5:4:");
  EXPECT_EQ(first(5, 6), "v.toml:5:5:");
}

TEST(OptionKeys, AreFoundUnderAnyConfiguration) {
  const OptionList list = vehicle_options().list();
  EXPECT_EQ(declared_option(list, "v.b2", {}).name, "b2");
  EXPECT_EQ(declared_option(list, "v.name", {}).name, "name");
  EXPECT_EQ(complaint([&] {
              (void)declared_option(list, "v.bb", {"--set", 0, 0});
            }).find("--set: unknown key in [v] \"bb\" (did you mean \""),
            0U);
  EXPECT_EQ(any_of({"a section [t]"}), "a section [t]");
  EXPECT_EQ(any_of({"r.x = \"one\"", "a section [t]", "r.x = \"two\"", "r.y = \"two\""}),
            "r.x = \"one\", \"two\" or a section [t] or r.y = \"two\"");
}

}  // namespace
}  // namespace braid::test::options_test
