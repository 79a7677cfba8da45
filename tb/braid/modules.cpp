// braid modules: the hardware view of an experiment's network, as the SystemC modules that process per stage makes.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <systemc>

#include "models/engine/engine.h"
#include "models/experiment/json_file.h"
#include "models/experiment/simulation.h"
#include "models/stages/base/block_diagram.h"
#include "tb/braid/commands.h"
#include "tb/braid/stream_experiment.h"

namespace braid::tb {
namespace {

using models::stages::ModuleTree;
using models::stages::PortBinding;

void collect(const ModuleTree& tree, std::vector<std::string>& names) {
  names.push_back(tree.name);
  for (const ModuleTree& module : tree.modules) collect(module, names);
}

void print(const ModuleTree& tree, std::size_t indent) {
  fmt::print("{:{}}{}\n", "", indent, tree.name);
  for (const PortBinding& port : tree.ports) {
    fmt::print("{:{}}{:3} {:20} {:4}  {}\n", "", indent + 2, port.output ? "out" : "in", port.name, port.bits,
               port.channel);
  }
  for (const ModuleTree& module : tree.modules) print(module, indent + 2);
}

boost::json::object json_of(const ModuleTree& tree) {
  boost::json::array ports, modules;
  for (const PortBinding& port : tree.ports) {
    ports.push_back({{"name", port.name},
                     {"direction", port.output ? "out" : "in"},
                     {"bits", port.bits},
                     {"channel", port.channel}});
  }
  for (const ModuleTree& module : tree.modules) modules.push_back(json_of(module));
  return {{"name", tree.name}, {"ports", std::move(ports)}, {"modules", std::move(modules)}};
}

const sc_core::sc_object& module_named(const std::string& name) {
  const sc_core::sc_object* module = sc_core::sc_find_object(name.c_str());
  if (module != nullptr && std::string(module->kind()) == "sc_module") return *module;
  std::vector<std::string> names;
  collect(models::stages::module_tree(*sc_core::sc_find_object("network")), names);
  throw InputError(unknown_name("module", name, names));
}

}  // namespace

int show_modules(const Options& options) {
  models::Experiment experiment = experiment_of(options);
  experiment.set("simulation.schedule", "process_per_stage");
  models::Simulation simulation(experiment);
  simulation.engine();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // binds ports
  const sc_core::sc_object& module = module_named(options.arguments.size() > 1 ? options.arguments[1] : "network");
  const ModuleTree tree = models::stages::module_tree(module);
  if (options.prints()) print(tree, 0);
  if (!options.json.empty()) models::write_file(options.json, models::pretty(json_of(tree)));
  if (!options.mermaid.empty()) models::write_file(options.mermaid, models::stages::block_diagram(module));
  return kSuccess;
}

}  // namespace braid::tb
