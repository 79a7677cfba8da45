// Who has a channel when: the two kinds of reservations of the approximately timed style.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace braid::models {

/// A channel that carries one flit a cycle, of several packets in turn: a bit for each of the next cycles. Kept for
/// kWords * 64 cycles up to the last one taken; cycles before count as taken.
class FlitCalendar {
 public:
  static constexpr std::uint64_t kWords = 16;

  /// First and last cycle of a packet's flits.
  struct Flits {
    std::uint64_t head, tail;
  };
  /// Takes, for `flits` flits one after the other, the first cycles from `from` on that are free in both (which may be
  /// the same); the last flit's not before `tail_from`.
  static Flits take(FlitCalendar& a, FlitCalendar& b, std::uint64_t from, std::uint32_t flits,
                    std::uint64_t tail_from) {
    std::uint64_t at = std::max({from, a.first_word_ * 64, b.first_word_ * 64});
    if (flits <= 64 && at + flits > tail_from) {  // in a row, as mostly
      const std::uint64_t row = ~std::uint64_t{0} >> (64 - flits);
      if (((a.busy(at) | b.busy(at)) & row) == 0) {
        a.set(at, row);
        b.set(at, row);
        return {at, at + flits - 1};
      }
    }
    Flits taken{};
    std::uint32_t left = flits;
    bool begun = false;
    for (; left > 0; at += 64) {
      const std::uint64_t got = choose(~(a.busy(at) | b.busy(at)), at, left, tail_from);
      if (got == 0) continue;
      a.set(at, got);
      b.set(at, got);
      if (!begun) taken.head = at + static_cast<std::uint64_t>(__builtin_ctzll(got));
      begun = true;
      taken.tail = at + 63 - static_cast<std::uint64_t>(__builtin_clzll(got));
    }
    return taken;
  }
  /// The first cycle from `from` on that is free in both.
  static std::uint64_t first_free(FlitCalendar& a, FlitCalendar& b, std::uint64_t from) {
    for (std::uint64_t at = std::max({from, a.first_word_ * 64, b.first_word_ * 64});; at += 64) {
      const std::uint64_t free = ~(a.busy(at) | b.busy(at));
      if (free != 0) return at + static_cast<std::uint64_t>(__builtin_ctzll(free));
    }
  }

 private:
  /// Of the free ones of 64 cycles from `at` on, those that a packet with `left` flits to go takes.
  static std::uint64_t choose(std::uint64_t free, std::uint64_t at, std::uint32_t& left, std::uint64_t tail_from) {
    std::uint64_t got = 0;
    for (; left > 1 && free != 0; --left) {
      got |= free & -free;
      free &= free - 1;
    }
    if (left != 1) return got;
    if (tail_from > at) free = tail_from - at < 64 ? free & (~std::uint64_t{0} << (tail_from - at)) : 0;
    if (free == 0) return got;
    left = 0;
    return got | (free & -free);
  }
  /// The 64 cycles from `at` on.
  std::uint64_t busy(std::uint64_t at) {
    const std::uint64_t word = at / 64, shift = at % 64;
    if (word + 1 >= first_word_ + kWords) move_on(word + 1);
    const std::uint64_t low = words_[word % kWords] >> shift;
    return shift == 0 ? low : low | (words_[(word + 1) % kWords] << (64 - shift));
  }
  void set(std::uint64_t at, std::uint64_t bits) {
    const std::uint64_t word = at / 64, shift = at % 64;
    words_[word % kWords] |= bits << shift;
    if (shift != 0) words_[(word + 1) % kWords] |= bits >> (64 - shift);
  }
  void move_on(std::uint64_t last_word) {
    const std::uint64_t first = last_word - kWords + 1;
    for (std::uint64_t w = std::max(first_word_ + kWords, first); w <= last_word; ++w) words_[w % kWords] = 0;
    first_word_ = first;
  }

  std::array<std::uint64_t, kWords> words_{};
  std::uint64_t first_word_ = 0;
};

/// What each of the newest packets waits at the channels of its way, in that order.
class WaitLog {
 public:
  using Entry = std::uint64_t;
  /// The next channel of the packet that is told of now.
  Entry add(std::uint64_t wait) {
    waits_[next_ % kEntries] = static_cast<std::uint32_t>(std::min<std::uint64_t>(wait, kEnd - 1));
    waits_[(next_ + 1) % kEntries] = kEnd;
    return next_++;
  }
  /// No more channels: the next one is another packet's.
  void end_packet() { ++next_; }
  /// The packet waits `by` longer at the entry's channel. Where it is to wait on its way from there it waits the less:
  /// by how much it is late in the end.
  std::uint64_t lengthen(Entry at, std::uint64_t by) {
    if (at + kEntries <= next_ + 1) return by;  // too long ago
    std::uint32_t& here = waits_[at % kEntries];
    here = static_cast<std::uint32_t>(std::min<std::uint64_t>(here + by, kEnd - 1));
    for (++at; by > 0 && waits_[at % kEntries] != kEnd; ++at) {
      std::uint32_t& later = waits_[at % kEntries];
      const auto less = static_cast<std::uint32_t>(std::min<std::uint64_t>(by, later));
      later -= less;
      by -= less;
    }
    return by;
  }

