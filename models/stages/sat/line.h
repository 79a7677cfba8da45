// The SAT line: brings the signal from station to station, over whatever carrier (`sat.carrier`): a virtual ring, a
// spanning tree, a diamond ring. A port a wire of it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/event_lines/event_line.h"
#include "models/stages/base/stage.h"
#include "models/stages/sat/channels.h"

namespace braid::models::stages::sat {

class Line final : public Stage {
 public:
  sc_core::sc_vector<InBits> satisfied_i;       ///< [node] the signal may leave
  sc_core::sc_vector<OutBits> signal_o;         ///< [node] it is there from the next cycle on
  sc_core::sc_vector<OutBits> signal_now_o;     ///< [node] it is there in this cycle already
  sc_core::sc_vector<OutBits> signal_leaves_o;  ///< [node] it leaves
  sc_core::sc_vector<OutBits> wire_o;           ///< carries the signal in the cycle to come

  /// Alone: `sat.carrier` over the links of a topology.
  Line(const sc_core::sc_module_name& name, const routing::Topology& topology, const Configuration& configuration);
  /// In a network, bound to its registers.
  Line(const sc_core::sc_module_name& name, Channels& channels);
  /// Alone, as in the waveform.
  const std::string& wire_name(std::size_t wire) const { return own_->table.signals()[wire].name; }

 private:
  /// A carrier of its own, with the values of its wires.
  struct Own {
    explicit Own(std::unique_ptr<EventLine> carrier) : line(std::move(carrier)), values(line->signals(table)) {}
    std::unique_ptr<EventLine> line;
    SignalTable table;
    std::unique_ptr<SignalSource> values;
  };
  class AtStations;
  Line(const sc_core::sc_module_name& name, std::unique_ptr<Own> own, std::size_t nodes);
  void step(std::uint64_t cycle) override;
  void write_ports(std::uint64_t cycle);

  std::unique_ptr<Own> own_;                // null: in a network
  Channels* channels_ = nullptr;            // null: alone
  std::vector<SatStations::Visit> visits_;  // [node] by its ports
  std::vector<NodeId> visited_;             // in the last cycle
};

}  // namespace braid::models::stages::sat
