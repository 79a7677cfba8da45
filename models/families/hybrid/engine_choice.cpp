#include "models/families/hybrid/engine_choice.h"

#include <algorithm>

#include "models/families/hybrid/cycle_engine.h"

namespace braid::models::hybrid {
namespace {

/// Flits that cross switches in a cycle, for a network of size 1: where planes cost less than lists do by a good part,
/// and where they cost as much.
constexpr double kEnter = 14, kLeave = 9;
/// Cycles between two looks: more after each change, which costs about as much as a hundred.
constexpr std::uint64_t kMostPatience = 1 << 16;

}  // namespace

CycleEngineKind& cycle_engine() {
  static CycleEngineKind kind;
  return kind;
}

bool EngineChooser::planes(std::uint64_t cycle, std::uint64_t flit_hops, double size) {
  const auto cycles = static_cast<double>(cycle - last_look_);
  const double hops = static_cast<double>(flit_hops - flit_hops_) / std::max(cycles, 1.0) / size;
  const bool wanted = planes_ ? hops > kLeave : hops > kEnter;
  if (wanted != planes_) patience_ = std::min<std::uint64_t>(2 * patience_, kMostPatience);
  planes_ = wanted;
  last_look_ = cycle;
  next_look_ = cycle + patience_;
  flit_hops_ = flit_hops;
  return planes_;
}

}  // namespace braid::models::hybrid
