// Several patterns at once: each packet draws one of them, all with the same probability (in-transit-buffers, section
// 4.1, "Combined": "each host will generate messages using each distribution with the same probability"). Patterns keep
// their own options, which exist where a pattern is one of those listed.
#include <algorithm>
#include <sstream>

#include "traffic/synthetic/pattern.h"

namespace braid::traffic {
namespace {

constexpr const char* kCombinedName = "combined";

struct CombinedOptions {
  std::string patterns = "uniform bit_reversal local hot_spot";
};
const OptionTable<CombinedOptions> kCombinedTable = OptionTable<CombinedOptions>("traffic").text(
    "patterns", &CombinedOptions::patterns, "names of patterns; one named twice is drawn twice as often");

std::vector<std::string> names_in(const std::string& patterns) {
  std::istringstream words(patterns);
  std::vector<std::string> names;
  for (std::string name; words >> name;) names.push_back(name);
  return names;
}

/// `patterns`, with the options of every other pattern behind it. Asked late: registries fill while the program starts.
OptionList combined_options() {
  OptionList list = kCombinedTable.list();
  list.back().branches = [](const Option& option) {
    std::vector<OptionBranch> branches;
    for (const auto& [name, entry] : PatternRegistry::instance().entries()) {
      if (name == kCombinedName || entry.options->empty()) continue;
      const auto listed = [word = name](const OptionValue& value, const Configuration&) {
        const auto* text = std::get_if<std::string>(&value);
        if (text == nullptr) return false;
        const std::vector<std::string> names = names_in(*text);
        return std::find(names.begin(), names.end(), word) != names.end();
      };
      branches.push_back({option.key() + " with \"" + name + "\"", listed, entry.options});
    }
    return branches;
  };
  return list;
}

class Combined final : public TrafficPattern {
 public:
  Combined(const routing::Topology& topology, const Configuration& configuration) {
    for (const std::string& name : names_in(kCombinedTable.read(configuration).patterns)) {
      if (name == kCombinedName) throw InputError("traffic.patterns: \"combined\" cannot be a part of itself");
      try {
        patterns_.push_back(PatternRegistry::instance().make(name, topology, configuration));
      } catch (const InputError& e) {
        if (e.has_place()) throw;
        throw InputError(std::string("traffic.patterns: ") + e.what());
      }
    }
    if (patterns_.empty()) throw InputError("traffic.patterns: expected the name of a pattern, or several");
  }
  Destination destination(NodeId source, Random& random) const override {
    return patterns_[random.below(patterns_.size())]->destination(source, random);
  }
  bool add_shares(NodeId source, double weight, Shares& to) const override {
    const double each = weight / static_cast<double>(patterns_.size());
    return std::all_of(patterns_.begin(), patterns_.end(),
                       [&](const auto& pattern) { return pattern->add_shares(source, each, to); });
  }

 private:
  std::vector<std::unique_ptr<TrafficPattern>> patterns_;
};

const bool combined_registered = PatternRegistry::instance().add(
    kCombinedName, "each packet draws one of several patterns", combined_options(),
    [](const routing::Topology& t, const Configuration& c) { return std::make_unique<Combined>(t, c); });

}  // namespace
}  // namespace braid::traffic
