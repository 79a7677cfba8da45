// braid partition: a StreamIt program after load balancing.
#include "traffic/streams/partition/partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "models/experiment/json_file.h"
#include "models/observe/output_file.h"
#include "models/workload/streams/stream_program.h"
#include "routing/base/input_error.h"
#include "tb/braid/commands.h"
#include "tb/braid/graph_files.h"
#include "tb/braid/progress_bar.h"
#include "tb/braid/stream_experiment.h"
#include "tb/braid/stream_graph_files.h"
#include "traffic/streams/queue_room.h"
#include "traffic/streams/streamit/streamit.h"

namespace braid::tb {
namespace {

using traffic::Partitioned;

void print_actors(const Partitioned& p) {
  const std::vector<std::uint64_t> firings = p.graph.repetitions();
  std::vector<std::size_t> in(firings.size()), out(firings.size());
  for (const traffic::StreamEdge& e : p.graph.edges) {
    ++out[e.from];
    ++in[e.to];
  }
  std::size_t width = 5;
  for (const traffic::Actor& a : p.graph.actors) width = std::max(width, a.name.size());
  fmt::print("{:{}}  cycles a firing     firings   share  in out\n", "actor", width);
  for (std::size_t a = 0; a < firings.size(); ++a) {
    const double work =
        static_cast<double>(p.graph.actors[a].work_cycles) * static_cast<double>(firings[a]) / p.steady_states;
    fmt::print("{:{}} {:16} {:11} {:6.1f}% {:3} {:3}\n", p.graph.actors[a].name, width, p.graph.actors[a].work_cycles,
               firings[a], p.total_work > 0 ? 100.0 * work / p.total_work : 0.0, in[a], out[a]);
  }
}

void print_partition(const Partitioned& p, std::size_t tiles, const models::StreamOptions& options) {
  const double mean = p.total_work / static_cast<double>(p.graph.actors.size());
  fmt::print("{}: {} actors on {} tiles, {} streams ({})\n", p.graph.name, p.graph.actors.size(), tiles,
             p.graph.edges.size(), options.partition);
  fmt::print(
      "a steady state of the program: {:.6g} cycles of work, {:.6g} of the busiest actor ({:.2f} of the mean), "
      "{:.6g} items\n",
      p.total_work, p.bottleneck_work, p.bottleneck_work / std::max(mean, 1.0), p.items);
  const std::uint64_t source = traffic::least_source_room(p.graph);
  const auto room = traffic::least_destination_room(p.graph, {source, 0, options.packet_items, 1});
  fmt::print("least room in queues: {} items at a producer, {} at a consumer beside them\n\n", source,
             room ? std::to_string(*room) : "none");
  print_actors(p);
}

}  // namespace

int show_partition(const Options& options) {
  if (!models::is_stream_program(options.experiment)) {
    throw InputError("braid partition " + options.experiment + ": expected a StreamIt program (.str)");
  }
  const models::Experiment experiment = experiment_of(options);
  const models::StreamOptions stream = models::read_stream_options(experiment);
  const std::size_t nodes = routing::make_topology(experiment).node_count();
  const std::size_t tiles = stream.tiles == 0 ? nodes : stream.tiles;
  const traffic::Structure program = traffic::read_streamit({stream.graph}, stream.mean_rates);
  warn_of_messages(program);
  const Partitioned p = traffic::partition_program(program, stream.graph, stream, tiles);
  if (options.prints()) print_partition(p, tiles, stream);
  if (!options.toml.empty()) models::write_file(options.toml, traffic::to_toml(p.graph));
  if (!options.json.empty()) {
    models::write_file(options.json, models::pretty(partition_json(p, tiles, stream.partition)));
  }
  if (!options.dot.empty()) models::write_file(options.dot, partition_dot(p.graph));
  return kSuccess;
}

}  // namespace braid::tb
