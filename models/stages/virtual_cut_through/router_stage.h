// A stage of a cut-through router. Where all its ports are bound to registers of one router's bank, it calls that
// router's stage function; else it has a router of its own, whose registers it loads from its input ports before the
// same function runs and shows at its output ports afterwards.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "models/families/virtual_cut_through/fabric.h"
#include "models/stages/base/stage.h"
#include "models/stages/virtual_cut_through/router_channels.h"

namespace braid::models::stages::virtual_cut_through {

using InBits = sc_core::sc_in<Bits>;
using OutBits = sc_core::sc_out<Bits>;

/// Where a stage stands that is alone: which router of which network it would be one of.
struct Place {
  const routing::Topology& topology;
  const routing::RoutingAlgorithm& routing;
  const Configuration& configuration;
  RouterId router;
};

class RouterStage : public Stage {
 public:
  ~RouterStage() override;
  /// To the registers of a router.
  void bind(RouterChannels& router);
  bool has_work(std::uint64_t cycle) override { return router_ == nullptr || has_work_on_bank(*router_, cycle); }

 protected:
  /// Which port is which channel. Inputs are loaded in that order.
  struct Connections {
    std::vector<std::pair<InBits*, RegisterChannel*>> inputs;
    std::vector<std::pair<OutBits*, RegisterChannel*>> outputs;
  };
  explicit RouterStage(const sc_core::sc_module_name& name);
  RouterStage(const sc_core::sc_module_name& name, const Place& place);

  virtual Connections connections(RouterChannels& router) = 0;
  /// The stage's part of a cycle.
  virtual void on_bank(RouterChannels& router, std::uint64_t cycle) = 0;
  virtual bool has_work_on_bank(RouterChannels& router, std::uint64_t cycle) = 0;
  /// ... of the stage's own router. What other stages do in a network it may have to do itself.
  virtual void on_ports(RouterChannels& router, std::uint64_t cycle) { on_bank(router, cycle); }

 private:
  struct Own;
  void end_of_elaboration() override;
  void step(std::uint64_t cycle) override;

  RouterChannels* router_ = nullptr;  // null: by the ports
  std::unique_ptr<Own> own_;          // null: in a network
  Connections ports_;                 // of the own router
};

}  // namespace braid::models::stages::virtual_cut_through
