#include "tb/braid/replications.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "models/engine/schedule.h"
#include "models/experiment/json_file.h"
#include "models/experiment/measurement.h"
#include "models/experiment/warnings.h"
#include "models/workload/batch_means.h"
#include "routing/base/input_error.h"
#include "routing/base/random.h"
#include "tb/braid/layout.h"
#include "tb/braid/process.h"
#include "tb/braid/stream_experiment.h"

namespace braid::tb {
namespace {

namespace json = boost::json;

/// A folder of this process alone, gone with it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "braid-seeds-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + ": cannot be made");
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(std::uint64_t seed) const { return (path_ / (std::to_string(seed) + ".json")).string(); }

 private:
  std::filesystem::path path_;
};

/// What is written once would be written over by every seed.
void check_replications(const Options& options) {
  for (const auto& [option, file] : options.outputs) {
    if (option != "--json")
      throw InputError("--seeds: each seed would write " + option + " " + file + "; expected without");
  }
  for (const std::string& setting : options.settings) {
    for (const char* key : {"experiment.seed=", "log.file=", "trace.file=", "watch.what=", "checkpoint."}) {
      if (setting.compare(0, std::string(key).size(), key) != 0) continue;
      throw InputError("--seeds: each seed would have " + setting + "; expected without");
    }
  }
  if (options.experiment == "-")
    throw InputError("--seeds: standard input is read once; expected an experiment's file");
}

pid_t start(const Options& options, std::uint64_t seed, const std::string& json_file) {
  std::vector<std::string> words{"braid", "run", options.experiment, "--quiet", "--json", json_file};
  for (const std::string& plugin : options.plugins) words.insert(words.end(), {"--plugin", plugin});
  for (const std::string& setting : options.settings) words.insert(words.end(), {"--set", setting});
  words.insert(words.end(), {"--set", fmt::format("experiment.seed={}", seed)});
  if (!options.mesh.empty()) words.insert(words.end(), {"--mesh", options.mesh});
  if (!options.network.empty()) words.insert(words.end(), {"--network", options.network});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(stdout);
  const pid_t starter = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("--seeds: no process can be started");
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // it ends with its starter, however that ends
  if (getppid() != starter) _exit(kFailure);
  if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(kFailure);  // warnings are in the JSON
  execv("/proc/self/exe", arguments.data());
  _exit(kFailure);
}

/// The runs under way. All end with this: an interrupt of this process may have reached none of them. They are killed,
/// as one that has only just been forked would take any other signal by this process's handler and go on. What they
/// leave lies in the folder that goes with them.
class Running {
 public:
  Running() = default;
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    for (const auto& [child, index] : of_) kill(child, SIGKILL);
    for (const auto& [child, index] : of_) waitpid(child, nullptr, 0);
  }
  std::size_t count() const { return of_.size(); }
  void add(pid_t child, std::size_t index) { of_[child] = index; }
  struct Ended {
    std::size_t index;
    int status;
  };
  /// Throws Interrupted: a wait that a signal ended goes on by itself, so that it is asked for every 20 ms.
  Ended wait() {
    while (true) {
      int status = 0;
      const pid_t child = waitpid(-1, &status, WNOHANG);
      if (InterruptFlag::raised()) throw models::Interrupted();
      if (child < 0) throw std::runtime_error("--seeds: the runs' ends are not told");
      const auto found = of_.find(child);
      if (found == of_.end()) {  // none has ended
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        continue;
      }
      const Ended ended{found->second, WIFEXITED(status) ? WEXITSTATUS(status) : static_cast<int>(kFailure)};
      of_.erase(found);
      return ended;
    }
  }

 private:
  std::map<pid_t, std::size_t> of_;
};

/// As many at once as there are cores; the seeds' exit statuses. Throws Interrupted.
std::vector<int> run_all(const Options& options, const std::vector<std::uint64_t>& seeds, const ScratchFolder& folder) {
  const InterruptFlag flag(InterruptFlag::kAll);
  std::vector<int> statuses(seeds.size(), kFailure);
  Running running;
  std::size_t next = 0;
  while (next < seeds.size() || running.count() > 0) {
    if (next < seeds.size() && running.count() < models::usable_cores()) {
      running.add(start(options, seeds[next], folder.file(seeds[next])), next);
      ++next;
      continue;
    }
    const Running::Ended ended = running.wait();
    statuses[ended.index] = ended.status;
  }
  return statuses;
}

using Figures = std::map<std::string, std::vector<double>>;  // by path, a value a seed that has it

/// Without a mean over seeds: what is by link, what every seed has alike, and intervals within a run.
constexpr std::array<std::string_view, 6> kNotOverSeeds = {
    "configuration", "links", "node_links", "seed", "schema", "packet_latency_percentile_intervals_cycles"};

