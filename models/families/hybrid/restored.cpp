// What comes from a checkpoint is looked at before anything of it is an index: every register names what there is, and
// registers that name each other agree. Then the lists of the stages cannot overflow, whoever wrote the checkpoint.
#include <algorithm>

#include "models/families/hybrid/circuit_forks.h"
#include "models/families/hybrid/parallel_setup.h"
#include "models/families/hybrid/rerouting.h"
#include "models/families/hybrid/setup_sequencer.h"
#include "models/families/hybrid/shared_buffers.h"
#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {

void RouterBank::check_restored(const Checkpoint& c, const CircuitForks* forks) const {
  const std::size_t outputs = output_vc_storage_.size();
  for (PortIndex p = 0; p < wiring_.links.size(); ++p) {
    c.index(free_vcs[p], std::uint64_t{1} << vcs_, "set of free VCs");
    for (std::uint32_t lane = 0; lane < lane_stride(); ++lane) {
      const OutputVc& out = output_vcs[vc_index(p, lane)];
      c.index(out.credits, std::uint64_t{depth_mask_} + 2, "number of credits");
      if (out.owner == kNone) continue;
      c.index(out.owner, input_vc_storage_.size(), "owner of an output VC");
      const VcIndex v = vc_index(p, lane);
      const bool forked = input_vcs[out.owner].state == VcState::kForked;
      c.expect(forked || input_vcs[out.owner].out_vc == v || (forks != nullptr && is_circuit_lane(lane)),
               "an output VC whose owner has another one");
    }
  }
  for (PortIndex p = 0; p < router_port_count(); ++p) {
    c.index(switch_requests[p], std::uint64_t{1} << lanes(), "set of switch requests");
    for (std::uint32_t lane = 0; lane < lane_stride(); ++lane) {
      const VcIndex v = vc_index(p, lane);
      const InputVc& vc = input_vcs[v];
      c.index(static_cast<unsigned>(vc.state), 5, "state of a VC");
      c.index(vc.first, std::uint64_t{depth_mask_} + 1, "place in a buffer");
      c.index(vc.count, std::uint64_t{depth_mask_} + 2, "number of flits in a buffer");
      c.expect(vc.count == 0 || wiring_.upstream[p] != kNone, "flits at a port that nothing feeds");
      for (std::uint32_t i = 0; i < vc.count; ++i) c.packet(buffered(v, i).packet());
      c.expect((vc.state == VcState::kActive) == (vc.out_vc != kNone), "a VC that is active without an output VC");
      const bool requests = (switch_requests[p] >> lane & 1) != 0;
      c.expect(!requests || (vc.state == VcState::kActive && vc.count > 0), "a switch request without a flit");
      if (vc.out_vc != kNone) {
        c.index(vc.out_vc, outputs, "output VC");
        const PortIndex out = port_of_vc(vc.out_vc);
        c.expect(output_vcs[vc.out_vc].owner == v, "a VC whose output VC another one has");
        c.expect(out < router_port_count() && router_of(out) == router_of(p) && links[out].target != kNone,
                 "a packet that leaves another router");
      }
      if (vc.state != VcState::kWaitsForVc) continue;
      c.expect(vc.count > 0 && ways[v] > 0 && ways[v] <= max_candidates_, "a head without a way on");
      for (std::uint32_t i = 0; i < ways[v]; ++i) {
        const routing::Candidate& way = candidates(v)[i];
        c.index(way.port.value, port_stride(), "port");
        c.index(way.vcs, std::uint64_t{1} << vcs_, "set of VCs");
        c.expect(links[port_index(router_of(p), way.port)].target != kNone, "a way that leads nowhere");
      }
    }
  }
  if (shared_buffers_) shared_buffers_->check_restored(c);
}

void SetupUnits::check_restored() const {
  for (const History& history : history_) {
    if (history.in_vc != kNone) Checkpoint::index(history.in_vc, bank_.input_vc_count(), "circuit lane");
  }
}

