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
    : ClockedPins(name),
      link_valid_i("link_valid_i"),
      link_head_i("link_head_i"),
      link_tail_i("link_tail_i"),
      link_lane_i("link_lane_i"),
      credit_o("credit_o"),
      link_valid_o("link_valid_o"),
      link_head_o("link_head_o"),
      link_tail_o("link_tail_o"),
      link_lane_o("link_lane_o"),
      credit_i("credit_i"),
      place_(std::make_unique<RouterPlace>(experiment, router_of_node(experiment, node))),
      id_(node),
      node_(*place_, node) {
  make_pins(ports().size(), link_valid_i, link_head_i, link_tail_i, link_lane_i, credit_o, link_valid_o, link_head_o,
            link_tail_o, link_lane_o, credit_i);
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
    expect(link_valid_i[i], true, "flits from " + router);
    expect(link_head_i[i], true, "flits from " + router);
    expect(link_tail_i[i], true, "flits from " + router);
    expect(link_lane_i[i], true, "flits from " + router);
    expect(credit_o[i], true, "credits back to " + router);
    expect(link_valid_o[i], true, "flits to " + router);
    expect(link_head_o[i], true, "flits to " + router);
    expect(link_tail_o[i], true, "flits to " + router);
    expect(link_lane_o[i], true, "flits to " + router);
    expect(credit_i[i], true, "credits from " + router);
    check_data_pins(i);
    watch(link_valid_i[i]);
    watch(credit_i[i]);
  }
  check_circuit_pins();
}

void BraidNodeBase::check_circuit_pins() {
  const bool circuits = place_->options.circuits;
  const char* why = "requests to the router's set-up unit: this experiment has circuits";
  expect(request_valid_o, circuits, why);
  expect(request_port_o, circuits, why);
  expect(request_lane_o, circuits, why);
  expect(request_kind_o, circuits, why);
  expect(request_search_o, circuits, why);
  expect(request_destination_o, circuits, why);
  expect(outcome_valid_i, circuits, "how a search has ended: this experiment has circuits");
  expect(outcome_success_i, circuits, "how a search has ended: this experiment has circuits");
  watch(outcome_valid_i);
}

void BraidNodeBase::enter_reset() {
  node_.reset();
  asked_.clear();
  circuit_.reset();
  outputs_ = {};
  write_links(true);
}

void BraidNodeBase::clock_edge() {
  while (!asked_.empty() && asked_.front().at < sc_core::sc_time_stamp()) {
    const std::function<void()> what = std::move(asked_.front().what);
    asked_.pop_front();
    what();
  }
  for (std::size_t i = 0; i < ports().size(); ++i) {
    const std::uint32_t p = ports()[i];
    router_.credits[p] = credit_i[i].read().to_uint();
    hybrid::FlitWires& link = router_.links[p];
    link.valid = link_valid_i[i].read();
    if (!link.valid) continue;
    link.head = link_head_i[i].read();
    link.tail = link_tail_i[i].read();
    link.lane = link_lane_i[i].read().to_uint();
    read_data(i, link.data);
  }
  if (place_->options.circuits) {
    router_.outcome = outcome_valid_i.read();
    router_.success = outcome_success_i.read();
  }
  node_.clock(router_, outputs_);
  write_links(false);
}

void BraidNodeBase::write_links(bool all) {
  for (std::size_t i = 0; i < ports().size(); ++i) {
    const hybrid::FlitWires& link = outputs_.links[ports()[i]];
    credit_o[i].write(outputs_.credits[ports()[i]]);
    link_valid_o[i].write(link.valid);
    if (!link.valid && !all) continue;
    link_head_o[i].write(link.head);
    link_tail_o[i].write(link.tail);
    link_lane_o[i].write(link.lane);
    write_data(i, link.data);
  }
  const hybrid::ControlWires& request = outputs_.request;
  request_valid_o.write(request.valid);
  if (!request.valid && !all) return;
  request_port_o.write(request.port);
  request_lane_o.write(request.circuit);
  request_kind_o.write(static_cast<unsigned>(request.kind));
  request_search_o.write(request.search);
  request_destination_o.write(request.destination);
}

}  // namespace braid::models::pins
