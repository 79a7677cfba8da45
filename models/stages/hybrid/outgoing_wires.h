// What ST puts on the wires of one router: flits by output port, credits by input port. In the channels to whoever is
// at the other end, filed under the cycle in which that takes them.
#pragma once

#include <functional>

#include "models/families/hybrid/slice.h"

namespace braid::models::stages::hybrid {

class OutgoingWires {
 public:
  /// `slice` holds that router only.
  OutgoingWires(models::hybrid::Slice& slice, RouterId router) : slice_(slice), bank_(slice.bank()), router_(router) {}

  using OnFlit = std::function<void(unsigned port, const Flit& flit)>;
  using OnCredit = std::function<void(unsigned port, unsigned lane)>;
  /// What ST has sent in `cycle`; flits are on the links in the next.
  void for_each_flit(std::uint64_t cycle, const OnFlit& visit) const;
  void for_each_credit(std::uint64_t cycle, const OnCredit& visit) const;
  /// Nobody is at their other end.
  void clear(std::uint64_t cycle) const;

 private:
  using Slot = models::hybrid::Channel::Slot;
  PortIndex index(unsigned p) const { return bank_.port_index(router_, PortId{p}); }
  bool wired(unsigned p) const { return bank_.links[index(p)].target != kNone; }
  Slot& packets(unsigned p, std::uint64_t cycle) const;
  Slot& circuits(unsigned p, std::uint64_t cycle) const;
  Slot& credits(unsigned p, std::uint64_t cycle) const;
  models::hybrid::Channel& channel_to(PortIndex far) const { return slice_.channel_for(bank_.router_of(far)); }

  models::hybrid::Slice& slice_;
  const models::hybrid::RouterBank& bank_;
  const RouterId router_;
};

}  // namespace braid::models::stages::hybrid
