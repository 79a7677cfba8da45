#include "routing/algorithm/torus_ways.h"

#include <string>

namespace braid::routing {
namespace {

bool gives(const Configuration& c, const char* key, const char* word) {
  const Configuration::Given* given = c.find(key);
  return given != nullptr && given->value == OptionValue(std::string(word));
}

}  // namespace

bool on_torus(const Configuration& configuration) { return gives(configuration, "topology.kind", "torus"); }

bool ties_are_drawn(Ties ties, const Configuration& configuration) {
  if (ties != Ties::kAuto) return ties == Ties::kDrawn;
  return configuration.find("router.implementation") == nullptr ||
         gives(configuration, "router.implementation", "model");
}

Configuration without_draws(Configuration configuration) {
  const bool given = configuration.find("routing.ties") != nullptr && !gives(configuration, "routing.ties", "auto");
  if (!given) configuration.set("routing.ties", "fixed");
  return configuration;
}

}  // namespace braid::routing