void NetworkInterfaces::check_restored(const Checkpoint& c) const {
  if (turns_ != nullptr) turns_->check_restored(c);
  const std::uint64_t lanes = bank_.circuit_lanes();
  for (std::size_t i = first_; i < last_; ++i) {
    const LocalPort& p = port(i);
    if (p.out_vc != kNone) {
      c.expect(!p.packets.empty() && bank_.port_of_vc(p.out_vc) == bank_.injection_port(i) &&
                   bank_.lane_of(p.out_vc) < bank_.vcs(),
               "a node that injects nothing, or elsewhere");
    }
    c.expect(busy_.contains(i - first_) == (!p.packets.empty() || p.sending != 0),
             "a node that is to send nothing, or forgets what it has");
    c.index(p.vc_pointer, bank_.vcs(), "VC");
    c.index(p.sending, std::uint64_t{1} << lanes, "set of circuits");
    c.index(p.holding, std::uint64_t{1} << lanes, "set of circuits");
    c.index(p.send_turn, lanes + 1, "circuit");
    c.index(p.take_turn, lanes + 1, "circuit");
    for (std::uint32_t lane = 0; lane < p.circuits.size(); ++lane) {
      const Circuit& circuit = p.circuits[lane];
      c.expect((p.sending >> lane & 1) == (circuit.packets.empty() ? 0 : 1), "a circuit with nothing to send");
      c.expect((p.holding >> lane & 1) == (circuit.held.empty() ? 0 : 1), "a circuit with nothing to take");
      for (const Flit& flit : circuit.held) c.packet(flit.packet());
    }
  }
}

/// Where a flit comes in: a VC of the slice's routers.
void Slice::check_arrivals(const Checkpoint& c, const WorkList<FlitArrival>& flits) const {
  const BankView& bank = shared_.bank;
  for (const FlitArrival& arrival : flits) {
    c.packet(arrival.flit.packet());
    c.index(arrival.flit.vc(), bank.lanes(), "lane");
    const PortIndex port = bank.port_of_vc(arrival.target);
    c.expect(bank.lane_of(arrival.target) == 0 && port >= first_port(bank) &&
                 port < first_port(bank) + range_.size() * bank.port_stride(),
             "a flit on the way to no router");
  }
}

void Slice::check_slot(const Checkpoint& c, const Channel::Slot& slot) const {
  const BankView& bank = shared_.bank;
  check_arrivals(c, slot.packets);
  check_arrivals(c, slot.circuits);
  for (const FlitArrival& arrival : slot.packets) {
    c.expect(!bank.is_circuit_lane(arrival.flit.vc()), "a packet's flit on a circuit");
  }
  for (const FlitArrival& arrival : slot.circuits) {
    const VcIndex in = arrival.target + arrival.flit.vc();
    c.expect(bank.is_circuit_lane(arrival.flit.vc()) && bank.circuit_out(in) != kNone, "a flit on a circuit that ends");
  }
  std::vector<bool> to(interfaces_.last_local_port());
  for (const FlitArrival& arrival : slot.ejections) {
    c.packet(arrival.flit.packet());
    c.index(arrival.flit.vc(), bank.lanes(), "lane");
    c.expect(arrival.target >= interfaces_.first_local_port() && arrival.target < interfaces_.last_local_port(),
             "a flit on the way to no node");
    c.expect(!to[arrival.target], "two flits on a link to a node");
    to[arrival.target] = true;
  }
  for (const VcIndex credit : slot.credits) c.index(credit, shared_.bank.output_vc_count(), "output VC");
  for (const ControlMessage& message : slot.control) {
    c.index(message.port, bank.router_port_count(), "port");
    c.index(static_cast<unsigned>(message.kind), 4, "kind of message");
    c.index(message.circuit, bank.circuit_lanes(), "circuit");
    const bool searches = message.kind == ControlKind::kProbe || message.kind == ControlKind::kBacktrack;
    if (searches) shared_.setup.check_destination(message.destination);
  }
}

