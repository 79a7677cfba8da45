// The message scheduler of a router's nodes: which packet of which message asks for the node's port next
// (interface.scheduler; without one first in, first out). In a network the workload hands messages over by calls, and
// what else is behind the interfaces runs here, too; alone messages come by the ports arrival_*.
#pragma once

#include <functional>
#include <memory>

#include "models/injection/injection_point.h"
#include "models/stages/po2/router_channels.h"
#include "models/stages/po2/router_stage.h"

namespace braid::models::stages::po2 {

constexpr unsigned kArrivalBits = 8;

/// An input that need not be bound.
class OptionalInBits final
    : public sc_core::sc_port<sc_core::sc_signal_in_if<Bits>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> {
 public:
  using sc_port::sc_port;
  const char* kind() const override { return "sc_in"; }
};

class MessageScheduler final : public RouterStage {
 public:
  InBits grant_i{"grant_i"};
  InBits receiving_i{"receiving_i"};
  OutBits queued_o{"queued_o"};
  OutBits head_since_o{"head_since_o"};
  OutBits head_message_o{"head_message_o"};

  // The processor's side, for a module that stands alone.
  OptionalInBits arrival_packets_i{"arrival_packets_i"};
  OptionalInBits arrival_message_i{"arrival_message_i"};
  OptionalInBits arrival_priority_i{"arrival_priority_i"};

  /// `run_nodes`: in a network, what the nodes do when their interfaces have.
  MessageScheduler(const sc_core::sc_module_name& name, const Site& site, std::function<void()> run_nodes = {})
      : RouterStage(name, site), run_nodes_(std::move(run_nodes)) {}
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  bool has_work_on_bank(Slice&, std::uint64_t) override { return true; }  // a workload may make packets at any time
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(LoneRouter& lone, std::uint64_t cycle) override;
  void make_point(LoneRouter& lone);
  void move_heads(LoneRouter& lone, std::uint64_t cycle);
  void take_messages(LoneRouter& lone);
  void write_heads(LoneRouter& lone);

  const std::function<void()> run_nodes_;
  std::unique_ptr<InjectionPoint> point_;  // alone
  std::uint64_t receiving_ = 0;            // ports, in the cycle before
};

}  // namespace braid::models::stages::po2
