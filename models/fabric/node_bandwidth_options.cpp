#include <string>

#include "models/fabric/node_bandwidth.h"

namespace braid::models {
namespace {

constexpr std::int64_t kMostFlits = 64;
constexpr std::int64_t kMostItems = 1000000000;

}  // namespace

void NodeBandwidth::refuse_estimates() const {
  if (!bounds_packets()) return;
  throw InputError(std::string("interface.") + (packet_injection != 0 ? "packet_injection" : "packet_ejection") +
                   "_flits: only tlm.style = \"cycle_accurate\" keeps to it; the others take a node's local ports, so "
                   "expected 0");
}

const OptionTable<NodeBandwidth>& packet_bandwidth_options() {
  static const OptionTable<NodeBandwidth> table =
      OptionTable<NodeBandwidth>("interface")
          .integer("packet_injection_flits", &NodeBandwidth::packet_injection, 0, kMostFlits,
                   "of packets that a node sends in a cycle, over all its local ports; 0: one a port")
          .integer("packet_ejection_flits", &NodeBandwidth::packet_ejection, 0, kMostFlits,
                   "of packets that a node takes in a cycle, over all its local ports; 0: one a port");
  return table;
}

const OptionTable<NodeBandwidth>& circuit_bandwidth_options() {
  static const OptionTable<NodeBandwidth> table =
      OptionTable<NodeBandwidth>("interface")
          .integer("circuit_injection_flits", &NodeBandwidth::circuit_injection, 0, kMostFlits,
                   "of circuits that a node sends in a cycle, over all its local ports; 0: one a port")
          .integer("circuit_ejection_flits", &NodeBandwidth::circuit_ejection, 0, kMostFlits,
                   "of circuits that a node takes in a cycle, over all its local ports; 0: one a port");
  return table;
}

const OptionTable<NodeBandwidth>& ejection_queue_options() {
  static const OptionTable<NodeBandwidth> table =
      OptionTable<NodeBandwidth>("interface")
          .integer("ejection_queue_items", &NodeBandwidth::ejection_queue_items, 0, kMostItems,
                   "of a stream pushed in packets: items that wait at its consumer beside those that the next firing "
                   "sees; a packet without room stays in the network, which then can block; 0: unbounded");
  return table;
}

bool has_pushed_streams(const Configuration& configuration) {
  const Configuration::Given* transfer = configuration.find("interface.transfer");
  return configuration.has_section("stream") &&
         (transfer == nullptr || transfer->value == OptionValue(std::string("push")));
}

NodeBandwidth read_node_bandwidth(const Configuration& configuration) {
  NodeBandwidth all = packet_bandwidth_options().read(configuration);
  const NodeBandwidth circuits = circuit_bandwidth_options().read(configuration);
  all.circuit_injection = circuits.circuit_injection;
  all.circuit_ejection = circuits.circuit_ejection;
  all.ejection_queue_items = ejection_queue_options().read(configuration).ejection_queue_items;
  return all;
}

}  // namespace braid::models
