// The commands of the `braid` program. Each returns its exit status.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace braid::tb {

enum ExitStatus : int { kSuccess = 0, kFailure = 1, kBadInput = 2, kDeadlock = 3, kDoubtful = 4, kInterrupted = 130 };

struct Options {
  std::vector<std::string> arguments;
  std::string experiment;             ///< the first of them
  std::string stdin_filename;         ///< of an experiment "-": the file that standard input stands for; "": none
  std::vector<std::string> settings;  ///< of --set, and those that --trace and --threads stand for
  bool quiet = false;
  std::size_t seeds = 0;             ///< of `run`: replications; 0: one run
  std::vector<std::string> plugins;  ///< files
  bool strict = false;               ///< warnings against the figures fail
  bool check = false;                ///< of `paths`: whether source-routed paths hold what they claim
  std::string mesh, network;         ///< of a StreamIt program; "": the usual ones
  bool lift = false;                 ///< of `graph`: without structures that do nothing
  std::string mean_rates;            ///< of `graph`: of rates that change from call to call
  std::string json, graphml, dot, toml, draw, mermaid, paths;  ///< files to write, or "-" for standard output
  /// Of all of these that were given: the option, the file.
  std::vector<std::pair<std::string, std::string>> outputs;

  /// Is there anything for standard output but a file?
  bool prints() const;
};
constexpr const char* kUsualMesh = "4x4";
constexpr const char* kUsualNetwork = "tentacle";

/// Parses the command line, runs the command and turns every error into one line on standard error.
int run_program(int argc, char* argv[]);

int run_experiment(const Options& options);
int check_experiment_file(const Options& options);
int show_paths(const Options& options);
int show_circuits(const Options& options);
int show_partition(const Options& options);
int show_graph(const Options& options);
int show_modules(const Options& options);
int show_styles(const Options& options);
int list_axis(const Options& options);
int write_new_experiment(const Options& options);
int print_experiment_schema(const Options& options);
int print_completion(const Options& options);

/// What stands first on the command line.
struct Command {
  std::string name;
  int (*run)(const Options&);
  std::size_t least = 1, most = 1;  ///< arguments
};
const std::vector<Command>& commands();

}  // namespace braid::tb
