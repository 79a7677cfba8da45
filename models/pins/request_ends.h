// Links, and the pins by which a router is asked for circuits: what the nodes of one router have, and a cut where it
// was.
#pragma once

#include "models/pins/link_ends.h"

namespace braid::models::pins {

class RequestEnds : public LinkEnds {
 public:
  Out<bool> request_valid_o{"request_valid_o"};
  Out<PortBits> request_port_o{"request_port_o"};
  Out<LaneBits> request_lane_o{"request_lane_o"};
  Out<KindBits> request_kind_o{"request_kind_o"};
  Out<SearchBits> request_search_o{"request_search_o"};
  Out<NodeBits> request_destination_o{"request_destination_o"};
  In<bool> outcome_valid_i{"outcome_valid_i"}, outcome_success_i{"outcome_success_i"};

 protected:
  explicit RequestEnds(const sc_core::sc_module_name& name) : LinkEnds(name) {}
  /// expect() and watch(): they are needed where there are circuits.
  void check_requests(bool circuits);
  void write_request(const hybrid::ControlWires& request, bool all);
  void read_outcome(hybrid::WireOutputs& router) const;
};

}  // namespace braid::models::pins
