#include "traffic/streams/streamit/types.h"

#include <algorithm>
#include <string>
#include <vector>

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
      if (wanted.empty()) (void)backward(s.children[1], type);  // what it gives goes in in front, too
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

std::uint64_t words_of(const Value& value) {
  if (value.items == nullptr) return value.kind == Value::Kind::kComplex ? 2 : 1;
  const std::vector<Value>& parts = value.items->values;
  if (value.kind == Value::Kind::kArray) return parts.empty() ? 0 : parts.size() * words_of(parts.front());
  std::uint64_t all = 0;
  for (const Value& member : parts) all += words_of(member);
  return all;
}

void set_words(Structure& program, const std::map<std::string, std::uint64_t>& words) {
  const auto of = [&](const std::string& type) {
    const auto known = words.find(type);
    return known == words.end() ? 1 : known->second;
  };
  program.filter.input_words = of(program.filter.input_type);
  program.filter.output_words = of(program.filter.output_type);
  for (Structure& child : program.children) set_words(child, words);
}

}  // namespace braid::traffic::streamit
