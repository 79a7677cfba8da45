#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <ostream>
#include <sstream>
#include <utility>
#include <vector>

#include "models/icnt/configuration.h"
#include "models/icnt/icnt.h"
#include "models/icnt/node_map.h"
#include "models/icnt/subnet.h"
#include "models/icnt/topology.h"

namespace braid::models::icnt {

namespace {

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw Error(name + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

class Interconnect::Seat {
 public:
  Seat(const std::string& text, const std::string& name, unsigned shader_count, unsigned memories)
      : configuration(read_configuration(text, name)), wiring(make_wiring(configuration)), shaders(shader_count) {
    const std::vector<unsigned> nodes = place_devices(configuration, shaders, memories);
    for (unsigned subnet = 0; subnet < configuration.subnets; ++subnet)
      subnets.push_back(std::make_unique<Subnet>(configuration, wiring));
    Subnet* const first = subnets.front().get();
    Subnet* const last = subnets.back().get();
    for (const unsigned node : nodes) {
      const bool shader = devices.size() < shaders;
      devices.push_back({node, shader ? first : last, shader ? last : first});
    }
    const unsigned longest = std::min(configuration.input_buffer, configuration.boundary_buffer);
    for (unsigned bytes = 1; bytes <= kKnownBytes && flits(bytes) <= longest; ++bytes)
      known_flits.push_back(static_cast<std::uint16_t>(flits(bytes)));
  }

  struct Device {
    unsigned node;
    Subnet *sends_over, *receives_over;
  };

  const Device& at(unsigned device) const {
    if (device >= devices.size()) no_device(device);
    return devices[device];
  }
  [[noreturn]] void no_device(unsigned device) const {
    throw Error(configuration.name + ": device " + std::to_string(device) + ", expected 0 to " +
                std::to_string(devices.size() - 1));
  }

  unsigned flits(unsigned bytes) const {
    return bytes / configuration.flit_size + (bytes % configuration.flit_size != 0);
  }
  /// Throws where such a packet could never be sent, or never be popped.
  unsigned checked_flits(unsigned bytes) const {
    return bytes - 1 < known_flits.size() ? known_flits[bytes - 1] : check_flits(bytes);
  }
  unsigned check_flits(unsigned bytes) const {
    if (bytes == 0) throw Error(configuration.name + ": a packet of 0 bytes has no flit, expected 1 byte or more");
    const unsigned length = flits(bytes);
    if (length > configuration.input_buffer) too_long(bytes, "input_buffer_size", configuration.input_buffer);
    if (length > configuration.boundary_buffer) too_long(bytes, "boundary_buffer_size", configuration.boundary_buffer);
    return length;
  }
  [[noreturn]] void too_long(unsigned bytes, const char* key, unsigned room) const {
    throw Error(configuration.name + ": a packet of " + std::to_string(bytes) + " bytes has " +
                std::to_string(flits(bytes)) + " flits, and " + key + " holds " + std::to_string(room));
  }
  bool room(const Device& device, unsigned length) const {
    return device.sends_over->waiting(device.node) + length <= configuration.input_buffer;
  }

  static constexpr unsigned kKnownBytes = 4096;

  Configuration configuration;
  Wiring wiring;
  unsigned shaders;
  std::vector<std::unique_ptr<Subnet>> subnets;
  std::vector<Device> devices;
  std::vector<std::uint16_t> known_flits;  ///< [bytes - 1], of packets that can be served
};

Interconnect::Interconnect(const std::string& file, unsigned shaders, unsigned memories)
    : seat_(std::make_unique<Seat>(read_file(file), file, shaders, memories)) {}
Interconnect::Interconnect(std::unique_ptr<Seat> seat) : seat_(std::move(seat)) {}
Interconnect::~Interconnect() = default;
Interconnect::Interconnect(Interconnect&& other) noexcept = default;
Interconnect& Interconnect::operator=(Interconnect&& other) noexcept = default;

Interconnect Interconnect::from_text(const std::string& text, const std::string& name, unsigned shaders,
                                     unsigned memories) {
  return Interconnect(std::make_unique<Seat>(text, name, shaders, memories));
}

void Interconnect::init() {
  for (auto& subnet : seat_->subnets) subnet->init();
}

bool Interconnect::has_buffer(unsigned device, unsigned bytes) const {
  return seat_->room(seat_->at(device), seat_->checked_flits(bytes));
}

void Interconnect::push(unsigned from, unsigned to, void* payload, unsigned bytes, Kind kind) {
  const Seat& seat = *seat_;
  const Seat::Device& source = seat.at(from);
  const Seat::Device& destination = seat.at(to);
  const unsigned length = seat.checked_flits(bytes);
  if (kind > kWriteReply) throw Error(seat.configuration.name + ": kind " + std::to_string(kind) + ", expected 0 to 3");
  if (source.sends_over != destination.receives_over)
    throw Error(seat.configuration.name + ": from device " + std::to_string(from) + " to device " + std::to_string(to) +
                ": with subnets = 2 shaders send to memories and memories to shaders");
  if (!seat.room(source, length))
    throw Error(seat.configuration.name + ": device " + std::to_string(from) + " has no room for " +
                std::to_string(bytes) + " bytes; ask has_buffer() first");
  source.sends_over->push(source.node, destination.node, payload, length, seat.configuration.range_of_kind[kind]);
}

void* Interconnect::pop(unsigned device) {
  const Seat::Device& at = seat_->at(device);
  return at.receives_over->can_pop(at.node) ? at.receives_over->pop(at.node) : nullptr;
}

void* Interconnect::top(unsigned device) const {
  const Seat::Device& at = seat_->at(device);
  return at.receives_over->can_pop(at.node) ? at.receives_over->top(at.node) : nullptr;
}

void Interconnect::transfer() {
  for (auto& subnet : seat_->subnets) subnet->transfer();
}

bool Interconnect::busy() const {
  return std::any_of(seat_->subnets.begin(), seat_->subnets.end(), [](const auto& subnet) { return subnet->busy(); });
}

unsigned Interconnect::flit_size() const { return seat_->configuration.flit_size; }
unsigned Interconnect::nodes() const { return seat_->wiring.nodes; }
unsigned Interconnect::subnets() const { return static_cast<unsigned>(seat_->subnets.size()); }

unsigned Interconnect::node_of(unsigned device) const { return seat_->at(device).node; }

Totals Interconnect::totals(unsigned subnet) const {
  if (subnet >= subnets())
    throw Error(seat_->configuration.name + ": subnet " + std::to_string(subnet) + ", expected 0 to " +
                std::to_string(subnets() - 1));
  return seat_->subnets[subnet]->totals();
}

void Interconnect::display_stats(std::ostream& out) const {
  for (unsigned subnet = 0; subnet < subnets(); ++subnet) {
    const Totals all = totals(subnet);
    const double complete = static_cast<double>(std::max<std::uint64_t>(all.complete, 1));
    std::ostringstream text;
    text << "braid_icnt subnet " << subnet << ": " << all.cycles << " cycles, " << all.pushed << " packets ("
         << all.flits_pushed << " flits) pushed, " << all.complete
         << " complete; transfers from push to complete: mean " << static_cast<double>(all.latency_sum) / complete
         << ", greatest " << all.latency_greatest << "\n";
    out << text.str();
  }
}

void Interconnect::display_state(std::ostream& out) const {
  for (std::size_t device = 0; device < seat_->devices.size(); ++device) {
    const Seat::Device& at = seat_->devices[device];
    const unsigned waiting = at.sends_over->waiting(at.node);
    const bool complete = at.receives_over->can_pop(at.node);
    if (waiting == 0 && !complete) continue;
    out << "braid_icnt device " << device << ": " << waiting << " flits to inject"
        << (complete ? ", a packet to pop" : "") << "\n";
  }
}

}  // namespace braid::models::icnt
