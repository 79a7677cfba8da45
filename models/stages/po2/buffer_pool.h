// The centralized pool of packet buffers: who is let in, and which buffer it gets. Its policy of deadlock avoidance
// says which buffers a class of packets may have (po2.avoidance).
#pragma once

#include "models/stages/po2/router_channels.h"
#include "models/stages/po2/router_stage.h"

namespace braid::models::stages::po2 {

class BufferPool final : public RouterStage {
 public:
  // What comes in by each port, and what leaves.
  InBits incoming_i{"incoming_i"};
  InBits since_i{"since_i"};
  InBits message_i{"message_i"};
  InBits class_i{"class_i"};
  InBits leaving_i{"leaving_i"};

  OutBits grant_o{"grant_o"};
  OutBits buffer_o{"buffer_o"};
  OutBits refused_o{"refused_o"};
  OutBits free_o{"free_o"};
  OutBits held_o{"held_o"};
  OutBits blocking_o{"blocking_o"};
  OutBits message_o{"message_o"};

  BufferPool(const sc_core::sc_module_name& name, const Site& site) : RouterStage(name, site) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t) override { return slice.any_grant(); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(LoneRouter& lone, std::uint64_t cycle) override;
  void let_leave(LoneRouter& lone) const;
  void load_offers(LoneRouter& lone, std::uint64_t cycle) const;
  void let_in(LoneRouter& lone, std::uint64_t cycle);
  void write_pool(LoneRouter& lone);
};

}  // namespace braid::models::stages::po2
