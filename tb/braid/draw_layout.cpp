#include "tb/braid/draw_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "routing/base/input_error.h"
#include "tb/braid/markup.h"

namespace braid::tb {
namespace {

// Pixels. A router is a square; its node's tile stands up and to the right of it, clear of all links.
constexpr int kPitch = 150, kRouter = 20;  // kRouter: half a side
constexpr int kLane = 7;                   // from a link's middle to the line of one direction, on the right of its way
constexpr int kTileAway = 22, kTileWide = 112, kTileHigh = 64;
constexpr int kStub = 30;                                        // what is seen of a link around a torus's edge
constexpr int kMargin = 60, kHead = 40, kRow = 16, kLetter = 6;  // kLetter: as wide as most
constexpr std::size_t kLetters = 16, kLines = 5;                 // of a name in its tile

constexpr std::array<const char*, 12> kColours{"#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b",
                                               "#e377c2", "#17becf", "#7f7f00", "#004d99", "#660000", "#006633"};
constexpr std::array<const char*, 3> kDashes{"", " stroke-dasharray=\"7 3\"", " stroke-dasharray=\"2 3\""};

struct Point {
  int x = 0, y = 0;
};

class Picture {
 public:
  explicit Picture(const LayoutDrawing& drawing) : d_(drawing), grid_(*drawing.topology.grid) {}

  std::string svg() {
    std::string body;
    for (std::size_t r = 0; r < d_.topology.router_count(); ++r) body += links(RouterId{r});
    for (std::size_t r = 0; r < d_.topology.router_count(); ++r) body += router(RouterId{r});
    for (std::size_t a = 0; a < d_.graph.actors.size(); ++a) body += tile(a);
    body += d_.circuits.empty() ? load_lines() : circuit_lines();
    const int wide = 2 * kMargin + static_cast<int>(grid_.width) * kPitch + legend_wide();
    const int high = std::max(kHead + 2 * kMargin + static_cast<int>(grid_.height) * kPitch,
                              kHead + static_cast<int>(d_.circuits.size() + 2) * kRow);
    return fmt::format(
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
               "font-family=\"sans-serif\" font-size=\"11\">\n"
               "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
               wide, high) +
           fmt::format("<text x=\"{}\" y=\"24\" font-size=\"15\">{}</text>\n", kMargin - kRouter, xml_text(d_.title)) +
           body + "</svg>\n";
  }

 private:
  Point middle(RouterId r) const {
    const int x = static_cast<int>(grid_.x(r)), y = static_cast<int>(grid_.height - 1 - grid_.y(r));  // north is up
    return {kMargin + x * kPitch, kHead + kMargin + kTileHigh + y * kPitch};
  }
  static Point direction(PortId port) {
    constexpr std::array<Point, 4> kOf{Point{1, 0}, Point{-1, 0}, Point{0, -1}, Point{0, 1}};
    return kOf[port.value];
  }
  /// On the border of a router, `away` outside, where what goes by `port` leaves it ...
  Point leaves(RouterId r, PortId port, int away = 0) const {
    const Point m = middle(r), to = direction(port);
    return {m.x + to.x * (kRouter + away) - to.y * kLane, m.y + to.y * (kRouter + away) + to.x * kLane};
  }
  /// ... and where it enters the next.
  Point enters(RouterId next, PortId port, int away = 0) const {
    const Point m = middle(next), to = direction(port);
    return {m.x - to.x * (kRouter + away) - to.y * kLane, m.y - to.y * (kRouter + away) + to.x * kLane};
  }
  static std::string at(char letter, Point p) { return fmt::format("{}{} {}", letter, p.x, p.y); }

  /// A link's line, from where the last one has ended or anew; around a torus's edge in two stubs.
  std::string link(RouterId from, PortId port, bool anew) const {
    const RouterId to = d_.topology.port(from, port).peer_router;
    const Point step = direction(port);
    const Point out = leaves(from, port), in = enters(to, port);
    std::string line = at(anew ? 'M' : 'L', out);
    const bool around = (in.x - out.x) * step.x + (in.y - out.y) * step.y < 0;
    if (around) line += at('L', leaves(from, port, kStub)) + at('M', enters(to, port, kStub));
    return line + at('L', in);
  }

  /// An arrow's head where it enters the last router.
  std::string head(const models::CircuitResult::Step& last, const char* colour) const {
    const Point step = direction(last.port);
    const Point tip = enters(d_.topology.port(last.router, last.port).peer_router, last.port);
    const Point back{tip.x - 8 * step.x, tip.y - 8 * step.y};
    return fmt::format("<path d=\"M{} {}L{} {}L{} {}z\" fill=\"{}\"/>\n", tip.x, tip.y, back.x - 4 * step.y,
                       back.y + 4 * step.x, back.x + 4 * step.y, back.y - 4 * step.x, colour);
  }

  int legend_wide() const {
    std::size_t letters = 0;
    for (const models::CircuitResult& c : d_.circuits) letters = std::max(letters, c.stream.size() + 11);
    return static_cast<int>(letters) * kLetter + (letters == 0 ? 0 : 30);
  }

