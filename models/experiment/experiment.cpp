#include "models/experiment/experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "models/engine/schedule.h"
#include "models/engine/watchdog.h"
#include "models/engine/waveform.h"
#include "models/experiment/checkpoint_file.h"
#include "models/experiment/energy.h"
#include "models/experiment/measurement.h"
#include "models/fabric/fabric.h"
#include "models/fabric/packet_log.h"
#include "models/fabric/subnets.h"
#include "models/fabric/trace_options.h"
#include "models/injection/in_transit.h"
#include "models/injection/injection_point.h"
#include "models/injection/reconfiguration.h"
#include "models/workload/statistics.h"
#include "models/workload/workload.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/base/random.h"
#include "routing/base/registrations.h"
#include "routing/paths/disjoint/disjoint_finder.h"
#include "routing/topology/topology.h"

namespace braid::models {
namespace {

struct NameOptions {
  std::string name = "experiment";
};

OptionList make_options() {
  OptionList all = OptionTable<NameOptions>("experiment")
                       .text("name", &NameOptions::name, "names the run in its results")
                       .after_warm_up()
                       .list();
  for (const OptionList* list : {&seed_options().list(), &routing::topology_options().list(), &fabric_options().list(),
                                 &routing::routing_options().list(), &injection_options().list(),
                                 &schedule_options().list(), &measurement_options().list(), &watchdog_options().list(),
                                 &waveform_options().list(), &checkpoint_options().list(), &results_options().list(),
                                 &watch_options().list(), &log_options().list(), &record_options().list()}) {
    all.insert(all.end(), list->begin(), list->end());
  }
  all.back().branches = [](const Option&) {  // workloads exist by their sections
    std::vector<OptionBranch> sections = failure_branches();
    for (OptionBranch& branch : energy_branches()) sections.push_back(std::move(branch));
    sections.push_back(in_transit_branch());
    sections.push_back(subnet_branch());
    sections.push_back(routing::disjoint_branch());
    for (const auto& [name, entry] : WorkloadRegistry::instance().entries()) {
      sections.push_back(
          {"a section [" + name + "]",
           [section = name](const OptionValue&, const Configuration& c) { return c.has_section(section); },
           entry.options});
    }
    return sections;
  };
  return all;
}

void unique_push(std::vector<std::string>& words, const std::string& word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

}  // namespace

const OptionList& experiment_options() {
  static const OptionList options = make_options();
  return options;
}

OptionValue Experiment::value(const std::string& key) const {
  std::optional<OptionValue> found;
  for_each_option(experiment_options(), *this, [&](const Option& option, const OptionValue& value) {
    if (option.is(key)) found = value;
  });
  return found ? *found : declared(key, {}).initial;
}

Experiment Experiment::of_class(std::size_t i) const {
  Experiment one = *this;
  static_cast<Configuration&>(one) = only("traffic", i);
  return one;
}

Option Experiment::declared(const std::string& key, const SourcePosition& where) {
  return declared_option(experiment_options(), key, where);
}

std::set<std::string> Experiment::existing() const { return existing_keys(experiment_options(), *this); }

Experiment& Experiment::replace(const std::string& key, const OptionValue& value, const SourcePosition& where) {
  (void)declared(key, where);
  const Experiment before = *this;
  Configuration::set(key, value, where);
  drop_gone(before);
  return *this;
}

void Experiment::drop_gone(const Experiment& before, const std::set<std::string>& kept) {
  const std::set<std::string> now = existing();
  std::vector<std::string> missing;
  for (const auto& [key, value] : given()) {
    if (now.count(key) == 0 && kept.count(key) == 0) missing.push_back(key);
  }
  if (missing.empty()) return;
  const std::set<std::string> once = before.existing();
  for (const std::string& key : missing) {
    if (once.count(key) != 0) unset(key);
  }
}

void check_keys(const Experiment& experiment) {
  check_given(experiment_options(), experiment);
  if (experiment.times("traffic") < 2) return;
  std::set<std::string> names;
  for (std::size_t i = 0; i < experiment.classes(); ++i) {
    const Experiment one = experiment.of_class(i);
    check_given(experiment_options(), one);
    const std::string name = one.get<std::string>("traffic.name");
    if (name.empty()) {
      throw InputError(one.section_position("traffic"),
                       fmt::format("class {} of {} has no name: expected traffic.name in each [[traffic]]", i + 1,
                                   experiment.classes()));
    }
    if (!names.insert(name).second) {
      throw InputError(
          one.find("traffic.name")->where,
          fmt::format("traffic.name = \"{}\" is taken by another [[traffic]]: expected another name", name));
    }
  }
}

void check_experiment(const Experiment& experiment, const SourcePosition& where, Senders senders) {
  Registrations::instance().check();
  check_keys(experiment);
  if (senders == Senders::kAnybody) return;
  std::vector<std::string> sections;
  for (const std::string& name : WorkloadRegistry::instance().names()) {
    if (experiment.has_section(name)) return;
    sections.push_back("[" + name + "]");
  }
  throw InputError(where, fmt::format("nothing to send: expected a section {}", fmt::join(sections, " or ")));
}

std::string configuration_reference() {
  std::string text =
      "# Configuration reference\n\n"
      "Every key of an experiment file (TOML). Made by `braid list configuration` from what the code declares; the "
      "tests "
      "keep it\ncurrent. A key exists only with what the fourth column names; given without it, it is refused. At "
      "least "
      "one of the sections\n`[traffic]` (synthetic packets) and `[stream]` (a stream program) must be there. File "
      "names "
      "are relative to the experiment file.\n";
  std::vector<std::string> sections;
  for_each_declared(experiment_options(),
                    [&](const Option& option, const std::string&) { unique_push(sections, option.section); });
  for (const std::string& section : sections) {
    text += fmt::format("\n## [{}]\n\n| key | expected | default | exists with | meaning |\n|---|---|---|---|---|\n",
                        section);
    struct Row {
      std::string key, meaning;  // what stands before and after the conditions
      std::vector<std::string> conditions;
    };
    std::vector<Row> rows;
    for_each_declared(experiment_options(), [&](const Option& option, const std::string& condition) {
      if (option.section != section) return;
      const Row row{fmt::format("| `{}` | {} | `{}` |", option.name, option.expected(), to_text(option.initial)),
                    option.text,
                    {}};
      auto same = std::find_if(rows.begin(), rows.end(),
                               [&](const Row& r) { return r.key == row.key && r.meaning == row.meaning; });
      if (same == rows.end()) same = rows.insert(rows.end(), row);
      if (!condition.empty()) unique_push(same->conditions, condition);
    });
    for (const Row& row : rows) text += fmt::format("{} {} | {} |\n", row.key, any_of(row.conditions), row.meaning);
  }
  return text;
}

}  // namespace braid::models
