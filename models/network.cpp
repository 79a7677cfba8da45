#include "models/network.h"

#include <fmt/format.h>

#include <algorithm>

namespace braid::models {
namespace {

bool uses_circuits(const Experiment& e) { return e.stream && e.interface.switching == Switching::kCircuit; }

/// Flits, and packets' tails, that a channel carries.
struct Census {
  std::uint64_t flits = 0;
  std::uint64_t tails = 0;
  void add(const Flit& flit) {
    ++flits;
    tails += flit.tail() ? 1 : 0;
  }
};

void count_channel(const Channel& channel, Census& census) {
  for (const Channel::Slot& slot : channel.slots()) {
    for (const FlitArrival& a : slot.packets) census.add(a.flit);
    for (const FlitArrival& a : slot.circuits) census.add(a.flit);
    for (const FlitArrival& a : slot.ejections) census.add(a.flit);
  }
}

}  // namespace

Network::Network(const Experiment& experiment, const routing::Topology& topology,
                 const routing::RoutingAlgorithm& routing, std::size_t slices)
    : experiment_((check_experiment(experiment), experiment)),
      topology_(topology),
      bank_(topology, experiment.router, uses_circuits(experiment), routing.max_candidates()),
      setup_units_(topology, bank_, experiment.router.share_reserved_links),
      slice_of_router_(topology.router_count()),
      next_sequence_(topology.node_count()) {
  const std::size_t routers = topology.router_count();
  slices = std::clamp<std::size_t>(slices, 1, experiment.interface.ideal ? 1 : routers);
  std::vector<RouterRange> ranges;
  for (std::size_t s = 0; s < slices; ++s) {
    const RouterRange range{static_cast<std::uint32_t>(routers * s / slices),
                            static_cast<std::uint32_t>(routers * (s + 1) / slices)};
    std::fill(slice_of_router_.begin() + range.first, slice_of_router_.begin() + range.last,
              static_cast<std::uint32_t>(s));
    ranges.push_back(range);
  }
  const Slice::Shared shared{bank_, store_, routing, experiment_.router, setup_units_, slice_of_router_};
  for (const RouterRange& range : ranges) slices_.push_back(std::make_unique<Slice>(shared, range));
  for (PortIndex p = 0; p < bank_.input_port_count(); ++p) {
    const PortIndex feeder = bank_.upstream[p];
    if (feeder == kNone || bank_.is_injection_port(feeder)) continue;
    Slice& from = *slices_[slice_of_router_[bank_.router_of(feeder).value]];
    Slice& to = *slices_[slice_of_router_[bank_.router_of(p).value]];
    from.connect(to);
    to.connect(from);  // credits
  }
  for (const auto& slice : slices_) slice->build_wires();
  std::vector<std::vector<NodeId>> nodes_of_slice(slices);
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    nodes_of_slice[slice_of_router_[topology.router_of(NodeId{n}).value]].push_back(NodeId{n});
    local_ports_.first.push_back(bank_.first_local_port[n]);
    local_ports_.count.push_back(topology.nodes[n].size());
  }
  build_program();
  build_endpoints(nodes_of_slice);
}

void Network::build_program() {
  if (!experiment_.stream) return;
  const traffic::StreamGraph graph = traffic::read_stream_graph(experiment_.stream->graph);
  const std::vector<NodeId> placement =
      traffic::place(graph, topology_, experiment_.stream->placement, experiment_.seed);
  program_ = std::make_unique<StreamProgram>(graph, placement, *experiment_.stream, experiment_.interface);
  std::vector<std::size_t> outgoing(topology_.node_count()), incoming(topology_.node_count());
  for (StreamProgram::Edge& edge : program_->edges()) {  // a node's edges take its local ports in turn
    const std::size_t from = edge.source.value, to = edge.destination.value;
    edge.source_port = local_ports_.first[from] + outgoing[from]++ % local_ports_.count[from];
    edge.destination_port = local_ports_.first[to] + incoming[to]++ % local_ports_.count[to];
  }
  if (!uses_circuits(experiment_)) {
    program_->start(Switching::kPacket);
    return;
  }
  sequencer_ =
      std::make_unique<SetupSequencer>(topology_, bank_, setup_units_, *program_, experiment_.setup, experiment_.seed,
                                       [this](RouterId r) -> Slice& { return *slices_[slice_of_router_[r.value]]; });
}

