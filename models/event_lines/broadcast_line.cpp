#include "models/event_lines/broadcast_line.h"

#include <algorithm>

namespace braid::models {

BroadcastLine::BroadcastLine(const BroadcastLineContext& context)
    : nodes_(context.nodes), turn_round_(context.turn_round), most_under_way_(context.most_under_way) {
  for (std::size_t p = 0; p < context.parts.size(); ++p) {
    units_.push_back({BroadcastUnit(p == 0, turn_round_, most_under_way_)});
  }
  connect(context.parts, context.wire);
  std::uint32_t longest = 0;
  for (const BroadcastWire& wire : wires_) longest = std::max(longest, wire.cycles);
  due_.resize(longest + 2);
}

void BroadcastLine::connect(const std::vector<traffic::BroadcastPart>& parts, const traffic::WireCycles& wire) {
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    const auto add = [&](const std::vector<std::uint32_t>& all, auto begins_at) {
      for (const std::uint32_t to : all) {
        const auto number = static_cast<std::uint32_t>(wires_.size());
        (units_[p].unit.*begins_at)(number);
        units_[to].unit.add_in(number);
        wires_.push_back({to, std::max(wire(p, to), turn_round_ ? 0U : 1U)});
      }
    };
    add(parts[p].told_at_once, &BroadcastUnit::add_at_once);
    add(parts[p].told_when_done, &BroadcastUnit::add_when_done);
  }
}

void BroadcastLine::check_restored(const Checkpoint& c) const {
  for (const BroadcastWire& wire : wires_) {
    c.index(wire.arrived - wire.received, most_under_way_ + 1, "number of pulses");
  }
  for (const Seat& seat : units_) seat.unit.check_restored(c, wires_.size());
  std::vector<bool> listed(units_.size());
  for (const std::uint32_t position : awake_) {
    c.index(position, units_.size(), "position");
    c.expect(units_[position].awake && !listed[position], "a unit that is awake twice");
    listed[position] = true;
  }
  for (const std::vector<std::uint32_t>& due : due_) {
    for (const std::uint32_t wire : due) c.index(wire, wires_.size(), "wire");
  }
}

void BroadcastLine::step(std::uint64_t cycle, Stops* stops) {
  if (in_modules_) return;
  bring(cycle);
  for (const std::uint32_t p : visited_) visit(p, cycle, stops);
}

void BroadcastLine::bring(std::uint64_t cycle) {
  std::vector<std::uint32_t>& arriving = due_[cycle % due_.size()];
  for (const std::uint32_t number : arriving) {
    BroadcastWire& wire = wires_[number];
    ++wire.arrived;
    wire.arrived_last = cycle;
    wake(wire.to);
  }
  arriving.clear();
  wake(0);
  visited_.swap(awake_);
  awake_.clear();
}

void BroadcastLine::visit(std::uint32_t position, std::uint64_t cycle, Stops* stops) {
  Seat& seat = units_[position];
  if (!seat.awake) return;
  seat.awake = false;
  driven_.clear();
  seat.unit.step({cycle, wires_, requested_, stops, nodes_[position]}, driven_);
  for (const std::uint32_t number : driven_) drive(number, cycle);
  if (seat.unit.state() != BroadcastUnit::State::kIdle) wake(position);
  if (position == 0 && on_root_) on_root_(cycle);
}

void BroadcastLine::drive(std::uint32_t number, std::uint64_t cycle) {
  BroadcastWire& wire = wires_[number];
  wire.driven_last = cycle;
  due_[(cycle + wire.cycles + (turn_round_ ? 1 : 0)) % due_.size()].push_back(number);
}

/// An idle unit has nothing to do until a pulse comes; the root is asked every cycle.
void BroadcastLine::wake(std::uint32_t position) {
  if (units_[position].awake) return;
  units_[position].awake = true;
  awake_.push_back(position);
}

/// A scope a node: what its unit does and how many broadcasts it has begun and finished, the low bits of its counters.
class BroadcastLine::Signals final : public SignalSource {
 public:
  Signals(const BroadcastLine& line, SignalTable& table, const std::string& scope) : line_(line) {
    static const SignalValues states{"broadcast_unit_state", {"idle", "holds", "receives", "drives"}};
    for (const NodeId node : line.nodes_) {
      const std::string at = scope + ".node_" + std::to_string(node.value);
      rows_.push_back(
          {table.add_shown(at, "state", 2, &states), table.add_shown(at, "begun", 8), table.add(at, "finished", 8)});
    }
  }
  void sample(std::uint64_t) override {
    for (std::size_t p = 0; p < rows_.size(); ++p) {
      rows_[p].state->value = static_cast<std::uint64_t>(line_.unit(p).state());
      rows_[p].begun->value = line_.unit(p).begun() & 0xff;
      rows_[p].finished->value = line_.unit(p).finished() & 0xff;
    }
  }

 private:
  struct Row {
    Signal *state, *begun, *finished;
  };
  const BroadcastLine& line_;
  std::vector<Row> rows_;
};

std::unique_ptr<SignalSource> BroadcastLine::signals(SignalTable& table, const std::string& scope) const {
  return std::make_unique<Signals>(*this, table, scope);
}

}  // namespace braid::models
