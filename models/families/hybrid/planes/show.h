// From planes to the slice's registers.
#pragma once

#include "models/families/hybrid/planes/pipeline.h"

namespace braid::models::hybrid::planes {

template <class B>
struct Pipeline<B>::Show {
  Pipeline& planes;
  std::uint64_t now;
  const RouterBank& bank = planes.r_.bank;
  std::vector<Flit> in_switch = {};  // [output port] the flit in ST

  std::uint32_t length_of(PacketSlot packet) const { return planes.r_.store[packet].length_flits; }

  void clear_lists() const {
    planes.r_.waiting.clear();
    planes.r_.heads.clear();
    planes.r_.traversals.clear();
    planes.r_.requesting.resize(bank.router_port_count());
    for (Channel::Slot& slot : planes.r_.channel.slots()) {
      slot.packets.clear();
      slot.ejections.clear();
      slot.credits.clear();
    }
  }

  void input_port(PortIndex port) const {
    VcMask requests = 0;
    for (std::uint32_t v = 0; v < bank.vcs(); ++v) requests |= input_vc(bank.vc_index(port, v)) ? VcMask{1} << v : 0;
    bank.switch_requests[port] = requests;
    if (requests != 0) planes.r_.requesting.insert(port);
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
    const std::uint32_t left = counter_of<Shape, B::kPorts>(in.left[0], planes.extent_.length_bits, lane, place);
    write_flits(v, count, active || waits, left);
    vc.state = active      ? VcState::kActive
               : waits     ? VcState::kWaitsForVc
               : count > 0 ? VcState::kNeedsRoute
                           : VcState::kIdle;
    const VcIndex out_vc = planes.out_vc_of(v);
    vc.out_vc = active ? out_vc : kNone;
    if (out_vc != kNone) bank.last_ports[v] = static_cast<std::uint8_t>(planes.port_of(out_vc));
    const std::uint8_t way = planes.rings_.record(v).way;
    if (planes.keeps_ways() && way != Pipeline::kNever) *bank.candidates(v) = {PortId{way}, 0, planes.all_vcs_};
    if (active) bank.output_vcs[vc.out_vc].owner = v;
    if (waits) planes.r_.waiting.push(v);
    if (waits && !planes.adaptive_) vc.candidates = 1;
    if (vc.state == VcState::kNeedsRoute) planes.r_.heads.push(v);
    const typename B::Outputs& out = planes.block_of(planes.router_of(v)).out;
    const bool has_credit = active && !is_set<Shape>(out.none, planes.at(out_vc), place);
    return active && count > 0 && has_credit;
  }
  void write_flits(VcIndex v, std::uint32_t count, bool routed, std::uint32_t left) const {
    std::uint32_t begun = 0;
    PacketSlot packet = routed ? planes.rings_.current(v) : 0;
    std::uint32_t sequence = routed ? length_of(packet) - left : 0;
    bool between = !routed;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (between) {
        packet = planes.rings_.coming(v, begun++);
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
      const PacketSlot packet = planes.rings_.from_last(ring, back);
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
                    planes.r_.channel.at(cycle + delay).ejections.push({flit, link.target});
                  } else {
                    planes.r_.channel.at(cycle + delay).packets.push({flit, bank.vc_index(link.target, 0)});
                  }
                });
      if (!link.to_node) continue;
      for (std::uint64_t cycle = now - kEjectionCycles - planes.credit_delay_ + 1; cycle != now - kEjectionCycles;
           ++cycle) {
        if (!planes.crossed_.test(cycle, bank.port_of(port), v, bank.router_of(port).value)) continue;
        planes.r_.channel.at(cycle + kEjectionCycles + planes.credit_delay_ - 1).credits.push(out_vc);
      }
    }
  }
  /// Flits that the owner of an output VC has sent on it.
  std::uint32_t sent_of(VcIndex owner) const {
    if (owner == kNone) return kWhole;
    const typename B::Inputs& in = planes.block_of(planes.router_of(owner)).in;
    return length_of(planes.rings_.current(owner)) -
           counter_of<Shape, B::kPorts>(in.left[0], planes.extent_.length_bits, planes.at(owner),
                                        place_of(planes.router_of(owner)));
  }
  void flits_in_switch(PortIndex port) const {
    for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
      if (!planes.left_.test(now - 1, bank.port_of(port), v, bank.router_of(port).value)) continue;
      const VcIndex in_vc = bank.vc_index(port, v);
      const PortIndex out = bank.port_of_vc(planes.out_vc_of(in_vc));
      planes.r_.traversals.push({in_switch[out], in_vc, out});
    }
  }
  /// Tails that reach nodes in the same cycle, in the order in which this engine would deliver them: it says which
  /// packets' places in the store are free first, and a node of several ports may see it. `flit_of` an item.
  template <class Item, class FlitOf>
  void put_in_order(WorkList<Item>& items, std::uint64_t due, FlitOf flit_of) const {
    planes.sort_deliveries(due);
    const std::vector<Delivery>& order = planes.deliveries(due);
    const auto turn = [&](const Item& item) {
      const Flit flit = flit_of(item);
      if (!flit.tail()) return order.end();
      return std::find_if(order.begin(), order.end(), [&](const Delivery& d) { return d.packet == flit.packet(); });
    };
    std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) { return turn(a) < turn(b); });
  }
  void put_all_in_order() const {
    for (std::uint64_t due = now; due < now + kEjectionCycles - 1; ++due) {
      put_in_order(planes.r_.channel.at(due).ejections, due, [](const FlitArrival& a) { return a.flit; });
    }
    put_in_order(planes.r_.traversals, now - 1 + kEjectionCycles, [](const Slice::Traversal& t) { return t.flit; });
  }
  void credits_to(PortIndex port) const {
    const PortIndex feeder = bank.upstream[port];
    const std::uint32_t delay = planes.credit_delay_ + bank.links[feeder].latency_cycles - 1;
    for (std::uint64_t cycle = now - delay; cycle + 1 != now; ++cycle) {
      for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
        if (!planes.left_.test(cycle, bank.port_of(port), v, bank.router_of(port).value)) continue;
        planes.r_.channel.at(cycle + delay).credits.push(bank.vc_index(feeder, v));
      }
    }
  }

  void interface(std::size_t i) const {
    const PortIndex port = bank.wiring().local_ports[i].router_port, link = bank.injection_port(i);
    const std::uint32_t router = bank.router_of(port).value;
    typename B::Local& local = planes.block_of(router).local[bank.port_of(port)];
    Registers::LocalPort& interface = planes.r_.local_port(i);
    std::uint32_t left = 0;
    for (unsigned k = 0; k < planes.extent_.length_bits; ++k) {
      left |= static_cast<std::uint32_t>(word_of<Shape>(local.left[k], place_of(router)) >> (router % kWordBits) & 1)
              << k;
    }
    const bool sends = interface.out_vc != kNone;
    interface.next_flit = static_cast<std::uint16_t>(sends ? length_of(interface.packets.front()) - left : 0);
    if (!interface.packets.empty()) planes.r_.sends.insert(i);
    planes.show_injection_credits(i);
    for (std::uint32_t v = 0; v < bank.vcs(); ++v) {
      const VcIndex out_vc = bank.vc_index(link, v);
      const std::uint32_t sent = interface.out_vc == out_vc ? std::uint32_t{interface.next_flit} : kWhole;
      last_sent(planes.injected_, now - kInjectionCycles, port, v, bank.vc_index(port, v), sent,
                [&](std::uint64_t cycle, const Flit& flit) {
                  planes.r_.channel.at(cycle + kInjectionCycles).packets.push({flit, bank.vc_index(port, 0)});
                });
    }
  }

  void orders() const {
    const MatrixRanks ranks = *Registers::ranks(planes.r_.slice);
    const std::uint32_t ports = planes.extent_.ports, others = bank.port_stride() - ports;
    for (PortIndex p = 0; p < bank.router_port_count(); ++p) {
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
        ranks.lanes[std::size_t{p} * bank.vcs() + v] = static_cast<std::uint16_t>(rank);
      }
      for (std::uint32_t q = 0; q < bank.port_stride(); ++q) {
        const std::uint32_t known = std::min(q, ports);
        std::uint32_t rank = q - known;
        for (std::uint32_t r = 0; r < ports; ++r) rank += port_before(r, known);
        if (q < ports) rank += others * port_before(ports, q);
        ranks.ports[std::size_t{p} * bank.port_stride() + q] = static_cast<std::uint16_t>(rank);
      }
    }
  }

  void vc_arbiters() const {
    if (planes.vc_arbitration_ == nullptr) return;
    std::uint16_t* const inputs = planes.vc_arbitration_->input_arbiters().pointers();
    std::uint16_t* const outputs = planes.vc_arbitration_->output_arbiters().pointers();
    for (VcIndex v = 0; v < bank.vc_index(bank.router_port_count(), 0); ++v) {
      inputs[v] = planes.rings_.record(v).input_turn;
      outputs[v] = planes.rings_.record(v).output_turn;
    }
  }
  void arbiters() const {
    if (!planes.orders_.empty()) return orders();
    const RoundRobinPointers pointers = *Registers::turns(planes.r_.slice);
    const std::uint32_t lanes = bank.lane_stride() - 1, ports = bank.port_stride() - 1;
    for (PortIndex p = 0; p < bank.router_port_count(); ++p) {
      const std::uint32_t router = bank.router_of(p).value, port = bank.port_of(p);
      if (port >= planes.extent_.ports) continue;
      B& block = planes.block_of(router);
      const unsigned place = place_of(router);
      for (std::uint32_t v = 0; v < Shape::kVcs; ++v) {
        if (is_set<Shape>(&block.in.turn[port], v, place)) pointers.lanes[p] = static_cast<std::uint16_t>(v & lanes);
      }
      for (std::uint32_t q = 0; q <= planes.extent_.ports; ++q) {
        if (is_set_of_port<Shape>(block.out.turn[port / B::kTogether][q], port, place)) {
          pointers.ports[p] = static_cast<std::uint16_t>(q & ports);
        }
      }
    }
  }
};

