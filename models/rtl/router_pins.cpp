#include "models/rtl/router_pins.h"

#include <stdexcept>

#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {
namespace {

void put(ControlPins& pins, const RouterBank& bank, const ControlMessage& message) {
  if (pins.valid) throw std::logic_error("two control messages reach a router in one cycle");
  pins = {true, bank.port_of(message.port), message.kind, message.search, message.destination, message.circuit};
}

}  // namespace

RouterPins::RouterPins(Slice& slice, RouterId router)
    : slice_(slice), bank_(slice.shared_.bank), router_(router), ports_(bank_.port_stride()) {
  if (ports_ > kMaxPinPorts) throw std::logic_error("RouterPins: more ports than kMaxPinPorts");
}

std::uint64_t RouterPins::flit_delay(std::uint32_t out_port) const {
  return 1U + bank_.links[index(out_port)].latency_cycles;
}

std::uint64_t RouterPins::credit_delay(std::uint32_t in_port) const {
  const PortIndex feeder = bank_.upstream[index(in_port)];
  return slice_.shared_.router.credit_delay_cycles + bank_.links[feeder].latency_cycles - 2U;
}

Channel& RouterPins::forward(std::uint32_t out_port) const {
  const Link& link = bank_.links[index(out_port)];
  return link.to_node ? slice_.self() : slice_.channel_to(bank_.router_of(link.target));
}

Channel& RouterPins::back(std::uint32_t in_port) const {
  const PortIndex feeder = bank_.upstream[index(in_port)];
  return bank_.is_injection_port(feeder) ? slice_.self() : slice_.channel_to(bank_.router_of(feeder));
}

/// A node files what it says for the cycle in which it is on the wires, a router for the one after. One channel may
/// hold both; then no unit of the slice is the model's, whose tear-downs wait in it.
bool RouterPins::of_node(const Channel& channel, const ControlMessage& message) const {
  if (&channel != &slice_.self()) return false;
  return !slice_.shared_.shared_mailboxes || bank_.is_injection_port(bank_.upstream[message.port]);
}

void RouterPins::inputs(std::uint64_t cycle, bool ignore_request, RouterInputs& in) const {
  in.clear();
  const auto arrive = [&](const FlitArrival& arrival) {
    in.links[bank_.port_of(bank_.port_of_vc(arrival.target))] = {true, arrival.flit};
  };
  for (Channel* channel : slice_.channels_.incoming()) {
    for (const FlitArrival& arrival : channel->at(cycle + 1).packets) arrive(arrival);
    for (const FlitArrival& arrival : channel->at(cycle).circuits) arrive(arrival);
    for (const VcIndex out_vc : channel->at(cycle).credits) {
      const PortIndex port = bank_.port_of_vc(out_vc);
      if (!bank_.is_injection_port(port)) in.credits[bank_.port_of(port)] |= 1U << bank_.lane_of(out_vc);
    }
    for (const ControlMessage& message : channel->at(cycle + 1).control) {
      if (!of_node(*channel, message)) put(in.control, bank_, message);
    }
    if (ignore_request) continue;
    for (const ControlMessage& message : channel->at(cycle).control) {
      if (of_node(*channel, message)) put(in.request, bank_, message);
    }
  }
}

RouterOutputs RouterPins::modelled_outputs(std::uint64_t cycle) const {
  RouterOutputs out;
  for (std::uint32_t p = 0; p < ports_; ++p) {
    if (!wired(p)) continue;
    const Link& link = bank_.links[index(p)];
    Channel& channel = forward(p);
    const std::uint64_t slot = cycle + flit_delay(p);
    const std::uint32_t target = link.to_node ? link.target : bank_.vc_index(link.target, 0);
    const auto look = [&](const auto& list, bool circuit) {
      for (const FlitArrival& a : list) {
        if (a.target == target && bank_.is_circuit_lane(a.flit.vc()) == circuit) out.links[p] = {true, a.flit};
      }
    };
    if (link.to_node) {
      look(channel.at(slot).ejections, false);
      look(channel.at(slot).ejections, true);
    } else {
      look(channel.at(slot).packets, false);
      look(channel.at(slot - 1).circuits, true);
      for (const ControlMessage& m : channel.at(cycle + 1 + link.latency_cycles).control) {
        if (m.port == link.target) out.control = {true, p, m.kind, m.search, m.destination};
      }
    }
    const PortIndex feeder = bank_.upstream[index(p)];
    for (const VcIndex credit : back(p).at(cycle + credit_delay(p)).credits) {
      if (bank_.port_of_vc(credit) == feeder) out.credits[p] |= 1U << bank_.lane_of(credit);
    }
  }
  return out;
}