void Slice::check_restored(const Checkpoint& c) const {
  const BankView& bank = shared_.bank;
  interfaces_.check_restored(c);
  const std::size_t ports = range_.size() * bank.port_stride();
  for (std::size_t i = 0; i < ports; ++i) {
    c.expect(requesting_.contains(i) == (bank.switch_requests[first_port(bank) + i] != 0), "a switch request of no VC");
  }
  const auto mine = [&](VcIndex v) {
    const PortIndex port = bank.port_of_vc(v);
    return port >= first_port(bank) && port < first_port(bank) + ports;
  };
  std::vector<bool> listed(shared_.bank.input_vc_count());
  for (const auto* list : {&waiting_for_vc_, &heads_}) {
    for (const VcIndex v : *list) {
      c.expect(mine(v) && !listed[v] && bank.input_vcs[v].count > 0, "a list with a VC twice, or an empty one");
      listed[v] = true;
    }
  }
  for (const VcIndex v : waiting_for_vc_) {
    c.expect(bank.input_vcs[v].state == VcState::kWaitsForVc, "a VC that waits and is in another state");
  }
  std::vector<bool> crossing(ports);
  for (const auto* list : {&traversals_, &copies_}) {
    for (const Traversal& t : *list) {
      c.packet(t.flit.packet());
      c.index(t.flit.vc(), bank.lanes(), "lane");
      const std::size_t out = t.out_port - first_port(bank);
      const bool twice = shared_.router.output_speedup == 1 && out < ports && crossing[out];
      c.expect(mine(t.in_vc) && bank.upstream[bank.port_of_vc(t.in_vc)] != kNone && out < ports && !twice &&
                   bank.links[t.out_port].target != kNone,
               "a flit that crosses no switch");
      crossing[out] = true;
    }
  }
  if (!speedup_of(shared_.router).empty()) check_crossing(c);
  if (output_buffers_) output_buffers_->check_restored(c, bank);
  for (const Channel* channel : channels_.incoming()) {
    for (const Channel::Slot& slot : channel->slots()) check_slot(c, slot);
  }
}

void SetupRequests::check_end(const End& end) const {
  Checkpoint::index(end.local_port, bank_.wiring().local_ports.size(), "local port");
  Checkpoint::index(end.lane, bank_.circuit_lanes(), "circuit");
}

void SetupRequests::check_path(const std::vector<CircuitResult::Step>& path) const {
  for (const CircuitResult::Step& step : path) {
    Checkpoint::index(step.port.value, topology_.port_count(step.router), "port");
  }
}

void SearchUnits::check_message(const Checkpoint& c, const SearchMessage& m) {
  c.index(m.lane, bank_.input_vc_count(), "circuit lane");
  c.expect(bank_.is_circuit_lane(bank_.lane_of(m.lane)), "a search on no circuit lane");
  c.index(m.stream, ages_.size(), "circuit");
  c.index(static_cast<unsigned>(m.kind), 5, "kind of message");
  ++messages_;
  if (m.kind == SearchKind::kRipUp || m.kind == SearchKind::kRippedUp) ++rips_[m.stream];
}

