// One record for every packet of a run (`braid run --log`, docs/packet-log.md): events only, so that an account that
// shares no code with Statistics can be made of them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/flit.h"
#include "models/fabric/packet_store.h"
#include "routing/base/options.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// A packet's life. Written by the slice that has the packet in a cycle, as the packet itself is.
struct PacketRecord {
  struct Visit {
    std::uint64_t cycle;  ///< in which the head was routed there
    RouterId router;
    PortId in_port;
  };
  Packet packet;        ///< as made; as it was at the destination once it is there
  PacketSlot slot = 0;  ///< where the packet is until then
  std::uint32_t first_of_message = 0;
  std::uint32_t message_packets = 0;  ///< 0: of no message
  std::uint32_t escapes = 0;
  std::optional<std::uint64_t> left_queue, delivered, lost;  ///< cycles
  std::vector<Visit> path;

  bool over() const { return delivered || lost; }
  void checkpoint(Checkpoint& c) {
    c(packet, slot, first_of_message, message_packets, escapes, left_queue, delivered, lost, path);
  }
};

/// A router's line beside `++packet.routers`: notes the visit if packets are logged.
inline void log_visit(const Packet& packet, std::uint64_t cycle, RouterId router, PortId in_port) {
  if (packet.record != nullptr) packet.record->path.push_back({cycle, router, in_port});
}

struct LogOptions {
  std::string file;  ///< .csv or .parquet; empty: no log
};
const OptionTable<LogOptions>& log_options();

/// What `braid run --watch` follows.
struct WatchOptions {
  std::string what;  ///< "packet=SOURCE.SEQUENCE", "source=NODE", "router=NAME", with blanks between; empty: nothing
  std::string file = "-";  ///< "-": standard output
};
const OptionTable<WatchOptions>& watch_options();

/// Do packets of such a network have records?
bool packets_are_recorded(const Configuration& configuration);

class PacketLog {
 public:
  /// Which packets get a record; empty: all. `losses`: can packets be lost? Then the log says of each whether it was.
  using Filter = std::function<bool(const Packet&)>;
  explicit PacketLog(bool losses, Filter wanted = {}) : losses_(losses), wanted_(std::move(wanted)) {}
  PacketLog(const PacketLog&) = delete;
  PacketLog& operator=(const PacketLog&) = delete;

  /// The records of the packets that one slice's nodes make.
  class Page {
   public:
    explicit Page(const Filter& wanted) : wanted_(&wanted) {}
    /// Links the packet in `slot` to a new record.
    void open(Packet& packet, PacketSlot slot) {
      if (*wanted_ && !(*wanted_)(packet)) return;
      records_.emplace_back();
      records_.back().packet = packet;
      records_.back().slot = slot;
      packet.record = &records_.back();
    }
    const std::deque<PacketRecord>& records() const { return records_; }
    /// After the store: packets under way get their records back.
    void checkpoint(Checkpoint& c, PacketStore& store);

   private:
    const Filter* wanted_;
    std::deque<PacketRecord> records_;  // a record keeps its address
  };
  Page& page(std::size_t slice) {
    while (pages_.size() <= slice) pages_.emplace_back(wanted_);
    return pages_[slice];
  }
  const std::deque<Page>& pages() const { return pages_; }
  void checkpoint(Checkpoint& c, PacketStore& store) {
    for (Page& page : pages_) page.checkpoint(c, store);
  }

  /// A line a packet, by time of creation. `store` has the packets that are still under way; `kind_of` names kinds.
  struct Columns {
    std::vector<std::string> kind, path;
    struct Number {
      const char* name;
      std::vector<std::optional<std::uint64_t>> values;
    };
    std::vector<Number> numbers;  ///< in the order of docs/packet-log.md, `kind` before them, `path` after
  };
  Columns columns(const routing::Topology& topology, const PacketStore& store,
                  const std::function<std::string(const Packet&)>& kind_of) const;

 private:
  bool losses_;
  Filter wanted_;
  std::deque<Page> pages_;
};

/// Writes a .csv or .parquet file, whole or not at all. Throws std::runtime_error if it cannot.
void write_packet_log(const std::string& file, const PacketLog::Columns& columns);
/// Claims the file. Throws InputError unless the name ends in .csv or .parquet and can be written.
void check_packet_log_name(const std::string& file);

}  // namespace braid::models
