// SPDX-License-Identifier: Apache-2.0
// The choice of a round robin, without its register: the first requester among the places of after_i, or else the first
// of all.
module round_robin_pick #(
    parameter int unsigned Requesters = 4
) (
    input  logic [Requesters-1:0] request_i,
    input  logic [Requesters-1:0] after_i,  // places after the last whose grant was used
    output logic [Requesters-1:0] grant_o,
    output logic [Requesters-1:0] above_o   // places after the one that is granted
);
  logic [Requesters-1:0] later, chosen_from, above;  // above: places after the lowest set bit of chosen_from

  assign later = request_i & after_i;
  always_comb begin
    chosen_from = later != '0 ? later : request_i;
    grant_o = '0;
    above = '0;
    if (request_i != '0) begin
      above = Requesters'({chosen_from, 1'b0});
      for (int unsigned s = 1; s < Requesters; s *= 2) above |= above << s;  // a prefix of ORs: no carry runs through
      grant_o = chosen_from & ~above;
    end
  end
  assign above_o = above;
endmodule
