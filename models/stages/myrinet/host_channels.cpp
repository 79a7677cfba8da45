#include "models/stages/myrinet/host_channels.h"

namespace braid::models::stages::myrinet {

bool HostChannels::mark_is_here() const {
  if (buffer().resting.empty()) return false;
  return buffer().resting.back().here == slice().now();
}

std::uint64_t HostChannels::bytes_here() const {
  return comes_in() ? slice().here_of(local_port_, buffer().resting.back().slot) : 0;
}

HostChannels::HostChannels(Slice& slice, InTransit* in_transit, std::size_t local_port)
    : SliceChannels(slice, ""),
      in_transit_(in_transit),
      local_port_(local_port),
      packet(flag("packet", [this] { return this->slice().queued(local_port_) > 0; })),
      length(number(
          "length", kLengthBits,
          [this] { return this->slice().queued(local_port_) > 0 ? this->slice().first_of(local_port_).flits : 0; })),
      flit(flag("flit", [this] { return this->slice().flit_is_there(injection()); })),
      go(flag("go", [this] { return sender().go; })),
      sends(flag("sends", [this] { return sender().sent.running(); })),
      ready(flag("ready", [this] { return this->slice().ready(local_port_); })),
      mark(flag("mark", [this] { return mark_is_here(); })),
      here(number("here", kLengthBits, [this] { return bytes_here(); })),
      tail(flag("tail", [this] { return !comes_in(); })),
      own(flag("own", [this] { return in_transit_ != nullptr && in_transit_->own_waits(local_port_); })),
      state(number("state", 3, [this] { return buffer().state(this->slice().now()); })),
      packets(number("packets", kFlitBits, [this] { return buffer().resting.size(); })),
      sends_on(flag("sends_on", [this] { return buffer().leaving; })),
      sends_own(flag("sends_own", [this] { return !buffer().leaving && !this->slice().ready(local_port_); })) {}

}  // namespace braid::models::stages::myrinet
