// SPDX-License-Identifier: Apache-2.0
// circuit_unit with all its ports packed, and with its table of reservations shown: for simulation, in the seat of a
// modelled router's circuit unit (models/stages/rtl).
`include "assert.svh"

module circuit_unit_probe #(
    parameter int unsigned Ports = 5,
    parameter int unsigned CircuitLanes = 1,
    parameter int unsigned Depth = 5,
    parameter int unsigned Width = 66,
    parameter router_pkg::routing_e Routing = router_pkg::RoutingXFirst,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned CircuitWidth = router_pkg::index_width(CircuitLanes),
    localparam int unsigned SearchWidth = router_pkg::SearchWidth,
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth,
    localparam int unsigned Rows = Ports * CircuitLanes,
    localparam int unsigned RowWidth = router_pkg::index_width(Rows)
) (
    input  logic                                  clk_i,
    input  logic                                  rst_ni,
    input  logic [Ports-1:0]                      network_ports_i,
    input  logic [Ports-1:0]                      local_ports_i,
    input  logic [Ports-1:0]                      avoid_ports_i,
    input  logic [Ports-1:0][CircuitLanes-1:0]    arrives_i,
    input  logic [Ports-1:0][Width-1:0]           flit_i,
    input  logic [Ports-1:0][CircuitLanes-1:0]    credit_i,
    output logic [Ports-1:0]                      grant_o,
    output logic [Ports-1:0][Ports-1:0]           takes_o,
    output logic [Ports-1:0][Width-1:0]           flit_o,
    output logic [Ports-1:0][CircuitWidth-1:0]    in_lane_o,
    output logic [Ports-1:0][PortWidth-1:0]       out_port_o,
    output logic [Ports-1:0][CircuitWidth-1:0]    out_lane_o,
    output logic [Ports-1:0]                      held_o,
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
    input  logic [PortWidth-1:0]                  request_port_i,
    input  logic [CircuitWidth-1:0]               request_lane_i,
    input  router_pkg::control_kind_e             request_kind_i,
    input  logic [SearchWidth-1:0]                request_search_i,
    input  logic [DestinationWidth-1:0]           request_destination_i,
    output logic                                  outcome_valid_o,
    output logic                                  outcome_success_o,
    output logic [Rows-1:0]                       table_valid_o,  // [input row] holds a reservation
    output logic [Rows-1:0][RowWidth-1:0]         table_row_o     // ... of this output row
);
  logic [Width-1:0] flit_in[Ports], flit_out[Ports];
  logic request_ready;
  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    assign flit_in[p] = flit_i[p];
    assign flit_o[p] = flit_out[p];
  end

  circuit_unit #(
      .Ports       (Ports),
      .CircuitLanes(CircuitLanes),
      .Depth       (Depth),
      .Width       (Width),
      .Routing     (Routing)
  ) u_circuits (
      .flit_i(flit_in),
      .flit_o(flit_out),
      .request_ready_o(request_ready),
      .*
  );
  // Whoever drives this bench holds no request back: it asks while nothing else is at work.
  `BRAID_REQUIRE(RequestIsTaken, !request_valid_i || request_ready)

  assign table_valid_o = u_circuits.out_valid;
  assign table_row_o = u_circuits.out_row;
endmodule
