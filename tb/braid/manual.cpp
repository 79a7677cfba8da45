#include "tb/braid/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tb/braid/axes.h"
#include "tb/braid/layout.h"
#include "tb/braid/new_experiment.h"
#include "tb/braid/python_commands.h"
#include "tb/braid/stream_experiment.h"

namespace braid::tb {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kManualHead = R"(NAME
    braid - routers that carry streams and packets over one network

SYNOPSIS
    braid run EXPERIMENT.toml [OPTION]...
    braid check EXPERIMENT.toml [--set section.key=value]...
    braid paths EXPERIMENT.toml [--set section.key=value]... [--json FILE]
                [--check] [--draw FILE] [--toml FILE] [--dot FILE]
    braid circuits EXPERIMENT.toml [--set section.key=value]... [--layouts N]
                   [--json FILE] [--paths FILE]
    braid run|check|paths PROGRAM.str [--mesh WIDTHxHEIGHT] [--network NAME]
                [--tiles N] [--partition NAME] [OPTION]...
    braid partition PROGRAM.str [--tiles N] [--partition NAME] [--toml FILE]
                [--json FILE] [--dot FILE]
    braid graph PROGRAM.str... [--lift] [--rate FILTER=MEAN]... [--json FILE]
                [--graphml FILE] [--dot FILE]
    braid styles EXPERIMENT.toml [--set section.key=value]... [--json FILE]
    braid modules EXPERIMENT.toml [MODULE] [--set section.key=value]...
                  [--json FILE] [--mermaid FILE]
    braid new KIND [FILE.toml] [--set section.key=value]...
    braid schema
    braid completion bash|zsh|fish
    braid list [AXIS]
)";

/// Of each command of the program itself.
const Rows kOwnCommands = {
    {"run", "Simulates the experiment; prints its figures and the busiest links with who shares them."},
    {"check", "Reads and elaborates the experiment without running it."},
    {"paths", "Shows routes, circuits and link loads as a map."},
    {"circuits",
     "Looks for link-disjoint paths for the streams with every finder of disjoint.finder; with --layouts on random "
     "layouts of the program."},
    {"partition",
     "Balances a StreamIt program's load: fuses its filters, or makes copies of them, until they fit the tiles, and "
     "prints the actors. Writes the stream graph that they make."},
    {"graph",
     "Reads a StreamIt program, of one file or several, and prints the size of its flat graph, its steady state and "
     "its heaviest filters (docs/streamit.md)."},
    {"styles",
     "Runs the experiment, then gives its packets to the coding styles of TLM-2.0 that move no flits: how far their "
     "mean "
     "latency is off, and how much faster they are (docs/tlm-styles.md)."},
    {"modules",
     "Lists the SystemC modules of which simulation.schedule = \"process_per_stage\" makes the network, or those in "
     "MODULE (network.router_1_2), with their ports: direction, bits, the channel (docs/hardware-view.md)."},
    {"new",
     "Writes an experiment of that KIND (below), every key with what it means, into FILE.toml, KIND.toml without; "
     "refuses to overwrite. - is standard output."},
    {"schema", "Prints the JSON schema of experiments, for editors that complete and check TOML."},
    {"completion", "Prints what makes the shell complete the command line of braid: source <(braid completion bash)."},
    {"list",
     "Names what each axis offers; without AXIS all of them. `list keys` names every key, `list configuration` and "
     "`list figures` print their references, `list schema` the JSON schema of results, `list networks` those of "
     "StreamIt programs."},
};

/// Of all commands.
Rows all_commands() {
  Rows rows = kOwnCommands;
  for (const PythonCommand& command : python_commands()) rows.emplace_back(command.name, command.text);
  return rows;
}

/// Lines of the synopsis of commands of Python.
std::string python_synopsis() {
  std::string lines;
  for (const PythonCommand& command : python_commands()) {
    lines += fmt::format("    braid {} {}\n", command.name, command.arguments);
  }
  return lines;
}

constexpr const char* kInput = R"(
EXPERIMENT.toml may be -, standard input: braid run - < mesh.toml
)";

const Rows kStatus = {
    {"0", "done"},
    {"1", "failure"},
    {"2", "bad input, nothing written"},
    {"3", "deadlock or livelock"},
    {"4", "with --strict: saturated, not steady, starved, fallen back to packets, or an interval not reliable"},
    {"130", "interrupted"},
};

