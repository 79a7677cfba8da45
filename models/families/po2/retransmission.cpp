// Packets that links damage (po2.error_rate). The receiver finds it before it routes the packet, so nothing damaged is
// passed on; it says so where it would have acknowledged, and the sender, whose buffer still has the packet, sends it
// again when its turn comes.
#include "models/families/po2/slice.h"
#include "routing/base/random.h"

namespace braid::models::po2 {

/// Each port that receives has a stream of its own, with a number for every cycle: so both ends know it, and no
/// schedule changes it.
bool Slice::damaged(std::uint32_t r, std::size_t p, std::uint64_t cycle) const {
  if (damage_bits_ == 0 || wiring(r, p).kind != routing::PortKind::kNetwork) return false;
  const Random port(Random(damage_seed_, "po2.errors").nth(r * routing::kMaxPorts + p));
  return port.nth(cycle) < damage_bits_;
}

/// The packet waits again, as old as it was.
void Slice::take_back(const Event& event) {
  Router& here = router(event.router);
  here.buffers[event.buffer].state = Buffer::State::kWaiting;
  wait_in_turn(event.router, event.buffer);
  want_ports(event.router, event.buffer, +1, event.due);
  set_use(event.router, event.port, Port::Use::kIdle, event.due);
  wake(event.router);
}

}  // namespace braid::models::po2
