// How far code is followed before it counts as endless, and where it failed.
#include <algorithm>
#include <array>

#include "traffic/streams/streamit/interpreter.h"

namespace braid::traffic::streamit {
namespace {

constexpr std::uint64_t kMostSteps = 5'000'000;
// Of work functions: the more a program has of them, the less patience with each.
struct Patience {
  std::uint64_t until = 0;     // steps of all work functions
  std::uint64_t function = 0;  // steps of one
  std::uint64_t loop = 0;      // steps of a loop, before the rest is reckoned
};
constexpr std::array<Patience, 3> kPatience{
    {{5'000'000, 1'000'000, 20'000}, {8'000'000, 20'000, 500}, {~std::uint64_t{0}, 200, 100}}};
constexpr std::ptrdiff_t kMostStack = 4 << 20;  // bytes; Linux gives a program 8 MiB

}  // namespace

void Session::check_stack(Place at) {
  const auto* here = static_cast<const char*>(__builtin_frame_address(0));
  if (stack_ == nullptr) stack_ = here;
  if (stack_ - here > kMostStack) {
    fail(at, "nested too deep: expected functions and streams that do not call themselves for ever");
  }
}

void Session::step(Place at) {
  check_stack(at);
  if (++steps_ > kMostSteps) {
    std::uint64_t most = 0;
    for (const auto& [loop, rounds] : loops_) {  // the loop that has gone round most often is to blame
      if (*rounds > most) at = loop;
      most = std::max(most, *rounds);
    }
    fail(at, "does not end: expected a program that is made in at most 5 million steps");
  }
}

bool Session::is_long(std::uint64_t estimate_steps) const { return estimate_steps > kPatience[patience_].loop; }

void Session::estimate_step(Place at) {
  check_stack(at);
  ++estimate_steps_;
  if (estimate_steps_ > kPatience[patience_].until) ++patience_;
  if (estimate_steps_ - estimate_begin_ > kPatience[patience_].function) throw EstimateEnds{};
}

void Session::fail(Place at, const std::string& message) const { throw InputError(sources.position(at), message); }

}  // namespace braid::traffic::streamit
