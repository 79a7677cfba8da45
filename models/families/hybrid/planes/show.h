// From planes to the slices' registers.
#pragma once

#include "models/families/hybrid/planes/planes.h"

namespace braid::models::hybrid::planes {

template <class B>
struct Planes<B>::Show {
  using Shape = typename B::Shape;

  Planes& all;
  std::uint64_t now;
  Share& planes = *all.shares_.front();  // what is the same in every share
  const RouterBank& bank = planes.r_.bank;
  unsigned length_bits = 1;
  std::vector<Flit> in_switch = {};  // [output port] the flit in ST

  PacketSlot packet_of(VoyageId voyage) const { return planes.voyages_[voyage].packet; }
  std::uint32_t length_of(PacketSlot packet) const { return planes.r_.store[packet].length_flits; }
  static unsigned place_of(std::uint32_t router) { return Share::place_of(router); }
  Registers& registers_at(PortIndex port) const { return all.share_of(bank.router_of(port).value).r_; }
  PortIndex first_port(const Registers& r) const { return r.range().first * bank.port_stride(); }
  PortIndex last_port(const Registers& r) const { return r.range().last * bank.port_stride(); }
  /// What is on the way from one port to another; an interface's is its router's.
  Channel& channel(PortIndex from, PortIndex to) const {
    Registers& r = registers_at(from);
    return bank.is_injection_port(to) ? r.own_channel() : r.channel_to(bank.router_of(to));
  }

  void input_port(PortIndex port) const {
    VcMask requests = 0;
    for (std::uint32_t v = 0; v < bank.vcs(); ++v) requests |= input_vc(bank.vc_index(port, v)) ? VcMask{1} << v : 0;
    bank.switch_requests[port] |= requests;
    Registers& r = registers_at(port);
    if (requests != 0) r.requesting.insert(port - first_port(r));
  }
  /// Gives whether its switch request is up.
  bool input_vc(VcIndex v) const {
    const unsigned place = place_of(planes.router_of(v)), lane = planes.at(v);
    const typename B::Inputs& in = planes.block_of(planes.router_of(v)).in;
    InputVc& vc = bank.input_vcs[v];
    const bool active = is_set<Shape>(in.active, lane, place), waits = is_set<Shape>(in.waiting, lane, place);
    vc.first = vc.count = 0;
    std::fill_n(bank.buffer(v), bank.depth_mask() + 1, Flit());  // what left earlier is forgotten
    const std::uint32_t count = counter_of<Shape, B::kPorts>(in.count[0], planes.extent_.depth_bits, lane, place);
    const std::uint32_t left = counter_of<Shape, B::kPorts>(in.left[0], length_bits, lane, place);
    write_flits(v, count, active || waits, left);
    vc.state = active      ? VcState::kActive
               : waits     ? VcState::kWaitsForVc
               : count > 0 ? VcState::kNeedsRoute
                           : VcState::kIdle;
    const VcIndex out_vc = planes.out_vc_of(v);
    vc.out_vc = active ? out_vc : kNone;
    if (out_vc != kNone) bank.last_ports[v] = static_cast<std::uint8_t>(planes.port_of(out_vc));
    const std::uint8_t way = planes.rings_.record(v).way;
    if (planes.keeps_ways() && way != Share::kNever) *bank.candidates(v) = {PortId{way}, 0, planes.all_vcs_};
    if (active) bank.output_vcs[vc.out_vc].owner = v;
    Registers& r = registers_at(bank.port_of_vc(v));
    if (waits) r.waiting.push(v);
    if (waits && !planes.adaptive_) bank.ways[v] = 1;
    if (vc.state == VcState::kNeedsRoute) r.heads.push(v);
    const typename B::Outputs& out = planes.block_of(planes.router_of(v)).out;
    const bool has_credit = active && !is_set<Shape>(out.none, planes.at(out_vc), place);
    return active && count > 0 && has_credit;
  }
  void write_flits(VcIndex v, std::uint32_t count, bool routed, std::uint32_t left) const {
    std::uint32_t begun = 0;
    PacketSlot packet = routed ? packet_of(planes.rings_.current(v)) : 0;
    std::uint32_t sequence = routed ? length_of(packet) - left : 0;
    bool between = !routed;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (between) {
        packet = packet_of(planes.rings_.coming(v, begun++));
        sequence = 0;
      }
      bank.push(v, Flit(packet, sequence, length_of(packet), bank.lane_of(v)));
      between = ++sequence == length_of(packet);
    }
  }

