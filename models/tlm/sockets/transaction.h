// A transaction on its way: what its initiator's side, its target's side and the messages between them know of it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <systemc>
#include <vector>

#include "models/tlm/address_map.h"
#include "models/tlm/sockets/payload_pool.h"
#include "models/tlm/sockets/sides.h"
#include "models/tlm/wire_format.h"

namespace braid::models {

/// What a target is handed: made from the flits of the request, with data of its own.
class CarriedPayload final : public ::tlm::tlm_generic_payload {
 public:
  TransactionSlot transaction = 0;
  WireRequest request;
};

struct Transaction {
  std::uint64_t serial = 0;                        // of all transactions: a slot is used again
  ::tlm::tlm_generic_payload* original = nullptr;  // null: answered, or withdrawn
  CarriedPayload* carried = nullptr;               // null: not at its target yet, or gone from there
  std::size_t requester = 0, responder = 0;        // by number
  const AddressRange* range = nullptr;             // null: refused
  std::optional<std::uint32_t> order;              // OrderExtension
  bool stream = false, on_circuit = false;
  bool ready = false;       // its response may be handed over, in order
  bool in_network = false;  // counts among its initiator's outstanding ones
  TargetState at_target = TargetState::kAway;
  bool wants_end = false;             // its target waits for END_RESP
  unsigned sides = 0;                 // initiator, target: who is not done with it
  sc_core::sc_event* done = nullptr;  // of a blocking call that waits,
  bool* returned = nullptr;           // on its stack
};

/// Transactions by slot; addresses of elements stay.
class TransactionStore {
 public:
  TransactionSlot take() {
    if (free_.empty()) {
      free_.push_back(static_cast<TransactionSlot>(all_.size()));
      all_.emplace_back();
    }
    const TransactionSlot slot = free_.back();
    free_.pop_back();
    all_[slot] = Transaction{};
    all_[slot].serial = ++serial_;
    ++in_use_;
    return slot;
  }
  /// A side is done with it.
  void leave(TransactionSlot slot) {
    if (--all_[slot].sides > 0) return;
    --in_use_;
    all_[slot].serial = 0;
    free_.push_back(slot);
  }
  Transaction& operator[](TransactionSlot slot) { return all_[slot]; }
  const Transaction& operator[](TransactionSlot slot) const { return all_[slot]; }
  bool holds(TransactionSlot slot) const { return slot < all_.size(); }
  std::size_t in_use() const { return in_use_; }

 private:
  std::deque<Transaction> all_;
  std::vector<TransactionSlot> free_;
  std::uint64_t serial_ = 0;
  std::size_t in_use_ = 0;
};

}  // namespace braid::models
