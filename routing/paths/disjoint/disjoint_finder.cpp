#include "routing/paths/disjoint/disjoint_finder.h"

namespace braid::routing {

const OptionTable<DisjointOptions>& disjoint_options() {
  static const OptionTable<DisjointOptions> table =
      OptionTable<DisjointOptions>("disjoint")
          .integer("layouts", &DisjointOptions::layouts, 0, 1000000,
                   "random layouts of the stream graph; 0: the experiment's own")
          .policy<DisjointRegistry>("finder", &DisjointOptions::finder, "who looks for link-disjoint paths", "all");
  return table;
}

OptionBranch disjoint_branch() {
  OptionList options = disjoint_options().list();
  const auto of_the_chosen = options.back().branches;
  options.back().branches = [of_the_chosen](const Option& finder) {
    std::vector<OptionBranch> branches = of_the_chosen(finder);
    for (const auto& [name, entry] : DisjointRegistry::instance().entries()) {
      if (entry.options->empty()) continue;
      const auto all = [](const OptionValue& v, const Configuration&) { return v == OptionValue(std::string("all")); };
      branches.push_back({finder.key() + " = \"all\"", all, entry.options});
    }
    return branches;
  };
  return {"a section [disjoint]", [](const OptionValue&, const Configuration& c) { return c.has_section("disjoint"); },
          std::make_shared<const OptionList>(options)};
}

}  // namespace braid::routing
