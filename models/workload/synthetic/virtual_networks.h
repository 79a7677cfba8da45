// Virtual networks: classes of traffic with virtual channels of their own ([[traffic]] vcs, reply_vcs). Each range of
// VCs has the routing algorithm to itself, as if the others were not there, so what is free of deadlock with so many
// VCs is free of deadlock in each range. Ranges may have some VCs in common where deadlock does not hang on VCs: with
// one way a packet and links in an order that holds for a single VC, as dimension order has it on a mesh.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/workload/routing_by_class.h"
#include "routing/algorithm/output_queues.h"
#include "routing/algorithm/routing_algorithm.h"

namespace braid::models {

class VirtualNetworks final : public routing::RoutingAlgorithm, public routing::ReadsOutputQueues {
 public:
  struct Range {
    std::uint32_t first = 0, count = 0;  ///< VCs
    std::unique_ptr<routing::RoutingAlgorithm> algorithm;
  };
  /// `of_class`: the range of each class of traffic; packets of others go by the first.
  VirtualNetworks(std::uint32_t vcs, std::vector<Range> ranges, std::vector<std::uint8_t> of_class)
      : RoutingAlgorithm(vcs), ranges_(std::move(ranges)), of_class_(std::move(of_class)) {}

  void route(const routing::RouteQuery& query, routing::CandidateList& out) const override;
  VcMask injection_vcs() const override;
  bool injection_by_class() const override { return true; }
  VcMask injection_vcs_of(std::uint8_t traffic_class) const override;
  VcMask escape_vcs() const override;
  bool depends_on_source() const override;
  bool relies_on_bubble() const override;
  /// Each range was looked at when it was made.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override;
  std::uint32_t draws() const override;
  void check_room() const override;
  bool reads_queues() const override;
  bool reads_all_queues() const override;
  /// All of a port's: its ranges share the link.
  void read_queues(const routing::OutputQueues& queues) const override;
  Report report() const override { return ranges_.front().algorithm->report(); }

 private:
  const Range& range_of(std::uint8_t traffic_class) const {
    return ranges_[traffic_class < of_class_.size() ? of_class_[traffic_class] : 0];
  }
  std::vector<Range> ranges_;
  std::vector<std::uint8_t> of_class_;
};

}  // namespace braid::models
