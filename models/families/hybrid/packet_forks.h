// Packets that routers copy (PacketTransport::send_copies()): one packet leaves the source, and where the ways of its
// destinations part a router sends a copy each way. The links that it crosses are a tree: the union of the ways that
// the routing algorithm gives each destination. docs/router.md ("A packet that forks") has the cycles and the argument
// that nothing waits in a circle:
//  - each way that a packet takes at a router is a branch, which asks for an output VC and for the switch by itself;
//  - a flit leaves its buffer when all branches have sent it, and a branch does not wait for another to send the next;
//  - a branch sends its head when the buffer behind its output VC has room for the whole packet (virtual cut-through
//    where ways part; elsewhere packets go as ever). So packets that fork are no longer than the buffer of a VC.
// (Trees under wormhole switching block each other: Lin and Ni, "Deadlock-free multicast wormhole routing in
// multicomputer networks", ISCA 1991; Duato, Yalamanchili, Ni, "Interconnection Networks", chapter 5.)
//
// Every destination has a packet of its own in the store, so that all accounts are those of packets sent one by one. A
// flit names one of the destinations that it will come to; the others that will have it are listed here.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/packet_store.h"
#include "models/families/hybrid/router_bank.h"
#include "models/families/hybrid/vc_allocator.h"
#include "routing/algorithm/routing_algorithm.h"

namespace braid::models::hybrid {

/// Of all routers of a network that one thread runs.
class PacketForks {
 public:
  /// A way that a packet takes at a router.
  struct Branch {
    PortIndex out_port = 0;
    VcMask vcs = 0;          // that it may take there
    VcIndex out_vc = kNone;  // kNone: it has none yet
    PacketSlot packet = 0;   // its flits name
    std::uint32_t destinations = 0;
    std::uint16_t sent = 0;  // flits
    void checkpoint(Checkpoint& c) { c(out_port, vcs, out_vc, packet, destinations, sent); }
  };
  /// A packet with several destinations, from RC of its head until its tail has left the input VC; of one branch where
  /// all go the same way.
  struct Fork {
    PacketSlot packet = kNone;  // its flits name, as they come in; kNone: no packet forks here
    std::uint16_t flits = 0;
    std::uint16_t left = 0;  // flits that have left the buffer
    std::vector<Branch> branches;
    void checkpoint(Checkpoint& c) {
      c(packet, flits, left);
      c(branches);
    }
  };
  /// A branch by its number.
  struct Grant {
    VcIndex in_vc = 0;
    std::uint32_t branch = 0;
  };

  PacketForks(const RouterBank& bank, PacketStore& store, const routing::RoutingAlgorithm& routing,
              std::uint32_t buffer_depth);

  // Destinations.
  /// The packets of one message to several, which travel together until their ways part: first the one that flits name.
  void join(const std::vector<PacketSlot>& packets);
  /// Calls visit(packet) for each that travels with `packet`, itself the first.
  template <class Visit>
  void for_each_destination(PacketSlot packet, Visit visit) const {
    if (alone(packet)) return visit(packet);
    for (const PacketSlot each : groups_[group_of_[packet]]) visit(each);
  }
  bool alone(PacketSlot packet) const { return packet >= group_of_.size() || group_of_[packet] == kNone; }
  std::size_t destinations(PacketSlot packet) const { return alone(packet) ? 1 : groups_[group_of_[packet]].size(); }
  /// At its node: what travelled with it does so no longer.
  void arrived(PacketSlot packet);
  /// So many destinations will have a flit that is in, or on its way to, an input VC: those that the branches which
  /// have not sent it lead to, if its packet forks there.
  std::uint64_t destinations_behind(VcIndex in_vc, const Flit& flit) const;

  // RC: the ways of a head with several destinations, at the front of an input VC, which is kForked from now on.
  void open(VcIndex in_vc);
  const std::vector<VcIndex>& forked() const { return forked_; }
  const Fork& fork(VcIndex in_vc) const { return forks_[in_vc]; }

  // What branches want.
  /// The branch has a flit here, an output VC, and room behind it: for all of the packet if the flit is the head and
  /// there are other branches.
  bool ready(VcIndex in_vc, const Branch& branch) const;
  std::uint32_t credits_needed(const Fork& fork, const Branch& branch) const;
  /// The flit that an input VC offers to the switch: the first that a ready branch has to send. kNoFlit: none is ready.
  std::uint32_t offered(VcIndex in_vc) const;
  static constexpr std::uint32_t kNoFlit = UINT32_MAX;
  /// Which branch takes an output port that was granted; it is there.
  std::uint32_t branch_to(VcIndex in_vc, PortIndex out_port, std::uint32_t flit) const;
  /// The branch that has sent least.
  const Branch& last_branch(VcIndex in_vc) const;

  // The clock edge.
  void take_vc(const Grant& grant, VcIndex out_vc);
  struct Sent {
    Flit flit;
    PortIndex out_port;
    bool left;    ///< the flit has left the buffer, all branches have it
    bool closed;  ///< ... and it was the tail
  };
  Sent send(const Grant& grant);

  void checkpoint(Checkpoint& c);
  /// Throws CheckpointError.
  void check_restored(const Checkpoint& c) const;

 private:
  void find_branches(VcIndex in_vc, PacketSlot packet);
  void set_group(PacketSlot packet, const std::vector<PacketSlot>& packets);
  void close(VcIndex in_vc);

  const RouterBank& bank_;
  PacketStore& store_;
  const routing::RoutingAlgorithm& routing_;
  std::uint32_t buffer_depth_;
  std::vector<Fork> forks_;              // [input VC]
  std::vector<VcIndex> forked_;          // input VCs with a fork
  std::vector<std::uint32_t> group_of_;  // [packet] kNone: it travels alone, or under another's name
  std::vector<std::vector<PacketSlot>> groups_;
  std::vector<std::uint32_t> free_groups_;
  routing::CandidateList ways_;                 // of find_branches(), as
  std::vector<std::vector<PacketSlot>> parts_;  // ... [branch]
};

}  // namespace braid::models::hybrid
