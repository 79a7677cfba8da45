// A permutation from a text file: each line `SOURCE DESTINATION`; `#` starts a comment. Nodes that no line names as a
// source are silent. Each destination may be named once: it is a (partial) permutation.
#include <sstream>

#include "routing/base/text_file.h"
#include "traffic/synthetic/pattern.h"

namespace braid::traffic {
namespace {

struct PermutationFileOptions {
  std::string file;
};
const OptionTable<PermutationFileOptions> kPermutationFileTable = OptionTable<PermutationFileOptions>("traffic").file(
    "file", &PermutationFileOptions::file, "lines SOURCE DESTINATION");

class PermutationFile final : public FixedPattern {
 public:
  PermutationFile(std::size_t nodes, const std::string& file) : destination_(nodes) {
    if (file.empty()) throw InputError("traffic.file is missing: expected a file of lines SOURCE DESTINATION");
    std::istringstream in(read_text(file, "a permutation, see traffic.file"));
    std::vector<bool> taken(nodes);
    std::string line;
    bool any = false;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
      std::istringstream words(line.substr(0, line.find('#')));
      std::string from, to, more;
      if (!(words >> from)) continue;
      const SourcePosition where{file, number, 1};
      if (!(words >> to) || (words >> more)) throw InputError(where, "expected SOURCE DESTINATION");
      const std::size_t source = node(where, from, nodes), destination = node(where, to, nodes);
      if (destination_[source]) throw InputError(where, "source node " + from + " is named twice");
      if (taken[destination]) throw InputError(where, "destination node " + to + " is named twice");
      taken[destination] = true;
      destination_[source] = NodeId{destination};
      any = true;
    }
    if (!any) throw InputError({file, 0, 0}, "holds no pair: expected lines SOURCE DESTINATION");
  }
  Destination only_destination(NodeId source) const override { return destination_[source.value]; }

 private:
  static std::size_t node(const SourcePosition& where, const std::string& word, std::size_t nodes) {
    const bool digits = word.size() < 10 && word.find_first_not_of("0123456789") == std::string::npos;
    if (digits && std::stoul(word) < nodes) return std::stoul(word);
    throw InputError(where, "node \"" + one_line(word) + "\": expected 0 to " + std::to_string(nodes - 1));
  }
  std::vector<Destination> destination_;
};

const bool permutation_file_registered = PatternRegistry::instance().add(
    "permutation", "pairs of nodes from a file", kPermutationFileTable.list(),
    [](const routing::Topology& t, const Configuration& c) {
      return std::make_unique<PermutationFile>(t.node_count(), kPermutationFileTable.read(c).file);
    });

}  // namespace
}  // namespace braid::traffic
