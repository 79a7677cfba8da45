#include "models/stages/base/stage.h"

#include "routing/base/break_off.h"

namespace braid::models::stages {

Stage::Stage(const sc_core::sc_module_name& name) : sc_module(name) {
  const sc_core::sc_process_handle process = sc_core::sc_get_curr_simcontext()->create_method_process(
      "run", false, static_cast<sc_core::SC_ENTRY_FUNC>(&Stage::run), this, nullptr);
  sensitive << process;
  sensitive << clk_i.pos() << wake_;
  dont_initialize();
  process_ = process.get_process_object();
}

void Stage::end_of_elaboration() {
  routing::BreakOff::look();
  auto* clock = dynamic_cast<StepClock*>(clk_i.get_interface());
  if (clock == nullptr) return;
  join(*clock);
  cycle_ = &clock->cycle();
}

Bank* Stage::bank() const {
  Bank* bank = nullptr;
  for (sc_core::sc_object* child : get_child_objects()) {
    auto* port = dynamic_cast<sc_core::sc_port_base*>(child);
    if (port == nullptr || port == &clk_i || port->get_interface() == nullptr) continue;
    auto* channel = dynamic_cast<RegisterChannel*>(port->get_interface());
    if (channel == nullptr || (bank != nullptr && bank != &channel->bank())) return nullptr;
    bank = &channel->bank();
  }
  return bank;
}

}  // namespace braid::models::stages
