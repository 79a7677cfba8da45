// Proof of the credit counter against a downstream buffer: what is sent never finds the buffer full, and no place is
// ever lost: credits and occupied places add up.
module credit_counter_formal #(
    parameter int unsigned Credits = 5,
    localparam int unsigned Width = $clog2(Credits + 1)
) (
    input logic clk_i,
    input logic wants_to_send_i,
    input logic empties_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [Width-1:0] credits;
  logic [Width:0] occupied_q = '0;
  logic take, give;
  assign take = rst_ni && wants_to_send_i && credits != '0;
  assign give = rst_ni && empties_i && occupied_q != '0;

  credit_counter #(
      .Credits(Credits)
  ) u_credits (
      .take_i(take),
      .give_i(give),
      .credits_o(credits),
      .*
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      occupied_q <= occupied_q + (Width + 1)'(take) - (Width + 1)'(give);
      NeverOverflows : assert (int'(occupied_q) <= Credits);
      NothingLost : assert (int'(occupied_q) + int'(credits) == Credits);
    end
  end
endmodule