/// A heading, and rows whose texts begin in one column.
std::string section(const std::string& title, const Rows& rows) {
  std::size_t width = 0;
  for (const auto& [name, text] : rows) width = std::max(width, columns_of(name));
  std::string all = "\n" + title + "\n";
  for (const auto& [name, text] : rows) {
    all += wrapped(fmt::format("    {:{}}  ", name, width), words_of(text), width + 6) + "\n";
  }
  return all;
}

/// What a StreamIt program on the command line stands for.
std::string program_section() {
  Rows networks;
  std::string defaults;
  for (const StreamNetwork& network : stream_networks()) networks.emplace_back(network.name, network.summary);
  for (const std::string& key : program_defaults()) defaults += (defaults.empty() ? "" : ", ") + key;
  networks.emplace_back("all", defaults + "; --set changes them, the results echo them");
  return section("NETWORKS of a StreamIt program", networks);
}

/// What `braid new` writes.
std::string kinds_section() {
  Rows kinds;
  for (const NewExperiment& kind : new_experiments()) kinds.emplace_back(kind.name, kind.summary);
  return section("KINDS of braid new", kinds);
}

constexpr const char* kExamples = R"(
EXAMPLES
    braid run tb/experiments/mesh_uniform.toml \
        --set traffic.rate_flits_per_node_cycle=0.3
    braid run tb/experiments/fm_radio.toml --trace fm_radio.vcd \
        --json results.json
    braid run tb/experiments/mesh_uniform.toml --quiet --watch packet=3.17
    braid new torus my_torus.toml --set topology.width=16
    braid run traffic/streams/programs/fm_radio.str --mesh 4x4 \
        --network tentacle
)";

}  // namespace

