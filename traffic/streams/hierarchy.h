// A stream program as its author structured it, before it is laid out: filters in pipelines, splitjoins and feedback
// loops (paper: tentacle-routing, section 2.1; the constructs are StreamIt's). Readers make one, partitioners fuse and
// fiss its parts, flatten() gives its graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "routing/base/input_error.h"

namespace braid::traffic {

/// What one call of a filter's function does.
struct WorkFunction {
  std::uint64_t push = 0;         ///< items put out
  std::uint64_t pop = 0;          ///< items taken
  std::uint64_t peek = 0;         ///< items that must be there, >= pop
  std::uint64_t work_cycles = 0;  ///< static estimate
};

struct Filter {
  WorkFunction work;
  std::optional<WorkFunction> prework;  ///< instead of the first call of `work`
  std::uint64_t calls = 1;              ///< of `work` that a firing stands for, where a mean rate is no whole number
  bool stateful = false;                ///< a call may depend on an earlier one: cannot be fissed
  std::string input_type = "void";      ///< "void": takes nothing
  std::string output_type = "void";
  std::uint64_t input_words = 1, output_words = 1;  ///< of 32 bits, in an item: a complex number has two
};

enum class Split { kDuplicate, kRoundRobin };

struct Splitter {
  Split kind = Split::kRoundRobin;
  std::vector<std::uint64_t> weights;  ///< items to each branch in turn; duplicate: 1 each. 0: nothing goes there
};

struct Joiner {
  std::vector<std::uint64_t> weights;  ///< items from each branch in turn. 0: nothing comes from there
};

struct Structure {
  enum class Kind { kFilter, kPipeline, kSplitJoin, kFeedbackLoop };
  Kind kind = Kind::kFilter;
  std::string name;         ///< unique in the program: names of the declarations, with a number where it is needed
  std::string declaration;  ///< of which it is an instance; "" if it has no name of its own
  SourcePosition where;     ///< of what made the instance
  SourcePosition declared;  ///< of what it is an instance of
  SourcePosition portal;  ///< of a whole program: the first that it names (messages are read, not timed); line 0: none

  Filter filter;      ///< kFilter
  Splitter splitter;  ///< kSplitJoin: in front. kFeedbackLoop: behind the body, branch 0 leaves, branch 1 loops
  Joiner joiner;      ///< kSplitJoin: behind. kFeedbackLoop: in front of the body, branch 0 enters, branch 1 loops
  std::uint64_t enqueued = 0;  ///< kFeedbackLoop: items on the way from the loop to the joiner before the first firing
  /// kPipeline: stages in order. kSplitJoin: branches. kFeedbackLoop: body and loop.
  std::vector<Structure> children;
};

}  // namespace braid::traffic
