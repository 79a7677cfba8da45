#include "models/pins/cut_router.h"

#include <fmt/format.h>

#include <algorithm>
#include <systemc>

namespace braid::models::pins {

using hybrid::WireError;

namespace {

std::uint64_t name_of(const Flit& flit) { return std::uint64_t{flit.packet()} << 16 | flit.sequence(); }

const bool pins_registered = hybrid::StandInRegistry::instance().add(
    "pins", "none: the user's, bound to the network's pins", hybrid::stand_in_options(),
    [](const hybrid::Seat& seat) { return std::make_unique<CutRouter>(seat); });

}  // namespace

/// Hears of the end of elaboration.
class CutRouter::Elaboration final : public sc_core::sc_module {
 public:
  Elaboration(const sc_core::sc_module_name& name, const CutRouter& router) : sc_module(name), router_(router) {}

 private:
  void before_end_of_elaboration() override { router_.check_bound(); }

  const CutRouter& router_;
};

CutRouter::CutRouter(const hybrid::Seat& seat)
    : elaboration_(std::make_unique<Elaboration>(sc_core::sc_gen_unique_name("cut_router"), *this)),
      place_(seat.context.configuration, seat.context.topology.router_names[seat.router.value]),
      rules_(place_, true),
      pins_(seat.slice, seat.router),
      store_(seat.context.store),
      circuits_(seat) {}

CutRouter::~CutRouter() = default;

// ---------------------------------------------------------------- the network's side

void CutRouter::check_bound() const {
  if (codec_) return;
  throw InputError(fmt::format(
      "router.implementation = \"pins\": nobody is at the pins of router {}; expected a models::pins::NetworkCut with "
      "routers of your own, in a program of your own (docs/pins.md)",
      place_.topology.router_names[place_.router.value]));
}

bool CutRouter::begin(std::uint64_t cycle) {
  check_bound();
  if (given_ == cycle) return true;
  throw std::logic_error(
      fmt::format("cycle {} of a network that is cut at pins runs before they have been read; let "
                  "its engine run it",
                  cycle));
}

void CutRouter::commit(std::uint64_t cycle) {
  pins_.consume(cycle);
  committed_ = cycle + 1;
  const auto on_no_link = [&](const Inside& flit) { return flit.from < committed_; };
  gone_.erase(std::remove_if(gone_.begin(), gone_.end(), on_no_link), gone_.end());
}

void CutRouter::for_each_held(const std::function<void(const Flit&)>& visit) const {
  for (const auto& [name, inside] : inside_) {
    if (inside.from < committed_) visit(inside.flit);
  }
}

/// A router of one cycle sends a flit on while it is still in the registers of the link it came by.
void CutRouter::for_each_gone(const std::function<void(const Flit&)>& visit) const {
  for (const Inside& gone : gone_) visit(gone.flit);
}

// ---------------------------------------------------------------- the pins' side

void CutRouter::bind(std::uint32_t flit_width) {
  hybrid::RouterShape shape = place_.shape;
  shape.flit_width = flit_width;
  codec_.emplace(shape, place_.topology, store_);
}

/// A flit's data say which it is.
Flit CutRouter::leave(std::uint32_t port, const hybrid::FlitWires& wires) {
  rules_.flit_in(port, wires);
  const Flit flit = hybrid::FlitCodec::decode(wires.data[0], wires.tail, wires.lane);
  const auto found = inside_.find(name_of(flit));
  if (found == inside_.end()) {
    throw WireError(fmt::format(
        "link_data_i[{}] = {:#x}: a flit leaves that is not inside; expected the data of one that came in, once", port,
        wires.data[0]));
  }
  const Flit& came = found->second.flit;
  if (came.head() != wires.head || came.tail() != wires.tail) {
    throw WireError(fmt::format("link_head_i[{0}] = {1}, link_tail_i[{0}] = {2}: the flit came in with {3} and {4}",
                                port, wires.head, wires.tail, came.head(), came.tail()));
  }
  circuits_.check_flit(port, flit.vc());
  const Flit gone = came.on(flit.vc());
  if (found->second.from >= committed_) gone_.push_back(found->second);
  inside_.erase(found);
  return gone;
}

hybrid::ControlPins CutRouter::control(const hybrid::ControlWires& w) const {
  const NodeId destination = codec_->node(w.destination);
  const bool known = destination.value < place_.topology.node_count() && codec_->code(destination) == w.destination;
  return {true, w.port, w.kind, w.search, known ? destination : circuits_.destination(), 0};
}

bool CutRouter::take(std::uint64_t cycle, const hybrid::WireOutputs& router) {
  hybrid::RouterOutputs out;
  for (std::uint32_t p = 0; p < place_.shape.ports; ++p) {
    rules_.credits_in(p, router.credits[p]);
    out.credits[p] = router.credits[p];
    if (router.links[p].valid) out.links[p] = {true, leave(p, router.links[p])};
  }
  if (router.control.valid) out.control = control(router.control);
  out.outcome = router.outcome;
  out.success = router.success;
  circuits_.clocked(cycle, inputs_, out);
  pins_.drive(cycle, out);
  return out.outcome;
}

void CutRouter::give(std::uint64_t cycle, hybrid::WireInputs& router) {
  given_ = cycle;
  pins_.inputs(cycle, false, inputs_);
  for (std::uint32_t p = 0; p < place_.shape.ports; ++p) {
    router.credits[p] = inputs_.credits[p];
    rules_.credits_out(p, inputs_.credits[p]);
    router.links[p].valid = inputs_.links[p].valid;
    if (!inputs_.links[p].valid) continue;
    const Flit flit = inputs_.links[p].flit;
    rules_.flit_out(p, flit.vc());
    router.links[p] = {true, flit.head(), flit.tail(), flit.vc(), {}};
    codec_->encode(flit, router.links[p].data.data());
    inside_[name_of(flit)] = {flit, cycle + (flit.vc() < place_.options.vcs ? 1 : 0)};
  }
  const auto wires = [&](const hybrid::ControlPins& c) -> hybrid::ControlWires {
    if (!c.valid) return {};
    return {true, c.port, c.kind, c.search, codec_->code(c.destination), c.circuit};
  };
  router.control = wires(inputs_.control);
  router.request = wires(inputs_.request);
}

}  // namespace braid::models::pins
