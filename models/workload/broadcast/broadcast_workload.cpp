#include "models/workload/broadcast/broadcast_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "models/workload/broadcast/all_reduce_workload.h"
#include "models/workload/broadcast/broadcast_by_line.h"
#include "models/workload/broadcast/consistency_workload.h"
#include "routing/base/random.h"

namespace braid::models {
namespace {

const bool broadcast_workload_registered = WorkloadRegistry::instance().add(
    "broadcast", "acknowledged broadcasts from one root, or all-reduces", broadcast_options().list(),
    broadcast_report().list(), [](const WorkloadContext& context) -> std::unique_ptr<Workload> {
      const BroadcastOptions options = broadcast_options().read(context.configuration);
      if (options.medium == BroadcastMedium::kLine) return std::make_unique<BroadcastByLine>(context);
      if (options.operation == BroadcastOperation::kAllReduce) return std::make_unique<AllReduceWorkload>(context);
      if (options.operation != BroadcastOperation::kBroadcast) return std::make_unique<ConsistencyWorkload>(context);
      return std::make_unique<BroadcastWorkload>(context);
    });

void check_node(const char* key, std::uint32_t node, std::size_t nodes) {
  if (node < nodes) return;
  throw InputError(fmt::format("{} = {}: expected 0 to {}", key, node, nodes - 1));
}

}  // namespace

BroadcastWorkload::BroadcastWorkload(const WorkloadContext& context)
    : options_(broadcast_options().read(context.configuration)),
      tally_(context.window),
      processors_(*this, context, options_),
      buffers_(processors_.parts(), options_.buffer_messages) {
  check_node("broadcast.silent_node", options_.silent_node, processors_.count());
  if (traffic::copies_packets(processors_.parts())) ask_for_copies(context.fabric);
  const auto& parts = processors_.parts();
  for (std::uint32_t p = 0; p < processors_.count(); ++p) {
    processors_.add({options_,
                     options_.sequenced,
                     options_.queued_events,
                     {traffic::BroadcastStation(p, parts[p], options_.sequenced)},
                     {options_.own_tasks, options_.last_task_first}});
  }
}

void BroadcastWorkload::open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) {
  processors_.open(nodes, outlet);
  rooms_.emplace_back();
  if (slice == processors_.slice_index(0)) processors_.slice_of(0).call_at(1);
}

void BroadcastWorkload::generate(std::size_t slice, std::uint64_t cycle) {
  if (slice == processors_.slice_index(0) && options_.timeout_cycles > 0) give_up_late(cycle);
  if (buffers_.bounded()) use_rooms(slice, cycle);
  processors_.step(slice, cycle);
}

void BroadcastWorkload::deliver(std::size_t slice, std::uint64_t cycle, const Packet& packet) {
  if (packet.kind == kRoom) {
    rooms_[slice].push_back({cycle, processors_.position(packet.destination), processors_.position(packet.source)});
  } else {
    processors_.deliver(slice, cycle, packet);
  }
}

