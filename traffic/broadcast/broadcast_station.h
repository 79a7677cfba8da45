// What one position knows of the broadcasts under way, and what it does when something comes: the protocol without time
// and without a network. Software (models/workload) and tests drive it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "routing/base/checkpoint.h"
#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::traffic {

/// A message that no broadcast can bring: heard twice, or late, or from a stranger. what() names both positions.
class BroadcastError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class BroadcastStation {
 public:
  struct Step {
    enum class Kind : std::uint8_t {
      kTell,      ///< a message to `other`
      kTellAll,   ///< one packet to all whom the position tells at once
      kHandle,    ///< the event; then handled()
      kAgain,     ///< take up the message from `other` that was put aside: hear_again()
      kComplete,  ///< at the root: everybody has acknowledged
      kDone,      ///< nothing is left to do for it here
    };
    Kind kind;
    std::uint32_t broadcast;
    std::uint32_t other = 0;  ///< a position
  };
  using Steps = std::vector<Step>;  ///< in this order

  /// `part` outlives the station. `sequenced`: what comes of a broadcast is put aside until all of lower numbers have
  /// been handled here (sequenced diamond rings, section 4.1); else broadcasts begin as they come.
  /// `begins_itself`: not with the first message but when begin() is called, as the root does; messages may come
  /// before.
  BroadcastStation(std::uint32_t position, const BroadcastPart& part, bool sequenced, bool begins_itself = false)
      : position_(position), part_(part), sequenced_(sequenced), begins_itself_(begins_itself) {}

  /// At the root, and where a station begins itself. Numbers count up from 0.
  Steps begin(std::uint32_t broadcast);
  /// A message has come. Throws BroadcastError.
  Steps hear(std::uint32_t broadcast, std::uint32_t from);
  /// One that was put aside; as kAgain said.
  Steps hear_again(std::uint32_t broadcast, std::uint32_t from);
  /// The event of a broadcast has been handled here.
  Steps handled(std::uint32_t broadcast);
  /// At the root: waits no longer for the acknowledgements of a broadcast. They are late from now on.
  void give_up(std::uint32_t broadcast) { close(broadcast); }

  std::uint32_t position() const { return position_; }
  /// A message of it begins nothing new here.
  bool has_begun(std::uint32_t broadcast) const { return done(broadcast) || open_.count(broadcast) != 0; }
  /// Broadcasts that have begun here and are not done.
  std::size_t under_way() const { return open_.size(); }
  struct Progress {
    bool begun = false, done = false;
    std::vector<std::uint32_t> heard;  ///< from whom, as they came
  };
  Progress progress(std::uint32_t broadcast) const;
  void checkpoint(Checkpoint& c) { c(open_, next_, kept_, all_done_below_, done_); }

 private:
  struct Open {
    std::vector<std::uint32_t> heard;  // from whom
    bool handled = false;
  };
  struct Kept {
    std::uint32_t broadcast, from;
  };
  void check(std::uint32_t broadcast, std::uint32_t from, const Open* open) const;
  bool done(std::uint32_t broadcast) const { return broadcast < all_done_below_ || done_.count(broadcast) != 0; }
  void start(std::uint32_t broadcast, Steps& steps);
  void finish_if_complete(std::uint32_t broadcast, Steps& steps);
  void close(std::uint32_t broadcast);

  std::uint32_t position_;
  const BroadcastPart& part_;
  bool sequenced_, begins_itself_;
  std::map<std::uint32_t, Open> open_;
  std::uint32_t next_ = 0;            // sequenced: all below have been handled
  std::vector<Kept> kept_;            // put aside, as they came
  std::uint32_t all_done_below_ = 0;  // ...
  std::set<std::uint32_t> done_;      // ... and these
};

}  // namespace braid::traffic
