// Neighbours of the golden experiments: each of them with two or three of its options a step further (the next number,
// another policy), as nobody would choose them by hand. What each comes to after two short measurements stands in
// tb/golden/neighbours, a line each: checksums of the network's wiring, of its routes, of all figures, of all registers
// and, of some, of the results as JSON, or why it is refused. BRAID_UPDATE_GOLDEN=1 in the environment writes them
// anew, with the settings that stand there; where an experiment has no file yet, settings are drawn. `braid run FILE
// --set ...` with two builds shows what differs.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/json_file.h"
#include "models/experiment/results_json.h"
#include "models/experiment/simulation.h"
#include "routing/base/random.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/golden.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/summary.h"
#include "tb/tests/support/told_routes.h"

namespace braid::test::golden_neighbours_test {
namespace {

constexpr std::size_t kNeighbours = 24;       // of each golden experiment
constexpr std::size_t kOfStreams = 6;         // ... that lays out a stream program first
constexpr std::size_t kRefused = 4;           // of them, at most
constexpr std::size_t kMostDrawn = 100;       // where most are refused
constexpr std::uint64_t kMeasurement = 500;   // cycles of each of two
constexpr std::uint64_t kBatch = 150;         // cycles: the last one of a measurement is not full
constexpr std::size_t kWithResults = 4;       // every so many runs once more, for its results as JSON
constexpr const char* kSeparator = "  ->  ";  // between the settings of a line and what became of them

/// Not what says how long, how fast, or what is written.
bool is_drawn(const Option& option) {
  static const std::set<std::string> sections{"simulation", "trace", "log", "watch", "checkpoint", "stage", "tlm"};
  return sections.count(option.section) == 0 && !option.is_file && option.key() != "router.implementation" &&
         option.key() != "experiment.name";
}

/// A step from a value, as --set has it; empty if there is none.
std::string step_from(const Option& option, const OptionValue& value, Random& random) {
  if (option.policies) {
    const auto policies = option.policies();
    return policies[random.below(policies.size())].first;
  }
  if (const bool* on = std::get_if<bool>(&value)) return *on ? "false" : "true";
  if (const std::int64_t* number = std::get_if<std::int64_t>(&value)) {
    const std::int64_t nearer[] = {*number + 1, *number - 1, *number + 2, *number + *number / 2};
    return std::to_string(nearer[random.below(option.section == "topology" ? 2 : 4)]);
  }
  if (const double* number = std::get_if<double>(&value)) {
    std::ostringstream text;
    text << *number * (random.below(2) == 0 ? 0.5 : 1.5);
    return text.str();
  }
  return "";
}

std::vector<std::string> drawn_settings(const models::Experiment& experiment, Random& random) {
  std::vector<std::pair<Option, OptionValue>> options;
  for_each_option(models::experiment_options(), experiment, [&](const Option& option, const OptionValue& value) {
    if (is_drawn(option)) options.emplace_back(option, value);
  });
  std::vector<std::string> settings;
  std::set<std::string> seen;
  for (const std::size_t wanted = 2 + random.below(2); settings.size() < wanted;) {
    const auto& [option, value] = options[random.below(options.size())];
    const std::string text = step_from(option, value, random);
    if (!text.empty() && seen.insert(option.key()).second) settings.push_back(option.key() + "=" + text);
  }
  return settings;
}

/// What depends on the machine and the build, wherever it stands (braid_tools.gates.golden).
void leave_out(boost::json::value& value) {
  if (boost::json::array* const array = value.if_array()) {
    for (boost::json::value& one : *array) leave_out(one);
  }
  boost::json::object* const object = value.if_object();
  if (object == nullptr) return;
  for (const char* key : {"wall_seconds", "cpu_seconds", "engines", "version", "configuration"}) object->erase(key);
  for (auto& member : *object) leave_out(member.value());
}

/// The whole results as JSON of a short run under the SystemC kernel, in a process of its own: it elaborates once.
std::string results_of(const Named& golden, std::vector<std::string> settings) {
  for (const char* shorter : {"min_warmup_cycles=200", "max_warmup_cycles=400", "measure_cycles=600",
                              "batch_cycles=100", "max_drain_cycles=300"}) {
    settings.push_back(std::string("simulation.") + shorter);
  }
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    std::string text;
    try {
      models::Simulation simulation(models::read_experiment(golden.file, settings));
      boost::json::value all = models::results_json(simulation.experiment(), simulation.run(), simulation.topology());
      leave_out(all);
      text = checksum(models::pretty(all));
    } catch (const std::exception& error) {
      text = checksum(without(error.what(), source_file("")));
    }
    _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  char text[9] = {};
  EXPECT_EQ(read(ends[0], text, 8), 8) << "it crashed";
  close(ends[0]);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  return text;
}

/// Of two measurements on the bench, cut for one, two or three threads by the number of the line.
std::string on_the_bench(const models::Experiment& experiment, std::size_t number) {
  Bench bench(experiment, 1 + number % 3);
  std::ostringstream out;
  out << "wiring " << checksum(told(bench.topology)) << ", routes "
      << checksum(told_routes(bench.topology, *bench.routing));
  bench.run(50);
  std::string figures;
  for (int measurement = 0; measurement < 2; ++measurement) {
    bench.network->begin_window(kBatch);
    bench.run(kMeasurement);
    bench.network->window().open = false;
    figures += told(*bench.network);
    bench.run(measurement == 0 ? 30 : 0);
  }
  out << ", " << bench.delivered() << " packets, figures " << checksum(figures) << ", registers ";
  try {
    out << checksum(saved(*bench.network));
  } catch (const InputError& error) {
    out << "not kept";
  }
  return out.str();
}

std::string outcome(const Named& golden, const std::vector<std::string>& settings, std::size_t number) {
  std::vector<std::string> all = golden.settings;
  all.insert(all.end(), settings.begin(), settings.end());
  try {
    const std::string text = on_the_bench(models::read_experiment(golden.file, all), number);
    return text + (number % kWithResults == 0 ? ", results " + results_of(golden, all) : "");
  } catch (const InputError& error) {
    return without(error.what(), source_file(""));
  }
}

std::string line_of(const Named& golden, const std::vector<std::string>& settings, std::size_t number) {
  std::string line;
  for (const std::string& setting : settings) line += (line.empty() ? "" : " ") + setting;
  return line + kSeparator + outcome(golden, settings, number) + "\n";
}

/// The settings of the lines that are there.
std::vector<std::vector<std::string>> kept_settings(std::istream& in) {
  std::vector<std::vector<std::string>> all;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find(kSeparator)));
    all.emplace_back();
    for (std::string word; words >> word;) all.back().push_back(word);
  }
  return all;
}

