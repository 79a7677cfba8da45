#include "models/stages/base/block_diagram.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/stages/base/register_channel.h"
#include "models/stages/base/step_clock.h"

namespace braid::models::stages {
namespace {

constexpr const char* kOutside = "outside";

bool is_module(const sc_core::sc_object& object) { return std::string(object.kind()) == "sc_module"; }

/// The channel that a port is bound to, if it is one of ours that carries bits.
RegisterChannel* channel_of(sc_core::sc_port_base& port) {
  return dynamic_cast<RegisterChannel*>(port.get_interface());
}

bool is_output(const sc_core::sc_object& port) { return std::string(port.kind()) != "sc_in"; }

template <class Visit>
void for_each_port(const sc_core::sc_object& module, Visit visit) {
  for (sc_core::sc_object* child : module.get_child_objects()) {
    if (auto* port = dynamic_cast<sc_core::sc_port_base*>(child)) visit(*child, *port);
  }
}

PortBinding binding_of(const sc_core::sc_object& object, sc_core::sc_port_base& port) {
  PortBinding binding{object.basename(), is_output(object), 1, ""};
  if (const auto* clock = dynamic_cast<StepClock*>(port.get_interface())) binding.channel = clock->name();
  if (const RegisterChannel* channel = channel_of(port)) {
    binding.bits = channel->width();
    binding.channel = channel->name();
  }
  return binding;
}

/// Who writes and reads a channel, among the modules inside one.
struct Ends {
  unsigned bits = 0;
  std::set<std::string> writers, readers;
};

std::map<std::string, Ends> ends_inside(const sc_core::sc_object& module) {
  std::map<std::string, Ends> channels;
  for (const sc_core::sc_object* child : module.get_child_objects()) {
    if (!is_module(*child)) continue;
    for_each_port(*child, [&](const sc_core::sc_object& object, sc_core::sc_port_base& port) {
      const RegisterChannel* channel = channel_of(port);
      if (channel == nullptr) return;
      Ends& ends = channels[channel->basename()];
      ends.bits = channel->width();
      (is_output(object) ? ends.writers : ends.readers).insert(child->basename());
    });
  }
  return channels;
}

}  // namespace

ModuleTree module_tree(const sc_core::sc_object& module) {
  ModuleTree tree{module.name(), {}, {}};
  for_each_port(module, [&](const sc_core::sc_object& object, sc_core::sc_port_base& port) {
    tree.ports.push_back(binding_of(object, port));
  });
  for (const sc_core::sc_object* child : module.get_child_objects()) {
    if (is_module(*child)) tree.modules.push_back(module_tree(*child));
  }
  return tree;
}

std::string block_diagram(const sc_core::sc_object& module) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> arrows;  // from, to: what
  for (auto& [name, ends] : ends_inside(module)) {
    if (ends.writers.empty()) ends.writers.insert(kOutside);
    if (ends.readers.empty()) ends.readers.insert(kOutside);
    for (const std::string& from : ends.writers) {
      for (const std::string& to : ends.readers) {
        if (from != to) arrows[{from, to}].push_back(fmt::format("{} {}", name, ends.bits));
      }
    }
  }
  std::string text = "flowchart LR\n";
  for (const auto& [ends, names] : arrows) {
    text += fmt::format("  {} -- \"{}\" --> {}\n", ends.first, fmt::join(names, "<br>"), ends.second);
  }
  return text;
}

}  // namespace braid::models::stages
