// The routing control unit of an input port: takes the header at the front of the slack buffer out, asks for the output
// port that it names, and once that is granted has the switch turn to it, which takes its time.
#pragma once

#include "models/stages/myrinet/switch_channels.h"
#include "models/stages/myrinet/switch_stage.h"

namespace braid::models::stages::myrinet {

class RoutingControlUnit final : public SwitchStage {
 public:
  InBits header_i{"header_i"};
  InBits port_i{"port_i"};
  InBits granted_i{"granted_i"};
  OutBits taken_o{"taken_o"};
  OutBits request_o{"request_o"};
  OutBits state_o{"state_o"};

  /// `ports`: of the switch.
  RoutingControlUnit(const sc_core::sc_module_name& name, unsigned ports, const Timing& timing)
      : SwitchStage(name), ports_(ports), timing_(timing) {}
  /// To the registers of an input port.
  void bind(PortChannels& port);

 private:
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
  bool works(const Slice& slice) const override;

  const unsigned ports_;
  const Timing timing_;
  PortIndex into_ = kNone;
  Input own_;  // alone
  std::uint64_t opens_ = 0;
};

}  // namespace braid::models::stages::myrinet