  /// The grid behind everything, each link once.
  std::string links(RouterId r) const {
    std::string all;
    for (const PortId port : {routing::kEast, routing::kNorth}) {
      const routing::Port& p = d_.topology.port(r, port);
      if (p.kind != routing::PortKind::kNetwork) continue;
      const Point a = middle(r), b = middle(p.peer_router), to = direction(port);
      if ((b.x - a.x) * to.x + (b.y - a.y) * to.y < 0) continue;  // around the edge
      all += fmt::format("<line class=\"link\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#dddddd\"/>\n", a.x,
                         a.y, b.x, b.y);
    }
    return all;
  }

  std::string router(RouterId r) const {
    const Point m = middle(r);
    return fmt::format(
        "<rect class=\"router\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#eeeeee\" stroke=\"#888888\">"
        "<title>router {}</title></rect>\n",
        m.x - kRouter, m.y - kRouter, 2 * kRouter, 2 * kRouter, xml_text(d_.topology.router_names[r.value]));
  }

  std::string tile(std::size_t actor) const {
    const traffic::Actor& a = d_.graph.actors[actor];
    const NodeId node = d_.place[actor];
    const Point m = middle(d_.topology.router_of(node));
    const Point corner{m.x + kTileAway, m.y - kTileAway - kTileHigh};
    std::string all = fmt::format(
        "<g class=\"actor\"><title>{}: node {}, {} cycles a firing</title>"
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#888888\"/>"
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"#fff8dc\" stroke=\"#888888\"/>",
        xml_text(a.name), node.value, a.work_cycles, m.x + kRouter, m.y - kRouter, corner.x, corner.y + kTileHigh,
        corner.x, corner.y, kTileWide, kTileHigh);
    const std::vector<std::string> lines = in_lines(a.name);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      all += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", corner.x + 5, corner.y + 13 + static_cast<int>(i) * 12,
                         xml_text(lines[i]));
    }
    return all + "</g>\n";
  }

  /// Cut anywhere between two characters (UTF-8: not in one): names have no blanks.
  static std::vector<std::string> in_lines(const std::string& name) {
    std::vector<std::string> lines(1);
    std::size_t letters = 0;
    for (const char c : name) {
      const bool begins = (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
      if (begins && letters++ == kLetters) {
        if (lines.size() == kLines) {
          lines.back() += "\u2026";
          break;
        }
        lines.emplace_back();
        letters = 1;
      }
      lines.back() += c;
    }
    return lines;
  }

  std::string circuit_lines() const {
    const int x = 2 * kMargin + static_cast<int>(grid_.width) * kPitch;
    std::string all;
    for (std::size_t c = 0; c < d_.circuits.size(); ++c) {
      const models::CircuitResult& circuit = d_.circuits[c];
      const char* colour = kColours[c % kColours.size()];
      const char* dashes = kDashes[c / kColours.size() % kDashes.size()];
      std::string path;
      std::size_t links = 0;
      std::optional<models::CircuitResult::Step> last;
      for (const auto& step : circuit.path) {
        if (d_.topology.port(step.router, step.port).kind != routing::PortKind::kNetwork) continue;
        path += link(step.router, step.port, path.empty());
        last = step;
        ++links;
      }
      const std::string text = fmt::format("{} ({} {})", circuit.stream, links, links == 1 ? "link" : "links");
      const std::string stroke = fmt::format("fill=\"none\" stroke=\"{}\"{}", colour, dashes);
      if (last) {
        all += fmt::format("<path class=\"circuit\" d=\"{}\" {} stroke-width=\"2\"><title>{}</title></path>\n", path,
                           stroke, xml_text(text));
        all += head(*last, colour);
      }
      const int y = kHead + (static_cast<int>(c) + 1) * kRow;
      all += fmt::format("<path d=\"M{} {}h24\" {} stroke-width=\"3\"/><text x=\"{}\" y=\"{}\">{}</text>\n", x, y,
                         stroke, x + 30, y + 4, xml_text(text));
    }
    return all;
  }

  std::string load_lines() const {
    constexpr double kWidest = 10.0;
    std::string all;
    for (std::size_t r = 0; r < d_.loads.size(); ++r) {
      for (std::size_t p = 0; p < d_.loads[r].size(); ++p) {
        const double load = d_.loads[r][p];
        if (d_.topology.port(RouterId{r}, PortId{p}).kind != routing::PortKind::kNetwork || load == 0.0) continue;
        const Point out = leaves(RouterId{r}, PortId{p}, kStub / 2), to = direction(PortId{p});
        all += fmt::format(
            "<path class=\"load\" d=\"{}\" fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"{:.3g}\"/>"
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:.3g}</text>\n",
            link(RouterId{r}, PortId{p}, true), std::min(load, kWidest), out.x - to.y * kLane, out.y + to.x * kLane + 4,
            load);
      }
    }
    return all;
  }

  const LayoutDrawing& d_;
  const routing::Grid& grid_;
};

}  // namespace

void check_can_draw(const routing::Topology& topology) {
  if (topology.grid) return;
  throw InputError("--draw: " + topology.name + " has no rows and columns to draw; expected a mesh or a torus");
}

std::string layout_svg(const LayoutDrawing& drawing) {
  check_can_draw(drawing.topology);
  return Picture(drawing).svg();
}

}  // namespace braid::tb
