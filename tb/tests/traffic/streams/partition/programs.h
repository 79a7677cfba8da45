// Small stream programs, by hand and at random, for tests of partitions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "routing/base/random.h"
#include "traffic/streams/hierarchy.h"

namespace braid::test {

inline traffic::Structure filter(const std::string& name, std::uint64_t pop, std::uint64_t push, std::uint64_t work,
                                 std::uint64_t peek = 0, bool stateful = true) {
  traffic::Structure s;
  s.name = name;
  s.filter.work = {push, pop, std::max(pop, peek), work};
  s.filter.stateful = stateful;
  return s;
}

inline traffic::Structure pipeline(const std::string& name, std::vector<traffic::Structure> stages) {
  traffic::Structure s;
  s.kind = traffic::Structure::Kind::kPipeline;
  s.name = name;
  s.children = std::move(stages);
  return s;
}

inline traffic::Structure split_join(const std::string& name, traffic::Split split,
                                     const std::vector<std::uint64_t>& weights,
                                     std::vector<traffic::Structure> branches, const std::vector<std::uint64_t>& join) {
  traffic::Structure s;
  s.kind = traffic::Structure::Kind::kSplitJoin;
  s.name = name;
  s.splitter = {split, weights};
  s.joiner = {join};
  s.children = std::move(branches);
  return s;
}

inline traffic::Structure feedback(const std::string& name, const std::vector<std::uint64_t>& join,
                                   traffic::Structure body, traffic::Structure loop,
                                   const std::vector<std::uint64_t>& split, std::uint64_t enqueued) {
  traffic::Structure s;
  s.kind = traffic::Structure::Kind::kFeedbackLoop;
  s.name = name;
  s.joiner = {join};
  s.splitter = {traffic::Split::kRoundRobin, split};
  s.children = {std::move(body), std::move(loop)};
  s.enqueued = enqueued;
  return s;
}

/// A structure of up to `filters` filters that takes an item for each that it puts out, a steady state.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : random_(seed) {}
  traffic::Structure make(std::size_t filters) {
    std::vector<traffic::Structure> stages;
    stages.push_back(filter("source", 0, 1 + random_.below(3), 1 + random_.below(30)));
    stages.push_back(structure(filters, 3));
    stages.push_back(filter("sink", 1 + random_.below(3), 0, 1 + random_.below(30)));
    return pipeline("program", std::move(stages));
  }

 private:
  traffic::Structure structure(std::size_t filters, int depth) {
    if (filters <= 1 || depth == 0) return one();
    std::vector<traffic::Structure> children;
    const std::size_t count = 2 + random_.below(std::min<std::size_t>(filters - 1, 2));
    for (std::size_t c = 0; c < count; ++c) children.push_back(structure(filters / count, depth - 1));
    const std::string name = "s" + std::to_string(names_++);
    if (random_.below(2) == 0) return pipeline(name, std::move(children));
    // Every structure here puts out as much as it takes: any weights balance if both sides have the same.
    std::vector<std::uint64_t> weights;
    for (std::size_t c = 0; c < count; ++c) weights.push_back(1 + random_.below(3));
    if (random_.below(2) == 0)
      return split_join(name, traffic::Split::kRoundRobin, weights, std::move(children), weights);
    const std::vector<std::uint64_t> ones(count, 1);
    return pipeline(name + "p", {split_join(name, traffic::Split::kDuplicate, ones, std::move(children), ones),
                                 filter(name + "d", count, 1, 1 + random_.below(20))});
  }
  traffic::Structure one() {
    const std::uint64_t rate = 1 + random_.below(3);
    const bool stateless = random_.below(2) == 0;
    return filter("f" + std::to_string(names_++), rate, rate, 1 + random_.below(40),
                  random_.below(3) == 0 ? rate + random_.below(6) : 0, !stateless);
  }

  Random random_;
  std::size_t names_ = 0;
};

}  // namespace braid::test
