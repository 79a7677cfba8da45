// What a section [change] says: a stream program that changes while it runs.
#pragma once

#include <cstdint>
#include <string>

namespace braid::models {

struct StreamChangeOptions {
  std::string migrate;  ///< ACTOR@TILE with blanks between: actors that move, one after the other; empty: none
  std::uint64_t migrate_at_cycle = 10000;   ///< at whose end the first one begins
  std::uint32_t state_words = 64;           ///< that go with an actor, a flit each, beside its queued items
  std::string add_filter;                   ///< NAME@TILE: a filter more; empty: none
  std::string add_between;                  ///< "PRODUCER -> CONSUMER": the stream that it is put into
  std::uint64_t add_work = 1;               ///< cycles an item, at scaling factor 1
  std::uint64_t add_at_cycle = 10000;       ///< at whose end it comes
  std::uint32_t rate_window_cycles = 1000;  ///< over which the rate at the sinks is compared with that before
};

constexpr std::uint64_t kRateHoldsPercent = 95;  ///< of the items before: the rate holds

}  // namespace braid::models
