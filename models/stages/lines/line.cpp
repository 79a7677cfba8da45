#include "models/stages/lines/line.h"

namespace braid::models::stages::lines {

Line::Line(const sc_core::sc_module_name& name, const BroadcastLineContext& context)
    : Stage(name),
      drive_i("drive_i", context.nodes.size()),
      arrive_o("arrive_o", context.nodes.size()),
      own_(std::make_unique<BroadcastLine>(context)) {}

Line::Line(const sc_core::sc_module_name& name, Channels& channels)
    : Stage(name),
      drive_i("drive_i", channels.stations.size()),
      arrive_o("arrive_o", channels.stations.size()),
      channels_(&channels) {
  for (std::size_t p = 0; p < channels.stations.size(); ++p) {
    drive_i[p](channels.stations[p].drive);
    arrive_o[p](channels.stations[p].arrive);
  }
}

void Line::step(std::uint64_t cycle) {
  if (channels_ != nullptr) return channels_->line().bring(cycle);
  on_ports(cycle);
}

/// Its clock rises behind the stations' in a cycle: what comes in the next is on the ports when they look.
void Line::on_ports(std::uint64_t cycle) {
  const auto station = [](std::size_t p) { return static_cast<std::uint32_t>(p); };
  for (std::size_t p = 0; p < drive_i.size(); ++p) {
    const Bits& drive = drive_i[p]->read();
    const std::vector<std::uint32_t> wires = driven_by(own_->unit(station(p)));
    for (unsigned i = 0; i < wires.size(); ++i) {
      if (drive[i]) own_->drive(wires[i], cycle);
    }
  }
  own_->bring(cycle + 1);
  for (std::size_t p = 0; p < arrive_o.size(); ++p) {
    const std::vector<std::uint32_t>& wires = own_->unit(station(p)).in();
    Bits arrive(static_cast<unsigned>(wires.size()));
    for (unsigned i = 0; i < wires.size(); ++i) arrive.set(i, own_->wires()[wires[i]].arrived_last == cycle + 1);
    arrive_o[p]->write(arrive);
  }
}

}  // namespace braid::models::stages::lines
