// SPDX-License-Identifier: Apache-2.0
// The choice of a matrix arbiter, without its register: the requester that goes before all others.
module matrix_pick #(
    parameter int unsigned Requesters = 4
) (
    input  logic [Requesters-1:0]                 request_i,
    input  logic [Requesters-1:0][Requesters-1:0] order_i,   // [a][b], a < b: a goes before b
    output logic [Requesters-1:0]                 grant_o
);
  for (genvar a = 0; a < int'(Requesters); a++) begin : gen_row
    logic [Requesters-1:0] ahead;  // who goes before a
    for (genvar b = 0; b < int'(Requesters); b++) begin : gen_column
      assign ahead[b] = b < a ? order_i[b][a] : b > a && !order_i[a][b];
    end
    assign grant_o[a] = request_i[a] && (request_i & ahead) == '0;
  end
endmodule
