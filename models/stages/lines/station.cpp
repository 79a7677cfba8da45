#include "models/stages/lines/station.h"

namespace braid::models::stages::lines {

/// The node behind a station alone: it has handled the event when its port says so.
class Station::AtNode final : public Stops {
 public:
  explicit AtNode(const Station& station) : station_(station) {}
  void receive(NodeId, std::uint64_t) override {}
  bool try_release(NodeId, std::uint64_t) override { return station_.handled_i->read()[0]; }

 private:
  const Station& station_;
};

Station::Station(const sc_core::sc_module_name& name, const StationShape& shape)
    : Stage(name),
      requested_i("requested_i", shape.is_root ? 1 : 0),
      unit_(shape.is_root, shape.turn_round, shape.most_under_way),
      wires_(shape.in + shape.at_once + shape.when_done) {
  std::uint32_t wire = 0;
  for (unsigned i = 0; i < shape.in; ++i) unit_.add_in(wire++);
  for (unsigned i = 0; i < shape.at_once; ++i) unit_.add_at_once(wire++);
  for (unsigned i = 0; i < shape.when_done; ++i) unit_.add_when_done(wire++);
}

Station::Station(const sc_core::sc_module_name& name, Channels& channels, std::uint32_t position)
    : Stage(name),
      requested_i("requested_i", position == 0 ? 1 : 0),
      channels_(&channels),
      position_(position),
      unit_(position == 0, channels.line().turn_round(), channels.line().most_under_way()) {
  const Channels::AtStation& at = channels.stations[position];
  arrive_i(at.arrive);
  handled_i(at.handled);
  for (InBits& requested : requested_i) requested(channels.requested);
  drive_o(at.drive);
  state_o(at.state);
  begun_o(at.begun);
  finished_o(at.finished);
}

void Station::step(std::uint64_t cycle) {
  if (channels_ != nullptr) return channels_->line().visit(position_, cycle, nullptr);
  on_ports(cycle);
}

void Station::on_ports(std::uint64_t cycle) {
  const Bits& arrive = arrive_i->read();
  for (unsigned i = 0; i < unit_.in().size(); ++i) wires_[i].arrived += arrive[i] ? 1 : 0;
  AtNode node(*this);
  std::vector<std::uint32_t> driven;
  const std::uint64_t requested = requested_i.size() == 0 ? 0 : requested_i[0]->read().field(0, kCountBits);
  unit_.step({cycle, wires_, requested, &node, NodeId{0}}, driven);
  const std::size_t inputs = unit_.in().size();
  Bits drive(static_cast<unsigned>(wires_.size() - inputs));
  for (const std::uint32_t wire : driven) drive.set(static_cast<unsigned>(wire - inputs));
  drive_o->write(drive);
  state_o->write(Bits(kStateBits, static_cast<std::uint64_t>(unit_.state())));
  begun_o->write(Bits(kCountBits, unit_.begun()));
  finished_o->write(Bits(kCountBits, unit_.finished()));
}

}  // namespace braid::models::stages::lines
