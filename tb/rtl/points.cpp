#include "tb/rtl/points.h"

#include <fmt/format.h>

#include <algorithm>

#include "tb/rtl/router_words.h"

namespace braid::rtl {
namespace {

// One source: hw/words.toml. The model's enums are its own; they have the same values.
template <class Rtl, class Model>
constexpr bool same(Rtl a, Model b) {
  return static_cast<unsigned>(a) == static_cast<unsigned>(b);
}
static_assert(same(VcState::kIdle, models::hybrid::VcState::kIdle) &&
              same(VcState::kNeedsRoute, models::hybrid::VcState::kNeedsRoute) &&
              same(VcState::kWaitsForVc, models::hybrid::VcState::kWaitsForVc) &&
              same(VcState::kActive, models::hybrid::VcState::kActive));
static_assert(same(ControlKind::kProbe, models::hybrid::ControlKind::kProbe) &&
              same(ControlKind::kBacktrack, models::hybrid::ControlKind::kBacktrack) &&
              same(ControlKind::kAcknowledge, models::hybrid::ControlKind::kAcknowledge) &&
              same(ControlKind::kTearDown, models::hybrid::ControlKind::kTearDown));

std::vector<PointEntry>& entries() {
  static std::vector<PointEntry> list;
  return list;
}

std::string describe_circuits(const models::hybrid::RouterShape& s) {
  return fmt::format("circuits of {} flits{}", s.circuit_depth,
                     s.circuit_lanes == 1 ? "" : fmt::format(", {} a local port", s.circuit_lanes));
}

std::string describe(const models::hybrid::RouterShape& s) {
  return fmt::format("{} ports, {} VCs of {} flits{}, {}, {}, {}", s.ports, s.vcs, s.depth,
                     s.buffer_bypass ? " with bypass" : "",
                     s.circuits ? describe_circuits(s) : std::string("no circuits"), s.routing, s.arbiter);
}

const bool registered = models::hybrid::set_pin_router_factory(make_router) == nullptr;

}  // namespace

bool add_point(PointEntry point) {
  auto& list = entries();
  const auto later = [&](const PointEntry& entry) { return entry.name > point.name; };
  const auto place = std::find_if(list.begin(), list.end(), later);
  list.insert(place, std::move(point));
  return true;
}

const std::vector<PointEntry>& points() { return entries(); }

std::unique_ptr<models::hybrid::PinRouter> make_router(const models::hybrid::RouterShape& s, bool assertions) {
  for (const PointEntry& entry : entries()) {
    const models::hybrid::RouterShape& p = entry.shape;
    if (p.ports == s.ports && p.vcs == s.vcs && p.depth == s.depth && p.buffer_bypass == s.buffer_bypass &&
        p.circuits == s.circuits &&
        (!s.circuits || (p.circuit_depth == s.circuit_depth && p.circuit_lanes == s.circuit_lanes)) &&
        p.routing == s.routing && p.arbiter == s.arbiter && p.flit_width >= s.flit_width) {
      return entry.make(assertions);
    }
  }
  std::string message = "router.implementation: no Verilated router has " + describe(s) + "; there are:";
  for (const PointEntry& entry : entries()) {
    if (entry.shape.flit_width >= s.flit_width) message += " " + entry.name + " (" + describe(entry.shape) + ")";
  }
  throw InputError(message + "; add a line to hw/points.json");
}

}  // namespace braid::rtl