 private:
  static constexpr std::size_t kEntries = 1 << 14;
  static constexpr std::uint32_t kEnd = ~std::uint32_t{0};
  std::vector<std::uint32_t> waits_ = std::vector<std::uint32_t>(kEntries);  // as a ring
  Entry next_ = 0;
};

/// A channel that carries packets one after the other, first come, first served. Packets are told of in the order in
/// which they are made, not in that in which they come: one that comes before others that are known already goes before
/// them. They are moved back, and by how much is added up: they were told their time already, so who came in between
/// answers for it.
class PacketCalendar {
 public:
  /// Where one that comes in `arrival` stands, and when the channel is free for it. Good until the next take() or
  /// forget().
  struct Turn {
    std::size_t place;
    std::uint64_t start;
  };
  Turn turn(std::uint64_t arrival) const {
    std::size_t k = visits_.size();
    while (k != 0 && visits_[k - 1].arrival > arrival) --k;
    return {k, k == 0 ? arrival : std::max(arrival, visits_[k - 1].end)};
  }
  std::uint64_t start(std::uint64_t arrival) const { return turn(arrival).start; }
  /// Takes the channel from `begin` (start() or later) for `cycles`; the sum of the cycles by which others are moved
  /// back.
  std::uint64_t take(std::uint64_t arrival, std::uint64_t begin, std::uint64_t cycles) {
    const std::size_t place = turn(arrival).place;
    insert(place, arrival, begin, cycles, 0);
    return move_back(place, [](WaitLog::Entry, std::uint64_t by) { return by; });
  }
  /// ... in its turn; by which they are late in the end. `entry` is the visit's own.
  std::uint64_t take(const Turn& turn, std::uint64_t arrival, std::uint64_t cycles, WaitLog& log,
                     WaitLog::Entry entry) {
    insert(turn.place, arrival, turn.start, cycles, entry);
    return move_back(turn.place, [&](WaitLog::Entry moved, std::uint64_t by) { return log.lengthen(moved, by); });
  }
  /// The queue behind the channel. When those before the one at `place` have left it, as far as is known:
  std::uint64_t queue_free(std::size_t place) const { return place == 0 ? 0 : visits_[place - 1].left; }
  /// The one at `place` leaves it.
  void leave_queue(std::size_t place, std::uint64_t cycle) { visits_[place].left = cycle; }
  /// Nobody comes before `cycle` any more: what is over then is forgotten, when there is enough of it.
  void forget(std::uint64_t cycle) {
    if (visits_.size() >= most_) forget_all(cycle);
  }
  std::size_t known() const { return visits_.size(); }

 private:
  struct Visit {
    Visit(std::uint64_t arrives, std::uint64_t begins, std::uint64_t ends, WaitLog::Entry noted)
        : arrival(arrives), begin(begins), end(ends), entry(noted) {}
    std::uint64_t arrival, begin, end;
    std::uint64_t left = 0;  // the queue behind the channel
    WaitLog::Entry entry;
  };
  static constexpr std::size_t kFew = 16;
  void forget_all(std::uint64_t cycle) {
    std::size_t over = 0;
    while (over < visits_.size() && visits_[over].end <= cycle && visits_[over].left <= cycle) ++over;
    visits_.erase(visits_.begin(), visits_.begin() + static_cast<std::ptrdiff_t>(over));
    most_ = std::max(kFew, 2 * visits_.size());
  }
  void insert(std::size_t place, std::uint64_t arrival, std::uint64_t begin, std::uint64_t cycles,
              WaitLog::Entry entry) {
    if (place == visits_.size()) {  // in place, member by member: a copy would wait for these stores
      visits_.emplace_back(arrival, begin, begin + cycles, entry);
    } else {
      visits_.emplace(visits_.begin() + static_cast<std::ptrdiff_t>(place), arrival, begin, begin + cycles, entry);
    }
  }
  /// Those behind the one at `place`.
  template <class Late>
  std::uint64_t move_back(std::size_t place, Late late) {
    std::uint64_t end = visits_[place].end, moved = 0;
    for (std::size_t k = place + 1; k < visits_.size() && visits_[k].begin < end; ++k) {
      const std::uint64_t by = end - visits_[k].begin;
      moved += late(visits_[k].entry, by);
      visits_[k].begin += by;
      visits_[k].end += by;
      end = visits_[k].end;
    }
    return moved;
  }
  std::vector<Visit> visits_;  // by arrival
  std::size_t most_ = kFew;    // that there may be before those that are over are looked for
};

}  // namespace braid::models