void RouterPins::supply(std::uint64_t cycle, const RouterInputs& in) {
  Channel& wires = slice_.self();  // stages take from all channels alike
  for (std::uint32_t p = 0; p < ports_; ++p) {
    if (in.links[p].valid) {
      const Flit flit = in.links[p].flit;
      const FlitArrival arrival{flit, bank_.vc_index(index(p), 0)};
      if (bank_.is_circuit_lane(flit.vc())) {
        wires.at(cycle).circuits.push(arrival);
      } else {
        wires.at(cycle + 1).packets.push(arrival);
      }
    }
    for (std::uint32_t lanes = in.credits[p]; lanes != 0; lanes &= lanes - 1) {
      wires.at(cycle).credits.push(bank_.vc_index(index(p), static_cast<unsigned>(__builtin_ctz(lanes))));
    }
  }
  const auto message = [&](const ControlPins& m) {
    return ControlMessage{index(m.port), m.kind, m.search, m.destination, m.circuit};
  };
  if (in.control.valid) wires.at(cycle + 1).control.push_back(message(in.control));
  if (in.request.valid) wires.at(cycle).control.push_back(message(in.request));
}

RouterOutputs RouterPins::take_outputs(std::uint64_t cycle) {
  const RouterOutputs out = modelled_outputs(cycle);
  for (std::uint32_t p = 0; p < ports_; ++p) {
    if (!wired(p)) continue;
    const Link& link = bank_.links[index(p)];
    const std::uint64_t slot = cycle + flit_delay(p);
    if (link.to_node) {
      forward(p).at(slot).ejections.clear();
    } else {
      forward(p).at(slot).packets.clear();
      forward(p).at(slot - 1).circuits.clear();
      forward(p).at(cycle + 1 + link.latency_cycles).control.clear();
    }
    back(p).at(cycle + credit_delay(p)).credits.clear();
  }
  return out;
}

void RouterPins::drive(std::uint64_t cycle, const RouterOutputs& out) {
  const std::size_t mask = slice_.slot_mask_;
  for (std::uint32_t p = 0; p < ports_; ++p) {
    const Slice::NearWire& wire = slice_.near_wires_[p];
    if (wire.target == kNone) continue;
    if (out.links[p].valid) {
      const Flit flit = out.links[p].flit;
      const std::size_t kind = bank_.is_circuit_lane(flit.vc()) ? 1 : 0;
      ++bank_.flits_sent[index(p)][kind];
      ++slice_.switch_traversals_;
      (wire.slots[(cycle + wire.delay_cycles[kind]) & mask].*wire.list[kind]).push({flit, wire.target});
    }
    if (out.credits[p] == 0) continue;
    const Slice::NearCredit& back = slice_.near_credits_[p];
    WorkList<VcIndex>& credits = back.slots[(cycle + back.delay_cycles) & mask].credits;
    for (std::uint32_t lanes = out.credits[p]; lanes != 0; lanes &= lanes - 1) {
      credits.push(back.first_vc + static_cast<unsigned>(__builtin_ctz(lanes)));
    }
  }
  if (out.control.valid) {
    slice_.send_control(cycle, index(out.control.port),
                        {0, out.control.kind, out.control.search, out.control.destination});
  }
}

