// The wires between a router and the interfaces of its nodes, and those interfaces' registers that the nodes see. By
// port of the router: those of ports that lead to other routers rest.
#pragma once

#include "models/stages/hybrid/channel_group.h"
#include "models/stages/hybrid/flit_wires.h"

namespace braid::models::stages::hybrid {

class NodeChannels final : public ChannelGroup {
 public:
  explicit NodeChannels(const RouterRegisters& of);

 private:
  template <class Visit>
  void for_each_ejection(Visit visit) const;
  template <class Visit>
  void for_each_injection(Visit visit) const;  // put on the links in this cycle

 public:
  RegisterChannel& eject_lane;        ///< [P][lane bits] of the flit for the node in this cycle
  RegisterChannel& eject_flit;        ///< [P][66]
  RegisterChannel& eject_credit;      ///< [P][L] a place has become free at the node
  RegisterChannel& inject_valid;      ///< [P] on the injection link in the next cycle
  RegisterChannel& inject_lane;       ///< [P][lane bits]
  RegisterChannel& inject_flit;       ///< [P][66]
  RegisterChannel& injection_credit;  ///< [P][L] a place has become free at the router
  RegisterChannel& ready;             ///< [P] a packet that comes now has its head on the link in the next cycle
  // In a network these rest: there nodes hand over their packets by a call (models/stages/base/nodes.h).
  RegisterChannel& send;              ///< [P]
  RegisterChannel& send_lane;         ///< [P][lane bits]
  RegisterChannel& send_length;       ///< [P][16]
  RegisterChannel& send_destination;  ///< [P][16]
};

}  // namespace braid::models::stages::hybrid
