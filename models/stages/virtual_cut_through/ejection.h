// Tails at a router's nodes: packets that have come whole go to their node, packets that have left it whole give the
// injection link back. The second half of the network interface's cycle.
#pragma once

#include "models/families/virtual_cut_through/slice.h"
#include "models/stages/base/stage.h"
#include "models/stages/virtual_cut_through/router_channels.h"

namespace braid::models::stages::virtual_cut_through {

class Ejection final : public Stage {
 public:
  sc_core::sc_in<Bits> leaves_i{"leaves_i"};
  sc_core::sc_in<Bits> tail_i{"tail_i"};
  sc_core::sc_in<Bits> buffer_back_i{"buffer_back_i"};

  /// Hands packets to the nodes of the router that it is bound to: it has no use alone.
  explicit Ejection(const sc_core::sc_module_name& name) : Stage(name) {}
  void bind(RouterChannels& router) {
    slice_ = &router.slice();
    leaves_i(router.leaves);
    tail_i(router.tail);
    buffer_back_i(router.buffer_back);
  }
  bool has_work(std::uint64_t) override { return slice_->any_end(); }

 private:
  void step(std::uint64_t cycle) override { slice_->end_at_nodes(cycle); }
  Slice* slice_ = nullptr;
};

}  // namespace braid::models::stages::virtual_cut_through