void RouterPins::consume(std::uint64_t cycle) {
  for (Channel* channel : slice_.channels_.incoming()) {
    Channel::Slot& slot = channel->at(cycle);
    for (const FlitArrival& a : slot.packets) {
      if (!a.flit.head()) continue;
      Packet& packet = slice_.shared_.store[a.flit.packet()];
      ++packet.routers;
      if (packet.record != nullptr) slice_.log_head(packet, cycle, a.target + a.flit.vc());
    }
    if (!slot.ejections.empty()) slice_.interfaces_.arrive(cycle, slot.ejections);
    for (const VcIndex out_vc : slot.credits) {
      if (bank_.is_injection_port(bank_.port_of_vc(out_vc))) ++bank_.output_vcs[out_vc].credits;
    }
    slot.packets.clear();
    slot.circuits.clear();
    slot.ejections.clear();
    slot.credits.clear();
    slot.control.clear();
  }
  slice_.interfaces_.drain(cycle);
  slice_.interfaces_.inject(cycle);
}

VcIndex RouterPins::waiting_tear_down(std::uint64_t cycle) const {
  for (const ControlMessage& m : slice_.self().at(cycle + 1).control) {
    if (m.kind == ControlKind::kTearDown) return bank_.circuit_vc(m.port, m.circuit);
  }
  return kNone;
}

void RouterPins::show_circuits(RouterImage& image) {
  const RouterShape& shape = image.shape();
  if (!shape.circuits) return;
  const auto lane = [&](std::uint64_t one_plus_row) {
    if (one_plus_row == 0) return kNone;
    const auto row = static_cast<std::uint32_t>(one_plus_row - 1);
    return bank_.circuit_vc(index(row / shape.circuit_lanes), row % shape.circuit_lanes);
  };
  for (std::uint32_t p = 0; p < shape.ports; ++p) {
    for (std::uint32_t c = 0; c < shape.circuit_lanes; ++c) {
      const VcIndex row = bank_.circuit_vc(index(p), c);
      InputVc& in = bank_.input_vcs[row];
      in.out_vc = lane(image.circuit_out(p, c));
      in.state = in.out_vc == kNone ? VcState::kIdle : VcState::kActive;
      bank_.output_vcs[row].owner = lane(image.circuit_in(p, c));
    }
  }
}

void RouterPins::show(RouterImage& image) {
  const RouterShape& shape = image.shape();
  const auto decode = [](const std::uint64_t* words) {
    return FlitCodec::decode(words[1], (words[0] & 4U) != 0, static_cast<std::uint32_t>(words[0] >> 8));
  };
  slice_.traversals_.clear();
  for (std::uint32_t p = 0; p < shape.ports; ++p) {
    for (std::uint32_t lane = 0; lane < shape.lanes(); ++lane) {
      const VcIndex v = bank_.vc_index(index(p), lane);
      InputVc& vc = bank_.input_vcs[v];
      vc = {};
      bank_.ways[v] = 0;
      for (std::uint64_t i = 0; i < image.count(p, lane); ++i) {
        bank_.push(v, decode(image.slot(p, lane, static_cast<std::uint32_t>(i))));
      }
      bank_.output_vcs[v].credits = static_cast<std::uint16_t>(image.credits(p, lane));
      if (bank_.is_circuit_lane(lane)) continue;
      vc.state = static_cast<VcState>(image.vc(p, lane, RouterImage::kState));
      const std::uint64_t out = image.vc(p, lane, RouterImage::kOutVc);
      if (out != 0) {
        vc.out_vc =
            bank_.vc_index(index(static_cast<std::uint32_t>(out >> 8) - 1), static_cast<std::uint32_t>(out & 0xff));
      }
      const std::uint64_t candidates = image.vc(p, lane, RouterImage::kCandidates);
      for (std::uint64_t ports = shape.candidate_ports(candidates); ports != 0; ports &= ports - 1) {
        const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(ports));
        const bool network = !bank_.links[index(bit % shape.ports)].to_node;
        bank_.candidates(v)[bank_.ways[v]++] = shape.candidate(candidates, bit, network);
      }
    }
    bank_.free_vcs[index(p)] = static_cast<VcMask>(image.port(p, RouterImage::kFreeVcs));
    if (image.port(p, RouterImage::kStValid) != 0) {
      const std::uint64_t where = image.port(p, RouterImage::kStOutput);
      slice_.traversals_.push({decode(image.flit(p, RouterImage::kStFlit)),
                               bank_.vc_index(index(p), static_cast<std::uint32_t>(where & 0xff)),
                               index(static_cast<std::uint32_t>(where >> 16))});
    }
  }
  show_circuits(image);
}

}  // namespace braid::models::hybrid