void Network::build_endpoints(const std::vector<std::vector<NodeId>>& nodes_of_slice) {
  if (experiment_.synthetic) {
    const SyntheticTraffic& options = *experiment_.synthetic;
    synthetic_ = SyntheticPolicies{
        options, traffic::PatternRegistry::instance().make(options.pattern.pattern, topology_, options.pattern),
        traffic::LengthRegistry::instance().make(options.length.distribution, options.length)};
  }
  if (experiment_.interface.ideal) ideal_ = std::make_unique<IdealNetwork>(store_, local_ports_.count);
  const Endpoints::Shared shared{experiment_,    local_ports_,  store_, synthetic_ ? &*synthetic_ : nullptr,
                                 program_.get(), next_sequence_};
  for (std::size_t s = 0; s < slices_.size(); ++s) {
    NetworkInterfaces& interfaces = slices_[s]->interfaces();
    PacketTransport& transport = ideal_ ? static_cast<PacketTransport&>(*ideal_) : interfaces;
    pools_.push_back(std::make_unique<PacketStore::Pool>(store_));
    statistics_.push_back(std::make_unique<Statistics>(window_, topology_.node_count()));
    endpoints_.push_back(
        std::make_unique<Endpoints>(shared, *pools_[s], transport, *statistics_[s], nodes_of_slice[s]));
    interfaces.set_sink(endpoints_[s].get());
  }
  if (ideal_) ideal_->set_sink(endpoints_.front().get());
}

void Network::compute(std::size_t s) {
  if (ideal_) return;
  slices_[s]->traverse_switch(now_);
  slices_[s]->allocate_switch(now_);
  slices_[s]->allocate_vcs();
}

void Network::commit(std::size_t s) {
  if (ideal_) {
    ideal_->commit(now_);
  } else {
    slices_[s]->commit(now_);
  }
  endpoints_[s]->generate(now_);
}

void Network::end_cycle() {
  if (sequencer_ && !sequencer_->done()) sequencer_->step(now_);
  ++now_;
}

Statistics::Interval Network::take_interval() {
  Statistics::Interval sum;
  for (const auto& s : statistics_) {
    const Statistics::Interval i = s->take_interval();
    sum.packets += i.packets;
    sum.flits += i.flits;
    sum.latency_sum += i.latency_sum;
  }
  return sum;
}

std::uint64_t Network::measured_packets_under_way() const {
  std::uint64_t created = 0, delivered = 0;
  for (const auto& s : statistics_) {
    created += s->measured_created();
    delivered += s->measured_delivered();
  }
  return created - delivered;
}

Statistics Network::merged_statistics() const {
  Statistics all(window_, topology_.node_count());
  for (const auto& s : statistics_) all.merge(*s);
  return all;
}

std::uint64_t Network::flit_hops() const {
  std::uint64_t hops = 0;
  for (const auto& s : slices_) hops += s->switch_traversals();
  return hops;
}

std::uint64_t Network::flits_injected() const {
  if (ideal_) return ideal_->flits_injected();
  std::uint64_t flits = 0;
  for (const auto& s : slices_) flits += s->interfaces().flits_injected();
  return flits;
}

std::uint64_t Network::flits_delivered() const {
  if (ideal_) return ideal_->flits_delivered();
  std::uint64_t flits = 0;
  for (const auto& s : slices_) flits += s->interfaces().flits_delivered();
  return flits;
}

Conservation Network::conservation() const {
  Conservation c;
  for (const auto& s : statistics_) {
    c.packets_created += s->packets_created();
    c.packets_delivered += s->packets_delivered();
  }
  c.flits_injected = flits_injected();
  c.flits_delivered = flits_delivered();
  if (ideal_) {
    c.packets_in_flight = ideal_->packets_in_flight();
    c.flits_in_flight = ideal_->flits_on_links();
    return c;
  }
  Census census;
  for (VcIndex v = 0; v < bank_.input_vc_count(); ++v) {
    for (std::uint32_t i = 0; i < bank_.input_vcs[v].count; ++i) census.add(bank_.buffered(v, i));
  }
  for (const auto& s : slices_) {
    for (const Slice::Traversal& t : s->switch_register()) census.add(t.flit);
    for (const auto& channel : s->outgoing()) count_channel(*channel, census);
    s->interfaces().for_each_held([&](const Flit& flit) { census.add(flit); });
    c.packets_in_flight += s->interfaces().packets_queued();
  }
  c.packets_in_flight += census.tails;
  c.flits_in_flight = census.flits;
  return c;
}

void Network::stop_sources() {
  for (const auto& e : endpoints_) e->stop_sources();
}

void Network::send_packet(NodeId from, NodeId to, std::uint32_t flits) {
  const std::uint64_t created = now_ == 0 ? 0 : now_ - 1;
  endpoints_[slice_of_router_[topology_.router_of(from).value]]->send(created, from, to, flits);
}

}  // namespace braid::models
