#include "models/families/hybrid/network_interface.h"

#include "models/families/hybrid/cycle_engine.h"
#include "models/families/hybrid/shared_buffers.h"
#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {
namespace {

/// The set bits of a mask in turn, from `first` on and round to those below it.
class InTurn {
 public:
  InTurn(std::uint32_t mask, std::uint32_t first)
      : later_(mask & (~std::uint32_t{0} << first)), earlier_(mask & ~later_) {}
  bool done() const { return (later_ | earlier_) == 0; }
  std::uint32_t next() {
    std::uint32_t& from = later_ != 0 ? later_ : earlier_;
    const auto bit = static_cast<std::uint32_t>(__builtin_ctz(from));
    from &= from - 1;
    return bit;
  }

 private:
  std::uint32_t later_, earlier_;
};

}  // namespace

NetworkInterfaces::NetworkInterfaces(Slice& slice, RouterBank& bank, PacketStore& store,
                                     const routing::RoutingAlgorithm& routing, const NodeBandwidth& bandwidth,
                                     std::size_t first, std::size_t last)
    : slice_(slice),
      bank_(bank),
      store_(store),
      injection_vcs_(routing.injection_vcs()),
      by_class_(routing.injection_by_class() ? &routing : nullptr),
      first_(first),
      last_(last),
      ports_(last - first) {
  busy_.resize(ports_.size());
  holding_.resize(ports_.size());
  tails_.reserve(ports_.size() + 1);  // one more than can be: every flit is stored there, and only tails count
  for (std::size_t i = first; i < last; ++i)
    port(i).first_vc = bank.vc_index(bank.wiring().local_ports[i].router_port, 0);
  if (bandwidth.bounded() || bandwidth.ejection_queue_items != 0) {
    turns_ =
        std::make_unique<NodeTurns>(bandwidth, bank.wiring(), first, last, bank.vcs(), slice.options().buffer_depth);
  }
  if (!bank.has_circuits()) return;
  const std::size_t lane_depth = bank.output_vcs[bank.vc_index(bank.injection_port(0), bank.circuit_lane())].credits;
  for (LocalPort& p : ports_) {
    p.circuits.resize(bank.circuit_lanes());
    for (Circuit& c : p.circuits) c.held.set_capacity(lane_depth);
  }
}

void NetworkInterfaces::send(std::size_t local_port, PacketSlot packet) {
  port(local_port).packets.push(packet);
  busy_.insert(local_port - first_);
  at_work_ = true;
}

void NetworkInterfaces::send_copies(std::size_t local_port, const std::vector<PacketSlot>& packets) {
  if (packets.size() > 1) slice_.packet_forks()->join(packets);
  send(local_port, packets.front());
}

/// With the head, while they are together: routers part them before the tail has left. (Who sends to several looks at
/// the first one's tail only.)
void NetworkInterfaces::note_destinations(std::uint64_t cycle, const Flit& flit) {
  if (!flit.head()) return;
  slice_.packet_forks()->for_each_destination(flit.packet(), [&](PacketSlot each) {
    store_[each].injected = cycle + 1;
    if (each != flit.packet()) sink_->sent(cycle, each);
  });
}

void NetworkInterfaces::note_injection(std::uint64_t cycle, VcIndex out_vc, const Flit& flit) {
  if (slice_.packet_forks() != nullptr) note_destinations(cycle, flit);
  if (SharedBuffers* shared = bank_.shared_buffers()) shared->send(out_vc, [](VcIndex) {});
}

/// Destinations of one packet at one node part here.
void NetworkInterfaces::deliver_to_all(std::uint64_t cycle, PacketSlot packet) {
  if (slice_.packet_forks()->alone(packet)) return sink_->deliver(cycle, packet);
  std::vector<PacketSlot> all;
  slice_.packet_forks()->for_each_destination(packet, [&](PacketSlot each) { all.push_back(each); });
  slice_.packet_forks()->arrived(packet);
  for (const PacketSlot each : all) sink_->deliver(cycle, each);
}

