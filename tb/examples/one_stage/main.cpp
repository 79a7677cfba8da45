// One stage of a router alone: an input unit with a signal on each port. A head comes in by port 0 on VC 2.
#include <iostream>

#include "models/stages/hybrid/input_unit.h"

using namespace braid::models::stages::hybrid;

int sc_main(int, char*[]) {
  const sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);  // its first edge is at 0
  InputUnit unit("input_unit", RouterShape{});
  PortSignals wires(unit);
  unit.clk_i(clock);
  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file("one_stage");
  wires.trace(file);
  for (int cycle = 0; cycle < 4; ++cycle) {
    wires.set("valid_i", 0, cycle == 0);
    wires.set("vc_i", 0, 2, 2);
    wires.set("flit_i", 65, true);         // a head ...
    wires.set("flit_i", 0, 16, 9);         // ... to node 9
    sc_core::sc_start(1, sc_core::SC_NS);  // over the edge that ends the cycle
    std::cout << "cycle " << cycle << ": heads_o " << wires.read("heads_o") << ", for node "
              << wires.read("destination_o").field(2 * 16, 16) << "\n";
  }
  sc_core::sc_close_vcd_trace_file(file);
  wires.save("one_stage");
  return 0;
}
