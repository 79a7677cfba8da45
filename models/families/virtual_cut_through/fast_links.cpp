// Over links of several flits a cycle: heads that wait until their tails cannot be late, and packets that a slower link
// takes out of a register behind its port.
#include <algorithm>

#include "models/families/virtual_cut_through/slice.h"

namespace braid::models::virtual_cut_through {

/// Of the packet that has come last.
void Slice::note_tail(std::uint32_t in, std::uint64_t cycle) {
  Bank& bank = shared_.bank;
  const std::uint32_t last = bank.queues[in].count - 1U;
  bank.whole_at(in, last) = cycle + bank.cycles_on(bank.upstream[in], bank.queued(in, last).length_flits);
}

/// If so the head asks later.
bool Slice::waits_for_tail(std::uint32_t in, PortMask ways, std::uint64_t cycle) {
  Bank& bank = shared_.bank;
  const std::uint32_t first_port = bank.port_index(bank.router_of(in), PortId{0});
  std::uint32_t least = UINT32_MAX;
  for (PortMask rest = ways; rest != 0; rest &= rest - 1) {
    least = std::min(least, bank.cycles_on(first_port + static_cast<std::uint32_t>(__builtin_ctzll(rest)),
                                           bank.front(in).length_flits));
  }
  if (bank.whole_at(in, 0) <= cycle + least) return false;
  bank.ways[in] = ways;
  wheel_.add({bank.whole_at(in, 0) + 1 - least, EventKind::kRipe, 0, in, in});
  return true;
}

void Slice::leave_for_register(std::uint32_t in, std::uint32_t out, std::uint64_t cycle) {
  const QueuedPacket& packet = shared_.bank.front(in);
  if (shared_.bank.links[out].to_node) {
    shared_.store[packet.slot].routers = packet.routers;
    in_registers_.push_back(packet.slot);
  }
  leave_queue<true>(in, cycle);
}

void Slice::run_fast_event(const Event& event, std::uint64_t cycle) {
  if (event.kind == EventKind::kRipe) ask(event.in_port, shared_.bank.ways[event.in_port]);
  if (event.kind == EventKind::kLeft) leave_for_register(event.in_port, event.out_port, cycle);
  if (event.kind != EventKind::kSentOff) return;
  release_output(event.out_port);
  deliver_from_register(event.out_port, event.in_port, cycle);
}

/// Where its way ends.
void Slice::deliver_from_register(std::uint32_t out, PacketSlot slot, std::uint64_t cycle) {
  if (!shared_.bank.links[out].to_node) return;
  in_registers_.erase(std::find(in_registers_.begin(), in_registers_.end(), slot));
  flits_delivered_ += shared_.store[slot].length_flits;
  sink_->deliver(cycle, slot);
}

}  // namespace braid::models::virtual_cut_through
