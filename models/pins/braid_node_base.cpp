#include "models/pins/braid_node_base.h"

#include <fmt/format.h>

namespace braid::models::pins {
namespace {

/// The router that carries the node, by name.
std::string router_of_node(const Configuration& experiment, NodeId node) {
  const routing::Topology topology = routing::make_topology(experiment);
  if (node.value >= topology.node_count()) {
    throw InputError(fmt::format("node {}: the network has {}, from 0", node.value, topology.node_count()));
  }
  return topology.router_names[topology.router_of(node).value];
}

}  // namespace

BraidNodeBase::BraidNodeBase(const sc_core::sc_module_name& name, const Configuration& experiment, NodeId node)
    : RequestEnds(name),
      place_(std::make_unique<RouterPlace>(experiment, router_of_node(experiment, node))),
      id_(node),
      node_(*place_, node) {
  make_links(ports().size());
}

// ---------------------------------------------------------------- the user's side

void BraidNodeBase::ask(std::function<void()> what) { asked_.push_back({sc_core::sc_time_stamp(), std::move(what)}); }

std::uint64_t BraidNodeBase::send(NodeId to, FlitList flits) {
  node_.check(to, flits);
  const std::uint64_t packet = next_packet_++;
  ask([this, packet, to, f = std::move(flits)] { node_.send(packet, to, f); });
  return packet;
}

void BraidNodeBase::request_circuit(NodeId to, std::uint32_t search) {
  node_.check_search(search);
  ask([this, to, search] {
    circuit_ = node_.request_circuit(to, search);
    if (!circuit_ && node_.callbacks.outcome) node_.callbacks.outcome(false);
  });
}

std::uint64_t BraidNodeBase::send_on_circuit(CircuitStart circuit, FlitList flits) {
  node_.check(id_, flits);
  const std::uint64_t packet = next_packet_++;
  ask([this, packet, circuit, f = std::move(flits)] { node_.send_on_circuit(packet, circuit, f); });
  return packet;
}

void BraidNodeBase::tear_down(CircuitStart circuit, std::uint32_t search) {
  node_.check_search(search);
  ask([this, circuit, search] { node_.tear_down(circuit, search); });
}

// ---------------------------------------------------------------- the router's side

void BraidNodeBase::check_pins() {
  for (std::size_t i = 0; i < ports().size(); ++i) {
    const std::string router =
        fmt::format("port {} of router {}", ports()[i], place_->topology.router_names[place_->router.value]);
    check_link(i, true,
               {"flits from " + router, "flits to " + router, "credits back to " + router, "credits from " + router});
  }
  check_requests(place_->options.circuits);
}

void BraidNodeBase::enter_reset() {
  node_.reset();
  asked_.clear();
  circuit_.reset();
  outputs_ = {};
  write_pins(true);
}

void BraidNodeBase::clock_edge() {
  while (!asked_.empty() && asked_.front().at < sc_core::sc_time_stamp()) {
    const std::function<void()> what = std::move(asked_.front().what);
    asked_.pop_front();
    what();
  }
  for (std::size_t i = 0; i < ports().size(); ++i) {
    const std::uint32_t p = ports()[i];
    read_link(i, router_.links[p], router_.credits[p]);
  }
  if (place_->options.circuits) read_outcome(router_);
  node_.clock(router_, outputs_);
  write_pins(false);
}

void BraidNodeBase::write_pins(bool all) {
  for (std::size_t i = 0; i < ports().size(); ++i)
    write_link(i, outputs_.links[ports()[i]], outputs_.credits[ports()[i]], all);
  write_request(outputs_.request, all);
}

}  // namespace braid::models::pins
