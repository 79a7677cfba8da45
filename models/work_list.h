// Containers of the stage-major schedule: lists that never allocate while the clock runs, and a set to walk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace braid::models {

/// A list whose capacity is set once from the hardware's bound (one flit a link and cycle, say), so that push() is a
/// store and an increment.
template <class T>
class WorkList {
 public:
  void reserve(std::size_t capacity) {
    items_ = std::make_unique<T[]>(capacity);
    size_ = 0;
  }
  void push(const T& item) { items_[size_++] = item; }
  void clear() { size_ = 0; }
  void shrink(std::size_t size) { size_ = size; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_.get(); }
  T* end() { return items_.get() + size_; }
  const T* begin() const { return items_.get(); }
  const T* end() const { return items_.get() + size_; }

 private:
  std::unique_ptr<T[]> items_;
  std::size_t size_ = 0;
};

/// A set of small integers: one bit each, walked in ascending order. Idle members cost nothing.
class WakeSet {
 public:
  void resize(std::size_t size) { words_.assign((size + 63) / 64, 0); }
  void insert(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void erase(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool contains(std::size_t i) const { return (words_[i / 64] >> (i % 64)) & 1; }

  /// Calls visit(i) for each member; visit may erase i itself.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) {
        visit(w * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace braid::models
