#include "tb/lockstep/stimulus.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace braid::lockstep {
namespace {

using models::hybrid::kNone;

}  // namespace

Episode::Episode(const models::hybrid::RouterShape& shape, std::uint64_t seed, const std::string& stream,
                 std::unique_ptr<models::hybrid::PinRouter> rtl, const std::string& wave_file, Cover& cover)
    : shape_(shape), random_(seed, stream), cover_(cover) {
  build_topology();
  build_router(std::move(rtl), wave_file);
  build_neighbours();
  static constexpr unsigned kRates[] = {2, 10, 40, 80, 100};
  node_percent_ = kRates[random_.below(5)];
  consumer_percent_ = kRates[random_.below(5)];
  static constexpr unsigned kLengths[] = {1, 2, 4, 12};
  max_flits_ = kLengths[random_.below(4)];
  setup_gap_ = random_.below(2) == 0 ? 0 : static_cast<unsigned>(random_.below(200));
  yes_percent_ = static_cast<unsigned>(20 + random_.below(70));
  loop_percent_ = static_cast<unsigned>(random_.below(40));
  one_credit_ = random_.below(2) == 0;
  search_ = static_cast<std::uint32_t>(random_.below(60000));
}

std::string Episode::describe() const {
  return fmt::format("{} routers, router {}, links of {} cycles, credits after {}, {}, packets up to {} flits",
                     topology_.router_count(), topology_.router_names[router_.value], link_latency_,
                     options_.credit_delay_cycles,
                     options_.share_reserved_links ? "reserved links shared" : "reserved links closed", max_flits_);
}

bool Episode::local(std::uint32_t port) const {
  return topology_.port(router_, PortId{port}).kind == routing::PortKind::kLocal;
}

void Episode::run(std::uint64_t cycles) {
  models::hybrid::Slice& slice = *slices_[router_.value];
  for (const std::uint64_t end = now_ + cycles; now_ < end; ++now_) {
    receive(now_);
    drive(now_);
    pinned_->begin(now_);
    slice.traverse_switch(now_);
    slice.allocate_switch(now_);
    slice.allocate_vcs(now_);
    if (shape_.circuit_lanes > 1) watch_shared_ports();
    pinned_->commit(now_);
    watch_local_outcome(now_);
    if (pinned_->lockstep().tear_down_waits()) ++cover_["setup: tear-down waits for flits"];
  }
  cover_["cycles without change"] += pinned_->idle_cycles();
}

/// Circuits that ask for the switch together where one can go.
void Episode::watch_shared_ports() {
  std::map<models::hybrid::PortIndex, std::uint32_t> inputs_to;  // [output port]
  for (std::uint32_t p = 0; p < shape_.ports; ++p) {
    std::set<models::hybrid::PortIndex> outputs;
    std::uint32_t asking = 0;
    for (VcMask up = bank_->switch_requests[index(p)] >> shape_.vcs; up != 0; up &= up - 1, ++asking) {
      const auto circuit = static_cast<std::uint32_t>(__builtin_ctz(up));
      outputs.insert(bank_->port_of_vc(bank_->circuit_out(bank_->circuit_vc(index(p), circuit))));
    }
    if (asking > 1) ++cover_["circuits: several of an input port ask"];
    for (const models::hybrid::PortIndex out : outputs) {
      if (++inputs_to[out] == 2) ++cover_["circuits: several input ports ask for an output"];
    }
  }
}

models::PacketSlot Episode::new_packet(const Way& way, std::uint32_t flits) {
  const models::PacketSlot slot = pool_.take();
  store_[slot] = {};
  store_[slot].source = way.source;
  store_[slot].destination = way.destination;
  store_[slot].length_flits = static_cast<std::uint16_t>(flits);
  return slot;
}

