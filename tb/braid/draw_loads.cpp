#include "tb/braid/draw_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tb/braid/markup.h"

namespace braid::tb {
namespace {

using routing::Position;

double load_of(const models::LinkResult& link) { return link.packet_flits_per_cycle + link.circuit_flits_per_cycle; }

/// From grey to red.
std::string colour(double share) {
  const auto between = [share](int from, int to) { return from + static_cast<int>(std::lround(share * (to - from))); };
  return fmt::format("#{:02x}{:02x}{:02x}", between(0xcc, 0xd6), between(0xcc, 0x00), between(0xcc, 0x00));
}

/// The least distance between two routers at different places; of many routers by their order along x.
double nearest(std::vector<Position> all) {
  std::sort(all.begin(), all.end(), [](const Position& a, const Position& b) { return a.x < b.x; });
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size() && all[j].x - all[i].x < least; ++j) {
      const double d = std::hypot(all[j].x - all[i].x, all[j].y - all[i].y);
      if (d > 0.0) least = std::min(least, d);
    }
  }
  return least;
}

class LoadPicture {
 public:
  LoadPicture(const routing::Topology& topology, const std::vector<models::LinkResult>& links,
              const std::vector<models::NodeLinkResult>& nodes)
      : topology_(topology), links_(links), nodes_(nodes), at_(router_positions(topology)) {
    to_pixels();
    for (const models::LinkResult& link : links) most_ = std::max(most_, part_of(link));
  }

  std::string svg(const std::string& title) const {
    std::string body;
    for (const models::LinkResult& link : links_) body += line(link);
    for (std::size_t r = 0; r < topology_.router_count(); ++r) body += router(RouterId{r});
    const double wide = std::max(wide_, 7.5 * static_cast<double>(title.size())) + 2 * kMargin;
    const double high = high_ + 2 * kMargin + kHead;
    return fmt::format(
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
               "{1:.0f}\" font-family=\"sans-serif\" font-size=\"10\">\n"
               "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"white\"/>\n"
               "<text x=\"20\" y=\"24\" font-size=\"14\">{2}</text>\n",
               wide, high, xml_text(title)) +
           legend() + body + "</svg>\n";
  }

 private:
  // Pixels.
  static constexpr double kNearest = 110.0;  // between the two routers that are nearest to each other
  static constexpr double kMostSide = 6000.0, kMargin = 70.0, kHead = 60.0;
  static constexpr double kRouter = 20.0;  // half a side
  static constexpr double kLane = 6.0;     // from a link's middle to the line of one direction, right of its way
  static constexpr double kStub = 28.0;    // what is seen of a link around a torus's edge
  static constexpr double kNarrowest = 0.8, kWidest = 7.0;  // of a line
  static constexpr std::size_t kMostLabels = 800;           // links with their number beside them

  /// Largest extent and the nearest routers decide on the scale; y grows downwards from now on.
  void to_pixels() {
    Position low = at_.front(), high = at_.front();
    for (const Position& p : at_) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const double side = std::max(high.x - low.x, high.y - low.y);
    const double apart = nearest(at_);
    double scale = std::isfinite(apart) ? kNearest / apart : 1.0;
    if (side > 0.0) scale = std::min(scale, kMostSide / side);
    for (Position& p : at_) {
      p = {kMargin + (p.x - low.x) * scale, kHead + kMargin + (high.y - p.y) * scale};
    }
    wide_ = (high.x - low.x) * scale;
    high_ = (high.y - low.y) * scale;
  }

  /// Of what the link takes.
  double part_of(const models::LinkResult& link) const {
    return load_of(link) / topology_.port(link.from, link.port).flits_per_cycle;
  }
  double share(const models::LinkResult& link) const { return most_ > 0.0 ? part_of(link) / most_ : 0.0; }

