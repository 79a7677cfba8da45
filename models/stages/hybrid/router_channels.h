// The registers and wires between the stages of one hybrid router, as channels. The one place that knows how the bank's
// registers lie on ports; names and widths as in hw/hybrid_router.sv. [a][b] is bit a * b's width and so on, the last
// index lowest; P ports, V packet VCs, L lanes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/stages/base/module_list.h"
#include "models/stages/base/register_channel.h"
#include "models/stages/base/step_clock.h"
#include "models/stages/hybrid/circuit_channels.h"
#include "models/stages/hybrid/link_channels.h"
#include "models/stages/hybrid/node_channels.h"
#include "models/stages/hybrid/router_stage.h"
#include "models/stages/hybrid/setup_channels.h"
#include "models/stages/hybrid/unit_channels.h"

namespace braid::models::stages::hybrid {

class RouterChannels final : public Bank {
 public:
  /// Inside the router's module. `slice` holds that router only.
  RouterChannels(Slice& slice, RouterId router, const RouterShape& shape, StepClock& clock);

  Slice& slice() const { return slice_; }
  const RouterShape& shape() const { return shape_; }
  /// Of a router that has circuits.
  SetupChannels& setup() { return *setup_; }
  CircuitChannels& circuits() { return *circuits_; }

 private:
  RegisterChannel& make(const char* name, unsigned width, RegisterChannel::Gather gather,
                        RegisterChannel::Scatter scatter = nullptr);
  /// A part of what VA has granted: when all three have been written, its grants are the router's.
  RegisterChannel::Scatter part_of_vc_grants(unsigned part);
  void take_vc_grants();
  /// Requests of flits that are written in this cycle.
  void add_bypass(Bits& requests) const;
  void take_switch_grants(const Bits& granted);
  [[noreturn]] void refuse(const RegisterChannel& channel, unsigned i, const char* what) const;
  template <class Visit>
  void for_each_vc(Visit visit) const;  // visit(place among P x V, VcIndex)
  models::hybrid::VcIndex vc(unsigned place) const;
  unsigned place(models::hybrid::VcIndex v) const;
  /// visit(input port, flit): flits that the links bring for this cycle.
  template <class Visit>
  void for_each_arrival(Visit visit) const;

  Slice& slice_;
  const models::hybrid::RouterBank& bank_;
  RouterId router_;
  RouterShape shape_;
  StepClock& clock_;
  std::unique_ptr<SetupChannels> setup_;  // null, as the next: a packet router
  std::unique_ptr<CircuitChannels> circuits_;
  ModuleList<RegisterChannel> channels_;
  std::vector<Bits> vc_grant_parts_;  // grant, port, VC
  unsigned vc_grant_written_ = 0;     // one bit a part

 public:
  // What the links bring in this cycle, by input port: flits of packets to be written, of circuits on the link.
  RegisterChannel& link_valid;  ///< [P]
  RegisterChannel& link_lane;   ///< [P][lane bits]
  RegisterChannel& credit;      ///< [P][L] come back, by output port
  // Input units.
  RegisterChannel& heads;       ///< [P x V] RC
  RegisterChannel& waiting;     ///< [P x V] a head waits for an output VC
  RegisterChannel& candidates;  ///< [P x V][P, or 2 P] ports on its way; with an escape path, above them, its port
  RegisterChannel& last_port;   ///< [P x V][port bits] that its last packet got
  RegisterChannel& request;     ///< [P x V] flit, output VC and credit are there
  RegisterChannel& out_port;    ///< [P x V][port bits]
  // Output units.
  RegisterChannel& free;     ///< [P][V] without owner
  RegisterChannel& credits;  ///< [P][V][credit bits]
  // VA. Whoever writes them writes all three; vc_granted follows from them.
  RegisterChannel& escape_ports;   ///< [P] VC 0 is the escape path's: ports that lead to other routers
  RegisterChannel& vc_grant;       ///< [P x V]
  RegisterChannel& vc_grant_port;  ///< [P x V][P] one hot
  RegisterChannel& vc_grant_vc;    ///< [P x V][V] one hot
  RegisterChannel& vc_granted;     ///< [P][V] gets an owner
  // SA.
  RegisterChannel& taken_inputs;   ///< [P] by circuits
  RegisterChannel& taken_outputs;  ///< [P] by circuits, or closed
  RegisterChannel& grant;          ///< [P][V]
  // ST.
  RegisterChannel& st_grant;     ///< [P] a flit crosses in this cycle
  RegisterChannel& st_in_lane;   ///< [P][lane bits]
  RegisterChannel& st_out_port;  ///< [P][port bits]
  RegisterChannel& st_out_lane;  ///< [P][lane bits]
  // Interfaces.
  RegisterChannel& ejected;  ///< [P] a flit for the node in this cycle

  LinkChannels links;
  UnitChannels units;
  NodeChannels nodes;
};

}  // namespace braid::models::stages::hybrid
