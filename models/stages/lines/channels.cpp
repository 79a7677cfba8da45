#include "models/stages/lines/channels.h"

#include <fmt/format.h>

#include <utility>

namespace braid::models::stages::lines {

std::vector<std::uint32_t> driven_by(const BroadcastUnit& unit) {
  std::vector<std::uint32_t> wires = unit.at_once();
  wires.insert(wires.end(), unit.when_done().begin(), unit.when_done().end());
  return wires;
}

Channels::Channels(BroadcastLine& line, const StepClock& clock)
    : line_(line), clock_(clock), requested(make_count("requested", [this] { return line_.requested(); })) {
  for (std::uint32_t p = 0; p < line.size(); ++p) make_station(p);
}

RegisterChannel& Channels::make(const std::string& name, std::size_t width, Gather gather) {
  return channels_.add(name.c_str(), static_cast<unsigned>(width), *this, std::move(gather));
}

RegisterChannel& Channels::make_count(const std::string& name, std::function<std::uint64_t()> count) {
  return make(name, kCountBits, [count = std::move(count)](Bits& b) { b.set(0, kCountBits, count()); });
}

void Channels::make_station(std::uint32_t position) {
  const std::string of = fmt::format("node{}_", line_.node(position).value);
  const BroadcastUnit& unit = line_.unit(position);
  const auto pulses = [&](const char* name, std::vector<std::uint32_t> wires,
                          std::uint64_t BroadcastWire::* last) -> RegisterChannel& {
    const std::size_t width = wires.size();
    return make(of + name, width, [this, last, wires = std::move(wires)](Bits& b) {
      for (unsigned i = 0; i < wires.size(); ++i) b.set(i, line_.wires()[wires[i]].*last == clock_.cycle());
    });
  };
  stations.push_back({pulses("arrive", unit.in(), &BroadcastWire::arrived_last),
                      pulses("drive", driven_by(unit), &BroadcastWire::driven_last),
                      make(of + "handled", 1, [](Bits& b) { b.set(0); }),
                      make(of + "state", kStateBits,
                           [&unit](Bits& b) { b.set(0, kStateBits, static_cast<std::uint64_t>(unit.state())); }),
                      make_count(of + "begun", [&unit] { return unit.begun(); }),
                      make_count(of + "finished", [&unit] { return unit.finished(); })});
}

}  // namespace braid::models::stages::lines
