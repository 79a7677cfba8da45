// SPDX-License-Identifier: Apache-2.0
// For testbenches: the hybrid router with every architectural register on view, one a 64-bit word, so that the router
// itself needs no test pins. A rising edge of show_i takes the view: cycles in which nobody looks cost nothing. Where each
// word is says hw/words.toml, to this module and to tb/rtl/probe.cpp, which reads them.
`include "assert.svh"

module hybrid_router_probe #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,
    parameter int unsigned BufferBypass = 0,
    parameter int unsigned Circuits = 1,
    parameter int unsigned CircuitDepth = 5,
    parameter int unsigned CircuitLanes = 1,
    parameter int unsigned FlitWidth = 64,
    parameter int unsigned Routing = 0,
    parameter int unsigned Arbiter = 0,
    parameter int unsigned TableNodes = 16,
    parameter int unsigned VcAllocator = 0,
    parameter int unsigned SwitchAllocator = 0,
    parameter int unsigned IslipIterations = 1,
    localparam int unsigned Lanes = Vcs + Circuits * CircuitLanes,
    localparam int unsigned CircuitWidth = router_pkg::index_width(CircuitLanes),
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned LaneWidth = router_pkg::index_width(Lanes),
    localparam int unsigned CoordWidth = router_pkg::CoordWidth,
    localparam int unsigned SearchWidth = router_pkg::SearchWidth,
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth,
    localparam int unsigned NodeWidth = router_pkg::index_width(TableNodes),
    // Words on view: At... is where each begins.
    localparam int unsigned FlitWords = (FlitWidth + 63) / 64,
    // Generated from hw/words.toml by scripts/braid_tools/rtl/words.py; do not edit.
    // A packet VC.
    localparam int unsigned AtVcState = 0,
    localparam int unsigned AtVcCount = 1,
    localparam int unsigned AtVcRead = 2,
    localparam int unsigned AtVcOutPort = 3,
    localparam int unsigned AtVcOutVc = 4,
    localparam int unsigned AtVcCandidates = 5,
    localparam int unsigned AtVcVaInputArbiter = 6,
    localparam int unsigned AtVcVaOutputArbiter = 7,
    localparam int unsigned AtVcHeads = 8,
    localparam int unsigned AtVcTails = 9,
    localparam int unsigned AtVcData = 10,
    localparam int unsigned VcWords = 10 + Depth * FlitWords,
    // A circuit lane of a port: its buffer, its rows of the circuit table.
    localparam int unsigned AtLaneCount = 0,
    localparam int unsigned AtLaneRead = 1,
    localparam int unsigned AtLaneHeads = 2,
    localparam int unsigned AtLaneTails = 3,
    localparam int unsigned AtLaneOutValid = 4,
    localparam int unsigned AtLaneOutRow = 5,
    localparam int unsigned AtLaneInValid = 6,
    localparam int unsigned AtLaneInRow = 7,
    localparam int unsigned AtLaneData = 8,
    localparam int unsigned LaneWords = 8 + CircuitDepth * FlitWords,
    // A port: arbiters of circuits, output VCs, arbiters of SA, register of ST, link's latch, lanes.
    localparam int unsigned AtPortCircuitLaneArbiter = 0,
    localparam int unsigned AtPortCircuitOutputArbiter = 1,
    localparam int unsigned AtPortFreeVcs = 2,
    localparam int unsigned AtPortSaVcArbiter = 3,
    localparam int unsigned AtPortSaOutputArbiter = 4,
    localparam int unsigned AtPortSaAcceptArbiter = 5,
    localparam int unsigned AtPortStValid = 6,
    localparam int unsigned AtPortStOutPort = 7,
    localparam int unsigned AtPortStOutLane = 8,
    localparam int unsigned AtPortStInLane = 9,
    localparam int unsigned AtPortStHead = 10,
    localparam int unsigned AtPortStTail = 11,
    localparam int unsigned AtPortLatchValid = 12,
    localparam int unsigned AtPortLatchLane = 13,
    localparam int unsigned AtPortLatchHead = 14,
    localparam int unsigned AtPortLatchTail = 15,
    localparam int unsigned AtPortStData = 16,
    localparam int unsigned AtPortLatchData = 16 + FlitWords,
    localparam int unsigned AtPortCredits = 16 + FlitWords + FlitWords,
    localparam int unsigned AtPortLane = 16 + FlitWords + FlitWords + Lanes,
    localparam int unsigned AtPortVc = 16 + FlitWords + FlitWords + Lanes + CircuitLanes * LaneWords,
    localparam int unsigned PortWords = 16 + FlitWords + FlitWords + Lanes + CircuitLanes * LaneWords + Vcs * VcWords,
    // The router: set-up unit, latch of the control channels, ports.
    localparam int unsigned AtRouterSearch = 0,
    localparam int unsigned AtRouterSearchRow = 1,
    localparam int unsigned AtRouterSearchTried = 2,
    localparam int unsigned AtRouterWaiting = 3,
    localparam int unsigned AtRouterWaitingRow = 4,
    localparam int unsigned AtRouterControlValid = 5,
    localparam int unsigned AtRouterControlPort = 6,
    localparam int unsigned AtRouterControlKind = 7,
    localparam int unsigned AtRouterControlSearch = 8,
    localparam int unsigned AtRouterControlDestination = 9,
    localparam int unsigned AtRouterPort = 10,
    localparam int unsigned RouterWords = 10 + Ports * PortWords,
    // End of what is generated.
    localparam int unsigned Words = RouterWords
) (
    input  logic                                   clk_i,
    input  logic                                   rst_ni,
    input  logic [CoordWidth-1:0]                  x_i,
    input  logic [CoordWidth-1:0]                  y_i,
    input  logic [CoordWidth-1:0]                  last_x_i,
    input  logic [CoordWidth-1:0]                  last_y_i,
    input  logic [Ports-1:0]                       network_ports_i,
    input  logic [Ports-1:0]                       local_ports_i,
    input  logic [Ports-1:0]                       port_class_i,
    input  logic [Ports-1:0]                       avoid_ports_i,
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
    input  logic [CircuitWidth-1:0]                request_lane_i,
    input  logic [1:0]                             request_kind_i,
    input  logic [SearchWidth-1:0]                 request_search_i,
    input  logic [DestinationWidth-1:0]            request_destination_i,
    output logic                                   outcome_valid_o,
    output logic                                   outcome_success_o,
    input  logic                                   show_i,
    output logic [63:0]                            probe_o [Words]
);
  import router_pkg::*;

  localparam routing_e RoutingKind = routing_e'(Routing[2:0]);

  control_kind_e control_kind;
  logic request_ready;

  // Straps do not change while out of reset: held, so that no simulator looks at them every cycle.
  logic [CoordWidth-1:0] x_q, y_q, last_x_q, last_y_q;
  logic [Ports-1:0] network_ports_q, local_ports_q, port_class_q, avoid_ports_q;
  logic share_reserved_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      x_q              <= x_i;
      y_q              <= y_i;
      last_x_q         <= last_x_i;
      last_y_q         <= last_y_i;
      network_ports_q  <= network_ports_i;
      local_ports_q    <= local_ports_i;
      port_class_q     <= port_class_i;
      avoid_ports_q    <= avoid_ports_i;
      share_reserved_q <= share_reserved_i;
    end
  end

  hybrid_router #(
      .Ports       (Ports),
      .Vcs         (Vcs),
      .Depth       (Depth),
      .BufferBypass(BufferBypass != 0),
      .Circuits    (Circuits != 0),
      .CircuitDepth(CircuitDepth),
      .CircuitLanes(CircuitLanes),
      .FlitWidth   (FlitWidth),
      .Routing     (RoutingKind),
      .Arbiter     (arbiter_e'(Arbiter[0])),
      .TableNodes  (TableNodes),
      .VcAllocator    (allocator_e'(VcAllocator[0])),
      .SwitchAllocator(allocator_e'(SwitchAllocator[0])),
      .IslipIterations(IslipIterations)
  ) u_router (
      .x_i             (x_q),
      .y_i             (y_q),
      .last_x_i        (last_x_q),
      .last_y_i        (last_y_q),
      .network_ports_i (network_ports_q),
      .local_ports_i   (local_ports_q),
      .port_class_i    (port_class_q),
      .avoid_ports_i   (avoid_ports_q),
      .share_reserved_i(share_reserved_q),
      .control_kind_i  (control_kind_i),
      .control_kind_o  (control_kind),
      .request_kind_i  (control_kind_e'(request_kind_i)),
      .request_ready_o (request_ready),
      .*
  );
  assign control_kind_o = control_kind;

  // Whoever drives this bench holds no request back: it asks while nothing else is at work.
  `BRAID_REQUIRE(RequestIsTaken, !request_valid_i || Circuits == 0 || request_ready)

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    localparam int unsigned Base = AtRouterPort + p * PortWords;

    // Packet VCs. The data of a buffer's slots lie one behind the other.
    for (genvar v = 0; v < int'(Vcs); v++) begin : gen_vc
      localparam int unsigned VcBase = Base + AtPortVc + v * VcWords;
      always_ff @(posedge show_i) begin
        probe_o[VcBase+AtVcState]      <= 64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.state_q);
        probe_o[VcBase+AtVcCount]      <= 64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.u_buffer.count_q);
        probe_o[VcBase+AtVcRead]       <= 64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.u_buffer.read_q);
        probe_o[VcBase+AtVcOutPort]    <= 64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.out_port_q);
        probe_o[VcBase+AtVcOutVc]      <= 64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.out_vc_q);
        probe_o[VcBase+AtVcCandidates] <= 64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.candidates_q);
      end
      // With several iterations of iSLIP the order of a grant's or accept's arbiter is not told by the grants, nor is it
      // shown where it is wider than a word: seen through the grants that follow.
      if (VcAllocator == 32'(AllocatorIslip)) begin : gen_islip
        if (IslipIterations == 1 && Arbiter != 32'(ArbiterMatrix)) begin : gen_shown
          always_ff @(posedge show_i) begin
            probe_o[VcBase+AtVcVaInputArbiter] <=
                64'(u_router.gen_islip_va.u_vc_allocator.u_matching.accept_order[p*Vcs+v]);
            probe_o[VcBase+AtVcVaOutputArbiter] <=
                64'(u_router.gen_islip_va.u_vc_allocator.u_matching.grant_order[p*Vcs+v]);
          end
        end else begin : gen_hidden
          always_ff @(posedge show_i) begin
            probe_o[VcBase+AtVcVaInputArbiter] <= '0;
            probe_o[VcBase+AtVcVaOutputArbiter] <= '0;
          end
        end
      end else if (Arbiter == 32'(ArbiterMatrix)) begin : gen_matrix
        always_ff @(posedge show_i) begin
          probe_o[VcBase+AtVcVaInputArbiter] <=
              64'(u_router.gen_separable_va.u_vc_allocator.gen_input[p*Vcs+v].u_vc_arbiter.gen_matrix.u_arbiter.order_q);
          probe_o[VcBase+AtVcVaOutputArbiter] <= '0;  // too wide to show: seen through the grants
        end
      end else begin : gen_round_robin
        always_ff @(posedge show_i) begin
          probe_o[VcBase+AtVcVaInputArbiter] <=
              64'(u_router.gen_separable_va.u_vc_allocator.gen_input[p*Vcs+v].u_vc_arbiter.gen_round_robin.u_arbiter.after_q);
          probe_o[VcBase+AtVcVaOutputArbiter] <=
              64'(u_router.gen_separable_va.u_vc_allocator.gen_output_port[p].gen_output_vc[v].u_output_arbiter.gen_round_robin
                  .u_arbiter.after_q);
        end
      end
      for (genvar d = 0; d < int'(Depth); d++) begin : gen_slot
        always_ff @(posedge show_i) begin
          probe_o[VcBase+AtVcHeads][d] <=
              u_router.gen_port[p].u_input.gen_vc[v].u_vc.u_buffer.memory_q[d][FlitWidth+1];
          probe_o[VcBase+AtVcTails][d] <=
              u_router.gen_port[p].u_input.gen_vc[v].u_vc.u_buffer.memory_q[d][FlitWidth];
        end
        for (genvar w = 0; w < int'(FlitWords); w++) begin : gen_word
          localparam int unsigned Bits = w + 1 < FlitWords ? 64 : FlitWidth - 64 * (FlitWords - 1);
          always_ff @(posedge show_i) begin
            probe_o[VcBase+AtVcData+d*FlitWords+w] <=
                64'(u_router.gen_port[p].u_input.gen_vc[v].u_vc.u_buffer.memory_q[d][64*w+:Bits]);
          end
        end
      end
      always_ff @(posedge show_i) begin
        probe_o[VcBase+AtVcHeads][63:Depth] <= '0;
        probe_o[VcBase+AtVcTails][63:Depth] <= '0;
      end
    end

    // The circuit lanes and the circuit table.
    for (genvar l = 0; l < int'(CircuitLanes); l++) begin : gen_circuit_lane
      localparam int unsigned LaneBase = Base + AtPortLane + l * LaneWords;
      localparam int unsigned Row = p * CircuitLanes + l;
      if (Circuits != 0 && l < int'(lanes_at(RoutingKind, p, CircuitLanes))) begin : gen_circuit
        always_ff @(posedge show_i) begin
          probe_o[LaneBase+AtLaneCount] <= 64'(
              u_router.gen_circuits.u_circuits.gen_port[p].gen_lane[l].gen_circuit.u_circuit.u_buffer.count_q);
          probe_o[LaneBase+AtLaneRead] <= 64'(
              u_router.gen_circuits.u_circuits.gen_port[p].gen_lane[l].gen_circuit.u_circuit.u_buffer.read_q);
        end
        for (genvar d = 0; d < int'(CircuitDepth); d++) begin : gen_slot
          always_ff @(posedge show_i) begin
            probe_o[LaneBase+AtLaneHeads][d] <= u_router.gen_circuits.u_circuits.gen_port[p].gen_lane[l].gen_circuit
                .u_circuit.u_buffer.memory_q[d][FlitWidth+1];
            probe_o[LaneBase+AtLaneTails][d] <= u_router.gen_circuits.u_circuits.gen_port[p].gen_lane[l].gen_circuit
                .u_circuit.u_buffer.memory_q[d][FlitWidth];
          end
          for (genvar w = 0; w < int'(FlitWords); w++) begin : gen_word
            localparam int unsigned Bits = w + 1 < FlitWords ? 64 : FlitWidth - 64 * (FlitWords - 1);
            always_ff @(posedge show_i) begin
              probe_o[LaneBase+AtLaneData+d*FlitWords+w] <= 64'(
                  u_router.gen_circuits.u_circuits.gen_port[p].gen_lane[l].gen_circuit
                  .u_circuit.u_buffer.memory_q[d][64*w+:Bits]);
            end
          end
        end
        always_ff @(posedge show_i) begin
          probe_o[LaneBase+AtLaneHeads][63:CircuitDepth] <= '0;
          probe_o[LaneBase+AtLaneTails][63:CircuitDepth] <= '0;
          probe_o[LaneBase+AtLaneOutValid] <= 64'(u_router.gen_circuits.u_circuits.u_table.out_valid_q[Row]);
          probe_o[LaneBase+AtLaneOutRow] <= 64'(u_router.gen_circuits.u_circuits.u_table.out_row_q[Row]);
          probe_o[LaneBase+AtLaneInValid] <= 64'(u_router.gen_circuits.u_circuits.u_table.in_valid_q[Row]);
          probe_o[LaneBase+AtLaneInRow] <= 64'(u_router.gen_circuits.u_circuits.u_table.in_row_q[Row]);
          probe_o[Base+AtPortCredits+Vcs+l] <= 64'(
              u_router.gen_port[p].u_output.gen_lane[l].gen_circuit.u_credits.credits_q);
        end
      end else begin : gen_no_circuit
        for (genvar w = 0; w < int'(LaneWords); w++) begin : gen_word
          always_ff @(posedge show_i) probe_o[LaneBase+w] <= '0;
        end
        if (Circuits != 0) begin : gen_no_credit
          always_ff @(posedge show_i) probe_o[Base+AtPortCredits+Vcs+l] <= '0;
        end
      end
    end
    if (Circuits != 0 && CircuitLanes > 1) begin : gen_shared
      always_ff @(posedge show_i) begin
        probe_o[Base+AtPortCircuitLaneArbiter] <= 64'(u_router.gen_circuits.u_circuits.gen_shared.u_allocator
            .gen_input[p].u_vc_arbiter.gen_round_robin.u_arbiter.after_q);
        probe_o[Base+AtPortCircuitOutputArbiter] <= 64'(u_router.gen_circuits.u_circuits.gen_shared.u_allocator
            .gen_output[p].u_output_arbiter.gen_round_robin.u_arbiter.after_q);
      end
    end else begin : gen_alone
      always_ff @(posedge show_i) begin
        probe_o[Base+AtPortCircuitLaneArbiter]   <= '0;
        probe_o[Base+AtPortCircuitOutputArbiter] <= '0;
      end
    end

    // Output VCs, SA, the register of ST and the latch at the end of the link.
    always_ff @(posedge show_i) probe_o[Base+AtPortFreeVcs] <= 64'(u_router.gen_port[p].u_output.free_q);
    for (genvar v = 0; v < int'(Vcs); v++) begin : gen_credit
      always_ff @(posedge show_i) begin
        probe_o[Base+AtPortCredits+v] <= 64'(u_router.gen_port[p].u_output.gen_vc[v].u_credits.credits_q);
      end
    end
    if (SwitchAllocator == 32'(AllocatorIslip)) begin : gen_islip
      if (Arbiter == 32'(ArbiterMatrix)) begin : gen_matrix
        always_ff @(posedge show_i) begin
          probe_o[Base+AtPortSaVcArbiter] <=
              64'(u_router.gen_islip_sa.u_switch_allocator.gen_input[p].u_vc_arbiter.gen_matrix.u_arbiter.order_q);
        end
      end else begin : gen_round_robin
        always_ff @(posedge show_i) begin
          probe_o[Base+AtPortSaVcArbiter] <=
              64'(u_router.gen_islip_sa.u_switch_allocator.gen_input[p].u_vc_arbiter.gen_round_robin.u_arbiter.after_q);
        end
      end
      if (IslipIterations == 1) begin : gen_shown
        always_ff @(posedge show_i) begin
          probe_o[Base+AtPortSaOutputArbiter] <=
              64'(u_router.gen_islip_sa.u_switch_allocator.u_matching.grant_order[p]);
          probe_o[Base+AtPortSaAcceptArbiter] <=
              64'(u_router.gen_islip_sa.u_switch_allocator.u_matching.accept_order[p]);
        end
      end else begin : gen_hidden
        always_ff @(posedge show_i) begin
          probe_o[Base+AtPortSaOutputArbiter] <= '0;
          probe_o[Base+AtPortSaAcceptArbiter] <= '0;
        end
      end
    end else begin : gen_separable
      if (Arbiter == 32'(ArbiterMatrix)) begin : gen_matrix
        always_ff @(posedge show_i) begin
          probe_o[Base+AtPortSaVcArbiter] <=
              64'(u_router.gen_separable_sa.u_switch_allocator.gen_input[p].u_vc_arbiter.gen_matrix.u_arbiter.order_q);
          probe_o[Base+AtPortSaOutputArbiter] <=
                64'(u_router.gen_separable_sa.u_switch_allocator.gen_output[p].u_output_arbiter.gen_matrix.u_arbiter
                    .order_q);
        end
      end else begin : gen_round_robin
        always_ff @(posedge show_i) begin
          probe_o[Base+AtPortSaVcArbiter] <=
              64'(u_router.gen_separable_sa.u_switch_allocator.gen_input[p].u_vc_arbiter.gen_round_robin.u_arbiter.after_q);
          probe_o[Base+AtPortSaOutputArbiter] <=
                64'(u_router.gen_separable_sa.u_switch_allocator.gen_output[p].u_output_arbiter.gen_round_robin
                    .u_arbiter.after_q);
        end
      end
      always_ff @(posedge show_i) probe_o[Base+AtPortSaAcceptArbiter] <= '0;
    end
    always_ff @(posedge show_i) begin
      probe_o[Base+AtPortStValid]    <= 64'(u_router.u_switch_traversal.valid_q[p]);
      probe_o[Base+AtPortStOutPort]  <= 64'(u_router.u_switch_traversal.out_port_q[p]);
      probe_o[Base+AtPortStOutLane]  <= 64'(u_router.u_switch_traversal.out_lane_q[p]);
      probe_o[Base+AtPortStInLane]   <= 64'(u_router.u_switch_traversal.in_lane_q[p]);
      probe_o[Base+AtPortStHead]     <= 64'(u_router.u_switch_traversal.flit_q[p][FlitWidth+1]);
      probe_o[Base+AtPortStTail]     <= 64'(u_router.u_switch_traversal.flit_q[p][FlitWidth]);
      probe_o[Base+AtPortLatchValid] <= 64'(u_router.gen_port[p].u_input.latch_valid_q);
      probe_o[Base+AtPortLatchLane]  <= 64'(u_router.gen_port[p].u_input.latch_vc_q);
      probe_o[Base+AtPortLatchHead]  <= 64'(u_router.gen_port[p].u_input.latch_flit_q[FlitWidth+1]);
      probe_o[Base+AtPortLatchTail]  <= 64'(u_router.gen_port[p].u_input.latch_flit_q[FlitWidth]);
    end
    for (genvar w = 0; w < int'(FlitWords); w++) begin : gen_word
      localparam int unsigned Bits = w + 1 < FlitWords ? 64 : FlitWidth - 64 * (FlitWords - 1);
      always_ff @(posedge show_i) begin
        probe_o[Base+AtPortStData+w]    <= 64'(u_router.u_switch_traversal.flit_q[p][64*w+:Bits]);
        probe_o[Base+AtPortLatchData+w] <= 64'(u_router.gen_port[p].u_input.latch_flit_q[64*w+:Bits]);
      end
    end
  end

  // Set-up unit: history, waiting tear-down; the latch of the control channels.
  if (Circuits != 0) begin : gen_setup
    always_ff @(posedge show_i) begin
      probe_o[AtRouterSearch]       <= 64'(u_router.gen_circuits.u_circuits.u_setup.search_q);
      probe_o[AtRouterSearchRow]    <= 64'(u_router.gen_circuits.u_circuits.u_setup.in_row_q);
      probe_o[AtRouterSearchTried]  <= 64'(u_router.gen_circuits.u_circuits.u_setup.tried_q);
      probe_o[AtRouterWaiting]      <= 64'(u_router.gen_circuits.u_circuits.u_setup.waiting_q);
      probe_o[AtRouterWaitingRow]   <= 64'(u_router.gen_circuits.u_circuits.u_setup.waiting_message_q.row);
      probe_o[AtRouterControlValid] <= 64'(u_router.gen_circuits.u_circuits.latch_valid_q);
      probe_o[AtRouterControlPort]  <= 64'(u_router.gen_circuits.u_circuits.latch_port_q);
      probe_o[AtRouterControlKind]  <= 64'(u_router.gen_circuits.u_circuits.latch_kind_q);
      probe_o[AtRouterControlSearch] <= 64'(u_router.gen_circuits.u_circuits.latch_search_q);
      probe_o[AtRouterControlDestination] <= 64'(u_router.gen_circuits.u_circuits.latch_destination_q);
    end
  end else begin : gen_no_setup
    for (genvar w = 0; w < int'(AtRouterPort); w++) begin : gen_word
      always_ff @(posedge show_i) probe_o[w] <= '0;
    end
  end
endmodule
