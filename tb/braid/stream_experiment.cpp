#include "tb/braid/stream_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "models/experiment/experiment_reader.h"
#include "models/workload/streams/stream_program.h"
#include "routing/base/input_error.h"
#include "routing/base/text_file.h"
#include "tb/braid/named.h"

namespace braid::tb {
namespace {

using Keys = std::vector<std::pair<std::string, OptionValue>>;

OptionValue text(const char* value) { return std::string(value); }
OptionValue number(std::int64_t value) { return value; }

/// As tb/experiments/fm_radio.toml: work so light that the network is what limits the program.
const Keys& common_keys() {
  static const Keys keys{
      {"topology.kind", text("mesh")},
      {"topology.local_ports", number(4)},
      {"router.vcs", number(4)},
      {"router.buffer_depth", number(8)},
      {"routing.algorithm", text("x_first")},
      {"stream.computation_scaling", 0.001},
      {"interface.stream_queue_items", number(0)},
      {"simulation.until", text("iterations 8")},
  };
  return keys;
}

struct Mesh {
  std::int64_t width = 0, height = 0;
};

/// One side: digits only, few enough for the mesh's own range to judge them.
bool read_side(const std::string& digits, std::int64_t& side) {
  constexpr std::size_t kMostDigits = 9;
  if (digits.empty() || digits.size() > kMostDigits) return false;
  if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) return false;
  side = std::stoll(digits);
  return side > 0;
}

Mesh read_mesh(const std::string& given) {
  Mesh mesh;
  const std::size_t by = given.find('x');
  if (by == std::string::npos || !read_side(given.substr(0, by), mesh.width) ||
      !read_side(given.substr(by + 1), mesh.height)) {
    throw InputError("--mesh " + one_line(given) + ": expected WIDTHxHEIGHT, such as 4x4");
  }
  return mesh;
}

models::Experiment program_experiment(const Options& options) {
  (void)read_text(options.experiment, "a StreamIt program");  // is there
  const std::filesystem::path file(options.experiment);
  const std::string size = options.mesh.empty() ? kUsualMesh : options.mesh;
  const Mesh mesh = read_mesh(size);
  models::Experiment e;
  const auto set = [&](const Keys& keys) {
    for (const auto& [key, value] : keys) e.set(key, value);
  };
  e.set("experiment.name", file.stem().string());
  e.open("stream");
  set(common_keys());
  e.set("topology.width", mesh.width, {"--mesh " + size, 0, 0});
  e.set("topology.height", mesh.height, {"--mesh " + size, 0, 0});
  e.set("stream.graph", file.lexically_normal().string());
  const std::string network = options.network.empty() ? kUsualNetwork : options.network;
  set(named(stream_networks(), network, "network", "--network: ").keys);
  return models::with_settings(std::move(e), options.experiment, options.settings);
}

}  // namespace

const std::vector<StreamNetwork>& stream_networks() {
  static const auto packets = text("packet");
  static const auto adaptive = text("minimal_adaptive");
  static const std::vector<StreamNetwork> all{
      {"pull_x_first",
       "consumers ask for blocks; packets, X-first",
       {{"interface.switching", packets}, {"interface.transfer", text("pull")}}},
      {"pull_adaptive",
       "consumers ask for blocks; packets, minimal adaptive",
       {{"interface.switching", packets}, {"interface.transfer", text("pull")}, {"routing.algorithm", adaptive}}},
      {"push_x_first", "producers send; packets, X-first", {{"interface.switching", packets}}},
      {"push_adaptive",
       "producers send; packets, minimal adaptive",
       {{"interface.switching", packets}, {"routing.algorithm", adaptive}}},
      {"tentacle",
       "producers send; circuits on disjoint paths, or packets where they are predicted to be faster",
       {{"interface.switching", text("circuit")},
        {"stream.remedies", true},
        {"stream.or_packets", true},
        {"routing.algorithm", adaptive}}},
      {"ideal",
       "a link from every node to every other",
       {{"interface.switching", packets}, {"router.architecture", text("ideal")}}},
  };
  return all;
}

std::vector<std::string> program_defaults() {
  std::vector<std::string> all;
  for (const auto& [key, value] : common_keys()) all.push_back(key + " = " + to_text(value));
  return all;
}

models::Experiment experiment_of(const Options& options) {
  if (models::is_stream_program(options.experiment)) return program_experiment(options);
  for (const auto& [flag, value] : {std::pair("--mesh", options.mesh), std::pair("--network", options.network)}) {
    if (!value.empty()) {
      throw InputError(fmt::format("{}: {} says itself what the network is; expected a StreamIt program (.str)", flag,
                                   one_line(options.experiment)));
    }
  }
  if (options.experiment == "-") {
    const std::string& file = options.stdin_filename;
    return models::parse_experiment(read_text("/dev/stdin", "an experiment"), file.empty() ? "standard input" : file,
                                    options.settings);
  }
  if (!options.stdin_filename.empty()) {
    throw InputError("--stdin-filename: expected - in the experiment's place, which is standard input");
  }
  return models::read_experiment(options.experiment, options.settings);
}

}  // namespace braid::tb
