// Registers of a network that are changed by hand, and what another network of the same experiment says to them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/continued.h"

namespace braid::test {

/// What a network says to what one has saved; "": it takes it.
inline std::string said_to(models::Network& network, const std::string& bytes) {
  return complaint<CheckpointError>([&] { restore(network, bytes); });
}

struct Restored {
  explicit Restored(const models::Experiment& e, std::size_t slices = 1) : bench(e, slices), other(e, slices) {}

  /// With what `change()` does to the first network's registers, which are as they were afterwards.
  template <class Change>
  std::string said_after(Change change) {
    const std::string bytes = saved(*bench.network);
    EXPECT_EQ(said_to(*other.network, bytes), "") << "as it is";
    change();
    std::string said = said_to(*other.network, saved(*bench.network));
    restore(*bench.network, bytes);
    return said;
  }
  /// The first network goes on until `find()` finds something.
  template <class Find>
  auto run_until(Find find) {
    auto found = find();
    for (int cycle = 0; !found && cycle < 3000; ++cycle) {
      bench.run(1);
      found = find();
    }
    EXPECT_TRUE(found) << "no such thing until cycle " << bench.network->now();
    return found;
  }

  Bench bench, other;
};

}  // namespace braid::test
