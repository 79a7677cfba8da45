// StreamIt programs in tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "routing/base/input_error.h"
#include "traffic/streams/flat_graph.h"
#include "traffic/streams/streamit/streamit.h"

namespace braid::test {

/// A text as a file of its own while this stands.
class StreamItFile {
 public:
  explicit StreamItFile(const std::string& text, const std::string& name = "p.str")
      : name_(testing::TempDir() + std::to_string(getpid()) + "_" + name) {
    std::ofstream(name_) << text;
  }
  StreamItFile(const StreamItFile&) = delete;
  StreamItFile& operator=(const StreamItFile&) = delete;
  ~StreamItFile() { std::remove(name_.c_str()); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

inline traffic::FlatGraph flat(const std::string& text) {
  const StreamItFile file(text);
  return traffic::flatten(traffic::read_streamit({file.name()}), file.name());
}

/// `LINE:COLUMN: message` of the first mistake, of reading or of the steady state.
inline std::string mistake(const std::string& text) {
  const StreamItFile file(text);
  try {
    (void)traffic::flatten(traffic::read_streamit({file.name()}), file.name()).repetitions();
  } catch (const InputError& e) {
    const std::string what = e.what();
    return what.rfind(file.name(), 0) == 0 ? what.substr(file.name().size() + 1) : what;
  }
  return "";
}

/// `filters/splitters/joiners/edges`.
inline std::string counts(const traffic::FlatGraph& graph) {
  using Kind = traffic::FlatNode::Kind;
  return std::to_string(graph.count(Kind::kFilter)) + "/" + std::to_string(graph.count(Kind::kSplitter)) + "/" +
         std::to_string(graph.count(Kind::kJoiner)) + "/" + std::to_string(graph.edges.size());
}

inline const traffic::FlatNode& node(const traffic::FlatGraph& graph, const std::string& name) {
  for (const traffic::FlatNode& n : graph.nodes) {
    if (n.name == name) return n;
  }
  throw std::runtime_error("no node " + name);
}

/// A source of floats and a sink around what stands between; more declarations may follow.
inline std::string between(const std::string& streams, const std::string& declarations = "") {
  return "void->void pipeline Main { add Source(); " + streams +
         " add Sink(); }\n"
         "void->float filter Source { work push 1 { push(0); } }\n"
         "float->void filter Sink { work pop 1 { pop(); } }\n" +
         declarations;
}

/// The only filter but Source and Sink.
inline traffic::Filter filter_of(const std::string& declaration) {
  const traffic::FlatGraph graph = flat(between("add F();", declaration));
  return node(graph, "F").filter;
}

}  // namespace braid::test
