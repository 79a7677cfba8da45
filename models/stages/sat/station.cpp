#include "models/stages/sat/station.h"

namespace braid::models::stages::sat {
namespace {

SatOptions options_of(SatThresholds thresholds, bool dead) {
  SatOptions options;
  options.l = thresholds.l;
  options.k = thresholds.k;
  if (dead) options.dead_nodes = {0};
  return options;
}

}  // namespace

Station::Station(const sc_core::sc_module_name& name, SatThresholds thresholds, bool dead)
    : Stage(name), own_(1, options_of(thresholds, dead)) {}

void Station::bind(Channels& channels, NodeId node) {
  const Channels::AtStation& at = channels.stations[node.value];
  node_ = node;
  passed_i(at.passed);
  waiting_i(at.waiting);
  l_i(channels.l);
  k_i(channels.k);
  signal_i(at.signal);
  signal_now_i(at.signal_now);
  signal_leaves_i(at.signal_leaves);
  satisfied_o(at.satisfied);
  open_o(at.open);
  starved_o(at.starved);
  holds_o(at.holds);
  sent_o(at.sent);
}

void Station::end_of_elaboration() {
  Stage::end_of_elaboration();
  channels_ = dynamic_cast<Channels*>(bank());
}

void Station::step(std::uint64_t cycle) {
  if (channels_ != nullptr) return channels_->take(node_, cycle);
  on_ports(cycle);
}

/// What the line did comes first: it is of the cycle that this edge ends, the packets are those that go down at it.
void Station::on_ports(std::uint64_t cycle) {
  constexpr NodeId kOnly{0};
  const auto waiting = [this](NodeId) -> std::size_t { return waiting_i->read()[0] ? 1 : 0; };
  own_.set_thresholds({static_cast<std::uint32_t>(l_i->read().field(0, kCountBits)),
                       static_cast<std::uint32_t>(k_i->read().field(0, kCountBits))});
  own_.take(kOnly, {signal_now_i->read()[0], signal_leaves_i->read()[0], signal_i->read()[0]}, cycle);
  for (std::uint64_t p = passed_i->read().field(0, kPassedBits); p > 0; --p) own_.passed(kOnly);
  satisfied_o->write(Bits(1, own_.satisfied(kOnly, waiting) ? 1 : 0));
  open_o->write(Bits(1, own_.open(kOnly) ? 1 : 0));
  starved_o->write(Bits(1, own_.starved(kOnly, waiting) ? 1 : 0));
  holds_o->write(Bits(1, own_.station(kOnly).holds ? 1 : 0));
  sent_o->write(Bits(kCountBits, own_.station(kOnly).sent));
}

}  // namespace braid::models::stages::sat
