#include "models/workload/broadcast/consistency_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace braid::models {
namespace {

std::vector<NodeId> nodes_of(const char* key, const std::vector<std::uint32_t>& listed, std::size_t nodes) {
  std::vector<NodeId> all;
  std::set<std::uint32_t> seen;
  for (const std::uint32_t node : listed) {
    if (node >= nodes) throw InputError(fmt::format("{} has {}: expected 0 to {}", key, node, nodes - 1));
    if (!seen.insert(node).second) throw InputError(fmt::format("{} has {} twice: expected each node once", key, node));
    all.push_back(NodeId{node});
  }
  return all;
}

/// The first of several roots is the root.
BroadcastOptions with_first_root(BroadcastOptions options) {
  if (!options.roots.empty()) options.root = options.roots.front();
  return options;
}

}  // namespace

ConsistencyWorkload::ConsistencyWorkload(const WorkloadContext& context)
    : window_(context.window),
      options_(with_first_root(broadcast_options().read(context.configuration))),
      processors_(*this, context, options_),
      requests_(processors_.count(), options_.requesters.empty() && by_request()),
      requesters_(processors_.count()) {
  processors_.refuse_copies("a broadcast.operation of several roots");
  if (options_.roots.empty()) options_.roots = {options_.root};
  const std::size_t nodes = processors_.count();
  for (const NodeId root : nodes_of("broadcast.roots", options_.roots, nodes)) add_scheme(context, root);
  for (const NodeId node : nodes_of("broadcast.requesters", options_.requesters, nodes)) {
    requests_[processors_.position(node)] = true;
  }
  roots_.resize(roots());
  for (Root& root : roots_) root.asked_by.resize(4 * nodes + 8);
  for (Requester& requester : requesters_) requester.owes.resize(roots(), kNoNumber);
  add_processors();
}

void ConsistencyWorkload::add_scheme(const WorkloadContext& context, NodeId root) {
  const traffic::PlacedBroadcast placed =
      traffic::place_broadcast(options_.scheme, options_.placement, context.topology, root, 1, context.configuration);
  const std::vector<traffic::BroadcastPart>& own = placed.scheme->parts();
  std::vector<traffic::BroadcastPart> parts(own.size());
  std::vector<std::uint32_t> place(own.size());
  for (std::uint32_t p = 0; p < own.size(); ++p) {
    const auto here = [&](std::vector<std::uint32_t> positions) {
      for (std::uint32_t& other : positions) other = processors_.position(placed.nodes[other]);
      return positions;
    };
    const std::uint32_t position = processors_.position(placed.nodes[p]);
    place[position] = p;
    parts[position] = {own[p].role, here(own[p].heard), here(own[p].told_at_once), here(own[p].told_when_done)};
    std::sort(parts[position].heard.begin(), parts[position].heard.end());
  }
  messages_ = std::max(messages_, traffic::message_count(own));
  longest_path_ = std::max<std::uint64_t>(longest_path_, traffic::longest_path(own));
  root_at_.push_back(processors_.position(root));
  parts_.push_back(std::move(parts));
  place_.push_back(std::move(place));
}

void ConsistencyWorkload::add_processors() {
  for (std::uint32_t p = 0; p < processors_.count(); ++p) {
    std::vector<traffic::BroadcastStation> stations;
    for (std::uint32_t r = 0; r < roots(); ++r) stations.emplace_back(place_[r][p], parts_[r][p], by_request());
    processors_.add({options_, by_request(), false, std::move(stations)});
  }
}

void ConsistencyWorkload::open(std::size_t, const std::vector<NodeId>& nodes, Outlet& outlet) {
  processors_.open(nodes, outlet);
  tallies_.emplace_back(window_);
  sent_.emplace_back();
  for (const NodeId node : nodes) {
    const std::uint32_t position = processors_.position(node);
    const bool is_root = std::find(root_at_.begin(), root_at_.end(), position) != root_at_.end();
    if (by_request() ? requests_[position] : is_root) processors_.slice_of(position).call_at(1, position);
  }
}

void ConsistencyWorkload::deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet) {
  if (packet.kind == kBroadcast) return processors_.deliver(slice, cycle, packet);
  processors_.deliver_word(slice, cycle, packet);
}

void ConsistencyWorkload::put(std::uint64_t cycle, Kind kind, std::uint32_t from, std::uint32_t to, std::uint32_t flits,
                              std::uint32_t tag) {
  if (window_.open) sent_[processors_.slice_index(from)][std::uint64_t{from} << 32 | to] += flits;
  processors_.send(cycle, kind, from, to, flits, tag);
}