void NetworkInterfaces::send_on_circuit(std::size_t local_port, std::uint32_t lane, PacketSlot packet) {
  LocalPort& p = port(local_port);
  p.circuits[lane].packets.push(packet);
  p.sending |= 1U << lane;
  busy_.insert(local_port - first_);
  at_work_ = true;
}

void NetworkInterfaces::send_on_tree(std::size_t local_port, std::uint32_t lane, const std::vector<Copy>& copies) {
  slice_.forks()->send(copies);
  send_on_circuit(local_port, lane, copies.front().packet);
}

void NetworkInterfaces::inject(std::uint64_t cycle) {
  if (turns_ != nullptr && turns_->bandwidth().bounded()) return inject_bounded(cycle);
  const bool circuits = bank_.has_circuits();
  WorkList<FlitArrival>& link = slice_.injection_links(cycle);
  busy_.for_each([&](std::size_t i) {
    if (circuits) {
      inject_in_turn(cycle, first_ + i, link);
    } else {
      inject_packet_flit(cycle, first_ + i, link);
    }
    if (ports_[i].packets.empty() && ports_[i].sending == 0) busy_.erase(i);
  });
}

/// The counter is that of the routers' ports (packet_turns.h): the link is one, too.
void NetworkInterfaces::inject_in_turn(std::uint64_t cycle, std::size_t i, WorkList<FlitArrival>& link) {
  CircuitBurst& burst = port(i).burst;
  const std::uint32_t bound = slice_.options().circuit_burst_flits;
  const bool packets_first = bound != 0 && burst.reached(bound);
  bool packet = packets_first && inject_packet_flit(cycle, i, link);
  if (!packet && inject_circuit_flit(cycle, i)) return burst.circuit_flit(bound);
  packet = packet || (!packets_first && inject_packet_flit(cycle, i, link));
  if (packet) burst.packet_flit();
}

bool NetworkInterfaces::inject_circuit_flit(std::uint64_t cycle, std::size_t i) {
  const LocalPort& p = port(i);
  for (InTurn lanes(p.sending, p.send_turn); !lanes.done();) {
    const std::uint32_t lane = lanes.next();
    if (bank_.output_vcs[bank_.circuit_vc(bank_.injection_port(i), lane)].credits == 0) continue;
    send_circuit_flit(cycle, i, lane);
    return true;
  }
  return false;
}

void NetworkInterfaces::send_circuit_flit(std::uint64_t cycle, std::size_t i, std::uint32_t lane) {
  LocalPort& p = port(i);
  Circuit& circuit = p.circuits[lane];
  p.send_turn = static_cast<std::uint8_t>(lane + 1 == bank_.circuit_lanes() ? 0 : lane + 1);
  --bank_.output_vcs[bank_.circuit_vc(bank_.injection_port(i), lane)].credits;
  const PacketSlot slot = circuit.packets.front();
  const Packet& packet = store_[slot];
  const auto for_each_copy = [&](const auto& visit) {
    slice_.forks() != nullptr ? slice_.forks()->for_each_copy(slot, visit) : visit(slot);
  };
  if (circuit.next_flit == 0) for_each_copy([&](PacketSlot copy) { store_[copy].injected = cycle + 1; });
  const Flit flit(slot, circuit.next_flit++, packet.length_flits, bank_.circuit_lane() + lane);
  slice_.inject_on_circuit(cycle, {flit, p.first_vc});
  ++flits_injected_;
  if (!flit.tail()) return;
  for_each_copy([&](PacketSlot copy) { sink_->sent(cycle, copy); });
  circuit.packets.pop();
  circuit.next_flit = 0;
  if (circuit.packets.empty()) p.sending &= ~(1U << lane);
}

