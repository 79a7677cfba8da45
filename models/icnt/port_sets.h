// Sets of ports, many of the same size, each in as many words of 64 bits as the ports need: crossbars of GPU
// configurations have up to 144 ports, with 16 virtual channels 2304 members. A set of one word costs what a word
// costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace braid::models::icnt {

/// The place of the lowest bit; not of 0.
inline unsigned lowest(std::uint64_t word) { return static_cast<unsigned>(__builtin_ctzll(word)); }

class PortSets {
 public:
  PortSets() = default;
  PortSets(std::size_t sets, unsigned members) : words_((members + 63) / 64), bits_(sets * words_), count_(sets) {}

  /// Whether the set was empty before.
  bool insert(std::size_t set, unsigned member) {
    bits_[set * words_ + member / 64] |= std::uint64_t{1} << member % 64;
    return count_[set]++ == 0;
  }
  /// Whether the set is empty now.
  bool erase(std::size_t set, unsigned member) {
    bits_[set * words_ + member / 64] &= ~(std::uint64_t{1} << member % 64);
    return --count_[set] == 0;
  }
  bool has(std::size_t set, unsigned member) const {
    return (bits_[set * words_ + member / 64] >> member % 64 & 1) != 0;
  }
  bool empty(std::size_t set) const { return count_[set] == 0; }
  unsigned size(std::size_t set) const { return count_[set]; }
  unsigned words() const { return words_; }
  const std::uint64_t* bits(std::size_t set) const { return &bits_[set * words_]; }

  /// Round robin: the first member from `from` on, past the last from the first again. The set is not empty.
  unsigned next(std::size_t set, unsigned from) const { return next(bits(set), words_, from); }
  /// Calls `visit` for each member in ascending order.
  template <class Visit>
  static void each(const std::uint64_t* bits, unsigned words, Visit visit) {
    for (unsigned word = 0; word < words; ++word)
      for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) visit(word * 64 + lowest(left));
  }
  static unsigned next(const std::uint64_t* bits, unsigned words, unsigned from) {
    const std::uint64_t here = bits[from / 64] & ~std::uint64_t{0} << from % 64;
    if (here != 0) return from / 64 * 64 + lowest(here);
    for (unsigned word = from / 64 + 1; word < words; ++word)
      if (bits[word] != 0) return word * 64 + lowest(bits[word]);
    unsigned word = 0;
    while (bits[word] == 0) ++word;
    return word * 64 + lowest(bits[word]);
  }

 private:
  unsigned words_ = 0;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> count_;
};

/// One set that is walked: what has something to do.
class WorkSet {
 public:
  WorkSet() = default;
  explicit WorkSet(std::size_t members) : bits_((members + 63) / 64) {}
  void insert(std::size_t member) { bits_[member / 64] |= std::uint64_t{1} << member % 64; }
  void erase(std::size_t member) { bits_[member / 64] &= ~(std::uint64_t{1} << member % 64); }
  /// Calls `visit` for each member in ascending order; members may erase themselves.
  template <class Visit>
  void each(Visit visit) {
    for (std::size_t word = 0; word < bits_.size(); ++word)
      for (std::uint64_t left = bits_[word]; left != 0; left &= left - 1) visit(word * 64 + lowest(left));
  }

 private:
  std::vector<std::uint64_t> bits_;
};

}  // namespace braid::models::icnt
