// A stage of the RTL, Verilated, behind the ports of models/rtl/stage_wires.h. Included only by the points' own files.
#pragma once

#include <verilated.h>

#include <memory>
#include <stdexcept>

#include "models/rtl/stage_wires.h"

namespace braid::rtl {

/// `Top`: a class that Verilator made. Whoever derives from it shows the ports.
template <class Top>
class VerilatedStage : public models::hybrid::WiredStage {
 public:
  void reset() override {
    top_->rst_ni = 1;
    top_->clk_i = 0;
    top_->eval();
    top_->rst_ni = 0;  // an edge: reset is asynchronous
    clock();
    top_->rst_ni = 1;
    settle();
  }
  void settle() override { top_->eval(); }
  void clock() override {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
    if (context_->gotError()) throw std::runtime_error("an assertion of the RTL has failed");
  }

 protected:
  VerilatedStage() : context_(std::make_unique<VerilatedContext>()) {
    context_->fatalOnError(false);
    top_ = std::make_unique<Top>(context_.get());
  }
  ~VerilatedStage() override {
    Verilated::threadContextp(
        context_.get());  // what `Top` takes its scopes from, and not from another stage's, gone already
    top_->final();
  }
  Top& top() { return *top_; }

 private:
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Top> top_;
};

#define BRAID_SHOW_INPUT(name) this->show(#name, models::hybrid::WiredStage::Kind::kInput, this->top().name)
#define BRAID_SHOW_WIRE(name) this->show(#name, models::hybrid::WiredStage::Kind::kWire, this->top().name)
#define BRAID_SHOW_REGISTER(name) this->show(#name, models::hybrid::WiredStage::Kind::kRegister, this->top().name)

template <class Top>
struct VcAllocator final : VerilatedStage<Top> {
  VcAllocator() {
    BRAID_SHOW_INPUT(waiting_i);
    BRAID_SHOW_INPUT(candidates_i);
    BRAID_SHOW_INPUT(last_port_i);
    BRAID_SHOW_INPUT(escape_ports_i);
    BRAID_SHOW_INPUT(free_i);
    BRAID_SHOW_INPUT(credits_i);
    BRAID_SHOW_WIRE(grant_o);
    BRAID_SHOW_WIRE(port_o);
    BRAID_SHOW_WIRE(vc_o);
    BRAID_SHOW_WIRE(granted_o);
  }
};

template <class Top>
struct SwitchAllocator final : VerilatedStage<Top> {
  SwitchAllocator() {
    BRAID_SHOW_INPUT(request_i);
    BRAID_SHOW_INPUT(out_port_i);
    BRAID_SHOW_INPUT(taken_inputs_i);
    BRAID_SHOW_INPUT(taken_outputs_i);
    BRAID_SHOW_WIRE(grant_o);
  }
};

template <class Top>
struct SetupUnit final : VerilatedStage<Top> {
  SetupUnit() {
    BRAID_SHOW_INPUT(network_ports_i);
    BRAID_SHOW_INPUT(local_ports_i);
    BRAID_SHOW_INPUT(avoid_ports_i);
    BRAID_SHOW_INPUT(valid_i);
    BRAID_SHOW_INPUT(row_i);
    BRAID_SHOW_INPUT(kind_i);
    BRAID_SHOW_INPUT(search_i);
    BRAID_SHOW_INPUT(destination_i);
    BRAID_SHOW_INPUT(directions_i);
    BRAID_SHOW_INPUT(circuit_out_i);
    BRAID_SHOW_INPUT(held_i);
    BRAID_SHOW_INPUT(circuit_in_i);
    BRAID_SHOW_INPUT(holds_flits_i);
    BRAID_SHOW_WIRE(lookup_o);
    BRAID_SHOW_WIRE(release_o);
    BRAID_SHOW_WIRE(release_in_o);
    BRAID_SHOW_WIRE(release_out_o);
    BRAID_SHOW_WIRE(reserve_o);
    BRAID_SHOW_WIRE(reserve_in_o);
    BRAID_SHOW_WIRE(reserve_out_o);
    BRAID_SHOW_REGISTER(send_o);
    BRAID_SHOW_REGISTER(send_kind_o);
    BRAID_SHOW_REGISTER(send_search_o);
    BRAID_SHOW_REGISTER(send_destination_o);
    BRAID_SHOW_REGISTER(done_o);
    BRAID_SHOW_REGISTER(success_o);
  }
};

template <class Top>
struct CircuitUnit final : VerilatedStage<Top> {
  CircuitUnit() {
    BRAID_SHOW_INPUT(network_ports_i);
    BRAID_SHOW_INPUT(local_ports_i);
    BRAID_SHOW_INPUT(avoid_ports_i);
    BRAID_SHOW_INPUT(arrives_i);
    BRAID_SHOW_INPUT(flit_i);
    BRAID_SHOW_INPUT(credit_i);
    BRAID_SHOW_INPUT(setup_directions_i);
    BRAID_SHOW_INPUT(control_valid_i);
    BRAID_SHOW_INPUT(control_kind_i);
    BRAID_SHOW_INPUT(control_search_i);
    BRAID_SHOW_INPUT(control_destination_i);
    BRAID_SHOW_INPUT(request_valid_i);
    BRAID_SHOW_INPUT(request_port_i);
    BRAID_SHOW_INPUT(request_lane_i);
    BRAID_SHOW_INPUT(request_kind_i);
    BRAID_SHOW_INPUT(request_search_i);
    BRAID_SHOW_INPUT(request_destination_i);
    BRAID_SHOW_WIRE(grant_o);
    BRAID_SHOW_WIRE(takes_o);
    BRAID_SHOW_WIRE(flit_o);
    BRAID_SHOW_WIRE(in_lane_o);
    BRAID_SHOW_WIRE(out_port_o);
    BRAID_SHOW_WIRE(out_lane_o);
    BRAID_SHOW_WIRE(held_o);
    BRAID_SHOW_WIRE(setup_destination_o);
    BRAID_SHOW_REGISTER(control_valid_o);
    BRAID_SHOW_REGISTER(control_kind_o);
    BRAID_SHOW_REGISTER(control_search_o);
    BRAID_SHOW_REGISTER(control_destination_o);
    BRAID_SHOW_REGISTER(outcome_valid_o);
    BRAID_SHOW_REGISTER(outcome_success_o);
    BRAID_SHOW_REGISTER(table_valid_o);
    BRAID_SHOW_REGISTER(table_row_o);
  }
};

#undef BRAID_SHOW_INPUT
#undef BRAID_SHOW_WIRE
#undef BRAID_SHOW_REGISTER

}  // namespace braid::rtl
