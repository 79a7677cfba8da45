#include "models/families/hybrid/setup_sequencer.h"

#include <algorithm>
#include <numeric>

namespace braid::models::hybrid {

SetupSequencer::SetupSequencer(const routing::Topology& topology, RouterBank& bank, SetupUnits& units,
                               CircuitUser& user, const Options& options, std::uint64_t seed,
                               std::function<Slice&(RouterId)> slice_of)
    : topology_(topology),
      bank_(bank),
      units_(units),
      user_(user),
      requests_(user.circuits()),
      options_(options),
      random_(seed, "setup.order"),
      slice_of_(std::move(slice_of)),
      order_(requests_.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return requests_[a].source < requests_[b].source; });
  for (const CircuitRequest& request : requests_) units_.prepare(request.destination);
  results_.attempted = true;
  results_.orders_tried = 1;
}

void SetupSequencer::step(std::uint64_t cycle) {
  switch (state_) {
    case State::kPassToken:
      if (cycle >= wait_until_) start_search(cycle);
      break;
    case State::kSearching:
      if (units_.outcome().done) end_search(cycle);
      break;
    case State::kTearingDown:
      if (units_.outcome().done) start_tear_down(cycle);
      break;
    case State::kDone:
      break;
  }
}

void SetupSequencer::pass_token(std::uint64_t cycle) {
  state_ = State::kPassToken;
  wait_until_ = cycle + options_.setup_token_cycles;
}

void SetupSequencer::start_search(std::uint64_t cycle) {
  if (position_ == order_.size()) {
    end_order(cycle, true);
    return;
  }
  const CircuitRequest& request = requests_[order_[position_]];
  in_vc_ = bank_.first_lane(topology_.nodes[request.source.value],
                            [&](VcIndex in) { return bank_.circuit_out(in) == kNone; });
  if (in_vc_ == kNone) {  // on every lane of the node's injection links a circuit starts already
    give_up_order(cycle);
    return;
  }
  state_ = State::kSearching;
  started_ = cycle;
  units_.outcome() = {};
  ++search_;
  send_request(cycle, in_vc_, ControlKind::kProbe, request.destination);
}

void SetupSequencer::send_request(std::uint64_t cycle, VcIndex in_vc, ControlKind kind, NodeId destination) {
  const PortIndex port = bank_.port_of_vc(in_vc);
  slice_of_(bank_.router_of(port))
      .send_local_control(cycle, {port, kind, search_, destination, bank_.circuit_of(in_vc)});
}

void SetupSequencer::end_search(std::uint64_t cycle) {
  const SearchOutcome outcome = units_.outcome();
  if (!outcome.success) {
    give_up_order(cycle);
    return;
  }
  const std::uint32_t edge = order_[position_];
  CircuitResult circuit = path_of_circuit(edge, in_vc_);
  circuit.setup_cycles = outcome.cycle - started_;
  circuit.backtracks = outcome.backtracks;
  results_.circuits.push_back(circuit);
  established_.push_back(in_vc_);
  user_.circuit_found(edge, bank_.local_port_of_injection(bank_.upstream[bank_.port_of_vc(in_vc_)]),
                      bank_.circuit_of(in_vc_));
  ++position_;
  pass_token(cycle);
}

void SetupSequencer::give_up_order(std::uint64_t cycle) {
  results_.failed_stream = requests_[order_[position_]].name;
  start_tear_down(cycle);
}

/// Takes down the circuits of a failed order, one by one, then tries the next order.
void SetupSequencer::start_tear_down(std::uint64_t cycle) {
  if (established_.empty()) {
    results_.circuits.clear();
    end_order(cycle, false);
    return;
  }
  state_ = State::kTearingDown;
  units_.outcome() = {};
  send_request(cycle, established_.back(), ControlKind::kTearDown, NodeId{0});
  established_.pop_back();
}

void SetupSequencer::end_order(std::uint64_t cycle, bool success) {
  if (success || results_.orders_tried > options_.setup_retries) {
    results_.fell_back_to_packets = !success;
    if (success) results_.failed_stream.clear();
    results_.total_cycles = cycle;
    state_ = State::kDone;
    user_.set_up(success);
    return;
  }
  for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random_.below(i)]);
  position_ = 0;
  ++results_.orders_tried;
  pass_token(cycle);
}

CircuitResult SetupSequencer::path_of_circuit(std::uint32_t edge, VcIndex in_vc) const {
  CircuitResult circuit;
  circuit.stream = requests_[edge].name;
  circuit.source = requests_[edge].source;
  circuit.destination = requests_[edge].destination;
  for (;;) {
    const PortIndex out = bank_.port_of_vc(bank_.circuit_out(in_vc));
    circuit.path.push_back({bank_.router_of(out), PortId{bank_.port_of(out)}});
    if (bank_.links[out].to_node) return circuit;
    in_vc = bank_.circuit_vc(bank_.links[out].target);
  }
}

}  // namespace braid::models::hybrid
