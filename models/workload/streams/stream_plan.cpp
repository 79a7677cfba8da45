#include "models/workload/streams/stream_plan.h"

#include "models/workload/streams/stream_remedies.h"
#include "routing/base/random.h"
#include "traffic/streams/bounded_degree.h"
#include "traffic/streams/partition/partition.h"
#include "traffic/streams/streamit/streamit.h"

namespace braid::models {

StreamSource::StreamSource(const WorkloadContext& context, const StreamOptions& options)
    : context_(context), options_(options) {
  if (!is_stream_program(options.graph)) return;
  tiles_ = options.tiles == 0 ? context.topology.node_count() : options.tiles;
  program_ = traffic::read_streamit({options.graph}, options.mean_rates);
}

traffic::Variant StreamSource::graph(std::size_t tiles) const {
  traffic::Variant v;
  if (tiles_ == 0) {
    v.graph = traffic::read_stream_graph(options_.graph);
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

StreamPlan plan_of(const WorkloadContext& context, const StreamOptions& options, const StreamSource& source) {
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
  return plan;
}

}  // namespace braid::models
