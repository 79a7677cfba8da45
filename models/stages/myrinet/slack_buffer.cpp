#include "models/stages/myrinet/slack_buffer.h"

namespace braid::models::stages::myrinet {

void SlackBuffer::bind(PortChannels& port) {
  arrive_i(port.arrive);
  taken_i(port.taken);
  leave_i(port.leave);
  flits_o(port.flits);
  stop_o(port.stop);
  into_ = port.into();
}

bool SlackBuffer::works(const Slice& slice) const {
  const Channel& buffer = slice.channels()[into_];
  return buffer.stopping || !buffer.passing.empty();
}

void SlackBuffer::on_bank(Slice& slice, std::uint64_t) { slice.signal(into_); }

/// A flit that leaves in this cycle is still there when stop and go are decided, a header that is taken out is not.
void SlackBuffer::on_ports(std::uint64_t cycle) {
  own_.arrived.add(arrive_i.read()[0] ? 1 : 0);
  own_.left.add(taken_i.read()[0] ? 1 : 0);
  const std::uint64_t flits = own_.occupancy(cycle);
  own_.stopping = options_.stops(own_.stopping, flits);
  flits_o.write(Bits(kFlitBits, flits));
  stop_o.write(Bits(1, own_.stopping ? 1 : 0));
  own_.left.add(leave_i.read()[0] ? 1 : 0);
}

}  // namespace braid::models::stages::myrinet
