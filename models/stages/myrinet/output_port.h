// An output port: grants itself to one of the inputs that ask, round robin, and sends that one's packet as its flits
// are there, unless the far end says stop. Behind the tail it is free.
#pragma once

#include "models/stages/myrinet/switch_channels.h"
#include "models/stages/myrinet/switch_stage.h"

namespace braid::models::stages::myrinet {

class OutputPort final : public SwitchStage {
 public:
  InBits request_i{"request_i"};
  InBits flit_i{"flit_i"};
  InBits tail_i{"tail_i"};
  InBits go_i{"go_i"};
  OutBits grant_o{"grant_o"};
  OutBits sends_o{"sends_o"};

  /// `ports`: of the switch. `clocks`: of the network; null: it stands alone.
  OutputPort(const sc_core::sc_module_name& name, unsigned ports, const Timing& timing, StepClocks* clocks = nullptr);
  /// To the registers of an output port.
  void bind(PortChannels& port);

 private:
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
  bool works(const Slice& slice) const override;

  const unsigned ports_;
  const Timing timing_;
  PortIndex out_ = kNone;
  // Alone.
  Output own_;
  Channel channel_;
  std::uint64_t opens_ = 0;  // first cycle in which the granted packet may leave
  bool tail_left_ = false;   // in the cycle before
};

}  // namespace braid::models::stages::myrinet
