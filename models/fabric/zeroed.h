// Arrays of registers that a network of a million routers has and mostly does not use: memory that the operating
// system hands out as zeros when it is first touched. What is never used costs neither time nor memory.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace braid::models {

struct FreeZeroed {
  void operator()(void* memory) const { std::free(memory); }
};
template <class T>
using Zeroed = std::unique_ptr<T[], FreeZeroed>;

/// `size` items whose bytes are all 0, whatever a default T is. Throws std::bad_alloc.
template <class T>
Zeroed<T> zeroed(std::size_t size) {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  static_assert(alignof(T) <= alignof(std::max_align_t));
  void* const memory = std::calloc(size, sizeof(T));
  if (memory == nullptr) throw std::bad_alloc();
  return Zeroed<T>(static_cast<T*>(memory));
}

}  // namespace braid::models
