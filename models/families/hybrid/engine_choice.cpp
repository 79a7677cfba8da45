#include "models/families/hybrid/engine_choice.h"

#include <algorithm>
#include <cmath>

#include "models/families/hybrid/cycle_engine.h"

namespace braid::models::hybrid {
namespace {

constexpr std::uint64_t kMostPatience = 4096;

}  // namespace

CycleEngineKind& cycle_engine() {
  static CycleEngineKind kind;
  return kind;
}

/// Twice the patience after each change: a load about where both cost as much, which goes up and down by chance, costs
/// a few changes and no more.
bool EngineChooser::planes(std::uint64_t cycle, std::uint64_t flit_hops, double break_even) {
  const auto flits = [&](std::uint64_t cycles) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(cycles) * break_even));
  };
  const std::uint64_t moved = flit_hops - flit_hops_, even = flits(cycle - last_look_);
  const std::uint64_t lost = planes_ ? even : moved, gained = planes_ ? moved : even;
  lost_ = lost_ + lost - std::min(lost_ + lost, gained);
  last_look_ = cycle;
  flit_hops_ = flit_hops;
  if (lost_ <= flits(patience_)) return planes_;
  planes_ = !planes_;
  lost_ = 0;
  patience_ = std::min(2 * patience_, kMostPatience);
  return planes_;
}

}  // namespace braid::models::hybrid
