// Every key of an experiment, wherever it exists: each good value, the ends of its range among them, is echoed and
// touches no other key; one step out of range, and any other type, is refused with file, line and column. (Which field
// a key is: key_fields_test.cpp. Where a key does not exist: foreign_keys_test.cpp.)
#include <gtest/gtest.h>

#include <algorithm>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/results_json.h"
#include "tb/tests/support/declared_keys.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::keys_test {
namespace {

using models::Experiment;

Experiment parse(const Sheet& sheet) { return models::parse_experiment(sheet.toml(), "e.toml"); }

/// The echo by "section.key".
std::map<std::string, boost::json::value> echo_of(const Experiment& experiment) {
  std::map<std::string, boost::json::value> all;
  for (const auto& [section, keys] : models::configuration_json(experiment)) {
    for (const auto& [name, value] : keys.as_object()) all[std::string(section) + "." + std::string(name)] = value;
  }
  return all;
}

/// What Experiment::get() returns for the type that the key is declared with.
boost::json::value got(const Experiment& experiment, const Option& option) {
  return std::visit(
      [&](const auto& initial) {
        return boost::json::value_from(experiment.get<std::decay_t<decltype(initial)>>(option.key()));
      },
      option.initial);
}

/// Does some key depend on its value?
bool is_axis(const std::string& key) {
  if (key == "tlm.circuits") return true;  // brings the keys of circuits, beside interface.switching
  const auto is_about_it = [&](const Declared& d) { return Condition(d.condition).key == key; };
  return std::any_of(declared().begin(), declared().end(), is_about_it);
}

bool same(const boost::json::value& echo, const boost::json::value& set) {
  if (echo.is_double() || set.is_double()) return echo.to_number<double>() == set.to_number<double>();
  return echo == set;
}

/// The other keys keep their values; only with an axis do keys come and go (foreign_keys_test.cpp: which).
TEST(Keys, EachIsEchoedAndTouchesNoOther) {
  for (const Declared& d : declared()) {
    const std::string key = d.option.key();
    Sheet sheet = sheet_for(d.condition);
    sheet.sections.insert(key.substr(0, key.find('.')));  // is there with the key, and brings others of its own
    const auto before = echo_of(parse(sheet));
    const Values values = values_of(d.option);
    ASSERT_FALSE(values.good.empty()) << key << ": " << d.option.expected();
    int other_than_default = 0;
    for (const std::string& value : values.good) {
      SCOPED_TRACE(key + " = " + value + " with " + d.condition);
      sheet.values[key] = value;
      const Experiment experiment = parse(sheet);
      auto after = echo_of(experiment);
      ASSERT_EQ(after.count(key), 1U);
      EXPECT_TRUE(same(after[key], boost::json::parse(value))) << after[key];
      EXPECT_EQ(got(experiment, d.option), after[key]);
      other_than_default += after[key] == before.at(key) ? 0 : 1;
      for (const auto& [other, kept] : before) {
        if (other == key || after.count(other) == 0) continue;
        EXPECT_EQ(after[other], kept) << other;
      }
      EXPECT_TRUE(is_axis(key) || after.size() == before.size());
    }
    EXPECT_GT(other_than_default, 0) << key;
  }
}

/// The message starts with the place of the value: line 2, behind `NAME = `. A number too long for TOML is refused by
/// its reader, somewhere in the value.
TEST(Keys, EachRefusesWhatIsOutOfRangeOrOfAnotherType) {
  for (const Declared& d : declared()) {
    const std::string key = d.option.key(), expected = d.option.expected();
    Sheet sheet = sheet_for(d.condition);
    ASSERT_FALSE(values_of(d.option).bad.empty()) << key << ": " << expected;
    for (const std::string& value : values_of(d.option).bad) {
      SCOPED_TRACE(key + " = " + value + " with " + d.condition);
      sheet.values[key] = value;
      const std::string what = complaint([&] { (void)models::parse_experiment(sheet.toml(key), "e.toml"); });
      if (value == "9223372036854775808") {
        EXPECT_EQ(what.rfind("e.toml:2:", 0), 0U) << what;
        continue;
      }
      EXPECT_EQ(what.rfind("e.toml:2:" + std::to_string(d.option.name.size() + 4) + ": ", 0), 0U) << what;
      const bool unknown = expected.rfind("one of: ", 0) == 0 && value[0] == '"';
      EXPECT_NE(what.find(unknown ? ": unknown " : ": " + key + " = "), std::string::npos) << what;
      EXPECT_NE(what.find(unknown ? "; known: " + expected.substr(8) : ": expected " + expected), std::string::npos)
          << what;
      EXPECT_EQ(what.find('\n'), std::string::npos);
    }
  }
}

/// The same range, whoever sets the value: --set names itself, and a value set by hand has no place.
TEST(Keys, EachRefusesTheSameOfASettingAndOfAUser) {
  for (const Declared& d : declared()) {
    const std::string key = d.option.key(), bad = values_of(d.option).bad.front();
    const Sheet sheet = sheet_for(d.condition);
    const std::string setting = key + "=" + bad;
    EXPECT_EQ(complaint([&] {
                (void)models::parse_experiment(sheet.toml(), "e.toml", {setting});
              }).rfind("--set " + setting + ": ", 0),
              0U)
        << setting;
    Experiment experiment = parse(sheet);
    if (bad.front() == '"') experiment.set(key, bad.substr(1, bad.size() - 2));
    if (bad.front() != '"') experiment.set(key, std::stod(bad));
    const std::string what = complaint([&] { models::check_experiment(experiment); });
    EXPECT_TRUE(what.rfind(key + " = ", 0) == 0 || what.rfind("unknown ", 0) == 0) << key << ": " << what;
  }
}

/// A list of numbers is read exactly, text with and without quotes; the last setting counts.
TEST(Keys, SettingsReachTheirFieldsAndComeLast) {
  const auto with = [](const std::vector<std::string>& settings) {
    return models::parse_experiment("[traffic]\nflits = 3\npattern = \"hot_spot\"\nhot_nodes = [1]\n", "dir/e.toml",
                                    settings);
  };
  const auto flits = [&](const std::vector<std::string>& settings) {
    return with(settings).get<std::int64_t>("traffic.flits");
  };
  EXPECT_EQ(flits({}), 3);
  EXPECT_EQ(flits({"traffic.flits=9"}), 9);
  EXPECT_EQ(flits({"traffic.flits=9", "traffic.flits=8"}), 8);
  EXPECT_EQ(with({"traffic.pattern=shuffle"}).get<std::string>("traffic.pattern"), "shuffle");
  EXPECT_EQ(with({"traffic.pattern=\"shuffle\""}).get<std::string>("traffic.pattern"), "shuffle");
  EXPECT_EQ(with({"traffic.hot_nodes=[2, 5]"}).get<std::vector<std::uint32_t>>("traffic.hot_nodes"),
            (std::vector<std::uint32_t>{2, 5}));
  EXPECT_EQ(with({"experiment.name=a=b"}).get<std::string>("experiment.name"), "a=b");
  EXPECT_EQ(complaint([&] { with({"traffic.flits=0"}); }),
            "--set traffic.flits=0: traffic.flits = 0: expected integer, 1 to 65535");
  for (const char* none : {"traffic.flits", "flits=3", "traffic=a.b"}) {
    EXPECT_EQ(complaint([&] { with({none}); }), "--set " + std::string(none) + ": expected section.key=value");
  }
}

/// A section that is not there is not in the echo; a setting makes it.
TEST(Keys, TheEchoHasOnlyTheSectionsThatAreThere) {
  const auto sections = [](const char* text, const std::vector<std::string>& settings = {}) {
    const auto echo = models::configuration_json(models::parse_experiment(text, "e.toml", settings));
    return std::pair(echo.contains("traffic"), echo.contains("stream"));
  };
  EXPECT_EQ(sections("[traffic]"), std::pair(true, false));
  EXPECT_EQ(sections("[stream]"), std::pair(false, true));
  EXPECT_EQ(sections("[traffic]\n[stream]"), std::pair(true, true));
  EXPECT_EQ(sections("[traffic]", {"stream.graph=g.toml"}), std::pair(true, true));
}

}  // namespace
}  // namespace braid::test::keys_test
