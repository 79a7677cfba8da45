#include "models/families/hybrid/rerouting.h"

#include <algorithm>
#include <stdexcept>

namespace braid::models::hybrid {
namespace {

bool same(const std::vector<CircuitResult::Step>& a, const std::vector<CircuitResult::Step>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.router == y.router && x.port == y.port; });
}

}  // namespace

Rerouting::Rerouting(SetupRequests& requests, SetupSequencer& sequencer, CircuitUser& user, const Options& options)
    : requests_(requests),
      sequencer_(sequencer),
      user_(user),
      options_(options),
      due_(options.reroute_at_cycle),
      open_(requests.circuits().size()),
      old_paths_(requests.circuits().size()) {
  if (options.reroute == Reroute::kAll && !user.takes_all()) {
    throw InputError(
        "setup.reroute = \"all\": a circuit whose receiver is full could wait for ever for one that stands still; "
        "expected \"each\", or interface.receive_queue_items = 0 (unbounded)");
  }
}

void Rerouting::step(std::uint64_t cycle) {
  now_ = cycle;
  switch (state_) {
    case State::kResting:
      if (cycle >= due_) begin_round(cycle);
      break;
    case State::kPassing:
      if (cycle >= wait_until_) take_stream(cycle);
      break;
    case State::kStopping:
      tear_down_if_sent(cycle);
      break;
    case State::kTearingDown:
      end_tear_down(cycle);
      break;
    case State::kReturning:
      // Without a path that avoids links a second search follows at once.
      if (cycle >= wait_until_ && !requests_.renumber(cycle, 2)) search(cycle, !options_.avoid_links.empty());
      break;
    case State::kSearching:
      if (requests_.outcome().done) end_search(cycle);
      break;
    case State::kAllAnew:
      if (sequencer_.done()) end_all(cycle);
      break;
  }
}

void Rerouting::begin_round(std::uint64_t cycle) {
  if (sequencer_.results().circuits.empty()) {  // none stands: packets carry all
    due_ = UINT64_MAX;
    return;
  }
  due_ = options_.reroute_every_cycles == 0 ? UINT64_MAX : cycle + options_.reroute_every_cycles;
  position_ = 0;
  take_stream(cycle);
}

/// The token is at the source of the next stream, or has passed the last.
void Rerouting::take_stream(std::uint64_t cycle) {
  if (position_ == sequencer_.token_order().size()) {
    if (options_.reroute == Reroute::kEach) return end_round();
    state_ = State::kAllAnew;
    sequencer_.search_anew(cycle);
    return;
  }
  const std::uint32_t edge = sequencer_.token_order()[position_];
  open_[edge].circuit = edge;
  open_[edge].stream = requests_.circuits()[edge].name;
  open_[edge].stopped_cycle = cycle;
  old_paths_[edge] = sequencer_.standing(edge).path;
  user_.stop(edge);
  state_ = State::kStopping;
  tear_down_if_sent(cycle);
}

void Rerouting::tear_down_if_sent(std::uint64_t cycle) {
  const std::uint32_t edge = sequencer_.token_order()[position_];
  if (!requests_.all_sent(edge)) return;
  open_[edge].empty_cycle = cycle;
  end_ = requests_.destination(edge);
  requests_.tear_down(cycle, edge);
  state_ = State::kTearingDown;
  longest_ = cycle + requests_.tear_down_cycles(old_paths_[edge].size());
}

/// Torn down, and the destination's interface, which sees that end, has passed on what was still on its link.
void Rerouting::end_tear_down(std::uint64_t cycle) {
  const std::uint32_t edge = sequencer_.token_order()[position_];
  if (!requests_.outcome().done) return;
  if (cycle < requests_.outcome().cycle + 2 + end_.link_latency_cycles || !requests_.all_taken(edge, end_)) return;
  open_[edge].torn_cycle = cycle;
  wait_until_ = cycle + options_.setup_token_cycles;
  if (options_.reroute == Reroute::kEach) {
    state_ = State::kReturning;
    return;
  }
  ++position_;
  state_ = State::kPassing;
}

void Rerouting::search(std::uint64_t cycle, bool avoids) {
  const std::uint32_t edge = sequencer_.token_order()[position_];
  state_ = State::kSearching;
  if (!requests_.search(cycle, edge, avoids)) throw std::logic_error("setup.reroute: a lane that was left is taken");
}

/// Without a path that avoids what is to be left free the stream takes any: its old one is there still.
void Rerouting::end_search(std::uint64_t cycle) {
  const std::uint32_t edge = sequencer_.token_order()[position_];
  if (!requests_.outcome().success) {
    if (requests_.last_avoids()) return search(cycle, false);
    throw std::logic_error("setup.reroute: a path that was left is taken");
  }
  const CircuitResult circuit = requests_.take_found(edge);
  sequencer_.replace(edge, circuit);
  const SetupRequests::End source = requests_.source(edge);
  user_.circuit_found(edge, source.local_port, source.lane);
  go_on(cycle, edge, circuit);
  ++position_;
  state_ = State::kPassing;
  wait_until_ = cycle + options_.setup_token_cycles;
}

void Rerouting::go_on(std::uint64_t cycle, std::uint32_t edge, const CircuitResult& circuit) {
  Move& move = open_[edge];
  move.resumed_cycle = cycle;
  move.waiting_items = user_.waiting_items(edge);
  move.links = circuit.path.size() - 1;
  move.search_cycles = circuit.setup_cycles;
  move.moved = !same(circuit.path, old_paths_[edge]);
  move.avoids = !requests_.on_avoided_link(circuit);
  results_.moves.push_back(move);
  user_.go_on(edge);
}

void Rerouting::end_all(std::uint64_t cycle) {
  for (const std::uint32_t edge : sequencer_.token_order()) go_on(cycle, edge, sequencer_.standing(edge));
  end_round();
}

void Rerouting::end_round() {
  ++results_.rounds;
  state_ = State::kResting;
}

bool Rerouting::message_under_way() const {
  switch (state_) {
    case State::kResting:
    case State::kStopping:
      return false;
    case State::kTearingDown:
      return now_ <= longest_;
    default:
      return true;
  }
}

}  // namespace braid::models::hybrid
