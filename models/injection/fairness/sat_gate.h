// The SAT protocol as a fairness policy (paper: sat-fairness): stations in the interfaces, a line between them.
#pragma once

#include <memory>
#include <string>

#include "models/event_lines/event_line.h"
#include "models/event_lines/packet_line.h"
#include "models/injection/fairness/sat_stations.h"
#include "models/injection/injection_point.h"

namespace braid::models {

class SatGate : public InjectionGate, public RunsPacketLine {
 public:
  explicit SatGate(const GateContext& context) : SatGate(context, sat_options().read(context.configuration)) {}

  bool open(NodeId node) const override { return stations_.open(node); }
  void passed(NodeId node) override { stations_.passed(node); }
  void end_cycle(std::uint64_t cycle, const Waiting& waiting) final {
    SatStations::OnLine stops(stations_, waiting);
    carrier_->step(cycle, stops);
    adjust();
  }
  /// The end of it: a policy that finds thresholds sets those of the rounds to come.
  virtual void adjust() {}
  /// A station starves: it has held the signal longer than sat.timeout_cycles. Or it is dead: it is satisfied and has
  /// held it for ten rounds (or the timeout, if that is shorter).
  std::string complaint(std::uint64_t cycle, const Waiting& waiting) const override;
  void begin_window() override { stations_.begin_window(); }
  Report report() const override { return figures().of(*this); }
  static const FigureTable<SatGate>& figures();
  std::unique_ptr<SignalSource> signals(SignalTable& table) const override;
  void checkpoint(Checkpoint& c) override { c(stations_, *carrier_); }

  const SatStations& stations() const { return stations_; }
  SatStations& stations() { return stations_; }
  const EventLine& carrier() const { return *carrier_; }
  EventLine& carrier() { return *carrier_; }
  PacketLine* packet_line() final { return dynamic_cast<PacketLine*>(carrier_.get()); }

 protected:
  SatGate(const GateContext& context, const SatOptions& sat);

  /// "sat", "sat_auto"
  virtual const char* name() const { return "sat"; }
  SatStations stations_;
  SatOptions options_;
  std::unique_ptr<EventLine> carrier_;
};

}  // namespace braid::models
