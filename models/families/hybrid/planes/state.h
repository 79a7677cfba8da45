// The registers of a block of routers as planes.
#pragma once

#include <cstdint>

#include "models/families/hybrid/planes/vectors.h"

namespace braid::models::hybrid::planes {

constexpr unsigned kDepthBits = 7;    // buffers of up to kMostCountedIn7Bits flits
constexpr unsigned kLengthBits = 16;  // Packet::length_flits
constexpr unsigned kSentBits = 12;    // flits of an output port between two looks at the counter

/// Of a router of a mesh or torus with a node: the compiler knows them. Others have up to so many, and so many VCs.
constexpr int kUsualPorts = 5, kMostPorts = 16, kMostVcs = 8;

/// `kMayHaveCircuitsOf`: routers whose ports have lanes of circuits behind their VCs, so that these have any numbers.
template <class ShapeOf, int kPortsOf, bool kMayHaveCircuitsOf = kPortsOf != kUsualPorts>
struct alignas(64) Block {  // as vectors are, and caches
  using Shape = ShapeOf;
  using One = typename Shape::One;
  using Vcs = typename Shape::Vcs;
  using Ones = typename Shape::Ones;
  static constexpr int kPorts = kPortsOf, kVcs = Shape::kVcs;
  static constexpr bool kMayHaveCircuits = kMayHaveCircuitsOf;
  static constexpr int kTogether = Shape::kTogether, kGroups = (kPorts + kTogether - 1) / kTogether;
  static constexpr unsigned kRouters = Shape::kWords * kWordBits;
  /// The processor has vectors enough for all ports at once.
  static constexpr bool kAtOnce = kPorts == kUsualPorts && Shape::kWords == 1;

  /// What hardware has as one register of a VC is one-hot here: a plane for each of its values. The last index is the
  /// input port, so that a VC's word of a plane is found by one number, `at(v)` (pipeline.h).
  struct Inputs {
    Vcs filled[kPorts], active[kPorts], waiting[kPorts];  // has a flit; owns an output VC; is routed and waits for one
    Vcs fresh[kPorts];                                    // waiting, and routed in the last cycle
    Vcs last[kPorts];                                     // the flit at the front is its packet's last
    Vcs turn[kPorts];                                     // SA's arbiter among the VCs: who is asked first
    Vcs out_port[kPorts][kPorts];   // [output port] of an active VC; of a waiting one all that it may take
    Vcs out_vc[kVcs][kPorts];       // [output VC] of an active VC
    Vcs count[kDepthBits][kPorts];  // flits buffered
    Vcs left[kLengthBits][kPorts];  // flits of the packet that have not left
  };
  struct Outputs {
    Vcs free[kPorts];  // without owner
    Vcs none[kPorts];  // without credit
    Vcs credits[kDepthBits][kPorts];
    Ones turn[kGroups][kPorts + 1];  // SA's arbiter among input ports; behind the last: of numbers that no port has
    One sent[kPorts][kSentBits];     // flits over the link, to be added to BankView::flits_sent
  };
  /// The interface of the node at a local port.
  struct Local {
    Vcs sending;  // the VC of the injection link that the packet on its way out has
    Vcs free;     // VCs of the link without owner that a packet may take
    Vcs turn;     // the arbiter among them: who is asked first
    Vcs some;     // VCs of the link with a credit
    Vcs credits[kDepthBits];
    One queued;  // something to send
    One left[kLengthBits];
  };

  Inputs in;
  Outputs out;
  Local local[kPorts];
};

/// What circuits' flits take in a cycle, so that packets cannot: planes of a block's ports.
template <class B>
struct alignas(64) TakenByCircuits {     // as vectors are
  typename B::One inputs[B::kPorts];     ///< a flit leaves them next
  typename B::Ones outputs[B::kGroups];  ///< a flit crosses to them next, or they are closed to packets
  typename B::One links[B::kPorts];      ///< local ports: a flit is on the injection link next
};

/// What is the same for all blocks.
struct Extent {
  unsigned ports = 0;             // of a router
  unsigned depth_bits = 0;        // of counters of flits and credits
  unsigned length_bits = 1;       // of counters of a packet's flits, so far
  std::uint32_t local_ports = 0;  // a bit each: ports that are a node's at some router
  bool several_locals = false;    // a node has more than one port
  std::uint32_t pairs[64] = {};   // [input port] output ports that a packet has wanted so far
};

/// Has a packet wanted that way so far? Where all ports are done at once nobody asks: algebra costs less than branches.
template <class B>
BRAID_PLANES_INLINE bool is_pair(const Extent& extent, int in_port, int out_port) {
  return B::kAtOnce || (extent.pairs[in_port] >> out_port & 1) != 0;
}
template <class B>
BRAID_PLANES_INLINE void note_pair(Extent& extent, unsigned in_port, unsigned out_port) {
  if (B::kAtOnce) return;
  std::uint32_t& pairs = extent.pairs[in_port];  // mostly it is there: to write it each time would make the next wait
  if (__builtin_expect((pairs >> out_port & 1) == 0, 0)) pairs |= 1U << out_port;
}

/// Number of ports, where the compiler may know it.
template <class B>
BRAID_PLANES_INLINE int ports_of(const Extent& extent) {
  return B::kPorts == kUsualPorts ? kUsualPorts : static_cast<int>(extent.ports);
}

/// Groups of output ports that work together.
template <class B>
BRAID_PLANES_INLINE int groups_of(const Extent& extent) {
  return (ports_of<B>(extent) + B::kTogether - 1) / B::kTogether;
}

}  // namespace braid::models::hybrid::planes
