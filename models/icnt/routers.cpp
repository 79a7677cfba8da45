#include "models/icnt/routers.h"

#include <algorithm>

namespace braid::models::icnt {

namespace {

/// Of a range: 0 all of it, 1 the lower half, 2 the upper one. Of an odd number both have the channel in the middle.
VcRange part_of(const VcRange& range, unsigned part) {
  const unsigned half = (range.end - range.begin + 1) / 2;
  return {range.begin + (part == 2 ? half : 0), range.end - (part == 1 ? half : 0)};
}

}  // namespace

Routers::Routers(const Configuration& configuration, const Wiring& wiring, PacketPool& packets, Wires& wires)
    : configuration_(configuration),
      packets_(packets),
      wires_(wires),
      vcs_(configuration.vcs),
      shift_(configuration.channel_shift()),
      channels_(wiring.ports << shift_),
      ranges_(static_cast<unsigned>(configuration.ranges.size()) * (wiring.torus ? 3 : 1)),
      expanded_inputs_(wiring.ports * configuration.input_speedup),
      expanded_outputs_(wiring.ports * configuration.output_speedup),
      one_vc_(configuration.vcs == 1 && configuration.output_speedup == 1),
      torus_(wiring.torus),
      kinds_(static_cast<unsigned>(configuration.ranges.size())) {
  lay_out(wiring);
  const std::size_t ports = flits_out_.size();
  const std::size_t all_inputs = std::size_t{wiring.routers} * expanded_inputs_;
  const std::size_t all_outputs = std::size_t{wiring.routers} * expanded_outputs_;
  outputs_.resize(ports << shift_, Output{configuration.vc_buffer, kNone});
  free_.resize(ports, VcRange{0, vcs_ - 1}.mask());
  queued_flits_ = WorkSet(ports);
  queued_credits_ = WorkSet(ports);
  credit_vcs_.resize(ports);
  waiting_ = PortSets(ports * ranges_, channels_);
  to_allocate_ = WorkSet(ports);
  vc_output_turn_.resize(ports << shift_);
  vc_input_turn_.resize(ports << shift_);
  for (unsigned part = 0; part * kinds_ < ranges_; ++part)
    for (const VcRange& range : configuration.ranges) range_masks_.push_back(part_of(range, part).mask());
  scratch_.resize(waiting_.words());
  chosen_.resize(vcs_);
  requests_ = PortSets(all_outputs, expanded_inputs_);
  to_switch_ = WorkSet(all_outputs);
  to_cross_ = WorkSet(all_inputs);
  ready_.resize(all_inputs);
  switch_output_turn_.resize(all_outputs);
  switch_input_turn_.resize(all_inputs);
  switch_choice_.resize(std::max(all_inputs, all_outputs), kNone);
  matched_input_.resize(all_inputs);
  matched_output_.resize(all_outputs);
}

void Routers::lay_out(const Wiring& wiring) {
  const unsigned ports = wiring.routers * wiring.ports;
  for (unsigned port = 0; port < ports; ++port) {
    const unsigned router = port / wiring.ports;
    first_channel_.push_back(router * channels_);
    const Wiring::End &end = wiring.ends[port], &start = wiring.starts[port];
    flits_out_.push_back({end.place << shift_, end.node, end.latency, 0, {}});
    credits_out_.push_back({start.place << shift_, start.node, start.latency, 0, {}});
    for (unsigned vc = 0; vc < 1U << shift_; ++vc) {
      Input input;
      input.from = port * configuration_.input_speedup + vc % configuration_.input_speedup;
      input.place = (port % wiring.ports << shift_) + vc;
      input.way = router * wiring.nodes;
      inputs_.push_back(input);
    }
    for (unsigned i = 0; i < configuration_.input_speedup; ++i) {
      own_input_.push_back(port % wiring.ports * configuration_.input_speedup + i);
      switch_vc_turn_.push_back(i);
    }
    for (unsigned i = 0; i < configuration_.output_speedup; ++i) {
      own_output_.push_back(port % wiring.ports * configuration_.output_speedup + i);
      first_input_.push_back(router * expanded_inputs_);
    }
  }
  if (wiring.torus) torus_ways_ = wiring.next_port;
  for (unsigned router = 0; router < wiring.routers && !wiring.torus; ++router)
    for (unsigned node = 0; node < wiring.nodes; ++node)
      outputs_to_.push_back(router * wiring.ports + wiring.next_port[std::size_t{router} * wiring.nodes + node]);
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
  Packet& packet = packets_[at.packets.first];
  at.left = packet.flits;
  if (torus_) {
    begin_on_torus(at, packet);
  } else {
    at.output = outputs_to_[at.way + packet.destination];
    at.waits_at = at.output * ranges_ + packet.range;
  }
  at.to = at.output;
  if (configuration_.output_speedup != 1)
    at.to = at.output * configuration_.output_speedup + (at.place >> shift_) % configuration_.output_speedup;
  if (configuration_.routing_delay == 0) {
    wait_for_channel(input);
  } else {
    routing_.push_back(input);
  }
}

/// In a ring a packet goes on as it came, on the half of the channels that it has; into a ring it takes the shorter
/// way, or draws one. To its node it goes on any of its channels.
void Routers::begin_on_torus(Input& at, Packet& packet) {
  const unsigned ports = channels_ >> shift_, in = at.place >> shift_;
  const unsigned way = torus_ways_[at.way + packet.destination];
  unsigned port = way & Wiring::kPort;
  unsigned part = 0;
  if (port + 1 != ports) {
    if (in / 2 == port / 2) {
      port = in ^ 1U;
    } else {
      if ((way & Wiring::kEitherWay) != 0) port ^= coin();
      packet.half = (way & Wiring::kUpperHalf) != 0 ? 1 : 0;
    }
    part = 1 + packet.half;
  }
  at.output = at.from / (configuration_.input_speedup * ports) * ports + port;
  at.waits_at = at.output * ranges_ + part * kinds_ + packet.range;
}

/// 0 or 1 (SplitMix64). intersim2 draws as often, from a generator of its own.
unsigned Routers::coin() {
  std::uint64_t x = coins_ += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return static_cast<unsigned>((x ^ (x >> 31)) & 1);
}

void Routers::wait_for_channel(std::uint32_t input) {
  const Input& at = inputs_[input];
  waiting_.insert(at.waits_at, at.place);
  if (free_[at.output] != 0) to_allocate_.insert(at.output);
}

void Routers::free_channel(std::uint32_t channel) {
  const std::uint32_t port = port_of(channel);
  free_[port] |= bit_of(channel);
  for (unsigned range = 0; range < ranges_; ++range)
    if (!waiting_.empty(std::size_t{port} * ranges_ + range)) to_allocate_.insert(port);
}

void Routers::send_queued() {
  send_queued(flits_out_, queued_flits_);
  send_queued(credits_out_, queued_credits_);
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
  for (const Crossing& flit : crossing_) {
    const std::uint32_t port = port_of(flit.channel);
    send_or_queue(flits_out_[port], flit, queued_flits_, port);
  }
  crossing_.clear();
}

void Routers::put_out(const Sender<Crossing>& sender, const Crossing& flit) {
  const Flit out{sender.destination + vc_of(flit.channel), flit.packet};
  if (sender.to_node) {
    wires_.flit_to_node(out);
  } else {
    wires_.flit_to_router(out, sender.latency);
  }
}

/// All that an input has sent in a step is one credit, and one credit a cycle is sent.
void Routers::give_credit(std::uint32_t input_port, std::uint64_t vcs) {
  send_or_queue(credits_out_[input_port], vcs, queued_credits_, input_port);
}

void Routers::give_credits() {
  for (const std::uint32_t port : credit_ports_) {
    give_credit(port, credit_vcs_[port]);
    credit_vcs_[port] = 0;
  }
  credit_ports_.clear();
}

void Routers::put_out(const Sender<std::uint64_t>& sender, std::uint64_t vcs) {
  for (; vcs != 0; vcs &= vcs - 1) {
    const std::uint32_t channel = sender.destination + lowest(vcs);
    if (sender.to_node) {
      wires_.credit_to_node(channel);
    } else {
      wires_.credit_to_router(channel, sender.latency);
    }
  }
}

}  // namespace braid::models::icnt
