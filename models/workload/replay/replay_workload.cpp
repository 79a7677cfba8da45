#include "models/workload/replay/replay_workload.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "models/fabric/subnets.h"

namespace braid::models {
namespace {

const bool replay_workload_registered = WorkloadRegistry::instance().add(
    "replay", "packets of a trace, by time or by dependency", replay_options().list(), replay_figures().list(),
    [](const WorkloadContext& context) { return std::make_unique<ReplayWorkload>(context); });

/// The whole trace is looked at before a cycle runs; how many packets it has.
std::uint64_t checked_packets(const traffic::TraceUse& use, const routing::OnProgress& progress) {
  constexpr std::uint64_t kLook = 1U << 14U;
  traffic::OrderedTrace trace(use);
  traffic::OrderedTrace::Next next;
  while (trace.next(next)) {
    if (trace.packets() % kLook == 0) routing::tell(progress, "packets of the trace", trace.packets());
  }
  return trace.packets();
}

const OptionTable<ReplayOptions>& subnet_table() {
  static const OptionTable<ReplayOptions> table = OptionTable<ReplayOptions>("replay").integers(
      "subnets", &ReplayOptions::subnets,
      "of each class of the trace, in its order, the subnet that carries it; []: subnet 0 carries all");
  return table;
}

/// A subnet for each class of the trace, or none given.
void check_trace_subnets(const std::vector<std::uint32_t>& subnets, const std::vector<std::string>& classes,
                         std::uint32_t count) {
  if (!subnets.empty() && subnets.size() != classes.size()) {
    throw InputError(fmt::format("replay.subnets: {} of them: expected {}, one for each class of the trace ({})",
                                 subnets.size(), classes.size(), fmt::join(classes, ", ")));
  }
  for (const std::uint32_t subnet : subnets) {
    if (subnet < count) continue;
    throw InputError(
        fmt::format("replay.subnets: subnet {}: expected 0 to {} (network.subnets = {})", subnet, count - 1, count));
  }
}

ReplayOptions checked_replay(const Configuration& configuration) {
  const ReplayOptions options = replay_options().read(configuration);
  if (options.file.empty()) throw InputError("replay.file is missing: expected a trace (docs/traces.md)");
  return options;
}

}  // namespace

const OptionTable<ReplayOptions>& replay_options() {
  using R = ReplayOptions;
  static const OptionTable<R> table =
      OptionTable<R>("replay")
          .file("file", &R::file, "trace, of text or binary (docs/traces.md)")
          .when(kWithSubnets, has_subnets, subnet_table())
          .choice("by", &R::by,
                  {{"time", ReplayBy::kTime}, {"dependency", ReplayBy::kDependency}, {"both", ReplayBy::kBoth}},
                  "packets go at the trace's cycles, when those that they come after have arrived, or when both is so")
          .integer("window", &R::window, 1, 16777216,
                   "packets of the trace in memory: a packet may come after so many before it in the file, and by "
                   "dependency goes after the one so many before it has arrived");
  return table;
}

const FigureTable<ReplayResults>& replay_figures() {
  using R = ReplayResults;
  static const FigureTable<R> parts =
      FigureTable<R>()
          .add("trace_packets", "", "of the trace", &R::trace_packets)
          .add("made_packets", "", "since cycle 0", &R::made)
          .add("delivered_packets", "", "since cycle 0", &R::delivered)
          .add("delivered_share", "", "of the trace", &R::trace_share)
          .add("held_back_packets", "", "by dependency: came into replay.window after they could have gone",
               &R::held_back)
          .add("last_delivery_cycle", "cycles", "in which the last packet so far arrived", &R::last_delivery);
  static const FigureTable<R> table =
      FigureTable<R>().part("replay", "", "of a trace", [](const R& r) { return r; }, parts);
  return table;
}

ReplayWorkload::ReplayWorkload(const WorkloadContext& context)
    : options_(checked_replay(context.configuration)),
      use_{options_.file, context.topology.node_count(), options_.window, options_.by == ReplayBy::kTime},
      trace_packets_(checked_packets(use_, context.progress)),
      trace_(std::make_unique<traffic::OrderedTrace>(use_)),
      slice_of_node_(context.topology.node_count()) {
  // One more than may be under way: the farthest that a packet comes after keeps its place.
  if (by_dependency()) window_.resize(std::min(options_.window, trace_packets_) + 1);
  more_ = trace_->next(next_);
  check_trace_subnets(options_.subnets, classes(), subnet_count(context.configuration));
}

std::optional<ClassSubnets> ReplayWorkload::class_subnets() const {
  ClassSubnets all;
  for (std::size_t c = 0; c < classes().size(); ++c) {
    all.push_back({options_.subnets.empty() ? 0U : options_.subnets[c]});
  }
  return all;
}

void ReplayWorkload::open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) {
  slices_.emplace_back();
  slices_.back().outlet = &outlet;
  for (const NodeId node : nodes) slice_of_node_[node.value] = static_cast<std::uint32_t>(slice);
}

/// One a cycle, before any slice makes a packet in it.
void ReplayWorkload::begin_cycle(std::uint64_t cycle) {
  const std::lock_guard<std::mutex> lock(between_cycles_);
  if (cycle < next_cycle_) return;
  next_cycle_ = cycle + 1;
  if (by_dependency() && cycle > 0) settle(cycle - 1);
  read_on(cycle);
}

