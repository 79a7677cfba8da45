// XY-YX: each packet takes all links in x first, or all links in y first, and keeps to that order. Seo, Ali, Lim,
// Rafique, Thottethodi, "Near-optimal worst-case throughput routing for two-dimensional mesh networks" (O1TURN), ISCA
// 2005, draws the order; the adaptive form chooses it at the source's router by the queues there. Packets that go x
// first have the lower half of the VCs, those that go y first the upper half: each half by itself is dimension order.
#include "routing/algorithm/grid_routing.h"
#include "routing/algorithm/intermediate.h"
#include "routing/algorithm/output_queues.h"

namespace braid::routing {
namespace {

class XyYx : public GridRouting {
 public:
  /// One bit: the order, or who wins where both ways out have queues of the same length.
  std::uint32_t draws() const override { return 2; }
  /// Dally and Seitz (1987), for each order; no packet goes from one to the other.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return topology_.nodes.front().size(); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Offset o = offset(q);
    if ((o.x | o.y) == 0) return eject(q, out);
    const bool x_first = goes_x_first(q, o);
    const bool in_x = x_first ? o.x != 0 : o.y == 0;
    out.add(in_x ? x_port(o.x) : y_port(o.y), x_first ? lower_ : all_vcs_ & ~lower_);
  }

 protected:
  XyYx(const char* name, const Topology& topology, const RoutingContext& context)
      : GridRouting(topology, context.vcs, name), lower_(0) {
    if (grid_.wrap) {
      throw InputError("routing algorithm \"" + std::string(name) + "\" needs a mesh; topology is " + topology.name);
    }
    require_hybrid_routers(name, context.configuration);
    require_vcs(name, "mesh", context.vcs, 2);
    lower_ = lower_half(all_vcs_);
  }

  virtual bool goes_x_first(const RouteQuery& q, const Offset& left) const = 0;
  static bool drawn(const RouteQuery& q) { return (q.draw & 1) == 0; }
  bool came_x_first(const RouteQuery& q) const { return (lower_ >> q.in_vc.value & 1) != 0; }

 private:
  VcMask lower_;
};

class DrawnXyYx final : public XyYx {
 public:
  DrawnXyYx(const Topology& topology, const RoutingContext& context) : XyYx(name(), topology, context) {}
  static const char* name() { return "xy_yx"; }

 private:
  bool goes_x_first(const RouteQuery& q, const Offset&) const override { return drawn(q); }
};

class AdaptiveXyYx final : public XyYx, public ReadsOutputQueues {
 public:
  AdaptiveXyYx(const Topology& topology, const RoutingContext& context) : XyYx(name(), topology, context) {}
  static const char* name() { return "adaptive_xy_yx"; }
  void read_queues(const OutputQueues& queues) const override { queues_ = &queues; }

 private:
  bool goes_x_first(const RouteQuery& q, const Offset& left) const override {
    if (q.in_port.value < kFirstGridLocalPort.value) return came_x_first(q);
    if (left.x == 0 || left.y == 0 || queues_ == nullptr) return drawn(q);
    const std::uint32_t in_x = queues_->waiting_flits(q.router, x_port(left.x)),
                        in_y = queues_->waiting_flits(q.router, y_port(left.y));
    return in_x == in_y ? drawn(q) : in_x < in_y;
  }
  mutable const OutputQueues* queues_ = nullptr;  // of the network that the algorithm was made for
};

template <class Algorithm>
bool add_xy_yx(const char* summary) {
  return RoutingRegistry::instance().add(Algorithm::name(), summary, [](const Topology& t, const RoutingContext& o) {
    return std::make_unique<Algorithm>(t, o);
  });
}
const bool xy_yx_registered = add_xy_yx<DrawnXyYx>("x first or y first, as each packet draws (O1TURN; mesh)");
const bool adaptive_xy_yx_registered =
    add_xy_yx<AdaptiveXyYx>("x first or y first, by the queues of the source's router (mesh)");

}  // namespace
}  // namespace braid::routing
