// The links of the ideal network, one from every node to every other: a flit that leaves in a cycle is there in the
// next.
#pragma once

#include "models/stages/base/stage.h"
#include "models/stages/ideal/channels.h"

namespace braid::models::stages::ideal {

class Links final : public Stage {
 public:
  sc_core::sc_vector<InBits> sends_i;   ///< [node] a bit a node that a flit leaves for
  sc_core::sc_vector<OutBits> comes_o;  ///< [node] flits that come

  /// Alone, between so many nodes.
  Links(const sc_core::sc_module_name& name, std::size_t nodes)
      : Stage(name), sends_i("sends_i", nodes), comes_o("comes_o", nodes) {}
  /// In a network, bound to its registers.
  Links(const sc_core::sc_module_name& name, Channels& channels);

 private:
  void step(std::uint64_t cycle) override;

  Channels* channels_ = nullptr;  // null: alone
};

}  // namespace braid::models::stages::ideal