/// All that has arrived in the cycle.
void ReplayWorkload::settle(std::uint64_t cycle) {
  for (Slice& slice : slices_) {
    std::vector<Arrived>& arrived = slice.arrived[cycle % 2];
    for (std::size_t i = slice.followed; i < arrived.size(); ++i) tell_local_followers(arrived[i]);
    for (const Arrived& one : arrived) {
      Entry& entry = window_[one.slot];
      entry.delivered = true;
      entry.delivered_at = one.cycle;
      for (const std::uint32_t follower : entry.followers) {
        if (!window_[follower].local) one_arrived(window_[follower], one.cycle);
      }
    }
    arrived.clear();
    slice.followed = 0;
  }
  while (oldest_ < trace_->packets() - (more_ ? 1 : 0) && window_[slot_of(oldest_)].delivered) ++oldest_;
}

void ReplayWorkload::tell_local_followers(const Arrived& arrived) {
  for (const std::uint32_t follower : window_[arrived.slot].followers) {
    if (window_[follower].local) one_arrived(window_[follower], arrived.cycle);
  }
}

/// The last of them says when the packet goes.
void ReplayWorkload::one_arrived(Entry& follower, std::uint64_t cycle) {
  follower.packet.due = std::max(follower.packet.due, cycle + follower.delay);
  if (--follower.pending == 0) slice_of(follower.packet.source).due.push(follower.packet);
}

/// The file was good when the run began: what is wrong now somebody has written since. Told between cycles, as slices
/// have threads.
void ReplayWorkload::read_on(std::uint64_t cycle) {
  try {
    while (more_ && may_enter(cycle)) {
      enter(cycle);
      more_ = trace_->next(next_);
    }
  } catch (const InputError& e) {
    changed_ = e.what();
    more_ = false;
  }
}

/// By time nothing before its cycle; by dependency whatever the window has room for.
bool ReplayWorkload::may_enter(std::uint64_t cycle) const {
  return by_dependency() ? next_.position < oldest_ + options_.window : *next_.record.cycle <= cycle;
}

void ReplayWorkload::enter(std::uint64_t cycle) {
  const traffic::TraceRecord& r = next_.record;
  const bool at_cycle = r.after.empty() || options_.by != ReplayBy::kDependency;
  const Due packet{at_cycle ? r.cycle.value_or(0) : 0,
                   next_.position,
                   r.source,
                   r.destination,
                   static_cast<std::uint16_t>(r.flits),
                   static_cast<std::uint8_t>(r.traffic_class)};
  if (!by_dependency()) {
    slice_of(r.source).due.push(packet);
    return;
  }
  const std::uint32_t slot = slot_of(next_.position);
  Entry& entry = window_[slot];
  entry.packet = packet;
  entry.delay = r.delay;
  entry.pending = 0;
  entry.local = next_.local;
  entry.delivered = false;
  entry.followers.clear();
  link(entry, slot);
  if (entry.pending > 0) return;
  if (entry.packet.due < cycle) ++held_back_;
  slice_of(r.source).due.push(entry.packet);
}

/// To those that it comes after and that have not arrived. Those before the oldest have, though another packet may have
/// their place.
void ReplayWorkload::link(Entry& entry, std::uint32_t slot) {
  for (const std::uint64_t position : next_.after) {
    Entry& before = window_[slot_of(position)];
    if (before.delivered) {
      entry.packet.due = std::max(entry.packet.due, before.delivered_at + entry.delay);
    } else {
      before.followers.push_back(slot);
      ++entry.pending;
    }
  }
}

void ReplayWorkload::generate(std::size_t s, std::uint64_t cycle) {
  begin_cycle(cycle);
  Slice& slice = slices_[s];
  if (stopped_) return;
  const std::vector<Arrived>& arrived = slice.arrived[cycle % 2];
  for (; slice.followed < arrived.size(); ++slice.followed) tell_local_followers(arrived[slice.followed]);
  while (!slice.due.empty() && slice.due.top().due <= cycle) {
    const Due& p = slice.due.top();
    const std::uint32_t tag = by_dependency() ? slot_of(p.position) : kNoTag;
    slice.outlet->send(cycle, p.traffic_class, NodeId{p.source}, NodeId{p.destination}, p.flits, tag, p.traffic_class);
    ++slice.made;
    slice.due.pop();
  }
}

void ReplayWorkload::deliver(std::size_t s, std::uint64_t cycle, const Packet& packet) {
  Slice& slice = slices_[s];
  ++slice.delivered;
  slice.last_delivery = std::max(slice.last_delivery, cycle);
  if (by_dependency()) slice.arrived[cycle % 2].push_back({packet.tag, cycle});
}

/// Packets that wait for others alone cannot come on by themselves.
Workload::State ReplayWorkload::state() const {
  if (!changed_.empty()) throw InputError(changed_ + " (it was good when the run began)");
  const bool due = std::any_of(slices_.begin(), slices_.end(), [](const Slice& s) { return !s.due.empty(); });
  if (!stopped_ && (due || (more_ && !by_dependency()))) return State::kBusy;
  if (!by_dependency()) return State::kIdle;
  const ReplayResults r = results();
  return stopped_ || r.delivered == r.trace_packets ? State::kIdle : State::kWaiting;
}

ReplayResults ReplayWorkload::results() const {
  ReplayResults r;
  r.trace_packets = trace_packets_;
  r.held_back = held_back_;
  std::uint64_t last = 0;
  for (const Slice& slice : slices_) {
    r.made += slice.made;
    r.delivered += slice.delivered;
    last = std::max(last, slice.last_delivery);
  }
  if (r.delivered > 0) r.last_delivery = last;
  if (trace_packets_ > 0) r.trace_share = static_cast<double>(r.delivered) / static_cast<double>(trace_packets_);
  return r;
}

/// The window and the place in the file would be most of it.
void ReplayWorkload::checkpoint(Checkpoint&) {
  Checkpoint::refuse("a replayed trace is read while the run goes on, and its place is not saved");
}

}  // namespace braid::models
