// SPDX-License-Identifier: Apache-2.0
// Path set-up by distributed backtracking: the unit of one router. It takes one cycle for a message. A probe reserves an
// output port that leads closer to the destination, or else any other free one, lowest port first; where nothing is left
// it goes back, releasing. The unit remembers the last search that it saw and the ports that it tried, so that a search
// visits a router once and ends. At the destination it takes the lowest lane that any local port has free, of the lowest
// port: circuits spread over the ports before two of them share one.
//
// Numbers are used again when they have run out. A unit that a search of long ago visited last would take the new one of
// that number for it, so before that the holder of the token has all units forget: an acknowledgement with the number 0,
// which no search has, asked for like a search; it has no answer.
//
// One search or tear-down at a time in the whole network (a token sees to it), so at most one message a cycle comes here.
`include "assert.svh"

module setup_unit #(
    parameter int unsigned Ports = 5,
    parameter int unsigned CircuitLanes = 1,  // of a local port; a power of two
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned Rows = Ports * CircuitLanes,  // of the circuit table
    localparam int unsigned RowWidth = router_pkg::index_width(Rows),
    localparam int unsigned SearchWidth = router_pkg::SearchWidth,
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [Ports-1:0]                network_ports_i,  // lead to other routers
    input  logic [Ports-1:0]                local_ports_i,    // lead to this router's nodes
    input  logic [Ports-1:0]                avoid_ports_i,    // not for searches with the highest bit of search set
    // The message of this cycle.
    input  logic                            valid_i,
    output logic                            ready_o,          // no tear-down waits here for its circuit's last flits
    input  logic [RowWidth-1:0]             row_i,            // where it came in; over a link: lane 0
    input  router_pkg::control_kind_e       kind_i,
    input  logic [SearchWidth-1:0]          search_i,
    input  logic [DestinationWidth-1:0]     destination_i,
    // Directions that lead closer to the destination of the message at work; at its router, its local ports.
    output logic [DestinationWidth-1:0]     lookup_o,
    input  logic [Ports-1:0]                directions_i,
    // Circuit table and circuit buffers.
    input  logic [Rows-1:0][RowWidth-1:0]   circuit_out_i,    // [input row]
    input  logic [Rows-1:0]                 held_i,           // [output row] is reserved
    input  logic [Rows-1:0][RowWidth-1:0]   circuit_in_i,     // [output row]
    input  logic [Rows-1:0]                 holds_flits_i,    // [input row] its circuit's buffer, after this cycle
    output logic                            release_o,
    output logic [RowWidth-1:0]             release_in_o,
    output logic [RowWidth-1:0]             release_out_o,
    output logic                            reserve_o,
    output logic [RowWidth-1:0]             reserve_in_o,
    output logic [RowWidth-1:0]             reserve_out_o,
    // The message that leaves, from a register.
    output logic [Ports-1:0]                send_o,           // one hot: over this port
    output router_pkg::control_kind_e       send_kind_o,
    output logic [SearchWidth-1:0]          send_search_o,
    output logic [DestinationWidth-1:0]     send_destination_o,
    // The end of a search or tear-down, to the node, from a register.
    output logic                            done_o,
    output logic                            success_o
);
  import router_pkg::*;

  localparam int unsigned LaneBits = $clog2(CircuitLanes);

  typedef struct packed {
    logic [RowWidth-1:0]         row;
    control_kind_e               kind;
    logic [SearchWidth-1:0]      search;
    logic [DestinationWidth-1:0] destination;
  } message_t;

  // History: the last search seen here (0: none yet), where its probe came in, output ports that it has tried.
  logic [SearchWidth-1:0] search_q, search_d;
  logic [RowWidth-1:0] in_row_q, in_row_d;
  logic [Ports-1:0] tried_q, tried_d;

  logic forgets;               // the numbers of searches begin anew
  logic waiting_q, waiting_d;  // a tear-down waits for the last flits of its circuit
  message_t waiting_message_q;
  logic valid;
  message_t message;

  logic [PortWidth-1:0] port, in_port, out_port;  // of the message, of in_row_d, of the message's circuit

  logic advance;              // look for a way on from in_row_d
  logic advanced;             // ... found
  logic arrived;              // the destination is here
  logic [Ports-1:0] open, closer, choices, choice;
  logic [PortWidth-1:0] choice_port;
  logic [RowWidth-1:0] choice_lane, choice_row;
  logic [CircuitLanes-1:0][Ports-1:0] unheld;

  logic reply;                // a message goes out (or, at a local port, the search ends)
  logic [PortWidth-1:0] reply_port;
  control_kind_e reply_kind;
  logic [Ports-1:0] send_q;
  control_kind_e send_kind_q;
  logic [SearchWidth-1:0] send_search_q;
  logic [DestinationWidth-1:0] send_destination_q;
  logic done_q, success_q;

  assign valid = waiting_q || valid_i;
  assign message = waiting_q ? waiting_message_q : {row_i, kind_i, search_i, destination_i};
  assign ready_o = !waiting_q;
  assign lookup_o = message.destination;
  assign forgets = valid && message.kind == ControlKindAcknowledge && message.search == '0;

  assign port = message.row[RowWidth-1:LaneBits];
  assign in_port = in_row_d[RowWidth-1:LaneBits];
  assign out_port = circuit_out_i[message.row][RowWidth-1:LaneBits];

  // Ports that the search may still take.
  always_comb begin
    for (int unsigned l = 0; l < CircuitLanes; l++) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        unheld[l][p] = !held_i[p*CircuitLanes+l];
      end
    end
    open = unheld[0];
    choice_lane = '0;
    arrived = (directions_i & local_ports_i) != '0;
    if (arrived) begin
      closer = open & directions_i & local_ports_i;
      for (int unsigned l = 1; l < CircuitLanes; l++) begin
        if (closer == '0) begin
          closer = unheld[l] & directions_i & local_ports_i;
          choice_lane = RowWidth'(l);
        end
      end
      choices = closer;
    end else begin
      open = open & network_ports_i & ~tried_d;
      if (search_d[SearchWidth-1]) open = open & ~avoid_ports_i;
      open[in_port] = 1'b0;
      closer = open & directions_i;
      choices = closer != '0 ? closer : open;
    end
    choice = choices & (~choices + 1'b1);
    choice_port = '0;
    for (int unsigned p = 0; p < Ports; p++) choice_port |= choice[p] ? PortWidth'(p) : '0;
    choice_row = RowWidth'(choice_port) << LaneBits | choice_lane;
  end

  always_comb begin
    search_d = search_q;
    in_row_d = in_row_q;
    tried_d = tried_q;
    waiting_d = 1'b0;
    advance = 1'b0;
    release_o = 1'b0;
    release_in_o = in_row_q;
    release_out_o = message.row;
    if (valid) begin
      unique case (message.kind)
        ControlKindProbe: begin
          if (search_q != message.search) begin
            search_d = message.search;
            in_row_d = message.row;
            tried_d = '0;
            advance = 1'b1;
          end
        end
        ControlKindBacktrack: begin
          release_o = 1'b1;
          advance = 1'b1;
        end
        ControlKindAcknowledge: if (forgets) search_d = '0;
        ControlKindTearDown: begin
          waiting_d = holds_flits_i[message.row];
          release_o = !waiting_d;
          release_in_o = message.row;
          release_out_o = circuit_out_i[message.row];
        end
      endcase
    end
  end

  assign advanced = advance && choices != '0;
  assign reserve_o = advanced;
  assign reserve_in_o = in_row_d;
  assign reserve_out_o = choice_row;

  // What goes out: to reply_port, which may be a local one.
  always_comb begin
    reply = valid && !waiting_d && !forgets;
    reply_port = port;
    reply_kind = ControlKindBacktrack;
    unique case (message.kind)
      ControlKindProbe, ControlKindBacktrack: begin
        if (advance) begin
          reply_port = in_port;
          if (advanced) begin
            reply_kind = arrived ? ControlKindAcknowledge : ControlKindProbe;
            if (!arrived) reply_port = choice_port;
          end
        end
      end
      ControlKindAcknowledge: begin
        reply_port = circuit_in_i[message.row][RowWidth-1:LaneBits];
        reply_kind = ControlKindAcknowledge;
      end
      ControlKindTearDown: begin
        reply_port = out_port;
        reply_kind = ControlKindTearDown;
      end
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      search_q          <= '0;
      in_row_q          <= '0;
      tried_q           <= '0;
      waiting_q         <= 1'b0;
      waiting_message_q <= '0;
      send_q            <= '0;
      send_kind_q       <= ControlKindProbe;
      send_search_q     <= '0;
      send_destination_q <= '0;
      done_q            <= 1'b0;
      success_q         <= 1'b0;
    end else begin
      search_q  <= search_d;
      in_row_q  <= in_row_d;
      tried_q   <= tried_d | (advanced && !arrived ? choice : '0);
      waiting_q <= waiting_d;
      if (waiting_d) waiting_message_q <= message;
      for (int unsigned p = 0; p < Ports; p++) begin
        send_q[p] <= reply && reply_port == PortWidth'(p) && !local_ports_i[p];
      end
      if (reply) begin
        send_kind_q        <= reply_kind;
        send_search_q      <= message.kind == ControlKindBacktrack ? search_q : message.search;
        send_destination_q <= message.destination;
      end
      done_q <= reply && local_ports_i[reply_port];
      success_q <= reply_kind != ControlKindBacktrack;
    end
  end

  assign send_o = send_q;
  assign send_kind_o = send_kind_q;
  assign send_search_o = send_search_q;
  assign send_destination_o = send_destination_q;
  assign done_o = done_q;
  assign success_o = success_q;

  `BRAID_REQUIRE(OneMessage, !(valid_i && waiting_q))
  `BRAID_REQUIRE(RowExists, !valid_i || int'(row_i) < Rows)
  `BRAID_REQUIRE(SearchesCountFromOne, !(valid_i && kind_i == ControlKindProbe) || search_i != '0)
  `BRAID_REQUIRE(BacktrackOfTried, !(valid_i && kind_i == ControlKindBacktrack) || tried_q[row_i[RowWidth-1:LaneBits]])
  `BRAID_ASSERT(ForgettingIsQuiet, !forgets || !(reply || reserve_o || release_o))
  `BRAID_ASSERT(SendOneHot, $onehot0(send_o))
  `BRAID_ASSERT(ReserveOnlyFree, !reserve_o || !held_i[reserve_out_o])
  `BRAID_ASSERT(NeverBackOut, !reserve_o || choice_port != in_port || arrived)
  `BRAID_ASSERT(LeavesAvoidedPorts, !reserve_o || arrived || !search_d[SearchWidth-1] || !avoid_ports_i[choice_port])
  `BRAID_ASSERT(EveryProbeIsAnswered,
                !(valid && message.kind == ControlKindProbe) || reply)
endmodule
