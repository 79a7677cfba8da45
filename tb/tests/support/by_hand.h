// Registers of a component as its checkpoint has them, changed by hand: what it says to those that no network has, and
// what it does with those that one has.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "routing/base/checkpoint.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test {

/// `Mirror` has what `Object` saves, in the same order, and a function checkpoint() that says so.
template <class Object, class Mirror>
class ByHand {
 public:
  /// `made`: with as many items as elaboration has made, where there are such.
  explicit ByHand(Object& object, Mirror made = Mirror()) : object_(object), mirror_(std::move(made)) {
    own_ = saved(object_);
    restore(mirror_, own_);
  }
  /// Asked when all has been read.
  std::function<void(const Checkpoint&)> also = [](const Checkpoint&) {};
  /// There are packets with smaller numbers alone.
  std::uint64_t packets = ~std::uint64_t{0};

  const Mirror& own() const { return mirror_; }
  /// What the component says to its registers when `change` has been at them; it has its own again then.
  template <class Change>
  std::string refusal(Change change) {
    const std::string said = put(change);
    EXPECT_EQ(read(own_), "") << "its own";
    return said;
  }
  /// The same, and it keeps them.
  template <class Change>
  std::string put(Change change) {
    Mirror changed = mirror_;
    change(changed);
    return read(saved(changed));
  }

 private:
  std::string read(const std::string& bytes) {
    return complaint<CheckpointError>([&] {
      Checkpoint c(bytes);
      c.set_packets(packets);
      object_.checkpoint(c);
      also(c);
      c.finish();
    });
  }

  Object& object_;
  Mirror mirror_;
  std::string own_;
};

}  // namespace braid::test