  void output_credits(PortIndex port) const {
    const std::uint32_t router = bank.router_of(port).value;
    const typename B::Outputs& out = planes.block_of(router).out;
    bank.free_vcs[port] = Shape::at(out.free[bank.port_of(port)], place_of(router));
    for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
      OutputVc& vc = bank.output_vcs[bank.vc_index(port, v)];
      vc.owner = kNone;
      vc.credits = static_cast<std::uint16_t>(counter_of<Shape, B::kPorts>(
          &out.credits[0][bank.port_of(port)], planes.extent_.depth_bits, v, place_of(router)));
    }
  }

  /// In place of a number of flits: the last packet that was sent to a VC has been sent whole.
  static constexpr std::uint32_t kWhole = ~std::uint32_t{0};
  /// Calls put(cycle, flit) for flits that have been sent to a VC, the last first: in cycle now - 1, now - 2 and so on
  /// to `first`, where the history says so. `sent`: flits of the last packet that got the VC that have been sent.
  template <class Put>
  void last_sent(History<B>& history, std::uint64_t first, PortIndex port, std::uint32_t vc, std::uint32_t ring,
                 std::uint32_t sent, Put put) const {
    std::uint32_t back = 0;
    for (std::uint64_t cycle = now; cycle-- != first;) {
      if (!history.test(cycle, bank.port_of(port), vc, bank.router_of(port).value)) continue;
      if (sent == 0) {
        ++back;
        sent = kWhole;
      }
      const PacketSlot packet = packet_of(planes.rings_.from_last(ring, back));
      if (sent == kWhole) sent = length_of(packet);
      --sent;
      put(cycle, Flit(packet, sent, length_of(packet), vc));
    }
  }
  void flights_from(PortIndex port) {
    const Link& link = bank.links[port];
    const std::uint32_t delay = link.to_node ? kEjectionCycles : 2 + link.latency_cycles;
    for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
      const VcIndex out_vc = bank.vc_index(port, v);
      last_sent(planes.crossed_, now - delay, port, v, planes.ring_behind(out_vc),
                sent_of(bank.output_vcs[out_vc].owner), [&](std::uint64_t cycle, const Flit& flit) {
                  if (cycle + 1 == now) {
                    in_switch[port] = flit;
                  } else if (link.to_node) {
                    registers_at(port).own_channel().at(cycle + delay).ejections.push({flit, link.target});
                  } else {
                    channel(port, link.target).at(cycle + delay).packets.push({flit, bank.vc_index(link.target, 0)});
                  }
                });
      if (!link.to_node) continue;
      for (std::uint64_t cycle = now - kEjectionCycles - planes.credit_delay_ + 1; cycle != now - kEjectionCycles;
           ++cycle) {
        if (!planes.crossed_.test(cycle, bank.port_of(port), v, bank.router_of(port).value)) continue;
        registers_at(port).own_channel().at(cycle + kEjectionCycles + planes.credit_delay_ - 1).credits.push(out_vc);
      }
    }
  }
  /// Flits that the owner of an output VC has sent on it.
  std::uint32_t sent_of(VcIndex owner) const {
    if (owner == kNone) return kWhole;
    const typename B::Inputs& in = planes.block_of(planes.router_of(owner)).in;
    return length_of(packet_of(planes.rings_.current(owner))) -
           counter_of<Shape, B::kPorts>(in.left[0], length_bits, planes.at(owner), place_of(planes.router_of(owner)));
  }
  void flits_in_switch(PortIndex port) const {
    for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
      if (!planes.left_.test(now - 1, bank.port_of(port), v, bank.router_of(port).value)) continue;
      const VcIndex in_vc = bank.vc_index(port, v);
      const PortIndex out = bank.port_of_vc(planes.out_vc_of(in_vc));
      registers_at(port).traversals.push({in_switch[out], in_vc, out});
    }
  }
  /// Tails that reach nodes in the same cycle, in the order in which this engine would deliver them: it says which
  /// packets' places in the store are free first, and a node of several ports may see it. `flit_of` an item.
  template <class Item, class FlitOf>
  void put_in_order(Share& share, WorkList<Item>& items, std::uint64_t due, FlitOf flit_of) const {
    share.sort_deliveries(due);
    const std::vector<Delivery>& order = share.deliveries(due);
    const auto turn = [&](const Item& item) {
      const Flit flit = flit_of(item);
      if (!flit.tail()) return order.end();
      return std::find_if(order.begin(), order.end(),
                          [&](const Delivery& d) { return packet_of(d.voyage) == flit.packet(); });
    };
    std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) { return turn(a) < turn(b); });
  }
  void put_all_in_order(Share& share) const {
    for (std::uint64_t due = now; due < now + kEjectionCycles - 1; ++due) {
      put_in_order(share, share.r_.own_channel().at(due).ejections, due, [](const FlitArrival& a) { return a.flit; });
    }
    put_in_order(share, share.r_.traversals, now - 1 + kEjectionCycles,
                 [](const Slice::Traversal& t) { return t.flit; });
  }
  void credits_to(PortIndex port) const {
    const PortIndex feeder = bank.upstream[port];
    const std::uint32_t delay = planes.credit_delay_ + bank.links[feeder].latency_cycles - 1;
    for (std::uint64_t cycle = now - delay; cycle + 1 != now; ++cycle) {
      for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
        if (!planes.left_.test(cycle, bank.port_of(port), v, bank.router_of(port).value)) continue;
        channel(port, feeder).at(cycle + delay).credits.push(bank.vc_index(feeder, v));
      }
    }
  }

  void interface(std::size_t i) const {
    const PortIndex port = bank.wiring().local_ports[i].router_port, link = bank.injection_port(i);
    const std::uint32_t router = bank.router_of(port).value;
    typename B::Local& local = planes.block_of(router).local[bank.port_of(port)];
    Registers& r = registers_at(port);
    Registers::LocalPort& interface = r.local_port(i);
    std::uint32_t left = 0;
    for (unsigned k = 0; k < length_bits; ++k) {
      left |= static_cast<std::uint32_t>(word_of<Shape>(local.left[k], place_of(router)) >> (router % kWordBits) & 1)
              << k;
    }
    interface.out_vc = kNone;
    interface.vc_pointer = 0;  // (where the turn is at a VC that is not there, the first one's is next)
    for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
      if (is_set<Shape>(&local.turn, v, place_of(router))) interface.vc_pointer = static_cast<std::uint8_t>(v);
      if (is_set<Shape>(&local.sending, v, place_of(router))) interface.out_vc = bank.vc_index(link, v);
    }
    const bool sends = interface.out_vc != kNone;
    interface.next_flit = static_cast<std::uint16_t>(sends ? length_of(interface.packets.front()) - left : 0);
    if (!interface.packets.empty()) r.sends.insert(i - r.first_local_port());
    all.show_injection_vcs(i);
    for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
      const VcIndex out_vc = bank.vc_index(link, v);
      const std::uint32_t sent = interface.out_vc == out_vc ? std::uint32_t{interface.next_flit} : kWhole;
      last_sent(planes.injected_, now - kInjectionCycles, port, v, bank.vc_index(port, v), sent,
                [&](std::uint64_t cycle, const Flit& flit) {
                  r.own_channel().at(cycle + kInjectionCycles).packets.push({flit, bank.vc_index(port, 0)});
                });
    }
  }

  void orders(Share& share) const {
    const MatrixRanks ranks = *Registers::ranks(share.r_.slice);
    const std::uint32_t ports = planes.extent_.ports, others = bank.port_stride() - ports;
    const PortIndex first = first_port(share.r_), last = last_port(share.r_);
    for (PortIndex p = first; p < last; ++p) {
      const std::uint32_t router = bank.router_of(p).value, port = bank.port_of(p);
      if (port >= ports) continue;
      const Orders<B>& order = planes.orders_[router / B::kRouters];
      const auto vc_before = [&](std::uint32_t a, std::uint32_t b) {
        return std::uint32_t{is_set<Shape>(order.vcs[port][a * Shape::kVcs + b], place_of(router))};
      };
      const auto port_before = [&](std::uint32_t a, std::uint32_t b) {
        return std::uint32_t{
            is_set_of_port<Shape>(order.ports[port / B::kTogether][a * (B::kPorts + 1) + b], port, place_of(router))};
      };
      for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
        std::uint32_t rank = 0;
        for (std::uint32_t u = 0; u < bank.vcs(); ++u) rank += vc_before(u, v);
        ranks.lanes[std::size_t{p - first} * bank.vcs() + v] = static_cast<std::uint16_t>(rank);
      }
      for (std::uint32_t q = 0; q < bank.port_stride(); ++q) {
        const std::uint32_t known = std::min(q, ports);
        std::uint32_t rank = q - known;
        for (std::uint32_t r = 0; r < ports; ++r) rank += port_before(r, known);
        if (q < ports) rank += others * port_before(ports, q);
        ranks.ports[std::size_t{p - first} * bank.port_stride() + q] = static_cast<std::uint16_t>(rank);
      }
    }
  }

  void vc_arbiters(Share& share) const {
    if (share.vc_arbitration_ == nullptr) return;
    std::uint16_t* const inputs = share.vc_arbitration_->input_arbiters().pointers();
    std::uint16_t* const outputs = share.vc_arbitration_->output_arbiters().pointers();
    const VcIndex first = bank.vc_index(first_port(share.r_), 0), last = bank.vc_index(last_port(share.r_), 0);
    for (VcIndex v = first; v < last; ++v) {
      inputs[v - first] = planes.rings_.record(v).input_turn;
      outputs[v - first] = planes.rings_.record(v).output_turn;
    }
  }
  void arbiters(Share& share) const {
    if (planes.orders_ != nullptr) return orders(share);
    const RoundRobinPointers pointers = *Registers::turns(share.r_.slice);
    const std::uint32_t ports = bank.port_stride() - 1;
    const PortIndex first = first_port(share.r_), last = last_port(share.r_);
    for (PortIndex p = first; p < last; ++p) {
      const std::uint32_t router = bank.router_of(p).value, port = bank.port_of(p);
      if (port >= planes.extent_.ports) continue;
      B& block = planes.block_of(router);
      const unsigned place = place_of(router);
      for (std::uint32_t v = 0; v < Shape::kVcs; ++v) {
        if (is_set<Shape>(&block.in.turn[port], v, place)) {
          pointers.lanes[p - first] = static_cast<std::uint16_t>(v & planes.turn_mask_);
        }
      }
      for (std::uint32_t q = 0; q <= planes.extent_.ports; ++q) {
        if (is_set_of_port<Shape>(block.out.turn[port / B::kTogether][q], port, place)) {
          pointers.ports[p - first] = static_cast<std::uint16_t>(q & ports);
        }
      }
    }
  }
};

