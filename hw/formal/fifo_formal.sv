// Proof of the FIFO: words come out in the order in which they went in. One pushed word, chosen by the solver, is
// followed by its place in the queue.
module fifo_formal #(
    parameter int unsigned Width = 2,
    parameter int unsigned Depth = 3,
    parameter bit FallThrough = 1'b0,
    localparam int unsigned CountWidth = $clog2(Depth + 1)
) (
    input logic             clk_i,
    input logic             push_i,
    input logic [Width-1:0] data_i,
    input logic             pop_i,
    input logic             follow_i  // follow this push
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [Width-1:0] data;
  logic valid;
  logic [CountWidth-1:0] count, count_d;
  fifo #(
      .Width(Width),
      .Depth(Depth),
      .FallThrough(FallThrough)
  ) u_fifo (
      .data_o(data),
      .valid_o(valid),
      .count_o(count),
      .count_d_o(count_d),
      .*
  );

  logic following_q = 1'b0;
  logic [CountWidth-1:0] ahead_q = '0;  // words before the followed one
  logic [Width-1:0] word_q = '0;
  logic start;
  assign start = rst_ni && follow_i && push_i && !following_q && !(FallThrough && count == '0 && pop_i);

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (start) begin
        following_q <= 1'b1;
        word_q <= data_i;
        ahead_q <= count - CountWidth'(pop_i);
      end else if (following_q && pop_i) begin
        if (ahead_q == '0) following_q <= 1'b0;
        else ahead_q <= ahead_q - 1'b1;
      end
      ComesInOrder : assert (!(following_q && pop_i && ahead_q == '0) || data == word_q);
      StillHeld : assert (!following_q || ahead_q < count);
      PassesThrough : assert (!(FallThrough && count == '0 && push_i) || (valid && data == data_i));
    end
  end
  // For induction: the followed word is where its place says.
  always_ff @(posedge clk_i) begin
    if (rst_ni && following_q) begin
      IsInPlace : assert (u_fifo.memory_q[(int'(u_fifo.read_q) + int'(ahead_q)) % int'(Depth)] == word_q);
    end
  end
endmodule
