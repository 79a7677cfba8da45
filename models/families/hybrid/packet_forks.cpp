#include "models/families/hybrid/packet_forks.h"

#include <algorithm>

#include "models/fabric/route_query.h"

namespace braid::models::hybrid {

PacketForks::PacketForks(const RouterBank& bank, PacketStore& store, const routing::RoutingAlgorithm& routing,
                         std::uint32_t buffer_depth)
    : bank_(bank), store_(store), routing_(routing), buffer_depth_(buffer_depth), forks_(bank.input_vc_count()) {}

void PacketForks::join(const std::vector<PacketSlot>& packets) { set_group(packets.front(), packets); }

void PacketForks::set_group(PacketSlot packet, const std::vector<PacketSlot>& packets) {
  arrived(packet);
  if (packets.size() == 1) return;
  if (free_groups_.empty()) {
    free_groups_.push_back(static_cast<std::uint32_t>(groups_.size()));
    groups_.emplace_back();
  }
  if (packet >= group_of_.size()) group_of_.resize(std::size_t{packet} + 1, kNone);
  group_of_[packet] = free_groups_.back();
  free_groups_.pop_back();
  groups_[group_of_[packet]] = packets;
}

void PacketForks::arrived(PacketSlot packet) {
  if (alone(packet)) return;
  groups_[group_of_[packet]].clear();
  free_groups_.push_back(group_of_[packet]);
  group_of_[packet] = kNone;
}

std::uint64_t PacketForks::destinations_behind(VcIndex in_vc, const Flit& flit) const {
  const Fork& fork = forks_[in_vc];
  if (fork.packet != flit.packet()) return destinations(flit.packet());
  std::uint64_t all = 0;
  for (const Branch& b : fork.branches) all += b.sent <= flit.sequence() ? b.destinations : 0;
  return all;
}

/// A branch goes by the name of its first destination.
void PacketForks::find_branches(VcIndex in_vc, PacketSlot packet) {
  std::vector<Branch>& branches = forks_[in_vc].branches;
  branches.clear();
  const PortIndex in_port = bank_.port_of_vc(in_vc);
  const RouterId router = bank_.router_of(in_port);
  for_each_destination(packet, [&](PacketSlot each) {
    routing_.route(query_of(store_[each], router, PortId{bank_.port_of(in_port)}, VcId{bank_.lane_of(in_vc)}), ways_);
    const PortIndex out = bank_.port_index(router, ways_[0].port);
    std::size_t b = 0;
    while (b < branches.size() && (branches[b].out_port != out || branches[b].vcs != ways_[0].vcs)) ++b;
    if (b == branches.size()) {
      branches.push_back({out, ways_[0].vcs, kNone, each, 0, 0});
      if (parts_.size() <= b) parts_.emplace_back();
      parts_[b].clear();
    }
    ++branches[b].destinations;
    parts_[b].push_back(each);
  });
}

void PacketForks::open(VcIndex in_vc) {
  const PacketSlot packet = bank_.front(in_vc).packet();
  find_branches(in_vc, packet);
  Fork& fork = forks_[in_vc];
  for (std::size_t b = 0; b < fork.branches.size(); ++b) set_group(fork.branches[b].packet, parts_[b]);
  fork.packet = packet;
  fork.flits = store_[packet].length_flits;
  fork.left = 0;
  bank_.input_vcs[in_vc].state = VcState::kForked;
  forked_.push_back(in_vc);
}

/// (The buffer is longer than the packet, but for a test that sends longer ones, to see what comes of it.)
std::uint32_t PacketForks::credits_needed(const Fork& fork, const Branch& branch) const {
  const bool parts = branch.sent == 0 && fork.branches.size() > 1;
  return parts ? std::min<std::uint32_t>(fork.flits, buffer_depth_) : 1;
}

bool PacketForks::ready(VcIndex in_vc, const Branch& branch) const {
  const Fork& fork = forks_[in_vc];
  if (branch.out_vc == kNone || branch.sent == fork.flits) return false;
  if (branch.sent - fork.left >= bank_.input_vcs[in_vc].count) return false;
  return bank_.output_vcs[branch.out_vc].credits >= credits_needed(fork, branch);
}

std::uint32_t PacketForks::offered(VcIndex in_vc) const {
  std::uint32_t first = kNoFlit;
  for (const Branch& b : forks_[in_vc].branches) {
    if (ready(in_vc, b)) first = std::min<std::uint32_t>(first, b.sent);
  }
  return first;
}

std::uint32_t PacketForks::branch_to(VcIndex in_vc, PortIndex out_port, std::uint32_t flit) const {
  const std::vector<Branch>& all = forks_[in_vc].branches;
  const auto it = std::find_if(all.begin(), all.end(), [&](const Branch& b) {
    return b.out_port == out_port && b.sent == flit && ready(in_vc, b);
  });
  return static_cast<std::uint32_t>(it - all.begin());
}

const PacketForks::Branch& PacketForks::last_branch(VcIndex in_vc) const {
  const std::vector<Branch>& all = forks_[in_vc].branches;
  return *std::min_element(all.begin(), all.end(), [](const Branch& a, const Branch& b) { return a.sent < b.sent; });
}

void PacketForks::take_vc(const Grant& grant, VcIndex out_vc) {
  forks_[grant.in_vc].branches[grant.branch].out_vc = out_vc;
  bank_.output_vcs[out_vc].owner = grant.in_vc;
  bank_.free_vcs[bank_.port_of_vc(out_vc)] &= ~(1U << bank_.lane_of(out_vc));
}

PacketForks::Sent PacketForks::send(const Grant& grant) {
  Fork& fork = forks_[grant.in_vc];
  Branch& branch = fork.branches[grant.branch];
  const std::uint32_t lane = bank_.lane_of(branch.out_vc), behind = branch.sent - fork.left;
  Sent sent{bank_.buffered(grant.in_vc, behind).on(lane).of(branch.packet), branch.out_port, false, false};
  OutputVc& out = bank_.output_vcs[branch.out_vc];
  --out.credits;
  ++branch.sent;
  if (sent.flit.tail()) {
    out.owner = kNone;
    bank_.free_vcs[branch.out_port] |= 1U << lane;
  }
  const Branch& last = last_branch(grant.in_vc);
  if (last.sent != fork.left) {
    sent.left = true;
    bank_.pop(grant.in_vc);
    sent.closed = ++fork.left == fork.flits;
  }
  if (sent.closed) {
    close(grant.in_vc);
  } else if (sent.flit.tail() && branch.packet == fork.packet) {
    // That packet may be gone before the flits that others have to send, all of which are here: they go by a name that
    // stays.
    fork.packet = last.packet;
    for (std::uint32_t i = 0; i < std::uint32_t{fork.flits} - fork.left; ++i) {
      Flit& flit = bank_.buffer(grant.in_vc)[(bank_.input_vcs[grant.in_vc].first + i) & bank_.depth_mask()];
      flit = flit.of(last.packet);
    }
  }
  return sent;
}

void PacketForks::close(VcIndex in_vc) {
  forks_[in_vc].packet = kNone;
  forked_.erase(std::find(forked_.begin(), forked_.end(), in_vc));
  InputVc& vc = bank_.input_vcs[in_vc];
  vc.state = vc.count == 0 ? VcState::kIdle : VcState::kNeedsRoute;
}

void PacketForks::checkpoint(Checkpoint& c) {
  c.part("packets that fork");
  c.each(forks_);
  c(forked_, group_of_, groups_, free_groups_);
}

void PacketForks::check_restored(const Checkpoint& c) const {
  for (const VcIndex in_vc : forked_) {
    c.index(in_vc, forks_.size(), "VC");
    const Fork& fork = forks_[in_vc];
    c.expect(bank_.input_vcs[in_vc].state == VcState::kForked && !fork.branches.empty(), "a fork without a way");
    c.packet(fork.packet);
    for (const Branch& b : fork.branches) {
      c.packet(b.packet);
      c.index(b.out_port, bank_.router_port_count(), "port");
      c.index(b.vcs, std::uint64_t{1} << bank_.vcs(), "set of VCs");
      c.index(b.sent, std::uint64_t{fork.flits} + 1, "number of flits");
      c.expect(b.sent >= fork.left && bank_.links[b.out_port].target != kNone, "a branch that leads nowhere");
      if (b.out_vc == kNone) continue;
      c.index(b.out_vc, bank_.output_vc_count(), "output VC");
      c.expect(bank_.port_of_vc(b.out_vc) == b.out_port, "a branch with the VC of another way");
    }
  }
  for (const std::uint32_t group : group_of_) {
    if (group != kNone) c.index(group, groups_.size(), "group of packets");
  }
  for (const std::uint32_t group : free_groups_) c.index(group, groups_.size(), "group of packets");
  for (const auto& group : groups_) {
    for (const PacketSlot packet : group) c.packet(packet);
  }
}

}  // namespace braid::models::hybrid
