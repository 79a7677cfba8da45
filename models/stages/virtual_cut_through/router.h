// A cut-through router as a module of its stages, each bound to the registers between them.
//
// Steps of a cycle (models/stages/base/step_clock.h): the arbiter and the interfaces, whose heads go on the links; the
// output units; tails at nodes; the input queues, for a packet is there until its node has it, and what is behind the
// interfaces.
#pragma once

#include "models/stages/base/hardware_view.h"
#include "models/stages/virtual_cut_through/ejection.h"
#include "models/stages/virtual_cut_through/input_queue.h"
#include "models/stages/virtual_cut_through/network_interface.h"
#include "models/stages/virtual_cut_through/output_arbiter.h"
#include "models/stages/virtual_cut_through/output_unit.h"

namespace braid::models::stages::virtual_cut_through {

constexpr std::size_t kSteps = 4;

class Router final : public sc_core::sc_module {
 public:
  Router(const sc_core::sc_module_name& name, const ViewContext& context, std::size_t slice, Slice& registers);

 private:
  RouterChannels channels_;
  OutputArbiter output_arbiter_;
  NetworkInterface network_interface_;
  OutputUnit output_unit_;
  Ejection ejection_;
  InputQueue input_queue_;
};

}  // namespace braid::models::stages::virtual_cut_through
