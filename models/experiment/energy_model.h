// What one event in a router takes, and what a router's parts take of the chip: fits to DSENT's figures, and to our own
// netlist where circuits are. Every coefficient with its source: docs/energy.md.
#pragma once

#include <cstdint>

namespace braid::models {

enum class TechnologyNode : std::uint8_t { k45nm, k22nm };

/// A router, as far as its energy and area hang on it.
struct RouterBuild {
  std::uint32_t ports = 5;
  std::uint32_t vcs = 4;            ///< a port
  std::uint32_t buffers = 5;        ///< one a port, or one pool
  std::uint32_t buffer_flits = 32;  ///< of each
  std::uint32_t circuit_flits = 0;  ///< of the circuits' lane at each port; 0: no circuits
  std::uint32_t flit_bits = 64;
};

/// Picojoules.
struct EventEnergy {
  double buffer_write = 0;  ///< of a flit
  double buffer_read = 0;
  double arbitration = 0;  ///< of a flit for the switch
  double crossbar = 0;     ///< of a flit, and the register behind
  double link_mm = 0;      ///< of a flit over a millimetre
  double lane = 0;         ///< of a flit of a circuit, into its lane and out of it
  double clock = 0;        ///< of a cycle
  double leakage_mw = 0;
};
EventEnergy event_energy(const RouterBuild& router, TechnologyNode node);

/// Square micrometres of cells, none of wires.
struct RouterArea {
  double buffers = 0;
  double crossbar = 0;
  double allocators = 0;
  double circuits = 0;
  double all() const { return buffers + crossbar + allocators + circuits; }
};
RouterArea router_area(const RouterBuild& router, TechnologyNode node);

}  // namespace braid::models
