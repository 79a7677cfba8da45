// The bit-plane engine: the packet pipeline of models/families/hybrid/slice.h with a bit a router (docs/planes.md). It
// works on a slice's registers: takes them over, runs any number of cycles and shows them again, so that the slice may
// go on at any cycle and nobody sees which of the two has run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid::planes {

class Engine {
 public:
  virtual ~Engine() = default;
  /// From the slice's registers, as they are before cycle `now`. Throws CheckpointError where they are in no state that
  /// a network can be in.
  virtual void take_over(std::uint64_t now) = 0;
  /// One cycle, both halves.
  virtual void cycle(std::uint64_t cycle) = 0;
  /// What a cycle costs, whatever moves: 1 for 64 routers of 5 ports and 4 VCs.
  virtual double size() const = 0;
  /// Brings the slice's registers up to date; the planes stay what counts. (What a slice counts is always up to date,
  /// but for flits on links and through switches.)
  virtual void show(std::uint64_t now) = 0;
  /// Brings the credits of a local port's injection link into the bank.
  virtual void show_injection_credits(std::size_t local_port) = 0;
  /// Brings the count of flits through switches up to date ...
  virtual void count_flits() = 0;
  /// ... and those of each link.
  virtual void count_links() = 0;
};

/// Ports that a router has at most: the highest number in use, and one.
unsigned used_ports(const RouterBank& bank);

/// What of these routers planes cannot run; empty: they can.
std::string refusal(const Slice& slice, const RouterBank& bank, const Options& options);

/// For routers that are not refused. All outlive it.
std::unique_ptr<Engine> make_engine(Slice& slice, RouterBank& bank, PacketStore& store, const Options& options);

}  // namespace braid::models::hybrid::planes
