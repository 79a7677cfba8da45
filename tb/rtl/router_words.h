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

/// what the holder of the set-up token does
enum class SetupPhase : unsigned char {
  /// no search, no tear-down is under way, and none will be
  kDone = 0,
  /// the token is on its way to the next circuit's source
  kPassesToken = 1,
  /// waits for the end of a search
  kSearches = 2,
  /// waits for the end of a tear-down
  kTearsDown = 3,
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
  /// on a mesh: turn model by column, minimal and adaptive; the corner has an even x
  kOddEven = 5,
  /// on a torus: the shorter way round, all links in x, then in y; halves of the VCs by datelines
  kTorusXFirst = 6,
};

/// what the allocators are made of
enum class Arbiter : unsigned char {
  /// the first requester at or after a pointer
  kRoundRobin = 0,
  /// the requester whose last grant is longest ago
  kMatrix = 1,
};

/// who allocates VCs (VA), and the switch (SA)
enum class Allocator : unsigned char {
  /// each input offers one, each output takes one of the offers
  kSeparableInputFirst = 0,
  /// outputs grant, inputs accept, in one iteration or several
  kIslip = 1,
};

/// What the places of the probe's words depend on.
struct ProbeSizes {
  unsigned depth;
  unsigned flit_words;
  unsigned circuit_depth;
  unsigned lanes;
  unsigned circuit_lanes;
  unsigned vcs;
  unsigned ports;
};

/// Where the probe shows a packet VC.
struct ProbeVc {
  explicit ProbeVc(const ProbeSizes& sizes) : s(sizes) {}
  ProbeSizes s;
  unsigned state = 0;
  unsigned count = 1;
  unsigned read = 2;
  unsigned out_port = 3;
  unsigned out_vc = 4;
  unsigned candidates = 5;
  unsigned va_input_arbiter = 6;
  unsigned va_output_arbiter = 7;
  unsigned heads = 8;
  unsigned tails = 9;
  unsigned data = 10;
  unsigned words = 10 + s.depth * s.flit_words;
};

/// Where the probe shows a circuit lane of a port: its buffer, its rows of the circuit table.
struct ProbeLane {
  explicit ProbeLane(const ProbeSizes& sizes) : s(sizes) {}
  ProbeSizes s;
  unsigned count = 0;
  unsigned read = 1;
  unsigned heads = 2;
  unsigned tails = 3;
  unsigned out_valid = 4;
  unsigned out_row = 5;
  unsigned in_valid = 6;
  unsigned in_row = 7;
  unsigned data = 8;
  unsigned words = 8 + s.circuit_depth * s.flit_words;
};

/// Where the probe shows a port: arbiters of circuits, output VCs, arbiters of SA, register of ST, link's latch, lanes.
struct ProbePort {
  explicit ProbePort(const ProbeSizes& sizes) : s(sizes) {}
  ProbeSizes s;
  unsigned circuit_lane_arbiter = 0;
  unsigned circuit_output_arbiter = 1;
  unsigned free_vcs = 2;
  unsigned sa_vc_arbiter = 3;
  unsigned sa_output_arbiter = 4;
  unsigned sa_accept_arbiter = 5;
  unsigned st_valid = 6;
  unsigned st_out_port = 7;
  unsigned st_out_lane = 8;
  unsigned st_in_lane = 9;
  unsigned st_head = 10;
  unsigned st_tail = 11;
  unsigned latch_valid = 12;
  unsigned latch_lane = 13;
  unsigned latch_head = 14;
  unsigned latch_tail = 15;
  unsigned st_data = 16;
  unsigned latch_data = 16 + s.flit_words;
  unsigned credits = 16 + s.flit_words + s.flit_words;
  unsigned lane = 16 + s.flit_words + s.flit_words + s.lanes;
  unsigned vc = 16 + s.flit_words + s.flit_words + s.lanes + s.circuit_lanes * ProbeLane{s}.words;
  unsigned words =
      16 + s.flit_words + s.flit_words + s.lanes + s.circuit_lanes * ProbeLane{s}.words + s.vcs * ProbeVc{s}.words;
};

/// Where the probe shows the router: set-up unit, latch of the control channels, ports.
struct ProbeRouter {
  explicit ProbeRouter(const ProbeSizes& sizes) : s(sizes) {}
  ProbeSizes s;
  unsigned search = 0;
  unsigned search_row = 1;
  unsigned search_tried = 2;
  unsigned waiting = 3;
  unsigned waiting_row = 4;
  unsigned control_valid = 5;
  unsigned control_port = 6;
  unsigned control_kind = 7;
  unsigned control_search = 8;
  unsigned control_destination = 9;
  unsigned port = 10;
  unsigned words = 10 + s.ports * ProbePort{s}.words;
};

}  // namespace braid::rtl
