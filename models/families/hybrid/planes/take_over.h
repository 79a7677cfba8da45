// From the slices' registers to planes.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "models/families/hybrid/planes/flights.h"
#include "models/families/hybrid/planes/planes.h"

namespace braid::models::hybrid::planes {

/// What is on its way, by the cycle in which it comes, as history: by the cycle in which it was sent.
template <class B>
struct Planes<B>::TakeOver {
  using Shape = typename B::Shape;

  Planes& all;
  std::uint64_t now;
  Share& planes = *all.shares_.front();  // what is the same in every share
  Flights flights = {};
  const RouterBank& bank = planes.r_.bank;
  std::unordered_map<PacketSlot, VoyageId> voyages = {};
  std::vector<FlitPlace> places = {};           // between()
  std::vector<std::uint8_t> credits_away = {};  // [ring] on their way back, to be: of flits in ST

  static unsigned place_of(std::uint32_t router) { return Share::place_of(router); }
  Share& share_at(PortIndex port) const { return all.share_of(bank.router_of(port).value); }
  Registers::LocalPort& local_port(std::size_t i) const {
    return share_at(bank.wiring().local_ports[i].router_port).r_.local_port(i);
  }

  PortIndex first_port(const Registers& r) const { return r.range().first * bank.port_stride(); }
  PortIndex last_port(const Registers& r) const { return r.range().last * bank.port_stride(); }

  /// Of a cycle in which ST has been.
  std::uint64_t past(std::uint64_t due, std::uint64_t delay) const {
    Checkpoint::expect(due - delay + 2 <= now, "a flit or credit that comes too late");
    return due - delay;
  }
  /// A packet may be met in several VCs.
  VoyageId voyage(PacketSlot slot) {
    const auto [place, fresh] = voyages.try_emplace(slot);
    if (fresh) {
      place->second = all.common_.voyages.add(voyage_of(planes.r_.store[slot], slot));
      all.common_.rings.have_names_for(all.common_.voyages.size());
    }
    return place->second;
  }
  void note(History<B>& history, std::uint64_t cycle, PortIndex port, std::uint32_t vc) const {
    const std::uint32_t router = bank.router_of(port).value;
    Checkpoint::expect(!history.test(cycle, bank.port_of(port), vc, router), "two flits or credits at once");
    history.set(cycle, bank.port_of(port), vc, router);
  }

