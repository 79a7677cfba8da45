// The packets of a SAT line that goes through the data network (models/event_lines/packet_line.h). They are sent from
// below the injection points: behind packets that wait for the signal, the signal would wait for ever.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/event_lines/packet_line.h"
#include "models/workload/workload.h"

namespace braid::models {

class LinePackets final : public Workload {
 public:
  LinePackets(PacketLine& line, std::size_t nodes, const MeasurementWindow& window);

  std::vector<std::string> classes() const override { return {"sat_signal"}; }
  std::vector<std::string> kinds() const override { return {"sat_signal"}; }
  void open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet&) override;
  /// The slice's way into the network, below its injection points.
  void open_below(std::unique_ptr<Outlet> outlet) { outlets_.push_back(std::move(outlet)); }

  void generate(std::size_t slice, std::uint64_t cycle) override;
  void deliver(std::size_t, std::uint64_t, const Packet&) override { line_.arrive(); }
  std::vector<routing::Flow> flows(std::uint64_t measured_cycles) const override;
  bool knows(const Packet& packet) const override { return packet.kind == 0; }
  void begin_window() override { sent_.assign(sent_.size(), {}); }
  void checkpoint(Checkpoint& c) override { c.each(sent_); }

 private:
  PacketLine& line_;
  const MeasurementWindow& window_;
  std::vector<std::unique_ptr<Outlet>> outlets_;  // [slice]
  std::vector<std::size_t> slice_of_;             // [node]
  struct Sent {
    std::uint64_t packets = 0;  // while measuring
    NodeId to;
    void checkpoint(Checkpoint& c) { c(packets, to); }
  };
  std::vector<Sent> sent_;  // [node]
};

}  // namespace braid::models
