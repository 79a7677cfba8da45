// Ends a run in which nothing moves any more, or in which a packet wanders for ever.
#pragma once

#include <cstdint>
#include <vector>

#include "models/engine/deadlock_error.h"
#include "models/engine/network.h"

namespace braid::models {

struct WatchdogOptions {
  std::uint64_t watchdog_cycles = 10000;    ///< with flits in the network and none moving: deadlock. 0: off
  std::uint64_t max_packet_age_cycles = 0;  ///< in the network: livelock. 0: off
};
/// In section [simulation].
const OptionTable<WatchdogOptions>& watchdog_options();

class Watchdog {
 public:
  Watchdog(const Network& network, const WatchdogOptions& options);

  /// How many cycles may pass between two calls of check().
  std::uint64_t step_cycles() const { return step_cycles_; }

  /// Throws DeadlockError: flits are in the network (or a stream program has begun) and neither has any flit moved, nor
  /// was one on its way, nor any actor computed for watchdog_cycles; or a flit at the front of a buffer is older than
  /// max_packet_age_cycles; or the fairness policy complains.
  void check();
  void checkpoint(Checkpoint& c) {
    c(movements_, moved_at_);
    for (Moved& subnet : subnets_) c(subnet.movements, subnet.at);
  }

 private:
  void check_age() const;
  void check_subnets();
  /// Of one of several subnets: one may stand still while others move.
  struct Moved {
    std::uint64_t movements = 0, at = 0;
  };

  const Network& network_;
  std::uint64_t limit_;
  std::uint64_t max_age_;
  std::uint64_t step_cycles_;
  std::uint64_t movements_ = 0;
  std::uint64_t moved_at_ = 0;
  std::vector<Moved> subnets_;  // none where there is one
};

}  // namespace braid::models
