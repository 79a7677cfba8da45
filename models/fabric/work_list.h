// Containers of the stage-major schedule: lists that never allocate while the clock runs, and a set to walk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/fabric/zeroed.h"
#include "routing/base/checkpoint.h"

namespace braid::models {

/// Lists name registers in no order: some loops ask for the memory of the item this many places ahead. Lists have room
/// for it, so that nobody has to ask where they end; what stands there is an old item or zero.
constexpr std::size_t kPrefetch = 6;

/// A list whose capacity is set once from the hardware's bound (one flit a link and cycle, say), so that push() is a
/// store and an increment.
template <class T>
class WorkList {
 public:
  void reserve(std::size_t capacity) {
    items_ = zeroed<T>(capacity + kPrefetch);
    size_ = 0;
    capacity_ = capacity;
  }
  void push(const T& item) { items_[size_++] = item; }
  void clear() { size_ = 0; }
  /// After items were stored at end() and beyond, or the first `size` are to be kept.
  void resize(std::size_t size) { size_ = size; }
  void resize_to(const T* end) { size_ = static_cast<std::size_t>(end - items_.get()); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_.get(); }
  T* end() { return items_.get() + size_; }
  const T* begin() const { return items_.get(); }
  const T* end() const { return items_.get() + size_; }
  /// Room for as many as there were is elaboration's. What is restored is as much again as hardware's bound allows for,
  /// as nobody knows how many of it hardware could have had: so there is room for both.
  void checkpoint(Checkpoint& c) {
    std::size_t size = size_;
    c(size);
    if (c.restoring()) {
      c.index(size, capacity_ + 1, "length of a list");
      items_ = zeroed<T>(capacity_ + size + kPrefetch);  // old items name what was there before
      size_ = size;
    }
    for (T& item : *this) c(item);
  }

 private:
  Zeroed<T> items_;
  std::size_t size_ = 0, capacity_ = 0;
};

/// A set of small integers: one bit each, walked in ascending order. Idle members cost nothing.
class WakeSet {
 public:
  void resize(std::size_t size) {
    words_.assign((size + 63) / 64, 0);
    size_ = size;
  }
  void insert(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void erase(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool empty() const {
    const std::uint64_t* word = words_.data();  // (mostly one word, which is no work for std::all_of's unrolled loop)
    const std::uint64_t* const end = word + words_.size();
    while (word != end && *word == 0) ++word;
    return word == end;
  }
  bool contains(std::size_t i) const { return (words_[i / 64] >> (i % 64)) & 1; }
  std::uint64_t* words() { return words_.data(); }

  /// Calls visit(i) for each member; visit may erase i itself.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) {
        visit(w * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
      }
    }
  }
  void checkpoint(Checkpoint& c) {
    c.each(words_);
    if (size_ % 64 != 0) c.index(words_.back() >> (size_ % 64), 1, "member of a set");
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

}  // namespace braid::models
