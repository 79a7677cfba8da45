// What it costs a node's interface to turn from one message to another (po2-message-scheduling, section 5): "each
// message has a certain amount of state that will constantly need to be switched", and its body may not be in the
// cache.
#include <algorithm>

#include "models/families/po2/slice.h"

namespace braid::models::po2 {

std::uint32_t Slice::turn_to(Source& from, const Packet& packet) {
  from.overhead = 0;
  if (packet.message == kNoMessage) return 0;
  const Options& o = shared_.options;
  std::vector<AtHand>& cached = from.cached;  // the last used first
  // A slot is another message's once its message has arrived, so the cycle of making belongs to the name.
  const auto its = std::find_if(cached.begin(), cached.end(), [&packet](const AtHand& message) {
    return message.slot == packet.message && message.created == packet.created;
  });
  if (its != cached.begin() || cached.empty()) {
    ++counters_.switches;
    from.overhead += o.switch_cycles;
  }
  if (its == cached.end()) {
    ++counters_.misses;
    from.overhead += o.miss_cycles;
    cached.insert(cached.begin(), {packet.message, packet.created});
    if (cached.size() > o.cached_messages) cached.pop_back();
  } else {
    std::rotate(cached.begin(), its, its + 1);
  }
  return from.overhead;
}

}  // namespace braid::models::po2
