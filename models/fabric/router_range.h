// A run of consecutive routers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace braid::models {

struct RouterRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;  ///< one past
  std::size_t size() const { return last - first; }
};

}  // namespace braid::models
