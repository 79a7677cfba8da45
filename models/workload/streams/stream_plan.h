// What a stream program runs as: its graph, and a node for each actor.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/workload/streams/stream_program.h"
#include "models/workload/workload.h"
#include "traffic/streams/hierarchy.h"
#include "traffic/streams/variants.h"

namespace braid::models {

struct StreamPlan {
  traffic::Variant program;
  std::vector<NodeId> place;                                   ///< [actor]
  std::optional<traffic::StreamRemedy> remedy = std::nullopt;  ///< with stream.remedies
  bool on_packets = false;                                     ///< though circuits are wanted: stream.or_packets
  std::optional<double> steady_states = std::nullopt;  ///< of the program in one of the graph, where it is known
  std::optional<std::string> untimed_messages = std::nullopt;  ///< where the program names its first portal
};

/// As the options say. Throws InputError.
StreamPlan plan_streams(const WorkloadContext& context, const StreamOptions& options);

/// The program that the options name, for whoever makes it into graphs.
class StreamSource {
 public:
  /// Reads it.
  StreamSource(const WorkloadContext& context, const StreamOptions& options);
  /// Most actors; 0: a graph's file, which has the actors that it has.
  std::size_t tiles() const { return tiles_; }
  /// For at most so many, any number of streams an actor.
  traffic::Variant graph(std::size_t tiles) const;
  /// A graph's file with a plan: nothing is to be searched.
  bool is_planned() const { return tiles_ == 0 && graph_.plan.has_value(); }
  /// Where it names its first portal: messages are read, not timed.
  std::optional<std::string> untimed_messages() const;

 private:
  const WorkloadContext& context_;
  const StreamOptions& options_;
  std::size_t tiles_ = 0;
  traffic::Structure program_;  // or, where tiles_ is 0,
  traffic::StreamGraph graph_;
};

}  // namespace braid::models