void ConsistencyWorkload::send(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from, std::uint32_t to) {
  put(cycle, kBroadcast, from, to, options_.flits, broadcast);
}

void ConsistencyWorkload::say(std::uint64_t cycle, std::uint32_t from, const Task& word) {
  processors_.slice_of(from).enqueue_at(cycle, from, word);
}

void ConsistencyWorkload::said(std::uint64_t cycle, std::uint32_t position, const Task& task) {
  const auto kind = static_cast<Kind>(task.word);
  put(cycle, kind, position, task.from, kind == kValue ? options_.value_flits : options_.flits, task.broadcast);
}

void ConsistencyWorkload::called(std::uint64_t cycle, std::uint32_t position) {
  if (stopped_) return;
  if (by_request()) return ask(cycle, position);
  const auto root = std::find(root_at_.begin(), root_at_.end(), position);
  begin_burst(cycle, static_cast<std::uint32_t>(root - root_at_.begin()));
}

// ---------------------------------------------------------------- a root's broadcasts

void ConsistencyWorkload::begin_burst(std::uint64_t cycle, std::uint32_t root) {
  Root& own = roots_[root];
  own.to_begin = own.unfinished = options_.burst;
  own.burst_begin = cycle;
  start_next(cycle, root);
}

void ConsistencyWorkload::start_next(std::uint64_t cycle, std::uint32_t root) {
  Root& own = roots_[root];
  if (own.to_begin == 0) return;
  --own.to_begin;
  say(cycle, root_at_[root], {Task::Kind::kStart, own.next++ * roots() + root});
}

void ConsistencyWorkload::begins(std::uint64_t cycle, std::uint32_t, std::uint32_t broadcast) {
  roots_[root_of(broadcast)].begun[broadcast / roots()] = cycle;
}

void ConsistencyWorkload::issued(std::uint64_t cycle, std::uint32_t broadcast) {
  if (!by_request()) start_next(cycle, root_of(broadcast));
}

void ConsistencyWorkload::completed(std::uint64_t cycle, std::uint32_t broadcast) {
  const std::uint32_t root = root_of(broadcast), number = broadcast / roots(), here = root_at_[root];
  const std::uint64_t begin = roots_[root].begun.at(number);
  roots_[root].begun.erase(number);
  if (window_.open) ++roots_[root].completed;
  if (!by_request()) return end_in_burst(cycle, root, begin);
  const std::uint32_t requester = asked_by(root, number);
  if (requester != here) return say(cycle, here, {Task::Kind::kSay, broadcast, requester, kAnswer});
  requesters_[here].answered = true;
  end_if_done(cycle, here);
}

void ConsistencyWorkload::end_in_burst(std::uint64_t cycle, std::uint32_t root, std::uint64_t begin) {
  Root& own = roots_[root];
  BroadcastTally& tally = tallies_[processors_.slice_index(root_at_[root])];
  tally.complete(begin, cycle);
  if (--own.unfinished > 0) return;
  tally.end_burst(own.burst_begin, cycle);
  processors_.slice_of(root_at_[root]).call_at(options_.again(own.burst_begin, cycle), root_at_[root]);
}

// ---------------------------------------------------------------- requests

/// Roots in turn, beginning with the one of the node's number: they are asked alike, and nothing is drawn.
void ConsistencyWorkload::ask(std::uint64_t cycle, std::uint32_t position) {
  Requester& own = requesters_[position];
  own.open = true;
  own.answered = own.has_value = false;
  own.number = kNoNumber;
  own.begin = cycle;
  own.root = (processors_.nodes()[position].value + own.requests++) % roots();
  const std::uint32_t to = root_at_[own.root];
  if (to == position) return put_in_order(cycle, own.root, position);
  say(cycle, position, {Task::Kind::kSay, own.root, to, kRequest});
}

void ConsistencyWorkload::listened(std::uint64_t cycle, std::uint32_t position, const Task& task) {
  if (task.word == kRequest) return put_in_order(cycle, task.broadcast, task.from);
  Requester& own = requesters_[position];
  (task.word == kAnswer ? own.answered : own.has_value) = true;
  end_if_done(cycle, position);
}

void ConsistencyWorkload::put_in_order(std::uint64_t cycle, std::uint32_t root, std::uint32_t requester) {
  Root& own = roots_[root];
  if (!own.begun.empty() && own.next - own.begun.begin()->first + 2 > own.asked_by.size()) {
    throw std::logic_error("more requests are under way than there are nodes");
  }
  own.asked_by[own.next % own.asked_by.size()] = requester;
  say(cycle, root_at_[root], {Task::Kind::kStart, own.next++ * roots() + root});
}

