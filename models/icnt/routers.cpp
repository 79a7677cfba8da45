#include "models/icnt/routers.h"

#include <algorithm>

namespace braid::models::icnt {

Routers::Routers(const Configuration& configuration, const Wiring& wiring, PacketPool& packets, Wires& wires)
    : configuration_(configuration),
      wiring_(wiring),
      packets_(packets),
      wires_(wires),
      vcs_(configuration.vcs),
      ports_(wiring.ports),
      channels_(wiring.ports * configuration.vcs),
      ranges_(static_cast<unsigned>(configuration.ranges.size())),
      expanded_inputs_(wiring.ports * configuration.input_speedup),
      expanded_outputs_(wiring.ports * configuration.output_speedup),
      one_vc_(configuration.vcs == 1 && configuration.input_speedup == 1 && configuration.output_speedup == 1) {
  const std::size_t ports = std::size_t{wiring.routers} * ports_;
  const std::size_t all_inputs = std::size_t{wiring.routers} * expanded_inputs_;
  const std::size_t all_outputs = std::size_t{wiring.routers} * expanded_outputs_;
  inputs_.resize(ports * vcs_);
  outputs_.resize(ports * vcs_, Output{configuration.vc_buffer, kNone});
  free_.resize(ports, VcRange{0, vcs_ - 1}.mask());
  for (std::size_t port = 0; port < ports; ++port) {
    destination_.push_back(wiring.ends[port].place * vcs_);
    to_node_.push_back(wiring.ends[port].node);
    credit_to_.push_back(wiring.starts[port].place * vcs_);
    credit_to_node_.push_back(wiring.starts[port].node);
  }
  waiting_ = PortSets(ports * ranges_, channels_);
  to_allocate_ = WorkSet(ports);
  vc_output_turn_.resize(ports * vcs_);
  vc_input_turn_.resize(ports * vcs_);
  scratch_.resize(waiting_.words());
  chosen_.resize(vcs_);
  requests_ = PortSets(all_outputs, expanded_inputs_);
  to_switch_ = WorkSet(all_outputs);
  to_cross_ = WorkSet(all_inputs);
  ready_.resize(all_inputs);
  switch_output_turn_.resize(all_outputs);
  switch_input_turn_.resize(all_inputs);
  for (std::size_t input = 0; input < all_inputs; ++input)
    switch_vc_turn_.push_back(static_cast<std::uint32_t>(input % configuration.input_speedup));
  switch_choice_.resize(std::max(all_inputs, all_outputs), kNone);
  matched_input_.resize(all_inputs);
  matched_output_.resize(all_outputs);
  output_queues_.resize(ports);
  credit_queues_.resize(ports);
  sent_at_.resize(ports);
  credited_at_.resize(ports);
  credit_vcs_.resize(ports);
  queued_outputs_ = WorkSet(ports);
  queued_credits_ = WorkSet(ports);
}

void Routers::take() {
  auto& flits = wires_.flits_at_routers();
  for (const Flit& flit : flits) take_flit(flit);
  flits.clear();
  auto& credits = wires_.credits_at_routers();
  for (const std::uint32_t channel : credits) take_credit(channel);
  credits.clear();
}

void Routers::take_flit(const Flit& flit) {
  Input& input = inputs_[flit.place];
  ++input.flits;
  if (input.coming != 0) {
    --input.coming;
    if (input.flits == 1 && input.channel != kNone && outputs_[input.channel].credits != 0) request(flit.place);
    return;
  }
  input.coming = packets_[flit.packet].flits - 1;
  packets_.append(input.packets, flit.packet);
  if (input.packets.count == 1) begin_packet(flit.place);
}

void Routers::take_credit(std::uint32_t channel) {
  Output& output = outputs_[channel];
  if (output.credits++ == 0 && output.owner != kNone && inputs_[output.owner].flits != 0) request(output.owner);
  // The packet has left and so have all its flits: the channel is free only now.
  if (configuration_.wait_for_tail_credit && output.credits == configuration_.vc_buffer && output.owner == kNone)
    free_channel(channel);
}

/// A packet is the first of its channel: one before it has left, tail and all.
void Routers::begin_packet(std::uint32_t input) {
  Input& at = inputs_[input];
  const Packet& packet = packets_[at.packets.first];
  at.left = packet.flits;
  at.channel = kNone;
  at.output =
      router_of(input) * ports_ + wiring_.next_port[std::size_t{router_of(input)} * wiring_.nodes + packet.destination];
  if (configuration_.routing_delay == 0) {
    wait_for_channel(input);
  } else {
    routing_.push_back(input);
  }
}

void Routers::wait_for_channel(std::uint32_t input) {
  const Input& at = inputs_[input];
  waiting_.insert(std::size_t{at.output} * ranges_ + packets_[at.packets.first].range, place_of(input));
  if (free_[at.output] != 0) to_allocate_.insert(at.output);
}

void Routers::free_channel(std::uint32_t channel) {
  const std::uint32_t port = port_of(channel);
  free_[port] |= std::uint64_t{1} << channel % vcs_;
  for (unsigned range = 0; range < ranges_; ++range)
    if (!waiting_.empty(std::size_t{port} * ranges_ + range)) to_allocate_.insert(port);
}

void Routers::send_queued() {
  queued_outputs_.each([this](std::size_t port) {
    const Crossing flit = output_queues_[port].take();
    if (output_queues_[port].empty()) queued_outputs_.erase(port);
    sent_at_[port] = wires_.now() + 1;
    put_out(flit.channel, flit.packet);
  });
  queued_credits_.each([this](std::size_t port) {
    const std::uint64_t vcs = credit_queues_[port].take();
    if (credit_queues_[port].empty()) queued_credits_.erase(port);
    credited_at_[port] = wires_.now() + 1;
    send_credit(static_cast<std::uint32_t>(port), vcs);
  });
}

/// Both allocators see what the step before has left; what they grant happens afterwards.
void Routers::step() {
  cross();
  allocate_channels();
  allocate_switch();
  routed_.swap(routing_);
  for (const std::uint32_t input : routed_) wait_for_channel(input);
  routed_.clear();
  take_channels();
  cross_switch();
  give_credits();
}

/// Flits that won the switch in the step before reach their outputs.
void Routers::cross() {
  crossed_.swap(crossing_);
  for (const Crossing& flit : crossed_) {
    const std::uint32_t port = port_of(flit.channel);
    if (sent_at_[port] == wires_.now() + 1 || !output_queues_[port].empty()) {
      output_queues_[port].items.push_back(flit);
      queued_outputs_.insert(port);
    } else {
      sent_at_[port] = wires_.now() + 1;
      put_out(flit.channel, flit.packet);
    }
  }
  crossed_.clear();
}

void Routers::put_out(std::uint32_t channel, PacketId packet) {
  const std::uint32_t port = port_of(channel);
  const Flit flit{destination_[port] + channel % vcs_, packet};
  if (to_node_[port]) {
    wires_.flit_to_node(flit);
  } else {
    wires_.flit_to_router(flit);
  }
}

/// All that an input has sent in a step is one credit, and one credit a cycle is sent.
void Routers::give_credit(std::uint32_t input_port, std::uint64_t vcs) {
  if (credited_at_[input_port] == wires_.now() + 1 || !credit_queues_[input_port].empty()) {
    credit_queues_[input_port].items.push_back(vcs);
    queued_credits_.insert(input_port);
  } else {
    credited_at_[input_port] = wires_.now() + 1;
    send_credit(input_port, vcs);
  }
}

void Routers::give_credits() {
  for (const std::uint32_t port : credit_ports_) {
    give_credit(port, credit_vcs_[port]);
    credit_vcs_[port] = 0;
  }
  credit_ports_.clear();
}

void Routers::send_credit(std::uint32_t input_port, std::uint64_t vcs) {
  for (; vcs != 0; vcs &= vcs - 1) {
    const std::uint32_t channel = credit_to_[input_port] + lowest(vcs);
    if (credit_to_node_[input_port]) {
      wires_.credit_to_node(channel);
    } else {
      wires_.credit_to_router(channel);
    }
  }
}

}  // namespace braid::models::icnt
