// Output buffers (router.output_speedup, router.internal_speedup): flits that have crossed the switch wait here until
// the link, which takes one a cycle, is theirs. First come, first served; flits that come in one cycle in the order of
// their grants.
//
// A flit has its credit before it crosses, so that no more can wait at an output than its VCs have buffers downstream:
// that many there is room for. With a limit (router.output_buffer) SA grants nothing to an output that holds so many
// at the start of the cycle; flits that were on their way come in all the same.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/router_range.h"
#include "models/fabric/work_list.h"
#include "models/families/hybrid/router_bank.h"

namespace braid::models::hybrid {

class OutputBuffers {
 public:
  /// `limit`: flits of an output with which SA stops; 0: it never does. `room`: flits that may ever wait at one.
  OutputBuffers(const BankView& bank, RouterRange range, std::uint32_t limit, std::uint32_t room);

  /// Notes which outputs are full, for SA of the same cycle: before flits come and go.
  void look();
  /// Was this output, of the bank's numbering, full when look() was called?
  bool full(PortIndex out) const { return full_[out - first_port_]; }
  void push(PortIndex out, const Flit& flit);
  bool empty() const { return waiting_.empty(); }
  /// Takes the first flit of every output that has one: send(port, flit).
  template <class Send>
  void send(Send send) {
    waiting_.for_each([&](std::size_t i) {
      Queue& q = queues_[i];
      const Flit flit = at(i, q.first);
      q.first = (q.first + 1) & mask_;
      if (--q.count == 0) waiting_.erase(i);
      send(first_port_ + static_cast<PortIndex>(i), flit);
    });
  }
  std::uint32_t waiting(PortIndex out) const { return queues_[out - first_port_].count; }
  /// visit(port, flit), port by port, the first to leave first.
  template <class Visit>
  void for_each(Visit visit) const {
    waiting_.for_each([&](std::size_t i) {
      for (std::uint32_t f = 0; f < queues_[i].count; ++f) {
        visit(first_port_ + static_cast<PortIndex>(i), at(i, queues_[i].first + f));
      }
    });
  }
  void checkpoint(Checkpoint& c);
  /// Throws CheckpointError.
  void check_restored(const Checkpoint& c, const BankView& bank) const;

 private:
  struct Queue {
    std::uint32_t first = 0;  ///< read pointer
    std::uint32_t count = 0;  ///< flits that wait
  };
  Flit& at(std::size_t port, std::uint32_t place) { return flits_[(port << bits_) | (place & mask_)]; }
  const Flit& at(std::size_t port, std::uint32_t place) const { return flits_[(port << bits_) | (place & mask_)]; }

  PortIndex first_port_;
  std::uint32_t limit_;
  unsigned bits_;
  std::uint32_t mask_;
  std::vector<Queue> queues_;  // [output port - first]
  Zeroed<Flit> flits_;         // [output port - first, place]
  WakeSet waiting_;            // outputs with a flit
  std::vector<bool> full_;     // [output port - first] when look() was called
};

}  // namespace braid::models::hybrid
