#include "models/tlm/styles/channel_waits.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace braid::models {
namespace {

constexpr double kMostLoad = 0.98;        ///< the formula's pole is at 1; what a network bears ends before
constexpr double kLeastWeight = 1.0 / 8;  ///< of the newest observation

double capped(double load) { return std::min(load, kMostLoad); }

/// W of the header's comment.
double random_wait(double load, double squares) { return squares / (2.0 * (1.0 - capped(load))); }

void move_towards(double& value, double newest, double weight) { value += weight * (newest - value); }

}  // namespace

double ChannelWaits::Rate::load() const { return std::accumulate(cycles.begin(), cycles.end(), 0.0); }

ChannelWaits::ChannelWaits(std::size_t channels, const RouterTiming& routers)
    : merges_(!routers.flits_interleave),
      queues_(routers.one_queue_an_input),
      newest_(channels),
      rates_(channels),
      feeds_(channels),
      behind_(channels),
      waits_(channels),
      all_(channels) {}

void ChannelWaits::add_feed(ChannelIndex before, ChannelIndex channel, double packets, double head_cycles) {
  std::vector<Feed>& feeds = feeds_[channel];
  const auto feed = std::find_if(feeds.begin(), feeds.end(), [&](const Feed& f) { return f.from == before; });
  if (feed == feeds.end()) {
    feeds.push_back({before, packets, 0, head_cycles});
  } else {
    feed->newest += packets;
  }
}

void ChannelWaits::end_observation(std::uint64_t cycles) {
  const auto length = static_cast<double>(cycles);
  observed_ += length;
  const double weight = std::max(length / observed_, kLeastWeight), per_cycle = 1.0 / length;
  for (std::size_t c = 0; c < rates_.size(); ++c) {
    move_towards(rates_[c].packets, newest_[c].packets * per_cycle, weight);
    move_towards(rates_[c].squares, newest_[c].squares * per_cycle, weight);
    for (std::size_t k = 0; k < kMostWays; ++k) {
      move_towards(rates_[c].cycles[k], newest_[c].cycles[k] * per_cycle, weight);
    }
    newest_[c] = Rate{};
    for (Feed& f : feeds_[c]) {
      move_towards(f.packets, f.newest * per_cycle, weight);
      f.newest = 0;
    }
  }
  for (ChannelIndex c = 0; c < rates_.size(); ++c) work_out(c);
  if (queues_) work_out_queues();
  for (std::size_t c = 0; c < rates_.size(); ++c) {
    for (std::size_t k = 0; k < kMostWays; ++k) all_[c][k] = waits_[c][k] + behind_[c];
  }
}

/// W_k of the header's comment: Q = E[s] sum n_k W_k is solved for Q.
void ChannelWaits::work_out(ChannelIndex channel) {
  const Rate& rate = rates_[channel];
  const double load = capped(rate.load()), left = meeting_share(channel) * rate.squares / 2.0;
  double held = 1, waiting = 0,
         first = 0;  // load^(k - 1); sums over k of n_k E[s] load^(k - 1), and of its 2 / (k + 1)
  for (std::size_t k = 0; k < kMostWays; ++k, held *= load) {
    waiting += rate.cycles[k] * held;
    first += rate.cycles[k] * held * 2.0 / static_cast<double>(k + 2);
  }
  const double most = waiting > kMostLoad ? kMostLoad / waiting : 1.0;
  const double queue = left * first * most / (1.0 - waiting * most);
  held = 1;
  for (std::size_t k = 0; k < kMostWays; ++k, held *= load) {
    waits_[channel][k] = held * (2.0 * left / static_cast<double>(k + 2) + queue);
  }
}

const ChannelWaits::Feed* ChannelWaits::feed(ChannelIndex from, ChannelIndex to) const {
  const auto found = std::find_if(feeds_[to].begin(), feeds_[to].end(), [&](const Feed& f) { return f.from == from; });
  return found == feeds_[to].end() ? nullptr : &*found;
}

/// Of two packets that both take a channel, the share of pairs that may meet there.
double ChannelWaits::meeting_share(ChannelIndex channel) const {
  const double packets = rates_[channel].packets;
  if (!merges_ || packets <= 0) return 1.0;
  double meet = 1.0;
  for (const Feed& there : feeds_[channel]) {
    if (there.from == channel || there.packets <= 0) continue;  // what a node makes comes at random
    const double share = there.packets / packets;
    meet -= share * share;
    const Feed* back = feed(channel, there.from);
    if (back == nullptr) continue;
    meet -= 2.0 * share * (back->packets / packets) * (1.0 - opposite_share(there, *back, channel));
  }
  return std::max(meet, 0.0);
}

/// One packet goes from channel f to channel k, another from k to f; they hold them for s_f and s_k cycles. The first
/// asks for k when it has had f for `a` cycles, the second for f after `b`. Had they nothing to do with each other,
/// they would wait s_f^2 + s_k^2 (summed over all cycles by which the one may be later than the other). But who waits
/// on the first finds the second free: s_f^2 / 2 + s_k^2 / 2, and where both have begun, for a + b cycles, both wait,
/// for s_f + s_k - a - b together.
double ChannelWaits::opposite_share(const Feed& there, const Feed& back, ChannelIndex channel) const {
  const double f = rates_[there.from].load() / rates_[there.from].packets;
  const double k = rates_[channel].load() / rates_[channel].packets;
  const double begun = std::min(there.head_cycles + back.head_cycles, (f + k) / 2.0);
  return std::min(0.5 + begun * (f + k - begun) / (f * f + k * k), 1.0);
}

void ChannelWaits::work_out_queues() {
  std::vector<double> ahead(rates_.size());  // packets behind each channel times their waits for outputs
  for (std::size_t c = 0; c < rates_.size(); ++c) {
    for (const Feed& f : feeds_[c]) {
      if (f.from != c) ahead[f.from] += f.packets * waits_[c][0];
    }
  }
  for (std::size_t c = 0; c < rates_.size(); ++c) {
    const Rate& rate = rates_[c];
    behind_[c] = 0;
    if (rate.packets <= 0) continue;
    const double cycles = rate.load(), service = (cycles + ahead[c]) / rate.packets;
    const double wait = random_wait(rate.packets * service, rate.packets * service * service);
    behind_[c] = std::max(wait - random_wait(cycles, rate.squares), 0.0);
  }
}

}  // namespace braid::models
