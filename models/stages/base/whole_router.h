// A router, or a run of them, that is no more than two processes: the halves of its cycle. For what has no stages to
// show: routers behind a stand-in, families without a room of their own here.
#pragma once

#include "models/stages/base/hardware_view.h"
#include "models/stages/base/stage.h"

namespace braid::models::stages {

class WholeRouter final : public sc_core::sc_module {
 public:
  /// Its halves take step 0 and `commit_step`, a later one, with what is behind its nodes' interfaces or without.
  WholeRouter(const sc_core::sc_module_name& name, const ViewContext& context, std::size_t slice,
              std::size_t commit_step, bool with_nodes = true);

 private:
  class Half final : public Stage {
   public:
    Half(const char* name, std::function<void(std::uint64_t)> run) : Stage(name), run_(std::move(run)) {}

   private:
    void step(std::uint64_t cycle) override { run_(cycle); }
    const std::function<void(std::uint64_t)> run_;
  };
  Half compute_, commit_;
};

/// Steps of a cycle of a network of such routers.
constexpr std::size_t kWholeRouterSteps = 2;
std::unique_ptr<HardwareView> make_whole_routers(const ViewContext& context);

}  // namespace braid::models::stages
