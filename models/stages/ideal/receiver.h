// What takes flits at a node of the ideal network: as many a cycle as the node takes (one for each of its local ports,
// or fewer), where they queue at the receiver (`router.queue_at_receiver`); else all that come, as no more are sent.
#pragma once

#include "models/stages/base/stage.h"
#include "models/stages/ideal/channels.h"

namespace braid::models::stages::ideal {

class Receiver final : public Stage {
 public:
  InBits comes_i{"comes_i"};
  OutBits takes_o{"takes_o"};
  OutBits held_o{"held_o"};

  /// Alone.
  Receiver(const sc_core::sc_module_name& name, std::size_t most, bool queue_at_receiver)
      : Stage(name), most_(most), queue_at_receiver_(queue_at_receiver) {}
  /// In a network, bound to its registers.
  Receiver(const sc_core::sc_module_name& name, Channels& channels, NodeId node);
  bool has_work(std::uint64_t) override;

 private:
  void step(std::uint64_t cycle) override;

  const std::size_t most_;  // taken in a cycle
  const bool queue_at_receiver_;
  Channels* channels_ = nullptr;  // null: alone
  NodeId node_{0};
  std::size_t held_ = 0;  // alone
};

}  // namespace braid::models::stages::ideal