template <class B>
void Pipeline<B>::show(std::uint64_t now) {
  count_links();
  Show s{*this, now};
  s.in_switch.resize(r_.bank.router_port_count());
  s.clear_lists();
  const auto each_port = [this](auto visit) {
    for (PortIndex p = 0; p < r_.bank.router_port_count(); ++p) {
      if (r_.bank.links[p].target != kNone) visit(p);
    }
  };
  each_port([&](PortIndex p) { s.output_credits(p); });
  each_port([&](PortIndex p) { s.input_port(p); });
  each_port([&](PortIndex p) { s.flights_from(p); });
  each_port([&](PortIndex p) { s.flits_in_switch(p); });
  each_port([&](PortIndex p) { s.credits_to(p); });
  s.put_all_in_order();
  for (std::size_t i = 0; i < r_.local_port_count(); ++i) s.interface(i);
  s.arbiters();
  s.vc_arbiters();
}

template <class B>
void Pipeline<B>::show_injection_credits(std::size_t i) {
  const PortIndex port = r_.bank.wiring().local_ports[i].router_port, link = r_.bank.injection_port(i);
  const std::uint32_t router = r_.bank.router_of(port).value;
  for (std::uint32_t v = 0; v < r_.bank.vcs(); ++v) {
    r_.bank.output_vcs[r_.bank.vc_index(link, v)].credits = static_cast<std::uint16_t>(counter_of<Shape>(
        block_of(router).local[r_.bank.port_of(port)].credits, extent_.depth_bits, v, place_of(router)));
  }
}

template <class B>
void Pipeline<B>::count_flits() {
  if (counted_to_ + 1 == now_) return;
  for (std::size_t b = 0; b < blocks_.size(); ++b) count_sent(b);
  counted_to_ = now_ - 1;
  ++unflushed_;
}

template <class B>
void Pipeline<B>::count_links() {
  count_flits();
  if (unflushed_ != 0) flush_counters();
}

/// Adds what the planes have counted of the flits over each link.
template <class B>
void Pipeline<B>::flush_counters() {
  unflushed_ = 0;
  for (PortIndex p = 0; p < r_.bank.router_port_count(); ++p) {
    const std::uint32_t router = r_.bank.router_of(p).value, port = r_.bank.port_of(p);
    if (port >= extent_.ports) continue;
    std::uint64_t flits = 0;
    for (unsigned k = 0; k < kSentBits; ++k) {
      flits |= (word_of<Shape>(block_of(router).out.sent[port][k], place_of(router)) >> (router % kWordBits) & 1) << k;
    }
    r_.bank.flits_sent[p][0] += flits;
  }
  for (B& block : blocks_) std::memset(static_cast<void*>(block.out.sent), 0, sizeof block.out.sent);
}

}  // namespace braid::models::hybrid::planes
