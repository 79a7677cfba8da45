#include "models/stages/myrinet/output_port.h"

namespace braid::models::stages::myrinet {

OutputPort::OutputPort(const sc_core::sc_module_name& name, unsigned ports, const Timing& timing, StepClocks* clocks)
    : SwitchStage(name), ports_(ports), timing_(timing) {
  if (clocks == nullptr) return;
  also(
      "tail", (*clocks)[kTails], [this](Slice& slice, std::uint64_t) { slice.end_if_sent(out_); },
      [this](const Slice& slice) { return slice.channels()[out_].open; });
  also(
      "arbiter", (*clocks)[kGrants], [this](Slice& slice, std::uint64_t) { slice.arbitrate(out_); },
      [this](const Slice& slice) { return slice.outputs()[out_].asked != 0; });
}

void OutputPort::bind(PortChannels& port) {
  request_i(port.requests);
  flit_i(port.flit);
  tail_i(port.tail);
  go_i(port.go);
  grant_o(port.grant);
  sends_o(port.sends);
  out_ = port.out();
}

bool OutputPort::works(const Slice& slice) const { return slice.channels()[out_].open; }

void OutputPort::on_bank(Slice& slice, std::uint64_t) { slice.decide(out_); }

void OutputPort::on_ports(std::uint64_t cycle) {
  if (tail_left_) own_.input = kNone;
  own_.asked = request_i.read().field(0, ports_);
  if (own_.input == kNone && own_.asked != 0) {
    own_.input = own_.grant();
    opens_ = cycle + timing_.routing_cycles;
  }
  channel_.open = own_.input != kNone && cycle >= opens_;
  channel_.go = go_i.read()[0];
  const bool sends = channel_.sends(flit_i.read()[0] ? 1 : 0);
  tail_left_ = sends && tail_i.read()[0];
  Bits grant(ports_);
  if (own_.input != kNone) grant.set(own_.input);
  grant_o.write(grant);
  sends_o.write(Bits(1, sends ? 1 : 0));
}

}  // namespace braid::models::stages::myrinet
