// The registers and wires of a host at a Myrinet-like switch, as channels: those of its interface and of its in-transit
// buffer.
#pragma once

#include <string>

#include "models/injection/in_transit.h"
#include "models/stages/myrinet/slice_channels.h"

namespace braid::models::stages::myrinet {

/// Bits of a packet's length, with its header.
constexpr unsigned kLengthBits = 17;

class HostChannels final : public SliceChannels {
 public:
  /// Inside the host's module. `in_transit`: null where it is no module's.
  HostChannels(Slice& slice, InTransit* in_transit, std::size_t local_port);

  InTransit* in_transit() const { return in_transit_; }
  std::size_t local_port() const { return local_port_; }
  /// The channel to its switch.
  PortIndex injection() const { return slice().wiring().injection_port(local_port_); }

 private:
  const Channel& sender() const { return slice().channels()[injection()]; }
  const TransitBuffer& buffer() const {
    static const TransitBuffer none;
    return in_transit_ == nullptr ? none : in_transit_->buffer(local_port_);
  }
  bool mark_is_here() const;
  /// Does the packet whose mark came last still come in?
  bool comes_in() const { return !buffer().resting.empty() && !buffer().resting.back().tail_is_here; }
  std::uint64_t bytes_here() const;

  InTransit* const in_transit_;  // null: run_nodes() runs it
  const std::size_t local_port_;

 public:
  // Interface.
  RegisterChannel& packet;  ///< a packet is to be sent, or is being sent
  RegisterChannel& length;  ///< [17] flits of that one, with its header
  RegisterChannel& flit;    ///< its next flit is here
  RegisterChannel& go;      ///< the switch's last signal was go
  RegisterChannel& sends;   ///< a flit leaves in the cycle
  RegisterChannel& ready;   ///< it can be handed a packet
  // In-transit host.
  RegisterChannel& mark;       ///< the mark of a packet in transit is here at the start of the cycle
  RegisterChannel& here;       ///< [17] flits here of the packet whose mark came last, while it comes in
  RegisterChannel& tail;       ///< ... it is here whole
  RegisterChannel& own;        ///< a packet of the node's own waits
  RegisterChannel& state;      ///< [3] TransitState
  RegisterChannel& packets;    ///< [16] in the buffer
  RegisterChannel& sends_on;   ///< the interface has its first packet
  RegisterChannel& sends_own;  ///< ... or one of the node's own
};

}  // namespace braid::models::stages::myrinet