const std::vector<Flag>& flags() {
  static const std::vector<std::string> experiments = {"run",       "check",  "paths",  "circuits",
                                                       "partition", "styles", "modules"};
  static const std::vector<std::string> of_settings = {"run",       "check",  "paths",   "circuits",
                                                       "partition", "styles", "modules", "new"};
  static const std::vector<std::string> of_programs = {"run",       "check",  "paths",   "circuits",
                                                       "partition", "styles", "modules", "graph"};
  static const std::vector<std::string> runs = {"run", "check"};
  static const std::vector<Flag> all = with_python_flags({
      {"set", "", "section.key=value", "Overrides one key of the experiment. Repeatable.", "", false, of_settings,
       true},
      {"stdin-filename", "", "FILE",
       "Of an experiment - (standard input): the file that it stands for, in messages and where relative names of "
       "files "
       "start.",
       "", false, experiments},
      {"json",
       "",
       "FILE",
       "Writes the results as JSON (docs/results.schema.json), with graph the flat graph; - is standard output.",
       "",
       false,
       {"run", "paths", "circuits", "partition", "graph", "styles", "modules"},
       false,
       true},
      {"trace", "", "FILE", "Writes a waveform (.vcd or .fst) and GTKWave save files beside it.", "trace.file", true,
       runs},
      {"log", "", "FILE", "Writes one line for every packet (.csv or .parquet; docs/packet-log.md).", "log.file", true,
       runs},
      {"record-trace", "", "FILE", "Writes what is sent as a trace to replay (.trace or .btrace; docs/traces.md).",
       "record.trace", true, runs},
      {"watch", "", "WHAT",
       "Prints one line for every event of packet=SOURCE.SEQUENCE, of the packets of source=NODE or of those that come "
       "to router=NAME; several with blanks between. watch.file names a file for them.",
       "watch.what", true, runs},
      {"checkpoint", "", "FILE", "Writes the network, warmed up, into a file to go on from (docs/checkpoints.md).",
       "checkpoint.file", true, runs},
      {"from", "", "FILE", "Begins where the checkpoint was made; nothing but the measurement may differ.",
       "checkpoint.from", true, experiments},
      {"threads", "", "N", "Cuts the network over N threads; the results are the same.", "simulation.threads", false,
       experiments},
      {"check",
       "",
       "",
       "With paths, where routing.algorithm is source_routed: are there paths for all pairs, as short as they claim to "
       "be, and free of cycles of channels? Says so, with their figures; if not, the status is 1.",
       "",
       false,
       {"paths"}},
      {"layouts",
       "",
       "N",
       "With circuits: success rates of the finders on N random layouts.",
       "disjoint.layouts",
       false,
       {"circuits"}},
      {"mesh", "", "WIDTHxHEIGHT", "Of a StreamIt program: the mesh it runs on; 4x4 without.", "", false, experiments},
      {"network", "", "NAME", "Of a StreamIt program: its network, below; tentacle without.", "", false, experiments},
      {"plan", "", "FILE",
       "Of a StreamIt program: the graph, tiles and remedy that braid paths --toml FILE has kept; nothing is searched.",
       "stream.graph", true, experiments},
      {"tiles", "", "N", "Of a StreamIt program: most actors; as many as there are nodes without.", "stream.tiles",
       false, experiments},
      {"partition", "", "NAME", "Of a StreamIt program: the partitioner; dynamic_programming without.",
       "stream.partition", true, experiments},
      {"rate", "", "FILTER=MEAN",
       "Of a StreamIt program: the mean of a rate that changes from call to call, or FILTER.push=MEAN. Repeatable.",
       "stream.mean_rates", true, of_programs, true},
      {"lift",
       "",
       "",
       "With graph: without splitjoins of one branch and pipelines in pipelines, as MIT's compiler counts.",
       "",
       false,
       {"graph"}},
      {"toml",
       "",
       "FILE",
       "With partition: writes the stream graph (docs/stream-graphs.md). With paths: as it runs, each actor on its "
       "tile.",
       "",
       false,
       {"partition", "paths"},
       false,
       true},
      {"graphml",
       "",
       "FILE",
       "With graph: writes the flat graph as GraphML, for yEd or networkx.",
       "",
       false,
       {"graph"},
       false,
       true},
      {"dot",
       "",
       "FILE",
       "With graph or partition: writes the graph for graphviz. With paths: as it runs, with tiles.",
       "",
       false,
       {"graph", "partition", "paths"},
       false,
       true},
      {"draw",
       "",
       "FILE",
       "Draws the load of every link as SVG, on any topology (positions from GraphML's x and y); of a stream program "
       "on "
       "a mesh or torus the layout: actors on their tiles, circuits or streams on their links.",
       "",
       false,
       {"run", "paths"},
       false,
       true},
      {"paths",
       "",
       "FILE",
       "With circuits: writes the paths of the first finder that has found some, for setup.paths = \"listed\". If none "
       "has, the status is 1.",
       "",
       false,
       {"circuits"},
       false,
       true},
      {"mermaid",
       "",
       "FILE",
       "With modules: draws what leads from module to module, as Mermaid text.",
       "",
       false,
       {"modules"},
       false,
       true},
      {"rtl", "", "DIR",
       "Looks for routers in RTL there and nowhere else (docs/rtl.md); without, in BRAID_RTL_PATH and beside the "
       "program.",
       "router.rtl_folder", true, experiments},
      {"plugin",
       "",
       "FILE",
       "Loads policies of your own from a library, libmine.so (docs/package.md): they may be chosen by name, and "
       "`list` "
       "and the results say where they come from. Repeatable.",
       "",
       false,
       {},
       true},
      {"seeds",
       "",
       "N",
       "Runs under N seeds, experiment.seed and those after it, a process each on all cores: figures and percentiles "
       "with "
       "a 95 % interval over the seeds.",
       "",
       false,
       {"run"}},
      {"strict",
       "",
       "",
       "With run: status 4 if a warning says that the figures are not what they seem.",
       "",
       false,
       {"run"}},
      {"quiet", "q", "", "No progress bar and no table; warnings go to standard error."},
      {"help", "h", "", "This text."},
      {"version", "", "", "The program's version."},
  });
  return all;
}

const std::vector<std::pair<std::string, std::string>>& command_summaries() {
  static const Rows all = all_commands();
  return all;
}

std::string manual() {
  Rows options, offers;
  for (const Flag& flag : flags()) {
    options.emplace_back("--" + flag.name + (flag.argument.empty() ? "" : " " + flag.argument), flag.text);
  }
  for (const Axis& axis : axes()) {
    std::string names;
    for (const auto& [name, summary] : axis.policies) names += (names.empty() ? "" : ", ") + name;
    offers.emplace_back(axis.key, names);
  }
  return kManualHead + python_synopsis() + section("COMMANDS", command_summaries()) + kInput +
         section("OPTIONS", options) +
         section("AXES (keys whose values name policies; `braid list KEY` says what each is)", offers) +
         program_section() + kinds_section() + section("EXIT STATUS", kStatus) + kExamples;
}

}  // namespace braid::tb
