// Circuits beside packets that go in planes. A circuit is set up, and its flits go on, by the slice's own stages over
// lists, in the same cycle; to the planes it is a mask. Its flits go before packets': what they take of switches and
// injection links is taken out of what packets ask for (TakenByCircuits).
#pragma once

#include <cstring>

#include "models/families/hybrid/planes/pipeline.h"

namespace braid::models::hybrid::planes {

/// ST, SA, credits and control messages of circuits, in their order in Slice::commit(). Packets see what their flits
/// have been granted, and outputs as they were before this cycle's messages.
template <class B>
void Pipeline<B>::run_circuits(std::uint64_t cycle) {
  Slice& slice = r_.slice;
  std::memset(static_cast<void*>(taken_.data()), 0, taken_.size() * sizeof(TakenByCircuits<B>));
  if (!r_.options.share_reserved_links) close_outputs();
  slice.traverse_switch(cycle);
  slice.allocate_circuits(cycle);
  for (const VcIndex in_vc : slice.switch_grants()) {
    const PortIndex in = r_.bank.port_of_vc(in_vc);
    const unsigned place = place_of(r_.bank.router_of(in).value);
    word_of<Shape>(taken_at(in).inputs[r_.bank.port_of(in)], place) |= bit_of(place);
    take_output(r_.bank.port_of_vc(r_.bank.circuit_out(in_vc)));
  }
  slice.open_ports(slice.switch_grants().size());
  slice.commit_switch_grants();
  slice.take_credits(cycle);
  slice.take_control(cycle);
  slice.arrive_at_nodes(cycle);
}

/// Links that a circuit keeps for itself (share_reserved_links = false).
template <class B>
void Pipeline<B>::close_outputs() {
  const PortIndex last = r_.range().last * r_.bank.port_stride();
  for (PortIndex port = r_.range().first * r_.bank.port_stride(); port < last; ++port) {
    if (r_.bank.closed_outputs[port]) take_output(port);
  }
}

template <class B>
void Pipeline<B>::take_output(PortIndex out) {
  const unsigned place = place_of(r_.bank.router_of(out).value), port = r_.bank.port_of(out);
  word_of_port<Shape>(taken_at(out).outputs[port / B::kTogether], port, place) |= bit_of(place);
}

/// Before packets.
template <class B>
void Pipeline<B>::inject_on_circuits(std::uint64_t cycle) {
  r_.interfaces.inject_circuits(cycle, [this](std::size_t local_port) {
    const PortIndex port = r_.bank.wiring().local_ports[local_port].router_port;
    const unsigned place = place_of(r_.bank.router_of(port).value);
    word_of<Shape>(taken_at(port).links[r_.bank.port_of(port)], place) |= bit_of(place);
  });
}

}  // namespace braid::models::hybrid::planes
