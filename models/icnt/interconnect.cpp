#include <algorithm>
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
      : configuration(read_configuration(text, name)),
        nodes(place_devices(configuration, shader_count, memories)),
        wiring(make_wiring(configuration)),
        shaders(shader_count) {
    for (unsigned subnet = 0; subnet < configuration.subnets; ++subnet)
      subnets.push_back(std::make_unique<Subnet>(configuration, wiring));
  }

  unsigned flits(unsigned bytes) const {
    return bytes / configuration.flit_size + (bytes % configuration.flit_size != 0);
  }
  bool is_shader(unsigned device) const { return device < shaders; }
  Subnet& sends_over(unsigned device) const { return *subnets[is_shader(device) || subnets.size() == 1 ? 0 : 1]; }
  Subnet& receives_over(unsigned device) const { return *subnets[is_shader(device) && subnets.size() == 2 ? 1 : 0]; }

  void check_device(unsigned device) const {
    if (device >= nodes.size())
      throw Error(configuration.name + ": device " + std::to_string(device) + ", expected 0 to " +
                  std::to_string(nodes.size() - 1));
  }
  /// Throws where such a packet could never be sent, or never be popped.
  void check_length(unsigned bytes) const {
    if (bytes == 0) throw Error(configuration.name + ": a packet of 0 bytes has no flit, expected 1 byte or more");
    const unsigned length = flits(bytes);
    if (length > configuration.input_buffer) too_long(bytes, "input_buffer_size", configuration.input_buffer);
    if (length > configuration.boundary_buffer) too_long(bytes, "boundary_buffer_size", configuration.boundary_buffer);
  }
  [[noreturn]] void too_long(unsigned bytes, const char* key, unsigned room) const {
    throw Error(configuration.name + ": a packet of " + std::to_string(bytes) + " bytes has " +
                std::to_string(flits(bytes)) + " flits, and " + key + " holds " + std::to_string(room));
  }
  bool room(unsigned device, unsigned bytes) const {
    return sends_over(device).waiting(nodes[device]) + flits(bytes) <= configuration.input_buffer;
  }

  Configuration configuration;
  std::vector<unsigned> nodes;  ///< [device]
  Wiring wiring;
  unsigned shaders;
  std::vector<std::unique_ptr<Subnet>> subnets;
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
  seat_->check_device(device);
  seat_->check_length(bytes);
  return seat_->room(device, bytes);
}

void Interconnect::push(unsigned from, unsigned to, void* payload, unsigned bytes, Kind kind) {
  const Seat& seat = *seat_;
  seat.check_device(from);
  seat.check_device(to);
  seat.check_length(bytes);
  if (kind < kReadRequest || kind > kWriteReply)
    throw Error(seat.configuration.name + ": kind " + std::to_string(kind) + ", expected 0 to 3");
  if (seat.subnets.size() == 2 && seat.is_shader(from) == seat.is_shader(to))
    throw Error(seat.configuration.name + ": from device " + std::to_string(from) + " to device " + std::to_string(to) +
                ": with subnets = 2 shaders send to memories and memories to shaders");
  if (!seat.room(from, bytes))
    throw Error(seat.configuration.name + ": device " + std::to_string(from) + " has no room for " +
                std::to_string(bytes) + " bytes; ask has_buffer() first");
  seat.sends_over(from).push(seat.nodes[from], seat.nodes[to], payload, seat.flits(bytes),
                             seat.configuration.range_of_kind[kind]);
}

void* Interconnect::pop(unsigned device) {
  seat_->check_device(device);
  Subnet& subnet = seat_->receives_over(device);
  const unsigned node = seat_->nodes[device];
  return subnet.can_pop(node) ? subnet.pop(node) : nullptr;
}

void* Interconnect::top(unsigned device) const {
  seat_->check_device(device);
  const Subnet& subnet = seat_->receives_over(device);
  const unsigned node = seat_->nodes[device];
  return subnet.can_pop(node) ? subnet.top(node) : nullptr;
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

unsigned Interconnect::node_of(unsigned device) const {
  seat_->check_device(device);
  return seat_->nodes[device];
}

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
  for (unsigned device = 0; device < seat_->nodes.size(); ++device) {
    const unsigned waiting = seat_->sends_over(device).waiting(seat_->nodes[device]);
    const bool complete = seat_->receives_over(device).can_pop(seat_->nodes[device]);
    if (waiting == 0 && !complete) continue;
    out << "braid_icnt device " << device << ": " << waiting << " flits to inject"
        << (complete ? ", a packet to pop" : "") << "\n";
  }
}

}  // namespace braid::models::icnt
