#include "traffic/streams/lift.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace braid::traffic {
namespace {

bool any(const std::vector<std::uint64_t>& weights) {
  return std::any_of(weights.begin(), weights.end(), [](std::uint64_t w) { return w != 0; });
}

bool takes(const Structure& s) {
  switch (s.kind) {
    case Structure::Kind::kFilter:
      return s.filter.input_type != "void";
    case Structure::Kind::kPipeline:
      return takes(s.children.front());
    case Structure::Kind::kSplitJoin:
      return any(s.splitter.weights);
    default:
      return s.joiner.weights.front() != 0;
  }
}

bool gives(const Structure& s) {
  switch (s.kind) {
    case Structure::Kind::kFilter:
      return s.filter.output_type != "void";
    case Structure::Kind::kPipeline:
      return gives(s.children.back());
    case Structure::Kind::kSplitJoin:
      return any(s.joiner.weights);
    default:
      return s.splitter.weights.front() != 0;
  }
}

/// Does all that comes in go through the only branch, and all that it gives out?
bool is_wire(const Structure& splitjoin) {
  const Structure& branch = splitjoin.children.front();
  return splitjoin.children.size() == 1 && any(splitjoin.splitter.weights) == takes(branch) &&
         any(splitjoin.joiner.weights) == gives(branch);
}

void lift_stages(Structure& pipeline) {
  std::vector<Structure> stages;
  for (Structure& child : pipeline.children) {
    if (child.kind == Structure::Kind::kPipeline) {
      std::move(child.children.begin(), child.children.end(), std::back_inserter(stages));
    } else {
      stages.push_back(std::move(child));
    }
  }
  pipeline.children = std::move(stages);
}

}  // namespace

Structure lifted(Structure program) {
  for (Structure& child : program.children) child = lifted(std::move(child));
  if (program.kind == Structure::Kind::kPipeline) lift_stages(program);
  const bool alone = program.kind == Structure::Kind::kPipeline && program.children.size() == 1;
  if (alone || (program.kind == Structure::Kind::kSplitJoin && is_wire(program))) {
    Structure only = std::move(program.children.front());
    return only;
  }
  return program;
}

}  // namespace braid::traffic
