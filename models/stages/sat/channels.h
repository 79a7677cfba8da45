// What passes between the SAT stations of a network and its line, as channels. The one place that knows how stations
// and line lie on ports.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/injection/fairness/sat_gate.h"
#include "models/stages/base/module_list.h"
#include "models/stages/base/register_channel.h"
#include "models/stages/base/step_clock.h"

namespace braid::models::stages::sat {

using InBits = sc_core::sc_in<Bits>;
using OutBits = sc_core::sc_out<Bits>;

constexpr unsigned kCountBits = 32;  ///< of packets sent, and of thresholds
constexpr unsigned kPassedBits = 8;  ///< packets of a node that go down in one cycle: one a local port

class Channels final : public Bank {
 public:
  /// Inside the module of all of them. `clock`: any of the network's.
  Channels(SatGate& gate, InjectionGate::Waiting waiting, const StepClock& clock);

  SatGate& gate() const { return gate_; }
  bool satisfied(NodeId node) const { return gate_.stations().satisfied(node, waiting_); }
  /// What the line does at the stations in this cycle. [node]
  std::vector<SatStations::Visit>& visits() { return visits_; }
  /// Has the line been at the station in this cycle, or have packets gone?
  bool any_at(NodeId node) const;
  /// A station's part of a cycle.
  void take(NodeId node, std::uint64_t cycle);

 private:
  struct Counted {
    std::uint64_t cycle = ~std::uint64_t{0};  // whose packets are `passed`
    std::uint32_t passed = 0, sent = 0;       // `sent`: when that cycle was over
  };
  using Gather = RegisterChannel::Gather;
  RegisterChannel& make(const std::string& name, unsigned width, Gather gather,
                        RegisterChannel::Scatter scatter = nullptr);
  RegisterChannel& make_count(const std::string& name, std::function<std::uint64_t()> count);
  RegisterChannel& make_visit(const std::string& name, bool& part);
  void make_station(NodeId node);
  void make_wires();
  std::uint32_t passed(NodeId node) const;

  SatGate& gate_;
  const InjectionGate::Waiting waiting_;
  const StepClock& clock_;
  std::vector<SatStations::Visit> visits_;
  std::vector<Counted> counted_;  // [node]
  SignalTable table_;             // the line's wires
  std::unique_ptr<SignalSource> wire_values_;
  ModuleList<RegisterChannel> channels_;

 public:
  /// At one station: its node's injection point, the line, its own registers.
  struct AtStation {
    RegisterChannel &passed, &waiting;
    RegisterChannel &signal, &signal_now, &signal_leaves;
    RegisterChannel &satisfied, &open, &starved, &holds, &sent;
  };
  std::deque<AtStation> stations;       ///< [node]
  std::vector<RegisterChannel*> wires;  ///< of the line
  // Of all stations, and of the home station.
  RegisterChannel &l, &k, &limited, &home_received, &home_interval;
};

}  // namespace braid::models::stages::sat
