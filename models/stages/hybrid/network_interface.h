// NI: the interfaces of a router's nodes. By port of the router, of which they have the local ones.
#pragma once

#include <memory>
#include <vector>

#include "models/stages/hybrid/alone_router.h"
#include "models/stages/hybrid/flit_wires.h"
#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/router_stage.h"

namespace braid::models::stages::hybrid {

class NetworkInterface final : public RouterStage {
 public:
  // Ejection links, and credits for places that become free at the node.
  InBits link_valid_i{"link_valid_i", shape_.ports};
  InBits link_lane_i{"link_lane_i", shape_.ports * shape_.lane_bits()};
  InBits link_flit_i{"link_flit_i", shape_.ports * kFlitBits};
  OutBits credit_o{"credit_o", shape_.ports * shape_.lanes()};
  // Injection links, and credits for places that become free at the router.
  OutBits link_valid_o{"link_valid_o", shape_.ports};
  OutBits link_lane_o{"link_lane_o", shape_.ports * shape_.lane_bits()};
  OutBits link_flit_o{"link_flit_o", shape_.ports * kFlitBits};
  InBits credit_i{"credit_i", shape_.ports * shape_.lanes()};
  // The node: a packet for the router, or for the circuit that starts on a lane.
  InBits send_i{"send_i", shape_.ports};
  InBits send_lane_i{"send_lane_i", shape_.ports * shape_.lane_bits()};
  InBits send_length_i{"send_length_i", shape_.ports * kLengthBits};
  InBits send_destination_i{"send_destination_i", shape_.ports * kDestinationBits};
  OutBits ready_o{"ready_o", shape_.ports};

  NetworkInterface(const sc_core::sc_module_name& name, const RouterShape& shape);
  /// Alone, of a router of an experiment: it says which ports are local.
  NetworkInterface(const sc_core::sc_module_name& name, const std::shared_ptr<const AlonePlace>& place);
  ~NetworkInterface() override;
  /// To the registers of a router.
  void bind(RouterChannels& router);

 private:
  class Node;

  friend RouterStage;
  void join(StepClock& clock) override { join_as(clock, *this); }
  bool has_work_on_bank(Slice& slice, std::uint64_t cycle) override { return slice.any_at_interfaces(cycle); }
  void on_bank(Slice& slice, std::uint64_t cycle) override;
  void on_ports(std::uint64_t cycle) override;
  void make_alone();
  void send();
  void load_wires(std::uint64_t cycle);
  void show(std::uint64_t cycle);
  bool local(unsigned p) const { return local_ports_[p] != kNone; }

  // Alone:
  std::shared_ptr<const AlonePlace> place_;
  std::unique_ptr<AloneRouter> alone_;
  std::unique_ptr<Node> node_;
  std::vector<std::uint32_t> local_ports_;  // [P] number of the node's local port there, or kNone
};

}  // namespace braid::models::stages::hybrid
