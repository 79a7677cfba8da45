// Which engine runs the next cycles where an experiment leaves it open. Lists cost what moves, planes what there is, so
// the flits that cross switches decide.
#pragma once

#include <algorithm>
#include <cstdint>

#include "routing/base/checkpoint.h"

namespace braid::models::hybrid::planes {

class Choice {
 public:
  explicit Choice(std::size_t routers) : words_(static_cast<double>((routers + 63) / 64)) {}

  bool due(std::uint64_t cycle) const { return cycle >= next_look_; }
  /// Planes from now on? `flit_hops`: counted so far.
  bool planes(std::uint64_t cycle, std::uint64_t flit_hops) {
    const auto cycles = static_cast<double>(cycle - last_look_);
    const double hops = static_cast<double>(flit_hops - flit_hops_) / std::max(cycles, 1.0) / words_;
    const bool wanted = planes_ ? hops > kLeave : hops > kEnter;
    if (wanted != planes_) patience_ = std::min<std::uint64_t>(2 * patience_, kMostPatience);
    planes_ = wanted;
    last_look_ = cycle;
    next_look_ = cycle + patience_;
    flit_hops_ = flit_hops;
    return planes_;
  }
  void checkpoint(Checkpoint& c) { c(planes_, last_look_, next_look_, patience_, flit_hops_); }

 private:
  /// Flits that cross a switch in a cycle, for every 64 routers: where planes cost half of what lists do, and as much.
  static constexpr double kEnter = 12, kLeave = 6;
  /// Cycles between two looks: more after each change, which costs about as much as a hundred.
  static constexpr std::uint64_t kMostPatience = 1 << 16;

  double words_;
  bool planes_ = false;
  std::uint64_t last_look_ = 0, next_look_ = 0, patience_ = 256, flit_hops_ = 0;
};

}  // namespace braid::models::hybrid::planes
