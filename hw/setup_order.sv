// SPDX-License-Identifier: Apache-2.0
// The order in which circuits are searched: at first 0, 1, 2 ..., then permutations at random (Fisher and Yates), a place
// in a cycle: the last one that is not drawn yet is exchanged with one at or below it. Numbers come from a shift register
// with feedback; one that is too high is drawn again.
`include "assert.svh"

module setup_order #(
    parameter int unsigned Streams = 4,
    localparam int unsigned StreamWidth = router_pkg::index_width(Streams),
    localparam int unsigned CountWidth = $clog2(Streams + 2)
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic                                restart_i,   // 0, 1, 2 ... again
    input  logic [CountWidth-1:0]               streams_i,   // so many, from the front, change places
    input  logic                                shuffle_i,
    output logic                                shuffled_o,
    output logic [Streams-1:0][StreamWidth-1:0] order_o
);
  logic [Streams-1:0][StreamWidth-1:0] order_q;
  logic [CountWidth-1:0] left_q;  // places at the front that are still to be drawn
  logic [15:0] random_q;          // x^16 + x^14 + x^13 + x^11 + 1: never 0
  logic [StreamWidth-1:0] drawn, place;
  logic swap;

  assign shuffled_o = left_q <= CountWidth'(1);
  assign drawn = random_q[StreamWidth-1:0];
  assign place = StreamWidth'(left_q - 1'b1);
  assign swap = !shuffled_o && drawn <= place;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned s = 0; s < Streams; s++) order_q[s] <= StreamWidth'(s);
      left_q   <= '0;
      random_q <= 16'hace1;
    end else begin
      if (!shuffled_o) random_q <= {random_q[14:0], random_q[15] ^ random_q[13] ^ random_q[12] ^ random_q[10]};
      if (restart_i) begin
        for (int unsigned s = 0; s < Streams; s++) order_q[s] <= StreamWidth'(s);
        left_q <= '0;
      end else if (shuffle_i) begin
        left_q <= streams_i;
      end else if (swap) begin
        order_q[place] <= order_q[drawn];
        order_q[drawn] <= order_q[place];
        left_q <= left_q - 1'b1;
      end
    end
  end
  assign order_o = order_q;

  `BRAID_REQUIRE(NotMoreStreams, int'(streams_i) <= Streams)
  `BRAID_REQUIRE(ShuffleWhenShuffled, !shuffle_i || shuffled_o)
  `BRAID_ASSERT(NeverStuck, random_q != '0)
endmodule