void Episode::drive(std::uint64_t cycle) {
  if (cycle >= burst_until_) {
    quiet_ = random_.below(4) == 0;
    burst_until_ = cycle + 1 + random_.below(100);
  }
  for (Neighbour& n : neighbours_) {
    return_credits(cycle, n);
    if (!quiet_ && random_.below(100) < n.load_percent) send_flit(cycle, n);
  }
  send_from_nodes();
  if (shape_.circuits) drive_setup(cycle);
}

/// The wires of a link's lanes are apart, and routers of others may use several in one cycle.
void Episode::return_credits(std::uint64_t cycle, Neighbour& n) {
  std::uint32_t returned = 0;
  for (std::uint32_t lane = 0; lane < shape_.lanes(); ++lane) {
    if (n.owed[lane] == 0 || random_.below(100) >= n.credit_percent) continue;
    --n.owed[lane];
    n.to_router->at(cycle).credits.push(bank_->vc_index(index(n.port), lane));
    if (++returned == 2) ++cover_["credits: of several lanes in a cycle"];
    if (one_credit_) return;
  }
}

/// One flit on the link: of the circuit if there is one, or of a packet.
void Episode::send_flit(std::uint64_t cycle, Neighbour& n) {
  const auto first = static_cast<std::uint32_t>(random_.below(shape_.lanes()));
  for (std::uint32_t i = 0; i < shape_.lanes(); ++i) {
    const std::uint32_t lane = (first + i) % shape_.lanes();
    const bool circuit = lane == shape_.vcs;  // later ones are of local ports: no credit
    if (n.credits[lane] == 0) continue;
    if (circuit) {
      if (!stands({n.port, 0}) || quiet_since_.count({n.port, 0}) != 0) continue;
    }
    if (n.sending[lane] == kNone) {
      if (n.reachable.empty()) continue;
      const Way& way = n.reachable[static_cast<std::size_t>(random_.below(n.reachable.size()))];
      n.length[lane] = static_cast<std::uint32_t>(1 + random_.below(max_flits_));
      n.sending[lane] = new_packet(way, n.length[lane]);
      n.sent[lane] = 0;
    }
    const models::Flit flit(n.sending[lane], n.sent[lane]++, n.length[lane], lane);
    if (flit.tail()) n.sending[lane] = kNone;
    --n.credits[lane];
    const models::hybrid::VcIndex target = bank_->vc_index(index(n.port), 0);
    if (circuit) {
      n.to_router->at(cycle).circuits.push({flit, target});
    } else {
      n.to_router->at(cycle + 1).packets.push({flit, target});
    }
    return;
  }
}

void Episode::send_from_nodes() {
  models::hybrid::Slice& slice = *slices_[router_.value];
  for (std::size_t i = slice.interfaces().first_local_port(); i < slice.interfaces().last_local_port(); ++i) {
    const std::uint32_t port = bank_->port_of(bank_->wiring().local_ports[i].router_port);
    if (!quiet_ && random_.below(100) < node_percent_ && slice.interfaces().queued(i) < 2) {
      const NodeId to{static_cast<std::size_t>(random_.below(topology_.node_count()))};
      const Way way{node_at(port), to};
      slice.interfaces().send(i, new_packet(way, static_cast<std::uint32_t>(1 + random_.below(max_flits_))));
    }
    for (const Start& circuit : circuits_) {
      if (circuit.first != port || quiet_since_.count(circuit) != 0 || unsent_[circuit] >= 2) continue;
      if (random_.below(4) != 0) continue;
      const Way way{node_at(port), NodeId{0}};
      const models::PacketSlot slot = new_packet(way, static_cast<std::uint32_t>(1 + random_.below(max_flits_)));
      ++unsent_[circuit];
      circuit_of_[slot] = circuit;
      slice.interfaces().send_on_circuit(i, circuit.second, slot);
    }
  }
}

void Episode::sent(std::uint64_t, models::PacketSlot packet) {
  const auto found = circuit_of_.find(packet);
  if (found == circuit_of_.end()) return;
  --unsent_[found->second];
  circuit_of_.erase(found);
}

}  // namespace braid::lockstep