  void arrival(std::uint64_t due, const FlitArrival& a) {
    const PortIndex port = bank.port_of_vc(a.target);
    const std::uint32_t vc = a.flit.vc();
    flights.add(a.target + vc, a.flit);
    const PortIndex feeder = bank.upstream[port];
    Checkpoint::expect(feeder != kNone, "a flit that no link brings");
    if (bank.is_injection_port(feeder)) {
      Checkpoint::expect(due - kInjectionCycles < now, "a flit that comes too late");
      return note(planes.injected_, due - kInjectionCycles, port, vc);
    }
    note(planes.crossed_, past(due, 2 + bank.links[feeder].latency_cycles), feeder, vc);
    if (planes.scatters_) note(planes.arriving_, due, port, vc);
  }
  void ejection(std::uint64_t due, const FlitArrival& a) {
    const PortIndex port = bank.wiring().local_ports[a.target].router_port;
    flights.add(planes.ejection_ring(port, a.flit.vc()), a.flit);
    note(planes.crossed_, past(due, kEjectionCycles), port, a.flit.vc());
    if (a.flit.tail()) share_at(port).deliver_behind(due, voyage(a.flit.packet()));
  }
  void credit(std::uint64_t due, VcIndex out_vc) {
    const PortIndex port = bank.port_of_vc(out_vc);
    const std::uint32_t vc = bank.lane_of(out_vc);
    const Link& link = bank.links[port];
    if (link.to_node) {
      const std::uint64_t sent = due - (kEjectionCycles + planes.credit_delay_ - 1);
      Checkpoint::expect(sent + kEjectionCycles < now, "a credit that comes too late");
      ++credits_away[planes.ejection_ring(port, vc)];
      return note(planes.crossed_, sent, port, vc);
    }
    Checkpoint::expect(link.target != kNone, "a credit over no link");
    note(planes.left_, past(due, planes.credit_delay_ + link.latency_cycles - 1), link.target, vc);
    ++credits_away[bank.vc_index(link.target, vc)];
    if (planes.scatters_ && !bank.is_injection_port(port)) note(planes.returning_, due, port, vc);
  }
  void traversal(const Slice::Traversal& t) {
    const std::uint32_t vc = t.flit.vc();
    note(planes.crossed_, now - 1, t.out_port, vc);
    note(planes.left_, now - 1, bank.port_of_vc(t.in_vc), bank.lane_of(t.in_vc));
    ++credits_away[t.in_vc];
    planes.rings_.record(t.in_vc).out_vc = static_cast<std::uint8_t>(planes.at(bank.vc_index(t.out_port, vc)));
    flights.add(planes.ring_behind(bank.vc_index(t.out_port, vc)), t.flit);
    if (planes.scatters_) planes.scatter_one(now - 1, t.in_vc, t.out_port, vc);
    if (bank.links[t.out_port].to_node && t.flit.tail())
      share_at(t.out_port).deliver_behind(now - 1 + kEjectionCycles, voyage(t.flit.packet()));
  }
  void all_on_the_way() {
    for (std::uint64_t due = now; due < now + planes.r_.own_channel().slots().size(); ++due) {
      for (const auto& share : all.shares_) {
        for (Channel* channel : share->r_.incoming()) all_of(due, channel->at(due));
      }
    }
    for (const auto& share : all.shares_) {
      for (const Slice::Traversal& t : share->r_.traversals) {
        if (!bank.is_circuit_lane(t.flit.vc())) traversal(t);
      }
    }
    flights.sort();
  }
  void all_of(std::uint64_t due, const Channel::Slot& slot) {
    for (const FlitArrival& a : slot.packets) arrival(due, a);
    for (const FlitArrival& a : slot.ejections) {
      if (!bank.is_circuit_lane(a.flit.vc())) ejection(due, a);
    }
    for (const VcIndex out_vc : slot.credits) {
      if (!bank.is_circuit_lane(bank.lane_of(out_vc))) credit(due, out_vc);
    }
  }

  /// The next flit that leaves an input VC's buffer, which may be still on its way, or further back.
  std::optional<FlitPlace> next_of(VcIndex in_vc, std::size_t routers_before) const {
    Checkpoint::expect(routers_before <= bank.router_count(), "a packet without an end");
    if (bank.input_vcs[in_vc].count > 0) return place_of_flit(bank.front(in_vc));
    const auto [first, last] = flights.to(in_vc);
    if (first != last) return place_of_flit(first->flit);
    return next_to(bank.vc_index(bank.upstream[bank.port_of_vc(in_vc)], bank.lane_of(in_vc)), routers_before + 1);
  }
  /// The next that is sent on an output VC, if it has an owner.
  std::optional<FlitPlace> next_to(VcIndex out_vc, std::size_t routers_before = 0) const {
    const PortIndex port = bank.port_of_vc(out_vc);
    if (bank.is_injection_port(port)) {
      const Registers::LocalPort& interface = local_port(bank.local_port_of_injection(port));
      if (interface.out_vc != out_vc) return std::nullopt;
      return FlitPlace{interface.packets.front(), interface.next_flit};
    }
    const VcIndex owner = bank.output_vcs[out_vc].owner;
    if (owner == kNone) return std::nullopt;
    return next_of(owner, routers_before);
  }
  FlitPlace place_of_flit(const Flit& flit) const { return {flit.packet(), flit.sequence()}; }
  std::uint32_t length_of(PacketSlot packet) const { return planes.r_.store[packet].length_flits; }

