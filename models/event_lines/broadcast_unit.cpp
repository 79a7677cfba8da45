#include "models/event_lines/broadcast_unit.h"

#include <algorithm>

namespace braid::models {

void BroadcastUnit::check_restored(const Checkpoint& c, std::size_t wires) const {
  c.expect(finished_ <= handled_ && handled_ <= begun_, "a broadcast that ends before it begins");
  c.index(begun_ - finished_, most_under_way_ + 1, "number of broadcasts");
  c.index(next_in_, in_.size() + 1, "turn of a wire");
  c.index(static_cast<unsigned>(state_), 4, "state of a unit");
  for (const std::uint32_t wire : to_drive_) c.index(wire, wires, "wire");
}

void BroadcastUnit::step(const Cycle& now, std::vector<std::uint32_t>& driven) {
  if (turn_round_) {
    take_turn(now, driven);
  } else {
    do_all(now, driven);
  }
}

void BroadcastUnit::take_turn(const Cycle& now, std::vector<std::uint32_t>& driven) {
  handle(now);
  if (to_drive_.empty()) {
    state_ = State::kReceives;
    if (receive(now)) return;
    if (!is_root_ || !begin(now) || to_drive_.empty()) {
      state_ = handled_ < begun_ ? State::kHolds : State::kIdle;
      return;
    }
  }
  state_ = State::kDrives;
  drive(driven);
}

void BroadcastUnit::do_all(const Cycle& now, std::vector<std::uint32_t>& driven) {
  state_ = State::kIdle;
  while (receive(now)) state_ = State::kReceives;
  handle(now);
  if (is_root_) begin(now);
  if (handled_ < begun_) state_ = State::kHolds;
  if (!to_drive_.empty()) state_ = State::kDrives;
  while (!to_drive_.empty()) drive(driven);
}

/// From the next wire that has brought a pulse.
bool BroadcastUnit::receive(const Cycle& now) {
  for (std::size_t i = 0; i < in_.size(); ++i) {
    const std::size_t turn = (next_in_ + i) % in_.size();
    BroadcastWire& wire = now.wires[in_[turn]];
    if (wire.arrived == wire.received) continue;
    next_in_ = turn + 1;
    if (++wire.received > begun_) begin_one(now);
    handle(now);
    return true;
  }
  return false;
}

bool BroadcastUnit::begin(const Cycle& now) {
  if (begun_ == now.requested || begun_ - finished_ == most_under_way_) return false;
  begin_one(now);
  handle(now);
  return true;
}

void BroadcastUnit::begin_one(const Cycle& now) {
  ++begun_;
  to_drive_.insert(to_drive_.end(), at_once_.begin(), at_once_.end());
  if (now.stops != nullptr) now.stops->receive(now.node, now.cycle);
}

/// Counts what the node has handled, and then what is complete here.
void BroadcastUnit::handle(const Cycle& now) {
  while (handled_ < begun_ && (now.stops == nullptr || now.stops->try_release(now.node, now.cycle))) ++handled_;
  const auto brought = [&](std::uint32_t wire) { return now.wires[wire].received > finished_; };
  while (finished_ < handled_ && std::all_of(in_.begin(), in_.end(), brought)) {
    ++finished_;
    to_drive_.insert(to_drive_.end(), when_done_.begin(), when_done_.end());
  }
}

void BroadcastUnit::drive(std::vector<std::uint32_t>& driven) {
  driven.push_back(to_drive_.front());
  to_drive_.pop_front();
}

}  // namespace braid::models
