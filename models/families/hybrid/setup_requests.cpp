#include "models/families/hybrid/setup_requests.h"

#include <algorithm>
#include <numeric>

#include "models/families/hybrid/circuit_forks.h"

namespace braid::models::hybrid {

SetupRequests::SetupRequests(const routing::Topology& topology, RouterBank& bank, SetupUnits& units,
                             std::vector<CircuitRequest> circuits, std::function<Slice&(RouterId)> slice_of,
                             CircuitForks* forks)
    : topology_(topology),
      bank_(bank),
      units_(units),
      circuits_(std::move(circuits)),
      slice_of_(std::move(slice_of)),
      lanes_(circuits_.size(), kNone),
      forks_(forks),
      trees_(circuits_.size()) {
  std::iota(trees_.begin(), trees_.end(), std::size_t{0});
  for (const CircuitRequest& request : circuits_) units_.prepare(request.destination);
}

void SetupRequests::change(std::size_t circuit, const CircuitRequest& request) {
  if (circuit == circuits_.size()) {
    circuits_.push_back(request);
    lanes_.push_back(kNone);
    trees_.push_back(circuit);
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
  if (forks_ != nullptr) {
    forks_->begin_search(static_cast<std::uint32_t>(circuit));
    trees_[circuit] = standing_tree(circuit);
  }
  const auto is_free = [&](VcIndex in) { return bank_.circuit_out(in) == kNone; };
  lanes_[circuit] = trees_[circuit] != circuit ? lanes_[trees_[circuit]]
                                               : bank_.first_lane(topology_.nodes[request.source.value], is_free);
  if (lanes_[circuit] == kNone) return false;
  started_ = cycle;
  ++searches_;
  last_avoids_ = avoids;
  send(cycle, lanes_[circuit],
       {0, ControlKind::kProbe, searches_ | (avoids ? kAvoids : 0), request.destination, 0,
        request.copies ? static_cast<std::uint32_t>(trees_[circuit] + 1) : 0});
  return true;
}

/// The first that stands: of a circuit with links of its own alone the tree's number is the circuit's.
std::size_t SetupRequests::standing_tree(std::size_t circuit) const {
  const CircuitRequest& request = circuits_[circuit];
  for (std::size_t c = 0; c < circuits_.size() && request.copies; ++c) {
    const bool same = c != circuit && circuits_[c].copies == request.copies && lanes_[c] != kNone;
    if (same && forks_->tree(lanes_[c]) == c + 1) return c;
  }
  return circuit;
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
  const std::uint64_t ends = forks_ == nullptr ? 1 : forks_->leaves(lanes_[circuit]);
  send(cycle, lanes_[circuit], {0, ControlKind::kTearDown, searches_, NodeId{0}});
  units_.outcome().ends = ends;
}

void SetupRequests::send(std::uint64_t cycle, VcIndex in_vc, ControlMessage message) {
  units_.outcome() = {};
  message.port = bank_.port_of_vc(in_vc);
  message.circuit = bank_.circuit_of(in_vc);
  slice_of_(bank_.router_of(message.port)).send_local_control(cycle, message);
}

CircuitResult SetupRequests::take_found(std::size_t circuit) {
  const CircuitRequest& request = circuits_[circuit];
  CircuitResult found{request.name, request.source, request.destination, {}, 0, 0};
  if (forks_ != nullptr) {
    walk_back(circuit, found);
  } else {
    last_lane(lanes_[circuit], &found.path);
  }
  found.setup_cycles = outcome().cycle - started_;
  found.backtracks = outcome().backtracks;
  return found;
}

/// From the lane of the ejection link on which a circuit ends to its source: forward a tree has several ways.
void SetupRequests::walk_back(std::size_t circuit, CircuitResult& found) const {
  std::uint64_t shared = 0;
  for (VcIndex out_vc = forks_->end_of(static_cast<std::uint32_t>(circuit));;) {
    const PortIndex out = bank_.port_of_vc(out_vc);
    found.path.push_back({bank_.router_of(out), PortId{bank_.port_of(out)}});
    shared += !bank_.links[out].to_node && forks_->circuit_of(out_vc) != circuit ? 1 : 0;
    const PortIndex before = bank_.upstream[bank_.port_of_vc(bank_.circuit_in(out_vc))];
    if (bank_.is_injection_port(before)) break;
    out_vc = bank_.circuit_vc(before);
  }
  std::reverse(found.path.begin(), found.path.end());
  if (trees_[circuit] != circuit) found.shared_links = shared;
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
