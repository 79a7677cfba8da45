#include "models/stages/virtual_cut_through/router_stage.h"

namespace braid::models::stages::virtual_cut_through {

/// A network of which only one router does anything, and there only one stage.
struct RouterStage::Own final : PacketSink {
  explicit Own(const Place& place)
      : slicing(place.topology.router_count(), place.topology.router_count()),
        fabric({place.configuration, place.topology, place.routing, store, slicing}),
        channels(fabric.slice(place.router.value), place.router,
                 static_cast<unsigned>(place.topology.port_count(place.router)), cycle, &store) {
    for (std::size_t s = 0; s < fabric.slice_count(); ++s) fabric.set_sink(s, this);
  }
  bool admit(PacketSlot) override { return true; }
  void deliver(std::uint64_t, PacketSlot) override {}
  void sent(std::uint64_t, PacketSlot) override {}
  /// What the stage has sent goes to no other.
  void drain() {
    for (std::size_t s = 0; s < fabric.slice_count(); ++s) {
      for (auto* channel : fabric.slice(s).incoming()) channel->at(cycle) = {};
    }
  }

  PacketStore store;
  Slicing slicing;
  models::virtual_cut_through::Fabric fabric;
  std::uint64_t cycle = 0;
  RouterChannels channels;
};

RouterStage::RouterStage(const sc_core::sc_module_name& name, const Place& place)
    : Stage(name), own_(std::make_unique<Own>(place)) {}

RouterStage::RouterStage(const sc_core::sc_module_name& name) : Stage(name) {}

RouterStage::~RouterStage() = default;

void RouterStage::bind(RouterChannels& router) {
  const Connections ports = connections(router);
  for (const auto& [port, channel] : ports.inputs) (*port)(*channel);
  for (const auto& [port, channel] : ports.outputs) (*port)(*channel);
}

void RouterStage::end_of_elaboration() {
  Stage::end_of_elaboration();
  if (own_) {
    ports_ = connections(own_->channels);
  } else {
    router_ = dynamic_cast<RouterChannels*>(bank());
  }
}

void RouterStage::step(std::uint64_t cycle) {
  if (router_ != nullptr) return on_bank(*router_, cycle);
  if (!own_) return;
  own_->cycle = cycle;
  own_->channels.slice().ending().clear();
  own_->channels.clear_grants();
  for (const auto& [port, channel] : ports_.inputs) channel->load(port->read());
  on_ports(own_->channels, cycle);
  for (const auto& [port, channel] : ports_.outputs) port->write(channel->read());
  own_->drain();
}

}  // namespace braid::models::stages::virtual_cut_through
