#include "models/stages/myrinet/routing_control_unit.h"

namespace braid::models::stages::myrinet {

void RoutingControlUnit::bind(PortChannels& port) {
  header_i(port.header);
  port_i(port.named);
  granted_i(port.granted);
  taken_o(port.taken);
  request_o(port.request);
  state_o(port.state);
  into_ = port.into();
}

bool RoutingControlUnit::works(const Slice& slice) const { return slice.has_header(into_); }

void RoutingControlUnit::on_bank(Slice& slice, std::uint64_t) { slice.take_header(into_); }

/// granted_i was given in the cycle before, so one of the cycles of routing is over when it is seen.
void RoutingControlUnit::on_ports(std::uint64_t cycle) {
  const bool granted = granted_i.read()[0];
  if (own_.state == Input::State::kOpen && !granted) own_ = {};
  if (own_.state == Input::State::kWaits && granted) {
    own_.state = Input::State::kRouting;
    opens_ = cycle - 1 + timing_.routing_cycles;
  }
  if (own_.state == Input::State::kRouting && cycle >= opens_) own_.state = Input::State::kOpen;
  const bool takes = own_.state == Input::State::kIdle && header_i.read()[0];
  if (takes) {
    own_.state = Input::State::kWaits;
    own_.output = static_cast<PortIndex>(port_i.read().field(0, kPortBits));
  }
  Bits request(ports_);
  if (own_.state == Input::State::kWaits) request.set(own_.output);
  taken_o.write(Bits(1, takes ? 1 : 0));
  request_o.write(request);
  state_o.write(Bits(2, static_cast<std::uint64_t>(own_.state)));
}

}  // namespace braid::models::stages::myrinet
