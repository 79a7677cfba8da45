// SPDX-License-Identifier: Apache-2.0
// Four units of hw/event_line.sv in a row, as a spanning tree of four nodes in a row has them: each tells the next one at
// once and, when it is done, the one before it. For the tests of tb/cocotb.
module event_chain #(
    parameter int unsigned Most = 3,
    parameter int unsigned Wire = 2,  // cycles
    localparam int unsigned Width = $clog2(Most + 2)
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  request_i,
    input  logic [3:0]            handled_i,
    output logic [3:0]            begins_o,
    output logic [3:0][Width-1:0] ends_o,
    output logic [3:0][1:0]       state_o,
    output logic [2:0]            down_o,  // [unit] a pulse on the first register of the wire to the next one
    output logic [3:1]            up_o     // [unit] ... to the one before it
);
  logic [2:0][Wire:0] down;  // [unit] the wire behind it, a register a cycle
  logic [3:1][Wire:0] up;

  event_line #(.Root(1'b1), .In(1), .AtOnce(1), .WhenDone(0), .Most(Most)) u_0 (
      .clk_i, .rst_ni, .request_i, .begins_o(begins_o[0]), .handled_i(handled_i[0]), .arrive_i(up[1][Wire]),
      .drive_o(down[0][0]), .ends_o(ends_o[0]), .state_o(state_o[0]));
  for (genvar u = 1; u < 3; u++) begin : gen_middle
    event_line #(.In(2), .AtOnce(1), .WhenDone(1), .Most(Most)) u_unit (
        .clk_i, .rst_ni, .request_i(1'b0), .begins_o(begins_o[u]), .handled_i(handled_i[u]),
        .arrive_i({up[u+1][Wire], down[u-1][Wire]}), .drive_o({up[u][0], down[u][0]}), .ends_o(ends_o[u]),
        .state_o(state_o[u]));
  end
  event_line #(.In(1), .AtOnce(0), .WhenDone(1), .Most(Most)) u_3 (
      .clk_i, .rst_ni, .request_i(1'b0), .begins_o(begins_o[3]), .handled_i(handled_i[3]), .arrive_i(down[2][Wire]),
      .drive_o(up[3][0]), .ends_o(ends_o[3]), .state_o(state_o[3]));

  for (genvar u = 0; u < 3; u++) begin : gen_wire
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        down[u][Wire:1] <= '0;
        up[u+1][Wire:1] <= '0;
      end else begin
        down[u][Wire:1] <= down[u][Wire-1:0];
        up[u+1][Wire:1] <= up[u+1][Wire-1:0];
      end
    end
    assign down_o[u] = down[u][0];
    assign up_o[u+1] = up[u+1][0];
  end
endmodule
