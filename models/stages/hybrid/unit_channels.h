// Registers and wires of a router's input and output units, beside those that its allocators read.
#pragma once

#include "models/stages/hybrid/channel_group.h"
#include "models/stages/hybrid/flit_wires.h"

namespace braid::models::stages::hybrid {

class UnitChannels final : public ChannelGroup {
 public:
  explicit UnitChannels(const RouterRegisters& of);

 private:
  /// visit(output lane, flit at the front): SA's grants of this cycle.
  template <class Visit>
  void for_each_send(Visit visit) const;

 public:
  RegisterChannel& destination;     ///< [P x V][16] of the head for which RC is in this cycle
  RegisterChannel& ready;           ///< [P x V] has an output VC and a flit for it
  RegisterChannel& out_vc;          ///< [P x V][VC bits]
  RegisterChannel& st_flit;         ///< [P][66] that crosses the switch
  RegisterChannel& send;            ///< [P][V] SA: a packet's flit leaves on the VC
  RegisterChannel& send_tail;       ///< [P] ... and is its last
  RegisterChannel& send_circuit;    ///< [P][C] SA: a circuit's flit leaves
  RegisterChannel& circuit_credit;  ///< [P][C] there is credit for a circuit's flit
};

}  // namespace braid::models::stages::hybrid
