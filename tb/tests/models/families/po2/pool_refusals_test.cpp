// Why a PO2 router's pool takes no packet, told from registers that are written by hand (docs/po2.md): the router's own
// rules are in po2_refusals_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "models/families/po2/refusals.h"
#include "models/families/po2/slice.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::pool_refusals_test {
namespace {

using models::kNoMessage;
using models::po2::Buffer;
using models::po2::kRegular;
using models::po2::Port;
using models::po2::Refusal;
using models::po2::Router;

/// Two routers whose registers are there to be written; pools of three buffers.
struct Pool {
  Bench bench;
  models::po2::Refusals refusals{po2_fabric(bench)};

  explicit Pool(const char* key = "po2.buffers", std::int64_t value = 3) : bench(experiment(key, value)) {
    refusals.watch(0);
    refusals.watch(1);
  }
  static models::Experiment experiment(const char* key, std::int64_t value) {
    models::Experiment e = small_po2(2, 1);
    e.set("po2.buffers", 3);
    e.set(key, value);
    return e;
  }
  Router& router(std::uint32_t r) { return models::po2::of(bench.network->fabric()).slice(0).router(r); }
  Refusal why(std::uint32_t r, models::po2::PoolClass pool_class = kRegular, std::uint32_t message = 7) const {
    return refusals.why(r, pool_class, message).refusal;
  }
  Refusal noted(std::uint32_t r) {
    refusals.note();
    return why(r);
  }
};

TEST(PoolRefusals, AreOfAPoolWithoutAFreeBufferOnceThatIsNoted) {
  Pool pool;
  EXPECT_EQ(pool.why(0), Refusal::kNone) << "before anything is noted";
  for (const std::uint8_t used : {0, 1, 2, 3}) {
    pool.router(0).use = {used, 0, 0};
    EXPECT_EQ(pool.why(0), Refusal::kNone) << "as it was";
    EXPECT_EQ(pool.noted(0), used == 3 ? Refusal::kNoBuffer : Refusal::kNone) << int{used};
    EXPECT_EQ(pool.why(1), Refusal::kNone) << "the other router's is its own";
  }
  pool.router(0).use = {2, 0, 0};
  EXPECT_EQ(pool.noted(0), Refusal::kNone) << "what was noted before is forgotten";
}

/// Of escapes only: nobody else keeps a buffer that is free from a packet.
TEST(PoolRefusals, OfAnEscapeWithAFreeBufferSayThatItIsKept) {
  Pool pool;
  pool.refusals.note();
  EXPECT_EQ(pool.why(0, 1), Refusal::kKept);
  EXPECT_EQ(pool.why(0, 2), Refusal::kKept);
  EXPECT_EQ(pool.why(0, kRegular), Refusal::kNone);
  pool.router(0).use = {3, 0, 0};
  pool.refusals.note();
  EXPECT_EQ(pool.why(0, 2), Refusal::kNoBuffer);
}

/// A port that receives is one of the crossbar's; one that sends or is rejected is none.
TEST(PoolRefusals, AreOfACrossbarWhoseWaysInAreTaken) {
  for (const std::uint32_t most : {0U, 1U, 2U}) {
    Pool pool("po2.crossbar_in_ports", most);
    ASSERT_GE(pool.router(0).ports.size(), 2U);
    for (const std::size_t receiving : {0U, 1U, 2U}) {
      for (const Port::Use other : {Port::Use::kIdle, Port::Use::kSending, Port::Use::kRejected}) {
        for (std::size_t p = 0; p < pool.router(0).ports.size(); ++p) {
          pool.router(0).ports[p].use = p < receiving ? Port::Use::kReceiving : other;
        }
        EXPECT_EQ(pool.noted(0), most != 0 && receiving >= most ? Refusal::kNoBuffer : Refusal::kNone)
            << receiving << " of " << most;
      }
    }
  }
}

/// Packet 1.0 is in a pool as one of message 7: while it comes in or waits there no other one of that message may.
TEST(PoolRefusals, NameAPacketOfTheMessageThatHasNotBegunToLeave) {
  for (const bool rejects : {true, false}) {
    models::Experiment e = small_po2(2, 1);
    e.set("po2.buffers", 3);
    e.set("po2.reject_same_message", rejects);
    Bench bench(e);
    bench.network->send_packet(NodeId{1}, NodeId{0}, 4);
    bench.run(1);
    models::po2::Slice& slice = models::po2::of(bench.network->fabric()).slice(0);
    const models::PacketSlot slot = slice.router(1).buffers[0].packet;
    models::po2::Refusals refusals(po2_fabric(bench));
    refusals.watch(0);
    for (const std::size_t b : {0U, 2U}) {
      Buffer& buffer = slice.router(0).buffers[b];
      for (const Buffer::State state :
           {Buffer::State::kFree, Buffer::State::kArriving, Buffer::State::kWaiting, Buffer::State::kLeaving}) {
        buffer.state = state;
        buffer.packet = slot;
        const bool stays = state == Buffer::State::kArriving || state == Buffer::State::kWaiting;
        for (const std::uint32_t message : {7U, 8U, 0U, kNoMessage}) {
          buffer.message = message;
          refusals.note();
          const auto answer = refusals.why(0, kRegular, 7);
          const bool refused = rejects && stays && message == 7;
          EXPECT_EQ(answer.refusal, refused ? Refusal::kSameMessage : Refusal::kNone) << message;
          EXPECT_EQ(answer.holder, refused ? models::packet_number(1, 0) : 0U) << message;
          EXPECT_EQ(refusals.why(0, kRegular, kNoMessage).refusal, Refusal::kNone) << "packets of no message";
          EXPECT_EQ(refusals.why(0, 1, 7).refusal, Refusal::kKept) << "escapes do not wait for their message";
        }
      }
      buffer = {};
    }
    slice.router(0).buffers[1].state = Buffer::State::kWaiting;
    slice.router(0).buffers[1].packet = slot;
    slice.router(0).buffers[1].message = 7;
    slice.router(0).use = {3, 0, 0};
    refusals.note();
    EXPECT_EQ(refusals.why(0, kRegular, 7).refusal, Refusal::kNoBuffer) << "is said first";
    EXPECT_EQ(refusals.why(0, kRegular, 7).holder, 0U);
  }
}

}  // namespace
}  // namespace braid::test::pool_refusals_test
