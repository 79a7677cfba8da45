#include "traffic/streams/streamit/composite.h"

#include <algorithm>
#include <utility>

namespace braid::traffic::streamit {
namespace {

bool agree(const std::string& a, const std::string& b) { return a.empty() || b.empty() || a == b; }

class Composer {
 public:
  Composer(const Session& session, const Stream& stream, Parts parts, Made& made)
      : session_(session), stream_(stream), parts_(std::move(parts)), made_(made) {}

  void run() {
    switch (stream_.kind) {
      case StreamKind::kPipeline:
        return pipeline();
      case StreamKind::kSplitJoin:
        return splitjoin();
      default:
        return loop();
    }
  }

 private:
  /// What a stream says it takes and gives must be what its parts do.
  void check_ends(const std::string& input, const std::string& output, Place first, Place last) {
    if (!agree(made_.input, input)) {
      session_.fail(
          first, "takes " + input + ": expected " + made_.input + ", what its " + to_string(stream_.kind) + " takes");
    }
    if (!agree(made_.output, output)) {
      session_.fail(
          last, "gives " + output + ": expected " + made_.output + ", what its " + to_string(stream_.kind) + " gives");
    }
    if (made_.input.empty()) made_.input = input;
    if (made_.output.empty()) made_.output = output;
  }

  void pipeline() {
    made_.structure.kind = Structure::Kind::kPipeline;
    if (parts_.children.empty()) session_.fail(stream_.at, "expected at least one stream in this pipeline");
    for (std::size_t i = 1; i < parts_.children.size(); ++i) {
      Made& from = parts_.children[i - 1];
      Made& to = parts_.children[i];
      const std::string gives = one_line(from.structure.name) + " in front of it gives";
      if (from.output == "void") session_.fail(parts_.places[i], gives + " nothing: expected nothing behind it");
      if (to.input == "void")
        session_.fail(parts_.places[i], "takes nothing: expected " + from.output + ", what " + gives);
      if (!agree(from.output, to.input)) {
        session_.fail(parts_.places[i], "takes " + to.input + ": expected " + from.output + ", what " + gives);
      }
    }
    check_ends(parts_.children.front().input, parts_.children.back().output, parts_.places.front(),
               parts_.places.back());
    for (Made& child : parts_.children) made_.structure.children.push_back(std::move(child.structure));
  }

  /// One weight is each branch's; none is 1.
  std::vector<std::uint64_t> spread(std::vector<std::uint64_t> weights, std::size_t branches, Place at) const {
    if (weights.empty()) weights.push_back(1);
    if (weights.size() == 1) weights.resize(branches, weights.front());
    if (weights.size() != branches) {
      session_.fail(at, "expected a weight for each of " + std::to_string(branches) + " branches, not " +
                            std::to_string(weights.size()));
    }
    return weights;
  }

  void splitjoin() {
    made_.structure.kind = Structure::Kind::kSplitJoin;
    if (!parts_.split) session_.fail(stream_.at, "expected a split in this splitjoin");
    if (!parts_.join) session_.fail(stream_.at, "expected a join in this splitjoin");
    if (parts_.children.empty()) session_.fail(stream_.at, "expected at least one stream in this splitjoin");
    const std::size_t branches = parts_.children.size();
    std::string input, output;
    for (std::size_t i = 0; i < branches; ++i) {
      Made& child = parts_.children[i];
      if (child.input != "void") check_branch(input, child.input, "takes", parts_.places[i]);
      if (child.output != "void") check_branch(output, child.output, "gives", parts_.places[i]);
    }
    if (input.empty()) input = all_void(parts_.children, true) ? "void" : "";
    if (output.empty()) output = all_void(parts_.children, false) ? "void" : "";
    Splitter& splitter = made_.structure.splitter;
    splitter.kind = parts_.split->duplicate ? Split::kDuplicate : Split::kRoundRobin;
    splitter.weights = parts_.split->duplicate ? std::vector<std::uint64_t>(branches, 1)
                                               : spread(*parts_.split_weights, branches, parts_.split->at);
    made_.structure.joiner.weights = spread(*parts_.join_weights, branches, parts_.join->at);
    if (made_.input == "void" || input == "void") {
      splitter.kind = Split::kRoundRobin;
      splitter.weights.assign(branches, 0);
    }
    if (made_.output == "void" || output == "void") made_.structure.joiner.weights.assign(branches, 0);
    if (made_.input == "void") input = "void";
    if (made_.output == "void") output = "void";
    check_ends(input, output, parts_.places.front(), parts_.places.front());
    for (Made& child : parts_.children) made_.structure.children.push_back(std::move(child.structure));
  }

