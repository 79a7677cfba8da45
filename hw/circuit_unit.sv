// SPDX-License-Identifier: Apache-2.0
// All that circuits add to a packet router: the circuit lanes of the input ports, the table of reservations, and the
// set-up unit with its control channels. A circuit owns the ports that it takes between routers. At a local port several
// share one crossbar input or one output: they go in turn, chosen as packets are (switch_allocator), before these.
`include "assert.svh"

module circuit_unit #(
    parameter int unsigned Ports = 5,
    parameter int unsigned CircuitLanes = 1,  // circuits that start, or that end, at a local port; a power of two
    parameter int unsigned Depth = 5,
    parameter int unsigned Width = 66,  // head, tail, data
    parameter router_pkg::routing_e Routing = router_pkg::RoutingXFirst,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned CircuitWidth = router_pkg::index_width(CircuitLanes),
    localparam int unsigned SearchWidth = router_pkg::SearchWidth,
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth
) (
    input  logic                                  clk_i,
    input  logic                                  rst_ni,
    input  logic [Ports-1:0]                      network_ports_i,
    input  logic [Ports-1:0]                      local_ports_i,
    input  logic [Ports-1:0]                      avoid_ports_i,
    // The circuit lanes.
    input  logic [Ports-1:0][CircuitLanes-1:0]    arrives_i,     // [input port] a circuit's flit is on the link
    input  logic [Width-1:0]                      flit_i [Ports],
    input  logic [Ports-1:0][CircuitLanes-1:0]    credit_i,      // [output port] has credit for a circuit's flit
    output logic [Ports-1:0]                      grant_o,       // [input port] a circuit's flit crosses next cycle
    output logic [Ports-1:0][Ports-1:0]           takes_o,       // [input port][output port]
    output logic [Width-1:0]                      flit_o [Ports],
    output logic [Ports-1:0][CircuitWidth-1:0]    in_lane_o,     // of the flit that crosses, counted from Vcs
    output logic [Ports-1:0][PortWidth-1:0]       out_port_o,
    output logic [Ports-1:0][CircuitWidth-1:0]    out_lane_o,
    output logic [Ports-1:0]                      held_o,        // [output port] is reserved
    // Set-up: see hybrid_router.
    output logic [DestinationWidth-1:0]           setup_destination_o,
    input  logic [Ports-1:0]                      setup_directions_i,
    input  logic [Ports-1:0]                      control_valid_i,
    input  router_pkg::control_kind_e [Ports-1:0] control_kind_i,
    input  logic [Ports-1:0][SearchWidth-1:0]     control_search_i,
    input  logic [Ports-1:0][DestinationWidth-1:0] control_destination_i,
    output logic [Ports-1:0]                      control_valid_o,
    output router_pkg::control_kind_e             control_kind_o,
    output logic [SearchWidth-1:0]                control_search_o,
    output logic [DestinationWidth-1:0]           control_destination_o,
    input  logic                                  request_valid_i,
    output logic                                  request_ready_o,
    input  logic [PortWidth-1:0]                  request_port_i,
    input  logic [CircuitWidth-1:0]               request_lane_i,
    input  router_pkg::control_kind_e             request_kind_i,
    input  logic [SearchWidth-1:0]                request_search_i,
    input  logic [DestinationWidth-1:0]           request_destination_i,
    output logic                                  outcome_valid_o,
    output logic                                  outcome_success_o
);
  import router_pkg::*;

  localparam int unsigned LaneBits = $clog2(CircuitLanes);
  localparam int unsigned Rows = Ports * CircuitLanes;
  localparam int unsigned RowWidth = index_width(Rows);

  logic [Rows-1:0] out_valid, in_valid, holds_flits;
  logic [Rows-1:0][RowWidth-1:0] out_row, in_row;
  logic release_path, reserve_path;
  logic [RowWidth-1:0] release_in, release_out, reserve_in, reserve_out, request_row;
  logic [Ports-1:0][CircuitLanes-1:0][Ports-1:0] request;
  logic [Ports-1:0][CircuitLanes-1:0] grant;
  logic [Width-1:0] front [Rows];

  // The latch at the end of the control channels, for the one message.
  logic latch_valid_q;
  logic [PortWidth-1:0] latch_port_q, arriving_port;
  control_kind_e latch_kind_q;
  logic [SearchWidth-1:0] latch_search_q;
  logic [DestinationWidth-1:0] latch_destination_q;
  logic setup_ready;

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    for (genvar l = 0; l < int'(CircuitLanes); l++) begin : gen_lane
      localparam int unsigned Row = p * CircuitLanes + l;
      if (l < int'(lanes_at(Routing, p, CircuitLanes))) begin : gen_circuit
        circuit_input #(
            .Ports       (Ports),
            .CircuitLanes(CircuitLanes),
            .Depth       (Depth),
            .Width       (Width)
        ) u_circuit (
            .clk_i,
            .rst_ni,
            .push_i         (arrives_i[p][l]),
            .flit_i         (flit_i[p]),
            .out_valid_i    (out_valid[Row]),
            .out_row_i      (out_row[Row]),
            .credit_i,
            .request_o      (request[p][l]),
            .grant_i        (grant[p][l]),
            .flit_o         (front[Row]),
            .holds_flits_d_o(holds_flits[Row])
        );
      end else begin : gen_no_circuit
        assign request[p][l] = '0;
        assign front[Row] = '0;
        assign holds_flits[Row] = 1'b0;
        `BRAID_REQUIRE(NoSuchLane, !arrives_i[p][l])
      end
    end
    assign grant_o[p] = |grant[p];
    assign held_o[p] = |in_valid[p*CircuitLanes+:CircuitLanes];
  end

  // SA. With one circuit a port nobody shares: who asks goes.
  if (CircuitLanes == 1) begin : gen_alone
    for (genvar p = 0; p < int'(Ports); p++) begin : gen_input
      assign grant[p] = |request[p];
      assign takes_o[p] = request[p];
      assign flit_o[p] = front[p];
      assign in_lane_o[p] = '0;
      assign out_port_o[p] = out_row[p];
      assign out_lane_o[p] = '0;
    end
  end else begin : gen_shared
    logic [Ports-1:0][CircuitLanes-1:0] asks;
    logic [Ports-1:0][CircuitLanes-1:0][PortWidth-1:0] to_port;
    for (genvar p = 0; p < int'(Ports); p++) begin : gen_input
      for (genvar l = 0; l < int'(CircuitLanes); l++) begin : gen_circuit_lane
        assign asks[p][l] = |request[p][l];
        assign to_port[p][l] = out_row[p*CircuitLanes+l][RowWidth-1:LaneBits];
      end
      always_comb begin
        takes_o[p] = '0;
        flit_o[p] = '0;
        in_lane_o[p] = '0;
        out_port_o[p] = '0;
        out_lane_o[p] = '0;
        for (int unsigned l = 0; l < CircuitLanes; l++) begin
          if (grant[p][l]) begin
            takes_o[p] |= request[p][l];
            flit_o[p] |= front[p*CircuitLanes+l];
            in_lane_o[p] |= CircuitWidth'(l);
            out_port_o[p] |= to_port[p][l];
            out_lane_o[p] |= out_row[p*CircuitLanes+l][LaneBits-1:0];
          end
        end
      end
    end
    switch_allocator #(
        .Ports(Ports),
        .Vcs  (CircuitLanes)
    ) u_allocator (
        .clk_i,
        .rst_ni,
        .request_i      (asks),
        .out_port_i     (to_port),
        .taken_inputs_i ('0),
        .taken_outputs_i('0),
        .grant_o        (grant)
    );
  end

  circuit_table #(
      .Rows(Rows)
  ) u_table (
      .clk_i,
      .rst_ni,
      .release_i    (release_path),
      .release_in_i (release_in),
      .release_out_i(release_out),
      .reserve_i    (reserve_path),
      .reserve_in_i (reserve_in),
      .reserve_out_i(reserve_out),
      .out_valid_o  (out_valid),
      .out_row_o    (out_row),
      .in_valid_o   (in_valid),
      .in_row_o     (in_row)
  );

  if (CircuitLanes == 1) begin : gen_port_is_row
    assign request_row = request_port_i;
    logic unused;
    assign unused = request_lane_i;
  end else begin : gen_row
    assign request_row = {request_port_i, request_lane_i};
  end

  // A message of the network goes before one of the node.
  assign request_ready_o = setup_ready && !latch_valid_q;
  always_comb begin
    arriving_port = '0;
    for (int unsigned p = 0; p < Ports; p++) arriving_port |= control_valid_i[p] ? PortWidth'(p) : '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      latch_valid_q       <= 1'b0;
      latch_port_q        <= '0;
      latch_kind_q        <= ControlKindProbe;
      latch_search_q      <= '0;
      latch_destination_q <= '0;
    end else begin
      latch_valid_q <= |control_valid_i;
      if (|control_valid_i) begin
        latch_port_q        <= arriving_port;
        latch_kind_q        <= control_kind_i[arriving_port];
        latch_search_q      <= control_search_i[arriving_port];
        latch_destination_q <= control_destination_i[arriving_port];
      end
    end
  end

  setup_unit #(
      .Ports       (Ports),
      .CircuitLanes(CircuitLanes)
  ) u_setup (
      .clk_i,
      .rst_ni,
      .network_ports_i,
      .local_ports_i,
      .avoid_ports_i,
      .valid_i           (latch_valid_q || (request_valid_i && request_ready_o)),
      .ready_o           (setup_ready),
      .row_i             (latch_valid_q ? RowWidth'(latch_port_q) << LaneBits : request_row),
      .kind_i            (latch_valid_q ? latch_kind_q : request_kind_i),
      .search_i          (latch_valid_q ? latch_search_q : request_search_i),
      .destination_i     (latch_valid_q ? latch_destination_q : request_destination_i),
      .lookup_o          (setup_destination_o),
      .directions_i      (setup_directions_i),
      .circuit_out_i     (out_row),
      .held_i            (in_valid),
      .circuit_in_i      (in_row),
      .holds_flits_i     (holds_flits),
      .release_o         (release_path),
      .release_in_o      (release_in),
      .release_out_o     (release_out),
      .reserve_o         (reserve_path),
      .reserve_in_o      (reserve_in),
      .reserve_out_o     (reserve_out),
      .send_o            (control_valid_o),
      .send_kind_o       (control_kind_o),
      .send_search_o     (control_search_o),
      .send_destination_o(control_destination_o),
      .done_o            (outcome_valid_o),
      .success_o         (outcome_success_o)
  );

  `BRAID_REQUIRE(OneControlMessage, $onehot0(control_valid_i))
endmodule
