// A SAT line without wires: the signal is a small packet that goes through the data network from node to node (paper:
// sat-fairness, section II.A, "sending a small control packet"), among the packets that it keeps fair. The line decides
// when it leaves and learns when it has come; models/workload/line_packets.h sends it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/event_lines/event_line.h"

namespace braid::models {

class PacketLine final : public EventLine {
 public:
  /// Calls at every node once a round, in the order of a virtual ring.
  PacketLine(const routing::Topology& topology, std::uint32_t flits);

  void step(std::uint64_t cycle, Stops& stops) override;
  /// The shortest round so far: what the data network takes for it is none of the line's knowledge. 0: none has ended.
  std::uint64_t unheld_interval_cycles() const override { return shortest_; }
  std::unique_ptr<SignalSource> signals(SignalTable& table) const override;
  void checkpoint(Checkpoint& c) override;

  /// In this cycle the packet is made at from(), for to().
  bool departs() const { return departs_; }
  NodeId from() const { return order_[stop_]; }
  NodeId to() const { return order_[next()]; }
  std::uint32_t flits() const { return flits_; }
  /// Its tail has come to to() in this cycle.
  void arrive() { arrived_ = true; }

 private:
  friend class PacketLineSignals;
  std::size_t next() const { return stop_ + 1 == order_.size() ? 0 : stop_ + 1; }
  void come_to_next(std::uint64_t cycle, Stops& stops);

  std::vector<NodeId> order_;
  std::uint32_t flits_;
  std::size_t stop_ = 0;  // the signal is at this stop's station, or on the way from it
  bool started_ = false;
  bool at_station_ = true;
  bool departs_ = false;
  bool arrived_ = false;  // in the cycle that the line has not stepped through yet
  std::uint64_t home_ = 0, shortest_ = 0;
};

/// A policy that runs a line; null: not one of packets.
class RunsPacketLine {
 public:
  virtual ~RunsPacketLine() = default;
  virtual PacketLine* packet_line() = 0;
};

}  // namespace braid::models