  /// Around a torus's edge a line would cross all routers between.
  bool goes_around(RouterId from, RouterId to) const {
    if (!topology_.grid || !topology_.grid->wrap) return false;
    const routing::Grid& g = *topology_.grid;
    const auto far = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b > 1 : b - a > 1; };
    return far(g.x(from), g.x(to)) || far(g.y(from), g.y(to));
  }

  std::string line(const models::LinkResult& link) const {
    const routing::Port& port = topology_.port(link.from, link.port);
    const Position a = at_[link.from.value], b = at_[port.peer_router.value];
    const bool around = goes_around(link.from, port.peer_router);
    const double length = std::hypot(b.x - a.x, b.y - a.y), way = around ? -1.0 : 1.0;
    if (length == 0.0) return {};
    const Position step{way * (b.x - a.x) / length, way * (b.y - a.y) / length};
    const Position side{-step.y * kLane, step.x * kLane};
    const auto along = [&](const Position& p, double by) {
      return Position{p.x + step.x * by + side.x, p.y + step.y * by + side.y};
    };
    const double load = load_of(link);
    std::string all = fmt::format(
        "<g class=\"load\" stroke=\"{0}\" fill=\"{0}\"><title>{1} {2} -&gt; {3}: {4:.4g} "
        "flits/cycle</title>",
        colour(share(link)), xml_text(topology_.router_names[link.from.value]), xml_text(port.name),
        xml_text(topology_.router_names[port.peer_router.value]), load);
    const double width = kNarrowest + share(link) * (kWidest - kNarrowest);
    if (around) {
      all += stroke(along(a, kRouter), along(a, kRouter + kStub), width);
      all += stroke(along(b, -kRouter - kStub), along(b, -kRouter), width);
    } else {
      all += stroke(along(a, kRouter), along(b, -kRouter), width);
    }
    all += head(along(b, -kRouter), step) + "</g>\n";
    if (load == 0.0 || links_.size() > kMostLabels) return all;
    const Position label = along(a, around ? kRouter + kStub / 2 : kRouter + (length - 2 * kRouter) * 0.3);
    return all + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.2g}</text>\n",
                             label.x + 1.6 * side.x, label.y + 1.6 * side.y + 3, load);
  }
  static std::string stroke(const Position& from, const Position& to, double width) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke-width=\"{:.2f}\"/>",
                       from.x, from.y, to.x, to.y, width);
  }
  static std::string head(const Position& tip, const Position& step) {
    const Position back{tip.x - 7 * step.x, tip.y - 7 * step.y};
    return fmt::format("<path stroke=\"none\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z\"/>", tip.x, tip.y,
                       back.x - 4 * step.y, back.y + 4 * step.x, back.x + 4 * step.y, back.y - 4 * step.x);
  }

  std::string router(RouterId r) const {
    const Position& m = at_[r.value];
    std::string told = "router " + topology_.router_names[r.value];
    for (const models::NodeLinkResult& node : nodes_) {
      const bool in = topology_.entry_router(node.node) == r, out = topology_.exit_router(node.node) == r;
      if (!in && !out) continue;
      told += fmt::format("; node {}:", node.node.value);
      if (in) told += fmt::format(" {:.4g} flits/cycle in", node.injected_flits_per_cycle);
      if (out)
        told += fmt::format("{} {:.4g}{} out", in ? "," : "", node.ejected_flits_per_cycle, in ? "" : " flits/cycle");
    }
    return fmt::format(
        "<g class=\"router\"><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" "
        "fill=\"#eeeeee\" stroke=\"#888888\"/><text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text></g>\n",
        xml_text(told), m.x - kRouter, m.y - kRouter, 2 * kRouter, 2 * kRouter, m.x, m.y + 4,
        xml_text(topology_.router_names[r.value].substr(0, 6)));
  }

  std::string legend() const {
    std::string all;
    constexpr int kSteps = 5;
    for (int i = 0; i <= kSteps; ++i) {
      const double share = static_cast<double>(i) / kSteps, x = 20.0 + 90.0 * i;
      all += fmt::format(
          "<line x1=\"{0}\" y1=\"42\" x2=\"{1}\" y2=\"42\" stroke=\"{2}\" stroke-width=\"{3:.2f}\"/><text x=\"{4}\" "
          "y=\"46\">{5:.2g}</text>\n",
          x, x + 30, colour(share), kNarrowest + share * (kWidest - kNarrowest), x + 36, share * most_);
    }
    return all + fmt::format("<text x=\"{}\" y=\"46\">{}</text>\n", 20.0 + 90.0 * (kSteps + 1) - 20,
                             topology_.has_faster_links() ? "of what a link takes in a cycle" : "flits/cycle");
  }

  const routing::Topology& topology_;
  const std::vector<models::LinkResult>& links_;
  const std::vector<models::NodeLinkResult>& nodes_;
  std::vector<Position> at_;
  double most_ = 0.0, wide_ = 0.0, high_ = 0.0;
};

}  // namespace

std::vector<Position> router_positions(const routing::Topology& topology) {
  if (!topology.positions.empty()) return topology.positions;
  std::vector<Position> all;
  const std::size_t count = topology.router_count();
  for (std::size_t i = 0; i < count; ++i) {
    const RouterId r{i};
    if (topology.grid) {
      all.push_back({static_cast<double>(topology.grid->x(r)), static_cast<double>(topology.grid->y(r))});
    } else if (topology.tree) {
      all.push_back({static_cast<double>(topology.tree->word(r)), 2.0 * topology.tree->level(r)});
    } else {
      const double angle = 2.0 * M_PI * static_cast<double>(i) / static_cast<double>(count);
      all.push_back({std::sin(angle) * static_cast<double>(count), std::cos(angle) * static_cast<double>(count)});
    }
  }
  return all;
}

namespace {

/// Of networks side by side a link is drawn once, with what it carries in all of them.
std::vector<models::LinkResult> over_subnets(const std::vector<models::LinkResult>& links) {
  std::vector<models::LinkResult> all;
  for (const models::LinkResult& link : links) {  // subnet by subnet, in the same order
    if (link.subnet.value_or(0) == 0) {
      all.push_back(link);
      continue;
    }
    models::LinkResult& first = all[static_cast<std::size_t>(&link - links.data()) % all.size()];
    first.packet_flits_per_cycle += link.packet_flits_per_cycle;
    first.circuit_flits_per_cycle += link.circuit_flits_per_cycle;
  }
  return all;
}

}  // namespace

std::string loads_svg(const routing::Topology& topology, const std::vector<models::LinkResult>& links,
                      const std::vector<models::NodeLinkResult>& nodes, const std::string& title) {
  const std::vector<models::LinkResult> drawn = over_subnets(links);
  return LoadPicture(topology, drawn, nodes).svg(title);
}

}  // namespace braid::tb
