// SPDX-License-Identifier: Apache-2.0
// First in, first out. With FallThrough a word that is pushed into the empty FIFO can be popped in the same cycle.
`include "assert.svh"

module fifo #(
    parameter int unsigned Width = 8,
    parameter int unsigned Depth = 4,
    parameter bit FallThrough = 1'b0,
    localparam int unsigned CountWidth = $clog2(Depth + 1)
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  push_i,
    input  logic [     Width-1:0] data_i,
    input  logic                  pop_i,
    output logic [     Width-1:0] data_o,   // the oldest word, while valid_o
    output logic                  valid_o,  // data_o may be popped
    output logic [CountWidth-1:0] count_o,  // words held
    output logic [CountWidth-1:0] count_d_o // words held after this cycle
);
  localparam int unsigned PointerWidth = router_pkg::index_width(Depth);

  logic [Width-1:0] memory_q [Depth];
  logic [PointerWidth-1:0] read_q, write_q;
  logic [CountWidth-1:0] count_q, count_d;
  logic empty;

  function automatic logic [PointerWidth-1:0] after(logic [PointerWidth-1:0] pointer);
    return pointer == PointerWidth'(Depth - 1) ? '0 : pointer + 1'b1;
  endfunction

  assign empty = count_q == '0;
  assign valid_o = !empty || (FallThrough && push_i);
  assign data_o = (FallThrough && empty) ? data_i : memory_q[read_q];
  assign count_d = count_q + CountWidth'(push_i) - CountWidth'(pop_i);
  assign count_o = count_q;
  assign count_d_o = count_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      count_q <= count_d;
      if (push_i) write_q <= after(write_q);
      if (pop_i) read_q <= after(read_q);
    end
  end

  // no reset: a word is read only where count_q says that one was written
  always_ff @(posedge clk_i) begin
    if (push_i) memory_q[write_q] <= data_i;
  end

  `BRAID_REQUIRE(NoPopOfNothing, !pop_i || valid_o)
  `BRAID_REQUIRE(NoPushOverFull, !push_i || count_q < CountWidth'(Depth))
  `BRAID_ASSERT(CountInRange, int'(count_q) <= Depth)
  `BRAID_ASSERT(PointersInRange, int'(read_q) < Depth && int'(write_q) < Depth)
  `BRAID_ASSERT(PointersAgree,
                (int'(read_q) + int'(count_q)) % int'(Depth) == int'(write_q))
endmodule