/// Who holds which lane, and how many messages there are, is read from the entries and messages.
void SearchUnits::check_restored(const Checkpoint& c) {
  c.expect(backtracks_.size() == rips_.size() && ages_.size() == rips_.size(), "another number of circuits");
  for (const std::uint32_t age : ages_) c.index(age, ages_.size(), "age");
  messages_ = 0;
  std::fill(rips_.begin(), rips_.end(), 0U);
  std::fill(holders_.begin(), holders_.end(), kNone);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& e = entries_[i];
    if (e.in != kNone) c.index(e.in, bank_.input_vc_count(), "circuit lane");
    if (e.out == kNone) continue;
    c.index(e.out, bank_.output_vc_count(), "circuit lane");
    c.expect(e.in != kNone && bank_.circuit_out(e.in) == e.out && bank_.circuit_in(e.out) == e.in,
             "a search that holds a lane which is not its");
    holders_[e.out] = static_cast<std::uint32_t>(i % ages_.size());
  }
  for (std::size_t r = 0; r < waiting_.size(); ++r) {
    for (const SearchMessage& m : waiting_[r]) {
      check_message(c, m);
      c.expect(router_of(m).value == r, "a search that waits at another router");
      c.expect(!m.entered || entry(RouterId{r}, m.stream).in != kNone, "a search that has come from nowhere");
    }
  }
  for (const UnderWay& u : under_way_) check_message(c, u.message);
}

void ParallelSetup::check_restored(const Checkpoint& c) const {
  c.index(static_cast<unsigned>(phase_), 4, "state of the set-up");
  std::vector<bool> there(sources_.size());
  for (const std::uint32_t stream : order_) {
    c.index(stream, there.size(), "circuit");
    c.expect(!there[stream], "an order of other circuits");
    there[stream] = true;
  }
  c.expect(order_.size() == sources_.size() && results_.circuits.size() <= order_.size(), "an order of other circuits");
  c.expect(phase_ == Phase::kToBegin || !finished_.empty(), "a tree over no routers");
  for (const Finished& f : finished_) c.index(f.streams, order_.size() + 1, "circuit");
  for (const Source& source : sources_) {
    c.index(static_cast<unsigned>(source.state), 4, "state of a search");
    if (source.lane == kNone) continue;
    c.index(source.lane, bank_.input_vc_count(), "circuit lane");
    const PortIndex link = bank_.upstream[bank_.port_of_vc(source.lane)];
    c.expect(link != kNone && bank_.is_injection_port(link), "a search from no node");
  }
  for (const CircuitResult& circuit : results_.circuits) {
    for (const CircuitResult::Step& step : circuit.path) {
      c.index(step.port.value, topology_.port_count(step.router), "port");
    }
  }
}

void SetupSequencer::check_restored(const Checkpoint& c) const {
  const std::size_t circuits = requests_.circuits().size();
  c.index(static_cast<unsigned>(state_), 4, "state of the set-up");
  for (const auto* order : {&order_, &stood_.order}) {
    c.expect(
        order->empty() || std::is_permutation(order->begin(), order->end(), token_order_.begin(), token_order_.end()),
        "an order of other circuits");
  }
  c.expect(order_.size() == token_order_.size() && results_.circuits.size() <= circuits, "an order of other circuits");
  c.index(orders_tried_anew_, std::uint64_t{options_.setup_retries} + 3, "number of orders");
  c.expect(orders_tried_anew_ < options_.setup_retries + 2 || order_ == stood_.order, "an order that did not stand");
  c.index(position_, order_.size() + 1, "circuit");
  c.index(standing_, order_.size() + 1, "circuit");
  c.expect(state_ != State::kSearching || position_ < order_.size(), "a search for nothing");
  c.expect(state_ != State::kDone || results_.fell_back_to_packets || results_.circuits.size() == circuits,
           "circuits that do not stand");
  for (const CircuitResult& circuit : results_.circuits) requests_.check_path(circuit.path);
}

void Rerouting::check_restored(const Checkpoint& c) const {
  const std::size_t circuits = requests_.circuits().size();
  c.index(static_cast<unsigned>(state_), 7, "state of the circuits");
  c.index(position_, circuits + 1, "circuit");
  c.expect(open_.size() == circuits && old_paths_.size() == circuits, "another number of circuits");
  for (const auto& path : old_paths_) requests_.check_path(path);
  for (const Move& move : open_) c.index(move.circuit, circuits, "circuit");
  for (const Move& move : results_.moves) c.index(move.circuit, circuits, "circuit");
  requests_.check_end(end_);
}

}  // namespace braid::models::hybrid
