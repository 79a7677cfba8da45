// The SAT signal on a virtual ring (paper: sat-fairness, section II.B): one wire after the other, a cycle each, and a
// cycle at each station. On a k-ary n-tree H(n) + N cycles when nobody holds it.
#include "models/event_lines/event_line.h"
#include "routing/topology/ring.h"

namespace braid::models {
namespace {

class RingLine final : public EventLine {
 public:
  explicit RingLine(const routing::Topology& topology) : stops_(routing::virtual_ring(topology)) {}

  std::uint64_t unheld_interval_cycles() const override {
    std::uint64_t cycles = stops_.size();
    for (const routing::RingStop& stop : stops_) {
      for (const routing::RingWire& wire : stop.wires) cycles += wire.cycles;
    }
    return cycles;
  }

  void step(std::uint64_t cycle, Stops& stations) override {
    if (!started_) {  // the signal is at the first stop in the first cycle
      started_ = true;
      stations.receive(stops_[0].node, cycle);
    }
    if (at_station_) {
      if (!stations.try_release(stops_[stop_].node, cycle)) return;
      at_station_ = false;
      wire_ = 0;
      left_ = 0;
    }
    // On the wire in the cycle to come, or through with the last one.
    while (left_ == 0) {
      if (wire_ == stops_[stop_].wires.size()) {
        stop_ = stop_ + 1 == stops_.size() ? 0 : stop_ + 1;
        at_station_ = true;
        stations.receive(stops_[stop_].node, cycle + 1);
        return;
      }
      left_ = stops_[stop_].wires[wire_++].cycles;
    }
    --left_;
  }

  std::unique_ptr<SignalSource> signals(SignalTable& table) const override;
  void checkpoint(Checkpoint& c) override {
    c(stop_, started_, at_station_, wire_, left_);
    c.index(stop_, stops_.size(), "stop of a line");
    c.expect(at_station_ || (wire_ > 0 && wire_ <= stops_[stop_].wires.size()), "a signal on no wire");
  }

 private:
  friend class RingLineSignals;
  std::vector<routing::RingStop> stops_;
  std::size_t stop_ = 0;  // the signal is at this stop's station, or on the way from it
  bool started_ = false;
  bool at_station_ = true;
  std::size_t wire_ = 0;    // number of the wire after the one that carries the signal
  std::uint32_t left_ = 0;  // further cycles on it
};

/// One wire of the line each, high in the cycles in which it carries the signal.
class RingLineSignals final : public SignalSource {
 public:
  RingLineSignals(const RingLine& ring, SignalTable& table) : ring_(ring) {
    for (const routing::RingStop& stop : ring.stops_) {
      first_.push_back(wires_.size());
      for (const routing::RingWire& wire : stop.wires) {
        wires_.push_back(table.add_shown("sat.line", identifier(wire.name), 1));
      }
    }
  }
  void sample(std::uint64_t) override {
    if (last_ != nullptr) last_->value = 0;
    last_ = ring_.at_station_ ? nullptr : wires_[first_[ring_.stop_] + ring_.wire_ - 1];
    if (last_ != nullptr) last_->value = 1;
  }

 private:
  const RingLine& ring_;
  std::vector<std::size_t> first_;  // [stop] of its wires
  std::vector<Signal*> wires_;
  Signal* last_ = nullptr;
};

std::unique_ptr<SignalSource> RingLine::signals(SignalTable& table) const {
  return std::make_unique<RingLineSignals>(*this, table);
}

const bool ring_line_registered = EventLineRegistry::instance().add(
    "ring", "a virtual ring over the links, node after node",
    [](const routing::Topology& topology, const Configuration&) { return std::make_unique<RingLine>(topology); });

}  // namespace
}  // namespace braid::models
