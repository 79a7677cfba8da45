// A host's way into the network: sends the packet that it was handed, flit after flit as they are there, unless the
// switch says stop. When its tail leaves it can be handed the next.
#pragma once

#include "models/stages/myrinet/host_channels.h"
#include "models/stages/myrinet/switch_stage.h"

namespace braid::models::stages::myrinet {

class HostInterface final : public SwitchStage {
 public:
  InBits packet_i{"packet_i"};
  InBits length_i{"length_i"};
  InBits flit_i{"flit_i"};
  InBits go_i{"go_i"};
  OutBits sends_o{"sends_o"};
  OutBits ready_o{"ready_o"};

  /// `clocks`: of the network; null: it stands alone.
  explicit HostInterface(const sc_core::sc_module_name& name, StepClocks* clocks = nullptr);
  void bind(HostChannels& host);

 private:
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
  bool works(const Slice& slice) const override;

  std::size_t local_port_ = 0;
  PortIndex injection_ = kNone;
  Channel own_;  // alone
};

}  // namespace braid::models::stages::myrinet
