// Packets beside circuits that never pause (router.circuit_burst_flits, N): a counter at each crossbar input and output
// of circuits' flits since the last packet's flit. A packet's flit that waits for nothing but ports whose counters have
// reached N goes before circuits; then the counters of its two ports begin again. So of N + 1 flits that pass a port
// one is a packet's, if any waits there, and a circuit loses no more than that one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/fabric/work_list.h"
#include "models/families/hybrid/router_bank.h"
#include "routing/base/checkpoint.h"

namespace braid::models::hybrid {

/// One counter.
class CircuitBurst {
 public:
  bool reached(std::uint32_t bound) const { return flits_ >= bound; }
  void circuit_flit(std::uint32_t bound) { flits_ = static_cast<std::uint16_t>(flits_ + (flits_ < bound ? 1 : 0)); }
  void packet_flit() { flits_ = 0; }
  void checkpoint(Checkpoint& c) { c(flits_); }

 private:
  std::uint16_t flits_ = 0;
};
constexpr std::uint32_t kLongestBurst = 65535;

/// Of the routers of a slice.
class PacketTurns {
 public:
  /// `ports` from `first_port` on; `bound`: 0: circuits always go first.
  PacketTurns(const RouterBank& bank, PortIndex first_port, std::size_t ports, std::uint32_t bound);
  bool bounded() const { return bound_ != 0; }
  /// Finds the packets' switch requests that go before circuits in this cycle; false: there are none. `requesting`:
  /// input ports, counted from the first, with a request up.
  bool find(const WakeSet& requesting);
  /// What was found: [input port - first port] lanes, of the ports that request.
  const VcMask* lanes() const { return lanes_.data(); }
  /// The switch's grants of a cycle, packets' and circuits'.
  void count(const WorkList<VcIndex>& grants);

  void checkpoint(Checkpoint& c) {
    c.each(inputs_);
    c.each(outputs_);
  }

 private:
  void find_wanted(const BankView& bank, const WakeSet& requesting);
  bool goes_first(const BankView& bank, PortIndex port, std::uint32_t lane, bool beside_circuit) const;

  const RouterBank& bank_;
  PortIndex first_port_;
  std::uint32_t bound_;
  std::vector<CircuitBurst> inputs_, outputs_;  // [port - first]
  // Empty or false between calls, but for lanes_:
  std::vector<VcMask> lanes_;       // [input port - first]
  std::unique_ptr<bool[]> wanted_;  // [output port - first] by a circuit's flit
  WorkList<PortIndex> wanted_list_;
};

}  // namespace braid::models::hybrid