/// Of the cycles before, in an order of their own: the network has another one in every schedule.
void BroadcastWorkload::use_rooms(std::size_t slice, std::uint64_t cycle) {
  std::vector<Room>& rooms = rooms_[slice];
  const auto later = std::partition(rooms.begin(), rooms.end(), [cycle](const Room& r) { return r.cycle < cycle; });
  std::sort(rooms.begin(), later,
            [](const Room& a, const Room& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  for (auto room = rooms.begin(); room != later; ++room) {
    const auto waited = buffers_.room(room->from, room->to);
    if (!waited) continue;
    processors_.send(cycle, kBroadcast, room->from, room->to, options_.flits, *waited);
    if (buffers_.any_waits(room->from)) continue;
    processors_[room->from].begin_new(true);
    processors_.slice_of(room->from).look(room->from);
  }
  rooms.erase(rooms.begin(), later);
}

/// A message leaves its buffer.
void BroadcastWorkload::taken(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from, std::uint32_t to) {
  if (buffers_.bounded()) processors_.send(cycle, kRoom, to, from, 1, broadcast);
}

void BroadcastWorkload::send(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from, std::uint32_t to) {
  if (options_.silent_broadcast == broadcast && options_.silent_node == nodes()[from].value) return;
  if (buffers_.send(from, to, broadcast)) {
    processors_.send(cycle, kBroadcast, from, to, options_.flits, broadcast);
  } else {
    processors_[from].begin_new(false);
  }
}

void BroadcastWorkload::ask_for_copies(Fabric& fabric) const {
  const std::string user = "broadcast.scheme = \"" + options_.scheme + "\"";
  if (buffers_.bounded()) {
    throw InputError(user +
                     ": one packet to all does not wait for room at each; expected broadcast.buffer_messages = 0");
  }
  fabric.copy_packets(user, options_.flits);
}

void BroadcastWorkload::send_to_all(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from) {
  if (options_.silent_node == nodes()[from].value && options_.silent_broadcast == broadcast) return;
  processors_.send_to_all(cycle, kBroadcast, from, options_.flits, broadcast);
}

void BroadcastWorkload::begin_burst(std::uint64_t cycle) {
  if (stopped_) return;
  root_.to_begin = root_.unfinished = options_.burst;
  root_.burst_begin = cycle;
  root_.burst_whole = true;
  start_next(cycle);
}

void BroadcastWorkload::start_next(std::uint64_t cycle) {
  if (root_.to_begin == 0) return;
  --root_.to_begin;
  processors_.slice_of(0).enqueue_at(cycle, 0, {TaskProcessor::Task::Kind::kStart, root_.next++});
}

void BroadcastWorkload::end_broadcast(std::uint64_t cycle, std::uint32_t broadcast, bool complete) {
  const auto begun = root_.begun.find(broadcast);
  if (begun == root_.begun.end()) return;  // given up just before
  if (complete) tally_.complete(begun->second, cycle);
  root_.begun.erase(begun);
  root_.burst_whole = root_.burst_whole && complete;
  if (--root_.unfinished > 0) return;
  if (root_.burst_whole) tally_.end_burst(root_.burst_begin, cycle);
  processors_.slice_of(0).call_at(options_.again(root_.burst_begin, cycle));
}

void BroadcastWorkload::give_up_late(std::uint64_t cycle) {
  while (!root_.begun.empty() && root_.begun.begin()->second + options_.timeout_cycles <= cycle) {
    const std::uint32_t broadcast = root_.begun.begin()->first;
    traffic::BroadcastStation& root = processors_[0].station();
    root_.given_up.push_back({broadcast, root.progress(broadcast).heard});
    root.give_up(broadcast);
    end_broadcast(cycle, broadcast, false);
  }
}

/// Who let a broadcast down: a position whose messages did not come although it had begun, or has all it waits for.
std::string BroadcastWorkload::blame(const GivenUp& given_up) const {
  const auto lacks = [&](std::uint32_t to, std::uint32_t from) {
    const auto heard = to == 0 ? given_up.heard : processors_[to].station().progress(given_up.broadcast).heard;
    return std::find(heard.begin(), heard.end(), from) == heard.end();
  };
  for (std::uint32_t p = 0; p < processors_.count(); ++p) {
    const auto mine = processors_[p].station().progress(given_up.broadcast);
    const traffic::BroadcastPart& part = processors_.parts()[p];
    const auto lacks_mine = [&](std::uint32_t to) { return lacks(to, p); };
    const auto owes = [&](const auto& told) { return std::any_of(told.begin(), told.end(), lacks_mine); };
    const char* owed = nullptr;
    if (mine.begun && owes(part.told_at_once)) {
      owed = "pass it on";
    } else if (mine.begun && mine.heard.size() == part.heard.size() && owes(part.told_when_done)) {
      owed = "acknowledge";
    }
    if (owed != nullptr) return fmt::format("node {} ({}) did not {}", nodes()[p].value, part.role, owed);
  }
  return "it was not complete";  // every message is under way or there
}

Workload::State BroadcastWorkload::state() const {
  const bool room = std::any_of(rooms_.begin(), rooms_.end(), [](const auto& rooms) { return !rooms.empty(); });
  if (room || processors_.at_work() || options_.timeout_cycles > 0) return State::kBusy;
  return root_.begun.empty() ? State::kBusy : State::kWaiting;  // between bursts it counts
}

/// But for what routers copy, of which links carry less than its destinations' ways would.
std::vector<routing::Flow> BroadcastWorkload::flows(std::uint64_t measured_cycles) const {
  std::vector<routing::Flow> all;
  const double rate = static_cast<double>(tally_.completed() * options_.flits) / static_cast<double>(measured_cycles);
  for (std::uint32_t p = 0; p < processors_.count(); ++p) {
    for (const auto* told : {&processors_.parts()[p].told_at_once, &processors_.parts()[p].told_when_done}) {
      if (processors_.parts()[p].by_one_packet && told == &processors_.parts()[p].told_at_once) continue;
      for (const std::uint32_t to : *told) all.push_back({nodes()[p], nodes()[to], rate, ""});
    }
  }
  return all;
}

BroadcastResults BroadcastWorkload::results() const {
  BroadcastResults r = tally_.results(options_.burst);
  r.scheme = options_.scheme;
  r.describe(processors_.parts());
  for (const GivenUp& given_up : root_.given_up) {
    r.unacknowledged.push_back(
        fmt::format("broadcast {}: {} within {} cycles", given_up.broadcast, blame(given_up), options_.timeout_cycles));
  }
  r.refused = processors_.refusals();
  return r;
}

void BroadcastWorkload::checkpoint(Checkpoint& c) {
  c.part("broadcasts");
  c(tally_, root_, processors_, buffers_, stopped_);
  c.each(rooms_);
  for (const auto& rooms : rooms_) {
    for (const Room& room : rooms) {
      c.index(room.from, processors_.count(), "position");
      c.index(room.to, processors_.count(), "position");
      Checkpoint::expect(buffers_.leads(room.from, room.to), "room for a message that nobody sends");
    }
  }
}

Report BroadcastWorkload::report(std::uint64_t) const { return broadcast_report().of(results()); }

}  // namespace braid::models
