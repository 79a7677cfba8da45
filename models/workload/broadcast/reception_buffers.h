// Separate reception buffers for messages from different nodes (paper: diamond-rings, sections 3 and 3.2), bounded: a
// node has one for each node that tells it, of so many messages. The sender counts the room that it has at each
// receiver; a message without room waits at the sender until the receiver's processor has taken one out of the buffer
// and says so by a packet.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "routing/base/checkpoint.h"
#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::models {

class ReceptionBuffers {
 public:
  /// `messages`: of a buffer, those under way to it included; 0: any number.
  ReceptionBuffers(const std::vector<traffic::BroadcastPart>& parts, std::uint32_t messages);

  bool bounded() const { return messages_ > 0; }
  /// A position has a message for another: does it go now? Else it waits.
  bool send(std::uint32_t from, std::uint32_t to, std::uint32_t broadcast);
  /// `to` has room for one more of `from`: the message that waited longest, which goes now.
  std::optional<std::uint32_t> room(std::uint32_t from, std::uint32_t to);
  /// Does a position ever tell the other?
  bool leads(std::uint32_t from, std::uint32_t to) const;
  /// Messages of a position wait.
  bool any_waits(std::uint32_t from) const;
  void checkpoint(Checkpoint& c);

 private:
  struct Way {
    std::uint32_t to, room;
    std::deque<std::uint32_t> waiting;  // broadcasts
    void checkpoint(Checkpoint& c) { c(room, waiting); }
  };
  Way& way(std::uint32_t from, std::uint32_t to);

  std::uint32_t messages_;
  std::vector<std::vector<Way>> ways_;  // [position]; empty where nothing is bounded
};

}  // namespace braid::models
