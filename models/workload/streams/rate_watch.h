// When does a program's rate hold again after a change? Items that have come to the sinks (actors without outputs) are
// counted at the end of each cycle. Before the change, of cycle T, some W cycles bring fewer than others; the fewest of
// the last four times W cycles are the measure. The rate holds from the first cycle b >= T on from which every window
// of W cycles, b + 1 .. b + W and all later ones, has 95 % of that.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace braid::models {

class RateWatch {
 public:
  explicit RateWatch(std::uint32_t window_cycles)
      : window_(window_cycles), counts_(std::size_t{kWindowsBefore} * window_cycles + 1) {}

  /// The end of a cycle; of every cycle from 0 on. `items`: that have come since then, never fewer than before.
  void look(std::uint64_t cycle, std::uint64_t items);
  /// The change begins at the end of this cycle, which has been looked at. The one before is looked at no longer.
  void begin(std::uint64_t cycle);

  struct Rate {
    std::uint64_t begin = 0;                    ///< T
    std::optional<std::uint64_t> before;        ///< items in the W cycles up to T; none: T < 4 W
    std::optional<std::uint64_t> least_before;  ///< ... in any W of the 4 W cycles up to T
    std::optional<std::uint64_t> least;         ///< of a window since; none: none has ended
    std::optional<std::uint64_t> last_low;      ///< b of the last window with too few
    std::optional<std::uint64_t> last;          ///< ... of the last window
    /// The cycle from whose end on the rate holds; none: no window has ended, the last one has too few, or nothing
    /// came before.
    std::optional<std::uint64_t> holds() const;
  };
  const Rate& rate() const { return rate_; }

 private:
  static constexpr std::uint32_t kWindowsBefore = 4;
  std::uint64_t at(std::uint64_t cycle) const { return counts_[cycle % counts_.size()]; }

  std::uint64_t window_;
  std::vector<std::uint64_t> counts_;  // [cycle % size], of the last 4 W + 1 cycles
  bool begun_ = false;
  Rate rate_;
};

}  // namespace braid::models
