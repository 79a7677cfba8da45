// What synthetic sources say of themselves: flows, messages, exchanges.
#include <fmt/format.h>

#include <algorithm>

#include "models/workload/synthetic/synthetic_sources.h"

namespace braid::models {

std::optional<MessageResults> SyntheticSources::message_results() const {
  if (!messages_) return std::nullopt;
  MessageStatistics all(window_);
  for (const Slice& slice : slices_) all.merge(slice.messages->statistics());
  return all.results();
}

std::optional<std::vector<ExchangeResults>> SyntheticSources::exchange_results() const {
  if (!slices_.front().exchanges) return std::nullopt;
  ExchangeResults all;
  all.name = classes().front();
  all.servers = static_cast<double>(options_.servers) * static_cast<double>(nodes_);
  all.measured_cycles = static_cast<double>(reported_cycles_);
  for (const Slice& slice : slices_) all.counts.merge(slice.exchanges->counts);
  return std::vector<ExchangeResults>{all};
}

namespace {

/// As many flows as that are worked out or drawn, all nodes together.
constexpr std::size_t kMostFlows = std::size_t{1} << 18;

/// Of a network of many nodes, and of a pattern that knows no better: as many draws as tell shares to a few hundredths.
traffic::TrafficPattern::Shares drawn_shares(const traffic::TrafficPattern& pattern, NodeId source, Random random,
                                             std::size_t draws) {
  traffic::TrafficPattern::Shares shares;
  for (std::size_t i = 0; i < draws; ++i) {
    if (const auto to = pattern.destination(source, random)) shares[*to] += 1.0 / static_cast<double>(draws);
  }
  return shares;
}

}  // namespace

bool SyntheticSources::knows_flows() const {
  traffic::TrafficPattern::Shares shares;
  return nodes_ * nodes_ <= kMostFlows && pattern_->add_shares(NodeId{0}, 1.0, shares);
}

std::vector<routing::Flow> SyntheticSources::pattern_flows(double rate) const {
  const bool known = knows_flows();
  const std::size_t draws = std::clamp<std::size_t>(kMostFlows / nodes_, 4, 4096);
  const std::vector<std::uint32_t>& senders = options_.senders;
  std::vector<routing::Flow> flows;
  for (std::size_t n = 0; n < nodes_; ++n) {
    if (!senders.empty() && std::find(senders.begin(), senders.end(), n) == senders.end()) continue;
    const double own = pattern_->rate_flits_per_cycle(NodeId{n}).value_or(rate);
    if (own <= 0.0) continue;
    traffic::TrafficPattern::Shares shares;
    if (known) pattern_->add_shares(NodeId{n}, 1.0, shares);
    if (!known) shares = drawn_shares(*pattern_, NodeId{n}, {seed_, fmt::format("node[{}].paths", n)}, draws);
    for (const auto& [to, share] : shares) {
      if (share <= 0.0) continue;
      flows.push_back({NodeId{n}, to, own * share});
      if (!options_.name.empty()) flows.back().name = fmt::format("{} {} -> {}", options_.name, n, to.value);
    }
  }
  return flows;
}

namespace {

/// Shared evenly by the subnets that carry them.
std::vector<routing::Flow> spread(const std::vector<routing::Flow>& flows, const std::vector<std::uint32_t>& subnets) {
  std::vector<routing::Flow> all;
  for (const std::uint32_t subnet : subnets) {
    for (const routing::Flow& flow : flows) {
      all.push_back(flow);
      all.back().weight /= static_cast<double>(subnets.size());
      all.back().subnet = subnet;
    }
  }
  return all;
}

}  // namespace

std::vector<routing::Flow> SyntheticSources::flows(std::uint64_t) const {
  const ClassSubnets subnets = *class_subnets();
  std::vector<routing::Flow> all = pattern_flows(options_.rate_flits_per_node_cycle);
  if (!options_.request_reply) return spread(all, subnets.front());
  const double packet_flits = options_.packet_flits > 0 ? options_.packet_flits : length_->mean_flits();
  const double per_flit = options_.reply_flits / packet_flits;
  const std::string prefix = options_.name.empty() ? "" : options_.name + " ";
  std::vector<routing::Flow> replies;
  for (const routing::Flow& f : all) {
    const std::string name = fmt::format("{}{} -> {} (replies)", prefix, f.destination.value, f.source.value);
    replies.push_back({f.destination, f.source, f.weight * per_flit, name});
  }
  all = spread(all, subnets.front());
  replies = spread(replies, subnets.back());
  all.insert(all.end(), replies.begin(), replies.end());
  return all;
}

const FigureTable<SyntheticSources>& SyntheticSources::figures() {
  static const FigureTable<SyntheticSources> table =
      FigureTable<SyntheticSources>()
          .part("messages", "", "those born while measuring", &SyntheticSources::message_results, message_figures())
          .parts("exchanges", "", "requests and their replies, a class each", &SyntheticSources::exchange_results,
                 exchange_figures());
  return table;
}

Report SyntheticSources::report(std::uint64_t measured_cycles) const {
  reported_cycles_ = measured_cycles;
  return figures().of(*this);
}

}  // namespace braid::models
