// A layout as a picture (SVG): tiles of a grid with the actors on them, and what goes over each link.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/fabric/circuits.h"
#include "routing/topology/topology.h"
#include "tb/braid/link_map.h"
#include "traffic/streams/stream_graph.h"

namespace braid::tb {

struct LayoutDrawing {
  const routing::Topology& topology;
  const traffic::StreamGraph& graph;
  const std::vector<NodeId>& place;  ///< [actor]
  /// A coloured line each, along its links; none: packets.
  const std::vector<models::CircuitResult>& circuits;
  const Loads& loads;        ///< of packets: streams on each link, drawn if there are no circuits
  const std::string& title;  ///< what the lines are
};

/// Throws InputError where there is no grid to draw on.
std::string layout_svg(const LayoutDrawing& drawing);
/// Whoever will draw asks before anything is run.
void check_can_draw(const routing::Topology& topology);

}  // namespace braid::tb
