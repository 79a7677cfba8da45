// Checkpoints: a network that is restored goes on as if it had never stopped, cycle by cycle, whatever is in it. Files and
// the program: tb/python/test_checkpoints.py.
#include "routing/base/checkpoint.h"

#include <gtest/gtest.h>

#include <toml++/toml.h>

#include "models/experiment/experiment_reader.h"
#include "routing/base/random.h"
#include "tb/tests/support/continued.h"

namespace braid::test::checkpoint_test {
namespace {

using models::Experiment;

struct Named {
  std::string name;
  std::string file;
  std::vector<std::string> settings;
};

std::string setting(const toml::key& key, const toml::node& value) {
  std::ostringstream text;
  text << key.str() << '=';
  if (const auto* word = value.as_string()) {
    text << word->get();
  } else {
    value.visit([&](const auto& v) { text << v; });
  }
  return text.str();
}

/// The golden experiments, which together take every value of every axis.
std::vector<Named> golden() {
  std::vector<Named> all;
  const toml::table table = toml::parse_file(source_file("tb/golden/experiments.toml"));
  for (const auto& [name, given] : table) {
    const toml::table& one = *given.as_table();
    if (name.str() == "common" || name.str().rfind("circuits_", 0) == 0) continue;
    Named named{std::string(name.str()),
                source_file("tb/experiments/" + one["experiment"].value<std::string>().value() + ".toml"),
                {}};
    for (const auto& [key, value] : *one["set"].as_table()) {
      if (key.str() != "simulation.threads" && key.str() != "simulation.schedule") {
        named.settings.push_back(setting(key, value));
      }
    }
    all.push_back(named);
  }
  return all;
}

class Golden : public testing::TestWithParam<Named> {};

TEST_P(Golden, ContinuesFromAnyCycle) {
  const Experiment experiment = models::read_experiment(GetParam().file, GetParam().settings);
  Random random(1, "checkpoint_test." + GetParam().name);
  expect_continues(experiment, random.below(3000), 1500);
}
INSTANTIATE_TEST_SUITE_P(Checkpoint, Golden, testing::ValuesIn(golden()), [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace braid::test::checkpoint_test
