// SA: which input VC crosses each router's switch next cycle.
#pragma once

#include <optional>

#include "models/fabric/packet_store.h"
#include "models/fabric/router_range.h"
#include "models/fabric/work_list.h"
#include "models/families/hybrid/arbiter.h"
#include "models/families/hybrid/router_bank.h"
#include "routing/base/registry.h"

namespace braid::models::hybrid {

/// Circuits come first: their flits hold input and output ports in the next cycle, and the allocator shares out the
/// rest. With router.circuit_burst_flits packets whose turn it is come before them: then the allocator is asked twice.
struct SwitchRequests {
  const RouterBank& bank;
  const WakeSet& ports;       ///< [input port - first port of the range] with at least one request up
  const bool* taken_inputs;   ///< [input port - first port of the range] by a flit that came first; null: no circuits
  const bool* taken_outputs;  ///< [output port - first port of the range] by such a flit; null: no circuits
  const VcMask* turns = nullptr;  ///< [input port - first port of the range] lanes that may ask; null: all
  std::uint64_t cycle = 0;        ///< now: for ages, and for what goes round with the clock
  /// Packet lanes of an input port (in the bank's numbering) that may ask: none while another flit leaves it.
  VcMask lanes(const BankView& view, PortIndex port, PortIndex first) const {
    if (turns != nullptr) return turns[port - first];
    const VcMask up = view.switch_requests[port];
    if (taken_inputs == nullptr) return up;
    return taken_inputs[port - first] ? 0 : up & ((VcMask{1} << view.vcs()) - 1);
  }
  /// May packets use this output port (bank's numbering)? `first`: first port of the range.
  bool open(const BankView& view, PortIndex out, PortIndex first) const {
    return taken_outputs == nullptr || !(taken_outputs[out - first] || view.closed_outputs[out]);
  }
};

/// The registers of an allocator that is separable, input first, with round robin: [input port] the lane to be asked
/// first, [output port] the input port.
struct RoundRobinPointers {
  std::uint16_t* lanes = nullptr;
  std::uint16_t* ports = nullptr;
};

/// The same with matrix arbiters: [input port * VCs of a port + VC], [output port * port numbers + input port] place in
/// the order.
struct MatrixRanks {
  std::uint16_t* lanes = nullptr;
  std::uint16_t* ports = nullptr;
};

class SwitchAllocator {
 public:
  static const char* axis() { return "switch allocator"; }
  virtual ~SwitchAllocator() = default;
  /// Appends the granted input VCs: at most one for each input port and one for each output port. Reads only registers
  /// of the bank; updates only its own.
  virtual void allocate(const SwitchRequests& requests, WorkList<VcIndex>& grants) = 0;
  /// For an engine that does the same in another way; none: nobody else can.
  virtual std::optional<RoundRobinPointers> round_robin() { return std::nullopt; }
  virtual std::optional<MatrixRanks> matrix() { return std::nullopt; }
  virtual void checkpoint(Checkpoint&) { Checkpoint::refuse("this allocator has no checkpoint()"); }
};

/// What an allocator is made for, and of: the arbiter ("round_robin", "matrix", ...), rounds of asking in a cycle.
struct AllocatorOptions {
  const RouterBank* bank = nullptr;
  RouterRange range;
  std::string arbiter;
  std::uint32_t islip_iterations = 1;
  const Configuration* configuration = nullptr;  ///< for options of an arbiter's and an allocator's own; null: defaults
  const PacketStore* packets = nullptr;          ///< which know when they were created; null: nobody tells
};
using SwitchAllocatorRegistry = Registry<SwitchAllocator, AllocatorOptions>;

/// What a bank of arbiters is made for.
struct ArbiterContext {
  std::size_t arbiters = 0;
  std::size_t requesters = 0;   ///< of each: 0 .. requesters - 1
  Configuration configuration;  ///< for its own options
};
/// Braid's own are types as well, template arguments of the allocators (with_arbiter.h): they cost no call.
using ArbiterRegistry = Registry<AnyArbiters, ArbiterContext>;

}  // namespace braid::models::hybrid
