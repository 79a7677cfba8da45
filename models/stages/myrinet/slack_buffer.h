// The slack buffer behind a cable, and its stop and go: with so many flits it stops its sender, with so few it lets it
// go on. What is in it are flits; which packets they are of the routing control unit and the output port know.
#pragma once

#include "models/stages/myrinet/switch_channels.h"
#include "models/stages/myrinet/switch_stage.h"

namespace braid::models::stages::myrinet {

class SlackBuffer final : public SwitchStage {
 public:
  InBits arrive_i{"arrive_i"};
  InBits taken_i{"taken_i"};
  InBits leave_i{"leave_i"};
  OutBits flits_o{"flits_o"};
  OutBits stop_o{"stop_o"};

  SlackBuffer(const sc_core::sc_module_name& name, const Options& options) : SwitchStage(name), options_(options) {}
  /// To the registers of an input port.
  void bind(PortChannels& port);

 private:
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
  bool works(const Slice& slice) const override;

  const Options options_;
  PortIndex into_ = kNone;
  Channel own_;  // alone: what has come and left, and stop
};

}  // namespace braid::models::stages::myrinet
