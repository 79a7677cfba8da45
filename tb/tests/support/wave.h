// A waveform without a file: a network's signals, sampled after every cycle and kept as one line of text a signal.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/observe/signals.h"
#include "tb/tests/support/bench.h"

namespace braid::test {

class Wave {
 public:
  /// Signals of all routers. Sampling begins with the present cycle.
  explicit Wave(Bench& bench) : bench_(bench), first_cycle_(bench.network->now()) {
    std::vector<RouterId> routers;
    for (std::size_t r = 0; r < bench.topology.router_count(); ++r) routers.push_back(RouterId{r});
    sources_ = bench.network->signals(table_, routers);
    for (models::Signal& s : table_.signals()) rows_[s.scope + "." + s.name];
  }

  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) {
      const std::uint64_t cycle = bench_.network->now();
      bench_.run(1);
      for (const auto& source : sources_) source->sample(cycle);
      for (models::Signal& s : table_.signals()) rows_[s.scope + "." + s.name].push_back(s.value);
    }
  }

  /// Value after the clock edge that ends `cycle`.
  std::uint64_t at(const std::string& signal, std::uint64_t cycle) const {
    const auto row = rows_.find(signal);
    if (row == rows_.end()) throw std::out_of_range("no signal " + signal);
    return row->second.at(cycle - first_cycle_);
  }

  /// A digit a cycle, '+' for values of more than 9.
  std::string row(const std::string& signal) const {
    std::string text;
    const auto row = rows_.find(signal);
    if (row == rows_.end()) return "no signal " + signal;
    for (const std::uint64_t value : row->second) {
      text += value > 9 ? '+' : static_cast<char>('0' + static_cast<char>(value));
    }
    return text;
  }

 private:
  Bench& bench_;
  std::uint64_t first_cycle_;
  models::SignalTable table_;
  std::vector<std::unique_ptr<models::SignalSource>> sources_;
  std::map<std::string, std::vector<std::uint64_t>> rows_;
};

}  // namespace braid::test
