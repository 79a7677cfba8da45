#include "tb/braid/python_commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace braid::tb {
namespace {

namespace fs = std::filesystem;

/// Says what is missing where `import braid` is not what it should be.
constexpr const char* kStart = R"(import sys
try:
    from braid.__main__ import main
except ModuleNotFoundError as e:
    sys.exit(f"braid: {sys.argv[1]} needs the Python package {e.name}: pip install braid-interconnect for {sys.executable}, "
             "or BRAID_PYTHON=another Python")
sys.exit(main())
)";

struct Python {
  std::string program = "python3";  ///< of PATH
  std::string folder;               ///< where the package lies; "": where that Python looks
};

bool has_package(const fs::path& folder) { return fs::exists(folder / "braid" / "explore" / "command_line.py"); }

/// In a source tree scripts/ and .venv; in an installed package the folder around it.
Python python_beside(const fs::path& self) {
  const fs::path root =
      self.parent_path().parent_path().parent_path();  // of build/PRESET/braid, and of braid/bin/braid
  Python python;
  if (has_package(root / "scripts")) {
    python.folder = (root / "scripts").string();
    const fs::path own = root / ".venv" / "bin" / "python";
    if (fs::exists(own)) python.program = own.string();
  } else if (has_package(root)) {
    python.folder = root.string();
  }
  const char* named = std::getenv("BRAID_PYTHON");
  if (named != nullptr && *named != '\0') python.program = named;
  return python;
}

void look_there(const std::string& folder) {
  const char* before = std::getenv("PYTHONPATH");
  const std::string all = before == nullptr || *before == '\0' ? folder : folder + ":" + before;
  setenv("PYTHONPATH", all.c_str(), 1);
}

}  // namespace

const std::vector<PythonCommand>& python_commands() {
  static const std::vector<PythonCommand> all = {
      {"chakra", "EXPERIMENT.toml PREFIX [--algorithm OPERATION=NAME]...",
       "Runs a machine learning job's Chakra traces, PREFIX.0.et, PREFIX.1.et, ..., a rank each, on the network: "
       "computing, messages and collectives, which are made of messages; prints the time of the step and what "
       "computing "
       "hides (docs/chakra.md)."},
      {"compare", "A B [--fail-if FIGURE CHANGE]...",
       "Says what differs between two results or stores, in configuration and in figures beyond their intervals; the "
       "status is 1 where --fail-if holds (docs/regress/compare.md)."},
      {"import", "booksim|netrace|noxim FILE... [KEY=VALUE]... [--output FILE]",
       "Writes a commented experiment of BookSim 2's configuration files, into FILE.toml of the last one's name "
       "without --output; - is standard output. Says what Braid has not, refuses to overwrite "
       "(docs/recipes/booksim.md). Of a trace of Netrace or a traffic table of Noxim: a trace to replay, FILE.btrace "
       "(docs/recipes/traces.md)."},
      {"report", "RESULT... [--output FILE]",
       "Writes one page with curves, maps and tables of results and stores, which needs nothing but a browser "
       "(docs/recipes/report.md)."},
      {"results", "STORE [--where CONDITION]...",
       "Lists, filters and exports what a sweep has stored (docs/sweeps.md)."},
      {"sweep", "EXPERIMENT.toml|STUDY.toml [--vary KEY=VALUES]... [--seeds N]",
       "Runs the experiment at many points, side by side; keeps every result in a store, and prints a table and a plot "
       "(docs/sweeps.md)."},
      {"watch", "EXPERIMENT.toml [--every N]",
       "Shows the loads of links and the queues of routers while the network runs, as a map in the terminal; of a file "
       "the last picture."},
  };
  return all;
}

bool is_python_command(const std::string& word) {
  const auto& all = python_commands();
  return std::any_of(all.begin(), all.end(), [&](const PythonCommand& command) { return command.name == word; });
}

