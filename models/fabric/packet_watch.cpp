#include "models/fabric/packet_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <tuple>

#include "models/fabric/trace_options.h"
#include "routing/base/input_error.h"

namespace braid::models {

const OptionTable<WatchOptions>& watch_options() {
  using W = WatchOptions;
  static const OptionTable<W> where =
      OptionTable<W>("watch")
          .text("file", &W::file, "a line an event, relative to where braid runs; \"-\": standard output")
          .of_results();
  static const OptionTable<W> table =
      OptionTable<W>("watch")
          .text("what", &W::what,
                "packet=SOURCE.SEQUENCE, source=NODE, router=NAME, or several with blanks between; empty: nothing")
          .with_it(where);
  return table;
}

bool packets_are_recorded(const Configuration& configuration) {
  const Configuration::Given* flows = configuration.find("results.link_flows");
  return !log_options().read(configuration).file.empty() || records_trace(configuration) ||
         !watch_options().read(configuration).what.empty() || (flows != nullptr && is_set(flows->value));
}

/// Something that happened to a packet.
struct PacketWatch::Event {
  std::uint64_t cycle;
  NodeId source;
  std::uint32_t sequence;
  std::uint64_t since;  // cycles since the packet's event before
  std::string text;
};

PacketWatch::PacketWatch(const routing::Topology& topology, const std::string& what) : topology_(topology) {
  std::istringstream words(what);
  for (std::string word; words >> word;) items_.push_back(read(word));
  if (items_.empty()) {
    throw InputError("watch.what names nothing: expected packet=SOURCE.SEQUENCE, source=NODE or router=NAME");
  }
}

PacketWatch::Item PacketWatch::read(const std::string& word) const {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string kind = word.substr(0, equals), value = word.substr(std::min(equals + 1, word.size()));
  const std::uint64_t last_node = topology_.node_count() - 1;
  Item item{Kind::kPacket, identifier(kind + "_" + value), NodeId{0}, 0, RouterId{0}};
  if (kind == "packet") {
    const std::size_t dot = std::min(value.find('.'), value.size());
    item.source = NodeId{number(word, value.substr(0, dot), last_node)};
    item.sequence = static_cast<std::uint32_t>(
        number(word, value.substr(std::min(dot + 1, value.size())), std::uint64_t{UINT32_MAX}));
    return item;
  }
  if (kind == "source") {
    item.kind = Kind::kSource;
    item.source = NodeId{number(word, value, last_node)};
    return item;
  }
  if (kind != "router") throw InputError("watch.what: " + unknown_name("thing", kind, {"packet", "source", "router"}));
  item.kind = Kind::kRouter;
  const std::vector<std::string>& names = topology_.router_names;
  const auto found = std::find(names.begin(), names.end(), value);
  if (found == names.end()) {
    throw InputError("watch.what: unknown router \"" + value + "\"" + did_you_mean(value, names));
  }
  item.router = RouterId{static_cast<std::size_t>(found - names.begin())};
  return item;
}

std::uint64_t PacketWatch::number(const std::string& word, const std::string& digits, std::uint64_t most) const {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value > most) {
    throw InputError(fmt::format("watch.what: {}: expected {}, numbers from 0, nodes up to {}", word,
                                 word[0] == 'p' ? "packet=SOURCE.SEQUENCE" : "source=NODE",
                                 topology_.node_count() - 1));
  }
  return value;
}

bool PacketWatch::follows(const Packet& packet) const {
  return std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
    if (item.kind == Kind::kRouter || item.source != packet.source) return false;
    return item.kind == Kind::kSource || item.sequence == packet.sequence;
  });
}

bool PacketWatch::stands_at(RouterId router) const {
  return std::any_of(items_.begin(), items_.end(),
                     [&](const Item& item) { return item.kind == Kind::kRouter && item.router == router; });
}

bool PacketWatch::wants(const Packet& packet) const {
  return follows(packet) ||
         std::any_of(items_.begin(), items_.end(), [](const Item& item) { return item.kind == Kind::kRouter; });
}

