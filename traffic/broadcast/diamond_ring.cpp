#include "traffic/broadcast/diamond_ring.h"

#include <algorithm>
#include <utility>

#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::traffic {

DiamondRing::DiamondRing(std::uint32_t positions, std::uint32_t arity, Contamination how)
    : positions_(positions), arity_(arity), chains_(1), contamination_(positions) {
  while (contamination_ > static_cast<std::int64_t>(chains_)) {
    if (level_ > 0) side_ += chains_;
    chains_ *= arity_;
    ++level_;
    find_contamination();
  }
  if (how == Contamination::kAddOrRemove || contamination_ >= 0 || level_ == 1) return;
  --level_;
  chains_ /= arity_;
  side_ -= chains_;
  find_contamination();
}

void DiamondRing::find_contamination() {
  contamination_ = static_cast<std::int64_t>(positions_) - static_cast<std::int64_t>(1 + 2 * side_ + chains_);
}

DiamondRing::Role DiamondRing::role(std::uint32_t position) const {
  if (position == 0) return Role::kRoot;
  if (position <= side_) return Role::kGather;
  return position < positions_ - side_ ? Role::kCentre : Role::kScatter;
}

/// Who hears the chain of a number: the parent of a leaf of the tree that gathers.
std::uint32_t DiamondRing::gatherer_of(std::int64_t chain) const {
  return static_cast<std::uint32_t>((chain - 1) / arity_);
}

/// Chains of the centre are numbered side_ + 1 to side_ + k^l, the last that scatters first. Their positions lie in
/// rows: the last row begins at side_ + 1, has a position of the lowest chains only, and is there if the contamination
/// is positive; the rows above have one of every chain. Too few: the lowest chains have none.
std::uint32_t DiamondRing::after_centre(std::uint32_t position) const {
  const auto side = static_cast<std::int64_t>(side_), row = static_cast<std::int64_t>(chains_);
  const std::int64_t last = contamination_ > 0 ? (contamination_ - 1) % row + 1 : 0;  // positions of the last row
  const std::int64_t above = position - side - last - 1;  // place among the rows above, from 0
  if (above < 0) return gatherer_of(position);
  if (above >= row) return static_cast<std::uint32_t>(position - row);
  const std::int64_t chain = side + above + 1 - std::min<std::int64_t>(contamination_, 0);
  return above < last ? static_cast<std::uint32_t>(chain) : gatherer_of(chain);
}

/// A chain begins at the position that is the contamination above its number. Too few: so many of the lowest begin at
/// or below side_, where no position of the centre is.
std::vector<std::uint32_t> DiamondRing::successors(std::uint32_t position) const {
  if (level_ == 0) return {};
  const Role kind = role(position);
  const auto side = static_cast<std::int64_t>(side_);
  if (kind == Role::kGather) return {gatherer_of(position)};
  if (kind == Role::kCentre) return {after_centre(position)};
  std::vector<std::uint32_t> result;
  const std::int64_t mirror = kind == Role::kRoot ? 0 : positions_ - position;  // its twin's number, seen from the root
  for (std::uint32_t i = 1; i <= arity_; ++i) {
    const std::int64_t below = arity_ * mirror + i;
    const std::int64_t to = positions_ - below;
    const bool empty = below > side && to <= side;
    result.push_back(empty ? gatherer_of(to - contamination_) : static_cast<std::uint32_t>(to));
  }
  return result;
}

namespace {

struct DiamondRingOptions {
  std::uint32_t arity = 2;
  DiamondRing::Contamination contamination = DiamondRing::Contamination::kAddOrRemove;
  bool companion = false;
  bool merge_parallel = false;
};
const OptionTable<DiamondRingOptions> kDiamondRingTable =
    OptionTable<DiamondRingOptions>("broadcast")
        .integer("arity", &DiamondRingOptions::arity, 1, 4096, "positions that a root or scatter position tells")
        .choice(
            "contamination", &DiamondRingOptions::contamination,
            {{"add_or_remove", DiamondRing::Contamination::kAddOrRemove}, {"add", DiamondRing::Contamination::kAdd}},
            "how a ring takes any number of positions: further positions in its centre or fewer, or further ones only "
            "(diamond-rings, section 3.1)")
        .boolean("companion", &DiamondRingOptions::companion,
                 "one position gathers for the root, which is told by it alone (diamond-rings, section 3.4)")
        .boolean("merge_parallel", &DiamondRingOptions::merge_parallel,
                 "one message between two positions, where missing positions of the centre left several");

constexpr const char* kDiamondRingRoles[] = {"root", "scatter", "centre", "gather"};

class DiamondRingScheme final : public BroadcastScheme {
 public:
  DiamondRingScheme(std::uint32_t positions, const DiamondRingOptions& options)
      : BroadcastScheme(parts_of(positions, options)) {}

 private:
  static std::vector<BroadcastPart> parts_of(std::uint32_t positions, const DiamondRingOptions& o) {
    if (o.companion && positions < 2) {
      throw InputError("broadcast.companion: the root's companion is a node of its own; expected 2 nodes or more");
    }
    const DiamondRing ring(o.companion ? positions - 1 : positions, o.arity, o.contamination);
    const std::uint32_t end = o.companion ? positions - 1 : 0;  // where the ring comes back to
    std::vector<BroadcastPart> parts(positions);
    for (std::uint32_t p = 0; p < ring.positions(); ++p) {
      parts[p].role = kDiamondRingRoles[static_cast<int>(ring.role(p))];
      std::vector<std::uint32_t> told = ring.successors(p);
      if (p == 0) told.erase(std::remove(told.begin(), told.end(), std::uint32_t{0}), told.end());
      std::replace(told.begin(), told.end(), std::uint32_t{0}, end);
      if (o.companion && ring.level() == 0) told = {end};  // the root and its companion
      if (o.merge_parallel) told.erase(std::unique(told.begin(), told.end()), told.end());
      (p == 0 ? parts[p].told_at_once : parts[p].told_when_done) = std::move(told);
    }
    if (o.companion) {
      parts[end].role = "companion";
      parts[end].told_when_done = {0};
    }
    return parts;
  }
};

const bool diamond_ring_registered = BroadcastSchemeRegistry::instance().add(
    "diamond_ring", "a tree that scatters and its mirror image that gathers", kDiamondRingTable.list(),
    [](const SchemeContext& c) {
      return std::make_unique<DiamondRingScheme>(c.positions, kDiamondRingTable.read(c.configuration));
    });

}  // namespace
}  // namespace braid::traffic
