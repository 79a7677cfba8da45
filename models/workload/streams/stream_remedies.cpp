#include "models/workload/streams/stream_remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "models/fabric/node_bandwidth.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/analysis/link_loads.h"
#include "routing/base/random.h"

namespace braid::models {
namespace {

constexpr std::uint32_t kLayouts = 3;  // of each graph: that of the options, then those for disjoint paths
// The search ends after so many tries, and then as soon as moves times streams times routers are so many: half a
// minute.
constexpr std::uint32_t kLeastTries = 8;
constexpr double kMostWork = 6e9;
// Circuits are taken where they are predicted to be as fast as packets: so many times as long counts as that.
constexpr double kAsFast = 1.005;

/// Streams too many weigh most, then streams without a path, then links: all in streams, whatever they carry.
traffic::PlacementOptions for_paths(const traffic::StreamGraph& graph, const StreamOptions& options) {
  constexpr double kWithoutPath = 20.0;  // links
  const std::vector<std::uint64_t> firings = graph.repetitions();
  double items = 0.0;
  for (const traffic::StreamEdge& e : graph.edges) items += static_cast<double>(firings[e.from]) * e.push;
  traffic::PlacementOptions other = options;
  other.layout_cost = "weighted";
  other.distance_weight = static_cast<double>(graph.edges.size()) / items;
  other.sharing_weight = 0.0;
  other.disjoint_weight = kWithoutPath;
  return other;
}

class Remedies {
 public:
  Remedies(const WorkloadContext& context, const StreamOptions& options, const StreamSource& source)
      : context_(context), options_(options), seed_(read_seed(context.configuration)) {
    const std::size_t ports = *std::min_element(context.ports.count.begin(), context.ports.count.end());
    const NodeBandwidth nodes = read_node_bandwidth(context.configuration);
    const traffic::Pace pace{options.computation_scaling, served(nodes.circuit_injection, ports),
                             served(nodes.circuit_ejection, ports), trees()};
    packet_pace_ = {options.computation_scaling, served(nodes.packet_injection, ports),
                    served(nodes.packet_ejection, ports)};
    all_ = traffic::variants([&](std::size_t tiles) { return source.graph(tiles); }, source.tiles(), context.topology,
                             {options.degree, options.relays, pace}, context.progress);
  }

  StreamPlan found() {
    check_as_it_is();
    if (options_.or_packets) packets_cycles_ = predicted_on_packets();
    for (std::size_t v = 0; v < all_.size(); ++v) {
      if (tried_ >= kLeastTries && work_ > kMostWork) break;
      if (packets_cycles_ && all_[v].cycles > kAsFast * *packets_cycles_) {
        // Those behind are slower still; the first only stands before them.
        if (v > 0 || all_.size() == 1) return on_packets("");
        continue;
      }
      if (v == 0 && traffic::crowded_actor(all_[v].graph, context_.topology, trees())) continue;
      if (std::optional<StreamPlan> plan = on_some_layout(v)) return std::move(*plan);
    }
    if (packets_cycles_) return on_packets(in_the_way());
    StreamPlan plan{all_.front(), placed(all_.front().graph, 0)};
    plan.remedy = told(plan.program, 0);
    plan.remedy->taken = "none that helps";
    plan.remedy->why = in_the_way();
    return plan;
  }

 private:
  bool trees() const { return options_.multicast == Multicast::kInRouters; }

  /// The program as it is, by packets.
  StreamPlan on_packets(const std::string& why) const {
    StreamPlan plan{all_.front(), placed(all_.front().graph, 0)};
    plan.on_packets = true;
    plan.remedy = told(plan.program, 0);
    plan.remedy->taken = "packets";
    plan.remedy->why = why;
    plan.remedy->least_cycles = *packets_cycles_;
    return plan;
  }

