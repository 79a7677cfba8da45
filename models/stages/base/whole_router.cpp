#include "models/stages/base/whole_router.h"

#include "models/stages/base/module_list.h"

namespace braid::models::stages {

WholeRouter::WholeRouter(const sc_core::sc_module_name& name, const ViewContext& context, std::size_t slice,
                         std::size_t commit_step, bool with_nodes)
    : sc_module(name),
      compute_("compute", [&fabric = context.fabric, slice](std::uint64_t cycle) { fabric.compute(slice, cycle); }),
      commit_("commit", [&fabric = context.fabric, slice, with_nodes, run = context.run_nodes](std::uint64_t cycle) {
        fabric.commit(slice, cycle);
        if (with_nodes) run(slice);
      }) {
  compute_.clk_i(context.clocks[0]);
  commit_.clk_i(context.clocks[commit_step]);
}

namespace {

class Whole final : public HardwareView {
 public:
  explicit Whole(const ViewContext& context) {
    for (std::size_t s = 0; s < context.slices; ++s) {
      const bool one = context.slices == 1;
      routers_.add(one ? "routers" : module_name("router", context.topology.router_names[s]).c_str(), context, s, 1);
    }
  }

 private:
  ModuleList<WholeRouter> routers_;
};

}  // namespace

std::unique_ptr<HardwareView> make_whole_routers(const ViewContext& context) {
  return std::make_unique<Whole>(context);
}

}  // namespace braid::models::stages
