// Speculative switch allocation (router.speculative): by hand on one router, against a reference that looks at every
// head and every port, to the cycle on an idle mesh, and in whole networks.
#include "models/families/hybrid/speculation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "routing/base/random.h"
#include "tb/tests/support/lone_packet.h"
#include "tb/tests/support/one_router.h"
#include "tb/tests/support/refusal.h"

namespace braid::test::speculation_test {
namespace {

using namespace models;
using namespace models::hybrid;
using namespace one_router;
using Cells = std::vector<std::array<std::uint32_t, 3>>;  // input port, lane, output port

/// A router whose heads speculate. Output VCs have a credit each.
struct Speculating : Router {
  explicit Speculating(std::uint32_t vcs = 2) : Router(vcs), speculation(*bank, range) {
    for (std::uint32_t p = 0; p < 5; ++p) {
      for (std::uint32_t v = 0; v < vcs; ++v) bank->output_vcs[vc(p, v)].credits = 1;
    }
  }
  /// What heads win, as "PORT.LANE ": `heads` wait, those of `with_vc` get the VC of their lane, `flits` have the
  /// switch.
  std::string won(const Cells& heads, const Cells& with_vc, const Cells& flits = {}) {
    WorkList<VcIndex> waiting, grants;
    WorkList<VcGrant> vcs;
    waiting.reserve(heads.size());
    grants.reserve(flits.size());
    vcs.reserve(with_vc.size());
    for (const auto& [in, lane, out] : heads) {
      wait(vc(in, lane), {{PortId{out}, 0, VcMask{3}}});
      waiting.push(vc(in, lane));
    }
    for (const auto& [in, lane, out] : with_vc) vcs.push({vc(in, lane), vc(out, lane)});
    for (const auto& [in, lane, out] : flits) {
      bank->input_vcs[vc(in, lane)].out_vc = vc(out, lane);
      grants.push(vc(in, lane));
    }
    speculation.allocate(waiting, grants, vcs);
    std::string text;
    std::vector<VcIndex> winners(speculation.grants().begin(), speculation.grants().end());
    std::sort(winners.begin(), winners.end());
    for (const VcIndex v : winners) {
      text += std::to_string(bank->port_of(bank->port_of_vc(v))) + "." + std::to_string(bank->lane_of(v)) + " ";
    }
    speculation.grants().clear();
    return text;
  }
  Speculation speculation;
};

TEST(Speculation, WinsPortsThatNobodyElseTakes) {
  Speculating router;
  EXPECT_EQ(router.won({{0, 0, 1}, {2, 1, 3}}, {{0, 0, 1}, {2, 1, 3}}), "0.0 2.1 ");
}

TEST(Speculation, LosesToFlitsThatHaveTheirVc) {
  Speculating router;
  const Cells head{{0, 0, 1}};
  EXPECT_EQ(router.won(head, head, {{2, 0, 1}}), "") << "the output port";
  EXPECT_EQ(router.won(head, head, {{0, 1, 3}}), "") << "the input port";
  EXPECT_EQ(router.won(head, head, {{2, 0, 3}}), "0.0 ");
}

TEST(Speculation, IsOfNoUseWithoutAVcOfThatPortAndACredit) {
  Speculating router;
  const Cells head{{0, 0, 1}};
  EXPECT_EQ(router.won(head, {}), "");
  EXPECT_EQ(router.won(head, {{0, 0, 3}}), "") << "VA took another way";
  router.bank->output_vcs[router.vc(1, 0)].credits = 0;
  EXPECT_EQ(router.won(head, head), "");
}

/// Lane 0 is asked first and gets no VC: lane 1, which does, is not offered. Nor does a turn move.
TEST(Speculation, IsBlind) {
  Speculating router;
  const Cells heads{{0, 0, 1}, {0, 1, 3}};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(router.won(heads, {{0, 1, 3}}), "");
  EXPECT_EQ(router.won(heads, heads), "0.0 ");
  EXPECT_EQ(router.won(heads, heads), "0.1 ") << "now it is lane 1's turn";
  const Cells inputs{{0, 0, 1}, {2, 0, 1}};
  EXPECT_EQ(router.won(inputs, {{2, 0, 1}}), "2.0 ") << "input 0 has had its turn at the output port";
  EXPECT_EQ(router.won(inputs, {{2, 0, 1}}), "") << "input 0 is first again, and has no VC";
}

/// All heads and ports one by one, with turns as plain numbers: what this file says, in another way.
class Reference {
 public:
  explicit Reference(std::uint32_t vcs) : vcs_(vcs) {}
  std::string won(const Cells& heads, const Cells& with_vc, const Cells& flits) {
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> offer;  // [input] lane, output
    for (std::uint32_t in = 0; in < 5; ++in) {
      for (std::uint32_t turn = 0; turn < 16 && offer.count(in) == 0; ++turn) {
        for (const auto& [i, lane, out] : heads) {
          if (i == in && lane == (input_turn_[in] + turn) % round(vcs_)) offer[in] = {lane, out};
        }
      }
    }
    std::string text;
    std::map<std::uint32_t, std::uint32_t> winner;  // [output] input
    for (std::uint32_t out = 0; out < 5; ++out) {
      for (std::uint32_t turn = 0; turn < 8 && winner.count(out) == 0; ++turn) {
        const std::uint32_t in = (output_turn_[out] + turn) % 8;
        if (offer.count(in) != 0 && offer[in].second == out) winner[out] = in;
      }
    }
    std::map<std::uint32_t, std::string> said;
    for (const auto& [out, in] : winner) {
      bool good = false;
      for (const auto& [i, lane, o] : with_vc) good |= i == in && lane == offer[in].first && o == out;
      for (const auto& [i, lane, o] : flits) good &= i != in && o != out;
      if (!good) continue;
      said[in] = std::to_string(in) + "." + std::to_string(offer[in].first) + " ";
      input_turn_[in] = (offer[in].first + 1) % round(vcs_);
      output_turn_[out] = (in + 1) % 8;
    }
    for (const auto& [in, words] : said) text += words;
    return text;
  }

