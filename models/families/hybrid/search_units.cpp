#include "models/families/hybrid/search_units.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace braid::models::hybrid {
namespace {

bool of_rip_up(SearchKind kind) { return kind == SearchKind::kRipUp || kind == SearchKind::kRippedUp; }

}  // namespace

SearchUnits::SearchUnits(const routing::Topology& topology, RouterBank& bank, SetupUnits& around,
                         bool share_reserved_links, const std::vector<CircuitRequest>& circuits)
    : topology_(topology),
      bank_(bank),
      around_(around),
      share_reserved_links_(share_reserved_links),
      ages_(circuits.size()),
      entries_(topology.router_count() * circuits.size()),
      holders_(bank.output_vc_count(), kNone),
      waiting_(topology.router_count()),
      rips_(circuits.size()),
      backtracks_(circuits.size()) {
  for (const CircuitRequest& request : circuits) {
    destinations_.push_back(request.destination);
    around_.prepare(request.destination);
  }
}

void SearchUnits::begin_order(const std::vector<std::uint32_t>& ages) {
  ages_ = ages;
  std::fill(entries_.begin(), entries_.end(), Entry{});
  std::fill(backtracks_.begin(), backtracks_.end(), 0U);
}

void SearchUnits::search(std::uint64_t cycle, std::uint32_t stream, std::uint32_t attempt, VcIndex lane) {
  ++counts_.searches;
  put_under_way(cycle + 1, {lane, stream, attempt, SearchKind::kProbe, false});
}

void SearchUnits::rip_up(std::uint64_t cycle, std::uint32_t stream, std::uint32_t attempt, VcIndex lane) {
  put_under_way(cycle + 1, {lane, stream, attempt, SearchKind::kRipUp, false});
}

/// Units look at their own registers only, so the order in which they are asked says nothing.
void SearchUnits::step(std::uint64_t cycle, SearchSources& sources) {
  sources_ = &sources;
  deliver(cycle);
  for (std::size_t r = 0; r < waiting_.size(); ++r) {
    const std::size_t next = next_message(RouterId{r});
    if (next == waiting_[r].size()) continue;
    const SearchMessage message = waiting_[r][next];
    waiting_[r].erase(waiting_[r].begin() + static_cast<std::ptrdiff_t>(next));
    take(cycle, RouterId{r}, message);
    --messages_;
    if (of_rip_up(message.kind)) --rips_[message.stream];
  }
  sources_ = nullptr;
}

void SearchUnits::deliver(std::uint64_t cycle) {
  const auto here =
      std::stable_partition(under_way_.begin(), under_way_.end(), [&](const UnderWay& u) { return u.cycle != cycle; });
  for (auto u = here; u != under_way_.end(); ++u) {
    std::vector<SearchMessage>& waiting = waiting_[router_of(u->message).value];
    waiting.push_back(u->message);
    const auto of_stream = std::count_if(waiting.begin(), waiting.end(),
                                         [&](const SearchMessage& m) { return m.stream == u->message.stream; });
    most_waiting_ = std::max(most_waiting_, static_cast<std::uint32_t>(of_stream));
  }
  under_way_.erase(here, under_way_.end());
}

/// Of those that need not wait: by kind, then the oldest stream's, then the lowest port's.
std::size_t SearchUnits::next_message(RouterId router) const {
  const std::vector<SearchMessage>& waiting = waiting_[router.value];
  const auto turn = [&](const SearchMessage& m) { return std::make_tuple(m.kind, ages_[m.stream], m.lane); };
  std::size_t next = waiting.size();
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (next != waiting.size() && turn(waiting[next]) <= turn(waiting[i])) continue;
    if (waiting[i].entered && choose(router, waiting[i].stream).way == Way::kWait) continue;
    next = i;
  }
  return next;
}

void SearchUnits::take(std::uint64_t cycle, RouterId router, const SearchMessage& message) {
  switch (message.kind) {
    case SearchKind::kRipUp:
      return take_rip_up(cycle, router, message);
    case SearchKind::kRippedUp:
      return take_ripped_up(cycle, router, message);
    case SearchKind::kAcknowledge:
      return take_acknowledge(cycle, router, message);
    case SearchKind::kBacktrack:
      return take_backtrack(cycle, router, message);
    case SearchKind::kProbe:
      return take_probe(cycle, router, message);
  }
}

void SearchUnits::take_probe(std::uint64_t cycle, RouterId router, const SearchMessage& message) {
  Entry& e = entry(router, message.stream);
  if (!message.entered) {
    if (e.attempt == message.attempt) {  // been here: a path through this router again would be a loop
      return reply(cycle, message.lane, SearchKind::kBacktrack, message.stream, message.attempt);
    }
    if (e.out != kNone) throw std::logic_error("set-up: a new search where the last one still holds a link");
    e = {};
    e.attempt = message.attempt;
    e.in = message.lane;
  }
  advance(cycle, router, message.stream);
}

