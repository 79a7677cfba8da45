// Names of a network's routers and ports as values of a waveform's signals.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "models/observe/wave_file.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// A port of a router as a value: 0 for none, else its number + 1. Routers with the same ports share a list.
class PortNames {
 public:
  static constexpr unsigned kBits = 7;
  explicit PortNames(const routing::Topology& topology) {
    for (std::size_t r = 0; r < topology.router_count(); ++r) {
      std::vector<std::string> names{"-"};
      for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
        names.push_back(topology.port(RouterId{r}, PortId{p}).name);
      }
      of_router_.push_back(list_of(std::move(names)));
    }
  }
  const SignalValues& of(RouterId router) const { return *of_router_[router.value]; }

 private:
  const SignalValues* list_of(std::vector<std::string> names) {
    for (const SignalValues& list : lists_) {
      if (list.values == names) return &list;
    }
    const std::string number = lists_.empty() ? std::string() : std::to_string(lists_.size());
    lists_.push_back({"ports" + number, std::move(names)});
    return &lists_.back();
  }
  std::deque<SignalValues> lists_;
  std::vector<const SignalValues*> of_router_;
};

/// A router as a value: 0 for none, else its number + 1.
inline SignalValues router_names(const routing::Topology& topology) {
  SignalValues names{"routers", {"-"}};
  for (const std::string& name : topology.router_names) names.values.push_back(name);
  return names;
}

}  // namespace braid::models
