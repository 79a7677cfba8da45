// The commands of the `braid` program. Each returns its exit status.
#pragma once

#include <string>
#include <vector>

namespace braid::tb {

enum ExitStatus : int { kSuccess = 0, kFailure = 1, kBadInput = 2, kDeadlock = 3, kInterrupted = 130 };

struct Options {
  std::string experiment;
  std::vector<std::string> settings;  ///< of --set, and those that --trace and --threads stand for
  std::string json;                   ///< file, or "-" for standard output
  bool quiet = false;
  bool check = false;  ///< of `paths`: whether source-routed paths hold what they claim
  // Where the experiment is a StreamIt program:
  std::string mesh, network;  ///< "": the usual ones
  std::string toml, dot;      ///< files of `partition`, or "-"
};
constexpr const char* kUsualMesh = "4x4";
constexpr const char* kUsualNetwork = "tentacle";

struct GraphOptions {
  std::vector<std::string> files;  ///< of one program
  std::string json, graphml, dot;  ///< files, or "-" for standard output
  bool quiet = false;
};

/// Parses the command line, runs the command and turns every error into one line on standard error.
int run_program(int argc, char* argv[]);

int run_experiment(const Options& options);
int check_experiment_file(const Options& options);
int show_paths(const Options& options);
int show_circuits(const Options& options);
int show_partition(const Options& options);
int show_graph(const GraphOptions& options);
int list_axis(const std::string& axis);

}  // namespace braid::tb
