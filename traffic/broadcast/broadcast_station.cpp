#include "traffic/broadcast/broadcast_station.h"

#include <algorithm>

namespace braid::traffic {

BroadcastStation::Steps BroadcastStation::begin(std::uint32_t broadcast) {
  Steps steps;
  start(broadcast, steps);
  return steps;
}

BroadcastStation::Steps BroadcastStation::hear(std::uint32_t broadcast, std::uint32_t from) {
  const auto found = open_.find(broadcast);
  check(broadcast, from, found == open_.end() ? nullptr : &found->second);
  if (sequenced_ && broadcast > next_) {
    kept_.push_back({broadcast, from});
    return {};
  }
  return hear_again(broadcast, from);
}

/// From one who tells this position, no more often than there are links, and not after the end.
void BroadcastStation::check(std::uint32_t broadcast, std::uint32_t from, const Open* open) const {
  const auto links = std::count(part_.heard.begin(), part_.heard.end(), from);
  auto seen = open == nullptr ? 0 : std::count(open->heard.begin(), open->heard.end(), from);
  for (const Kept& kept : kept_) seen += kept.broadcast == broadcast && kept.from == from ? 1 : 0;
  const char* wrong = nullptr;
  if (links == 0) {
    wrong = "whom it does not hear";
  } else if (done(broadcast)) {
    wrong = "after it was done with it";
  } else if (position_ == 0 && open == nullptr && !begins_itself_) {
    wrong = "before it began";
  } else if (seen >= links) {
    wrong = "once more";
  }
  if (wrong == nullptr) return;
  throw BroadcastError("position " + std::to_string(position_) + " (" + part_.role + ") was told of broadcast " +
                       std::to_string(broadcast) + " by position " + std::to_string(from) + ", " + wrong);
}

BroadcastStation::Steps BroadcastStation::hear_again(std::uint32_t broadcast, std::uint32_t from) {
  Steps steps;
  const bool first = open_.count(broadcast) == 0;
  open_[broadcast].heard.push_back(from);
  if (first && !begins_itself_) start(broadcast, steps);
  finish_if_complete(broadcast, steps);
  return steps;
}

void BroadcastStation::start(std::uint32_t broadcast, Steps& steps) {
  open_[broadcast];
  if (part_.by_one_packet && !part_.told_at_once.empty()) {
    steps.push_back({Step::Kind::kTellAll, broadcast});
  } else {
    for (const std::uint32_t to : part_.told_at_once) steps.push_back({Step::Kind::kTell, broadcast, to});
  }
  steps.push_back({Step::Kind::kHandle, broadcast});
}

BroadcastStation::Steps BroadcastStation::handled(std::uint32_t broadcast) {
  Steps steps;
  if (sequenced_) {
    next_ = std::max(next_, broadcast + 1);
    const auto due =
        std::stable_partition(kept_.begin(), kept_.end(), [this](const Kept& kept) { return kept.broadcast > next_; });
    for (auto kept = due; kept != kept_.end(); ++kept) {
      steps.push_back({Step::Kind::kAgain, kept->broadcast, kept->from});
    }
    kept_.erase(due, kept_.end());
  }
  const auto open = open_.find(broadcast);
  if (open == open_.end()) return steps;  // given up
  open->second.handled = true;
  finish_if_complete(broadcast, steps);
  return steps;
}

void BroadcastStation::finish_if_complete(std::uint32_t broadcast, Steps& steps) {
  const Open& open = open_.at(broadcast);
  if (!open.handled || open.heard.size() < part_.heard.size()) return;
  for (const std::uint32_t to : part_.told_when_done) steps.push_back({Step::Kind::kTell, broadcast, to});
  if (position_ == 0) steps.push_back({Step::Kind::kComplete, broadcast});
  steps.push_back({Step::Kind::kDone, broadcast});
  close(broadcast);
}

void BroadcastStation::close(std::uint32_t broadcast) {
  open_.erase(broadcast);
  done_.insert(broadcast);
  while (done_.count(all_done_below_) != 0) done_.erase(all_done_below_++);
}

BroadcastStation::Progress BroadcastStation::progress(std::uint32_t broadcast) const {
  if (done(broadcast)) return {true, true, part_.heard};
  const auto found = open_.find(broadcast);
  if (found == open_.end()) return {};
  return {true, false, found->second.heard};
}

}  // namespace braid::traffic
