// One record for every packet of a run (`braid run --log`, docs/packet-log.md): events only, so that an account that
// shares no code with Statistics can be made of them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/flit.h"
#include "models/fabric/packet_store.h"
#include "models/observe/sorted_runs.h"
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
  /// A stay in an in-transit buffer: cycles.
  struct Rest {
    NodeId node;               ///< at whose host
    std::uint64_t here;        ///< its mark is here
    std::uint64_t known;       ///< it is known to be in transit
    std::uint64_t ready;       ///< the host is set to send it on
    std::uint64_t begins = 0;  ///< its next leg begins; 0: it has not
  };
  Packet packet;        ///< as made; as it was at the destination once it is there
  PacketSlot slot = 0;  ///< where the packet is until then
  std::uint32_t first_of_message = 0;
  std::uint32_t message_packets = 0;  ///< 0: of no message
  std::uint32_t escapes = 0;
  std::optional<std::uint64_t> left_queue, delivered, lost;  ///< cycles
  std::vector<Visit> path;
  std::vector<Rest> rests;

  bool over() const { return delivered || lost; }
  void checkpoint(Checkpoint& c) {
    c(packet, slot, first_of_message, message_packets, escapes, left_queue, delivered, lost, path, rests);
  }
};

/// A router's line beside `++packet.routers`: notes the visit if packets are logged.
inline void log_visit(const Packet& packet, std::uint64_t cycle, RouterId router, PortId in_port) {
  if (packet.record != nullptr) packet.record->path.push_back({cycle, router, in_port});
}

inline void log_rest(const Packet& packet, const PacketRecord::Rest& rest) {
  if (packet.record != nullptr) packet.record->rests.push_back(rest);
}
/// The packet's rest goes otherwise than it seemed.
inline void log_rest_moved(const Packet& packet, std::uint64_t known, std::uint64_t ready) {
  if (packet.record == nullptr || packet.record->rests.empty()) return;
  packet.record->rests.back().known = known;
  packet.record->rests.back().ready = ready;
}
/// The packet's next leg begins in `cycle`.
inline void log_rest_ends(const Packet& packet, std::uint64_t cycle) {
  if (packet.record != nullptr && !packet.record->rests.empty()) packet.record->rests.back().begins = cycle;
}

struct LogOptions {
  std::string file;  ///< .csv or .parquet; empty: no log
  bool path = true;  ///< has it the column `path`?
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
  /// What can become of packets in the network: of that the log has columns.
  struct Fates {
    bool losses = false;  ///< a link may lose them
    bool rests = false;   ///< they rest in in-transit buffers
  };
  /// Which packets get a record; empty: all.
  using Filter = std::function<bool(const Packet&)>;
  explicit PacketLog(Fates fates, Filter wanted = {}) : fates_(fates), wanted_(std::move(wanted)) {}
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
    const std::list<PacketRecord>& records() const { return records_; }
    /// After the store: packets under way get their records back.
    void checkpoint(Checkpoint& c, PacketStore& store);

   private:
    friend class PacketLog;
    const Filter* wanted_;
    std::list<PacketRecord> records_;  // a record keeps its address
  };
  Page& page(std::size_t slice) {
    while (pages_.size() <= slice) pages_.emplace_back(wanted_);
    return pages_[slice];
  }
  /// All records; once they stream, those of packets under way, and of some that are not any more.
  const std::deque<Page>& pages() const { return pages_; }
  void checkpoint(Checkpoint& c, PacketStore& store);

  /// From now on records of packets that are over leave memory, those that are `kept` for a file beside `file`, which
  /// messages name.
  using Kept = std::function<bool(const PacketRecord&)>;
  void stream(const std::string& file, Kept kept);
  /// Between two cycles, when no slice writes.
  void end_cycle(std::uint64_t cycle) {
    now_ = cycle + 1;
    make_room();
  }
  /// Cycles that have run.
  std::uint64_t now() const { return now_; }
  const Fates& fates() const { return fates_; }
  /// Moves records out of memory once they are many.
  void make_room() {
    if (runs_ && records_held() >= next_move_) move_out();
  }
  /// Throws std::runtime_error if records could not be kept.
  void check() const {
    if (runs_) runs_->check();
  }
  /// All records with their packets, by cycle of creation, source and sequence: the same under every schedule. `store`
  /// has the packets that are still under way. Throws std::runtime_error if records could not be kept.
  void each(const PacketStore& store, const std::function<void(const PacketRecord&, const Packet&)>& take) const;

  /// A line a packet, in that order, so many at a time. `kind_of` names kinds.
  struct Columns {
    std::vector<std::string> kind;
    std::optional<std::vector<std::string>> path;   ///< only if asked for
    std::optional<std::vector<std::string>> rests;  ///< only where packets rest
    struct Number {
      const char* name;
      std::vector<std::optional<std::uint64_t>> values;
    };
    std::vector<Number> numbers;  ///< in the order of docs/packet-log.md, `kind` before them, `path` and `rests` after
  };
  using TakeColumns = std::function<void(const Columns&)>;
  using KindOf = std::function<std::string(const Packet&)>;
  void columns(const routing::Topology& topology, const PacketStore& store, const KindOf& kind_of,
               const TakeColumns& take, bool path = true) const;

 private:
  static constexpr std::size_t kLeastToMove = 4096;
  std::size_t records_held() const;
  void move_out();
  Columns no_lines(bool path) const;

  const Fates fates_;
  std::uint64_t now_ = 0;
  Filter wanted_;
  std::deque<Page> pages_;
  std::unique_ptr<SortedRuns> runs_;  // null: all stay in memory
  Kept kept_;
  std::size_t next_move_ = kLeastToMove;  // records in memory
};

/// Writes a .csv or .parquet file of what `lines` hands on, whole or not at all. Throws std::runtime_error if it
/// cannot.
void write_packet_log(const std::string& file, const std::function<void(const PacketLog::TakeColumns&)>& lines);
/// Claims the file. Throws InputError unless the name ends in .csv or .parquet and can be written.
void check_packet_log_name(const std::string& file);

}  // namespace braid::models
