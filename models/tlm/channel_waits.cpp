#include "models/tlm/channel_waits.h"

#include <algorithm>
#include <cmath>

namespace braid::models {
namespace {

constexpr double kMostLoad = 0.98;        ///< the formula's pole is at 1; what a network bears ends before
constexpr double kLeastWeight = 1.0 / 8;  ///< of the newest observation

double capped(double load) { return std::min(load, kMostLoad); }

/// W of the header's comment.
double random_wait(double load, double squares) { return squares / (2.0 * (1.0 - capped(load))); }

void move_towards(double& value, double newest, double weight) { value += weight * (newest - value); }

}  // namespace

ChannelWaits::ChannelWaits(std::size_t channels, const RouterTiming& routers)
    : merges_(!routers.flits_interleave),
      queues_(routers.one_queue_an_input),
      newest_(channels),
      rates_(channels),
      feeds_(channels),
      waits_(channels),
      behind_(channels),
      all_(channels) {}

void ChannelWaits::add_feed(ChannelIndex before, ChannelIndex channel, double packets) {
  std::vector<Feed>& feeds = feeds_[channel];
  const auto feed = std::find_if(feeds.begin(), feeds.end(), [&](const Feed& f) { return f.from == before; });
  if (feed == feeds.end()) {
    feeds.push_back({before, packets, 0});
  } else {
    feed->newest += packets;
  }
}

void ChannelWaits::end_observation(std::uint64_t cycles) {
  const double weight = std::max(1.0 / static_cast<double>(++observations_), kLeastWeight);
  const double per_cycle = 1.0 / static_cast<double>(cycles);
  for (std::size_t c = 0; c < rates_.size(); ++c) {
    move_towards(rates_[c].packets, newest_[c].packets * per_cycle, weight);
    move_towards(rates_[c].cycles, newest_[c].cycles * per_cycle, weight);
    move_towards(rates_[c].squares, newest_[c].squares * per_cycle, weight);
    newest_[c] = Load{};
    for (Feed& f : feeds_[c]) {
      move_towards(f.packets, f.newest * per_cycle, weight);
      f.newest = 0;
    }
    waits_[c] = wait_of(c);
  }
  if (queues_) work_out_queues();
  for (std::size_t c = 0; c < all_.size(); ++c) all_[c] = waits_[c] + behind_[c];
}

double ChannelWaits::wait_of(std::size_t channel) const {
  const Load& rate = rates_[channel];
  const double wait = random_wait(rate.cycles, rate.squares);
  if (!merges_ || rate.packets <= 0) return wait;
  double meet = 1.0;
  for (const Feed& f : feeds_[channel]) {
    const double share = f.packets / rate.packets;
    if (f.from != channel) meet -= share * share;  // what a node makes comes at random
  }
  return wait * std::max(meet, 0.0);
}

void ChannelWaits::work_out_queues() {
  std::vector<double> ahead(rates_.size());  // packets behind each channel times their waits for outputs
  for (std::size_t c = 0; c < rates_.size(); ++c) {
    for (const Feed& f : feeds_[c]) {
      if (f.from != c) ahead[f.from] += f.packets * waits_[c];
    }
  }
  for (std::size_t c = 0; c < rates_.size(); ++c) {
    const Load& rate = rates_[c];
    behind_[c] = 0;
    if (rate.packets <= 0) continue;
    const double service = (rate.cycles + ahead[c]) / rate.packets;
    const double wait = random_wait(rate.packets * service, rate.packets * service * service);
    behind_[c] = std::max(wait - random_wait(rate.cycles, rate.squares), 0.0);
  }
}

double ChannelWaits::all_held(const RouteStep& step) const {
  return std::pow(capped(rates_[step.channel].cycles), step.ways - 1);
}

}  // namespace braid::models
