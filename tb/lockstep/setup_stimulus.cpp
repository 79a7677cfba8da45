// Searches and tear-downs, one after the other, and neighbours that answer them at random.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tb/lockstep/stimulus.h"

namespace braid::lockstep {
namespace {

using models::hybrid::ControlKind;
using models::hybrid::kNone;

constexpr const char* kKindNames[] = {"probe", "backtrack", "acknowledge", "tear_down"};

}  // namespace

void Episode::message(std::uint64_t cycle, Start from, ControlKind kind, NodeId destination) {
  const auto [port, circuit] = from;
  models::hybrid::ControlMessage m{index(port), kind, search_, destination, circuit};
  if (local(port)) {
    slices_[router_.value]->outgoing().front()->at(cycle).control.push_back(m);
    return;
  }
  for (Neighbour& n : neighbours_) {
    if (n.port == from.first) n.to_router->at(cycle + 1).control.push_back(m);
  }
}

bool Episode::stands(Start circuit) const {
  return std::find(circuits_.begin(), circuits_.end(), circuit) != circuits_.end();
}

void Episode::drive_setup(std::uint64_t cycle) {
  if (cycle < act_at_) return;
  if (phase_ == Phase::kIdle) {
    start_setup(cycle);
  } else if (phase_ == Phase::kSearching && probe_at_ >= 0 && loop_at_ < 0) {
    answer_probe(cycle);
  }
}

/// The numbers of searches begin anew; the next one may be the last one's again.
bool Episode::forget_searches(std::uint64_t cycle) {
  for (std::uint32_t p = 0; p < topology_.port_count(router_); ++p) {
    if (!wired(p) || !local(p)) continue;
    const std::uint32_t last = std::exchange(search_, 0);
    message(cycle, {p, 0}, ControlKind::kAcknowledge, NodeId{0});
    search_ = last;
    forgot_ = true;
    failed_ = false;
    act_at_ = cycle + 1;
    ++cover_["setup: numbers of searches begin anew"];
    return true;
  }
  return false;
}

/// A new search from a port without circuit, or the tear-down of a circuit that has gone quiet.
void Episode::start_setup(std::uint64_t cycle) {
  if (random_.below(10) == 0 && forget_searches(cycle)) return;
  if (!circuits_.empty() && random_.below(3) == 0) {
    const Start circuit = circuits_[static_cast<std::size_t>(random_.below(circuits_.size()))];
    const auto quiet = quiet_since_.find(circuit);
    if (quiet == quiet_since_.end()) {
      quiet_since_[circuit] = cycle + 1;
      if (random_.below(4) != 0) return;  // else the tear-down comes with the last flit, or right behind it
      ++cover_["setup: tear-down asked beside flits"];
    } else if (cycle < quiet->second + 3) {
      return;
    }
    if (unsent_[circuit] > 0) return;
    phase_ = Phase::kTearingDown;
    in_ = circuit;
    message(cycle, in_, ControlKind::kTearDown, NodeId{0});
    ++cover_["setup: tear-down asked"];
    return;
  }
  std::vector<Start> starts;
  for (std::uint32_t p = 0; p < topology_.port_count(router_); ++p) {
    for (std::uint32_t c = 0; wired(p) && c < (local(p) ? shape_.circuit_lanes : 1); ++c) {
      if (bank_->circuit_out(bank_->circuit_vc(index(p), c)) == kNone) starts.emplace_back(p, c);
    }
  }
  if (starts.empty()) return;
  in_ = starts[static_cast<std::size_t>(random_.below(starts.size()))];
  destination_ = NodeId{static_cast<std::size_t>(random_.below(topology_.node_count()))};
  phase_ = Phase::kSearching;
  probe_at_ = -1;
  // Now and then the search that has just failed here comes back by another way.
  if (failed_ && !local(in_.first) && random_.below(100) < loop_percent_) {
    ++cover_["setup: failed search comes"];
  } else {
    new_search_number();
  }
  message(cycle, in_, ControlKind::kProbe, destination_);
}

/// Any but 0 and, unless the units forgot, the last one: the next, one that differs in a single bit, or any.
void Episode::new_search_number() {
  if (std::exchange(forgot_, false) && search_ != 0 && random_.below(2) == 0) {
    ++cover_["setup: number comes again after units forgot"];
    return;
  }
  const std::uint32_t last = search_;
  while (search_ == last || search_ == 0) {
    switch (random_.below(3)) {
      case 0:
        search_ = (last + 1) & 0xffffU;
        break;
      case 1:
        search_ = last ^ 1U << random_.below(16);
        break;
      default:
        search_ = static_cast<std::uint32_t>(random_.below(1U << 16));
    }
  }
}

/// The neighbour's search fails or succeeds; or it comes round into this router again first.
void Episode::answer_probe(std::uint64_t cycle) {
  if (random_.below(100) < loop_percent_) {
    std::vector<std::uint32_t> ports;
    for (const Neighbour& n : neighbours_) {
      if (n.port != in_.first && bank_->circuit_out(bank_->circuit_vc(index(n.port))) == kNone) ports.push_back(n.port);
    }
    if (!ports.empty()) {
      loop_at_ = static_cast<int>(ports[static_cast<std::size_t>(random_.below(ports.size()))]);
      message(cycle, {static_cast<std::uint32_t>(loop_at_), 0}, ControlKind::kProbe, destination_);
      ++cover_["setup: probe of a search seen before comes"];
      return;
    }
  }
  const bool yes = random_.below(100) < yes_percent_;
  message(cycle, {static_cast<std::uint32_t>(probe_at_), 0}, yes ? ControlKind::kAcknowledge : ControlKind::kBacktrack,
          destination_);
  ++cover_[yes ? "setup: acknowledge comes" : "setup: backtrack comes"];
  probe_at_ = -1;
}

void Episode::receive(std::uint64_t cycle) {
  for (Neighbour& n : neighbours_) {
    models::hybrid::Channel::Slot& slot = n.from_router->at(cycle);
    // Several ports may lead to the same neighbour: each takes what is its own.
    const models::hybrid::PortIndex peer = bank_->links[index(n.port)].target;
    const auto take = [&](auto& list) {
      for (const models::hybrid::FlitArrival& a : list) {
        if (a.target != bank_->vc_index(peer, 0)) continue;
        ++n.owed[a.flit.vc()];
        if (a.flit.tail()) pool_.give_back(a.flit.packet());
      }
    };
    take(slot.packets);
    take(slot.circuits);
    for (const models::hybrid::VcIndex credit : slot.credits) {
      if (bank_->port_of_vc(credit) == peer) ++n.credits[bank_->lane_of(credit)];
    }
    for (const models::hybrid::ControlMessage& m : slot.control) {
      if (m.port == peer) receive_control(cycle, n.port, m);
    }
  }
  for (Neighbour& n : neighbours_) {
    models::hybrid::Channel::Slot& slot = n.from_router->at(cycle);
    slot.packets.clear();
    slot.circuits.clear();
    slot.credits.clear();
    slot.control.clear();
  }
}

/// A message of the router has reached the neighbour at `port`.
void Episode::receive_control(std::uint64_t cycle, std::uint32_t port, const models::hybrid::ControlMessage& m) {
  ++cover_[fmt::format("setup: {} sent", kKindNames[static_cast<std::size_t>(m.kind)])];
  act_at_ = cycle + random_.below(setup_gap_ + 1);
  if (loop_at_ >= 0) {  // must be the answer to the probe that came round
    loop_at_ = -1;
    return;
  }
  switch (m.kind) {
    case ControlKind::kProbe:
      probe_at_ = static_cast<int>(port);
      break;
    case ControlKind::kBacktrack:
      end_setup(cycle, false);
      break;
    case ControlKind::kAcknowledge:
    case ControlKind::kTearDown:
      end_setup(cycle, true);
      break;
  }
}

void Episode::end_setup(std::uint64_t cycle, bool success) {
  if (phase_ == Phase::kSearching) {
    failed_ = !success;
    if (success) circuits_.push_back(in_);
    ++cover_[fmt::format("setup: search from a {} {}", local(in_.first) ? "node" : "link",
                         success ? "succeeds" : "fails")];
  } else {
    failed_ = false;
    circuits_.erase(std::remove(circuits_.begin(), circuits_.end(), in_), circuits_.end());
    quiet_since_.erase(in_);
    for (Neighbour& n : neighbours_) {
      if (n.port == in_.first) n.sending[shape_.vcs] = kNone;
    }
    ++cover_["setup: tear-down done"];
  }
  phase_ = Phase::kIdle;
  probe_at_ = -1;
  act_at_ = cycle + random_.below(setup_gap_ + 1);
}

void Episode::watch_local_outcome(std::uint64_t cycle) {
  models::hybrid::SearchOutcome& outcome = setup_->outcome();
  if (!outcome.done) return;
  ++cover_[fmt::format("setup: outcome {}", outcome.success ? "success" : "failure")];
  end_setup(cycle, outcome.success);
  outcome = {};
}

}  // namespace braid::lockstep
