// Whatever has a checkpoint, saved and restored; and what is said of registers that it cannot have.
#pragma once

#include <cstdint>
#include <string>

#include "routing/base/checkpoint.h"

namespace braid::test {

template <class Object>
std::string saved(Object& object) {
  Checkpoint c;
  object.checkpoint(c);
  return c.bytes();
}
template <class Object>
void restore(Object& object, const std::string& bytes) {
  Checkpoint c(bytes);
  object.checkpoint(c);
  c.finish();
}

inline std::string no_such_state(const std::string& what) { return "no network is in such a state: " + what; }

/// Of a number that names nothing, where there are only so many.
inline std::string here(const std::string& thing, std::uint64_t value, std::uint64_t end) {
  return thing + " " + std::to_string(value) + ", here are " + std::to_string(end);
}

}  // namespace braid::test
