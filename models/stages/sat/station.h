// A SAT station: the counter of a node's packets and its two thresholds, at the node's injection point (paper:
// sat-fairness, section II.A). It lets the node send while fewer than k packets have gone since the signal left, and
// keeps the signal while fewer than l have and more wait. The line asks it (satisfied_o) and tells it what the signal
// does (signal_i, signal_now_i, signal_leaves_i).
#pragma once

#include "models/stages/base/stage.h"
#include "models/stages/sat/channels.h"

namespace braid::models::stages::sat {

class Station final : public Stage {
 public:
  InBits passed_i{"passed_i"};
  InBits waiting_i{"waiting_i"};
  InBits l_i{"l_i"};
  InBits k_i{"k_i"};
  InBits signal_i{"signal_i"};
  InBits signal_now_i{"signal_now_i"};
  InBits signal_leaves_i{"signal_leaves_i"};
  OutBits satisfied_o{"satisfied_o"};
  OutBits open_o{"open_o"};
  OutBits starved_o{"starved_o"};
  OutBits holds_o{"holds_o"};
  OutBits sent_o{"sent_o"};

  /// `thresholds`: until the signal has left for the first time. A dead station lets it go never.
  Station(const sc_core::sc_module_name& name, SatThresholds thresholds, bool dead = false);
  /// To the registers of a network.
  void bind(Channels& channels, NodeId node);
  bool has_work(std::uint64_t) override { return channels_ == nullptr || channels_->any_at(node_); }

 private:
  void end_of_elaboration() override;
  void step(std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle);

  NodeId node_{0};
  Channels* channels_ = nullptr;  // null: alone
  SatStations own_;               // of one station
};

}  // namespace braid::models::stages::sat
