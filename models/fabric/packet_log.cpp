#include "models/fabric/packet_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace braid::models {
const OptionTable<LogOptions>& log_options() {
  static const OptionTable<LogOptions> table =
      OptionTable<LogOptions>("log")
          .text("file", &LogOptions::file, "packet log, .csv or .parquet, relative to where braid runs; empty: none")
          .of_results()
          .boolean("path", &LogOptions::path, "has it the column `path`, which is most of its size?")
          .after_warm_up();
  return table;
}

namespace {

/// Distances to a router, computed when asked for, and kept as far as a GB goes.
class Distances {
 public:
  explicit Distances(const routing::Topology& topology) : topology_(topology), to_(topology.router_count()) {}
  std::uint32_t operator()(RouterId from, RouterId to) {
    std::vector<std::uint32_t>& distances = to_[to.value];
    if (distances.empty()) {
      if (kept_ + to_.size() > kMost) forget();
      kept_ += to_.size();
      distances = topology_.distances_to(to);
    }
    return distances[from.value];
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 28;
  void forget() {
    for (auto& distances : to_) distances = {};
    kept_ = 0;
  }
  const routing::Topology& topology_;
  std::vector<std::vector<std::uint32_t>> to_;
  std::size_t kept_ = 0;
};

std::uint64_t deroutes(const PacketRecord& record, const routing::Topology& topology, Distances& distance) {
  const RouterId to = topology.exit_router(record.packet.destination);
  std::uint64_t count = 0;
  for (std::size_t i = 1; i < record.path.size(); ++i) {
    if (record.path[i].router == record.path[i - 1].router) continue;  // out of an in-transit buffer
    count += distance(record.path[i].router, to) >= distance(record.path[i - 1].router, to) ? 1 : 0;
  }
  return count;
}

/// A router where the packet rested in an in-transit buffer is visited twice and counts once.
std::uint64_t routers_passed(const PacketRecord& record) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < record.path.size(); ++i) {
    count += i == 0 || record.path[i].router != record.path[i - 1].router ? 1 : 0;
  }
  return count;
}

std::string path_text(const PacketRecord& record) {
  std::string text;
  for (const PacketRecord::Visit& v : record.path) {
    text += fmt::format("{}{}:{}@{}", text.empty() ? "" : " ", v.router.value, v.in_port.value, v.cycle);
  }
  return text;
}

/// "17@5000-5044-5076-5200": what has come to pass of it.
std::string rests_text(const PacketRecord& record, std::uint64_t now) {
  std::string text;
  for (const PacketRecord::Rest& r : record.rests) {
    text += fmt::format("{}{}@{}", text.empty() ? "" : " ", r.node.value, r.here);
    for (const std::uint64_t cycle : {r.known, r.ready, r.begins}) {
      text += cycle != 0 && cycle < now ? fmt::format("-{}", cycle) : "-";
    }
  }
  return text;
}

std::optional<std::uint64_t> only_if(bool there, std::uint64_t value) {
  return there ? std::optional<std::uint64_t>(value) : std::nullopt;
}

PacketRecord unpacked_record(std::string_view item) {
  Checkpoint bytes(item);
  PacketRecord record;
  bytes(record);
  return record;
}

std::tuple<std::uint64_t, NodeId, std::uint32_t> place_in_log(const Packet& p) {
  return {p.created, p.source, p.sequence};
}

constexpr std::size_t kLinesAtOnce = 65536;

}  // namespace

void PacketLog::Page::checkpoint(Checkpoint& c, PacketStore& store) {
  records_.resize(c.length(records_.size()));
  for (PacketRecord& record : records_) c(record);
  if (!c.restoring()) return;
  for (PacketRecord& record : records_) {
    if (record.over()) continue;
    c.index(record.slot, store.slots(), "packet");
    store[record.slot].record = &record;
  }
}

/// Records that have left memory are saved as the others are: a run that goes on from there logs them, too.
void PacketLog::checkpoint(Checkpoint& c, PacketStore& store) {
  if (runs_ && !c.restoring()) move_out();
  for (Page& page : pages_) page.checkpoint(c, store);
  const std::uint64_t gone = c.length(runs_ ? runs_->size() : 0);
  if (!c.restoring()) {
    if (runs_)
      runs_->each([&](const SortedRuns::Key&, std::string_view item) {
        PacketRecord record = unpacked_record(item);
        c(record);
      });
    check();
    return;
  }
  for (std::uint64_t i = 0; i < gone; ++i) {
    std::list<PacketRecord>& records = pages_.front().records_;
    records.emplace_back();
    c(records.back());
    c.expect(records.back().over(), "a packet that is over and is not");
    make_room();
  }
}

