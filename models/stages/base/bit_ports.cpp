#include "models/stages/base/bit_ports.h"

#include <fstream>

#include "models/stages/base/register_channel.h"
#include "routing/base/input_error.h"

namespace braid::models::stages {
namespace {

/// Calls visit(port) for each port of bits, in or out.
template <class In, class Out, class Visit>
void for_each_port(const sc_core::sc_module& module, Visit visit) {
  for (sc_core::sc_object* child : module.get_child_objects()) {
    if (auto* in = dynamic_cast<In*>(child)) visit(*in);
    if (auto* out = dynamic_cast<Out*>(child)) visit(*out);
  }
}

template <class Port>
unsigned width_of(const Port& port) {
  if (auto* in = dynamic_cast<const InBits*>(&port)) return in->width();
  if (auto* out = dynamic_cast<const OutBits*>(&port)) return out->width();
  return 0;
}

}  // namespace

void check_widths(const sc_core::sc_module& module) {
  for_each_port<InBits, OutBits>(module, [](auto& port) {
    auto* channel = dynamic_cast<RegisterChannel*>(port.get_interface());
    const unsigned bound = channel != nullptr ? channel->width() : port->read().width();
    if (port.width() == 0 || port.width() == bound) return;
    throw InputError(std::string(port.name()) + ": a port of " + std::to_string(port.width()) +
                     " bits is bound to a signal of " + std::to_string(bound));
  });
}

PortSignals::PortSignals(sc_core::sc_module& module, unsigned width_if_unsaid) {
  using In = sc_core::sc_port_b<sc_core::sc_signal_in_if<Bits>>;
  using Out = sc_core::sc_port_b<sc_core::sc_signal_inout_if<Bits>>;
  for_each_port<In, Out>(module, [&](auto& port) {
    if (port.bind_count() != 0) return;
    const std::string name = port.basename();
    const unsigned said = width_of(port);
    next_.emplace(name, Bits(said == 0 ? width_if_unsaid : said));
    signals_[name] = std::make_unique<Signal>(sc_core::sc_gen_unique_name(name.c_str()), next_.at(name));
    port.bind(*signals_[name]);
  });
}

void PortSignals::set(const std::string& port, unsigned low, unsigned width, std::uint64_t value) {
  next_.at(port).set(low, width, value);
  signals_.at(port)->write(next_.at(port));
}

void PortSignals::resize(const std::string& port, unsigned width) {
  next_[port] = Bits(width);
  signals_.at(port)->write(Bits(width));
}

void PortSignals::clear(const std::string& port) {
  next_.at(port).clear();
  signals_.at(port)->write(next_.at(port));
}

void PortSignals::trace(sc_core::sc_trace_file* file) const {
  for (const auto& [name, signal] : signals_) sc_trace(file, signal->read(), name);
}

void PortSignals::save(const std::string& stem) const {
  std::ofstream file(stem + ".gtkw");
  file << "[dumpfile] \"" << stem << ".vcd\"\n";
  for (const char* const side : {"_i", "_o"}) {
    file << "@200\n-" << (side[1] == 'i' ? "inputs" : "outputs") << "\n@22\n";
    for (const auto& [name, signal] : signals_) {
      if (name.find(side) == std::string::npos) continue;
      const unsigned width = signal->read().width();
      file << "SystemC." << name << (width > 1 ? "[" + std::to_string(width - 1) + ":0]" : "") << "\n";
    }
  }
}

}  // namespace braid::models::stages
