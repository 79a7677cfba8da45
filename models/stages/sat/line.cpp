#include "models/stages/sat/line.h"

namespace braid::models::stages::sat {
namespace {

/// Throws InputError for one that needs the network's links.
std::unique_ptr<EventLine> line_of_wires(const routing::Topology& topology, const Configuration& configuration) {
  const std::string carrier = sat_options().read(configuration).carrier;
  auto line = EventLineRegistry::instance().make(carrier, topology, configuration);
  if (dynamic_cast<PacketLine*>(line.get()) == nullptr) return line;
  throw InputError("sat.carrier = \"" + carrier +
                   "\" has no wires: a line that stands alone needs some; expected another carrier");
}

}  // namespace

/// What the carrier asks and tells stations, noted down for them.
class Line::AtStations final : public Stops {
 public:
  AtStations(Line& line, std::vector<SatStations::Visit>& visits, std::uint64_t cycle)
      : line_(line), visits_(visits), cycle_(cycle) {}
  void receive(NodeId node, std::uint64_t cycle) override {
    (cycle > cycle_ ? at(node).arrives : at(node).here) = true;
  }
  bool try_release(NodeId node, std::uint64_t) override {
    const bool satisfied =
        line_.channels_ != nullptr ? line_.channels_->satisfied(node) : line_.satisfied_i[node.value]->read()[0];
    if (satisfied) at(node).leaves = true;
    return satisfied;
  }

 private:
  SatStations::Visit& at(NodeId node) {
    line_.visited_.push_back(node);
    return visits_[node.value];
  }
  Line& line_;
  std::vector<SatStations::Visit>& visits_;
  std::uint64_t cycle_;
};

Line::Line(const sc_core::sc_module_name& name, const routing::Topology& topology, const Configuration& configuration)
    : Line(name, std::make_unique<Own>(line_of_wires(topology, configuration)), topology.node_count()) {}

Line::Line(const sc_core::sc_module_name& name, std::unique_ptr<Own> own, std::size_t nodes)
    : Stage(name),
      satisfied_i("satisfied_i", nodes),
      signal_o("signal_o", nodes),
      signal_now_o("signal_now_o", nodes),
      signal_leaves_o("signal_leaves_o", nodes),
      wire_o("wire_o", own->table.signals().size()),
      own_(std::move(own)),
      visits_(nodes) {}

Line::Line(const sc_core::sc_module_name& name, Channels& channels)
    : Stage(name),
      satisfied_i("satisfied_i", channels.stations.size()),
      signal_o("signal_o", channels.stations.size()),
      signal_now_o("signal_now_o", channels.stations.size()),
      signal_leaves_o("signal_leaves_o", channels.stations.size()),
      wire_o("wire_o", channels.wires.size()),
      channels_(&channels) {
  for (std::size_t n = 0; n < satisfied_i.size(); ++n) {
    satisfied_i[n](channels.stations[n].satisfied);
    signal_o[n](channels.stations[n].signal);
    signal_now_o[n](channels.stations[n].signal_now);
    signal_leaves_o[n](channels.stations[n].signal_leaves);
  }
  for (std::size_t w = 0; w < wire_o.size(); ++w) wire_o[w](*channels.wires[w]);
}

void Line::step(std::uint64_t cycle) {
  std::vector<SatStations::Visit>& visits = channels_ != nullptr ? channels_->visits() : visits_;
  for (const NodeId node : visited_) visits[node.value] = {};
  visited_.clear();
  AtStations stops(*this, visits, cycle);
  EventLine& carrier = channels_ != nullptr ? channels_->gate().carrier() : *own_->line;
  carrier.step(cycle, stops);
  if (channels_ == nullptr) write_ports(cycle);
}

void Line::write_ports(std::uint64_t cycle) {
  for (std::size_t n = 0; n < visits_.size(); ++n) {
    signal_o[n]->write(Bits(1, visits_[n].arrives ? 1 : 0));
    signal_now_o[n]->write(Bits(1, visits_[n].here ? 1 : 0));
    signal_leaves_o[n]->write(Bits(1, visits_[n].leaves ? 1 : 0));
  }
  own_->values->sample(cycle);
  for (std::size_t w = 0; w < wire_o.size(); ++w) {
    const Signal& wire = own_->table.signals()[w];
    wire_o[w]->write(Bits(wire.bits, wire.value));
  }
}

}  // namespace braid::models::stages::sat