 private:
  static std::uint32_t round(std::uint32_t n) {
    std::uint32_t up = 1;
    while (up < n) up *= 2;
    return up;
  }
  std::uint32_t vcs_;
  std::map<std::uint32_t, std::uint32_t> input_turn_, output_turn_;
};

TEST(Speculation, ChoosesAsTheReferenceDoes) {
  Random random(3, "speculation");
  for (const std::uint32_t vcs : {1U, 2U, 3U, 4U}) {
    Speculating router(vcs);
    Reference reference(vcs);
    int won = 0;
    for (int cycle = 0; cycle < 4000; ++cycle) {
      Cells heads, with_vc, flits;
      for (std::uint32_t in = 0; in < 5; ++in) {
        bool switched = false;
        for (std::uint32_t lane = 0; lane < vcs; ++lane) {
          const auto out = static_cast<std::uint32_t>(random() % 5);
          const auto kind = random() % 4;
          const bool free = std::none_of(flits.begin(), flits.end(), [&](const auto& f) { return f[2] == out; });
          if (kind == 0 && free && !switched) {
            flits.push_back({in, lane, out});
            switched = true;
          } else if (kind != 1) {
            heads.push_back({in, lane, out});
            if (random() % 2 == 0) with_vc.push_back({in, lane, random() % 4 == 0 ? (out + 1) % 5 : out});
          }
        }
      }
      const std::string expected = reference.won(heads, with_vc, flits);
      ASSERT_EQ(router.won(heads, with_vc, flits), expected) << vcs << " VCs, cycle " << cycle;
      won += expected.empty() ? 0 : 1;
    }
    EXPECT_GT(won, 500);
  }
}

// ---------------------------------------------------------------- networks

class Hops : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Hops, TakeFourCyclesEach) {
  Experiment e = uniform_mesh(0.0);
  e.set("router.speculative", true);
  for (const std::uint32_t flits : {1U, 4U, 8U}) expect_lone_packet(e, 4, GetParam(), flits);
}
INSTANTIATE_TEST_SUITE_P(EveryHopCount, Hops, testing::Range(0U, 15U));

TEST(Speculation, LosesNothingAndIsTheSameInAnyNumberOfSlices) {
  for (const char* algorithm : {"x_first", "minimal_adaptive"}) {
    for (const double rate : {0.1, 0.45}) {
      Experiment e = uniform_mesh(rate);
      e.set("router.speculative", true);
      e.set("routing.algorithm", algorithm);
      Bench one(e);
      one.run(3000);
      EXPECT_TRUE(one.network->conservation().holds());
      EXPECT_GT(one.delivered(), 2000U);
      Bench several(e, 5);
      several.run(3000);
      EXPECT_EQ(several.network->merged_statistics().packet_hash(), one.network->merged_statistics().packet_hash());
    }
  }
}

TEST(Speculation, IsOfTheModelsRouters) {
  Experiment e = uniform_mesh(0.1, 4, 4);
  e.set("router.speculative", true);
  EXPECT_EQ(Bench(e).network->fabric().engines()->lists_because, "router.speculative = true");
  e.set("router.implementation", "pins");
  EXPECT_EQ(
      refusal(e),
      "router.speculative: heads that ask for the switch before they have a VC are of routers that are the model's; "
      "expected false beside router.implementation = \"pins\"");
  Experiment turns = stream_mesh("fm_radio_4x4.toml", 4, 4);
  turns.set("router.speculative", true);
  EXPECT_EQ(refusal(turns), "");
  turns.set("router.circuit_burst_flits", 3);
  EXPECT_EQ(refusal(turns),
            "router.speculative: packets' turns beside circuits (router.circuit_burst_flits = 3) count no heads that "
            "speculate; expected false, or 0");
}

}  // namespace
}  // namespace braid::test::speculation_test
