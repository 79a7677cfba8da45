#include "models/stages/myrinet/host_interface.h"

namespace braid::models::stages::myrinet {

HostInterface::HostInterface(const sc_core::sc_module_name& name, StepClocks* clocks) : SwitchStage(name) {
  if (clocks == nullptr) return;
  also(
      "tail", (*clocks)[kTails], [this](Slice& slice, std::uint64_t) { slice.end_if_sent(injection_); },
      [this](const Slice& slice) { return slice.channels()[injection_].open; });
  also(
      "begin", (*clocks)[kGrants], [this](Slice& slice, std::uint64_t) { slice.begin_at_host(local_port_); },
      [this](const Slice& slice) { return slice.queued(local_port_) > 0; });
}

void HostInterface::bind(HostChannels& host) {
  packet_i(host.packet);
  length_i(host.length);
  flit_i(host.flit);
  go_i(host.go);
  sends_o(host.sends);
  ready_o(host.ready);
  local_port_ = host.local_port();
  injection_ = host.injection();
}

bool HostInterface::works(const Slice& slice) const { return slice.channels()[injection_].open; }

void HostInterface::on_bank(Slice& slice, std::uint64_t) { slice.decide(injection_); }

void HostInterface::on_ports(std::uint64_t cycle) {
  if (own_.has_sent_all(cycle)) own_.open = false;
  if (!own_.open && packet_i.read()[0]) {
    models::myrinet::Passing packet;
    packet.flits = static_cast<std::uint32_t>(length_i.read().field(0, kLengthBits));
    packet.first = own_.sent.at(cycle);
    own_.begin(packet, kNone);
    own_.passing.clear();  // where its flits go it does not know
  }
  own_.go = go_i.read()[0];
  const bool sends = own_.sends(flit_i.read()[0] ? 1 : 0);
  if (sends) own_.sent.add(1);
  sends_o.write(Bits(1, sends ? 1 : 0));
  ready_o.write(Bits(1, !own_.open || own_.has_sent_all(cycle) ? 1 : 0));
}

}  // namespace braid::models::stages::myrinet
