// How a run ends in which nothing moves any more.
#pragma once

#include <stdexcept>

namespace braid::models {

/// The watchdog ended the run. what() names the cycle of waiting channels and packets (several lines). Exit code 3.
class DeadlockError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace braid::models
