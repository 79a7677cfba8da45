#include "traffic/broadcast/broadcast_scheme.h"

#include <algorithm>
#include <utility>

#include "routing/base/input_error.h"

namespace braid::traffic {

BroadcastScheme::BroadcastScheme(std::vector<BroadcastPart> parts) : parts_(std::move(parts)) {
  for (std::uint32_t position = 0; position < parts_.size(); ++position) {  // ascending
    for (const auto* told : {&parts_[position].told_at_once, &parts_[position].told_when_done}) {
      for (const std::uint32_t other : *told) parts_[other].heard.push_back(position);
    }
  }
}

bool copies_packets(const std::vector<BroadcastPart>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const BroadcastPart& part) { return part.by_one_packet; });
}

void refuse_copies(const std::vector<BroadcastPart>& parts, const char* what) {
  if (!copies_packets(parts)) return;
  throw InputError(std::string("broadcast.scheme: ") + what +
                   " sends every message by itself, and this scheme has routers copy one; expected another scheme");
}

std::uint64_t message_count(const std::vector<BroadcastPart>& parts) {
  std::uint64_t messages = 0;
  for (const BroadcastPart& part : parts) {
    const bool one = part.by_one_packet && !part.told_at_once.empty();
    messages += (one ? 1 : part.told_at_once.size()) + part.told_when_done.size();
  }
  return messages;
}

/// Two times at each position, counted in messages since the start: the first message is there, and all are.
std::uint32_t longest_path(const std::vector<BroadcastPart>& parts) {
  struct Told {
    std::uint32_t position, messages;
  };
  std::vector<std::uint32_t> last(parts.size()), missing(parts.size());
  std::vector<bool> reached(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) missing[p] = static_cast<std::uint32_t>(parts[p].heard.size());
  std::vector<Told>
      ways;  // in the order of their lengths where that matters: the first to reach a position is its first
  const auto tell = [&ways](const std::vector<std::uint32_t>& to, std::uint32_t messages) {
    for (const std::uint32_t position : to) ways.push_back({position, messages + 1});
  };
  reached[0] = true;
  tell(parts[0].told_at_once, 0);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const Told told = ways[i];
    const BroadcastPart& part = parts[told.position];
    last[told.position] = std::max(last[told.position], told.messages);
    if (!reached[told.position]) {
      reached[told.position] = true;
      tell(part.told_at_once, told.messages);
    }
    if (--missing[told.position] == 0) tell(part.told_when_done, last[told.position]);
  }
  return last[0];
}

}  // namespace braid::traffic
