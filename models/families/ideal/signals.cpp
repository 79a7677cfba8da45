// What a waveform shows of the ideal network: there are no routers, so what each node sends and takes in a cycle.
#include <fmt/format.h>

#include "models/families/ideal/fabric.h"

namespace braid::models::ideal {

class Fabric::Signals final : public SignalSource {
 public:
  Signals(const Fabric& fabric, SignalTable& table, const std::vector<RouterId>& routers)
      : fabric_(fabric), nodes_(fabric.ports_.size()) {
    std::vector<bool> chosen(fabric.topology_->router_count());
    for (const RouterId r : routers) chosen[r.value] = true;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (!chosen[fabric.topology_->router_of(NodeId{n}).value]) continue;
      const std::string scope = fmt::format("node_{}", n);
      nodes_[n].queued = table.add_shown(scope, "queued", 16);
      for (std::size_t p = 0; p < fabric.ports_[n]; ++p) {
        nodes_[n].sends.push_back(table.add_packet(scope, fmt::format("sends{}", p)));
      }
      nodes_[n].comes = table.add_packet(scope, "comes");
      if (fabric.options_.queue_at_receiver) nodes_[n].held = table.add_shown(scope, "held", 16);
    }
  }
  void sample(std::uint64_t) override {
    std::size_t port = 0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      std::uint64_t queued = 0;
      for (std::size_t p = 0; p < fabric_.ports_[n]; ++p) queued += fabric_.queued_by_port_[port++];
      Node& node = nodes_[n];
      if (node.queued == nullptr) continue;
      node.queued->value = queued;
      for (Signal* s : node.sends) s->value = 0;
      node.comes->value = 0;
      if (node.held != nullptr) node.held->value = fabric_.at_receiver_[n].waiting.size();
    }
    for (const Crossing& c : fabric_.on_links_) take(fabric_.store_[c.packet]);
  }

 private:
  struct Node {
    Signal* queued = nullptr;    // packets at the source, those on their way out included; null: not traced
    std::vector<Signal*> sends;  // [local port] packet of a flit on a link from here
    Signal* comes = nullptr;     // the last named of those to here
    Signal* held = nullptr;      // flits that wait at the receiver; null: none ever does
  };
  void take(const Packet& packet) {
    const std::uint64_t number = packet_number(packet.source.value, packet.sequence);
    for (Signal* s : nodes_[packet.source.value].sends) {
      if (s->value != 0) continue;
      s->value = number;
      break;
    }
    if (nodes_[packet.destination.value].comes != nullptr) nodes_[packet.destination.value].comes->value = number;
  }

  const Fabric& fabric_;
  std::vector<Node> nodes_;
};

std::unique_ptr<SignalSource> Fabric::signals(SignalTable& table, const std::vector<RouterId>& routers) const {
  if (topology_ == nullptr) return nullptr;
  return std::make_unique<Signals>(*this, table, routers);
}

}  // namespace braid::models::ideal
