// The ideal network as modules: its links, what decides which of them send, and a receiver a node. There are no
// routers.
//
// Steps of a cycle (models/stages/base/step_clock.h): links; receivers; what is behind the nodes is given what came;
// the links' scheduler; what the nodes send.
#include <fmt/format.h>

#include <memory>

#include "models/stages/base/hardware_view.h"
#include "models/stages/base/module_list.h"
#include "models/stages/base/nodes.h"
#include "models/stages/ideal/link_scheduler.h"
#include "models/stages/ideal/links.h"
#include "models/stages/ideal/receiver.h"

namespace braid::models::stages::ideal {
namespace {

enum Step : std::size_t { kLinks, kReceivers, kDeliveries, kScheduler, kNodes, kSteps };

/// Hands over what came, node by node: no hardware of the network's.
class Deliveries final : public Stage {
 public:
  Deliveries(const sc_core::sc_module_name& name, models::ideal::Fabric& fabric) : Stage(name), fabric_(fabric) {}

 private:
  void step(std::uint64_t cycle) override { fabric_.deliver(cycle); }
  models::ideal::Fabric& fabric_;
};

class View final : public HardwareView {
 public:
  View(const ViewContext& context, models::ideal::Fabric& fabric)
      : channels_(fabric),
        links_("links", channels_),
        deliveries_("deliveries", fabric),
        scheduler_("link_scheduler", channels_),
        nodes_("nodes", context),
        receivers_(channels_.nodes.size()) {
    links_.clk_i(context.clocks[kLinks]);
    deliveries_.clk_i(context.clocks[kDeliveries]);
    scheduler_.clk_i(context.clocks[kScheduler]);
    nodes_.clk_i(context.clocks[kNodes]);
    for (std::size_t n = 0; n < channels_.nodes.size(); ++n) {
      receivers_.add(fmt::format("receiver_{}", n).c_str(), channels_, NodeId{n}).clk_i(context.clocks[kReceivers]);
    }
  }

 private:
  Channels channels_;
  Links links_;
  Deliveries deliveries_;
  LinkScheduler scheduler_;
  Nodes nodes_;
  ModuleList<Receiver> receivers_;  // [node]
};

class Factory final : public ViewFactory {
 public:
  std::size_t steps() const override { return kSteps; }
  std::unique_ptr<HardwareView> make(const ViewContext& context) const override {
    return std::make_unique<View>(context, dynamic_cast<models::ideal::Fabric&>(context.fabric));
  }
};

const bool ideal_view_registered = ViewRegistry::instance().add("ideal", "links, their scheduler and a receiver a node",
                                                                [] { return std::make_unique<Factory>(); });

}  // namespace
}  // namespace braid::models::stages::ideal
