// What a rejection costs where a sender cannot see the far end's pool (po2.rejection): it begins to send, and link or
// node's port are held until the rejection is signalled. Then the packet asks anew. docs/po2.md, "What a rejection
// costs".
#include <algorithm>

#include "models/families/po2/slice.h"

namespace braid::models::po2 {

using routing::PortKind;

std::uint64_t Slice::rejected_ports(std::uint32_t r, std::uint64_t cycle, std::uint64_t granted) const {
  if (shared_.options.rejection == Rejection::kSeen) return 0;
  std::uint64_t rejected = 0;
  for (std::size_t p = 0; p < shared_.routers[r].ports.size(); ++p) {
    if (((granted >> p) & 1) != 0 || !tries(wiring(r, p).kind)) continue;
    if (offer_into(r, p, cycle) != nullptr) rejected |= std::uint64_t{1} << p;
  }
  return rejected;
}

bool Slice::transfers_under_way() const {
  if (wheel_.empty()) return false;
  bool any = false;
  wheel_.for_each(
      [&any](const Event& event) { any |= event.kind != EventKind::kRejected && event.kind != EventKind::kRejecting; });
  return any;
}

/// The packet stays in its buffer and waits for nothing else until it knows.
void Slice::begin_trying(std::uint32_t r, std::size_t p, const Offer& offer, std::uint64_t cycle) {
  Router& here = router(r);
  here.buffers[offer.buffer].trying = true;
  want_ports(r, offer.buffer, -1, cycle);
  set_use(r, p, Port::Use::kRejected, cycle);
  here.ports[p].buffer = offer.buffer;
  here.ports[p].sent_last = true;
  ++counters_.rejections;
  const std::uint64_t known = cycle + shared_.options.header_cycles + shared_.options.acknowledge_cycles;
  wheel_.add({known, r, EventKind::kRejected, static_cast<std::uint8_t>(p), offer.buffer});
}

/// A node learns it as soon as its header is in; a far router is told.
void Slice::begin_rejecting(std::uint32_t r, std::size_t p, std::uint64_t cycle) {
  const Options& o = shared_.options;
  set_use(r, p, Port::Use::kRejected, cycle);
  router(r).ports[p].sent_last = false;
  std::uint64_t cycles = o.header_cycles;
  if (wiring(r, p).kind == PortKind::kLocal) {
    Source& from = source_of(r, p);
    cycles += o.inject_overhead_cycles + turn_to(from, shared_.store[from.packets.front()]);
    ++counters_.rejections;
  } else {
    cycles += o.acknowledge_cycles;
  }
  wheel_.add({cycle + cycles, r, EventKind::kRejecting, static_cast<std::uint8_t>(p)});
}

/// A rejected packet goes behind all that wait, and asks the port after the one that rejected it first. Ports that are
/// first in, first out let nobody pass it. A node's port takes out what has come for it before it tries again.
void Slice::end_trying(const Event& event) {
  Router& here = router(event.router);
  set_use(event.router, event.port, Port::Use::kIdle, event.due);
  wake(event.router);
  if (event.kind == EventKind::kRejecting) {
    if (wiring(event.router, event.port).kind != PortKind::kLocal) return;
    Source& from = source_of(event.router, event.port);
    from.since = event.due;
    // A message that came during the trial may go first now.
    if (when_empty_) when_empty_(first_source_ + static_cast<std::size_t>(&from - sources_.data()));
    return;
  }
  Buffer& buffer = here.buffers[event.buffer];
  buffer.trying = false;
  routing::Candidate* const ways = candidates(event.router, event.buffer);
  routing::Candidate* const end = ways + buffer.candidates;
  const auto rejected = std::find_if(ways, end, [&](const auto& way) { return way.port.value == event.port; });
  if (rejected != end) std::rotate(ways, rejected + 1, end);
  if (!strict_fifo()) {
    buffer.since = event.due;
    here.waiting.erase(std::find(here.waiting.begin(), here.waiting.end(), event.buffer));
    wait_in_turn(event.router, event.buffer);
  }
  want_ports(event.router, event.buffer, +1, event.due);
}

}  // namespace braid::models::po2
