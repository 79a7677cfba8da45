#include "models/workload/streams/stream_workload.h"

#include <algorithm>

#include "models/workload/streams/stream_bound.h"
#include "models/workload/streams/stream_signals.h"

namespace braid::models {
namespace {

const FigureTable<StreamResults>& figure_table() {
  static const FigureTable<StreamResults> table = FigureTable<StreamResults>().part(
      "stream", "", "the stream program", [](const StreamResults& r) { return r; }, stream_figures());
  return table;
}

const bool stream_workload_registered = WorkloadRegistry::instance().add(
    "stream", "a stream program", stream_options().list(), figure_table().list(),
    [](const WorkloadContext& context) { return std::make_unique<StreamWorkload>(context); });

}  // namespace

StreamWorkload::StreamWorkload(const WorkloadContext& context)
    : StreamWorkload(context, read_stream_options(context.configuration)) {}

StreamWorkload::StreamWorkload(const WorkloadContext& context, const StreamOptions& options)
    : StreamWorkload(context, options, with_added_filter(plan_streams(context, options), options, context.topology)) {}

StreamWorkload::StreamWorkload(const WorkloadContext& context, const StreamOptions& options, const StreamPlan& plan)
    : window_(context.window),
      program_(plan.program.graph, plan.place, options),
      topology_(context.topology),
      fabric_(context.fabric),
      ports_(context.ports),
      bandwidth_(read_node_bandwidth(context.configuration)),
      wants_circuits_(options.switching == Switching::kCircuit && !plan.on_packets),
      untimed_messages_(plan.untimed_messages),
      steady_states_(plan.steady_states),
      remedy_(plan.remedy) {
  const LocalPortMap& ports = context.ports;
  std::vector<std::size_t> outgoing(ports.first.size()), incoming(ports.first.size());
  for (StreamProgram::Edge& edge : program_.edges()) {  // a node's edges take its local ports in turn
    const std::size_t from = edge.source.value, to = edge.destination.value;
    edge.source_port = ports.first[from] + outgoing[from]++ % ports.count[from];
    edge.destination_port = ports.first[to] + incoming[to]++ % ports.count[to];
  }
  if (context.configuration.has_section("change")) changes_.emplace(program_, context.topology, context.ports);
  if (wants_circuits_) {
    context.fabric.set_up_circuits(program_);
    if (changes_) changes_->use(context.fabric.change_circuits());
  } else {
    const bool trees = options.multicast == Multicast::kInRouters && options.switching == Switching::kPacket;
    if (trees && program_.join_packets()) {
      context.fabric.copy_packets("stream.multicast = \"routers\"", options.packet_items);
    }
    program_.start(Switching::kPacket);
  }
}

void StreamWorkload::open(std::size_t s, const std::vector<NodeId>& nodes, Outlet& outlet) {
  slices_.push_back({&outlet, nodes, {}, {}, {}});
  find_parts(slices_.back());
  slice_of_.resize(topology_.node_count());
  for (const NodeId node : nodes) slice_of_[node.value] = s;
}

void StreamWorkload::find_parts(Slice& slice) const {
  const auto mine = [&](NodeId node) {
    return std::find(slice.nodes.begin(), slice.nodes.end(), node) != slice.nodes.end();
  };
  slice.actors.clear();
  slice.outgoing.clear();
  slice.incoming.clear();
  for (std::uint32_t a = 0; a < program_.actors().size(); ++a) {
    if (mine(program_.actors()[a].node)) slice.actors.push_back(a);
  }
  for (std::uint32_t e = 0; e < program_.edges().size(); ++e) {
    if (mine(program_.edges()[e].source)) slice.outgoing.push_back(e);
    if (mine(program_.edges()[e].destination)) slice.incoming.push_back(e);
  }
}

void StreamWorkload::end_cycle(std::uint64_t cycle) {
  if (!changes_->end_cycle(cycle)) return;
  for (Slice& slice : slices_) find_parts(slice);
}

std::vector<routing::StreamEnds> StreamWorkload::name_streams() {
  if (wants_circuits_ || program_.options().transfer == Transfer::kPull) return {};
  if (changes_) {
    throw InputError(
        "change: streams that have paths of their own keep them; expected a routing.algorithm that goes by source and "
        "destination");
  }
  names_streams_ = true;
  std::vector<routing::StreamEnds> ends;
  for (const StreamProgram::Edge& edge : program_.edges()) ends.push_back({edge.source, edge.destination});
  return ends;
}

void StreamWorkload::generate(std::size_t s, std::uint64_t cycle) {
  if (!program_.started()) return;
  const Slice& slice = slices_[s];
  for (const std::uint32_t a : slice.actors) program_.step(program_.actors()[a], cycle);
  for (const std::uint32_t e : slice.outgoing) send_items(slice, cycle, e);
  if (changes_) send_state(s, cycle);
  if (program_.options().transfer == Transfer::kPull) {
    for (const std::uint32_t e : slice.incoming) request_blocks(slice, cycle, e);
  }
}

/// Packs queued items into the edge's next packet, at most two packets ahead of the injection link.
void StreamWorkload::send_items(const Slice& slice, std::uint64_t cycle, std::uint32_t e) {
  StreamProgram::Edge& edge = program_.edges()[e];
  const StreamOptions& options = program_.options();
  PacketTransport& transport = slice.outlet->transport();
  if (edge.stopped || edge.tree || edge.unsent_packets >= 2 || edge.queued_items == 0) return;
  if (options.transfer == Transfer::kPull) {
    if (edge.requested_blocks == 0 || edge.queued_items < options.pull_block_items) return;
    --edge.requested_blocks;
    transport.send(edge.source_port, make_packet(slice, cycle, kPullResponse, e, options.pull_block_items));
    return;
  }
  const auto items = static_cast<std::uint32_t>(std::min<std::uint64_t>(edge.queued_items, options.packet_items));
  if (!edge.branches.empty() && program_.switching() == Switching::kPacket) {
    std::vector<PacketSlot> copies{make_packet(slice, cycle, kItems, e, items)};
    for (const std::uint32_t b : edge.branches) copies.push_back(make_packet(slice, cycle, kItems, b, items));
    transport.send_copies(edge.source_port, copies);
  } else if (!edge.branches.empty()) {
    std::vector<PacketTransport::Copy> copies{{e, make_packet(slice, cycle, kOnCircuit, e, items)}};
    for (const std::uint32_t b : edge.branches) copies.push_back({b, make_packet(slice, cycle, kOnCircuit, b, items)});
    transport.send_on_tree(edge.source_port, edge.source_lane, copies);
  } else if (program_.switching() == Switching::kCircuit && !edge.on_packets) {
    transport.send_on_circuit(edge.source_port, edge.source_lane, make_packet(slice, cycle, kOnCircuit, e, items));
  } else {
    transport.send(edge.source_port, make_packet(slice, cycle, kItems, e, items));
  }
}

/// An actor that moves: at most two packets ahead of the injection link, by its node's first local port.
void StreamWorkload::send_state(std::size_t s, std::uint64_t cycle) {
  StreamChanges::Transfer& moving = changes_->transfer();
  if (slice_of_[moving.from.value] != s || moving.sent == moving.flits || moving.unsent_packets >= 2) return;
  const std::uint64_t flits = std::min<std::uint64_t>(moving.flits - moving.sent, program_.options().packet_items);
  Outlet& outlet = *slices_[s].outlet;
  const PacketSlot packet =
      outlet.make(cycle, kState, kPackets, moving.from, moving.to, static_cast<std::uint32_t>(flits));
  outlet.transport().send(ports_.first[moving.from.value], packet);
  moving.sent += flits;
  ++moving.unsent_packets;
}

void StreamWorkload::request_blocks(const Slice& slice, std::uint64_t cycle, std::uint32_t e) {
  StreamProgram::Edge& edge = program_.edges()[e];
  const StreamOptions& options = program_.options();
  if (edge.outstanding_requests >= options.pull_outstanding) return;
  if (!program_.admit(edge, options.pull_block_items)) return;
  ++edge.outstanding_requests;
  const PacketSlot request = slice.outlet->make(cycle, kPullRequest, kPackets, edge.destination, edge.source, 1);
  (*slice.outlet)[request].tag = e;
  slice.outlet->transport().send(edge.destination_port, request);
}

PacketSlot StreamWorkload::make_packet(const Slice& slice, std::uint64_t cycle, Kind kind, std::uint32_t e,
                                       std::uint32_t items) {
  StreamProgram::Edge& edge = program_.edges()[e];
  const Class traffic_class = kind == kOnCircuit ? kCircuits : kPackets;
  const PacketSlot slot = slice.outlet->make(cycle, kind, traffic_class, edge.source, edge.destination, items);
  Packet& packet = (*slice.outlet)[slot];
  packet.tag = e;
  packet.tag_sequence = edge.next_sequence++;
  if (names_streams_) packet.route = e;
  edge.queued_items -= items;
  edge.packed_items += items;
  ++edge.unsent_packets;
  return slot;
}

bool StreamWorkload::admit(const Packet& packet) {
  if (packet.kind == kState) return true;
  StreamProgram::Edge& edge = program_.edges()[packet.tag];
  if (packet.kind == kItems) return program_.admit_pushed(edge, packet.tag_sequence, packet.length_flits);
  return program_.admit(edge, packet.length_flits);
}

std::string StreamWorkload::blocked() const { return program_.blocked(); }

void StreamWorkload::sent(const Packet& packet) {
  if (packet.kind == kState) {
    --changes_->transfer().unsent_packets;
    return;
  }
  if (packet.kind != kPullRequest) --program_.edges()[packet.tag].unsent_packets;
}

void StreamWorkload::deliver(std::size_t, std::uint64_t cycle, const Packet& packet) {
  if (packet.kind == kState) {
    changes_->transfer().arrived += packet.length_flits;
    return;
  }
  StreamProgram::Edge& edge = program_.edges()[packet.tag];
  if (window_.open) (packet.kind == kPullRequest ? edge.requests : edge.responses).add(cycle - packet.created);
  if (packet.kind == kPullRequest) {
    ++edge.requested_blocks;
    return;
  }
  edge.received.arrive(packet.tag_sequence, packet.length_flits);
  edge.delivered_items += packet.length_flits;
  if (packet.kind == kPullResponse) --edge.outstanding_requests;
  if (packet.kind != kItems) edge.promised_items -= packet.length_flits;
}

bool StreamWorkload::advanced() {
  const std::uint64_t iterations = program_.milli_iterations();
  const bool more = iterations > seen_iterations_;
  seen_iterations_ = iterations;
  return more;
}

Workload::State StreamWorkload::state() const {
  if (!program_.started()) return State::kIdle;
  return program_.computing() || (changes_ && changes_->under_way()) ? State::kBusy : State::kWaiting;
}

void StreamWorkload::begin_window() {
  items_before_window_.clear();
  for (const StreamProgram::Edge& edge : program_.edges()) items_before_window_.push_back(edge.delivered_items);
  items_in_window_.assign(items_before_window_.size(), 0);
  for (StreamProgram::Edge& edge : program_.edges()) {
    edge.most_queued = edge.queued_items;
    edge.received.forget_most();
  }
  keep_most();
  iterations_per_kilocycle_.clear();
  progress_per_kilocycle_.clear();
  batch_iterations_ = program_.milli_iterations();
  batch_progress_ = program_.sink_progress();
  window_links_ = {link_flits(topology_, fabric_), {}};
  for (StreamProgram::Edge& edge : program_.edges()) edge.requests = edge.responses = {};
  for (SourceRate& rate : program_.rates()) rate.begin_window();
  if (program_.latency()) program_.latency()->begin_window();
}

void StreamWorkload::end_batch() {
  const std::uint64_t iterations = program_.milli_iterations();
  iterations_per_kilocycle_.push_back(static_cast<double>(iterations - batch_iterations_) /
                                      static_cast<double>(window_.batch_cycles));
  batch_iterations_ = iterations;
  const double progress = program_.sink_progress();
  progress_per_kilocycle_.push_back(1000.0 * (progress - batch_progress_) / static_cast<double>(window_.batch_cycles));
  batch_progress_ = progress;
  window_links_.now = link_flits(topology_, fabric_);
  for (std::size_t e = 0; e < items_in_window_.size(); ++e) {
    items_in_window_[e] = program_.edges()[e].delivered_items - items_before_window_[e];
  }
  keep_most();
  for (SourceRate& rate : program_.rates()) rate.end_batch();
  if (program_.latency()) program_.latency()->end_batch();
}

/// What comes after the last batch counts no more.
void StreamWorkload::keep_most() {
  most_queued_.clear();
  most_received_.clear();
  for (const StreamProgram::Edge& edge : program_.edges()) {
    most_queued_.push_back(edge.most_queued);
    most_received_.push_back(edge.received.most_items());
  }
}

std::vector<routing::Flow> StreamWorkload::flows(std::uint64_t measured_cycles) const {
  std::vector<routing::Flow> all;
  if (program_.switching() == Switching::kCircuit) return all;
  for (std::size_t e = 0; e < items_in_window_.size(); ++e) {
    const StreamProgram::Edge& edge = program_.edges()[e];
    all.push_back({edge.source, edge.destination,
                   static_cast<double>(items_in_window_[e]) / static_cast<double>(measured_cycles),
                   program_.edge_name(e), names_streams_ ? static_cast<routing::RouteId>(e) : routing::kNoRoute});
  }
  return all;
}

std::optional<StreamBound> StreamWorkload::bound(double per_kilocycle, std::uint64_t measured_cycles) const {
  if (window_links_.now.empty() && !window_links_.before.empty()) return std::nullopt;  // no batch has ended
  MeasuredStreams measured{per_kilocycle * static_cast<double>(measured_cycles) / 1000.0, measured_cycles,
                           window_links_.now};
  for (std::size_t l = 0; l < measured.link_flits.size(); ++l) measured.link_flits[l] -= window_links_.before[l];
  return stream_bound(program_, {ports_, bandwidth_}, topology_, measured);
}

StreamResults StreamWorkload::results(std::uint64_t measured_cycles) const {
  StreamResults r;
  r.graph = program_.graph().name;
  r.untimed_messages = untimed_messages_;
  r.steady_states = steady_states_;
  r.remedy = remedy_;
  r.iterations_per_kilocycle = estimate(iterations_per_kilocycle_);
  const Estimate progress = estimate(progress_per_kilocycle_);
  if (steady_states_) {
    r.program_steady_states_per_kilocycle = {progress.mean * *steady_states_, progress.half_width_95 * *steady_states_};
  }
  r.bound = bound(progress.mean, measured_cycles);
  for (std::size_t a = 0; a < program_.actors().size(); ++a) {
    r.actors.push_back({program_.graph().actors[a].name, program_.actors()[a].node});
  }
  for (std::size_t e = 0; e < program_.edges().size(); ++e) {
    const StreamProgram::Edge& edge = program_.edges()[e];
    r.edges.push_back({program_.edge_name(e), edge.source, edge.destination,
                       1000.0 * static_cast<double>(items_in_window_[e]) / static_cast<double>(measured_cycles),
                       most_queued_[e], most_received_[e]});
  }
  if (program_.latency()) r.latency = program_.latency()->cycles().distribution();
  if (!program_.rates().empty()) r.rates.emplace();
  for (const SourceRate& rate : program_.rates()) r.rates->push_back(rate.result(program_.graph(), measured_cycles));
  if (changes_)
    r.changes.emplace(StreamChangeResults{changes_->planned(), changes_->lost_items(), changes_->results()});
  return r;
}

std::unique_ptr<SignalSource> StreamWorkload::signals(SignalTable& table) const {
  return std::make_unique<StreamSignals>(program_, table);
}

void StreamWorkload::checkpoint(Checkpoint& c) {
  if (changes_) Checkpoint::refuse("change: where streams and their circuits lead; expected no section [change]");
  c.part("stream program");
  c(program_, seen_iterations_, batch_iterations_, iterations_per_kilocycle_, items_before_window_, items_in_window_);
  c(batch_progress_, progress_per_kilocycle_, window_links_.before, window_links_.now, most_queued_, most_received_);
  const std::size_t edges = items_before_window_.empty() ? 0 : program_.edges().size();
  c.expect(items_before_window_.size() == edges && items_in_window_.size() == edges && most_queued_.size() == edges &&
               most_received_.size() == edges,
           "counts of other streams");
  for (const StreamProgram::Edge& edge : program_.edges()) {
    const std::size_t node = edge.source.value;
    c.expect(edge.source_port - ports_.first[node] < ports_.count[node], "a stream that leaves by another node's port");
    c.expect(edge.source_lane == 0 || edge.source_lane < fabric_.circuit_lanes(), "a stream on no lane");
  }
}

Report StreamWorkload::report(std::uint64_t measured_cycles) const {
  return figure_table().of(results(measured_cycles));
}

}  // namespace braid::models
