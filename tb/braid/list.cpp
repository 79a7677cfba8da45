// braid list: what each axis offers. An axis is a key whose value names a policy.
#include <fmt/format.h>

#include <algorithm>

#include "models/experiment/experiment.h"
#include "models/experiment/json_file.h"
#include "models/experiment/results_json.h"
#include "tb/braid/commands.h"

namespace braid::tb {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;  // name, summary

void print(const std::string& title, const Lines& lines) {
  fmt::print("{}\n", title);
  for (const auto& [name, summary] : lines) fmt::print("  {:24} {}\n", name, summary);
}

}  // namespace

int list_axis(const std::string& axis) {
  if (axis == "configuration") {
    fmt::print("{}", models::configuration_reference());
    return kSuccess;
  }
  if (axis == "figures") {
    fmt::print("{}", models::results_reference());
    return kSuccess;
  }
  if (axis == "schema") {
    fmt::print("{}", models::pretty(models::results_schema()));
    return kSuccess;
  }
  std::vector<std::string> known;
  std::vector<std::pair<std::string, Lines>> axes;
  Lines keys;
  for_each_declared(models::experiment_options(), [&](const Option& option, const std::string&) {
    keys.emplace_back(option.key(), option.text + " (" + option.expected() + ")");
    if (!option.policies || std::find(known.begin(), known.end(), option.key()) != known.end()) return;
    known.push_back(option.key());
    axes.emplace_back(option.key(), option.policies());
  });
  known.insert(known.end(), {"keys", "configuration", "figures", "schema"});
  if (!axis.empty() && std::find(known.begin(), known.end(), axis) == known.end()) {
    throw InputError(unknown_name("axis", axis, known));
  }
  for (const auto& [key, policies] : axes) {
    if (axis.empty() || axis == key) print(key, policies);
  }
  if (axis == "keys") print("keys", keys);
  return kSuccess;
}

}  // namespace braid::tb
