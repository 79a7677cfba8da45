// The two sides of an interconnect: what waits for an initiator and for a target, in every coding style.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "models/tlm/sockets/faces.h"

namespace braid::models {

/// A transaction on its way, by its place in the interconnect's store.
using TransactionSlot = std::uint32_t;

/// An initiator's side.
struct Requester {
  InitiatorFace face;
  std::deque<TransactionSlot> waiting = {};  ///< for one of `tlm.outstanding` to end
  std::uint32_t outstanding = 0;
  std::deque<TransactionSlot> responses = {};                         ///< to be handed over
  std::optional<TransactionSlot> responding = {};                     ///< between BEGIN_RESP and END_RESP
  std::map<std::uint32_t, std::deque<TransactionSlot>> ordered = {};  ///< by OrderExtension, as they were asked

  /// Those of an id that are next in their order and ready(slot) may be handed over.
  template <class Ready>
  void line_up(std::uint32_t id, Ready ready) {
    std::deque<TransactionSlot>& mine = ordered[id];
    while (!mine.empty() && ready(mine.front())) {
      responses.push_back(mine.front());
      mine.pop_front();
    }
    if (mine.empty()) ordered.erase(id);
  }
  /// ... of all ids: where one that others waited for is gone.
  template <class Ready>
  void line_up_all(Ready ready) {
    std::vector<std::uint32_t> ids;
    for (const auto& [id, slots] : ordered) ids.push_back(id);
    for (const std::uint32_t id : ids) line_up(id, ready);
  }
  /// Nobody waits for the transaction any more; false: it waited in no queue for its request to be sent.
  bool forget(TransactionSlot slot, const std::optional<std::uint32_t>& order) {
    if (order) erase(ordered[*order], slot);
    erase(responses, slot);
    return erase(waiting, slot);
  }

 private:
  static bool erase(std::deque<TransactionSlot>& queue, TransactionSlot slot) {
    const auto found = std::find(queue.begin(), queue.end(), slot);
    if (found == queue.end()) return false;
    queue.erase(found);
    return true;
  }
};

/// How far a target is with a request.
enum class TargetState : std::uint8_t { kAway, kRequested, kRequestEnded, kResponded };

/// A target's side.
struct Responder {
  TargetFace face;
  std::deque<TransactionSlot> requests = {};
  std::optional<TransactionSlot> requesting = {};  ///< between BEGIN_REQ and END_REQ
};

}  // namespace braid::models
