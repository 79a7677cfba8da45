#include "models/families/hybrid/circuit_forks.h"

#include <stdexcept>

namespace braid::models::hybrid {

CircuitForks::CircuitForks(const RouterBank& bank)
    : bank_(bank),
      next_(bank.output_vc_count(), kNone),
      tree_(bank.input_vc_count()),
      circuit_(bank.output_vc_count(), kNone) {}

bool CircuitForks::has_credits(VcIndex in_vc) const {
  bool all = true;
  for_each_output(in_vc, [&](VcIndex out) { all = all && bank_.output_vcs[out].credits > 0; });
  return all;
}

bool CircuitForks::holds(VcIndex in_vc, VcIndex out_vc) const {
  bool found = false;
  for_each_output(in_vc, [&](VcIndex out) { found = found || out == out_vc; });
  return found;
}

std::uint64_t CircuitForks::leaves(VcIndex in_vc) const {
  std::uint64_t all = 0;
  for_each_output(in_vc, [&](VcIndex out) { all += leaves_behind(out); });
  return all;
}

std::uint64_t CircuitForks::leaves_behind(VcIndex out_vc) const {
  const Link& link = bank_.links[bank_.port_of_vc(out_vc)];
  return link.to_node ? 1 : leaves(bank_.circuit_vc(link.target));
}

void CircuitForks::reserve(VcIndex in_vc, VcIndex out_vc, std::uint32_t tree) {
  VcIndex last = bank_.circuit_out(in_vc);
  if (last == kNone) {
    bank_.reserve(in_vc, out_vc);
    tree_[in_vc] = tree;
  } else {
    while (next_[last] != kNone) last = next_[last];
    next_[last] = out_vc;
    bank_.output_vcs[out_vc].owner = in_vc;
  }
  circuit_[out_vc] = searched_;
  if (!bank_.links[bank_.port_of_vc(out_vc)].to_node) return;
  if (ends_.size() <= searched_) ends_.resize(searched_ + 1, kNone);
  ends_[searched_] = out_vc;
}

void CircuitForks::release(VcIndex in_vc, VcIndex out_vc) {
  const VcIndex first = bank_.circuit_out(in_vc), behind = next_[out_vc];
  next_[out_vc] = kNone;
  if (first != out_vc) {
    VcIndex before = first;
    while (next_[before] != out_vc) before = next_[before];
    next_[before] = behind;
    bank_.output_vcs[out_vc].owner = kNone;
  } else {
    bank_.release(in_vc, out_vc);
    if (behind == kNone) {
      tree_[in_vc] = 0;
    } else {
      bank_.reserve(in_vc, behind);
    }
  }
}

bool CircuitForks::passes(RouterId router, std::uint32_t tree) const {
  const PortIndex first = bank_.port_index(router, PortId{std::size_t{0}});
  for (PortIndex port = first; port < first + bank_.port_stride(); ++port) {
    for (std::uint32_t c = 0; c < bank_.circuit_lanes(); ++c) {
      if (tree_[bank_.circuit_vc(port, c)] == tree) return true;
    }
  }
  return false;
}

void CircuitForks::send(const std::vector<Copy>& copies) {
  if (free_items_.empty()) {
    free_items_.push_back(static_cast<std::uint32_t>(items_.size()));
    items_.emplace_back();
  }
  const std::uint32_t item = free_items_.back();
  free_items_.pop_back();
  items_[item].copies = copies;
  items_[item].left = static_cast<std::uint32_t>(copies.size());
  for (const Copy& copy : copies) {
    if (item_of_.size() <= copy.packet) item_of_.resize(std::size_t{copy.packet} + 1, kNone);
    item_of_[copy.packet] = item;
  }
}

PacketSlot CircuitForks::copy_of(PacketSlot packet, std::uint32_t circuit) const {
  for (const Copy& copy : items_[item_of_[packet]].copies) {
    if (copy.circuit == circuit) return copy.packet;
  }
  throw std::logic_error("a circuit forks to a stream that has no copy of its items");
}

void CircuitForks::delivered(PacketSlot packet) {
  if (!copied(packet)) return;
  const std::uint32_t item = item_of_[packet];
  item_of_[packet] = kNone;
  if (--items_[item].left != 0) return;
  items_[item].copies.clear();
  free_items_.push_back(item);
}

void CircuitForks::checkpoint(Checkpoint& c) {
  c.part("circuits that fork");
  c.each(next_);
  c.each(tree_);
  c.each(circuit_);
  c(ends_, searched_, items_, free_items_, item_of_);
}

void CircuitForks::check_restored(const Checkpoint& c) const {
  for (VcIndex out = 0; out < next_.size(); ++out) {
    if (next_[out] == kNone) continue;
    c.index(next_[out], next_.size(), "output lane");
    const VcIndex owner = bank_.output_vcs[out].owner;
    c.expect(owner != kNone && bank_.output_vcs[next_[out]].owner == owner, "a fork of two circuits");
  }
  for (const VcIndex end : ends_) {
    if (end != kNone) c.index(end, next_.size(), "output lane");
  }
  for (const std::uint32_t item : free_items_) c.index(item, items_.size(), "item");
  for (const Item& item : items_) {
    c.index(item.left, item.copies.size() + 1, "number of copies");
    for (const Copy& copy : item.copies) {
      if (item.left != 0) c.index(copy.circuit, bank_.output_vc_count(), "circuit");
    }
  }
  for (const std::uint32_t item : item_of_) {
    if (item != kNone) c.expect(item < items_.size() && items_[item].left != 0, "a copy of nothing");
  }
}

}  // namespace braid::models::hybrid
