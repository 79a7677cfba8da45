// SPDX-License-Identifier: Apache-2.0
// For proofs of set-up: one set-up unit and the circuit table that it writes, as in hw/circuit_unit.sv. Where the node is
// the module under proof (instance u_dut), the unit's requirements are those of the environment.
module setup_node
  import router_pkg::*;
#(
    parameter int unsigned Ports = 3,
    parameter int unsigned CircuitLanes = 1,
    parameter logic [Ports-1:0] LocalPorts = {1'b1, {(Ports - 1) {1'b0}}},
    localparam int unsigned Rows = Ports * CircuitLanes,
    localparam int unsigned RowWidth = index_width(Rows)
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  logic [Ports-1:0]              avoid_ports_i,
    input  logic                          valid_i,        // a message comes in at a row
    input  logic [RowWidth-1:0]           row_i,
    input  control_kind_e                 kind_i,
    input  logic [SearchWidth-1:0]        search_i,
    input  logic [DestinationWidth-1:0]   destination_i,
    input  logic [Ports-1:0]              directions_i,
    input  logic [Rows-1:0]               busy_i,         // rows out that circuits of others hold
    input  logic [Rows-1:0]               holds_flits_i,
    output logic [Ports-1:0]              send_o,
    output control_kind_e                 send_kind_o,
    output logic [SearchWidth-1:0]        send_search_o,
    output logic                          done_o,
    output logic                          success_o,
    output logic                          release_o,
    output logic [RowWidth-1:0]           release_out_o,
    output logic                          reserve_o,
    output logic [RowWidth-1:0]           reserve_out_o,
    output logic [Rows-1:0]               out_valid_o,    // the table: by row in, then by row out
    output logic [Rows-1:0][RowWidth-1:0] out_row_o,
    output logic [Rows-1:0]               in_valid_o
);
  logic [RowWidth-1:0] release_in, reserve_in;
  logic [Rows-1:0][RowWidth-1:0] in_row;

  setup_unit #(
      .Ports(Ports),
      .CircuitLanes(CircuitLanes)
  ) u_unit (
      .clk_i,
      .rst_ni,
      .network_ports_i(~LocalPorts),
      .local_ports_i(LocalPorts),
      .avoid_ports_i,
      .valid_i,
      .ready_o(),
      .row_i,
      .kind_i,
      .search_i,
      .destination_i,
      .lookup_o(),
      .directions_i,
      .circuit_out_i(out_row_o),
      .held_i(in_valid_o | busy_i),
      .circuit_in_i(in_row),
      .holds_flits_i,
      .release_o,
      .release_in_o(release_in),
      .release_out_o,
      .reserve_o,
      .reserve_in_o(reserve_in),
      .reserve_out_o,
      .send_o,
      .send_kind_o,
      .send_search_o,
      .send_destination_o(),
      .done_o,
      .success_o
  );

  circuit_table #(
      .Rows(Rows)
  ) u_table (
      .clk_i,
      .rst_ni,
      .release_i(release_o),
      .release_in_i(release_in),
      .release_out_i(release_out_o),
      .reserve_i(reserve_o),
      .reserve_in_i(reserve_in),
      .reserve_out_i(reserve_out_o),
      .out_valid_o,
      .out_row_o,
      .in_valid_o,
      .in_row_o(in_row)
  );
endmodule