  /// Cycles between two steady states: of its busiest actor, stream or node, or of the link that carries most items
  /// where every packet takes the routing algorithm's first way. (Adaptive packets may do better, packets that meet
  /// worse.)
  double predicted_on_packets() const {
    const traffic::Variant& v = all_.front();
    const std::vector<NodeId> place = placed(v.graph, 0);
    const std::vector<std::uint64_t> firings = v.graph.repetitions();
    std::vector<routing::Flow> flows;
    for (const traffic::StreamEdge& e : v.graph.edges) {
      flows.push_back({place[e.from], place[e.to], static_cast<double>(firings[e.from]) * e.push});
    }
    const auto algorithm = routing::make_routing(context_.topology, context_.configuration);
    const auto loads = routing::link_loads(context_.topology, *algorithm, flows);
    double most = traffic::least_cycles(v.graph, packet_pace_);
    for (std::size_t r = 0; r < loads.size(); ++r) {
      for (std::size_t p = 0; p < loads[r].size(); ++p) {
        const routing::Port& port = context_.topology.port(RouterId{r}, PortId{p});
        if (port.kind == routing::PortKind::kNetwork) most = std::max(most, loads[r][p]);
      }
    }
    return most / v.steady_states;
  }

  /// What is wrong with the program on any layout is said before the search, and of the program that was asked for.
  void check_as_it_is() const {
    const traffic::StreamGraph& graph = all_.front().graph;
    traffic::PlacementOptions in_order = options_;
    in_order.anneal = false;
    (void)StreamProgram(graph, traffic::place(graph, context_.topology, in_order, seed_), options_);
  }

  std::optional<StreamPlan> on_some_layout(std::size_t v) {
    std::vector<NodeId> before;
    for (std::uint32_t layout = 0; layout < kLayouts; ++layout) {
      step_ = v * kLayouts + layout;
      tell();
      StreamPlan plan{all_[v], placed(all_[v].graph, layout)};
      if (plan.place == before) continue;  // every actor has its tile, or takes them in order
      before = plan.place;
      ++tried_;
      work_ += static_cast<double>(options_.moves) * static_cast<double>(plan.program.graph.edges.size()) *
               static_cast<double>(context_.topology.router_count());
      if (!stands(plan)) continue;
      plan.remedy = told(plan.program, layout);
      return plan;
    }
    return std::nullopt;
  }

  void tell() const { routing::tell(context_.progress, "remedy", step_, all_.size() * kLayouts); }

  std::vector<NodeId> placed(const traffic::StreamGraph& graph, std::uint32_t layout) const {
    const routing::OnProgress of_all = [this](const char*, std::size_t, std::size_t) { tell(); };
    if (layout == 0) return traffic::place(graph, context_.topology, options_, seed_, of_all);
    Random seeds(seed_, fmt::format("remedy.layout[{}]", layout));
    return traffic::place(graph, context_.topology, for_paths(graph, options_), seeds(), of_all);
  }

  bool stands(const StreamPlan& plan) const {
    std::optional<StreamProgram> program;
    try {
      program.emplace(plan.program.graph, plan.place, options_);
    } catch (const InputError&) {  // its queues are too small
      return false;
    }
    return context_.fabric.circuits_would_stand(program->circuits());
  }

  traffic::StreamRemedy told(const traffic::Variant& v, std::uint32_t layout) const {
    const traffic::Variant& asked = all_.front();
    std::string taken;
    const auto say = [&](const std::string& what) { taken += (taken.empty() ? "" : ", ") + what; };
    if (v.tiles != asked.tiles) say(fmt::format("at most {} actors before splitters and joiners", v.tiles));
    if (v.degree != asked.degree) say(fmt::format("at most {} streams an actor", v.degree));
    if (layout != 0) say("a layout for disjoint paths");
    if (taken.empty()) taken = "none needed";
    return {taken, "", v.degree, v.tiles, layout, tried_, v.cycles, asked.cycles, packets_cycles_};
  }

  std::string in_the_way() const {
    const traffic::StreamGraph& graph = all_.front().graph;
    const auto crowded = traffic::crowded_actor(graph, context_.topology, trees());
    if (!crowded) return "the set-up leaves a stream without a path on every layout tried";
    return fmt::format("{} streams {} actor {}, no tile has more than {} links", crowded->streams,
                       crowded->leaving ? "leave" : "enter", graph.actors[crowded->actor].name, crowded->links);
  }

  const WorkloadContext& context_;
  const StreamOptions& options_;
  std::uint64_t seed_;
  std::vector<traffic::Variant> all_;
  std::size_t step_ = 0;
  std::uint32_t tried_ = 0;
  double work_ = 0.0;
  traffic::Pace packet_pace_;
  std::optional<double> packets_cycles_;  // predicted; none: no candidate
};

}  // namespace

StreamPlan plan_circuits(const WorkloadContext& context, const StreamOptions& options, const StreamSource& source) {
  return Remedies(context, options, source).found();
}

}  // namespace braid::models