  /// All flits between the one that leaves a VC next and the one that is sent to it next, in order.
  const std::vector<FlitPlace>& between(std::uint32_t ring, VcIndex in_vc, VcIndex feeder) {
    places.clear();
    const std::uint32_t count = in_vc == kNone ? 0 : bank.input_vcs[in_vc].count;
    for (std::uint32_t i = 0; i < count; ++i) places.push_back(place_of_flit(bank.buffered(in_vc, i)));
    const auto [first, last] = flights.to(ring);
    for (const auto* flight = first; flight != last; ++flight) places.push_back(place_of_flit(flight->flit));
    const std::uint32_t sent = static_cast<std::uint32_t>(places.size());
    const std::optional<FlitPlace> next = next_to(feeder);
    if (next) places.push_back(*next);
    for (std::size_t i = 0; i < places.size(); ++i) {
      Checkpoint::expect(places[i].sequence < length_of(places[i].packet), "a flit behind its packet's tail");
      const bool tail = places[i].sequence + 1 == length_of(places[i].packet);
      const bool follows =
          i + 1 == places.size() ? tail || next
          : tail ? places[i + 1].sequence == 0
                 : places[i + 1].packet == places[i].packet && places[i + 1].sequence == places[i].sequence + 1;
      Checkpoint::expect(follows, "flits of a packet that do not follow each other");
    }
    Checkpoint::expect(std::uint32_t{bank.output_vcs[feeder].credits} + sent + credits_away[ring] == depth(),
                       "buffers and credits that do not add up");
    return places;
  }
  std::uint32_t depth() const { return planes.r_.options.buffer_depth; }
  /// Packets of `places` that begin from place `from` on.
  void push_heads(std::uint32_t ring, std::size_t from) {
    for (std::size_t i = from; i < places.size(); ++i) {
      if (places[i].sequence == 0) all.push_in_time(ring, voyage(places[i].packet));
    }
  }

  /// Of `places`.
  std::uint32_t count_packets() const {
    std::uint32_t packets = places.empty() ? 0 : 1;
    for (std::size_t i = 1; i < places.size(); ++i) packets += places[i].sequence == 0 ? 1 : 0;
    return packets;
  }

  void input_vc(VcIndex v) {
    const InputVc& vc = bank.input_vcs[v];
    const unsigned place = place_of(planes.router_of(v)), lane = planes.at(v);
    typename B::Inputs& in = planes.block_of(planes.router_of(v)).in;
    const VcIndex feeder = bank.vc_index(bank.upstream[bank.port_of_vc(v)], planes.lane_of(v));
    if (!planes.adaptive_) bank.ways[v] = 1;  // for VA, of every head to come
    const routing::Candidate& way = *bank.candidates(v);
    if (planes.keeps_ways() && way.vcs != 0) planes.rings_.record(v).way = static_cast<std::uint8_t>(way.port.value);
    between(v, v, feeder);
    put<Shape>(in.filled, lane, place, vc.count > 0);
    set_counter<Shape, B::kPorts>(in.count[0], kDepthBits, lane, place, vc.count);
    const bool routed = vc.state == VcState::kActive || vc.state == VcState::kWaitsForVc;
    Checkpoint::expect(routed || places.empty() || places.front().sequence == 0, "a packet without its head");
    if (!routed) return push_heads(v, 0);
    Checkpoint::expect(!places.empty(), "a VC that is held by nobody");
    all.push_in_time(v, voyage(places.front().packet));
    planes.rings_.route_next(v);
    push_heads(v, 1);
    const std::uint32_t left = length_of(places.front().packet) - places.front().sequence;
    set_counter<Shape, B::kPorts>(in.left[0], kLengthBits, lane, place, left);
    share_at(bank.port_of_vc(v)).expect_length(left);
    put<Shape>(in.last, lane, place, left == 1);
    if (vc.state == VcState::kWaitsForVc) {
      put<Shape>(in.waiting, lane, place, true);
      for (std::uint32_t i = 0; i < bank.ways[v]; ++i) wants(in, v, bank.candidates(v)[i].port.value);
    } else {
      put<Shape>(in.active, lane, place, true);
      planes.rings_.record(v).out_vc = static_cast<std::uint8_t>(planes.at(vc.out_vc));
      wants(in, v, bank.port_of(bank.port_of_vc(vc.out_vc)));
      put<Shape>(in.out_vc[bank.lane_of(vc.out_vc)], lane, place, true);
    }
  }
  void wants(typename B::Inputs& in, VcIndex v, std::uint32_t out_port) {
    put<Shape>(in.out_port[out_port], planes.at(v), place_of(planes.router_of(v)), true);
    note_pair<B>(share_at(bank.port_of_vc(v)).extent_, planes.port_of(v), out_port);
  }

