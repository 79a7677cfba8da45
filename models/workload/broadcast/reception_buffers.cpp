#include "models/workload/broadcast/reception_buffers.h"

#include <algorithm>

namespace braid::models {

/// Parallel edges lead to the same buffer.
ReceptionBuffers::ReceptionBuffers(const std::vector<traffic::BroadcastPart>& parts, std::uint32_t messages)
    : messages_(messages), ways_(messages > 0 ? parts.size() : 0) {
  for (std::size_t p = 0; p < ways_.size(); ++p) {
    for (const auto* told : {&parts[p].told_at_once, &parts[p].told_when_done}) {
      for (const std::uint32_t to : *told) {
        const auto known = [to](const Way& way) { return way.to == to; };
        if (std::none_of(ways_[p].begin(), ways_[p].end(), known)) ways_[p].push_back({to, messages, {}});
      }
    }
  }
}

ReceptionBuffers::Way& ReceptionBuffers::way(std::uint32_t from, std::uint32_t to) {
  return *std::find_if(ways_[from].begin(), ways_[from].end(), [to](const Way& way) { return way.to == to; });
}

bool ReceptionBuffers::send(std::uint32_t from, std::uint32_t to, std::uint32_t broadcast) {
  if (!bounded()) return true;
  Way& there = way(from, to);
  if (there.room == 0) {
    there.waiting.push_back(broadcast);
    return false;
  }
  --there.room;
  return true;
}

std::optional<std::uint32_t> ReceptionBuffers::room(std::uint32_t from, std::uint32_t to) {
  Way& there = way(from, to);
  if (there.waiting.empty()) {
    ++there.room;
    return std::nullopt;
  }
  const std::uint32_t broadcast = there.waiting.front();
  there.waiting.pop_front();
  return broadcast;
}

bool ReceptionBuffers::leads(std::uint32_t from, std::uint32_t to) const {
  return bounded() &&
         std::any_of(ways_[from].begin(), ways_[from].end(), [to](const Way& way) { return way.to == to; });
}

bool ReceptionBuffers::any_waits(std::uint32_t from) const {
  return bounded() &&
         std::any_of(ways_[from].begin(), ways_[from].end(), [](const Way& way) { return !way.waiting.empty(); });
}

void ReceptionBuffers::checkpoint(Checkpoint& c) {
  for (std::vector<Way>& ways : ways_) {
    c.each(ways);
    for (const Way& way : ways) {
      Checkpoint::expect(way.room <= messages_ && (way.room == 0 || way.waiting.empty()), "a reception buffer");
    }
  }
}

}  // namespace braid::models
