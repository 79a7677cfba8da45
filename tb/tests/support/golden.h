// The golden experiments (tb/golden/experiments.toml) that run in the model and have checkpoints.
#pragma once

#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "tb/tests/support/bench.h"

namespace braid::test {

struct Named {
  friend std::ostream& operator<<(std::ostream& out, const Named& named) { return out << named.name; }
  std::string name;
  std::string file;
  std::vector<std::string> settings;
};

inline std::string setting(const toml::key& key, const toml::node& value) {
  std::ostringstream text;
  text << key.str() << '=';
  if (const auto* word = value.as_string()) {
    text << word->get();
  } else {
    value.visit([&](const auto& v) { text << v; });
  }
  return text.str();
}

/// Does an experiment put Verilated routers or stages in the model's place?
inline bool takes_rtl(const toml::table& settings) {
  return std::any_of(settings.begin(), settings.end(), [](const auto& setting) {
    return setting.first.str() == "router.implementation" || setting.first.str().rfind("stage.", 0) == 0;
  });
}

/// `text` is what file `name` of tb/golden has; with BRAID_UPDATE_GOLDEN in the environment it is written there.
inline void expect_golden(const std::string& text, const std::string& name) {
  const std::string file = source_file("tb/golden/" + name);
  if (std::getenv("BRAID_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(file) << text;
    return;
  }
  std::stringstream golden;
  golden << std::ifstream(file).rdbuf();
  EXPECT_EQ(text, golden.str()) << file;
}

/// The golden experiments, which together take every value of every axis.
inline std::vector<Named> golden_experiments() {
  std::vector<Named> all;
  const toml::table table = toml::parse_file(source_file("tb/golden/experiments.toml"));
  for (const auto& [name, given] : table) {
    const toml::table& one = *given.as_table();
    if (one["experiment"].value_or(std::string()) == "replay") continue;  // refused: test_traces.py
    const bool runs = one.contains("experiment") && name.str().rfind("circuits_", 0) != 0;
    if (!runs || takes_rtl(*one["set"].as_table())) continue;  // the RTL's registers are its own
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

}  // namespace braid::test