  void output_port(PortIndex port) {
    const std::uint32_t router = bank.router_of(port).value;
    typename B::Outputs& out = planes.block_of(router).out;
    const std::uint32_t o = bank.port_of(port);
    for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
      const OutputVc& vc = bank.output_vcs[bank.vc_index(port, v)];
      Checkpoint::expect((bank.free_vcs[port] >> v & 1) == (vc.owner == kNone), "a free VC with an owner");
      put<Shape>(&out.free[o], v, place_of(router), vc.owner == kNone);
      set_counter<Shape, B::kPorts>(&out.credits[0][o], kDepthBits, v, place_of(router), vc.credits);
      put<Shape>(&out.none[o], v, place_of(router), vc.credits == 0);
      if (!bank.links[port].to_node) continue;
      const std::uint32_t ring = planes.ejection_ring(port, v);
      between(ring, kNone, bank.vc_index(port, v));
      if (!places.empty() && places.front().sequence != 0) all.push_in_time(ring, voyage(places.front().packet));
      push_heads(ring, 0);
      const bool one_leaves = next_to(bank.vc_index(port, v)).has_value();
      for (std::uint32_t packets = count_packets(); packets > (one_leaves ? 1U : 0U); --packets)
        planes.rings_.route_next(ring);
    }
  }

  void interface(std::size_t i) {
    const PortIndex port = bank.wiring().local_ports[i].router_port, link = bank.injection_port(i);
    const std::uint32_t router = bank.router_of(port).value;
    const unsigned place = place_of(router);
    typename B::Local& local = planes.block_of(router).local[bank.port_of(port)];
    const Registers::LocalPort& interface = local_port(i);
    for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
      const bool held = interface.out_vc == bank.vc_index(link, v);
      Checkpoint::expect((bank.free_vcs[link] >> v & 1) == !held, "a free VC with an owner");
      put<Shape>(&local.free, v, place, !held && (planes.r_.injection_vcs() >> v & 1) != 0);
      put<Shape>(&local.sending, v, place, held);
      const std::uint32_t credits = bank.output_vcs[bank.vc_index(link, v)].credits;
      put<Shape>(&local.some, v, place, credits > 0);
      set_counter<Shape>(local.credits, kDepthBits, v, place, credits);
    }
    word_of<Shape>(&local.turn, interface.vc_pointer, place) |= bit_of(place);
    if (!interface.packets.empty()) word_of<Shape>(local.queued, place) |= bit_of(place);
    if (interface.out_vc == kNone) return;
    Checkpoint::expect(interface.next_flit > 0, "a packet that holds a VC and has sent nothing");
    const std::uint32_t left = length_of(interface.packets.front()) - interface.next_flit;
    share_at(port).expect_length(left);
    for (unsigned k = 0; k < kLengthBits; ++k) {
      if ((left >> k & 1) != 0) word_of<Shape>(local.left[k], place) |= bit_of(place);
    }
  }

  /// Of matrix arbiters. The last requester of an output port is every number that no port has.
  void orders(Share& share) const {
    const MatrixRanks ranks = *Registers::ranks(share.r_.slice);
    const std::uint32_t ports = planes.extent_.ports, requesters = std::min(ports + 1, bank.port_stride());
    const PortIndex first = first_port(share.r_), last = last_port(share.r_);
    for (PortIndex p = first; p < last; ++p) {
      const std::uint32_t router = bank.router_of(p).value, port = bank.port_of(p);
      if (port >= ports) continue;
      Orders<B>& order = planes.orders_[router / B::kRouters];
      const unsigned place = place_of(router);
      const auto note_pairs = [&](const std::uint16_t* rank, std::uint32_t count, auto word) {
        for (std::uint32_t a = 0; a < count; ++a) {
          for (std::uint32_t b = 0; b < count; ++b) {
            if (rank[a] < rank[b]) word(a, b) |= bit_of(place);
          }
        }
      };
      note_pairs(ranks.lanes + std::size_t{p - first} * bank.vcs(), bank.vcs(),
                 [&](std::uint32_t a, std::uint32_t b) -> WordOfVector& {
                   return word_of<Shape>(order.vcs[port][a * Shape::kVcs + b], place);
                 });
      note_pairs(ranks.ports + std::size_t{p - first} * bank.port_stride(), requesters,
                 [&](std::uint32_t a, std::uint32_t b) -> WordOfVector& {
                   return word_of_port<Shape>(order.ports[port / B::kTogether][a * (B::kPorts + 1) + b], port, place);
                 });
    }
  }

  void vc_arbiters(Share& share) const {
    if (share.vc_arbitration_ == nullptr) return;
    const std::uint16_t* const inputs = share.vc_arbitration_->input_arbiters().pointers();
    const std::uint16_t* const outputs = share.vc_arbitration_->output_arbiters().pointers();
    const VcIndex first = bank.vc_index(first_port(share.r_), 0), last = bank.vc_index(last_port(share.r_), 0);
    for (VcIndex v = first; v < last; ++v) {
      planes.rings_.record(v).input_turn = static_cast<std::uint8_t>(inputs[v - first]);
      planes.rings_.record(v).output_turn = static_cast<std::uint8_t>(outputs[v - first]);
    }
  }
  void arbiters(Share& share) const {
    if (planes.orders_ != nullptr) return orders(share);
    const RoundRobinPointers pointers = *Registers::turns(share.r_.slice);
    const PortIndex first = first_port(share.r_), last = last_port(share.r_);
    for (PortIndex p = first; p < last; ++p) {
      const std::uint32_t router = bank.router_of(p).value, port = bank.port_of(p);
      if (port >= planes.extent_.ports) continue;
      B& block = planes.block_of(router);
      const unsigned place = place_of(router);
      put<Shape>(&block.in.turn[port], pointers.lanes[p - first], place, true);
      const std::uint32_t turn = std::min<std::uint32_t>(pointers.ports[p - first], planes.extent_.ports);
      word_of_port<Shape>(block.out.turn[port / B::kTogether][turn], port, place) |= bit_of(place);
    }
  }
};

