// Arbiters that know ages, in the allocators that ask for them: what other arbiters do not need is not computed.
#pragma once

#include <type_traits>

#include "models/fabric/packet_store.h"
#include "models/families/hybrid/arbiter.h"
#include "models/families/hybrid/router_bank.h"
#include "models/families/hybrid/switch_allocator.h"

namespace braid::models::hybrid {

struct OldestFirstOptions {
  std::uint32_t age_bits = 16;
};
/// router.age_bits.
const OptionTable<OldestFirstOptions>& oldest_first_options();

/// Does an arbiter go by ages?
template <class Arbiters>
constexpr bool kByAge = std::is_same_v<Arbiters, OldestFirstArbiters>;

/// How long ago packets were created, in a cycle.
class Ages {
 public:
  Ages(const BankView& bank, const PacketStore* packets, std::uint64_t cycle)
      : bank_(bank), packets_(packets), cycle_(cycle) {}
  /// Of the packet at the front of an input VC. A flit that passes its buffer by (router.buffer_bypass) is not in it
  /// yet; the one that stood there last is of the same packet.
  std::uint64_t of(VcIndex in_vc) const {
    const InputVc& vc = bank_.input_vcs[in_vc];
    const std::uint32_t place = (vc.first - (vc.count == 0 ? 1U : 0U)) & bank_.depth_mask();
    return cycle_ - (*packets_)[bank_.buffer(in_vc)[place].packet()].created;
  }

 private:
  const BankView& bank_;
  const PacketStore* packets_;
  std::uint64_t cycle_;
};

/// What arbiters that do not go by ages are handed: nothing, so that it costs nothing.
struct NoAges {
  NoAges(const BankView&, const PacketStore*, std::uint64_t) {}
};
template <class Arbiters>
using AgesFor = std::conditional_t<kByAge<Arbiters>, Ages, NoAges>;

/// The place of a requester that asks for the packet at the front of `in_vc`.
template <class Arbiters>
[[gnu::always_inline]] inline std::uint32_t rank_of_packet(const Arbiters& arbiters,
                                                           [[maybe_unused]] const AgesFor<Arbiters>& ages,
                                                           std::size_t arbiter, std::uint32_t requester,
                                                           [[maybe_unused]] VcIndex in_vc) {
  if constexpr (kByAge<Arbiters>) {
    return arbiters.rank(arbiter, requester, ages.of(in_vc));
  } else {
    return arbiters.rank(arbiter, requester);
  }
}

/// The winner among the lanes of an input port, of which `first_vc` is lane 0.
template <class Arbiters>
[[gnu::always_inline]] inline unsigned pick_lane(const Arbiters& arbiters,
                                                 [[maybe_unused]] const AgesFor<Arbiters>& ages, std::size_t arbiter,
                                                 VcMask lanes, [[maybe_unused]] VcIndex first_vc) {
  if constexpr (kByAge<Arbiters>) {
    Offer best;
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
      best.improve({arbiters.rank(arbiter, lane, ages.of(first_vc + lane)), lane});
    }
    return best.from();
  } else {
    return arbiters.pick(arbiter, lanes);
  }
}

}  // namespace braid::models::hybrid
