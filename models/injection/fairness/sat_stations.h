// SAT stations, one in each node's interface (paper: sat-fairness, section II.A): a counter of the packets sent since
// the signal last left, and two thresholds l <= k. A node sends no more than k packets between two departures, and
// holds the signal while it is starved: fewer than l sent and more to send.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/event_lines/stops.h"
#include "models/injection/injection_point.h"
#include "routing/base/ids.h"
#include "routing/base/options.h"

namespace braid::models {

struct SatThresholds {
  std::uint32_t l = 0;
  std::uint32_t k = 0;
};

/// The SAT line (paper: sat-fairness, section II.A).
struct SatOptions {
  std::string carrier = "ring";  ///< how the signal travels (models/event_lines/event_line.h)
  std::uint32_t l = 16;          ///< packets a node must have sent, or have none, before it passes the signal on
  std::uint32_t k = 16;          ///< packets a node may send between two departures of the signal, >= l, >= 1
  std::uint64_t timeout_cycles = 1000000;  ///< a node that holds the signal longer starves; 0: off
  std::vector<std::uint32_t> dead_nodes;   ///< stations that never pass the signal on (to test the timeout)
};
const OptionTable<SatOptions>& sat_options();

class SatStations {
 public:
  SatStations(std::size_t nodes, const SatOptions& options);

  // What the injection point asks. A node's station is touched by its own slice only, but for the line between cycles.
  bool open(NodeId node) const { return stations_[node.value].sent < stations_[node.value].thresholds.k; }
  void passed(NodeId node) { ++stations_[node.value].sent; }

  void receive(NodeId node, std::uint64_t cycle);
  /// The signal may leave: the node is not starved, its station not dead.
  bool satisfied(NodeId node, const InjectionGate::Waiting& waiting) const {
    return !stations_[node.value].dead && !starved(node, waiting);
  }
  /// The signal leaves.
  void release(NodeId node);
  /// It leaves if the node is satisfied.
  bool try_release(NodeId node, const InjectionGate::Waiting& waiting);

  /// What the line does at a station in a cycle, in this order.
  struct Visit {
    bool here = false;     ///< the signal is at the station in this cycle already
    bool leaves = false;   ///< it leaves
    bool arrives = false;  ///< it is at the station from the next cycle on
  };
  void take(NodeId node, const Visit& visit, std::uint64_t cycle);

  /// The stations as the line sees them, after every slice has committed.
  class OnLine final : public Stops {
   public:
    OnLine(SatStations& stations, const InjectionGate::Waiting& waiting) : stations_(stations), waiting_(waiting) {}
    void receive(NodeId node, std::uint64_t cycle) override { stations_.receive(node, cycle); }
    bool try_release(NodeId node, std::uint64_t) override { return stations_.try_release(node, waiting_); }

   private:
    SatStations& stations_;
    const InjectionGate::Waiting& waiting_;
  };

  /// What nodes count by after the signal's next departure from them.
  void set_thresholds(SatThresholds thresholds) { thresholds_ = thresholds; }
  SatThresholds thresholds() const { return thresholds_; }

  /// Has any station reached k before the signal came, since the last call? (A bit that travels with the signal.)
  bool take_limited() {
    const bool limited = limited_;
    limited_ = false;
    return limited;
  }
  bool limited() const { return limited_; }

  struct Station {
    SatThresholds thresholds;
    std::uint32_t sent = 0;  ///< packets since the signal left
    bool holds = false;      ///< the signal is here
    bool dead = false;
    bool received_before = false;
    std::uint64_t received = 0;  ///< cycle of the last reception
    std::uint64_t interval = 0;  ///< cycles between the last two receptions; 0: fewer than two
  };
  const Station& station(NodeId node) const { return stations_[node.value]; }
  std::size_t size() const { return stations_.size(); }
  /// Intervals at all stations that ended since the last call of begin_window().
  void begin_window() { intervals_ = {}; }
  struct Intervals {
    std::uint64_t count = 0, sum = 0, min = ~std::uint64_t{0}, max = 0;
  };
  const Intervals& intervals() const { return intervals_; }
  /// Fewer than l sent, and more to send.
  bool starved(NodeId node, const InjectionGate::Waiting& waiting) const;
  void checkpoint(Checkpoint& c) {
    c(thresholds_);
    c.each(stations_);
    c(intervals_, limited_);
  }

 private:
  SatThresholds thresholds_;
  std::vector<Station> stations_;
  Intervals intervals_;
  bool limited_ = false;
};

}  // namespace braid::models