/// The in-transit buffer to which the packet went from a router; null: none.
const PacketRecord::Rest* PacketWatch::rest_behind(const PacketRecord& record, std::size_t visit) {
  for (const PacketRecord::Rest& rest : record.rests) {
    const bool behind = rest.here > record.path[visit].cycle;
    if (behind && (visit + 1 == record.path.size() || rest.here <= record.path[visit + 1].cycle)) return &rest;
  }
  return nullptr;
}

/// What has come to pass of a stay in an in-transit buffer by cycle `now`.
PacketWatch::Life PacketWatch::life_of(const PacketRecord::Rest& rest, std::uint64_t now) {
  const auto at = [&](const char* what) { return fmt::format("{} node {}", what, rest.node.value); };
  Life life{{rest.here, at("detection begins in the in-transit buffer of")}};
  if (rest.known < now) life.emplace_back(rest.known, at("is known to be in transit; programming begins at"));
  if (rest.begins != rest.ready && rest.ready < now) life.emplace_back(rest.ready, at("waits for the link of"));
  if (rest.begins != 0 && rest.begins < now) life.emplace_back(rest.begins, at("begins its next leg at"));
  return life;
}

/// "routed at 1,0 from west, leaves by east": how it left is known from where it came in next.
std::string PacketWatch::visit_text(const PacketRecord& record, std::size_t visit) const {
  const PacketRecord::Visit& here = record.path[visit];
  std::string text = fmt::format("routed at {} from {}", topology_.router_names[here.router.value],
                                 topology_.port(here.router, here.in_port).name);
  if (const PacketRecord::Rest* rest = rest_behind(record, visit)) {
    text += fmt::format(", leaves for the in-transit buffer of node {}", rest->node.value);
  } else if (visit + 1 < record.path.size()) {
    const PacketRecord::Visit& next = record.path[visit + 1];
    text += ", leaves by " + topology_.port(here.router, topology_.port(next.router, next.in_port).peer_port).name;
  } else if (!record.delivered) {
    text += record.lost ? ", and is lost" : ", not at the next router when the run ended";
  }
  return text;
}

void PacketWatch::add_events(const PacketRecord& record, const Packet& packet, std::uint64_t now,
                             std::vector<Event>& events) const {
  const bool all = follows(packet);
  std::vector<std::tuple<std::uint64_t, std::string, bool>> life;  // cycle, text, is it of interest?
  life.emplace_back(packet.created,
                    fmt::format("made for node {}, {} flits", packet.destination.value, packet.length_flits), all);
  if (packet.injected != 0) life.emplace_back(packet.injected, "head on the injection link", all);
  for (std::size_t v = 0; v < record.path.size(); ++v) {
    life.emplace_back(record.path[v].cycle, visit_text(record, v), all || stands_at(record.path[v].router));
  }
  for (const PacketRecord::Rest& rest : record.rests) {
    const bool shown = all || stands_at(topology_.router_of(rest.node));
    for (const auto& [cycle, text] : life_of(rest, now)) life.emplace_back(cycle, text, shown);
  }
  if (record.left_queue) life.emplace_back(*record.left_queue, "tail out of the source queue", all);
  if (record.delivered) {
    life.emplace_back(*record.delivered,
                      fmt::format("delivered at node {}, latency {}, {} routers", packet.destination.value,
                                  *record.delivered - packet.created, packet.routers),
                      all);
  }
  if (record.lost) life.emplace_back(*record.lost, "lost: the last of it is gone", all);
  std::stable_sort(life.begin(), life.end(),
                   [](const auto& a, const auto& b) { return std::get<0>(a) < std::get<0>(b); });
  std::uint64_t before = packet.created;
  for (const auto& [cycle, text, shown] : life) {
    if (shown) events.push_back({cycle, packet.source, packet.sequence, cycle - before, text});
    before = cycle;
  }
}

bool PacketWatch::shows(const PacketRecord& record) const {
  return follows(record.packet) || std::any_of(record.path.begin(), record.path.end(),
                                               [this](const auto& visit) { return stands_at(visit.router); });
}

