// Constants and enums that the RTL shares with the model.
// Generated from hw/words.toml by scripts/braid_tools/rtl/words.py; do not edit.
#pragma once

namespace braid::rtl {

/// bits of a coordinate on a grid
constexpr unsigned kCoordWidth = 8;
/// bits of a destination in a head flit: {y, x} on a grid, the node's number under table routing
constexpr unsigned kDestinationWidth = 16;
/// bits of the number of a set-up search
constexpr unsigned kSearchWidth = 16;

/// state of an input VC
enum class VcState : unsigned char {
  /// empty
  kIdle = 0,
  /// a head waits behind a tail that just left: RC next cycle
  kNeedsRoute = 1,
  /// routed: VA
  kWaitsForVc = 2,
  /// owns an output VC: SA
  kActive = 3,
};

/// message of the control channel between set-up units
enum class ControlKind : unsigned char {
  /// looks for a path
  kProbe = 0,
  /// found none this way
  kBacktrack = 1,
  /// the path is reserved
  kAcknowledge = 2,
  /// releases the path
  kTearDown = 3,
};

/// route computation
enum class Routing : unsigned char {
  /// on a mesh: all links in x, then in y
  kXFirst = 0,
  /// on a mesh: all links in y, then in x
  kYFirst = 1,
  /// any topology: port sets by destination, loaded after reset
  kTable = 2,
  /// on a mesh: all links to the west first, then adaptive
  kWestFirst = 3,
  /// on a mesh: every minimal direction, VC 0 going X first as the escape
  kMinimalAdaptive = 4,
};

/// what the allocators are made of
enum class Arbiter : unsigned char {
  /// the first requester at or after a pointer
  kRoundRobin = 0,
  /// the requester whose last grant is longest ago
  kMatrix = 1,
};

}  // namespace braid::rtl
