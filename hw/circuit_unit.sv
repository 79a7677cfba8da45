// All that circuits add to a packet router: the circuit lane of every input port, the table of reservations, and the
// set-up unit with its control channels.
`include "assert.svh"

module circuit_unit #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Depth = 5,
    parameter int unsigned Width = 66,  // head, tail, data
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned SearchWidth = router_pkg::SearchWidth,
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth
) (
    input  logic                                  clk_i,
    input  logic                                  rst_ni,
    input  logic [Ports-1:0]                      network_ports_i,
    input  logic [Ports-1:0]                      local_ports_i,
    // The circuit lane.
    input  logic [Ports-1:0]                      arrives_i,     // [input port] a circuit's flit is on the link
    input  logic [Width-1:0]                      flit_i [Ports],
    input  logic [Ports-1:0]                      credit_i,      // [output port] has credit for a circuit's flit
    output logic [Ports-1:0]                      grant_o,       // [input port] its circuit crosses in the next cycle
    output logic [Ports-1:0][Ports-1:0]           takes_o,       // [input port][output port]
    output logic [Width-1:0]                      flit_o [Ports],
    output logic [Ports-1:0][PortWidth-1:0]       out_port_o,
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
    input  logic [PortWidth-1:0]                  request_port_i,
    input  router_pkg::control_kind_e             request_kind_i,
    input  logic [SearchWidth-1:0]                request_search_i,
    input  logic [DestinationWidth-1:0]           request_destination_i,
    output logic                                  outcome_valid_o,
    output logic                                  outcome_success_o
);
  import router_pkg::*;

  logic [Ports-1:0] out_valid, holds_flits;
  logic [Ports-1:0][PortWidth-1:0] out_port, in_port;
  logic release_path, reserve_path;
  logic [PortWidth-1:0] release_in, release_out, reserve_in, reserve_out;

  // The latch at the end of the control channels, for the one message.
  logic latch_valid_q;
  logic [PortWidth-1:0] latch_port_q, arriving_port;
  control_kind_e latch_kind_q;
  logic [SearchWidth-1:0] latch_search_q;
  logic [DestinationWidth-1:0] latch_destination_q;

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    circuit_input #(
        .Ports(Ports),
        .Depth(Depth),
        .Width(Width)
    ) u_circuit (
        .clk_i,
        .rst_ni,
        .push_i         (arrives_i[p]),
        .flit_i         (flit_i[p]),
        .out_valid_i    (out_valid[p]),
        .out_port_i     (out_port[p]),
        .credit_i,
        .grant_o        (grant_o[p]),
        .taken_output_o (takes_o[p]),
        .flit_o         (flit_o[p]),
        .holds_flits_d_o(holds_flits[p])
    );
  end
  assign out_port_o = out_port;

  circuit_table #(
      .Ports(Ports)
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
      .out_port_o   (out_port),
      .in_valid_o   (held_o),
      .in_port_o    (in_port)
  );

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
      .Ports(Ports)
  ) u_setup (
      .clk_i,
      .rst_ni,
      .network_ports_i,
      .local_ports_i,
      .valid_i           (latch_valid_q || request_valid_i),
      .port_i            (latch_valid_q ? latch_port_q : request_port_i),
      .kind_i            (latch_valid_q ? latch_kind_q : request_kind_i),
      .search_i          (latch_valid_q ? latch_search_q : request_search_i),
      .destination_i     (latch_valid_q ? latch_destination_q : request_destination_i),
      .lookup_o          (setup_destination_o),
      .directions_i      (setup_directions_i),
      .circuit_out_i     (out_port),
      .held_i            (held_o),
      .circuit_in_i      (in_port),
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
  `BRAID_REQUIRE(OneMessage, !(latch_valid_q && request_valid_i))
endmodule
