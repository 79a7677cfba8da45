// A cut-through router as a module of its stages, each bound to the registers between them.
//
// Steps of a cycle (models/stages/base/step_clock.h): the arbiter and the interfaces, whose heads go on the links; the
// output units; the nodes; the input queues, for a packet is there until its node has it.
#pragma once

#include <functional>

#include "models/stages/base/hardware_view.h"
#include "models/stages/virtual_cut_through/input_queue.h"
#include "models/stages/virtual_cut_through/network_interface.h"
#include "models/stages/virtual_cut_through/output_arbiter.h"
#include "models/stages/virtual_cut_through/output_unit.h"

namespace braid::models::stages::virtual_cut_through {

constexpr std::size_t kSteps = 4;

/// What is behind the interfaces: it takes packets whose tail has come, and makes new ones.
class Nodes final : public Stage {
 public:
  Nodes(const sc_core::sc_module_name& name, Slice& slice, std::function<void()> run)
      : Stage(name), slice_(slice), run_(std::move(run)) {}

 private:
  void step(std::uint64_t cycle) override {
    slice_.end_at_nodes(cycle);
    run_();
  }
  Slice& slice_;
  const std::function<void()> run_;
};

class Router final : public sc_core::sc_module {
 public:
  Router(const sc_core::sc_module_name& name, const ViewContext& context, std::size_t slice, Slice& registers);

 private:
  RouterChannels channels_;
  OutputArbiter output_arbiter_;
  NetworkInterface network_interface_;
  OutputUnit output_unit_;
  Nodes nodes_;
  InputQueue input_queue_;
};

}  // namespace braid::models::stages::virtual_cut_through