void PacketWatch::each_line(const PacketLog& log, const PacketStore& store, const std::string& file,
                            const std::function<void(std::string_view)>& take) const {
  SortedRuns sorted(file);
  std::vector<Event> events;
  log.each(store, [&](const PacketRecord& record, const Packet& packet) {
    if (!shows(record)) return;
    events.clear();
    add_events(record, packet, log.now(), events);
    for (const Event& e : events) {
      sorted.add({e.cycle, e.source.value, e.sequence},
                 fmt::format("{:>10}  {:>6}  {:<12}  {}", e.cycle, fmt::format("+{}", e.since),
                             fmt::format("{}.{}", e.source.value, e.sequence), e.text));
    }
  });
  take(fmt::format("{:>10}  {:>6}  {:<12}  {}", "cycle", "after", "packet", "event"));
  sorted.each([&](const SortedRuns::Key&, std::string_view line) { take(line); });
  sorted.check();
}

/// Looks at the records of the packets that are not delivered yet, after every traced cycle.
class PacketWatch::Rows final : public SignalSource {
 public:
  Rows(const PacketWatch& watch, SignalTable& table, const PacketLog& log) : watch_(watch), log_(log) {
    places_ = {"watch_place", {"not_in_the_network", "source_queue"}};
    for (const std::string& name : watch.topology_.router_names) places_.values.push_back(name);
    for (std::size_t node = 0; log.fates().rests && node < watch.topology_.node_count(); ++node) {
      for (const char* phase : kPhases) places_.values.push_back(fmt::format("node {} {}", node, phase));
    }
    for (const Item& item : watch.items_) {
      signals_.push_back(table.add_shown("watch", item.name, 32, item.kind == Kind::kPacket ? &places_ : nullptr));
      if (item.kind != Kind::kPacket) continue;
      signals_.back()->answers(kWherePacket);
      signals_.back()->kind = Signal::Kind::kPhase;
      signals_.back()->follows = packet_number(item.source.value, item.sequence);
    }
  }
  void sample(std::uint64_t cycle) override {
    cycle_ = cycle;
    under_way_.clear();
    for (const PacketLog::Page& page : log_.pages()) {
      for (const PacketRecord& record : page.records()) {
        if (!record.over()) under_way_.push_back(&record);
      }
    }
    for (std::size_t i = 0; i < signals_.size(); ++i) signals_[i]->value = value_of(watch_.items_[i]);
  }

 private:
  /// Of a stay in an in-transit buffer.
  static constexpr std::array kPhases{"detecting", "programming", "waits for the link", "sending"};

  std::uint64_t place_of(const PacketRecord& record) const {
    const std::size_t routers = watch_.topology_.router_count();
    if (record.path.empty()) return 1;
    if (record.rests.empty() || record.rests.back().here < record.path.back().cycle) {
      return record.path.back().router.value + 2;
    }
    const PacketRecord::Rest& rest = record.rests.back();
    const bool sending = rest.begins != 0 && rest.begins <= cycle_;
    const std::size_t phase = sending ? 3 : (cycle_ >= rest.known ? 1 : 0) + (cycle_ >= rest.ready ? 1 : 0);
    return 2 + routers + rest.node.value * kPhases.size() + phase;
  }
  std::uint64_t value_of(const Item& item) const {
    std::uint64_t value = 0;
    for (const PacketRecord* record : under_way_) {
      const Packet& packet = record->packet;
      const bool there = !record->path.empty();
      if (item.kind == Kind::kRouter) {
        value += there && record->path.back().router == item.router ? 1 : 0;
      } else if (packet.source == item.source && item.kind == Kind::kSource) {
        ++value;
      } else if (packet.source == item.source && packet.sequence == item.sequence) {
        value = place_of(*record);
      }
    }
    return value;
  }

  const PacketWatch& watch_;
  const PacketLog& log_;
  std::uint64_t cycle_ = 0;
  SignalValues places_;
  std::vector<Signal*> signals_;  // [item]
  std::vector<const PacketRecord*> under_way_;
};

std::unique_ptr<SignalSource> PacketWatch::signals(SignalTable& table, const PacketLog& log) const {
  return std::make_unique<Rows>(*this, table, log);
}

}  // namespace braid::models
