#include "models/stages/myrinet/switch_channels.h"

namespace braid::models::stages::myrinet {

PortChannels::PortChannels(Slice& slice, PortIndex port, unsigned ports, const std::string& name)
    : SliceChannels(slice, name),
      out_(port),
      into_(slice.channel_into(port)),
      arrive(flag("arrive", [this] { return buffer().arrived.running(); })),
      leave(flag("leave", [this] { return buffer().left.running(); })),
      flits(number("flits", kFlitBits, [this] { return buffer().occupancy(this->slice().now()); })),
      stop(flag("stop", [this] { return buffer().stopping; })),
      header(flag("header", [this] { return this->slice().has_header(into_); })),
      named(number("named", kPortBits,
                   [this] { return buffer().passing.empty() ? 0 : this->slice().named_port(into_).value; })),
      taken(flag("taken", [this] { return input().taken != 0 && input().taken == this->slice().now(); })),
      request(make("request", ports,
                   [this](Bits& b) {
                     if (input().state == Input::State::kWaits) b.set(port_of(input().output));
                   })),
      granted(flag("granted", [this] { return input().state > Input::State::kWaits; })),
      state(number("state", 2, [this] { return input().state; })),
      requests(number("requests", ports, [this] { return output().asked; })),
      grant(make("grant", ports,
                 [this](Bits& b) {
                   if (output().input != kNone) b.set(port_of(this->slice().channels()[output().input].target));
                 })),
      flit(flag("flit", [this] { return this->slice().flit_is_there(out_); })),
      tail(flag("tail", [this] { return sender().open && sender().unsent(this->slice().now()) == 1; })),
      go(flag("go", [this] { return sender().go; })),
      sends(flag("sends", [this] { return sender().sent.running(); })) {}

}  // namespace braid::models::stages::myrinet