template <class B>
void Planes<B>::show(std::uint64_t now) {
  shown_ = true;
  push_late();
  count_links();
  count_routers();
  for (B& block : common_.blocks) activate_granted(block, static_cast<int>(common_.ports));
  Show s{*this, now};
  for (const auto& share : shares_) s.length_bits = std::max(s.length_bits, share->extent_.length_bits);
  s.in_switch.resize(bank_.router_port_count());
  for (const auto& share : shares_) share->r_.leave_circuits();
  const auto each_port = [this](auto visit) {
    for (PortIndex p = 0; p < bank_.router_port_count(); ++p) {
      if (bank_.links[p].target != kNone) visit(p);
    }
  };
  each_port([&](PortIndex p) { s.output_credits(p); });
  each_port([&](PortIndex p) { s.input_port(p); });
  each_port([&](PortIndex p) { s.flights_from(p); });
  each_port([&](PortIndex p) { s.flits_in_switch(p); });
  each_port([&](PortIndex p) { s.credits_to(p); });
  for (const auto& share : shares_) s.put_all_in_order(*share);
  for (std::size_t i = 0; i < bank_.wiring().local_ports.size(); ++i) s.interface(i);
  for (const auto& share : shares_) {
    s.arbiters(*share);
    s.vc_arbiters(*share);
  }
}