void PacketLog::stream(const std::string& file, Kept kept) {
  runs_ = std::make_unique<SortedRuns>(file);
  kept_ = std::move(kept);
}

std::size_t PacketLog::records_held() const {
  std::size_t records = 0;
  for (const Page& page : pages_) records += page.records_.size();
  return records;
}

void PacketLog::move_out() {
  for (Page& page : pages_) {
    page.records_.remove_if([&](PacketRecord& record) {
      if (!record.over()) return false;
      if (kept_(record)) {
        Checkpoint bytes;
        bytes(record);
        runs_->add({record.packet.created, record.packet.source.value, record.packet.sequence}, bytes.bytes());
      }
      return true;
    });
  }
  next_move_ = std::max(kLeastToMove, 2 * records_held());  // the work for a record is bounded, too
}

void PacketLog::each(const PacketStore& store,
                     const std::function<void(const PacketRecord&, const Packet&)>& take) const {
  std::vector<const PacketRecord*> records;
  for (const Page& page : pages_) {
    for (const PacketRecord& record : page.records()) records.push_back(&record);
  }
  std::sort(records.begin(), records.end(), [](const PacketRecord* a, const PacketRecord* b) {
    return place_in_log(a->packet) < place_in_log(b->packet);
  });
  auto next = records.begin();
  const auto take_next = [&] {
    const PacketRecord* record = *next++;
    take(*record, record->over() ? record->packet : store[record->slot]);
  };
  if (runs_) {
    runs_->each([&](const SortedRuns::Key&, std::string_view item) {
      const PacketRecord record = unpacked_record(item);
      while (next != records.end() && place_in_log((*next)->packet) < place_in_log(record.packet)) take_next();
      take(record, record.packet);
    });
  }
  while (next != records.end()) take_next();
  check();
}

PacketLog::Columns PacketLog::no_lines(bool path) const {
  Columns c;
  if (path) c.path.emplace();
  for (const char* name :
       {"message", "message_packets", "priority", "stream", "stream_packet", "source", "destination", "sequence",
        "flits", "created", "measured", "injected", "left_queue", "delivered", "routers", "deroutes", "escapes"}) {
    c.numbers.push_back({name, {}});
  }
  if (fates_.rests) c.rests.emplace();
  if (fates_.losses) c.numbers.push_back({"lost", {}});
  return c;
}

void PacketLog::columns(const routing::Topology& topology, const PacketStore& store, const KindOf& kind_of,
                        const TakeColumns& take, bool path) const {
  Columns c = no_lines(path);
  bool taken = false;
  Distances distance(topology);
  each(store, [&](const PacketRecord& record, const Packet& p) {
    const bool of_message = record.message_packets > 0;
    c.kind.push_back(kind_of(p));
    const std::optional<std::uint64_t> row[] = {only_if(of_message, record.first_of_message),
                                                only_if(of_message, record.message_packets),
                                                p.priority ? 1 : 0,
                                                only_if(p.tag != kNoTag, p.tag),
                                                only_if(p.tag_sequence != kNoTag, p.tag_sequence),
                                                p.source.value,
                                                p.destination.value,
                                                p.sequence,
                                                p.length_flits,
                                                p.created,
                                                p.measured ? 1 : 0,
                                                only_if(p.injected != 0, p.injected),  // no head leaves in cycle 0
                                                record.left_queue,
                                                record.delivered,
                                                routers_passed(record),
                                                deroutes(record, topology, distance),
                                                record.escapes,
                                                record.lost};
    for (std::size_t i = 0; i < c.numbers.size(); ++i) c.numbers[i].values.push_back(row[i]);
    if (c.path) c.path->push_back(path_text(record));
    if (c.rests) c.rests->push_back(rests_text(record, now_));
    if (c.kind.size() < kLinesAtOnce) return;
    take(c);
    c = no_lines(path);
    taken = true;
  });
  if (!taken || !c.kind.empty()) take(c);
}

}  // namespace braid::models