std::uint32_t ConsistencyWorkload::asked_by(std::uint32_t root, std::uint32_t number) const {
  return roots_[root].asked_by[number % roots_[root].asked_by.size()];
}

/// The requester's own event: it may change what it has. Of ownership the owner before, at first the root, passes the
/// value on, when it has it itself.
void ConsistencyWorkload::handled(std::uint64_t cycle, std::uint32_t position, std::uint32_t broadcast) {
  const std::uint32_t root = root_of(broadcast), number = broadcast / roots();
  const bool passes = options_.operation == BroadcastOperation::kOwnership;
  const bool owned = passes && position == (number == 0 ? root_at_[root] : asked_by(root, number - 1));
  Requester& own = requesters_[position];
  if (asked_by(root, number) == position) {
    own.number = number;
    if (owned || !passes) own.has_value = true;
    return end_if_done(cycle, position);
  }
  if (!owned) return;
  if (number > 0 && own.open && own.root == root && own.number == number - 1) {
    own.owes[root] = number;
  } else {
    pass_on(cycle, position, root, number);
  }
}

void ConsistencyWorkload::pass_on(std::uint64_t cycle, std::uint32_t position, std::uint32_t root,
                                  std::uint32_t number) {
  say(cycle, position, {Task::Kind::kSay, number * roots() + root, asked_by(root, number), kValue});
}

void ConsistencyWorkload::end_if_done(std::uint64_t cycle, std::uint32_t position) {
  Requester& own = requesters_[position];
  if (!own.open || !own.answered || !own.has_value) return;
  own.open = false;
  tallies_[processors_.slice_index(position)].complete(own.begin, cycle);
  std::uint32_t& owed = own.owes[own.root];
  if (owed != kNoNumber) pass_on(cycle, position, own.root, owed);
  owed = kNoNumber;
  processors_.slice_of(position).call_at(options_.again(own.begin, cycle), position);
}

// ---------------------------------------------------------------- figures, checkpoints

void ConsistencyWorkload::begin_window() {
  for (BroadcastTally& tally : tallies_) tally.begin_window();
  for (auto& sent : sent_) sent.clear();
  for (Root& root : roots_) root.completed = 0;
}

void ConsistencyWorkload::end_batch() {
  for (BroadcastTally& tally : tallies_) tally.end_batch();
}

std::vector<routing::Flow> ConsistencyWorkload::flows(std::uint64_t measured_cycles) const {
  std::vector<routing::Flow> all;
  for (const auto& sent : sent_) {
    for (const auto& [ends, flits] : sent) {
      all.push_back({processors_.nodes()[ends >> 32], processors_.nodes()[ends & UINT32_MAX],
                     static_cast<double>(flits) / static_cast<double>(measured_cycles), ""});
    }
  }
  return all;
}

BroadcastResults ConsistencyWorkload::results() const {
  BroadcastTally all(window_);
  for (const BroadcastTally& tally : tallies_) all.merge(tally);
  BroadcastResults r = all.results(options_.burst);
  r.scheme = options_.scheme;
  r.positions = processors_.count();
  r.messages = messages_;
  r.longest_path = longest_path_;
  r.completed_by_root.emplace();
  for (const Root& root : roots_) r.completed_by_root->push_back(root.completed);
  r.refused = processors_.refusals();
  return r;
}

void ConsistencyWorkload::checkpoint(Checkpoint& c) {
  c.part("consistency events");
  c(processors_);
  c.each(roots_);
  c.each(requesters_);
  c.each(tallies_);
  c.each(sent_);
  c(stopped_);
  for (const Root& root : roots_) {
    Checkpoint::expect(root.asked_by.size() == 4 * processors_.count() + 8, "a root's requests");
    for (const std::uint32_t position : root.asked_by) c.index(position, processors_.count(), "position");
  }
  for (const Requester& requester : requesters_) {
    c.index(requester.root, roots(), "root");
    Checkpoint::expect(requester.owes.size() == roots(), "what a node owes");
  }
  for (const auto& sent : sent_) {
    for (const auto& [ends, flits] : sent) {
      c.index(ends >> 32, processors_.count(), "position");
      c.index(ends & UINT32_MAX, processors_.count(), "position");
    }
  }
}

}  // namespace braid::models
