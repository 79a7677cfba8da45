// The half-duplex links of a router: which end goes when both ask, and how long a transfer holds the port, until its
// receipt is acknowledged. The port of a node is half-duplex, too.
#pragma once

#include "models/stages/po2/router_channels.h"
#include "models/stages/po2/router_stage.h"

namespace braid::models::stages::po2 {

class LinkController final : public RouterStage {
 public:
  // Offered out of the pool, or by the node into it.
  InBits offer_i{"offer_i"};
  InBits inject_i{"inject_i"};
  InBits offer_buffer_i{"offer_buffer_i"};
  InBits offer_flits_i{"offer_flits_i"};
  InBits far_grant_i{"far_grant_i"};
  // Offered by the far end.
  InBits far_offer_i{"far_offer_i"};
  InBits far_sent_last_i{"far_sent_last_i"};
  InBits in_flits_i{"in_flits_i"};
  InBits grant_i{"grant_i"};
  InBits grant_buffer_i{"grant_buffer_i"};

  OutBits incoming_o{"incoming_o"};
  OutBits idle_o{"idle_o"};
  OutBits sending_o{"sending_o"};
  OutBits receiving_o{"receiving_o"};
  OutBits sent_last_o{"sent_last_o"};
  OutBits leaving_o{"leaving_o"};

  LinkController(const sc_core::sc_module_name& name, const Site& site) : RouterStage(name, site) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_transfer(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(LoneRouter& lone, std::uint64_t cycle) override;
  void load_offers(LoneRouter& lone, std::uint64_t cycle) const;
  void begin_sending(LoneRouter& lone, std::size_t p, std::uint64_t cycle) const;
  void begin_receiving(LoneRouter& lone, std::size_t p, std::uint64_t cycle) const;
  void write_ports(const Registers& here);
};

}  // namespace braid::models::stages::po2
