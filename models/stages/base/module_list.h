// Modules or channels in any number, in the order in which they were made.
#pragma once

#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "models/stages/base/heap.h"
#include "routing/base/break_off.h"

namespace braid::models::stages {

/// What was made last dies first: the kernel looks for it in a list of all ports, from the back, and finds it at once.
/// (In the lists of modules and of channels it looks from the front: AtTheFront.) So a network of 10^5 routers ends in
/// seconds, and not in hours. What a part consists of must die in that order, too.
template <class Part>
class ModuleList {
 public:
  /// `to_come`: so many will be added, of routers' size; 0: nobody knows, or they are few.
  explicit ModuleList(std::size_t to_come = 0) : to_come_(to_come) {}
  ~ModuleList() {
    while (!all_.empty()) all_.pop_back();
  }
  ModuleList(const ModuleList&) = delete;
  ModuleList& operator=(const ModuleList&) = delete;

  /// To make so many takes long: whoever waits for it can break it off. Throws InputError behind the first one where
  /// memory has no room for the others.
  template <class... Arguments>
  Part& add(Arguments&&... arguments) {
    routing::BreakOff::look();
    const bool first = all_.empty() && to_come_ > 1;
    const std::uint64_t before = first ? heap_bytes() : 0;
    all_.push_back(std::make_unique<Part>(std::forward<Arguments>(arguments)...));
    if (first) check_room_for_modules(to_come_, heap_bytes() - before);
    return *all_.back();
  }
  bool empty() const { return all_.empty(); }

 private:
  const std::size_t to_come_;
  std::vector<std::unique_ptr<Part>> all_;
};

/// A module and a channel that are made before all others of a network and die when the last one has been made, which
/// the kernel then has in their place at the front of its lists. When that one dies the one before it takes the place,
/// and so on: with others dying from the last on, the kernel always looks for what stands in front. As SystemC makes a
/// module of its own at the start, a module from before all must die before them: it takes that one's place.
class AtTheFront {
 private:
  struct Module : sc_core::sc_module {
    Module() : sc_module(sc_core::sc_module_name("at_the_front")) {}
  };
  Module module_;
  sc_core::sc_signal<bool> channel_{"channel_at_the_front"};
};

}  // namespace braid::models::stages
