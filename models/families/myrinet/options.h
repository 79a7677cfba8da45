// The parameters of a Myrinet-like switch, in the units of the paper (in-transit-buffers, section 4.1) and in cycles.
#pragma once

#include <cstdint>

#include "models/fabric/fabric.h"

namespace braid::models::myrinet {

struct Options {
  double flit_time_ns = 6.25;      ///< a cycle: one flit of one byte at 160 MB/s
  double routing_ns = 150;         ///< from a header to the first flit behind it
  std::uint32_t slack_flits = 80;  ///< of a buffer
  std::uint32_t stop_flits = 56;   ///< with so many a buffer stops its sender
  std::uint32_t go_flits = 40;     ///< with so few it lets it go on

  /// Does a slack buffer of so many flits stop its sender? `stopping`: has it until now?
  bool stops(bool stopping, std::uint64_t flits) const { return flits >= stop_flits || (stopping && flits > go_flits); }
};
const OptionTable<Options>& options();

struct Timing {
  std::uint64_t cycle_ps = 6250;
  std::uint64_t routing_cycles = 24;
};
/// What an experiment chose, checked against its topology. Throws InputError.
Options checked_options(const FabricContext& context);
/// Throws InputError for times that are no whole number of cycles.
Timing timing_of(const Options& options);

}  // namespace braid::models::myrinet
