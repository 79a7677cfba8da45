// How whoever waits for a long computation learns how far it has come, and breaks it off.
#pragma once

#include <cstddef>
#include <functional>

namespace braid::routing {

/// Told many times a second: `done` of `all` (0: nobody knows) of what `counts` names. May throw to break off.
using OnProgress = std::function<void(const char* counts, std::size_t done, std::size_t all)>;

inline void tell(const OnProgress& progress, const char* counts, std::size_t done, std::size_t all = 0) {
  if (progress) progress(counts, done, all);
}

}  // namespace braid::routing
