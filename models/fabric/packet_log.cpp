#include "models/fabric/packet_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace braid::models {

const OptionTable<LogOptions>& log_options() {
  static const OptionTable<LogOptions> table =
      OptionTable<LogOptions>("log")
          .text("file", &LogOptions::file, "packet log, .csv or .parquet, relative to where braid runs; empty: none")
          .of_results();
  return table;
}
namespace {

/// Distances to a router, computed when first asked for.
class Distances {
 public:
  explicit Distances(const routing::Topology& topology) : topology_(topology), to_(topology.router_count()) {}
  std::uint32_t operator()(RouterId from, RouterId to) {
    std::vector<std::uint32_t>& distances = to_[to.value];
    if (distances.empty()) distances = topology_.distances_to(to);
    return distances[from.value];
  }

 private:
  const routing::Topology& topology_;
  std::vector<std::vector<std::uint32_t>> to_;
};

std::uint64_t deroutes(const PacketRecord& record, const routing::Topology& topology, Distances& distance) {
  const RouterId to = topology.router_of(record.packet.destination);
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

std::optional<std::uint64_t> only_if(bool there, std::uint64_t value) {
  return there ? std::optional<std::uint64_t>(value) : std::nullopt;
}

}  // namespace

void PacketLog::Page::checkpoint(Checkpoint& c, PacketStore& store) {
  c(records_);
  if (!c.restoring()) return;
  for (PacketRecord& record : records_) {
    if (record.over()) continue;
    c.index(record.slot, store.slots(), "packet");
    store[record.slot].record = &record;
  }
}

PacketLog::Columns PacketLog::columns(const routing::Topology& topology, const PacketStore& store,
                                      const std::function<std::string(const Packet&)>& kind_of) const {
  std::vector<const PacketRecord*> records;
  for (const Page& page : pages_) {
    for (const PacketRecord& record : page.records()) records.push_back(&record);
  }
  std::sort(records.begin(), records.end(), [](const PacketRecord* a, const PacketRecord* b) {
    const auto key = [](const Packet& p) { return std::tuple(p.created, p.source, p.sequence); };
    return key(a->packet) < key(b->packet);
  });
  Columns c;
  for (const char* name :
       {"message", "message_packets", "priority", "stream", "stream_packet", "source", "destination", "sequence",
        "flits", "created", "injected", "left_queue", "delivered", "routers", "deroutes", "escapes"}) {
    c.numbers.push_back({name, {}});
    c.numbers.back().values.reserve(records.size());
  }
  std::vector<std::optional<std::uint64_t>> lost;
  Distances distance(topology);
  for (const PacketRecord* record : records) {
    const Packet& p = record->over() ? record->packet : store[record->slot];
    const bool of_message = record->message_packets > 0;
    c.kind.push_back(kind_of(p));
    const std::optional<std::uint64_t> row[] = {only_if(of_message, record->first_of_message),
                                                only_if(of_message, record->message_packets),
                                                p.priority ? 1 : 0,
                                                only_if(p.tag != kNoTag, p.tag),
                                                only_if(p.tag_sequence != kNoTag, p.tag_sequence),
                                                p.source.value,
                                                p.destination.value,
                                                p.sequence,
                                                p.length_flits,
                                                p.created,
                                                only_if(p.injected != 0, p.injected),  // no head leaves in cycle 0
                                                record->left_queue,
                                                record->delivered,
                                                routers_passed(*record),
                                                deroutes(*record, topology, distance),
                                                record->escapes};
    for (std::size_t i = 0; i < c.numbers.size(); ++i) c.numbers[i].values.push_back(row[i]);
    lost.push_back(record->lost);
    c.path.push_back(path_text(*record));
  }
  if (losses_) c.numbers.push_back({"lost", std::move(lost)});
  return c;
}

}  // namespace braid::models
