// Registers of a component as its checkpoint has them, changed by hand: what it says to those that no network has, and
// what it does with those that one has.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "routing/base/checkpoint.h"

namespace braid::test {

inline std::string no_such_state(const char* what) { return std::string("no network is in such a state: ") + what; }

/// Of a number that names nothing, where there are only so many.
inline std::string here(const char* thing, std::uint64_t value, std::uint64_t end) {
  return std::string(thing) + " " + std::to_string(value) + ", here are " + std::to_string(end);
}

/// `Mirror` has what `Object` saves, in the same order, and a function checkpoint() that says so.
template <class Object, class Mirror>
class ByHand {
 public:
  /// `made`: with as many items as elaboration has made, where there are such.
  explicit ByHand(Object& object, Mirror made = Mirror()) : object_(object), mirror_(std::move(made)) {
    Checkpoint c;
    object_.checkpoint(c);
    own_ = c.bytes();
    Checkpoint mine(own_);
    mirror_.checkpoint(mine);
    mine.finish();
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
    Checkpoint c;
    changed.checkpoint(c);
    return read(c.bytes());
  }

 private:
  std::string read(const std::string& bytes) {
    try {
      Checkpoint c(bytes);
      c.set_packets(packets);
      object_.checkpoint(c);
      also(c);
      c.finish();
    } catch (const CheckpointError& e) {
      return e.what();
    }
    return "";
  }

  Object& object_;
  Mirror mirror_;
  std::string own_;
};

}  // namespace braid::test
