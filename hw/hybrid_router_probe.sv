// For testbenches: the hybrid router with every architectural register on view, one a 64-bit word, so that the router
// itself needs no test pins. A rising edge of show_i takes the view: cycles in which nobody looks cost nothing. The order
// of the words is read in the same order by tb/rtl/verilated_router.h.
module hybrid_router_probe #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,
    parameter int unsigned Circuits = 1,
    parameter int unsigned CircuitDepth = 5,
    parameter int unsigned FlitWidth = 64,
    parameter int unsigned Routing = 0,
    parameter int unsigned Arbiter = 0,
    parameter int unsigned TableNodes = 16,
    localparam int unsigned Lanes = Vcs + Circuits,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned LaneWidth = router_pkg::index_width(Lanes),
    localparam int unsigned CoordWidth = router_pkg::CoordWidth,
    localparam int unsigned SearchWidth = router_pkg::SearchWidth,
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth,
    localparam int unsigned NodeWidth = router_pkg::index_width(TableNodes),
    // Words on view.
    localparam int unsigned FlitWords = (FlitWidth + 63) / 64,
    localparam int unsigned VcWords = 10 + Depth * FlitWords,
    localparam int unsigned LaneWords = 4 + CircuitDepth * FlitWords,
    localparam int unsigned PortWords = Vcs * VcWords + LaneWords + 7 + FlitWords + Lanes + 2 + FlitWords,
    localparam int unsigned Words = Ports * PortWords + 6
) (
    input  logic                                   clk_i,
    input  logic                                   rst_ni,
    input  logic [CoordWidth-1:0]                  x_i,
    input  logic [CoordWidth-1:0]                  y_i,
    input  logic [Ports-1:0]                       network_ports_i,
    input  logic [Ports-1:0]                       local_ports_i,
    input  logic [Ports-1:0]                       port_class_i,
    input  logic                                   share_reserved_i,
    input  logic                                   table_write_i,
    input  logic [1:0]                             table_set_i,
    input  logic [NodeWidth-1:0]                   table_node_i,
    input  logic [Ports-1:0]                       table_ports_i,
    input  logic [Ports-1:0]                       link_valid_i,
    input  logic [Ports-1:0]                       link_head_i,
    input  logic [Ports-1:0]                       link_tail_i,
    input  logic [Ports-1:0][LaneWidth-1:0]        link_lane_i,
    input  logic [Ports-1:0][FlitWidth-1:0]        link_data_i,
    output logic [Ports-1:0][Lanes-1:0]            credit_o,
    output logic [Ports-1:0]                       link_valid_o,
    output logic [Ports-1:0]                       link_head_o,
    output logic [Ports-1:0]                       link_tail_o,
    output logic [Ports-1:0][LaneWidth-1:0]        link_lane_o,
    output logic [Ports-1:0][FlitWidth-1:0]        link_data_o,
    input  logic [Ports-1:0][Lanes-1:0]            credit_i,
    input  logic [Ports-1:0]                       control_valid_i,
    input  logic [Ports-1:0][1:0]                  control_kind_i,
    input  logic [Ports-1:0][SearchWidth-1:0]      control_search_i,
    input  logic [Ports-1:0][DestinationWidth-1:0] control_destination_i,
    output logic [Ports-1:0]                       control_valid_o,
    output logic [1:0]                             control_kind_o,
    output logic [SearchWidth-1:0]                 control_search_o,
    output logic [DestinationWidth-1:0]            control_destination_o,
    input  logic                                   request_valid_i,
    input  logic [PortWidth-1:0]                   request_port_i,
    input  logic [1:0]                             request_kind_i,
    input  logic [SearchWidth-1:0]                 request_search_i,
    input  logic [DestinationWidth-1:0]            request_destination_i,
    output logic                                   outcome_valid_o,
    output logic                                   outcome_success_o,
    input  logic                                   show_i,
    output logic [63:0]                            probe_o [Words]
);
  import router_pkg::*;

  control_kind_e control_kind;

  // Straps do not change while out of reset: held, so that no simulator looks at them every cycle.
  logic [CoordWidth-1:0] x_q, y_q;
  logic [Ports-1:0] network_ports_q, local_ports_q, port_class_q;
  logic share_reserved_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      x_q              <= x_i;
      y_q              <= y_i;
      network_ports_q  <= network_ports_i;
      local_ports_q    <= local_ports_i;
      port_class_q     <= port_class_i;
      share_reserved_q <= share_reserved_i;
    end
  end

  hybrid_router #(
      .Ports       (Ports),
      .Vcs         (Vcs),
      .Depth       (Depth),
      .Circuits    (Circuits != 0),
      .CircuitDepth(CircuitDepth),
      .FlitWidth   (FlitWidth),
      .Routing     (routing_e'(Routing[2:0])),
      .Arbiter     (arbiter_e'(Arbiter[0])),
      .TableNodes  (TableNodes)
  ) u_router (
      .x_i             (x_q),
      .y_i             (y_q),
      .network_ports_i (network_ports_q),
      .local_ports_i   (local_ports_q),
      .port_class_i    (port_class_q),
      .share_reserved_i(share_reserved_q),
      .control_kind_i  (control_kind_i),
      .control_kind_o  (control_kind),
      .request_kind_i  (control_kind_e'(request_kind_i)),
      .*
  );
  assign control_kind_o = control_kind;

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    localparam int unsigned Base = p * PortWords;
    localparam int unsigned LaneBase = Base + Vcs * VcWords;
    localparam int unsigned RestBase = LaneBase + LaneWords;

    // Packet VCs: state, count, read pointer, output VC, candidates, input arbiter of VA, heads, tails, output arbiter of VA,
    // data.
    for (genvar v = 0; v < int'(Vcs); v++) begin : gen_vc
      localparam int unsigned VcBase = Base + v * VcWords;
      always_ff @(posedge show_i) begin
        probe_o[VcBase+0] <= 64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.state_q);
        probe_o[VcBase+1] <= 64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.u_buffer.count_q);
        probe_o[VcBase+2] <= 64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.u_buffer.read_q);
        probe_o[VcBase+3] <= 64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.out_port_q);
        probe_o[VcBase+4] <= 64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.out_vc_q);
        probe_o[VcBase+5] <= 64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.candidates_q);
      end
      if (Arbiter == 32'(ArbiterMatrix)) begin : gen_matrix
        always_ff @(posedge show_i) begin
          probe_o[VcBase+6] <=
              64'(u_router.u_vc_allocator.gen_input[p*Vcs+v].u_vc_arbiter.gen_matrix.u_arbiter.order_q);
          probe_o[VcBase+9] <= '0;  // too wide to show: seen through the grants
        end
      end else begin : gen_round_robin
        always_ff @(posedge show_i) begin
          probe_o[VcBase+6] <=
              64'(u_router.u_vc_allocator.gen_input[p*Vcs+v].u_vc_arbiter.gen_round_robin.u_arbiter.after_q);
          probe_o[VcBase+9] <=
              64'(u_router.u_vc_allocator.gen_output_port[p].gen_output_vc[v].u_output_arbiter.gen_round_robin
                  .u_arbiter.after_q);
        end
      end
      for (genvar d = 0; d < int'(Depth); d++) begin : gen_slot
        always_ff @(posedge show_i) begin
          probe_o[VcBase+7][d] <=
              u_router.gen_port[p].u_input.gen_vc[v].u_vc.u_buffer.memory_q[d][FlitWidth+1];
          probe_o[VcBase+8][d] <=
              u_router.gen_port[p].u_input.gen_vc[v].u_vc.u_buffer.memory_q[d][FlitWidth];
        end
        for (genvar w = 0; w < int'(FlitWords); w++) begin : gen_word
          localparam int unsigned Bits = w + 1 < FlitWords ? 64 : FlitWidth - 64 * (FlitWords - 1);
          always_ff @(posedge show_i) begin
            probe_o[VcBase+10+d*FlitWords+w] <=
                64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.u_buffer.memory_q[d][64*w+:Bits]);
          end
        end
      end
      always_ff @(posedge show_i) begin
        probe_o[VcBase+7][63:Depth] <= '0;
        probe_o[VcBase+8][63:Depth] <= '0;
      end
    end

    // Circuit lane: count, read pointer, heads, tails, data.
    if (Circuits != 0) begin : gen_circuit
      always_ff @(posedge show_i) begin
        probe_o[LaneBase+0] <= 64'(u_router.gen_circuits.u_circuits.gen_port[p].u_circuit.u_buffer.count_q);
        probe_o[LaneBase+1] <= 64'(u_router.gen_circuits.u_circuits.gen_port[p].u_circuit.u_buffer.read_q);
      end
      for (genvar d = 0; d < int'(CircuitDepth); d++) begin : gen_slot
        always_ff @(posedge show_i) begin
          probe_o[LaneBase+2][d] <=
              u_router.gen_circuits.u_circuits.gen_port[p].u_circuit.u_buffer.memory_q[d][FlitWidth+1];
          probe_o[LaneBase+3][d] <=
              u_router.gen_circuits.u_circuits.gen_port[p].u_circuit.u_buffer.memory_q[d][FlitWidth];
        end
        for (genvar w = 0; w < int'(FlitWords); w++) begin : gen_word
          localparam int unsigned Bits = w + 1 < FlitWords ? 64 : FlitWidth - 64 * (FlitWords - 1);
          always_ff @(posedge show_i) begin
            probe_o[LaneBase+4+d*FlitWords+w] <=
                64'(u_router.gen_circuits.u_circuits.gen_port[p].u_circuit.u_buffer.memory_q[d][64*w+:Bits]);
          end
        end
      end
      always_ff @(posedge show_i) begin
        probe_o[LaneBase+2][63:CircuitDepth] <= '0;
        probe_o[LaneBase+3][63:CircuitDepth] <= '0;
        probe_o[RestBase+0] <= {31'b0, u_router.gen_circuits.u_circuits.u_table.out_valid_q[p],
                                      32'(u_router.gen_circuits.u_circuits.u_table.out_port_q[p])};
        probe_o[RestBase+1] <= {31'b0, u_router.gen_circuits.u_circuits.u_table.in_valid_q[p],
                                      32'(u_router.gen_circuits.u_circuits.u_table.in_port_q[p])};
        probe_o[RestBase+7+FlitWords+Vcs] <=
            64'(u_router.gen_port[p].u_output.gen_circuit.u_credits.credits_q);
      end
    end else begin : gen_no_circuit
      for (genvar w = 0; w < int'(LaneWords); w++) begin : gen_word
        always_ff @(posedge show_i) probe_o[LaneBase+w] <= '0;
      end
      always_ff @(posedge show_i) begin
        probe_o[RestBase+0] <= '0;
        probe_o[RestBase+1] <= '0;
      end
    end

    // Free VCs of the output, arbiters of SA, the ST register, credits, the latch at the end of the link.
    always_ff @(posedge show_i) probe_o[RestBase+2] <= 64'(u_router.gen_port[p].u_output.free_q);
    if (Arbiter == 32'(ArbiterMatrix)) begin : gen_matrix
      always_ff @(posedge show_i) begin
        probe_o[RestBase+3] <=
            64'(u_router.u_switch_allocator.gen_input[p].u_vc_arbiter.gen_matrix.u_arbiter.order_q);
        probe_o[RestBase+4] <=
            64'(u_router.u_switch_allocator.gen_output[p].u_output_arbiter.gen_matrix.u_arbiter.order_q);
      end
    end else begin : gen_round_robin
      always_ff @(posedge show_i) begin
        probe_o[RestBase+3] <=
            64'(u_router.u_switch_allocator.gen_input[p].u_vc_arbiter.gen_round_robin.u_arbiter.after_q);
        probe_o[RestBase+4] <=
            64'(u_router.u_switch_allocator.gen_output[p].u_output_arbiter.gen_round_robin.u_arbiter.after_q);
      end
    end
    always_ff @(posedge show_i) begin
      probe_o[RestBase+5] <= {
        16'(u_router.u_switch_traversal.valid_q[p]),
        16'(u_router.u_switch_traversal.out_port_q[p]),
        16'(u_router.u_switch_traversal.out_lane_q[p]),
        16'(u_router.u_switch_traversal.in_lane_q[p])
      };
      probe_o[RestBase+6] <= 64'(u_router.u_switch_traversal.flit_q[p][FlitWidth+1:FlitWidth]);
    end
    for (genvar w = 0; w < int'(FlitWords); w++) begin : gen_word
      localparam int unsigned Bits = w + 1 < FlitWords ? 64 : FlitWidth - 64 * (FlitWords - 1);
      always_ff @(posedge show_i) probe_o[RestBase+7+w] <= 64'(u_router.u_switch_traversal.flit_q[p][64*w+:Bits]);
    end
    localparam int unsigned LatchBase = RestBase + 7 + FlitWords + Lanes;
    always_ff @(posedge show_i) begin
      probe_o[LatchBase+0] <= {31'b0, u_router.gen_port[p].u_input.latch_valid_q,
                                     32'(u_router.gen_port[p].u_input.latch_vc_q)};
      probe_o[LatchBase+1] <= 64'(u_router.gen_port[p].u_input.latch_flit_q[FlitWidth+1:FlitWidth]);
    end
    for (genvar w = 0; w < int'(FlitWords); w++) begin : gen_latch_word
      localparam int unsigned Bits = w + 1 < FlitWords ? 64 : FlitWidth - 64 * (FlitWords - 1);
      always_ff @(posedge show_i) probe_o[LatchBase+2+w] <= 64'(u_router.gen_port[p].u_input.latch_flit_q[64*w+:Bits]);
    end
    for (genvar v = 0; v < int'(Vcs); v++) begin : gen_credit
      always_ff @(posedge show_i) begin
        probe_o[RestBase+7+FlitWords+v] <= 64'(u_router.gen_port[p].u_output.gen_vc[v].u_credits.credits_q);
      end
    end
  end

  // Set-up unit: history, waiting tear-down, the latch of the control channels.
  localparam int unsigned SetupBase = Ports * PortWords;
  if (Circuits != 0) begin : gen_setup
    always_ff @(posedge show_i) begin
      probe_o[SetupBase+0] <= 64'(u_router.gen_circuits.u_circuits.u_setup.search_q);
      probe_o[SetupBase+1] <= 64'(u_router.gen_circuits.u_circuits.u_setup.in_port_q);
      probe_o[SetupBase+2] <= 64'(u_router.gen_circuits.u_circuits.u_setup.tried_q);
      probe_o[SetupBase+3] <= {31'b0, u_router.gen_circuits.u_circuits.u_setup.waiting_q,
                                     32'(u_router.gen_circuits.u_circuits.u_setup.waiting_message_q.port)};
      probe_o[SetupBase+4] <= {31'b0, u_router.gen_circuits.u_circuits.latch_valid_q,
                                     32'(u_router.gen_circuits.u_circuits.latch_port_q)};
      probe_o[SetupBase+5] <= {16'b0, 16'(u_router.gen_circuits.u_circuits.latch_kind_q),
                                     u_router.gen_circuits.u_circuits.latch_search_q,
                                     u_router.gen_circuits.u_circuits.latch_destination_q};
    end
  end else begin : gen_no_setup
    for (genvar w = 0; w < 6; w++) begin : gen_word
      always_ff @(posedge show_i) probe_o[SetupBase+w] <= '0;
    end
  end
endmodule
