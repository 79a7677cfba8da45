// NI: the interfaces of a router's nodes, and what is behind them.
#pragma once

#include <functional>

#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class NetworkInterface final : public RouterStage {
 public:
  InBits ejected_i{"ejected_i"};
  InBits credit_i{"credit_i"};

  /// `run_nodes`: what the nodes do when their interfaces have.
  NetworkInterface(const sc_core::sc_module_name& name, const RouterShape& shape, std::function<void()> run_nodes)
      : RouterStage(name, shape), run_nodes_(std::move(run_nodes)) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;

  const std::function<void()> run_nodes_;
};

}  // namespace braid::models::stages::hybrid
