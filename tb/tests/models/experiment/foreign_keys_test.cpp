// A key exists only with what it belongs to. Everywhere else it is refused, is not in the echo, and goes away with the
// policy that --set replaces. All of it is made from the conditions that users are told (declared_keys.h).
#include <gtest/gtest.h>

#include <algorithm>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/results_json.h"
#include "tb/tests/support/declared_keys.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::foreign_keys_test {
namespace {

using models::Experiment;

Experiment parse(const std::string& text, const std::vector<std::string>& settings = {}) {
  return models::parse_experiment(text, "e.toml", settings);
}

std::set<std::string> keys_of_echo(const Experiment& experiment) {
  std::set<std::string> keys;
  for (const auto& [section, values] : models::configuration_json(experiment)) {
    for (const auto& [name, value] : values.as_object()) keys.insert(std::string(section) + "." + std::string(name));
  }
  return keys;
}

/// Of all that is declared.
std::set<std::string> keys_of(const Sheet& sheet) {
  std::set<std::string> keys;
  for (const Declared& d : declared()) {
    if (exists(d.option.key(), sheet)) keys.insert(d.option.key());
  }
  return keys;
}

Sheet with(Sheet sheet, const std::string& key, const std::string& value) {
  sheet.values[key] = value;
  return sheet;
}

/// Experiments that differ in what sections they have.
std::vector<Sheet> sections_only() { return {{{"traffic"}, {}}, {{"stream"}, {}}, {{"traffic", "stream"}, {}}}; }

/// Experiments that differ in the value of one key.
std::vector<Sheet> each_value_of(const std::string& key) {
  std::vector<Sheet> sheets;
  for (const Declared& d : declared(key)) {
    for (const std::string& value : values_of(d.option).good) {
      sheets.push_back(with(sheet_for(d.condition), key, value));
    }
  }
  return sheets;
}

/// The key that each condition of `key` is about.
std::set<std::string> subjects_of(const std::string& key) {
  std::set<std::string> subjects;
  for (const Declared& d : declared(key)) subjects.insert(Condition(d.condition).key);
  subjects.erase("");
  return subjects;
}

std::set<std::string> all_keys() {
  std::set<std::string> keys;
  for (const Declared& d : declared()) keys.insert(d.option.key());
  return keys;
}

/// The keys that others depend on, and all that choose a policy.
std::set<std::string> axes() {
  std::set<std::string> keys;
  for (const Declared& d : declared()) {
    if (d.option.policies) keys.insert(d.option.key());
    if (const std::string key = Condition(d.condition).key; !key.empty()) keys.insert(key);
  }
  return keys;
}

TEST(ForeignKeys, AreNotInTheEchoOfAnyPolicyOfAnyAxis) {
  std::vector<Sheet> sheets = sections_only();
  for (const std::string& axis : axes()) {
    for (const Sheet& sheet : each_value_of(axis)) sheets.push_back(sheet);
  }
  for (const Sheet& sheet : sheets) EXPECT_EQ(keys_of_echo(parse(sheet.toml())), keys_of(sheet)) << sheet.toml();
}

/// So that each_value_of() leaves none out.
TEST(ForeignKeys, AreTriedWithEveryPolicy) {
  for (const Declared& d : declared()) {
    if (!d.option.policies) continue;
    std::vector<std::string> policies;
    for (const auto& [name, summary] : d.option.policies()) policies.push_back("\"" + name + "\"");
    EXPECT_EQ(values_of(d.option).good, policies) << d.option.key();
  }
}

/// Of one key: every value of each key that it depends on, and both sections alone, where it is foreign.
std::vector<Sheet> sheets_without(const std::string& key) {
  std::vector<Sheet> sheets = sections_only();
  for (const std::string& subject : subjects_of(key)) {
    for (const Sheet& sheet : each_value_of(subject)) sheets.push_back(sheet);
  }
  std::vector<Sheet> without;
  for (Sheet& sheet : sheets) {
    sheet.values[key] = values_of(declared(key).front().option).good.front();  // opens its section
    if (!exists(key, sheet)) without.push_back(sheet);
  }
  return without;
}

/// The condition, and what must hold before it can.
std::vector<std::string> unmet(std::string condition, const Sheet& sheet) {
  std::vector<std::string> conditions{condition};
  for (Condition c(condition); !c.key.empty() && !exists(c.key, sheet); c = Condition(condition)) {
    condition = declared(c.key).front().condition;
    conditions.push_back(condition);
  }
  return conditions;
}

/// "; this experiment has VALUE" where the key of the condition exists.
std::string instead(const std::string& condition, const Sheet& sheet) {
  const Condition c(condition);
  return c.key.empty() || !exists(c.key, sheet) ? "" : "; this experiment has " + sheet.value(c.key);
}

/// One line: place, what the key belongs to, what is there instead.
void expect_refused(const std::string& key, const Sheet& sheet) {
  const std::string what = complaint([&] { (void)parse(sheet.toml(key)); });
  SCOPED_TRACE(sheet.toml(key) + what);
  const std::string place = "e.toml:2:" + std::to_string(name_of(key).size() + 4) + ": ";
  EXPECT_EQ(what.rfind(place + key + " belongs to ", 0), 0U);
  EXPECT_EQ(what.find('\n'), std::string::npos);
  std::set<std::string> good;                // what may be there instead: a key may belong to values of several others
  for (const Declared& d : declared(key)) {  // several in one: `routing.algorithm = "x_first", "y_first"`
    const std::vector<std::string> conditions = unmet(d.condition, sheet);
    const auto named = std::find_if(conditions.begin(), conditions.end(), [&](const std::string& condition) {
      const Condition c(condition);
      return what.find(c.value.empty() ? condition
                                       : " " + c.key +
                                             (c.is_word  ? " with "
                                              : c.is_end ? " ending in "
                                                         : " = ")) != std::string::npos &&
             what.find(c.is_end ? "\"" + c.value.substr(c.value.rfind('.')) : c.value) != std::string::npos;
    });
    EXPECT_NE(named, conditions.end()) << d.condition;
    if (named != conditions.end()) good.insert(instead(*named, sheet));
  }
  const std::size_t has = what.find("; this experiment has ");
  EXPECT_EQ(good.count(has == std::string::npos ? "" : what.substr(has)), 1U);
}

TEST(ForeignKeys, AreRefusedWithWhatTheyBelongTo) {
  std::set<std::string> never;
  for (const std::string& key : all_keys()) {
    const std::vector<Sheet> sheets = sheets_without(key);
    for (const Sheet& sheet : sheets) expect_refused(key, sheet);
    const std::string condition = declared(key).front().condition;
    const bool opens_its_section = Condition(condition).section == section_of(key);
    if (sheets.empty() && !condition.empty() && !opens_its_section) never.insert(key);
  }
  // Every kind has links.
  EXPECT_EQ(never, (std::set<std::string>{"topology.link_flits_per_cycle", "topology.link_latency_cycles"}));
}

/// Set by hand, a foreign key has no place.
TEST(ForeignKeys, AreRefusedOfAUserToo) {
  Experiment e;
  e.open("traffic");
  e.set("routing.max_deroutes", 2);
  EXPECT_EQ(complaint([&] { models::check_experiment(e); }),
            "routing.max_deroutes belongs to routing.algorithm = \"derouting\"; this experiment has \"x_first\"");
  e.set("routing.algorithm", "derouting");
  EXPECT_EQ(complaint([&] { models::check_experiment(e); }), "");
  e.set("routing.algorithm", "west_first");
  EXPECT_EQ(complaint([&] { models::check_experiment(e); }), "");
  EXPECT_EQ(e.find("routing.max_deroutes"), nullptr);
}

/// The first one in the file is named.
TEST(ForeignKeys, AreNamedInTheOrderOfTheFile) {
  const std::string text = "[traffic]\nlong_flits = 9\n[topology]\nedge = 3\narity = 2\n";
  EXPECT_EQ(complaint([&] { (void)parse(text); }),
            "e.toml:2:14: traffic.long_flits belongs to traffic.length = \"bimodal\", \"bursty\"; this experiment has "
            "\"fixed\"");
  EXPECT_EQ(complaint([&] { (void)parse(text, {"traffic.length=bursty"}); }).rfind("e.toml:2:14: ", 0), 0U)
      << "a file is checked before what is set";
}

/// Hybrid routers only have circuits: what is said of others must not contradict itself.
TEST(ForeignKeys, OfCircuitsAreNotSaidToBelongToWhatIsThere) {
  const Sheet sheet{{"stream"},
                    {{"interface.switching", "\"circuit\""},
                     {"router.architecture", "\"ideal\""},
                     {"router.circuit_buffer_depth", "3"}}};
  const std::string what = complaint([&] { (void)parse(sheet.toml("router.circuit_buffer_depth")); });
  EXPECT_EQ(what.rfind("e.toml:2:24: router.circuit_buffer_depth belongs to ", 0), 0U) << what;
  EXPECT_EQ(what.find("this experiment has \"circuit\""), std::string::npos) << what;
}

/// A value of the key that all its declarations take.
std::string shared_value(const std::string& key) {
  const auto takes = [](const Declared& d, const std::string& value) {
    const std::vector<std::string> good = values_of(d.option).good;
    return std::find(good.begin(), good.end(), value) != good.end();
  };
  const std::vector<Declared> all = declared(key);
  for (const std::string& value : values_of(all.front().option).good) {
    if (std::all_of(all.begin(), all.end(), [&](const Declared& d) { return takes(d, value); })) return value;
  }
  ADD_FAILURE() << key << ": no value is good everywhere";
  return {};
}

/// Every key of a file whose policy (or flag) a setting replaces by every other one: those that the new one does not
/// have are gone, all others stay.
TEST(ForeignKeys, OfAFileGoWithThePolicyThatASettingReplaces) {
  if (kBrief) GTEST_SKIP() << kLong;
  for (const Declared& d : declared()) {
    const std::string key = d.option.key(), axis = Condition(d.condition).key;
    if (axis.empty()) continue;
    const Sheet file = with(with(sheet_for(d.condition), key, shared_value(key)), "experiment.seed", "77");
    for (const std::string& value : values_of(declared(axis).front().option).good) {
      SCOPED_TRACE(file.toml() + "--set " + axis + "=" + value);
      const Sheet after = with(file, axis, value);
      Experiment experiment;
      const std::string refusal = complaint([&] { experiment = parse(file.toml(), {axis + "=" + value}); });
      EXPECT_EQ(refusal, "");
      if (!refusal.empty()) continue;
      for (const auto& [k, v] : after.values) EXPECT_EQ(experiment.find(k) != nullptr, exists(k, after)) << k;
      EXPECT_EQ(keys_of_echo(experiment), keys_of(after));
    }
  }
}

/// ... and with them the keys of the policies that the replaced one had chosen itself.
TEST(ForeignKeys, GoWithThePolicyTwoLevelsUp) {
  const Experiment e = parse(
      "[traffic]\n[router]\narchitecture = \"po2\"\nvcs = 7\n[po2]\nbuffers = 9\navoidance = \"up_down_escape\"\n"
      "escape_patience_cycles = 5\n",
      {"router.architecture=ideal"});
  EXPECT_EQ(e.given().size(), 2U);
  EXPECT_EQ(e.get<std::string>("router.architecture"), "ideal");
  EXPECT_EQ(e.get<std::int64_t>("router.vcs"), 7);
}

TEST(ForeignKeys, OfASettingAreRefusedWhateverTheFileHad) {
  const std::string text = "[traffic]\n[routing]\nalgorithm = \"derouting\"\nmax_deroutes = 3\n";
  const std::string says =
      "routing.max_deroutes belongs to routing.algorithm = \"derouting\"; this experiment has \"x_first\"";
  const std::string deroutes = "routing.max_deroutes=2", x_first = "routing.algorithm=x_first";
  EXPECT_EQ(complaint([&] { (void)parse("[traffic]\n", {deroutes}); }), "--set " + deroutes + ": " + says);
  EXPECT_EQ(complaint([&] { (void)parse(text, {x_first, deroutes}); }), "--set " + deroutes + ": " + says);
  EXPECT_EQ(parse(text, {deroutes}).get<std::int64_t>("routing.max_deroutes"), 2);
  EXPECT_EQ(parse("[traffic]\n", {deroutes, "routing.algorithm=derouting"}).get<std::int64_t>("routing.max_deroutes"),
            2);
}

/// A setting is refused in the same way if the policy is set after it.
TEST(ForeignKeys, OfASettingAreRefusedInWhateverOrder) {
  const std::string text = "[traffic]\n[routing]\nalgorithm = \"derouting\"\n";
  EXPECT_NE(complaint([&] {
              (void)parse(text, {"routing.max_deroutes=2", "routing.algorithm=x_first"});
            }).find("routing.max_deroutes belongs to routing.algorithm = \"derouting\""),
            std::string::npos);
}

/// One letter too much, wherever a key is named: in a file, in a setting, by hand.
TEST(UnknownKeys, GetTheNearestName) {
  for (const std::string& key : all_keys()) {
    const std::string says = "unknown key in [" + section_of(key) + "] \"" + name_of(key) + "x\" (did you mean \"" +
                             name_of(key) + "\"?); known: ";
    const std::string line = name_of(key) + "x = 1\n", setting = key + "x=1";
    EXPECT_EQ(complaint([&] { (void)parse("[" + section_of(key) + "]\n" + line); }).rfind("e.toml:2:1: " + says, 0), 0U)
        << key;
    EXPECT_EQ(complaint([&] { (void)parse("[traffic]\n", {setting}); }).rfind("--set " + setting + ": " + says, 0), 0U)
        << key;
    EXPECT_EQ(complaint([&] { Experiment().set(key + "x", 1); }).rfind(says, 0), 0U) << key;
    const std::string section = section_of(key);
    const std::string unknown = "unknown section \"" + section + "x\" (did you mean \"" + section + "\"?); known: ";
    EXPECT_EQ(complaint([&] { (void)parse("[" + section + "x]\n"); }).rfind("e.toml:1:2: " + unknown, 0), 0U);
    EXPECT_EQ(complaint([&] { Experiment().set(section + "x.y", 1); }).rfind(unknown, 0), 0U);
  }
}

}  // namespace
}  // namespace braid::test::foreign_keys_test
