#include "tb/braid/new_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/experiment_schema.h"
#include "models/experiment/json_file.h"
#include "routing/base/input_error.h"
#include "tb/braid/commands.h"
#include "tb/braid/layout.h"
#include "tb/braid/named.h"

namespace braid::tb {
namespace {

constexpr std::size_t kColumns = 100;
constexpr const char* kSchemaFile = "experiment.schema.json";

/// Small enough to be read; filters with state, so that the partition leaves them whole.
constexpr const char* kProgram = R"(// Two averages of one signal, side by side, added up: a program to begin with.
void->void pipeline Streams {
    add Source();
    add splitjoin {
        split duplicate;
        add Average(0.25);
        add Average(0.75);
        join roundrobin(1);
    }
    add Adder();
    add Sink();
}

void->float stateful filter Source {
    float x = 0;
    work push 1 { push(x); x += 1; }
}

float->float stateful filter Average(float weight) {
    float y = 0;
    work push 1 pop 1 { y = weight * pop() + (1 - weight) * y; push(y); }
}

float->float filter Adder {
    work push 1 pop 2 { push(pop() + pop()); }
}

float->void filter Sink {
    work pop 1 { println(pop()); }
}
)";

std::vector<std::string> synthetic(std::vector<std::string> settings) {
  settings.insert(settings.end(), {"traffic.length=fixed", "traffic.flits=4", "simulation.measure_cycles=20000"});
  return settings;
}

/// The lines of one key.
std::string lines_of(const Option& option, const OptionValue& value, bool given) {
  const std::string mark = "# ";
  const std::vector<std::string> words = words_of(option.text + " (" + option.expected() + ")");
  std::istringstream text(wrapped("", words, 0, kColumns - mark.size()));
  std::string lines;
  for (std::string line; std::getline(text, line);) lines += mark + line + "\n";
  return lines + (given ? "" : "#") + option.name + " = " + to_text(value) + "\n";
}

/// Refuses what is there: nobody asked for a file to be lost.
void refuse_to_overwrite(const std::string& file) {
  if (file != "-" && std::filesystem::exists(file)) {
    throw InputError(file + " is there already: expected the name of a new file, braid new KIND FILE.toml");
  }
}

/// Writes the schema that the first line names, unless there is one.
std::string write_schema_beside(const std::filesystem::path& folder) {
  std::string file = (folder / kSchemaFile).string();
  if (std::filesystem::exists(file)) return "";
  models::write_file(file, models::pretty(models::experiment_schema()));
  return file;
}

}  // namespace

const std::vector<NewExperiment>& new_experiments() {
  static const std::vector<NewExperiment> all = {
      {"mesh", "An 8x8 mesh of virtual-channel routers, uniform random traffic, X first.",
       synthetic({"topology.kind=mesh", "topology.width=8", "topology.height=8", "router.vcs=4",
                  "router.buffer_depth=8", "routing.algorithm=x_first", "traffic.pattern=uniform",
                  "traffic.rate_flits_per_node_cycle=0.1"})},
      {"torus", "An 8x8 torus, tornado traffic in bursts; rings need two classes of virtual channels.",
       synthetic({"topology.kind=torus", "topology.width=8", "topology.height=8", "router.vcs=4",
                  "traffic.pattern=tornado", "traffic.process=on_off", "traffic.on_cycles=50", "traffic.off_cycles=150",
                  "traffic.rate_flits_per_node_cycle=0.1"})},
      {"tree",
       "A 4-ary 3-tree of virtual cut-through routers, kept fair by a SAT line.",
       {"topology.kind=k_ary_n_tree", "topology.arity=4", "topology.levels=3",
        "router.architecture=virtual_cut_through", "router.vcs=1", "router.queue_packets=4",
        "routing.algorithm=tree_adaptive", "interface.source_queue_packets=8", "interface.fairness=sat", "sat.l=12",
        "sat.k=12", "traffic.pattern=hot_region", "traffic.hot_fraction=0.25", "traffic.rate_flits_per_node_cycle=0.5",
        "traffic.flits=16", "simulation.measure_cycles=20000", "simulation.max_drain_cycles=0"}},
      {"messages",
       "Messages of several packets on a mesh; short ones are let past long ones.",
       {"topology.kind=mesh", "topology.width=8", "topology.height=8", "routing.algorithm=minimal_adaptive",
        "interface.scheduler=alpha", "message.packet_flits=8", "message.alpha=4", "message.priority_fraction=0.05",
        "traffic.pattern=uniform_without_self", "traffic.rate_flits_per_node_cycle=0.25", "traffic.length=bursty",
        "traffic.min_flits=1", "traffic.max_flits=5", "traffic.long_flits=25", "traffic.long_fraction=0.1",
        "simulation.measure_cycles=10000"}},
      {"cluster",
       "Sixteen switches cabled at random, source-routed wormhole, in-transit buffers in the hosts.",
       {"topology.kind=irregular", "topology.switches=16", "topology.switch_ports=8", "topology.hosts=4",
        "topology.link_latency_cycles=8", "router.architecture=myrinet", "router.vcs=1",
        "routing.algorithm=source_routed", "routing.paths=balanced", "routing.in_transit=minimum",
        "traffic.pattern=uniform", "traffic.process=constant", "traffic.rate_flits_per_node_cycle=0.05",
        "traffic.flits=32", "simulation.measure_cycles=20000", "simulation.max_drain_cycles=10000"}},
      {"streams",
       "A stream program on a 4x4 mesh, its streams on circuits; the program is written beside it.",
       {"topology.kind=mesh", "topology.width=4", "topology.height=4", "topology.local_ports=4", "router.vcs=4",
        "routing.algorithm=x_first", "stream.graph=streams.str", "stream.computation_scaling=0.01",
        "interface.transfer=push", "interface.switching=circuit", "simulation.measure_cycles=10000"},
       {{"streams.str", kProgram}}},
      {"broadcast",
       "Acknowledged broadcasts by software over diamond rings, on an 8x8 mesh.",
       {"topology.kind=mesh", "topology.width=8", "topology.height=8", "routing.algorithm=x_first",
        "broadcast.scheme=diamond_ring", "broadcast.arity=2", "broadcast.gap_cycles=1000",
        "simulation.measure_cycles=50000"}},
  };
  return all;
}

