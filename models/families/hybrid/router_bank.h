// The registers of all routers of one network, and the wires between them. Nothing here decides anything: the stages
// (models/families/hybrid/slice.h) do. Every field is a register that the RTL has, too.
//
// Ports are numbered as models/fabric/wiring.h says; a virtual channel is `port << lane_bits | lane`. Lanes 0 .. vcs-1
// are the packet VCs; lanes from `vcs` on are circuits': one on a link between routers, router.circuit_lanes on those
// of a local port. The injection link of a node's local port has output VCs (credits, owner) like any router's output
// port.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/fabric/flit.h"
#include "models/fabric/wiring.h"
#include "models/fabric/zeroed.h"
#include "models/families/hybrid/options.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/base/checkpoint.h"

namespace braid::models::hybrid {

using models::kNone;
using models::PortIndex;
using VcIndex = std::uint32_t;

class CircuitForks;
class SharedBuffers;

enum class VcState : std::uint8_t {
  kIdle,        ///< empty
  kNeedsRoute,  ///< a head waits behind a tail that just left: RC next cycle
  kWaitsForVc,  ///< routed: VA
  kActive,      ///< owns an output VC: SA
  kForked,      ///< its packet has several destinations: output VCs and SA by branch (packet_forks.h)
};

struct InputVc {
  VcIndex out_vc = kNone;   ///< kActive: the output VC it owns, or the lane reserved for its circuit
  std::uint16_t count = 0;  ///< flits buffered
  std::uint8_t first = 0;   ///< read pointer of the flit buffer
  VcState state = VcState::kIdle;
};

struct OutputVc {
  VcIndex owner = kNone;      ///< the input VC that holds it
  std::uint16_t credits = 0;  ///< free flit buffers downstream, as known here
};

/// Counters of an output port: packets' flits, then circuits'.
using FlitCounts = std::array<std::uint64_t, 2>;

/// Pointers to all registers, with the arithmetic of their numbering. The stages copy it into a local variable before
/// they walk a list: a store through uint8_t* may alias anything but a local, and would have every pointer reloaded.
struct BankView : PortNumbering {
  // Indexed by VcIndex:
  InputVc* input_vcs = nullptr;
  OutputVc* output_vcs = nullptr;  ///< routers', then network interfaces'
  // Indexed by PortIndex:
  VcMask* free_vcs = nullptr;           ///< [output port] packet VCs without owner
  const Link* links = nullptr;          ///< [output port]
  const PortIndex* upstream = nullptr;  ///< [input port]
  VcMask* switch_requests = nullptr;    ///< [input port] lanes whose switch request is up
  std::uint8_t* last_ports = nullptr;   ///< [VcIndex, an input VC] output port that its last packet got, 0 at first
  std::uint8_t* ways = nullptr;         ///< [VcIndex, an input VC] kWaitsForVc: entries in candidates()
  bool* closed_outputs = nullptr;       ///< [output port] packets may not use it (reserved and not shared)
  FlitCounts* flits_sent = nullptr;     ///< [output port of a router]

  std::uint32_t vcs() const { return vcs_; }
  bool has_circuits() const { return circuit_lanes_ != 0; }
  /// Circuits that a local port has lanes for; 0: no circuits.
  std::uint32_t circuit_lanes() const { return circuit_lanes_; }
  /// The first circuit lane: the only one between routers.
  std::uint32_t circuit_lane() const { return vcs_; }
  bool is_circuit_lane(std::uint32_t lane) const { return has_circuits() && lane >= vcs_; }
  std::uint32_t lanes() const { return vcs_ + circuit_lanes_; }
  VcIndex circuit_vc(PortIndex p, std::uint32_t circuit = 0) const { return vc_index(p, vcs_ + circuit); }
  /// Which of its port's circuits.
  std::uint32_t circuit_of(VcIndex v) const { return lane_of(v) - vcs_; }
  /// The output lane that is reserved for what comes in on a circuit lane, or kNone: a row of the circuit table ...
  VcIndex circuit_out(VcIndex in_vc) const { return input_vcs[in_vc].out_vc; }
  /// ... and read the other way.
  VcIndex circuit_in(VcIndex out_vc) const { return output_vcs[out_vc].owner; }
  bool reserved(PortIndex out) const {
    for (std::uint32_t c = 0; c < circuit_lanes_; ++c) {
      if (circuit_in(circuit_vc(out, c)) != kNone) return true;
    }
    return false;
  }
  /// Of the circuit lanes of a node's local ports the first that is `free`, or kNone: the lowest lane, of the lowest
  /// port. So circuits spread over the ports before two of them share one.
  template <class Free>
  VcIndex first_lane(const std::vector<routing::Attachment>& local_ports, Free free) const {
    for (std::uint32_t c = 0; c < circuit_lanes_; ++c) {
      for (const routing::Attachment& a : local_ports) {
        const VcIndex vc = circuit_vc(port_index(a.router, a.port), c);
        if (free(vc)) return vc;
      }
    }
    return kNone;
  }
  void reserve(VcIndex in_vc, VcIndex out_vc) const {
    input_vcs[in_vc].state = VcState::kActive;
    input_vcs[in_vc].out_vc = out_vc;
    output_vcs[out_vc].owner = in_vc;
  }
  void release(VcIndex in_vc, VcIndex out_vc) const {
    input_vcs[in_vc].state = VcState::kIdle;
    input_vcs[in_vc].out_vc = kNone;
    output_vcs[out_vc].owner = kNone;
  }
  VcIndex vc_index(PortIndex p, std::uint32_t lane) const { return (p << lane_bits_) | lane; }
  PortIndex port_of_vc(VcIndex v) const { return v >> lane_bits_; }
  std::uint32_t lane_of(VcIndex v) const { return v & ((1U << lane_bits_) - 1); }
  std::uint32_t lane_stride() const { return 1U << lane_bits_; }

