// What runs the cycles of a slice in another way than its own stages: over bit planes (models/families/hybrid/planes,
// docs/planes.md). It works on the slice's registers: takes them over, runs any number of cycles and shows them again,
// so that the slice may go on at any cycle and nobody sees which of the two has run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/fabric/packet_store.h"
#include "models/families/hybrid/options.h"
#include "models/families/hybrid/router_bank.h"

namespace braid::models::hybrid {

class Slice;

class CycleEngine {
 public:
  virtual ~CycleEngine() = default;
  /// From the slice's registers, as they are before cycle `now`. Throws CheckpointError where they are in no state that
  /// a network can be in.
  virtual void take_over(std::uint64_t now) = 0;
  /// One cycle, both halves.
  virtual void cycle(std::uint64_t cycle) = 0;
  /// So many flits cross switches in a cycle that costs as much over lists.
  virtual double break_even() const = 0;
  /// Brings the slice's registers up to date; what the engine has stays what counts. (What a slice counts is always up
  /// to date, but for flits on links and through switches.)
  virtual void show(std::uint64_t now) = 0;
  /// Brings the credits of a local port's injection link into the bank.
  virtual void show_injection_credits(std::size_t local_port) = 0;
  /// Brings the count of flits through switches up to date ...
  virtual void count_flits() = 0;
  /// ... and those of each link.
  virtual void count_links() = 0;
};

/// What the folder that has the engine says of itself, once.
struct CycleEngineKind {
  /// What of these routers it cannot run; empty: it can.
  std::string (*refusal)(const Slice& slice, const RouterBank& bank, const Options& options) = nullptr;
  /// For routers that are not refused. All outlive it.
  std::unique_ptr<CycleEngine> (*make)(Slice& slice, RouterBank& bank, PacketStore& store,
                                       const Options& options) = nullptr;
};
CycleEngineKind& cycle_engine();

}  // namespace braid::models::hybrid