template <class B>
void Planes<B>::show_injection_vcs(std::size_t i) {
  using Shape = typename B::Shape;
  Share& share = *shares_.front();
  const PortIndex port = bank_.wiring().local_ports[i].router_port, link = bank_.injection_port(i);
  const std::uint32_t router = bank_.router_of(port).value;
  typename B::Local& local = share.block_of(router).local[bank_.port_of(port)];
  bank_.free_vcs[link] = share.all_vcs_;
  for (std::uint32_t v = 0; v < bank_.vcs(); ++v) {
    if (is_set<Shape>(&local.sending, v, Share::place_of(router))) bank_.free_vcs[link] &= ~(VcMask{1} << v);
    bank_.output_vcs[bank_.vc_index(link, v)].credits = static_cast<std::uint16_t>(
        counter_of<Shape>(local.credits, share.extent_.depth_bits, v, Share::place_of(router)));
  }
}

template <class B>
void Pipeline<B>::count_flits() {
  if (counted_to_ + 1 == now_) return;
  for (std::size_t b = first_block_; b < last_block_; ++b) count_sent(b);
  counted_to_ = now_ - 1;
  ++unflushed_;
}

/// Adds what the planes have counted of the flits over each link.
template <class B>
void Pipeline<B>::flush_counters() {
  unflushed_ = 0;
  const PortIndex last = r_.range().last * r_.bank.port_stride();
  for (PortIndex p = r_.range().first * r_.bank.port_stride(); p < last; ++p) {
    const std::uint32_t router = r_.bank.router_of(p).value, port = r_.bank.port_of(p);
    if (port >= extent_.ports) continue;
    std::uint64_t flits = 0;
    for (unsigned k = 0; k < kSentBits; ++k) {
      flits |= (word_of<Shape>(block_of(router).out.sent[port][k], place_of(router)) >> (router % kWordBits) & 1) << k;
    }
    r_.bank.flits_sent[p][0] += flits;
  }
  for (std::size_t b = first_block_; b < last_block_; ++b) {
    std::memset(static_cast<void*>(blocks_[b].out.sent), 0, sizeof blocks_[b].out.sent);
  }
}

}  // namespace braid::models::hybrid::planes
