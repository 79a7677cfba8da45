// SPDX-License-Identifier: Apache-2.0
// Assertions are the specification of a module: checked by Verilator while it runs and by Yosys as proof obligations.
// BRAID_REQUIRE states what the module may rely on: an assertion in simulation, an assumption in a proof of the module.
// BRAID_ASSERT_KNOWN is for simulators of four states: no bit is X or Z. Verilator and Yosys have two.
`ifndef BRAID_ASSERT_SVH
`define BRAID_ASSERT_SVH

`ifdef SYNTHESIS
`define BRAID_ASSERT(Name, Condition)
`define BRAID_REQUIRE(Name, Condition)
`define BRAID_ASSERT_KNOWN(Name, Bits)
`else
`define BRAID_ASSERT(Name, Condition) \
  always_ff @(posedge clk_i) begin \
    if (rst_ni) begin \
      Name : assert (Condition); \
    end \
  end
`ifdef FORMAL
`define BRAID_ASSERT_KNOWN(Name, Bits)
`define BRAID_REQUIRE(Name, Condition) \
  always_ff @(posedge clk_i) begin \
    if (rst_ni) begin \
      Name : assume (Condition); \
    end \
  end
`else
`define BRAID_REQUIRE(Name, Condition) `BRAID_ASSERT(Name, Condition)
`define BRAID_ASSERT_KNOWN(Name, Bits) `BRAID_ASSERT(Name, !$isunknown(Bits))
`endif
`endif

`endif
