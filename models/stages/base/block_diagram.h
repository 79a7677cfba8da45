// What modules are bound to what, read from the bindings themselves, so that neither list nor drawing can be wrong.
// After elaboration.
#pragma once

#include <string>
#include <systemc>
#include <vector>

namespace braid::models::stages {

struct PortBinding {
  std::string name;
  bool output = false;
  unsigned bits = 1;
  std::string channel;  ///< that it is bound to; "": a signal of others'
};
/// A module with its ports and what is in it, in the order of construction.
struct ModuleTree {
  std::string name;  ///< with all scopes
  std::vector<PortBinding> ports;
  std::vector<ModuleTree> modules;
};
ModuleTree module_tree(const sc_core::sc_object& module);

/// The modules inside one and what leads from whom to whom, as Mermaid text ("flowchart LR"). What no module of these
/// writes comes from outside, and what none reads leaves.
std::string block_diagram(const sc_core::sc_object& module);

}  // namespace braid::models::stages
