#include "models/stages/hybrid/staged_router.h"

#include <stdexcept>

namespace braid::models::stages::hybrid {
namespace {

constexpr std::size_t kCommitStep = 2;  // of Router: the first one after the clock's edge

bool by_processes(const Configuration& configuration) {
  const Configuration::Given* schedule = configuration.find("simulation.schedule");
  return schedule != nullptr && schedule->value == OptionValue(std::string("process_per_stage"));
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
        models::hybrid::kModelled, "the stages as modelled, or others in their places (stage.*)",
        models::hybrid::modelled_options(stage_options()),
        [](const models::hybrid::Seat& seat) { return std::make_unique<StagedRouter>(seat); });

}  // namespace

const OptionTable<StageOptions>& stage_options() {
  static const OptionTable<StageOptions> table = models::hybrid::stage_table(
      {StageRegistry<VcAllocatorPorts>::instance(), StageRegistry<SwitchAllocatorPorts>::instance(),
       StageRegistry<SetupUnitPorts>::instance(), StageRegistry<CircuitUnitPorts>::instance()});
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
