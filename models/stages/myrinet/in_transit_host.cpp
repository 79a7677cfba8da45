#include "models/stages/myrinet/in_transit_host.h"

namespace braid::models::stages::myrinet {

void InTransitHost::bind(HostChannels& host) {
  mark_i(host.mark);
  here_i(host.here);
  tail_i(host.tail);
  own_i(host.own);
  ready_i(host.ready);
  state_o(host.state);
  packets_o(host.packets);
  sends_on_o(host.sends_on);
  sends_own_o(host.sends_own);
  local_port_ = host.local_port();
  in_transit_ = host.in_transit();
}

bool InTransitHost::works(const Slice& slice) const {
  return slice.ready(local_port_) &&
         (!in_transit_->buffer(local_port_).resting.empty() || in_transit_->own_waits(local_port_));
}

void InTransitHost::on_bank(Slice&, std::uint64_t cycle) { in_transit_->step_host(local_port_, cycle); }

/// The interface is ready again in the cycle in which the tail of what it was handed leaves.
void InTransitHost::on_ports(std::uint64_t cycle) {
  const bool ready = ready_i.read()[0];
  if (ready && buffer_.leaving) buffer_.left();
  if (ready) sends_own_ = false;
  if (mark_i.read()[0]) buffer_.take_in(0, cycle, times_);
  buffer_.look(
      cycle, times_,
      [this](const RestingPacket& packet, std::uint64_t bytes) -> std::uint64_t {
        const bool comes_in = &packet == &buffer_.resting.back() && !tail_i.read()[0];
        return comes_in && here_i.read().field(0, kLengthBits) < bytes ? 1 : 0;
      },
      [](const RestingPacket&) {});
  if (ready && buffer_.can_leave(cycle, true)) {
    buffer_.leaving = true;
  } else if (ready) {
    sends_own_ = own_i.read()[0];
  }
  state_o.write(Bits(3, static_cast<std::uint64_t>(buffer_.state(cycle))));
  packets_o.write(Bits(kFlitBits, buffer_.resting.size()));
  sends_on_o.write(Bits(1, buffer_.leaving ? 1 : 0));
  sends_own_o.write(Bits(1, sends_own_ ? 1 : 0));
}

}  // namespace braid::models::stages::myrinet