/// Has one gone?
bool NetworkInterfaces::inject_packet_flit(std::uint64_t cycle, std::size_t i, WorkList<FlitArrival>& link) {
  LocalPort& p = port(i);
  if (p.packets.empty() || (p.out_vc == kNone && !take_vc(i, usable_vcs(i, vcs_of(p.packets.front()))))) return false;
  OutputVc& vc = bank_.output_vcs[p.out_vc];
  if (vc.credits == 0) return false;
  --vc.credits;
  const PacketSlot slot = p.packets.front();
  Packet& packet = store_[slot];
  packet.injected = packet.injected == 0 ? cycle + 1 : packet.injected;
  const Flit flit(slot, p.next_flit++, packet.length_flits, bank_.lane_of(p.out_vc));
  link.push({flit, p.first_vc});
  ++flits_injected_;
  if (slice_.notes_injections()) note_injection(cycle, p.out_vc, flit);
  if (flit.tail()) {
    sink_->sent(cycle, slot);
    p.packets.pop();
    if (!p.packets.empty()) __builtin_prefetch(&store_[p.packets.front()]);  // it may have waited for long
    p.next_flit = 0;
    bank_.free_vcs[bank_.injection_port(i)] |= 1U << bank_.lane_of(p.out_vc);
    p.out_vc = kNone;
  }
  return true;
}

VcMask NetworkInterfaces::usable_vcs(std::size_t i, VcMask allowed) const {
  const PortIndex link = bank_.injection_port(i);
  VcMask usable = 0;
  for (VcMask free = bank_.free_vcs[link] & allowed; free != 0; free &= free - 1) {
    const auto vc = static_cast<unsigned>(__builtin_ctz(free));
    usable |= VcMask{bank_.output_vcs[bank_.vc_index(link, vc)].credits > 0} << vc;
  }
  return usable;
}

bool NetworkInterfaces::has_room(std::size_t i, VcMask allowed) const {
  if (!port(i).packets.empty()) return false;
  if (planes_ != nullptr) planes_->show_injection_vcs(i);
  return usable_vcs(i, allowed) != 0;
}

bool NetworkInterfaces::ready(std::size_t i) const { return has_room(i, injection_vcs_); }

bool NetworkInterfaces::ready_for(std::size_t i, PacketSlot packet) const { return has_room(i, vcs_of(packet)); }

bool NetworkInterfaces::take_vc(std::size_t i, VcMask usable) {
  if (usable == 0) return false;
  LocalPort& p = port(i);
  const VcMask later = usable & (~VcMask{0} << p.vc_pointer);
  const auto vc = static_cast<unsigned>(__builtin_ctz(later != 0 ? later : usable));
  bank_.free_vcs[bank_.injection_port(i)] &= ~(1U << vc);
  p.vc_pointer = static_cast<std::uint8_t>(vc + 1 == bank_.vcs() ? 0 : vc + 1);
  p.out_vc = bank_.vc_index(bank_.injection_port(i), vc);
  return true;
}

void NetworkInterfaces::arrive(std::uint64_t cycle, const WorkList<FlitArrival>& flits) {
  if (bank_.wiring().one_way) return arrive_from_afar(cycle, flits);
  WorkList<VcIndex>& credits = slice_.ejection_credits(cycle);
  PacketSlot* tail = tails_.begin();
  for (const auto& [flit, i] : flits) {
    if (bank_.is_circuit_lane(flit.vc())) {
      // A held flit keeps its buffer, and so its credit: that is how a slow consumer holds back its circuit.
      const std::uint32_t lane = flit.vc() - bank_.circuit_lane();
      port(i).circuits[lane].held.push_back(flit);
      port(i).holding |= 1U << lane;
      holding_.insert(i - first_);
      continue;
    }
    if (turns_ != nullptr && turns_->holds_packets()) {
      turns_->hold(i - first_, flit);
      continue;
    }
    credits.push(port(i).first_vc + flit.vc());
    ++flits_delivered_;
    *tail = flit.packet();
    tail += flit.tail() ? 1 : 0;
  }
  tails_.resize_to(tail);
  if (slice_.packet_forks() != nullptr) {
    for (const PacketSlot packet : tails_) deliver_to_all(cycle, packet);
    return;
  }
  for (const PacketSlot packet : tails_) sink_->deliver(cycle, packet);
}