void SearchUnits::take_backtrack(std::uint64_t cycle, RouterId router, const SearchMessage& message) {
  const Entry& e = entry(router, message.stream);
  if (e.attempt != message.attempt || e.out != message.lane) return;  // ripped up meanwhile
  ++counts_.backtracks;
  ++backtracks_[message.stream];
  release(router, message.stream);
  advance(cycle, router, message.stream);
}

void SearchUnits::take_acknowledge(std::uint64_t cycle, RouterId router, const SearchMessage& message) {
  Entry& e = entry(router, message.stream);
  if (e.attempt != message.attempt || e.out != message.lane) return;  // ripped up meanwhile
  e.acknowledged = true;
  reply(cycle, e.in, SearchKind::kAcknowledge, message.stream, message.attempt);
}

void SearchUnits::take_rip_up(std::uint64_t cycle, RouterId router, const SearchMessage& message) {
  Entry& e = entry(router, message.stream);
  if (e.attempt != message.attempt || e.in != message.lane) {  // after a probe that was here before, or not yet
    drop_probe(router, message, false);
    return reply(cycle, message.lane, SearchKind::kRippedUp, message.stream, message.attempt);
  }
  if (e.ripping) return;  // another one comes back this way
  if (e.out == kNone) {
    drop_probe(router, message, true);
    return reply(cycle, e.in, SearchKind::kRippedUp, message.stream, message.attempt);
  }
  rip_up_holder(cycle, router, e.out);
}

void SearchUnits::take_ripped_up(std::uint64_t cycle, RouterId router, const SearchMessage& message) {
  Entry& e = entry(router, message.stream);
  if (e.attempt != message.attempt || (!e.ripping && e.out != message.lane)) return;  // one has come back already
  if (e.out != kNone) release(router, message.stream);
  e.ripping = false;
  reply(cycle, e.in, SearchKind::kRippedUp, message.stream, message.attempt);
}

/// The search's own message is here: its next step, or it waits.
void SearchUnits::advance(std::uint64_t cycle, RouterId router, std::uint32_t stream) {
  const Entry& e = entry(router, stream);
  const Choice choice = choose(router, stream);
  switch (choice.way) {
    case Way::kTake:
      return go_on(cycle, router, stream, choice.lane);
    case Way::kRipUp:  // takes this cycle; the link is taken in a later one
      ++counts_.rip_ups;
      rip_up_holder(cycle, router, choice.lane);
      return wait(router, {e.in, stream, e.attempt, SearchKind::kProbe, true});
    case Way::kWait:
      ++counts_.waits;
      return wait(router, {e.in, stream, e.attempt, SearchKind::kProbe, true});
    case Way::kGoBack:
      return reply(cycle, e.in, SearchKind::kBacktrack, stream, e.attempt);
  }
}

void SearchUnits::go_on(std::uint64_t cycle, RouterId router, std::uint32_t stream, VcIndex out) {
  Entry& e = entry(router, stream);
  hold(router, stream, out);
  e.acknowledged = is_local(out);
  if (is_local(out)) return reply(cycle, e.in, SearchKind::kAcknowledge, stream, e.attempt);
  e.tried |= std::uint64_t{1} << bank_.port_of(bank_.port_of_vc(out));
  send(cycle, out, SearchKind::kProbe, stream, e.attempt);
}

/// Gives the lane back, and has the rest of the path ripped up.
void SearchUnits::rip_up_holder(std::uint64_t cycle, RouterId router, VcIndex out) {
  const std::uint32_t stream = holders_[out];
  Entry& e = entry(router, stream);
  release(router, stream);
  if (is_local(out)) return reply(cycle, e.in, SearchKind::kRippedUp, stream, e.attempt);
  e.ripping = true;
  send(cycle, out, SearchKind::kRipUp, stream, e.attempt);
}

SearchUnits::Choice SearchUnits::choose(RouterId router, std::uint32_t stream) const {
  const SetupUnits::Straps around = around_.straps(router, destinations_[stream]);
  const bool arrived = (around.directions & around.local_ports) != 0;
  return arrived ? choose_ejection(router, stream, around) : choose_link(router, stream, around);
}

/// Minimal ports, then detours, lowest first: the first that no older circuit has.
SearchUnits::Choice SearchUnits::choose_link(RouterId router, std::uint32_t stream,
                                             const SetupUnits::Straps& around) const {
  const Entry& e = entry(router, stream);
  const std::uint64_t open = around.network_ports & ~e.tried;
  for (std::uint64_t ports : {open & around.directions, open & ~around.directions}) {
    for (; ports != 0; ports &= ports - 1) {
      const auto p = static_cast<unsigned>(__builtin_ctzll(ports));
      const VcIndex out = bank_.circuit_vc(bank_.port_index(router, PortId{p}));
      if (out == e.in) continue;
      const std::uint32_t holder = holders_[out];
      if (holder == kNone) return {Way::kTake, out};
      if (ages_[stream] < ages_[holder]) return {Way::kRipUp, out};
      if (!entry(router, holder).acknowledged) return {Way::kWait, out};
    }
  }
  return {};
}

