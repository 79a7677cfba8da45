// braid list: what each axis offers. An axis is a key whose value names a policy.
#include <fmt/format.h>

#include <algorithm>

#include "models/experiment/experiment.h"
#include "models/experiment/json_file.h"
#include "models/experiment/results_json.h"
#include "tb/braid/axes.h"
#include "tb/braid/commands.h"
#include "tb/braid/layout.h"
#include "tb/braid/stream_experiment.h"

namespace braid::tb {
namespace {

void print(const std::string& title, const Names& names) {
  fmt::print("{}\n", title);
  for (const auto& [name, summary] : names) {
    const std::string head = fmt::format("  {:24} ", name);
    fmt::print("{}\n", output_has_columns() ? wrapped(head, words_of(summary), 27) : head + summary);
  }
}

/// The networks of StreamIt programs, with the keys that each stands for.
Names networks() {
  Names all;
  for (const StreamNetwork& network : stream_networks()) {
    std::string keys;
    for (const auto& [key, value] : network.keys) keys += (keys.empty() ? "" : ", ") + key + " = " + to_text(value);
    all.emplace_back(network.name, network.summary + ": " + keys);
  }
  return all;
}

}  // namespace

std::vector<Axis> axes() {
  std::vector<Axis> all;
  for_each_declared(models::experiment_options(), [&](const Option& option, const std::string&) {
    const std::string key = option.key();
    const bool known = std::any_of(all.begin(), all.end(), [&](const Axis& axis) { return axis.key == key; });
    if (option.policies && !known) all.push_back({key, option.policies()});
  });
  return all;
}

const Names& list_words() {
  static const Names words = {{"networks", "those of StreamIt programs"},
                              {"keys", "every key of an experiment"},
                              {"configuration", "the reference of keys"},
                              {"figures", "the reference of figures"},
                              {"schema", "the JSON schema of results"}};
  return words;
}

int list_axis(const Options& options) {
  const std::string wanted = options.arguments.empty() ? "" : options.arguments.front();
  if (wanted == "configuration") {
    fmt::print("{}", models::configuration_reference());
    return kSuccess;
  }
  if (wanted == "figures") {
    fmt::print("{}", models::results_reference());
    return kSuccess;
  }
  if (wanted == "schema") {
    fmt::print("{}", models::pretty(models::results_schema()));
    return kSuccess;
  }
  const std::vector<Axis> all = axes();
  std::vector<std::string> known;
  for (const Axis& axis : all) known.push_back(axis.key);
  for (const auto& [name, text] : list_words()) known.push_back(name);
  if (!wanted.empty() && std::find(known.begin(), known.end(), wanted) == known.end()) {
    throw InputError(unknown_name("axis", wanted, known));
  }
  for (const Axis& axis : all) {
    if (wanted.empty() || wanted == axis.key) print(axis.key, axis.policies);
  }
  if (wanted == "networks") print(wanted, networks());
  if (wanted != "keys") return kSuccess;
  Names keys;
  for_each_declared(models::experiment_options(), [&](const Option& option, const std::string&) {
    keys.emplace_back(option.key(), option.text + " (" + option.expected() + ")");
  });
  print("keys", keys);
  return kSuccess;
}

}  // namespace braid::tb
