// Round robin in slow turns: who has won keeps the first place for some grants, so that packets are not cut into one
// another flit by flit. With one grant a turn it is Braid's round_robin. In hardware: the pointer and a counter.
#include <vector>

#include "models/families/hybrid/switch_allocator.h"

namespace {

using namespace braid;

struct SlowTurnsOptions {
  std::uint32_t grants_a_turn = 4;
};
const OptionTable<SlowTurnsOptions>& options() {
  static const OptionTable<SlowTurnsOptions> table = OptionTable<SlowTurnsOptions>("router").integer(
      "grants_a_turn", &SlowTurnsOptions::grants_a_turn, 1, 255, "that a requester may use before its turn is over");
  return table;
}

class SlowTurns final : public models::hybrid::AnyArbiters {
 public:
  explicit SlowTurns(const models::hybrid::ArbiterContext& context)
      : requesters_(static_cast<std::uint32_t>(context.requesters)),
        grants_a_turn_(options().read(context.configuration).grants_a_turn),
        turns_(context.arbiters) {}

  std::uint32_t rank(std::size_t arbiter, std::uint32_t requester) const override {
    return (requester + requesters_ - turns_[arbiter].first) % requesters_;
  }
  void use(std::size_t arbiter, std::uint32_t winner) override {
    Turn& turn = turns_[arbiter];
    turn.grants = winner == turn.first ? turn.grants + 1 : 1;
    turn.first = winner;
    if (turn.grants < grants_a_turn_) return;
    turn = {(winner + 1) % requesters_, 0};
  }
  void checkpoint(Checkpoint& c) override { c(turns_); }

 private:
  struct Turn {
    std::uint32_t first = 0;   // whose turn it is
    std::uint32_t grants = 0;  // that it has used
  };
  std::uint32_t requesters_;
  std::uint32_t grants_a_turn_;
  std::vector<Turn> turns_;  // [arbiter]
};

const bool registered = models::hybrid::ArbiterRegistry::instance().add(
    "slow_turns", "round robin, several grants a turn", options().list(),
    [](const models::hybrid::ArbiterContext& context) { return std::make_unique<SlowTurns>(context); });

}  // namespace