/// Ejection links of other routers than those that injection links lead to: each credit goes back to its own.
void NetworkInterfaces::arrive_from_afar(std::uint64_t cycle, const WorkList<FlitArrival>& flits) {
  PacketSlot* tail = tails_.begin();
  for (const auto& [flit, i] : flits) {
    const PortIndex exit = bank_.wiring().local_ports[i].exit_port;
    slice_.ejection_credits(cycle, bank_.router_of(exit)).push(bank_.vc_index(exit, flit.vc()));
    ++flits_delivered_;
    *tail = flit.packet();
    tail += flit.tail() ? 1 : 0;
  }
  tails_.resize_to(tail);
  for (const PacketSlot packet : tails_) sink_->deliver(cycle, packet);
}

void NetworkInterfaces::drain(std::uint64_t cycle) {
  if (turns_ != nullptr) return drain_bounded(cycle);
  if (bank_.has_circuits()) holding_.for_each([&](std::size_t i) { take_in_turn(cycle, i); });
}

bool NetworkInterfaces::take_in_turn(std::uint64_t cycle, std::size_t i) {
  LocalPort& p = ports_[i];
  bool taken = false;
  for (InTurn lanes(p.holding, p.take_turn); !taken && !lanes.done();) {
    const std::uint32_t lane = lanes.next();
    taken = take_circuit_flit(cycle, p, lane);
    if (taken) p.take_turn = static_cast<std::uint8_t>(lane + 1 == bank_.circuit_lanes() ? 0 : lane + 1);
  }
  if (p.holding == 0) holding_.erase(i);
  return taken;
}

bool NetworkInterfaces::take_circuit_flit(std::uint64_t cycle, LocalPort& p, std::uint32_t lane) {
  boost::circular_buffer<Flit>& held = p.circuits[lane].held;
  const Flit flit = held.front();
  if (flit.head() && !sink_->admit(flit.packet())) return false;
  held.pop_front();
  if (held.empty()) p.holding &= ~(1U << lane);
  slice_.ejection_credits(cycle).push(p.first_vc + bank_.circuit_lane() + lane);
  ++flits_delivered_;
  if (!flit.tail()) return true;
  if (slice_.forks() != nullptr) slice_.forks()->delivered(flit.packet());
  sink_->deliver(cycle, flit.packet());
  return true;
}

std::uint64_t NetworkInterfaces::packets_queued() const {
  std::uint64_t packets = 0;
  for (const LocalPort& p : ports_) {
    packets += p.packets.size();
    if (slice_.packet_forks() != nullptr) {
      const bool leaves = p.next_flit > 0;  // the first: routers part its destinations already
      p.packets.for_each([&](PacketSlot slot) {
        const bool first = leaves && slot == p.packets.front();
        const VcIndex in_vc = first ? p.first_vc + bank_.lane_of(p.out_vc) : p.first_vc;
        const std::uint32_t flits = store_[slot].length_flits;
        packets += slice_.packet_forks()->destinations_behind(in_vc, Flit(slot, flits - 1, flits, 0)) - 1;
      });
    }
    for (std::uint32_t lane = 0; lane < p.circuits.size(); ++lane) {
      const std::size_t items = p.circuits[lane].packets.size();
      const VcIndex in_vc = p.first_vc + bank_.circuit_lane() + lane;
      packets += items * (slice_.forks() == nullptr || items == 0 ? 1 : slice_.forks()->leaves(in_vc));
    }
  }
  return packets;
}

}  // namespace braid::models::hybrid
