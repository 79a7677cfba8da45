#include "models/families/hybrid/setup_sequencer.h"

#include <algorithm>
#include <stdexcept>

#include "models/families/hybrid/token_order.h"

namespace braid::models::hybrid {

SetupSequencer::SetupSequencer(CircuitSearch& requests, CircuitUser& user, const Options& options, std::uint64_t seed)
    : requests_(requests),
      user_(user),
      options_(options),
      random_(seed, "setup.order"),
      token_order_(in_token_order(requests.circuits())) {
  order_ = token_order_;
  results_.attempted = true;
  results_.orders_tried = 1;
}

void SetupSequencer::step(std::uint64_t cycle) {
  switch (state_) {
    case State::kPassToken:
      if (cycle >= wait_until_) start_search(cycle);
      break;
    case State::kSearching:
      if (requests_.outcome().done) end_search(cycle);
      break;
    case State::kTearingDown:
      if (requests_.outcome().done) start_tear_down(cycle);
      break;
    case State::kDone:
      break;
  }
}

SetupSequencer::View SetupSequencer::view() const {
  constexpr View::Phase kPhases[] = {View::Phase::kPassesToken, View::Phase::kSearches, View::Phase::kTearsDown,
                                     View::Phase::kDone};  // [state]
  View view;
  view.phase = kPhases[static_cast<std::size_t>(state_)];
  view.order = anew_ ? orders_tried_anew_ : results_.orders_tried;
  if (position_ < order_.size()) view.stream = order_[position_];
  view.standing = static_cast<std::uint32_t>(standing_);
  return view;
}

void SetupSequencer::pass_token(std::uint64_t cycle) {
  state_ = State::kPassToken;
  wait_until_ = cycle + options_.setup_token_cycles;
}

void SetupSequencer::start_search(std::uint64_t cycle) {
  if (position_ == order_.size()) {
    end_order(cycle, true);
    return;
  }
  if (requests_.renumber(cycle, 1)) return;
  state_ = State::kSearching;
  // On every lane of the node's injection links a circuit may start already.
  if (!requests_.search(cycle, order_[position_], avoids_)) give_up_order(cycle);
}

void SetupSequencer::end_search(std::uint64_t cycle) {
  if (!requests_.outcome().success) {
    give_up_order(cycle);
    return;
  }
  const std::uint32_t edge = order_[position_];
  results_.circuits.push_back(requests_.take_found(edge));
  const std::size_t tree = requests_.tree_of(edge);
  if (tree != edge) {
    user_.circuit_joined(edge, tree);
  } else {
    const CircuitEnd source = requests_.source(edge);
    user_.circuit_found(edge, source.local_port, source.lane);
  }
  ++position_;
  standing_ = position_;
  pass_token(cycle);
}

void SetupSequencer::give_up_order(std::uint64_t cycle) {
  if (!anew_) results_.failed_stream = requests_.circuits()[order_[position_]].name;
  start_tear_down(cycle);
}

/// Takes down the circuits of a failed order, one by one, then tries the next order. Branches go with their tree, whose
/// first circuit stood before them.
void SetupSequencer::start_tear_down(std::uint64_t cycle) {
  const auto is_branch = [&](std::uint32_t edge) { return requests_.tree_of(edge) != edge; };
  while (standing_ != 0 && is_branch(order_[standing_ - 1])) --standing_;
  if (standing_ == 0) {
    results_.circuits.clear();
    end_order(cycle, false);
    return;
  }
  state_ = State::kTearingDown;
  requests_.tear_down(cycle, order_[--standing_]);
}

void SetupSequencer::end_order(std::uint64_t cycle, bool success) {
  if (success) stood_ = {order_, avoids_};
  if (anew_) {
    if (!success) return try_next_order(cycle);
    state_ = State::kDone;
    return;
  }
  if (success || results_.orders_tried > options_.setup_retries) return end_set_up(cycle, success);
  shuffle_order();
  ++results_.orders_tried;
  pass_token(cycle);
}

void SetupSequencer::end_set_up(std::uint64_t cycle, bool success) {
  results_.fell_back_to_packets = !success;
  if (success) results_.failed_stream.clear();
  results_.total_cycles = cycle;
  state_ = State::kDone;
  user_.set_up(success);
}

void SetupSequencer::shuffle_order() {
  shuffle(order_, random_);
  position_ = 0;
}

void SetupSequencer::search_anew(std::uint64_t cycle) {
  anew_ = true;
  orders_tried_anew_ = 0;
  standing_ = 0;
  results_.circuits.clear();
  try_next_order(cycle);
}

void SetupSequencer::try_next_order(std::uint64_t cycle) {
  if (orders_tried_anew_ > options_.setup_retries + 1) {
    throw std::logic_error("setup.reroute: the order that stood finds no path for " +
                           requests_.circuits()[order_[position_]].name);
  }
  if (orders_tried_anew_ > options_.setup_retries) {
    order_ = stood_.order;
    avoids_ = stood_.avoids;
    position_ = 0;
  } else {
    shuffle_order();
    avoids_ = !options_.avoid_links.empty();
  }
  ++orders_tried_anew_;
  pass_token(cycle);
}

void SetupSequencer::drop(std::uint32_t edge) {
  const auto at = static_cast<std::ptrdiff_t>(place(edge));
  order_.erase(order_.begin() + at);
  results_.circuits.erase(results_.circuits.begin() + at);
  standing_ = position_ = order_.size();
}

void SetupSequencer::put(std::uint32_t edge, const CircuitResult& circuit) {
  order_.push_back(edge);
  results_.circuits.push_back(circuit);
  standing_ = position_ = order_.size();
}

std::size_t SetupSequencer::place(std::uint32_t edge) const {
  return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), edge) - order_.begin());
}

}  // namespace braid::models::hybrid
