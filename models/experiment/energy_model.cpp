#include "models/experiment/energy_model.h"

#include <algorithm>

namespace braid::models {
namespace {

/// Fits to DSENT 0.9's routers (tb/reference/dsent.csv, fitted by scripts/braid_tools/energy): P ports, V virtual
/// channels, N flits a buffer, W bits.
struct Coefficients {
  // Femtojoules.
  double write, write_flit;                                // W (a + b N)
  double read, read_flit;                                  // W (a + b N)
  double crossbar, crossbar_port;                          // W (a + b P)
  double arbitration, arbitration_ports, arbitration_vcs;  // a + b P^2 + c P V^2
  double clock, clock_bit;                                 // a + b P W, each cycle
  double link;                                             // W a, each millimetre
  // Nanowatts.
  double leakage_bit, leakage_flit;  // P W a, and each bit of a buffer b
  // Square micrometres.
  double buffer_bit, buffer_flit;         // of a buffer: W (a + b N)
  double crossbar_bit, crossbar_wire;     // P W a + (P W)^2 b
  double allocator_ports, allocator_vcs;  // P^3 a + P V^2 b
  double gate, flip_flop;                 // of two inputs; with one input
};
constexpr Coefficients k45 = {14.1, 1.49, 8.06, 1.56, 2.78, 2.79, 19.5,   4.33,   1.06, 127.0, 1.28,
                              40.4, 8030, 1940, 11.4, 8.01, 7.36, 0.0435, 6.25e0, 6.6,  1.056, 5.28};
constexpr Coefficients k22 = {3.77, 0.389, 2.14, 0.383, 0.871, 0.675, 4.75,  1.11, 0.269, 31.7,    0.426,
                              23.6, 2820,  713,  2.74,  1.92,  1.71,  0.011, 1.5,  1.58,  0.25344, 1.2672};

const Coefficients& of(TechnologyNode node) { return node == TechnologyNode::k45nm ? k45 : k22; }

/// The longest buffer that was fitted; a longer one is banks of so many flits, and an access wakes one of them.
constexpr std::uint32_t kBankFlits = 64;

constexpr double kPicojoule = 1e-3;  // of a femtojoule
constexpr double kMilliwatt = 1e-6;  // of a nanowatt

/// Of our own netlist (docs/synthesis.md): what circuits add to a packet router, without the lanes' flip-flops.
constexpr double kCircuitGates = 1510, kCircuitGatesABit = 6.88;
constexpr double kCircuitFlipFlops = 131, kCircuitFlipFlopsAPort = 35;

}  // namespace

EventEnergy event_energy(const RouterBuild& router, TechnologyNode node) {
  const Coefficients& c = of(node);
  const double ports = router.ports, vcs = router.vcs, bits = router.flit_bits, lane = router.circuit_flits;
  const double flits = std::min(router.buffer_flits, kBankFlits);
  EventEnergy each;
  each.buffer_write = kPicojoule * bits * (c.write + c.write_flit * flits);
  each.buffer_read = kPicojoule * bits * (c.read + c.read_flit * flits);
  each.arbitration =
      kPicojoule * (c.arbitration + c.arbitration_ports * ports * ports + c.arbitration_vcs * ports * vcs * vcs);
  each.crossbar = kPicojoule * bits * (c.crossbar + c.crossbar_port * ports);
  each.link_mm = kPicojoule * bits * c.link;
  each.lane = kPicojoule * bits * (c.write + c.read + (c.write_flit + c.read_flit) * lane);
  each.clock = kPicojoule * (c.clock + c.clock_bit * ports * bits);
  const double stored = static_cast<double>(router.buffers) * router.buffer_flits + ports * lane;
  each.leakage_mw = kMilliwatt * bits * (c.leakage_bit * ports + c.leakage_flit * stored);
  return each;
}

RouterArea router_area(const RouterBuild& router, TechnologyNode node) {
  const Coefficients& c = of(node);
  const double ports = router.ports, vcs = router.vcs, bits = router.flit_bits, lane = router.circuit_flits;
  RouterArea area;
  area.buffers = router.buffers * bits * (c.buffer_bit + c.buffer_flit * router.buffer_flits);
  area.crossbar = ports * bits * (c.crossbar_bit + c.crossbar_wire * ports * bits);
  area.allocators = c.allocator_ports * ports * ports * ports + c.allocator_vcs * ports * vcs * vcs;
  if (router.circuit_flits > 0) {
    const double gates = kCircuitGates + kCircuitGatesABit * ports * bits;
    const double flip_flops = kCircuitFlipFlops + kCircuitFlipFlopsAPort * ports + ports * bits * lane;
    area.circuits = gates * c.gate + flip_flops * c.flip_flop;
  }
  return area;
}

}  // namespace braid::models
