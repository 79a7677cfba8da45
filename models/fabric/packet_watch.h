// Packets that a user follows (`braid run --watch`, docs/packet-log.md): their events in order, made of the packet
// log's records when the run has ended, and a row each in the waveform.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/fabric/packet_log.h"
#include "models/fabric/packet_store.h"
#include "models/observe/signals.h"
#include "routing/base/ids.h"
#include "routing/topology/topology.h"

namespace braid::models {

class PacketWatch {
 public:
  /// `what`: as WatchOptions::what. Throws InputError for another word, a node or router that is not there.
  PacketWatch(const routing::Topology& topology, const std::string& what);

  /// Does a packet that has just been made need a record? For a router every one does: it may come there.
  bool wants(const Packet& packet) const;

  /// A line an event, by cycle, then by the packet's source and sequence, then as they happened: the same under every
  /// schedule. `store` has the packets that are still under way.
  /// `file`: where they go, as SortedRuns is told.
  void each_line(const PacketLog& log, const PacketStore& store, const std::string& file,
                 const std::function<void(std::string_view)>& take) const;
  /// Does anything of what the packet did have a line?
  bool shows(const PacketRecord& record) const;

  /// A row for each thing watched: of a packet where its head is (in an in-transit buffer also why it waits), of a
  /// source its packets under way, of a router the packets whose head was routed there last.
  std::unique_ptr<SignalSource> signals(SignalTable& table, const PacketLog& log) const;

 private:
  enum class Kind : std::uint8_t { kPacket, kSource, kRouter };
  struct Item {
    Kind kind;
    std::string name;  // of its row
    NodeId source;
    std::uint32_t sequence = 0;
    RouterId router;
  };
  class Rows;
  struct Event;
  Item read(const std::string& word) const;
  std::uint64_t number(const std::string& word, const std::string& digits, std::uint64_t most) const;
  bool follows(const Packet& packet) const;
  bool stands_at(RouterId router) const;
  using Life = std::vector<std::pair<std::uint64_t, std::string>>;  // cycle, what happened
  static const PacketRecord::Rest* rest_behind(const PacketRecord& record, std::size_t visit);
  static Life life_of(const PacketRecord::Rest& rest, std::uint64_t now);
  void add_events(const PacketRecord& record, const Packet& packet, std::uint64_t now,
                  std::vector<Event>& events) const;
  std::string visit_text(const PacketRecord& record, std::size_t visit) const;

  const routing::Topology& topology_;
  std::vector<Item> items_;
};

}  // namespace braid::models
