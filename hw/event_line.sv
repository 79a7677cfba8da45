// SPDX-License-Identifier: Apache-2.0
// A unit of an event line: wires from unit to unit bring an event to all nodes and its end back to the root, without a
// processor. A message is a pulse without a number, for a wire brings its messages in order. The first message of an
// event lets it begin here: the node is told, and so are the units at the end of the wires AtOnce. When the node has
// handled it and every wire in has brought its message, it is complete here, and the wires WhenDone tell. The root's
// events begin when it is asked; they are over when they are complete at the root.
//
// One thing a cycle: the unit drives one wire; else it receives from one wire, in turn; else the root begins an event and
// drives its first wire. A pulse that is driven in cycle s is on the wire, from a register, in s + 1.
`include "assert.svh"

module event_line #(
    parameter bit Root = 1'b0,
    parameter int unsigned In = 1,        // wires that end here
    parameter int unsigned AtOnce = 0,    // that begin here: the lower bits of drive_o
    parameter int unsigned WhenDone = 1,  // the upper bits
    parameter int unsigned Most = 1,      // events under way
    localparam int unsigned Out = AtOnce + WhenDone,
    localparam int unsigned Width = $clog2(Most + 2)
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             request_i,  // of the root: another event is to begin
    output logic             begins_o,   // it begins here, in this cycle
    input  logic             handled_i,  // the node has handled all that have begun
    input  logic [In-1:0]    arrive_i,   // a pulse is at the end of the wire
    output logic [Out-1:0]   drive_o,    // one hot, from a register
    output logic [Width-1:0] ends_o,     // so many are complete here, in this cycle
    output logic [1:0]       state_o     // 0 idle, 1 the node has still to handle an event, 2 receives, 3 drives
);
  if (Out < 1 || In < 1 || Most < 1) begin : gen_refused
    $error("In, AtOnce + WhenDone, Most: at least 1 are expected");
  end
  localparam logic [Out-1:0] Once = Out'((64'd1 << AtOnce) - 64'd1);
  localparam logic [Out-1:0] Done = ~Once;

  // Counted from the events that are complete here on.
  logic [Width-1:0] begun_q, begun_d, handled_q, handled, rounds_q, rounds_d, complete, complete_d;
  logic [In-1:0][Width-1:0] received_q, received_d;
  logic [In-1:0][Width-1:0] pending_q, pending;  // pulses that have come and are not received
  logic [In-1:0] waits, chosen, after_q;    // wires with such pulses; the one that is received; those after the last one
  logic [Out-1:0] left_q, left_d, drive_q;  // wires still to be driven: of an event that has begun, then of complete ones
  logic [Out-1:0] choice;
  logic drives, receives, begins, begins_by_root;

  // What is complete if so many have been handled and received.
  function automatic logic [Width-1:0] least(logic [Width-1:0] all_handled, logic [In-1:0][Width-1:0] received);
    logic [Width-1:0] found;
    found = all_handled;
    for (int unsigned w = 0; w < In; w++) if (received[w] < found) found = received[w];
    return found;
  endfunction

  always_comb begin
    logic [In-1:0] later;
    for (int unsigned w = 0; w < In; w++) begin
      pending[w] = pending_q[w] + Width'(arrive_i[w]);
      waits[w] = pending[w] != '0;
    end
    later = waits & after_q;
    chosen = later != '0 ? later : waits;
    chosen = chosen & (~chosen + 1'b1);
  end

  always_comb begin
    // The node's part of what had begun already.
    handled = handled_i ? begun_q : handled_q;
    complete = least(handled, received_q);
    rounds_d = rounds_q + (WhenDone == 0 ? '0 : complete);
    left_d = left_q;
    if (left_d == '0 && rounds_d != '0) begin
      left_d = Done;
      rounds_d = rounds_d - 1'b1;
    end
    drives = left_d != '0;
    receives = !drives && waits != '0;
    begins_by_root = Root && !drives && !receives && request_i && begun_q - complete != Width'(Most);
    received_d = received_q;
    begins = begins_by_root;
    for (int unsigned w = 0; w < In; w++) begin
      if (receives && chosen[w]) begin
        received_d[w] = received_q[w] + 1'b1;
        begins = received_q[w] == begun_q;
      end
    end
    begun_d = begun_q + Width'(begins);
    if (handled_i) handled = begun_d;
    complete_d = least(handled, received_d);
    if (WhenDone != 0) rounds_d = rounds_d + (complete_d - complete);
    if (begins) left_d = Once;
    if (left_d == '0 && rounds_d != '0) begin
      left_d = Done;
      rounds_d = rounds_d - 1'b1;
    end
    choice = drives || begins_by_root ? left_d & (~left_d + 1'b1) : '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q    <= '0;
      handled_q  <= '0;
      received_q <= '0;
      pending_q  <= '0;
      after_q    <= '1;
      left_q     <= '0;
      rounds_q   <= '0;
      drive_q    <= '0;
    end else begin
      begun_q   <= begun_d - complete_d;
      handled_q <= handled - complete_d;
      for (int unsigned w = 0; w < In; w++) begin
        received_q[w] <= received_d[w] - complete_d;
        pending_q[w]  <= pending[w] - Width'(receives && chosen[w]);
      end
      if (receives) after_q <= ~(chosen | (chosen - 1'b1));
      left_q   <= left_d & ~choice;
      rounds_q <= rounds_d;
      drive_q  <= choice;
    end
  end

  assign begins_o = begins;
  assign ends_o = complete_d;
  assign drive_o = drive_q;
  assign state_o = receives ? 2'd2 : choice != '0 ? 2'd3 : {1'b0, handled < begun_d};

  if (!Root) begin : gen_no_request
    logic unused;
    assign unused = request_i;
  end

  for (genvar w = 0; w < int'(In); w++) begin : gen_wire
    `BRAID_REQUIRE(NoMoreThanMost, int'(pending_q[w]) + int'(received_q[w]) + int'(arrive_i[w]) <= Most)
    `BRAID_REQUIRE(RootHearsOfBegun, !Root || int'(pending_q[w]) + int'(received_q[w]) + int'(arrive_i[w]) <= int'(begun_q))
    `BRAID_ASSERT(ReceivedIsBegun, received_q[w] <= begun_q)
  end
  `BRAID_ASSERT(HandledIsBegun, handled_q <= begun_q && int'(begun_q) <= Most)
  `BRAID_ASSERT(OneWire, $onehot0(drive_q))
endmodule
