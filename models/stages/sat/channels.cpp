#include "models/stages/sat/channels.h"

#include <fmt/format.h>

#include <utility>

#include "models/injection/fairness/sat_threshold_search.h"

namespace braid::models::stages::sat {

Channels::Channels(SatGate& gate, InjectionGate::Waiting waiting, const StepClock& clock)
    : gate_(gate),
      waiting_(std::move(waiting)),
      clock_(clock),
      visits_(gate.stations().size()),
      counted_(gate.stations().size()),
      l(make_count("l", [this] { return gate_.stations().thresholds().l; })),
      k(make_count("k", [this] { return gate_.stations().thresholds().k; })),
      limited(make("limited", 1, [this](Bits& b) { b.set(0, gate_.stations().limited()); })),
      home_received(make("home_received", 1,
                         [this](Bits& b) {
                           const SatStations::Station& home = gate_.stations().station(kSatHome);
                           b.set(0, home.holds && home.received >= clock_.cycle());
                         })),
      home_interval(make_count("home_interval", [this] { return gate_.stations().station(kSatHome).interval; })) {
  for (std::size_t n = 0; n < visits_.size(); ++n) make_station(NodeId{n});
  make_wires();
}

RegisterChannel& Channels::make(const std::string& name, unsigned width, Gather gather,
                                RegisterChannel::Scatter scatter) {
  return channels_.add(name.c_str(), width, *this, std::move(gather), std::move(scatter));
}

RegisterChannel& Channels::make_count(const std::string& name, std::function<std::uint64_t()> count) {
  return make(name, kCountBits, [count = std::move(count)](Bits& b) { b.set(0, kCountBits, count()); });
}

RegisterChannel& Channels::make_visit(const std::string& name, bool& part) {
  return make(name, 1, [&part](Bits& b) { b.set(0, part); }, [&part](const Bits& b) { part = b[0]; });
}

void Channels::make_station(NodeId node) {
  const std::string of = fmt::format("node{}_", node.value);
  const SatStations& all = gate_.stations();
  SatStations::Visit& visit = visits_[node.value];
  const auto bit = [&](const char* name, std::function<bool()> value) -> RegisterChannel& {
    return make(of + name, 1, [value = std::move(value)](Bits& b) { b.set(0, value()); });
  };
  stations.push_back(
      {make(of + "passed", kPassedBits, [this, node](Bits& b) { b.set(0, kPassedBits, passed(node)); }),
       bit("waiting", [this, node] { return waiting_(node) > 0; }), make_visit(of + "signal", visit.arrives),
       make_visit(of + "signal_now", visit.here), make_visit(of + "signal_leaves", visit.leaves),
       bit("satisfied", [this, node] { return satisfied(node); }), bit("open", [&all, node] { return all.open(node); }),
       bit("starved", [this, &all, node] { return all.starved(node, waiting_); }),
       bit("holds", [&all, node] { return all.station(node).holds; }),
       make_count(of + "sent", [&all, node] { return all.station(node).sent; })});
}

/// A channel for each wire that the waveform shows, by its name there; over a diamond ring the registers of its units.
void Channels::make_wires() {
  wire_values_ = std::as_const(gate_).carrier().signals(table_);
  const std::string line = "sat.line";
  for (const Signal& wire : table_.signals()) {
    const std::string unit = wire.scope == line ? "" : wire.scope.substr(line.size() + 1) + "_";
    wires.push_back(&make(unit + wire.name, wire.bits, [this, &wire](Bits& b) {
      wire_values_->sample(clock_.cycle());
      b.set(0, wire.bits, wire.value);
    }));
  }
}

/// A station counts packets as they go; those of the cycle are what was added since the last one was over.
std::uint32_t Channels::passed(NodeId node) const {
  const Counted& c = counted_[node.value];
  return c.cycle == clock_.cycle() ? c.passed : gate_.stations().station(node).sent - c.sent;
}

bool Channels::any_at(NodeId node) const {
  const SatStations::Visit& visit = visits_[node.value];
  return visit.here || visit.leaves || visit.arrives ||
         gate_.stations().station(node).sent != counted_[node.value].sent;
}

void Channels::take(NodeId node, std::uint64_t cycle) {
  SatStations& all = gate_.stations();
  Counted& c = counted_[node.value];
  c.passed = passed(node);
  all.take(node, visits_[node.value], cycle);
  c.sent = all.station(node).sent;
  c.cycle = cycle;
}

}  // namespace braid::models::stages::sat
