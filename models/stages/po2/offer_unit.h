// Which packet each idle port offers: oldest first, each on the first port in its order of preference that is idle and
// whose far end would take it (docs/po2.md).
#pragma once

#include "models/stages/po2/router_channels.h"
#include "models/stages/po2/router_stage.h"

namespace braid::models::stages::po2 {

class OfferUnit final : public RouterStage {
 public:
  // Waiting packets, of the route unit.
  InBits waiting_i{"waiting_i"};
  InBits since_i{"since_i"};
  InBits in_port_i{"in_port_i"};
  InBits message_i{"message_i"};
  InBits ways_i{"ways_i"};
  InBits ways_vc_i{"ways_vc_i"};
  InBits escape_i{"escape_i"};
  InBits escape_class_i{"escape_class_i"};
  InBits kept_i{"kept_i"};
  // Where they may go.
  InBits idle_i{"idle_i"};
  InBits far_free_i{"far_free_i"};
  InBits far_blocking_i{"far_blocking_i"};
  InBits far_message_i{"far_message_i"};
  // The node's packet, and its pool.
  InBits queued_i{"queued_i"};
  InBits head_since_i{"head_since_i"};
  InBits head_message_i{"head_message_i"};
  InBits free_i{"free_i"};
  InBits blocking_i{"blocking_i"};

  OutBits offer_o{"offer_o"};
  OutBits inject_o{"inject_o"};
  OutBits buffer_o{"buffer_o"};
  OutBits offer_since_o{"offer_since_o"};
  OutBits offer_message_o{"offer_message_o"};
  OutBits class_o{"class_o"};
  OutBits vc_o{"vc_o"};
  OutBits held_off_o{"held_off_o"};

  OfferUnit(const sc_core::sc_module_name& name, const Site& site) : RouterStage(name, site) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t) override { return slice.any_offer(); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(LoneRouter& lone, std::uint64_t cycle) override;
  void load_packets(LoneRouter& lone) const;
  void load_far_ends(LoneRouter& lone) const;
  void load_nodes(LoneRouter& lone) const;
  void write_offers(const Registers& here, std::uint64_t cycle);
};

}  // namespace braid::models::stages::po2
