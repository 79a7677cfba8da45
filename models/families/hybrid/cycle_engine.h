// What runs the cycles of all slices in another way than their own stages: over bit planes
// (models/families/hybrid/planes, docs/planes.md). It works on the slices' registers: takes them over, runs any number
// of cycles and shows them again, so that the slices may go on at any cycle and nobody sees which of the two has run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/fabric/packet_store.h"
#include "models/families/hybrid/options.h"
#include "models/families/hybrid/router_bank.h"

namespace braid::models::hybrid {

class Slice;

class CycleEngine {
 public:
  virtual ~CycleEngine() = default;
  /// From the slices' registers, as they are before cycle `now`. Throws CheckpointError where they are in no state that
  /// a network can be in.
  virtual void take_over(std::uint64_t now) = 0;
  /// Before a cycle, by one thread.
  virtual void begin_cycle() = 0;
  /// Both halves of a cycle for the routers of a slice. Slices at once.
  virtual void cycle(std::size_t slice, std::uint64_t cycle) = 0;
  /// So many flits cross switches in a cycle that costs as much over lists.
  virtual double break_even() const = 0;
  /// Brings the slices' registers up to date; what the engine has stays what counts. (What a slice counts is always up
  /// to date, but for flits on links and through switches.)
  virtual void show(std::uint64_t now) = 0;
  /// Brings the VCs of a local port's injection link into the bank: which are free, and their credits.
  virtual void show_injection_vcs(std::size_t local_port) = 0;
  /// Brings Packet::routers of all packets up to date.
  virtual void count_routers() = 0;
  /// Brings the count of flits through switches up to date ...
  virtual void count_flits() = 0;
  /// ... and those of each link.
  virtual void count_links() = 0;
};

/// In order and not one too few: the slices that all routers are cut into.
using AllSlices = std::vector<std::unique_ptr<Slice>>;

/// What the folder that has the engine says of itself, once.
struct CycleEngineKind {
  /// What of these routers it cannot run; empty: it can.
  std::string (*refusal)(const AllSlices& slices, const RouterBank& bank, const Options& options) = nullptr;
  /// For routers that are not refused. All outlive it.
  std::unique_ptr<CycleEngine> (*make)(const AllSlices& slices, RouterBank& bank, PacketStore& store,
                                       const Options& options) = nullptr;
  /// Before there are any: on how many threads could it run them at most? 0: not at all.
  std::size_t (*most_threads)(const Configuration& c, const Options& options, const routing::Topology& topology,
                              const routing::RoutingAlgorithm& routing) = nullptr;
  /// So many routers, counted from the first, are one thread's.
  std::size_t routers_together = 1;
};
CycleEngineKind& cycle_engine();

}  // namespace braid::models::hybrid
