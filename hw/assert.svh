// Assertions are the specification of a module: checked by Verilator while it runs and by Yosys as proof obligations.
// BRAID_REQUIRE states what the module may rely on: an assertion in simulation, an assumption in a proof of the module.
`ifndef BRAID_ASSERT_SVH
`define BRAID_ASSERT_SVH

`ifdef SYNTHESIS
`define BRAID_ASSERT(Name, Condition)
`define BRAID_REQUIRE(Name, Condition)
`else
`define BRAID_ASSERT(Name, Condition) \
  always_ff @(posedge clk_i) begin \
    if (rst_ni) begin \
      Name : assert (Condition); \
    end \
  end
`ifdef FORMAL
`define BRAID_REQUIRE(Name, Condition) \
  always_ff @(posedge clk_i) begin \
    if (rst_ni) begin \
      Name : assume (Condition); \
    end \
  end
`else
`define BRAID_REQUIRE(Name, Condition) `BRAID_ASSERT(Name, Condition)
`endif
`endif

`endif
