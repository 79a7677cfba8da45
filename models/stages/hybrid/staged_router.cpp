#include "models/stages/hybrid/staged_router.h"

#include <stdexcept>

namespace braid::models::stages::hybrid {
namespace {

constexpr std::size_t kCommitStep = 2;  // of Router: the first one after the clock's edge

bool by_processes(const Configuration& configuration) {
  const Configuration::Given* schedule = configuration.find("simulation.schedule");
  return schedule != nullptr && schedule->value == OptionValue(std::string("process_per_stage"));
}

const OptionTable<StageOptions>& circuit_stage_table() {
  static const OptionTable<StageOptions> table =
      OptionTable<StageOptions>("stage")
          .policy<StageRegistry<SetupUnitPorts>>("setup_unit", &StageOptions::setup_unit, "set-up by backtracking")
          .policy<StageRegistry<CircuitUnitPorts>>("circuit_unit", &StageOptions::circuit_unit,
                                                   "circuit lanes, their table and set-up");
  return table;
}

OptionList modelled_options() {
  OptionList all = stage_options().list();
  const OptionList& routers = models::hybrid::stage_routers_option();
  all.insert(all.end(), routers.begin(), routers.end());
  return all;
}

template <class Ports, class Model>
bool add_model(const char* text) {
  return StageRegistry<Ports>::instance().add("model", text, [](const StageSeat& seat) -> std::unique_ptr<Ports> {
    return std::make_unique<Model>(seat.name, seat.shape);
  });
}

const bool staged_router_registered =
    add_model<VcAllocatorPorts, VcAllocator>("router.vc_allocator") &&
    add_model<SwitchAllocatorPorts, SwitchAllocator>("router.switch_allocator") &&
    add_model<SetupUnitPorts, SetupUnit>("as docs/setup.md draws it") &&
    add_model<CircuitUnitPorts, CircuitUnit>("as docs/router.md draws it") &&
    models::hybrid::StandInRegistry::instance().add(
        models::hybrid::kModelled, "the stages as modelled, or others in their places (stage.*)", modelled_options(),
        [](const models::hybrid::Seat& seat) { return std::make_unique<StagedRouter>(seat); });

}  // namespace

const OptionTable<StageOptions>& stage_options() {
  static const OptionTable<StageOptions> table =
      OptionTable<StageOptions>("stage")
          .policy<StageRegistry<VcAllocatorPorts>>("vc_allocator", &StageOptions::vc_allocator, "VA")
          .policy<StageRegistry<SwitchAllocatorPorts>>("switch_allocator", &StageOptions::switch_allocator, "SA")
          .when("interface.switching = \"circuit\"", models::hybrid::has_stream_circuits, circuit_stage_table())
          .when("tlm.circuits", models::hybrid::has_listed_circuits, circuit_stage_table());
  return table;
}

StagedRouter::StagedRouter(const models::hybrid::Seat& seat) {
  if (by_processes(seat.context.configuration)) return;
  const std::string name = module_name("router", seat.context.topology.router_names[seat.router.value]);
  router_ = std::make_unique<Router>(name.c_str(), RouterPlace{seat.context.configuration, seat.context.topology,
                                                               seat.router, seat.slice, nullptr, true});
}

bool StagedRouter::begin(std::uint64_t cycle) {
  if (router_->clocks()[0].stages().empty()) {
    throw std::logic_error("stages that are modules run in a SystemC simulation only, once it has been elaborated");
  }
  router_->clocks().begin(cycle);
  run(0, kCommitStep);
  return true;
}

void StagedRouter::commit(std::uint64_t) { run(kCommitStep, kSteps); }

/// A stage that has run in this cycle does not run again.
void StagedRouter::run(std::size_t first_step, std::size_t last_step) {
  for (std::size_t step = first_step; step < last_step; ++step) {
    for (Stage* stage : router_->clocks()[step].stages()) stage->run();
  }
}

}  // namespace braid::models::stages::hybrid