std::vector<Flag> with_python_flags(std::vector<Flag> flags) {
  const std::vector<std::string> sweep = {"sweep"}, results = {"results"}, compare = {"compare"}, report = {"report"},
                                 watch = {"watch"}, chakra = {"chakra"};
  const std::vector<Flag> more = {
      {"set", "", "section.key=value", "", "", false, {"sweep", "watch", "chakra"}, true},
      {"algorithm", "", "OPERATION=NAME",
       "How a collective is done: all_reduce=ring, tree, halving_doubling, direct or diamond_ring, ... Repeatable.", "",
       false, chakra, true},
      {"clock-ghz", "", "GHZ", "Of the network, 1 without: times of the trace become cycles.", "", false, chakra},
      {"flit-bytes", "", "N", "16 without.", "", false, chakra},
      {"packet-flits", "", "N", "Messages are cut into packets of at most so many; 16 without.", "", false, chakra},
      {"segments", "", "N", "Of the data of a collective over a tree, which follow each other; 8 without.", "", false,
       chakra},
      {"at-once", "", "N", "Messages and collectives that a rank has under way; 1 without.", "", false, chakra},
      {"tflops", "", "X", "Of an accelerator: what has num_ops in the trace takes that time.", "", false, chakra},
      {"memory-gbps", "", "GB/S", "Of its memory: no operation is faster than its tensor_size.", "", false, chakra},
      {"groups", "", "FILE", "JSON: names of groups (pg_name) with the ranks of each.", "", false, chakra},
      {"nodes", "", "N,N,...", "Where each rank sits; without rank i at node i.", "", false, chakra},
      {"vary", "", "KEY=VALUES", "A key and its values: START:STOP:STEP, START:STOP:xFACTOR, or A,B,C. Repeatable.", "",
       false, sweep, true},
      {"only", "", "CONDITION", "Points where it holds: 'router.vcs >= 2'. Repeatable.", "", false, sweep, true},
      {"seeds", "", "N", "Runs of each point, with seeds that follow each other.", "", false, sweep},
      {"store", "", "FILE", "Of the results (SQLite); EXPERIMENT.sqlite without.", "", false, sweep},
      {"plot", "", "FILE", "The picture (.png, .svg, .pdf); EXPERIMENT.png without, - for none.", "", false, sweep},
      {"csv", "", "FILE", "Writes the rows, every figure; - is standard output.", "", false, {"sweep", "results"}},
      {"parquet", "", "FILE", "Writes the rows, every figure.", "", false, results},
      {"json", "", "FILE", "", "", false, {"results", "chakra"}},
      {"where", "", "CONDITION", "Rows where it holds: 'latency > 50 and router.vcs == 2'. Repeatable.", "", false,
       results, true},
      {"columns",
       "",
       "FIGURES",
       "Which figures, with commas between them: latency,hops.",
       "",
       false,
       {"sweep", "results", "compare"}},
      {"fail-if", "", "FIGURE CHANGE",
       "Status 1 if the figure changes by more, and by more than chance explains: latency.mean +2%; or if B saturates "
       "and A does not: saturated. Repeatable.",
       "", false, compare, true},
      {"confidence", "", "PERCENT", "That a difference is none of chance; 99.9 without.", "", false, compare},
      {"output",
       "o",
       "FILE",
       "What is written: the page (report.html without), the experiment.",
       "",
       false,
       {"report", "import"}},
      {"title", "", "TEXT", "Of the page.", "", false, report},
      {"every", "", "N", "A picture after so many cycles; 100 without.", "", false, watch},
      {"series", "", "FILE", "Writes a row a picture (.csv, .parquet): packets, latency, loads of links, buffers.", "",
       false, watch},
      {"cycles", "", "N", "Ends after so many; without after warm-up and measurement.", "", false, watch},
      {"saturation", "", "",
       "Searches for the load at which each choice of the other keys saturates, and for the knee.", "", false, sweep},
      {"points", "", "N", "So many loads for each curve, where it bends, in place of a range's steps.", "", false,
       sweep},
      {"workers", "", "N", "Points at once; without as many as there are processors.", "", false, sweep},
      {"scheduler", "", "ADDRESS", "Of dask.distributed, tcp://HOST:PORT: its workers run the points.", "", false,
       sweep},
      {"slurm", "", "JOBS", "So many jobs of Slurm run the points (dask-jobqueue and its jobqueue.yaml).", "", false,
       sweep},
      {"lsf", "", "JOBS", "So many jobs of LSF run the points (dask-jobqueue and its jobqueue.yaml).", "", false,
       sweep},
      {"kubernetes", "", "PODS", "So many pods run the points (dask-kubernetes and its kubernetes.yaml).", "", false,
       sweep},
      {"time-limit", "", "SECONDS", "Of each point.", "", false, sweep},
      {"memory-limit", "", "MIB", "Of each point.", "", false, sweep},
      {"retry-failed", "", "", "Points that failed run again.", "", false, sweep},
  };
  for (const Flag& flag : more) {
    const auto same = std::find_if(flags.begin(), flags.end(), [&](const Flag& f) { return f.name == flag.name; });
    if (same == flags.end()) {
      flags.push_back(flag);
    } else {
      same->commands.insert(same->commands.end(), flag.commands.begin(), flag.commands.end());
    }
  }
  return flags;
}

void run_python(char* argv[]) {
  const fs::path self = fs::read_symlink("/proc/self/exe");
  Python python = python_beside(self);
  if (!python.folder.empty()) look_there(python.folder);
  setenv("BRAID_PROGRAM", self.c_str(), 0);
  setenv("PYTHONSAFEPATH", "1", 1);  // what lies in the user's folder is not Braid's
  std::string option = "-c", start = kStart;
  std::vector<char*> words = {python.program.data(), option.data(), start.data()};
  for (char** word = argv + 1; *word != nullptr; ++word) words.push_back(*word);
  words.push_back(nullptr);
  execvp(words.front(), words.data());
  throw std::runtime_error(fmt::format("{} is a command of Python, and {} cannot be started: {}", argv[1],
                                       python.program, std::strerror(errno)));
}

}  // namespace braid::tb
