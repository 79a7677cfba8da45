// The model's stages behind pins: flits come with their data and leave with them.
#pragma once

#include <memory>
#include <unordered_map>

#include "models/fabric/packet_store.h"
#include "models/pins/link_rules.h"
#include "models/pins/lone_router.h"
#include "models/rtl/idle_watch.h"
#include "models/rtl/wires.h"

namespace braid::models::pins {

class ModelledRouter final : public hybrid::WiredRouter {
 public:
  explicit ModelledRouter(const RouterPlace& place);
  void reset_wires(const hybrid::RouterSite& site) override;
  void clock_wires(const hybrid::WireInputs& in, hybrid::WireOutputs& out) override;

 private:
  void check_circuit(std::uint32_t port, std::uint32_t lane) const;
  void check_stands(const hybrid::ControlWires& wires, const char* pin);
  hybrid::VcIndex row(std::uint32_t port, std::uint32_t lane) const {
    return router_->bank().vc_index(router_->bank().port_index(place_.router, PortId{std::size_t{port}}), lane);
  }
  void take(const hybrid::WireInputs& in);
  hybrid::ControlPins control(const hybrid::ControlWires& wires, const char* pin);
  PacketSlot keep(std::uint32_t port, const hybrid::FlitWires& flit);
  void give(const hybrid::RouterOutputs& modelled, hybrid::WireOutputs& out);

  const RouterPlace& place_;
  LinkRules rules_;
  std::shared_ptr<PacketStore> store_ = shared_packets();
  PacketStore::Pool pool_{*store_};
  hybrid::FlitCodec codec_;
  std::unique_ptr<LoneRouter> router_;
  std::unordered_map<PacketSlot, hybrid::FlitData> inside_;  // a flit inside is a packet of its own to the stages
  hybrid::RouterInputs inputs_;
  hybrid::IdleWatch idle_;
  std::uint64_t cycle_ = 0;
};

}  // namespace braid::models::pins
