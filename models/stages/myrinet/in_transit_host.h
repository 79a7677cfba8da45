// The in-transit host: finds out that a packet which comes in is in transit (detection), sets the interface up to send
// it on (programming), and hands it to the interface when that can take one, before the node's own packets. The packet
// leaves while it still comes in.
#pragma once

#include "models/injection/in_transit.h"
#include "models/stages/myrinet/host_channels.h"
#include "models/stages/myrinet/switch_stage.h"

namespace braid::models::stages::myrinet {

class InTransitHost final : public SwitchStage {
 public:
  InBits mark_i{"mark_i"};
  InBits here_i{"here_i"};
  InBits tail_i{"tail_i"};
  InBits own_i{"own_i"};
  InBits ready_i{"ready_i"};
  OutBits state_o{"state_o"};
  OutBits packets_o{"packets_o"};
  OutBits sends_on_o{"sends_on_o"};
  OutBits sends_own_o{"sends_own_o"};

  InTransitHost(const sc_core::sc_module_name& name, const TransitTimes& times) : SwitchStage(name), times_(times) {}
  void bind(HostChannels& host);

 private:
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
  bool works(const Slice& slice) const override;

  const TransitTimes times_;
  std::size_t local_port_ = 0;
  InTransit* in_transit_ = nullptr;
  TransitBuffer buffer_;    // alone
  bool sends_own_ = false;  // alone: the interface has a packet of the node's own
};

}  // namespace braid::models::stages::myrinet
