#include "traffic/streams/streamit/types.h"

#include <algorithm>
#include <string>

namespace braid::traffic::streamit {
namespace {

/// What comes in, along the streams; returns what goes out.
std::string forward(Structure& s, const std::string& input) {
  switch (s.kind) {
    case Structure::Kind::kFilter:
      if (s.filter.input_type.empty()) s.filter.input_type = input;
      return s.filter.output_type;
    case Structure::Kind::kPipeline: {
      std::string type = input;
      for (Structure& child : s.children) type = forward(child, type);
      return type;
    }
    case Structure::Kind::kSplitJoin: {
      std::string type;
      for (Structure& child : s.children) type = std::max(type, forward(child, input));
      return type;
    }
    case Structure::Kind::kFeedbackLoop: {
      const std::string type = forward(s.children[0], input);
      (void)forward(s.children[1], type);
      return type;
    }
  }
  return "";
}

/// What is wanted behind, against the streams; returns what is wanted in front.
std::string backward(Structure& s, const std::string& output) {
  switch (s.kind) {
    case Structure::Kind::kFilter:
      if (s.filter.output_type.empty()) s.filter.output_type = output.empty() ? s.filter.input_type : output;
      return s.filter.input_type;
    case Structure::Kind::kPipeline: {
      std::string type = output;
      for (auto child = s.children.rbegin(); child != s.children.rend(); ++child) type = backward(*child, type);
      return type;
    }
    case Structure::Kind::kSplitJoin: {
      std::string type;
      for (Structure& child : s.children) type = std::max(type, backward(child, output));
      return type;
    }
    case Structure::Kind::kFeedbackLoop: {
      const std::string wanted = backward(s.children[1], "");
      const std::string type = backward(s.children[0], output.empty() ? wanted : output);
      return type;
    }
  }
  return "";
}

}  // namespace

void infer_types(Structure& program) {
  (void)forward(program, "void");
  (void)backward(program, "void");
  (void)forward(program, "void");  // what is known of outputs now
}

}  // namespace braid::traffic::streamit
