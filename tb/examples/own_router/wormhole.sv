// A wormhole router of somebody else's: five READY/VALID links, no virtual channels, X first by the destination in the lowest
// 16 bits of a packet's first flit (y in the upper byte). Ports: east, west, north (y + 1), south, local. Two flits of buffer
// an input, one cycle from link to link.
module wormhole (
    input  logic             clk,
    input  logic             rst,
    input  logic [7:0]       my_x,
    input  logic [7:0]       my_y,
    input  logic [4:0]       rx_valid,
    output logic [4:0]       rx_ready,
    input  logic [4:0]       rx_last,
    input  logic [4:0][63:0] rx_data,
    output logic [4:0]       tx_valid,
    input  logic [4:0]       tx_ready,
    output logic [4:0]       tx_last,
    output logic [4:0][63:0] tx_data
);
  logic [4:0] front_valid, front_last, pop;
  logic [4:0][63:0] front_data;
  logic [4:0][2:0] target;  // [input]: the output that its front flit wants
  logic [4:0] busy_q, held_q;  // the input has a packet under way; the output is held by one
  logic [4:0][2:0] way_q, owner_q, last_q;  // the input's output, the output's input, the output's last input
  logic [4:0][2:0] winner;

  function automatic logic [2:0] route(input logic [7:0] x, input logic [7:0] y);
    if (x != my_x) return x > my_x ? 3'd0 : 3'd1;
    if (y != my_y) return y > my_y ? 3'd2 : 3'd3;
    return 3'd4;
  endfunction

  for (genvar p = 0; p < 5; p++) begin : gen_input
    logic [1:0][64:0] slots_q;
    logic [1:0] count_q;
    assign rx_ready[p] = count_q != 2'd2;
    assign front_valid[p] = count_q != 2'd0;
    assign {front_last[p], front_data[p]} = slots_q[0];
    assign target[p] = busy_q[p] ? way_q[p] : route(front_data[p][7:0], front_data[p][15:8]);
    always_ff @(posedge clk) begin
      if (rst) begin
        count_q <= '0;
      end else begin
        if (pop[p]) slots_q[0] <= slots_q[1];
        if (rx_valid[p] && rx_ready[p]) slots_q[1'(count_q - 2'(pop[p]))] <= {rx_last[p], rx_data[p]};
        count_q <= count_q + 2'(rx_valid[p] && rx_ready[p]) - 2'(pop[p]);
      end
    end
  end

  // Who waits for an output: its owner, or the next in turn. VALID does not wait for READY, and stays.
  always_comb begin
    tx_valid = '0;
    tx_last = '0;
    tx_data = '0;
    winner = '0;
    pop = '0;
    for (int unsigned o = 0; o < 5; o++) begin
      for (int unsigned i = 5; i > 0; i--) begin
        automatic int unsigned p = (32'(last_q[o]) + i) % 5;
        if (front_valid[p] && target[p] == 3'(o) && (held_q[o] ? owner_q[o] == 3'(p) : !busy_q[p])) begin
          tx_valid[o] = 1'b1;
          winner[o] = 3'(p);
        end
      end
      if (tx_valid[o]) begin
        tx_last[o] = front_last[winner[o]];
        tx_data[o] = front_data[winner[o]];
        if (tx_ready[o]) pop[winner[o]] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      busy_q  <= '0;
      held_q  <= '0;
      way_q   <= '0;
      owner_q <= '0;
      last_q  <= '0;
    end else begin
      for (int unsigned o = 0; o < 5; o++) begin
        if (tx_valid[o]) begin
          held_q[o] <= !(tx_ready[o] && tx_last[o]);
          owner_q[o] <= winner[o];
          last_q[o] <= winner[o];
          busy_q[winner[o]] <= !(tx_ready[o] && tx_last[o]);
          way_q[winner[o]] <= 3'(o);
        end
      end
    end
  end
endmodule
