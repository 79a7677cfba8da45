// VCs of an input port that share its flit places (router.buffers = "shared"): each keeps some for itself, the others
// are a pool. Whoever sends to the port counts: a counter of places in use for each VC, and one of what the pool has
// left.
//
// OutputVc::credits stays what it is with private buffers, the flits that the VC may send now: what is left of its own
// places, and the pool. So all that read credits need not know who shares. Hardware adds the two; the model keeps the
// sum, and a flit that takes a place of the pool, or a credit that returns one, changes it at all VCs of the port.
// Each stage still counts its own VC; what is here does the rest. docs/router.md, "Buffers that VCs share".
#pragma once

#include <cstdint>
#include <vector>

#include "models/families/hybrid/channel.h"
#include "models/families/hybrid/router_bank.h"
#include "routing/base/checkpoint.h"

namespace braid::models::hybrid {

class Slice;

class SharedBuffers {
 public:
  SharedBuffers(const RouterBank& bank, const Options& options);

  /// A flit is sent on an output VC. visit(VC): one of the others of the port whose last credit that was.
  template <class Visit>
  void send(VcIndex out_vc, Visit visit) {
    if (used_[out_vc]++ < reserved_) return;
    --pool_[bank_.port_of_vc(out_vc)];
    for_each_other(out_vc, [&](VcIndex other) {
      if (--bank_.output_vcs[other].credits == 0) visit(other);
    });
  }
  /// A credit has come. visit(VC): one of the others of the port that had none.
  template <class Visit>
  void take_credit(VcIndex out_vc, Visit visit) {
    if (--used_[out_vc] < reserved_) return;
    ++pool_[bank_.port_of_vc(out_vc)];
    for_each_other(out_vc, [&](VcIndex other) {
      if (++bank_.output_vcs[other].credits == 1) visit(other);
    });
  }

  std::uint32_t places_of_port() const { return bank_.vcs() * reserved_ + shared_; }
  /// Places behind an output VC that are taken, or whose credits are on the way.
  std::uint32_t used(VcIndex out_vc) const { return used_[out_vc]; }
  std::uint32_t left_in_pool(PortIndex out) const { return pool_[out]; }
  std::uint32_t used_of_port(PortIndex out) const;

  void checkpoint(Checkpoint& c) { c(used_, pool_); }
  /// Of counters that have been restored: that they add up. Throws CheckpointError.
  void check_restored(const Checkpoint& c) const;
  /// ... and that each place in use is that of a flit or of a credit, wherever these are.
  void check_places(const std::vector<std::unique_ptr<Slice>>& slices) const;

 private:
  template <class Visit>
  void for_each_other(VcIndex out_vc, Visit visit) const {
    const PortIndex port = bank_.port_of_vc(out_vc);
    for (std::uint32_t v = 0; v < bank_.vcs(); ++v) {
      const VcIndex other = bank_.vc_index(port, v);
      if (other != out_vc) visit(other);
    }
  }
  void find_flits(const Slice& slice, std::vector<std::uint32_t>& places) const;
  void find_on_wires(const Channel::Slot& slot, std::vector<std::uint32_t>& places) const;
  /// The output VC that counts a place of an input VC.
  VcIndex behind(VcIndex in_vc) const {
    return bank_.vc_index(bank_.upstream[bank_.port_of_vc(in_vc)], bank_.lane_of(in_vc));
  }

  const RouterBank& bank_;
  const std::uint32_t reserved_, shared_;
  std::vector<std::uint8_t> used_;  // [output VC]
  std::vector<std::uint8_t> pool_;  // [output port]
};

}  // namespace braid::models::hybrid
