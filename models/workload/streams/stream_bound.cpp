#include "models/workload/streams/stream_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace braid::models {
namespace {

template <class Visit>
void each_link(const routing::Topology& topology, const Visit& visit) {
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
      const routing::Port& port = topology.port(RouterId{r}, PortId{p});
      if (port.kind == routing::PortKind::kNetwork) visit(RouterId{r}, PortId{p}, port);
    }
  }
}

/// Looks for the resource that is in use for the largest share of the cycles.
class BoundSearch {
 public:
  BoundSearch(const StreamProgram& program, const NodePorts& nodes, const MeasuredStreams& measured)
      : program_(program),
        ports_(nodes.map),
        circuits_(program.switching() == Switching::kCircuit),
        injection_(circuits_ ? nodes.bandwidth.circuit_injection : nodes.bandwidth.packet_injection),
        ejection_(circuits_ ? nodes.bandwidth.circuit_ejection : nodes.bandwidth.packet_ejection),
        pull_(program.options().transfer == Transfer::kPull),
        rate_(measured.iterations / static_cast<double>(measured.cycles)) {}

  void look_at_actors() {
    for (std::size_t a = 0; a < program_.actors().size(); ++a) {
      const StreamProgram::Actor& actor = program_.actors()[a];
      const double cycles = static_cast<double>(actor.repetitions) * static_cast<double>(actor.firing_cycles);
      offer("compute", rate_ * cycles,
            [&] { return fmt::format("actor {} at node {}", program_.graph().actors[a].name, actor.node.value); });
    }
  }

  void look_at_links(const routing::Topology& topology, const MeasuredStreams& measured) {
    std::size_t link = 0;
    each_link(topology, [&](RouterId router, PortId, const routing::Port& port) {
      const double share = static_cast<double>(measured.link_flits[link++]) / static_cast<double>(measured.cycles);
      offer("link", share, [&] {
        return fmt::format("link {} {} -> {}", topology.router_names[router.value], port.name,
                           topology.router_names[port.peer_router.value]);
      });
    });
  }

  /// A stream keeps to a local port on its way in; what comes out takes any of its node's. A node may serve fewer of
  /// them in a cycle.
  void look_at_nodes() {
    std::vector<double> sent(local_ports(), 0.0), taken(ports_.first.size(), 0.0);
    for (const StreamProgram::Edge& edge : program_.edges()) {
      const double items = needed(edge);
      if (!edge.tree) sent[edge.source_port] += items;
      taken[edge.destination.value] += items;
      if (!pull_) continue;
      const double requests = items / program_.options().pull_block_items;
      sent[edge.destination_port] += requests;
      taken[edge.source.value] += requests;
    }
    for (std::size_t n = 0; n < ports_.first.size(); ++n) {
      for (std::size_t p = 0; p < ports_.count[n]; ++p) {
        offer("injection", rate_ * sent[ports_.first[n] + p],
              [&] { return fmt::format("local port {} of node {}", p, n); });
      }
      const auto first = sent.begin() + static_cast<std::ptrdiff_t>(ports_.first[n]);
      const double all = std::accumulate(first, first + static_cast<std::ptrdiff_t>(ports_.count[n]), 0.0);
      offer_node("injection", n, all, injection_);
    }
    for (std::size_t n = 0; n < ports_.first.size(); ++n) offer_node("ejection", n, taken[n], ejection_);
  }

  /// So many blocks are on their way at once at most, each for a request's way there and a response's way back.
  void look_at_round_trips() {
    if (!pull_) return;
    const StreamOptions& options = program_.options();
    const double most = static_cast<double>(options.pull_outstanding) * options.pull_block_items;
    for (std::size_t e = 0; e < program_.edges().size(); ++e) {
      const StreamProgram::Edge& edge = program_.edges()[e];
      const double cycles = edge.requests.mean() + edge.responses.mean();
      offer("round_trip", rate_ * needed(edge) * cycles / most,
            [&] { return fmt::format("{}: {:.4g} cycles there and back", program_.edge_name(e), cycles); });
    }
  }

  std::optional<StreamBound> best() const {
    if (!(rate_ > 0.0) || best_.kind.empty()) return std::nullopt;
    StreamBound bound = best_;
    bound.iterations_per_kilocycle = 1000.0 * rate_ / bound.reached;
    return bound;
  }

 private:
  /// Items of an iteration.
  double needed(const StreamProgram::Edge& edge) const {
    return static_cast<double>(edge.rates.push) * static_cast<double>(program_.actors()[edge.rates.from].repetitions);
  }
  std::size_t local_ports() const {
    std::size_t most = 0;
    for (std::size_t n = 0; n < ports_.first.size(); ++n) most = std::max(most, ports_.first[n] + ports_.count[n]);
    return most;
  }
  /// Items that a node moves in an iteration, one way.
  void offer_node(const char* kind, std::size_t node, double items, std::uint32_t bound) {
    offer(kind, rate_ * items / static_cast<double>(served(bound, ports_.count[node])),
          [&] { return fmt::format("node {}", node); });
  }
  template <class Place>
  void offer(const char* kind, double share, const Place& place) {
    if (share > best_.reached) best_ = {kind, place(), 0.0, share};
  }

  const StreamProgram& program_;
  const LocalPortMap& ports_;
  const bool circuits_;
  const std::uint32_t injection_, ejection_;  // NodeBandwidth's
  const bool pull_;
  const double rate_;  // iterations a cycle
  StreamBound best_;
};

}  // namespace

std::vector<std::uint64_t> link_flits(const routing::Topology& topology, const Fabric& fabric) {
  std::vector<std::uint64_t> all;
  each_link(topology, [&](RouterId router, PortId port, const routing::Port&) {
    const Fabric::LinkUse use = fabric.link_use(router, port);
    all.push_back(use.packet_flits + use.circuit_flits);
  });
  return all;
}

std::optional<StreamBound> stream_bound(const StreamProgram& program, const NodePorts& nodes,
                                        const routing::Topology& topology, const MeasuredStreams& measured) {
  BoundSearch search(program, nodes, measured);
  search.look_at_actors();
  search.look_at_links(topology, measured);
  search.look_at_nodes();
  search.look_at_round_trips();
  return search.best();
}

}  // namespace braid::models
