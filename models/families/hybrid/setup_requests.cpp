#include "models/families/hybrid/setup_requests.h"

namespace braid::models::hybrid {

SetupRequests::SetupRequests(const routing::Topology& topology, RouterBank& bank, SetupUnits& units,
                             std::vector<CircuitRequest> circuits, std::function<Slice&(RouterId)> slice_of)
    : topology_(topology),
      bank_(bank),
      units_(units),
      circuits_(std::move(circuits)),
      slice_of_(std::move(slice_of)),
      lanes_(circuits_.size(), kNone) {
  for (const CircuitRequest& request : circuits_) units_.prepare(request.destination);
}

void SetupRequests::change(std::size_t circuit, const CircuitRequest& request) {
  if (circuit == circuits_.size()) {
    circuits_.push_back(request);
    lanes_.push_back(kNone);
  }
  circuits_[circuit] = request;
  units_.prepare(request.destination);
}

void SetupRequests::follow_planned(std::size_t circuit) {
  if (circuit < planned_->size()) units_.follow(&(*planned_)[circuit]);
}

bool SetupRequests::search(std::uint64_t cycle, std::size_t circuit, bool avoids) {
  if (planned_) {
    if (planned_->empty()) return false;
    follow_planned(circuit);
  }
  const CircuitRequest& request = circuits_[circuit];
  asked_ = {true, cycle, circuit, ControlKind::kProbe};
  lanes_[circuit] = bank_.first_lane(topology_.nodes[request.source.value],
                                     [&](VcIndex in) { return bank_.circuit_out(in) == kNone; });
  if (lanes_[circuit] == kNone) return false;
  started_ = cycle;
  ++searches_;
  last_avoids_ = avoids;
  send(cycle, lanes_[circuit], ControlKind::kProbe, request.destination, searches_ | (avoids ? kAvoids : 0));
  return true;
}

bool SetupRequests::renumber(std::uint64_t cycle, std::uint32_t numbers) {
  if (searches_ + numbers <= most_searches_) return false;
  asked_ = {true, cycle, asked_.circuit, ControlKind::kAcknowledge};
  for (std::size_t r = 0; r < topology_.router_count(); ++r) {
    const PortIndex port = bank_.port_index(RouterId{r}, PortId{std::size_t{0}});
    slice_of_(RouterId{r}).send_local_control(cycle, {port, ControlKind::kAcknowledge, 0, NodeId{0}});
  }
  searches_ = 0;
  return true;
}

void SetupRequests::tear_down(std::uint64_t cycle, std::size_t circuit) {
  asked_ = {true, cycle, circuit, ControlKind::kTearDown};
  send(cycle, lanes_[circuit], ControlKind::kTearDown, NodeId{0}, searches_);
}

void SetupRequests::send(std::uint64_t cycle, VcIndex in_vc, ControlKind kind, NodeId destination,
                         std::uint32_t search) {
  units_.outcome() = {};
  const PortIndex port = bank_.port_of_vc(in_vc);
  slice_of_(bank_.router_of(port))
      .send_local_control(cycle, {port, kind, search, destination, bank_.circuit_of(in_vc)});
}

CircuitResult SetupRequests::take_found(std::size_t circuit) {
  const CircuitRequest& request = circuits_[circuit];
  CircuitResult found{request.name, request.source, request.destination, {}, 0, 0};
  last_lane(lanes_[circuit], &found.path);
  found.setup_cycles = outcome().cycle - started_;
  found.backtracks = outcome().backtracks;
  return found;
}

/// Walks a circuit to the lane of the ejection link on which it ends.
VcIndex SetupRequests::last_lane(VcIndex in_vc, std::vector<CircuitResult::Step>* path) const {
  for (;;) {
    const VcIndex out_vc = bank_.circuit_out(in_vc);
    const PortIndex out = bank_.port_of_vc(out_vc);
    if (path != nullptr) path->push_back({bank_.router_of(out), PortId{bank_.port_of(out)}});
    if (bank_.links[out].to_node) return out_vc;
    in_vc = bank_.circuit_vc(bank_.links[out].target);
  }
}

SetupRequests::End SetupRequests::source(std::size_t circuit) const {
  const PortIndex link = bank_.upstream[bank_.port_of_vc(lanes_[circuit])];
  return {bank_.local_port_of_injection(link), bank_.circuit_of(lanes_[circuit]), bank_.links[link].latency_cycles};
}

SetupRequests::End SetupRequests::destination(std::size_t circuit) const {
  const VcIndex out_vc = last_lane(lanes_[circuit], nullptr);
  const Link& link = bank_.links[bank_.port_of_vc(out_vc)];
  return {link.target, bank_.circuit_of(out_vc), link.latency_cycles};
}

const NetworkInterfaces& SetupRequests::interfaces(NodeId node) const {
  return slice_of_(topology_.router_of(node)).interfaces();
}

bool SetupRequests::all_sent(std::size_t circuit) const {
  const End end = source(circuit);
  return interfaces(circuits_[circuit].source).all_sent(end.local_port, end.lane);
}

bool SetupRequests::all_taken(std::size_t circuit, const End& end) const {
  return interfaces(circuits_[circuit].destination).all_taken(end.local_port, end.lane);
}

bool SetupRequests::on_avoided_link(const CircuitResult& circuit) const {
  for (const CircuitResult::Step& step : circuit.path) {
    if (units_.avoided(bank_.port_index(step.router, step.port))) return true;
  }
  return false;
}

}  // namespace braid::models::hybrid
