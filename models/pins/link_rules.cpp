#include "models/pins/link_rules.h"

#include <fmt/format.h>

namespace braid::models::pins {

using hybrid::WireError;

void LinkRules::reset() {
  for (std::uint32_t p = 0; p < place_.shape.ports; ++p) {
    lanes_[p].assign(place_.wired(p) ? place_.lanes(p) : 0, {});
    for (std::uint32_t l = 0; l < lanes_[p].size(); ++l) lanes_[p][l].room = place_.depth(l);
  }
}

void LinkRules::flit_in(std::uint32_t port, const hybrid::FlitWires& flit) {
  if (lanes_[port].empty()) {
    throw WireError(fmt::format("link_valid_i[{}] is up, but router {} has no link there: leave the pin at 0", port,
                                place_.topology.router_names[place_.router.value]));
  }
  if (flit.lane >= lanes_[port].size()) {
    throw WireError(fmt::format("link_lane_i[{}] = {}: expected 0 to {}", port, flit.lane, lanes_[port].size() - 1));
  }
  Lane& l = lanes_[port][flit.lane];
  if (l.room == 0) {
    throw WireError(
        fmt::format("link_valid_i[{}]: a flit comes on lane {} though its buffer of {} flits is full; the "
                    "sender has to wait for credit_o[{}]",
                    port, flit.lane, place_.depth(flit.lane), port));
  }
  if (flit.head == l.packet_is_open && (on_circuits_ || flit.lane < place_.options.vcs)) {
    throw WireError(fmt::format("link_head_i[{}] = {} on lane {}: {}", port, flit.head ? 1 : 0, flit.lane,
                                flit.head ? "the packet before has had no tail" : "a packet begins with its head"));
  }
  --l.room;
  l.packet_is_open = !flit.tail;
}

void LinkRules::credits_in(std::uint32_t port, std::uint32_t lanes) {
  for (std::uint32_t l = 0; (lanes >> l) != 0; ++l) {
    if ((lanes >> l & 1) == 0) continue;
    if (l >= lanes_[port].size() || lanes_[port][l].away == 0) {
      throw WireError(
          fmt::format("credit_i[{}]: a credit for lane {}, on which no flit is out; expected one a flit", port, l));
    }
    --lanes_[port][l].away;
  }
}

}  // namespace braid::models::pins
