// A station of the broadcast's line (paper: diamond-rings, as an event line beside the network): the forwarding unit in
// a node's interface, which needs no processor (models/event_lines/broadcast_unit.h). It counts the pulses of its
// wires, tells on what it hears, and when its node is done and all that it hears are, acknowledges.
#pragma once

#include <vector>

#include "models/stages/base/stage.h"
#include "models/stages/lines/channels.h"

namespace braid::models::stages::lines {

/// What a station alone stands between.
struct StationShape {
  bool is_root = false;
  unsigned in = 1;         ///< wires that end here
  unsigned at_once = 0;    ///< wires that it drives when a broadcast begins here
  unsigned when_done = 0;  ///< ... when it is complete here
  bool turn_round = true;
  std::uint64_t most_under_way = 1;
};

class Station final : public Stage {
 public:
  InBits arrive_i{"arrive_i"};
  InBits handled_i{"handled_i"};
  sc_core::sc_vector<InBits> requested_i;  ///< of the root only
  OutBits drive_o{"drive_o"};
  OutBits state_o{"state_o"};
  OutBits begun_o{"begun_o"};
  OutBits finished_o{"finished_o"};

  /// Alone.
  Station(const sc_core::sc_module_name& name, const StationShape& shape);
  /// In a network, bound to its registers.
  Station(const sc_core::sc_module_name& name, Channels& channels, std::uint32_t position);
  bool has_work(std::uint64_t) override { return channels_ == nullptr || channels_->line().awake(position_); }

 private:
  class AtNode;
  void step(std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle);

  Channels* channels_ = nullptr;  // null: alone
  std::uint32_t position_ = 0;
  // Alone:
  BroadcastUnit unit_;
  std::vector<BroadcastWire> wires_;  // those that end here, then those that begin here
};

}  // namespace braid::models::stages::lines
