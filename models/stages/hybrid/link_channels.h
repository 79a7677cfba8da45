// The wires at a router's links: what they bring in this cycle, and what ST has put on them for the next.
#pragma once

#include "models/stages/hybrid/channel_group.h"
#include "models/stages/hybrid/flit_wires.h"
#include "models/stages/hybrid/outgoing_wires.h"

namespace braid::models::stages::hybrid {

class LinkChannels final : public ChannelGroup {
 public:
  explicit LinkChannels(const RouterRegisters& of);

 private:
  /// visit(input port, flit): what is on the links in this cycle.
  template <class Visit>
  void for_each_arrival(Visit visit) const;

  const OutgoingWires out_;

 public:
  RegisterChannel& packet_arrives;  ///< [P] a packet's flit is on the link
  RegisterChannel& packet_vc;       ///< [P][VC bits]
  RegisterChannel& packet_flit;     ///< [P][66]
  RegisterChannel& sent_valid;      ///< [P] by output port
  RegisterChannel& sent_lane;       ///< [P][lane bits]
  RegisterChannel& sent_flit;       ///< [P][66]
  RegisterChannel& sent_credit;     ///< [P][L] by input port
};

}  // namespace braid::models::stages::hybrid
