// The registers and wires of one port of a Myrinet-like switch, as channels. The one place that knows how the slice's
// registers lie on the ports of its units; P ports.
#pragma once

#include <string>

#include "models/stages/myrinet/slice_channels.h"

namespace braid::models::stages::myrinet {

class PortChannels final : public SliceChannels {
 public:
  /// Inside the switch's module. `port`: both its input and its output.
  PortChannels(Slice& slice, PortIndex port, unsigned ports, const std::string& name);

  /// The channel into the input's slack buffer.
  PortIndex into() const { return into_; }
  PortIndex out() const { return out_; }

 private:
  const Channel& buffer() const { return slice().channels()[into_]; }
  const Channel& sender() const { return slice().channels()[out_]; }
  const Input& input() const { return slice().inputs()[into_]; }
  const Output& output() const { return slice().outputs()[out_]; }
  unsigned port_of(PortIndex port) const { return slice().wiring().port_of(port); }

  const PortIndex out_, into_;

 public:
  // Slack buffer.
  RegisterChannel& arrive;  ///< a flit is here at the start of the cycle
  RegisterChannel& leave;   ///< a flit leaves in the cycle
  RegisterChannel& flits;   ///< [16] here when stop and go are decided
  RegisterChannel& stop;    ///< it has stopped its sender
  // Routing control unit.
  RegisterChannel& header;   ///< at the front is a header that nobody has looked at
  RegisterChannel& named;    ///< [6] the port that it names
  RegisterChannel& taken;    ///< a header is taken out in the cycle
  RegisterChannel& request;  ///< [P] one hot: asks that output port
  RegisterChannel& granted;  ///< it has the output port
  RegisterChannel& state;    ///< [2] Input::State
  // Output port.
  RegisterChannel& requests;  ///< [P] inputs that ask
  RegisterChannel& grant;     ///< [P] one hot: the input that has it
  RegisterChannel& flit;      ///< the next flit of the packet is here
  RegisterChannel& tail;      ///< ... and is its last
  RegisterChannel& go;        ///< the far end's last signal was go
  RegisterChannel& sends;     ///< a flit leaves in the cycle
};

}  // namespace braid::models::stages::myrinet
