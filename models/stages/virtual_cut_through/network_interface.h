// The interfaces of a router's nodes: a queue of packets at each local port. A head leaves when the link is free and
// the router's queue has a buffer. Tails follow in a step of their own (ejection.h).
#pragma once

#include "models/stages/virtual_cut_through/router_stage.h"

namespace braid::models::stages::virtual_cut_through {

class NetworkInterface final : public RouterStage {
 public:
  InBits packet_flits_i{"packet_flits_i"};
  InBits packet_valid_i{"packet_valid_i"};
  InBits buffer_back_i{"buffer_back_i"};
  OutBits head_o{"head_o"};
  OutBits ready_o{"ready_o"};
  OutBits tail_o{"tail_o"};

  explicit NetworkInterface(const sc_core::sc_module_name& name) : RouterStage(name) {}
  /// Alone.
  NetworkInterface(const sc_core::sc_module_name& name, const Place& place) : RouterStage(name, place) {}

 private:
  Connections connections(RouterChannels& router) override;
  void on_bank(RouterChannels& router, std::uint64_t cycle) override;
  bool has_work_on_bank(RouterChannels& router, std::uint64_t /*cycle*/) override {
    return router.slice().any_sendable();
  }
  void on_ports(RouterChannels& router, std::uint64_t cycle) override;
};

}  // namespace braid::models::stages::virtual_cut_through
