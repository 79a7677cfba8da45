// Which links of the ideal network send: those with packets take turns at being first, and a flit leaves where both its
// ends may still send and take one in the cycle (models/families/ideal/link_turns.h).
#pragma once

#include <vector>

#include "models/stages/base/stage.h"
#include "models/stages/ideal/channels.h"

namespace braid::models::stages::ideal {

class LinkScheduler final : public Stage {
 public:
  sc_core::sc_vector<InBits> waits_i;   ///< [node] a bit a node that a packet waits for
  sc_core::sc_vector<OutBits> sends_o;  ///< [node] a bit a node that a flit leaves for

  /// Alone; flits that each node sends and takes in a cycle.
  LinkScheduler(const sc_core::sc_module_name& name, const std::vector<std::size_t>& sends,
                const std::vector<std::size_t>& receives, bool queue_at_receiver);
  /// In a network, bound to its registers.
  LinkScheduler(const sc_core::sc_module_name& name, Channels& channels);

 private:
  void step(std::uint64_t cycle) override;
  void on_ports();

  Channels* channels_ = nullptr;  // null: alone
  models::ideal::LinkTurns turns_;
  std::vector<bool> has_turn_;  // [from * nodes + to]
};

}  // namespace braid::models::stages::ideal