  static bool all_void(const std::vector<Made>& children, bool input) {
    return std::all_of(children.begin(), children.end(),
                       [&](const Made& m) { return (input ? m.input : m.output) == "void"; });
  }

  void check_branch(std::string& all, const std::string& one, const char* does, Place at) const {
    if (!agree(all, one)) session_.fail(at, does + (" " + one) + ": expected " + all + ", as the branches before it");
    if (all.empty()) all = one;
  }

  void loop() {
    made_.structure.kind = Structure::Kind::kFeedbackLoop;
    if (!parts_.join) session_.fail(stream_.at, "expected a join in this feedbackloop");
    if (!parts_.body) session_.fail(stream_.at, "expected a body in this feedbackloop");
    if (!parts_.loop) session_.fail(stream_.at, "expected a loop in this feedbackloop");
    if (!parts_.split) session_.fail(stream_.at, "expected a split in this feedbackloop");
    constexpr std::size_t kWays = 2;
    made_.structure.joiner.weights = spread(*parts_.join_weights, kWays, parts_.join->at);
    Splitter& splitter = made_.structure.splitter;
    splitter.kind = parts_.split->duplicate ? Split::kDuplicate : Split::kRoundRobin;
    splitter.weights = parts_.split->duplicate ? std::vector<std::uint64_t>(kWays, 1)
                                               : spread(*parts_.split_weights, kWays, parts_.split->at);
    // An anonymous loop says nothing of its ends: what its joiner never takes from outside, its splitter never lets
    // out.
    if (made_.input.empty() && made_.structure.joiner.weights[0] == 0) made_.input = "void";
    if (made_.output.empty() && splitter.weights[0] == 0) made_.output = "void";
    if (made_.input == "void") made_.structure.joiner.weights[0] = 0;
    if (made_.output == "void" && !parts_.split->duplicate) splitter.weights[0] = 0;
    if (!agree(parts_.body->output, parts_.loop->input)) {
      session_.fail(stream_.at, "the loop takes " + parts_.loop->input + ": expected " + parts_.body->output +
                                    ", what the body gives");
    }
    if (!agree(parts_.loop->output, parts_.body->input)) {
      session_.fail(stream_.at, "the body takes " + parts_.body->input + ": expected " + parts_.loop->output +
                                    ", what the loop gives");
    }
    const std::string input = made_.input == "void" ? "void" : parts_.body->input;
    const std::string output = made_.output == "void" ? "void" : parts_.body->output;
    check_ends(input, output, stream_.at, stream_.at);
    made_.structure.enqueued = parts_.enqueued;
    made_.structure.children.push_back(std::move(parts_.body->structure));
    made_.structure.children.push_back(std::move(parts_.loop->structure));
  }

  const Session& session_;
  const Stream& stream_;
  Parts parts_;
  Made& made_;
};

}  // namespace

const char* to_string(StreamKind kind) {
  switch (kind) {
    case StreamKind::kFilter:
      return "filter";
    case StreamKind::kPipeline:
      return "pipeline";
    case StreamKind::kSplitJoin:
      return "splitjoin";
    case StreamKind::kFeedbackLoop:
      return "feedbackloop";
  }
  return "";
}

void compose(const Session& session, const Stream& stream, Parts parts, Made& made) {
  Composer(session, stream, std::move(parts), made).run();
}

}  // namespace braid::traffic::streamit
