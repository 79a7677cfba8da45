#include "traffic/broadcast/all_reduce.h"

#include <algorithm>
#include <cstdint>

namespace braid::traffic {
namespace {

using Positions = std::vector<std::uint32_t>;

/// [position] its links, to those that it tells.
std::vector<Positions> links_of(const std::vector<BroadcastPart>& parts) {
  std::vector<Positions> links;
  for (const BroadcastPart& part : parts) {
    links.push_back(part.told_at_once);
    links.back().insert(links.back().end(), part.told_when_done.begin(), part.told_when_done.end());
  }
  return links;
}

/// [position] from whom the root's tree reaches it, breadth first; the root from itself.
Positions parents(const std::vector<Positions>& links) {
  Positions parent(links.size(), UINT32_MAX), order{0};
  parent[0] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::uint32_t to : links[order[i]]) {
      if (parent[to] != UINT32_MAX) continue;
      parent[to] = order[i];
      order.push_back(to);
    }
  }
  return parent;
}

/// The tree's links the other way round.
std::vector<Positions> reversed(const std::vector<Positions>& links) {
  std::vector<Positions> back(links.size());
  for (std::uint32_t from = 0; from < links.size(); ++from) {
    for (const std::uint32_t to : links[from]) back[to].push_back(from);
  }
  return back;
}

std::vector<BroadcastPart> roles_of(const Positions& parent) {
  std::vector<BroadcastPart> parts(parent.size());
  for (BroadcastPart& part : parts) part.role = "leaf";
  for (std::uint32_t p = 1; p < parent.size(); ++p) parts[parent[p]].role = "inner";
  parts[0].role = "root";
  return parts;
}

std::uint32_t depth_of(const std::vector<BroadcastPart>& parts, bool up) {
  std::uint32_t deepest = 0;
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    std::uint32_t depth = 0;
    for (std::uint32_t at = p; at != 0; ++depth) at = up ? parts[at].told_when_done[0] : parts[at].heard[0];
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

}  // namespace

AllReduceParts all_reduce_parts(const std::vector<BroadcastPart>& parts) {
  const std::vector<Positions> links = links_of(parts);
  const Positions above = parents(reversed(links)), before = parents(links);
  AllReduceParts all{roles_of(above), roles_of(before)};
  for (std::uint32_t p = 1; p < parts.size(); ++p) {
    all.up[p].told_when_done = {above[p]};
    all.up[above[p]].heard.push_back(p);
    all.down[before[p]].told_at_once.push_back(p);
    all.down[p].heard = {before[p]};
  }
  return all;
}

std::uint32_t all_reduce_path(const AllReduceParts& parts) {
  return depth_of(parts.up, true) + depth_of(parts.down, false);
}

}  // namespace braid::traffic
