// What is left open on a torus: which way round a ring packets go that have exactly half of it before them, and which
// half of the VCs they take there.
#pragma once

#include <cstdint>

#include "routing/base/configuration.h"
#include "routing/base/options.h"

namespace braid::routing {

/// Of a way of half a ring, in each dimension.
enum class Ties : std::uint8_t {
  kAuto,   ///< drawn, unless pins stand between routers, which tell nothing of a draw
  kDrawn,  ///< each packet draws
  kFixed   ///< by router and destination
};

struct TiesOptions {
  Ties ties = Ties::kAuto;
};
/// Does the experiment have a torus?
bool on_torus(const Configuration& configuration);
constexpr const char* kOnTorus = "topology.kind = \"torus\"";
/// The key routing.ties of a table whose options are TiesOptions, too.
template <class Options>
OptionTable<Options>& add_ties(OptionTable<Options>& table) {
  return table.template choice<Ties>(
      "ties", &Options::ties, {{"auto", Ties::kAuto}, {"drawn", Ties::kDrawn}, {"fixed", Ties::kFixed}},
      "half-way round a ring each packet draws its way, or router and destination decide; auto: drawn, but fixed where "
      "router.implementation is not \"model\"");
}

/// Do packets draw, under this configuration?
bool ties_are_drawn(Ties ties, const Configuration& configuration);
/// The configuration for who knows no draws: "auto" is "fixed".
Configuration without_draws(Configuration configuration);

}  // namespace braid::routing
