// Why the packet of an input VC stays where it is, cycle by cycle, for a waveform: told apart from the registers that
// stood at the start of a cycle and what was granted in it. The stages know nothing of it.
#pragma once

#include <vector>

#include "models/fabric/signal_names.h"
#include "models/families/hybrid/fabric.h"
#include "models/observe/signals.h"

namespace braid::models::hybrid {

class StallSignals {
 public:
  explicit StallSignals(const Fabric& fabric);

  /// Declares the rows of an input VC, in its scope.
  void add(SignalTable& table, const std::string& scope, VcIndex in_vc);
  /// After a cycle. The first says nothing of stalls: what stood before it is not known.
  void sample();

 private:
  struct Row {
    VcIndex in_vc;
    Signal *packet, *stall, *out, *out_credits, *held_by;
  };
  /// What an input VC's registers were at the start of the cycle.
  struct Before {
    InputVc vc;
    std::uint16_t out_credits = 0;
    bool closed = false;  // its output port is, to packets
    PortIndex asked = 0;  // the output port it owns a VC of, or of the first candidate with a free VC, or of the first
    VcMask free = 0;      // VCs it may take there that are free
    VcMask wanted = 0;    // VCs it may take by its first candidate
    std::uint64_t packet = 0;  // its flits are there, or on their way
  };
  enum class Stall : std::uint8_t;
  static const SignalValues& reasons();
  void note_grants();
  Stall stall_of(VcIndex in_vc, const Before& before) const;
  std::uint64_t holder(VcIndex in_vc, const Before& before, Stall stall) const;
  Before look(VcIndex in_vc) const;
  std::uint64_t packet_in(VcIndex in_vc) const;
  std::uint64_t number_of(const Flit& flit) const;
  /// The registers of a VC whose packet forks, as if the branch that has sent least were all of it.
  Before look_at_branch(VcIndex in_vc) const;

  const Fabric& fabric_;
  const RouterBank& bank_;
  PortNames ports_;
  std::vector<Row> rows_;
  std::vector<Before> before_;                                   // [input VC]
  std::vector<bool> moved_;                                      // [input VC] a flit left it
  std::vector<std::uint64_t> crossed_from_, crossed_to_;         // [port] packet that did; 0: none
  std::vector<bool> circuit_crossed_from_, circuit_crossed_to_;  // [port] ... on a circuit
};

}  // namespace braid::models::hybrid
