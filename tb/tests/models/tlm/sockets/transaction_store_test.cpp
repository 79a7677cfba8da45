// Transactions by slot, and what an initiator's side knows of them: who waits, who may be answered, in which order.
#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <set>
#include <utility>

#include "models/tlm/sockets/sides.h"
#include "models/tlm/sockets/transaction.h"

namespace braid::test::transaction_store_test {
namespace {

using models::Requester;
using models::Responder;
using models::TargetState;
using models::Transaction;
using models::TransactionSlot;
using models::TransactionStore;
using Slots = std::deque<TransactionSlot>;

void expect_new(const Transaction& t) {
  EXPECT_EQ(t.original, nullptr);
  EXPECT_EQ(t.carried, nullptr);
  EXPECT_EQ(t.requester, 0U);
  EXPECT_EQ(t.responder, 0U);
  EXPECT_EQ(t.range, nullptr);
  EXPECT_FALSE(t.order.has_value());
  EXPECT_FALSE(t.stream || t.on_circuit || t.ready || t.in_network);
  EXPECT_EQ(t.at_target, TargetState::kAway);
  EXPECT_EQ(t.sides, 0U);
  EXPECT_EQ(t.done, nullptr);
  EXPECT_EQ(t.returned, nullptr);
}

/// A slot is free when both sides have left it; the next transaction there has a number of its own and nothing of the
/// one before.
TEST(TransactionStore, GivesASlotAgainWhenBothSidesHaveLeftIt) {
  TransactionStore store;
  EXPECT_EQ(store.in_use(), 0U);
  EXPECT_FALSE(store.holds(0));
  const TransactionSlot first = store.take(), second = store.take();
  EXPECT_NE(first, second);
  EXPECT_EQ(store.in_use(), 2U);
  EXPECT_TRUE(store.holds(0) && store.holds(1));
  EXPECT_FALSE(store.holds(2));
  expect_new(store[first]);
  EXPECT_EQ(store[first].serial, 1U);
  EXPECT_EQ(store[second].serial, 2U);

  Transaction& t = store[first];
  models::AddressRange range;
  tlm::tlm_generic_payload payload;
  models::CarriedPayload carried;
  EXPECT_EQ(carried.transaction, 0U);
  sc_core::sc_event done;
  bool returned = false;
  t.original = &payload, t.carried = &carried, t.range = &range, t.done = &done, t.returned = &returned;
  t.requester = 3, t.responder = 4, t.order = 5, t.sides = 2;
  t.stream = t.on_circuit = t.ready = t.in_network = true;
  t.at_target = TargetState::kResponded;
  store.leave(first);
  EXPECT_EQ(store.in_use(), 2U) << "the other side is not done with it";
  EXPECT_EQ(t.serial, 1U);
  EXPECT_EQ(t.sides, 1U);
  const TransactionSlot third = store.take();
  EXPECT_NE(third, first);
  store.leave(first);
  EXPECT_EQ(store.in_use(), 2U);
  EXPECT_EQ(t.serial, 0U) << "no action that was filed for it is of this transaction";
  EXPECT_EQ(store.take(), first);
  EXPECT_EQ(t.serial, 4U);
  expect_new(t);
  EXPECT_FALSE(store.holds(3)) << "three were under way at most";
}

/// However many are under way, whoever has one by its address keeps it.
TEST(TransactionStore, LeavesTransactionsWhereTheyAre) {
  TransactionStore store;
  std::set<TransactionSlot> slots;
  const Transaction* const first = &store[store.take()];
  for (int i = 1; i < 1000; ++i) slots.insert(store.take());
  EXPECT_EQ(slots.size(), 999U);
  EXPECT_EQ(&std::as_const(store)[0], first);
  EXPECT_EQ(store.in_use(), 1000U);
}

/// Of an id the first ones that are ready go; one behind another that is not ready waits.
TEST(Requester, LinesUpWhatIsReadyInTheOrderOfItsId) {
  Requester r{};
  EXPECT_EQ(r.outstanding, 0U);
  EXPECT_TRUE(r.waiting.empty() && r.responses.empty() && !r.responding && r.ordered.empty());
  r.ordered[7] = {1, 2, 3};
  r.ordered[9] = {4, 5};
  std::set<TransactionSlot> ready{2, 3, 5};
  const auto is_ready = [&](TransactionSlot slot) { return ready.count(slot) > 0; };
  r.line_up(7, is_ready);
  r.line_up_all(is_ready);
  EXPECT_EQ(r.responses, Slots{}) << "the first of neither id is ready";
  ready.insert(1);
  ready.erase(3);
  r.line_up(7, is_ready);
  EXPECT_EQ(r.responses, (Slots{1, 2}));
  EXPECT_EQ(r.ordered[7], Slots{3});
  ready = {3, 4};
  r.line_up_all(is_ready);
  EXPECT_EQ(r.responses, (Slots{1, 2, 3, 4}));
  EXPECT_EQ(r.ordered.count(7), 0U) << "nothing is left of it";
  EXPECT_EQ(r.ordered[9], Slots{5});
}

/// Wherever it stands; whether it was still to be sent.
TEST(Requester, ForgetsATransactionWhereverItStands) {
  Requester r{};
  r.waiting = {1, 2, 3};
  r.responses = {4, 5, 6};
  r.ordered[7] = {8, 2, 9};
  EXPECT_TRUE(r.forget(2, 7));
  EXPECT_EQ(r.waiting, (Slots{1, 3}));
  EXPECT_EQ(r.ordered[7], (Slots{8, 9}));
  EXPECT_FALSE(r.forget(5, std::nullopt)) << "it has been sent";
  EXPECT_EQ(r.responses, (Slots{4, 6}));
  EXPECT_FALSE(r.forget(10, std::nullopt)) << "it stands nowhere";
  EXPECT_EQ(r.waiting.size() + r.responses.size() + r.ordered[7].size(), 6U);
}

TEST(Responder, HasNothingAtFirst) {
  const Responder r{};
  EXPECT_EQ(r.face.calls, nullptr);
  EXPECT_EQ(r.face.socket, nullptr);
  EXPECT_TRUE(r.requests.empty());
  EXPECT_FALSE(r.requesting.has_value());
}

}  // namespace
}  // namespace braid::test::transaction_store_test