std::string commented_experiment(const models::Experiment& experiment, const std::vector<std::string>& head) {
  std::set<std::string> sections, seen;
  for (const auto& [key, given] : experiment.given()) sections.insert(key.substr(0, key.find('.')));
  std::vector<std::pair<std::string, std::string>> texts;  // section, lines
  for_each_option(models::experiment_options(), experiment, [&](const Option& option, const OptionValue& value) {
    if (sections.count(option.section) == 0 || !seen.insert(option.key()).second) return;
    const auto same = [&](const auto& text) { return text.first == option.section; };
    auto found = std::find_if(texts.begin(), texts.end(), same);
    if (found == texts.end()) found = texts.insert(texts.end(), {option.section, ""});
    found->second += lines_of(option, value, experiment.find(option.key()) != nullptr);
  });
  std::string all;
  for (const std::string& line : head) all += line + "\n";
  for (const auto& [section, lines] : texts) all += "\n[" + section + "]\n" + lines;
  return all;
}

int write_new_experiment(const Options& options) {
  const NewExperiment& kind = named(new_experiments(), options.arguments.front(), "kind of experiment", "braid new: ");
  const std::string file = options.arguments.size() > 1 ? options.arguments[1] : kind.name + ".toml";
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  refuse_to_overwrite(file);
  for (const auto& [companion, text] : kind.companions) {
    if (file != "-") refuse_to_overwrite((folder / companion).string());
  }
  std::vector<std::string> settings = {"experiment.name=" +
                                       (file == "-" ? kind.name : std::filesystem::path(file).stem().string())};
  settings.insert(settings.end(), kind.settings.begin(), kind.settings.end());
  // First what the kind is: a policy that the user sets in another's place takes that one's keys away.
  const models::Experiment experiment =
      models::with_settings(models::with_settings({}, "", settings), "", options.settings);
  const std::string text =
      commented_experiment(experiment, {std::string("#:schema ./") + kSchemaFile, "# " + kind.summary,
                                        "# Lines that begin with # and a key show its default: take the # away, and "
                                        "change it. Run this by",
                                        "#   braid run " + (file == "-" ? kind.name + ".toml" : file)});
  if (file == "-") {
    fmt::print("{}", text);
    return kSuccess;
  }
  for (const auto& [companion, content] : kind.companions) {
    models::write_file((folder / companion).string(), content);
  }
  const std::string schema = write_schema_beside(folder);
  models::write_file(file, text);
  if (!options.quiet) {
    fmt::print("{}: written{}; run it: braid run {}\n", file, schema.empty() ? "" : ", with " + schema + " for editors",
               file);
  }
  return kSuccess;
}

int print_experiment_schema(const Options&) {
  fmt::print("{}", models::pretty(models::experiment_schema()));
  return kSuccess;
}

}  // namespace braid::tb
