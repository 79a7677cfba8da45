// What is behind the interfaces of all nodes, workloads and schedulers: no hardware of the network's, and so one
// process.
#pragma once

#include "models/stages/base/hardware_view.h"
#include "models/stages/base/stage.h"

namespace braid::models::stages {

class Nodes final : public Stage {
 public:
  Nodes(const sc_core::sc_module_name& name, const ViewContext& context)
      : Stage(name), run_nodes_(context.run_nodes), run_all_nodes_(context.run_all_nodes), slices_(context.slices) {}

 private:
  void step(std::uint64_t) override {
    if (run_all_nodes_) return run_all_nodes_();
    for (std::size_t s = 0; s < slices_; ++s) run_nodes_(s);
  }

  const std::function<void(std::size_t)> run_nodes_;
  const std::function<void()> run_all_nodes_;
  const std::size_t slices_;
};

}  // namespace braid::models::stages
