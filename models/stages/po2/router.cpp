#include "models/stages/po2/router.h"

#include "models/families/po2/fabric.h"
#include "models/stages/base/module_list.h"

namespace braid::models::stages::po2 {
namespace {

class View final : public HardwareView {
 public:
  explicit View(const ViewContext& context) : routers_(context.slices) {
    models::po2::Fabric& fabric = models::po2::of(context.fabric);
    const models::FabricContext& made_from = fabric.context();
    for (std::size_t s = 0; s < fabric.slice_count(); ++s) {
      const std::string name = module_name("router", context.topology.router_names[s]);
      const Site site{made_from.configuration, made_from.topology, made_from.routing, RouterId{s}};
      routers_.add(name.c_str(), context, site, fabric.slice(s));
    }
  }

 private:
  ModuleList<Router> routers_;
};

class Factory final : public ViewFactory {
 public:
  std::size_t steps() const override { return kSteps; }
  std::unique_ptr<HardwareView> make(const ViewContext& context) const override {
    return std::make_unique<View>(context);
  }
};

const bool po2_view_registered =
    ViewRegistry::instance().add("po2", "a module a stage", [] { return std::make_unique<Factory>(); });

}  // namespace

Router::Router(const sc_core::sc_module_name& name, const ViewContext& context, const Site& site, Slice& registers)
    : sc_module(name),
      channels_(registers, site, context.clocks[0]),
      offer_unit_("offer_unit", site),
      buffer_pool_("buffer_pool", site),
      link_controller_("link_controller", site),
      route_unit_("route_unit", site),
      message_scheduler_("message_scheduler", site,
                         [run = context.run_nodes, slice = site.router.value] { run(slice); }) {
  const auto place = [&](auto& stage, std::size_t step) {
    stage.clk_i(context.clocks[step]);
    stage.bind(channels_);
  };
  place(offer_unit_, 0);
  place(buffer_pool_, 1);
  place(link_controller_, 2);
  place(route_unit_, 3);
  place(message_scheduler_, 4);
}

}  // namespace braid::models::stages::po2
