// A trace for a network, held to what allows to replay it in bounded memory: ids grow from packet to packet, cycles
// never fall, and a packet comes after such only as stand in the file among the `window` before it. So none can wait
// for itself, nor several for one another in a circle, and an id stands for one packet.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "traffic/replay/trace.h"

namespace braid::traffic {

struct TraceUse {
  std::string file;
  std::uint64_t nodes = 0;   ///< of the network
  std::uint64_t window = 1;  ///< packets
  bool by_time = false;      ///< every packet needs a cycle
};

class OrderedTrace {
 public:
  struct Next {
    TraceRecord record;
    std::uint64_t position = 0;        ///< in the file, from 0
    std::vector<std::uint64_t> after;  ///< positions
    bool local = false;                ///< all that it comes after arrive at the node that sends it
  };
  /// Throws InputError.
  explicit OrderedTrace(const TraceUse& use);
  const TraceHeader& header() const { return reader_->header(); }
  /// False at the end. Throws InputError.
  bool next(Next& next);
  std::uint64_t packets() const { return packets_; }
  std::uint64_t bytes_read() const { return reader_->bytes_read(); }
  /// Of the packet read last.
  [[noreturn]] void refuse(const std::string& what) const { reader_->refuse(what); }

 private:
  struct Seen {
    std::uint64_t id = 0;
    std::uint32_t destination = 0;
  };
  void check_order(const TraceRecord& record);
  std::uint64_t position_of(std::uint64_t id, const TraceRecord& record) const;
  const Seen& seen(std::uint64_t position) const { return seen_[position % seen_.size()]; }

  const TraceUse use_;
  std::unique_ptr<TraceReader> reader_;
  std::vector<Seen> seen_;  // the last of the file, by position modulo their number
  std::uint64_t packets_ = 0, last_cycle_ = 0;
};

}  // namespace braid::traffic