/// Numbers under their paths; of an estimate its mean. Lists by node or link are left out, classes go by their names.
void collect(const json::value& value, const std::string& path, Figures& figures) {
  if (value.is_double() || value.is_int64() || value.is_uint64()) {
    figures[path].push_back(value.to_number<double>());
  } else if (const json::object* object = value.if_object()) {
    if (object->contains("half_width_95")) {
      collect(object->at("mean"), path, figures);
      return;
    }
    for (const auto& [key, inner] : *object) {
      const auto& out = kNotOverSeeds;
      if (std::find(out.begin(), out.end(), std::string_view(key)) != out.end()) continue;
      collect(inner, path.empty() ? std::string(key) : path + "." + std::string(key), figures);
    }
  } else if (const json::array* list = value.if_array()) {
    for (const json::value& one : *list) {
      const json::object* named = one.if_object();
      if (named == nullptr || !named->contains("name")) return;
      collect(one, path + "[" + json::value_to<std::string>(named->at("name")) + "]", figures);
    }
  }
}

/// Seeds are independent of one another: no test for correlation.
Estimate over_seeds(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  Estimate e{0.0, kNoSample};
  for (const double v : values) e.mean += v / n;
  if (values.size() < 2) return e;
  double squares = 0.0;
  for (const double v : values) squares += (v - e.mean) * (v - e.mean);
  e.half_width_95 = models::student_t(0.025, n - 1.0) * std::sqrt(squares / (n - 1.0) / n);
  return e;
}

json::object document_of(const std::vector<std::uint64_t>& seeds, const std::vector<json::value>& runs,
                         const Figures& figures) {
  json::object over, configuration = runs.front().as_object().at("configuration").as_object();
  for (const auto& [path, values] : figures) {
    const Estimate e = over_seeds(values);
    over[path] =
        json::object{{"mean", e.mean}, {"half_width_95", e.half_width_95}, {"values", json::value_from(values)}};
  }
  json::array saturated, warnings;
  for (const json::value& run : runs) {
    saturated.push_back(run.at("saturated"));
    warnings.push_back(run.at("warnings"));
  }
  return {{"program", "braid"},
          {"version", BRAID_VERSION},
          {"configuration", std::move(configuration)},
          {"seeds", json::value_from(seeds)},
          {"saturated", std::move(saturated)},
          {"warnings", std::move(warnings)},
          {"figures", std::move(over)}};
}

/// What people look at first: load, latency and its percentiles, of each class.
void print_table(const std::string& name, const std::vector<json::value>& runs, const Figures& figures) {
  const auto saturated =
      std::count_if(runs.begin(), runs.end(), [](const json::value& run) { return run.at("saturated").as_bool(); });
  fmt::print("{}: {} seeds{}\n", name, runs.size(), saturated == 0 ? "" : fmt::format(", {} saturated", saturated));
  std::map<std::string, std::size_t> warned;
  for (const json::value& run : runs) {
    for (const json::value& warning : run.at("warnings").as_array()) {
      ++warned[json::value_to<std::string>(warning.at("code")) + " (" +
               json::value_to<std::string>(warning.at("place")) + ")"];
    }
  }
  for (const auto& [what, times] : warned) fmt::print("{} under {} seeds\n", what, times);
  for (const auto& [path, values] : figures) {
    const bool first = path.compare(0, 8, "classes[") == 0 || path.compare(0, 10, "exchanges[") == 0;
    const bool shown = path.find("accepted_flits") != std::string::npos ||
                       path.find("offered_flits") != std::string::npos || path.find("latency") != std::string::npos ||
                       path.find("round_trip") != std::string::npos;
    if (!first || !shown) continue;
    const Estimate e = over_seeds(values);
    fmt::print("{}\n", wrapped(fmt::format("  {:<62} ", path),
                               {fmt::format("{:.6g} ±", e.mean), fmt::format("{:.3g}", e.half_width_95)}, 65));
  }
}

bool has_grave_warning(const json::value& run) {
  const json::array& all = run.at("warnings").as_array();
  return std::any_of(all.begin(), all.end(), [](const json::value& warning) {
    return models::is_grave({json::value_to<std::string>(warning.at("code")), "", ""});
  });
}

}  // namespace

int run_replications(const Options& options) {
  check_replications(options);
  const models::Experiment experiment = experiment_of(options);
  const std::uint64_t first = read_seed(experiment);
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t i = 0; i < options.seeds; ++i) seeds.push_back(first + i);
  const ScratchFolder folder;
  const std::vector<int> statuses = run_all(options, seeds, folder);
  int worst = kSuccess;
  Figures figures;
  std::vector<json::value> runs;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (statuses[i] != kSuccess) {
      const std::string said = fmt::format(
          "--seeds: the run under seed {} ended with status {}; braid run --set experiment.seed={} says why", seeds[i],
          statuses[i], seeds[i]);
      if (statuses[i] == kBadInput) throw InputError(said);
      throw std::runtime_error(said);
    }
    std::ifstream in(folder.file(seeds[i]));
    std::stringstream text;
    text << in.rdbuf();
    runs.push_back(json::parse(text.str()));
    collect(runs.back(), "", figures);
    if (options.strict && has_grave_warning(runs.back())) worst = kDoubtful;
  }
  figures.erase("wall_seconds");
  if (options.prints()) print_table(experiment.get<std::string>("experiment.name"), runs, figures);
  if (!options.json.empty()) models::write_file(options.json, models::pretty(document_of(seeds, runs, figures)));
  return worst;
}

}  // namespace braid::tb