std::string drawn_lines(const Named& golden) {
  const models::Experiment experiment = models::read_experiment(golden.file, golden.settings);
  Random random(1, "golden_neighbours." + golden.name);
  std::string text;
  std::set<std::string> seen;
  const std::size_t wanted = experiment.has_section("stream") ? kOfStreams : kNeighbours;
  for (std::size_t lines = 0, refused = 0, drawn = 0; lines < wanted && drawn < kMostDrawn; ++drawn) {
    const std::string line = line_of(golden, drawn_settings(experiment, random), lines);
    const bool ran = line.find(" packets, figures ") != std::string::npos;
    if ((!ran && ++refused > kRefused) || !seen.insert(line).second) continue;
    text += line;
    ++lines;
  }
  return text;
}

class Neighbours : public testing::TestWithParam<Named> {};

TEST_P(Neighbours, AreAsTheyWere) {
  if (kBrief) GTEST_SKIP() << kLong;
  const std::string name = "neighbours/" + GetParam().name + ".txt";
  std::ifstream in(source_file("tb/golden/" + name));
  std::string text;
  if (in) {
    for (const auto& settings : kept_settings(in)) {
      text += line_of(GetParam(), settings, static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
    }
  } else {
    text = drawn_lines(GetParam());
  }
  expect_golden(text, name);
}
INSTANTIATE_TEST_SUITE_P(Golden, Neighbours, testing::ValuesIn(golden_experiments()),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace braid::test::golden_neighbours_test
