#include "models/stages/virtual_cut_through/router.h"

#include <memory>

#include "models/families/virtual_cut_through/fabric.h"
#include "models/stages/base/module_list.h"
#include "models/stages/base/nodes.h"

namespace braid::models::stages::virtual_cut_through {
namespace {

class View final : public HardwareView {
 public:
  explicit View(const ViewContext& context) : nodes_("nodes", context), routers_(context.slices) {
    nodes_.clk_i(context.clocks[kSteps - 1]);
    auto& fabric = dynamic_cast<models::virtual_cut_through::Fabric&>(context.fabric);
    for (std::size_t s = 0; s < fabric.slice_count(); ++s) {
      const std::string name = module_name("router", context.topology.router_names[s]);
      routers_.add(name.c_str(), context, s, fabric.slice(s));
    }
  }

 private:
  Nodes nodes_;
  ModuleList<Router> routers_;
};

class Factory final : public ViewFactory {
 public:
  std::size_t steps() const override { return kSteps; }
  std::unique_ptr<HardwareView> make(const ViewContext& context) const override {
    return std::make_unique<View>(context);
  }
};

const bool virtual_cut_through_view_registered = ViewRegistry::instance().add(
    "virtual_cut_through", "queues, arbiter, output units", [] { return std::make_unique<Factory>(); });

}  // namespace

Router::Router(const sc_core::sc_module_name& name, const ViewContext& context, std::size_t slice, Slice& registers)
    : sc_module(name),
      channels_(registers, RouterId{slice}, static_cast<unsigned>(context.topology.port_count(RouterId{slice})),
                context.clocks[0].cycle()),
      output_arbiter_("output_arbiter"),
      network_interface_("network_interface"),
      output_unit_("output_unit"),
      ejection_("ejection"),
      input_queue_("input_queue") {
  const auto place = [&](auto& stage, std::size_t step) {
    stage.clk_i(context.clocks[step]);
    stage.bind(channels_);
  };
  place(output_arbiter_, 0);
  place(network_interface_, 0);
  place(output_unit_, 1);
  place(ejection_, 2);
  place(input_queue_, 3);
}

}  // namespace braid::models::stages::virtual_cut_through
