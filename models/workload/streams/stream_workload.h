// A stream program as a workload: what its actors emit leaves in packets or on circuits, what arrives is theirs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/fabric/node_bandwidth.h"
#include "models/workload/streams/stream_changes.h"
#include "models/workload/streams/stream_program.h"
#include "models/workload/workload.h"

namespace braid::models {

class StreamWorkload final : public Workload {
 public:
  /// Reads the graph, places it, and has circuits set up if the experiment wants them. Throws InputError.
  explicit StreamWorkload(const WorkloadContext& context);

  std::vector<std::string> classes() const override { return {"stream packets", "circuits"}; }
  std::vector<std::string> kinds() const override {
    return {"stream", "pull_request", "pull_response", "circuit", "state"};
  }
  void open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) override;
  void generate(std::size_t slice, std::uint64_t cycle) override;
  /// Of streams that are pushed in packets.
  std::vector<routing::StreamEnds> name_streams() override;
  bool acts_between_cycles() const override { return changes_.has_value(); }
  void end_cycle(std::uint64_t cycle) override;
  bool admit(const Packet& packet) override;
  void deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet) override;
  void sent(const Packet& packet) override;
  bool advanced() override;
  State state() const override;
  std::string blocked() const override;
  void begin_window() override;
  void end_batch() override;
  /// As many items as were delivered. On packets; circuits have paths of their own.
  std::vector<routing::Flow> flows(std::uint64_t measured_cycles) const override;
  Report report(std::uint64_t measured_cycles) const override;
  std::unique_ptr<SignalSource> signals(SignalTable& table) const override;
  bool knows(const Packet& packet) const override {
    return packet.tag < program_.edges().size() && (!names_streams_ || packet.route == packet.tag);
  }
  void checkpoint(Checkpoint& c) override;

  /// With stream.remedies.
  const std::optional<traffic::StreamRemedy>& remedy() const { return remedy_; }
  /// The same with its graph, for a later run that does not search.
  std::optional<traffic::StreamGraphPlan> plan() const {
    if (!remedy_) return std::nullopt;
    return traffic::StreamGraphPlan{steady_states_, !wants_circuits_, *remedy_};
  }
  /// They may not stand; without, or where packets are predicted to be faster (stream.or_packets), none is searched.
  bool wants_circuits() const { return wants_circuits_; }
  StreamProgram& program() { return program_; }
  const StreamProgram& program() const { return program_; }
  /// With a section [change].
  const std::optional<StreamChanges>& changes() const { return changes_; }
  StreamResults results(std::uint64_t measured_cycles) const;

 private:
  StreamWorkload(const WorkloadContext& context, const StreamOptions& options);
  StreamWorkload(const WorkloadContext& context, const StreamOptions& options, const StreamPlan& plan);
  enum Kind : std::uint8_t { kItems, kPullRequest, kPullResponse, kOnCircuit, kState };
  enum Class : std::uint8_t { kPackets, kCircuits };
  /// The part of the program on a slice's nodes.
  struct Slice {
    Outlet* outlet;
    std::vector<NodeId> nodes;
    std::vector<std::uint32_t> actors;
    std::vector<std::uint32_t> outgoing, incoming;  // edges that start (end) here
  };
  /// At so many iterations a kilocycle.
  std::optional<StreamBound> bound(double per_kilocycle, std::uint64_t measured_cycles) const;
  void keep_most();
  void find_parts(Slice& slice) const;
  void send_state(std::size_t slice, std::uint64_t cycle);
  void send_items(const Slice& slice, std::uint64_t cycle, std::uint32_t edge);
  void request_blocks(const Slice& slice, std::uint64_t cycle, std::uint32_t edge);
  PacketSlot make_packet(const Slice& slice, std::uint64_t cycle, Kind kind, std::uint32_t edge, std::uint32_t items);

  const MeasurementWindow& window_;
  StreamProgram program_;
  const routing::Topology& topology_;
  const Fabric& fabric_;
  const LocalPortMap& ports_;
  NodeBandwidth bandwidth_;
  bool wants_circuits_;
  bool names_streams_ = false;  // in its packets
  std::optional<std::string> untimed_messages_;
  std::optional<double> steady_states_;
  std::optional<traffic::StreamRemedy> remedy_;
  std::optional<StreamChanges> changes_;
  std::vector<Slice> slices_;
  std::vector<std::size_t> slice_of_;             // [node]
  std::uint64_t seen_iterations_ = 0;             // by advanced()
  std::uint64_t batch_iterations_ = 0;            // at the last batch's end, in 1/1000
  std::vector<double> iterations_per_kilocycle_;  // of each batch
  double batch_progress_ = 0;                     // at the last batch's end
  std::vector<double> progress_per_kilocycle_;    // of each batch, in iterations
  struct {
    std::vector<std::uint64_t> before, now;  // [link] flits at the window's begin, at the last batch's end
  } window_links_;
  std::vector<std::uint64_t> items_before_window_;          // [edge]
  std::vector<std::uint64_t> items_in_window_;              // [edge] up to the last batch's end
  std::vector<std::uint64_t> most_queued_, most_received_;  // [edge] items at once, up to the last batch's end
};

}  // namespace braid::models