/// The lowest lane that is free, of the lowest port; or that of the youngest circuit that is younger.
SearchUnits::Choice SearchUnits::choose_ejection(RouterId router, std::uint32_t stream,
                                                 const SetupUnits::Straps& around) const {
  Choice youngest;
  for (std::uint32_t c = 0; c < bank_.circuit_lanes(); ++c) {
    for (std::uint64_t ports = around.directions & around.local_ports; ports != 0; ports &= ports - 1) {
      const auto p = static_cast<unsigned>(__builtin_ctzll(ports));
      const VcIndex out = bank_.circuit_vc(bank_.port_index(router, PortId{p}), c);
      const std::uint32_t holder = holders_[out];
      if (holder == kNone) return {Way::kTake, out};
      if (ages_[holder] < ages_[stream]) continue;
      if (youngest.way == Way::kGoBack || ages_[holders_[youngest.lane]] < ages_[holder]) youngest = {Way::kRipUp, out};
    }
  }
  return youngest;
}

void SearchUnits::wait(RouterId router, const SearchMessage& message) {
  waiting_[router.value].push_back(message);
  ++messages_;
}

/// The probe before the rip-up, if it is here still.
void SearchUnits::drop_probe(RouterId router, const SearchMessage& rip_up, bool entered) {
  std::vector<SearchMessage>& waiting = waiting_[router.value];
  const auto probe = std::find_if(waiting.begin(), waiting.end(), [&](const SearchMessage& m) {
    return m.kind == SearchKind::kProbe && m.stream == rip_up.stream && m.attempt == rip_up.attempt &&
           m.lane == rip_up.lane && m.entered == entered;
  });
  if (probe == waiting.end()) return;
  waiting.erase(probe);
  --messages_;
}

void SearchUnits::send(std::uint64_t cycle, VcIndex lane, SearchKind kind, std::uint32_t stream,
                       std::uint32_t attempt) {
  const Link& link = bank_.links[bank_.port_of_vc(lane)];
  put_under_way(cycle + 1 + link.latency_cycles, {bank_.circuit_vc(link.target), stream, attempt, kind, false});
}

/// Back to where the search came from.
void SearchUnits::reply(std::uint64_t cycle, VcIndex in, SearchKind kind, std::uint32_t stream, std::uint32_t attempt) {
  if (!is_local(in)) return send(cycle, in, kind, stream, attempt);
  if (kind == SearchKind::kAcknowledge) return sources_->found(cycle, stream);
  kind == SearchKind::kBacktrack ? sources_->came_back(cycle, stream) : sources_->ripped_up(cycle, stream);
}

void SearchUnits::put_under_way(std::uint64_t cycle, const SearchMessage& message) {
  under_way_.push_back({cycle, message});
  ++messages_;
  if (of_rip_up(message.kind)) ++rips_[message.stream];
}

void SearchUnits::hold(RouterId router, std::uint32_t stream, VcIndex out) {
  Entry& e = entry(router, stream);
  if (bank_.circuit_out(e.in) != kNone || bank_.circuit_in(out) != kNone) {
    throw std::logic_error("set-up: two circuits on one lane");
  }
  e.out = out;
  holders_[out] = stream;
  bank_.reserve(e.in, out);
  bank_.closed_outputs[bank_.port_of_vc(out)] = !share_reserved_links_;
}

void SearchUnits::release(RouterId router, std::uint32_t stream) {
  Entry& e = entry(router, stream);
  const PortIndex port = bank_.port_of_vc(e.out);
  holders_[e.out] = kNone;
  bank_.release(e.in, e.out);
  bank_.closed_outputs[port] = !share_reserved_links_ && bank_.reserved(port);
  e.out = kNone;
  e.acknowledged = false;
}

bool SearchUnits::is_local(VcIndex lane) const {
  const PortIndex port = bank_.port_of_vc(lane);
  return topology_.port(bank_.router_of(port), PortId{bank_.port_of(port)}).kind == routing::PortKind::kLocal;
}

std::vector<CircuitResult::Step> SearchUnits::path(VcIndex lane) const {
  std::vector<CircuitResult::Step> steps;
  for (;;) {
    const PortIndex out = bank_.port_of_vc(bank_.circuit_out(lane));
    steps.push_back({bank_.router_of(out), PortId{bank_.port_of(out)}});
    if (bank_.links[out].to_node) return steps;
    lane = bank_.circuit_vc(bank_.links[out].target);
  }
}

}  // namespace braid::models::hybrid
