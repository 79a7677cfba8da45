#include "models/workload/streams/stream_plan.h"

#include "models/workload/streams/stream_remedies.h"
#include "routing/base/random.h"
#include "traffic/streams/bounded_degree.h"
#include "traffic/streams/partition/partition.h"
#include "traffic/streams/streamit/streamit.h"

namespace braid::models {

StreamSource::StreamSource(const WorkloadContext& context, const StreamOptions& options)
    : context_(context), options_(options) {
  if (!is_stream_program(options.graph)) {
    graph_ = traffic::read_stream_graph(options.graph);
    return;
  }
  tiles_ = options.tiles == 0 ? context.topology.node_count() : options.tiles;
  program_ = traffic::read_streamit({options.graph}, options.mean_rates);
}

traffic::Variant StreamSource::graph(std::size_t tiles) const {
  traffic::Variant v;
  if (tiles_ == 0) {
    v.graph = graph_;
    return v;
  }
  traffic::Partitioned p = traffic::partition_program(program_, options_.graph, options_, tiles, context_.progress);
  v.tiles = tiles;
  v.graph = std::move(p.graph);
  v.steady_states = p.steady_states;
  return v;
}

std::optional<std::string> StreamSource::untimed_messages() const {
  const SourcePosition& at = program_.portal;
  if (at.line == 0) return std::nullopt;
  constexpr std::size_t kLongestName = 4096;
  return one_line(at.file, kLongestName) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

namespace {

/// The graph of a file with a plan: nothing is searched.
StreamPlan planned(const WorkloadContext& context, const StreamOptions& options, const traffic::Variant& found) {
  if (options.degree != 0) {
    throw InputError("stream.degree: a graph with a plan (" + one_line(options.graph) +
                     ") is taken as it is; expected 0, or the program itself");
  }
  const traffic::StreamGraphPlan& plan = *found.graph.plan;
  const bool circuits = options.switching == Switching::kCircuit && options.remedies;
  if (circuits && plan.packets && !options.or_packets) {
    throw InputError("stream.or_packets = false: the plan of " + one_line(options.graph) +
                     " keeps streams on packets; expected true");
  }
  StreamPlan taken{found, {}};
  taken.place = traffic::place(taken.program.graph, context.topology, options, read_seed(context.configuration));
  taken.steady_states = plan.steady_states;
  taken.on_packets = circuits && plan.packets;
  if (circuits) taken.remedy = plan.remedy;
  return taken;
}

StreamPlan plan_of(const WorkloadContext& context, const StreamOptions& options, const StreamSource& source) {
  if (source.is_planned()) return planned(context, options, source.graph(0));
  if (options.switching == Switching::kCircuit && options.remedies) return plan_circuits(context, options, source);
  StreamPlan plan{source.graph(source.tiles()), {}};
  if (options.degree != 0) {
    plan.program.graph = traffic::bound_degree(plan.program.graph, options.degree, options.relays, context.topology);
    plan.program.degree = options.degree;
  }
  const std::uint64_t seed = read_seed(context.configuration);
  plan.place = traffic::place(plan.program.graph, context.topology, options, seed, context.progress);
  return plan;
}

}  // namespace

StreamPlan plan_streams(const WorkloadContext& context, const StreamOptions& options) {
  const StreamSource source(context, options);
  StreamPlan plan = plan_of(context, options, source);
  plan.untimed_messages = source.untimed_messages();
  if (plan.program.tiles != 0) plan.steady_states = plan.program.steady_states;
  return plan;
}

}  // namespace braid::models