template <class B>
void Planes<B>::take_over(std::uint64_t now) {
  clear();
  for (const auto& share : shares_) {
    share->now_ = now;
    share->counted_to_ = now - 1;  // what is in ST counts when it has been there
  }
  TakeOver t{*this, now};
  t.credits_away.resize(ring_count(bank_));
  t.all_on_the_way();
  for (PortIndex p = 0; p < bank_.router_port_count(); ++p) {
    if (bank_.links[p].target == kNone) continue;
    t.output_port(p);
    for (std::uint32_t v = 0; v < bank_.vcs(); ++v) t.input_vc(bank_.vc_index(p, v));
  }
  for (std::size_t i = 0; i < bank_.wiring().local_ports.size(); ++i) t.interface(i);
  view();
  shown_ = true;
  for (const auto& share : shares_) {
    t.arbiters(*share);
    t.vc_arbiters(*share);
  }
}

/// As after elaboration, but without credits, free VCs and turns.
template <class B>
void Planes<B>::clear() {
  using Vcs = typename B::Vcs;
  Common<B>& c = common_;
  std::memset(static_cast<void*>(c.blocks.data()), 0, c.blocks.size() * sizeof(B));
  if (!c.orders.empty()) std::memset(static_cast<void*>(c.orders.data()), 0, c.orders.size() * sizeof(Orders<B>));
  for (B& block : c.blocks) {  // VCs that are not there have a credit: so nobody looks for who lacks it
    for (Vcs& lowest_bit : block.out.credits[0]) lowest_bit = ~Vcs{};
  }
  for (const History<B>* history : {&c.crossed, &c.left, &c.injected, &c.arriving, &c.returning}) history->clear();
  c.rings.clear();
  c.voyages.clear();
  for (const auto& share : shares_) share->clear();
}

template <class B>
void Pipeline<B>::clear() {
  usual_length_ = 1;
  for (auto& packets : deliveries_) packets.clear();
  for (WorkList<VcIndex>& heads : heads_) heads.clear();
  late_.clear();
  free_voyages_.ids.clear();
  std::fill(std::begin(extent_.pairs), std::end(extent_.pairs), 0);
  extent_.length_bits = 1;
  unflushed_ = 0;
}

}  // namespace braid::models::hybrid::planes
