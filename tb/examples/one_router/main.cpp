// A testbench of one's own around one router: signals on its pins, a packet of three flits in from the west, out to the
// east, its credits taken and given by hand.
#include <cstdio>

#include "models/experiment/experiment.h"
#include "models/pins/braid_router.h"

namespace {

using namespace braid;
using models::pins::BraidRouter;
constexpr int kEast = 0, kWest = 1, kPorts = 5;

SC_MODULE(Testbench) {
  sc_core::sc_clock clock{"clock", 2, sc_core::SC_NS};
  sc_core::sc_signal<bool> reset{"reset"};
  // What goes in, what comes out: a signal a port.
  sc_core::sc_vector<sc_core::sc_signal<bool>> valid_i{"valid_i", kPorts}, head_i{"head_i", kPorts},
      tail_i{"tail_i", kPorts};
  sc_core::sc_vector<sc_core::sc_signal<bool>> valid_o{"valid_o", kPorts}, head_o{"head_o", kPorts},
      tail_o{"tail_o", kPorts};
  sc_core::sc_vector<sc_core::sc_signal<models::pins::LaneBits>> lane_i{"lane_i", kPorts}, lane_o{"lane_o", kPorts};
  sc_core::sc_vector<sc_core::sc_signal<sc_dt::sc_bv<32>>> data_i{"data_i", kPorts}, data_o{"data_o", kPorts};
  sc_core::sc_vector<sc_core::sc_signal<models::pins::CreditBits>> credit_i{"credit_i", kPorts},
      credit_o{"credit_o", kPorts};
  BraidRouter<32> router;
  int cycle = 0, sent = 0;

  Testbench(const sc_core::sc_module_name& name, const models::Experiment& experiment)
      : sc_module(name), router("router", experiment, "1,1") {
    router.clk_i(clock);
    router.rst_ni(reset);
    router.link_valid_i(valid_i);
    router.link_head_i(head_i);
    router.link_tail_i(tail_i);
    router.link_lane_i(lane_i);
    router.link_data_i(data_i);
    router.credit_o(credit_o);
    router.link_valid_o(valid_o);
    router.link_head_o(head_o);
    router.link_tail_o(tail_o);
    router.link_lane_o(lane_o);
    router.link_data_o(data_o);
    router.credit_i(credit_i);
    SC_METHOD(step);
    sensitive << clock.posedge_event();
    dont_initialize();
  }
  SC_HAS_PROCESS(Testbench);

  /// The edge that begins `cycle`: what the pins had in the cycle before is read, what they have in this one is
  /// written.
  void step() {
    for (int p = 0; p < kPorts; ++p) {
      credit_i[p].write(0);
      if (valid_o[p].read()) {
        std::printf("cycle %2d: flit %s leaves by port %d%s%s\n", cycle,
                    data_o[p].read().to_string(sc_dt::SC_HEX).c_str(), p, head_o[p].read() ? ", head" : "",
                    tail_o[p].read() ? ", tail" : "");
        credit_i[p].write(1U << lane_o[p].read().to_uint());
      }
      if (credit_o[p].read() != 0) std::printf("cycle %2d: credit back over port %d\n", cycle, p);
    }
    ++cycle;
    reset.write(cycle >= 3);
    const bool sends = cycle >= 5 && sent < 3;
    valid_i[kWest].write(sends);
    if (!sends) return;
    head_i[kWest].write(sent == 0);
    tail_i[kWest].write(sent == 2);
    data_i[kWest].write(sent == 0 ? 0xabc0'0102U : static_cast<unsigned>(0x100 + sent));  // to (2,1): y << 8 | x
    std::printf("cycle %2d: flit %d comes in at port %d\n", cycle, sent++, kWest);
  }
};

}  // namespace

int sc_main(int, char*[]) {
  models::Experiment e;
  e.set("topology.width", 3).set("topology.height", 3);
  e.set("router.vcs", 2).set("router.buffer_depth", 4);
  Testbench testbench("testbench", e);
  sc_core::sc_start(40, sc_core::SC_NS);
  return testbench.sent == 3 ? 0 : 1;
}
