// Assertions are the specification of a module: checked by Verilator while it runs and by Yosys as proof obligations.
// BRAID_REQUIRE states what the module may rely on: an assertion in simulation, an assumption in a proof of the module
// alone (FORMAL_LEAF), an obligation again in a proof of what surrounds it (FORMAL).
`ifndef BRAID_ASSERT_SVH
`define BRAID_ASSERT_SVH

`ifdef FORMAL
`define BRAID_CHECKED
`endif
`ifndef SYNTHESIS
`define BRAID_CHECKED
`endif

`ifdef BRAID_CHECKED
`define BRAID_ASSERT(Name, Condition) \
  always_ff @(posedge clk_i) begin \
    if (rst_ni) begin \
      Name : assert (Condition); \
    end \
  end
`ifdef FORMAL_LEAF
`define BRAID_REQUIRE(Name, Condition) \
  always_ff @(posedge clk_i) begin \
    if (rst_ni) begin \
      Name : assume (Condition); \
    end \
  end
`else
`define BRAID_REQUIRE(Name, Condition) `BRAID_ASSERT(Name, Condition)
`endif
`else
`define BRAID_ASSERT(Name, Condition)
`define BRAID_REQUIRE(Name, Condition)
`endif

`endif