  std::uint32_t depth_mask() const { return depth_mask_; }
  /// Bits of a waveform's counters of flits in a buffer; 7 but of deep ones.
  unsigned count_bits() const { return depth_bits_ < 7 ? 7 : depth_bits_ + 1; }
  Flit* buffer(VcIndex v) const { return flits_ + (std::size_t{v} << depth_bits_); }
  const Flit& front(VcIndex v) const { return buffer(v)[input_vcs[v].first]; }
  const Flit& buffered(VcIndex v, std::uint32_t i) const { return buffer(v)[(input_vcs[v].first + i) & depth_mask_]; }
  void push(VcIndex v, const Flit& flit) const {
    InputVc& vc = input_vcs[v];
    buffer(v)[(vc.first + vc.count) & depth_mask_] = flit;
    ++vc.count;
  }
  Flit pop(VcIndex v) const {
    InputVc& vc = input_vcs[v];
    const Flit flit = buffer(v)[vc.first];
    vc.first = static_cast<std::uint8_t>((vc.first + 1) & depth_mask_);
    --vc.count;
    return flit;
  }
  /// Asks for the memory of an input VC's registers and buffer.
  void prefetch(VcIndex v) const {
    __builtin_prefetch(&input_vcs[v]);
    __builtin_prefetch(buffer(v));
  }
  /// Where a packet may go on from here: so many entries as `ways` says.
  std::size_t max_candidates() const { return max_candidates_; }
  routing::Candidate* candidates(VcIndex v) const { return candidates_ + std::size_t{v} * max_candidates_; }

  bool is_numbered(unsigned port_bits, unsigned lane_bits) const {
    return port_bits_ == port_bits && lane_bits_ == lane_bits;
  }
  void set_numbering(unsigned port_bits, unsigned lane_bits) {
    port_bits_ = port_bits;
    lane_bits_ = lane_bits;
  }

 protected:
  std::uint32_t vcs_ = 0;
  std::uint32_t circuit_lanes_ = 0;
  unsigned lane_bits_ = 0;
  unsigned depth_bits_ = 0;
  std::uint32_t depth_mask_ = 0;
  std::size_t max_candidates_ = 0;
  Flit* flits_ = nullptr;
  routing::Candidate* candidates_ = nullptr;
};

/// Runs body(view) on a local copy of the view. The body is compiled twice: with the numbering of the usual router (up
/// to 8 ports of up to 4 VCs), whose shifts and masks are then constants, and with any numbering.
template <class Body>
[[gnu::always_inline]] inline void with_numbering(const BankView& bank, Body body) {
  BankView view = bank;
  if (view.is_numbered(3, 2)) {
    view.set_numbering(3, 2);
    body(view);
  } else {
    body(view);
  }
}

/// Owns the registers.
class RouterBank : public BankView {
 public:
  RouterBank(const routing::Topology& topology, const Options& options, std::size_t max_candidates);
  /// What it will take; of the flits' buffers, which are memory once they are used, those that can be.
  static std::uint64_t bytes(const routing::Topology& topology, const Options& options, std::size_t max_candidates);
  RouterBank(const RouterBank&) = delete;
  RouterBank& operator=(const RouterBank&) = delete;
  ~RouterBank();

  /// Null: each VC has its own.
  SharedBuffers* shared_buffers() const { return shared_buffers_.get(); }
  std::size_t input_vc_count() const { return input_vc_storage_.size(); }
  std::size_t output_vc_count() const { return output_vc_storage_.size(); }
  std::size_t input_port_count() const { return router_port_count(); }
  const Wiring& wiring() const { return wiring_; }
  void checkpoint(Checkpoint& c);
  /// Of registers that have been restored: that each names what there is. Throws CheckpointError.
  void check_restored(const Checkpoint& c, const CircuitForks* forks = nullptr) const;

 private:
  Wiring wiring_;
  std::vector<InputVc> input_vc_storage_;
  std::vector<OutputVc> output_vc_storage_;
  std::vector<VcMask> free_vcs_, switch_requests_;
  std::vector<std::uint8_t> last_ports_, ways_;
  std::unique_ptr<bool[]> closed_outputs_;
  std::vector<FlitCounts> flits_sent_;
  Zeroed<Flit> flit_storage_;
  std::vector<routing::Candidate> candidate_storage_;
  std::unique_ptr<SharedBuffers> shared_buffers_;
};

}  // namespace braid::models::hybrid
