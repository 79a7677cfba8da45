#include "models/event_lines/broadcast_line.h"

#include <algorithm>

namespace braid::models {

BroadcastLine::BroadcastLine(const BroadcastLineContext& context)
    : nodes_(context.nodes),
      turn_round_(context.turn_round),
      most_under_way_(context.most_under_way),
      units_(context.parts.size()) {
  connect(context.parts, context.wire);
  std::uint32_t longest = 0;
  for (const Wire& wire : wires_) longest = std::max(longest, wire.cycles);
  due_.resize(longest + 2);
}

void BroadcastLine::connect(const std::vector<traffic::BroadcastPart>& parts, const traffic::WireCycles& wire) {
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    const auto add = [&](const std::vector<std::uint32_t>& all, std::vector<std::uint32_t>& wires) {
      for (const std::uint32_t to : all) {
        wires.push_back(static_cast<std::uint32_t>(wires_.size()));
        units_[to].in.push_back(wires.back());
        wires_.push_back({to, std::max(wire(p, to), turn_round_ ? 0U : 1U)});
      }
    };
    add(parts[p].told_at_once, units_[p].at_once);
    add(parts[p].told_when_done, units_[p].when_done);
  }
}

void BroadcastLine::check_restored(const Checkpoint& c) const {
  for (const Wire& wire : wires_) {
    c.index(wire.arrived - wire.received, most_under_way_ + 1, "number of pulses");
  }
  for (const Unit& unit : units_) {
    c.expect(unit.finished <= unit.handled && unit.handled <= unit.begun, "a broadcast that ends before it begins");
    c.index(unit.begun - unit.finished, most_under_way_ + 1, "number of broadcasts");
    c.index(unit.next_in, unit.in.size() + 1, "turn of a wire");
    c.index(static_cast<unsigned>(unit.state), 4, "state of a unit");
    for (const std::uint32_t wire : unit.to_drive) c.index(wire, wires_.size(), "wire");
  }
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
  std::vector<std::uint32_t>& arriving = due_[cycle % due_.size()];
  for (const std::uint32_t wire : arriving) {
    ++wires_[wire].arrived;
    wake(wires_[wire].to);
  }
  arriving.clear();
  wake(0);
  std::vector<std::uint32_t> visited;
  visited.swap(awake_);
  for (const std::uint32_t p : visited) {
    units_[p].awake = false;
    if (turn_round_) {
      take_turn(p, cycle, stops);
    } else {
      do_all(p, cycle, stops);
    }
    if (units_[p].state != State::kIdle) wake(p);
  }
}

/// An idle unit has nothing to do until a pulse comes; the root is asked every cycle.
void BroadcastLine::wake(std::uint32_t position) {
  if (units_[position].awake) return;
  units_[position].awake = true;
  awake_.push_back(position);
}

void BroadcastLine::take_turn(std::uint32_t position, std::uint64_t cycle, Stops* stops) {
  Unit& unit = units_[position];
  handle(position, cycle, stops);
  if (unit.to_drive.empty()) {
    unit.state = State::kReceives;
    if (receive(position, cycle, stops)) return;
    if (position != 0 || !begin(cycle, stops) || unit.to_drive.empty()) {
      unit.state = unit.handled < unit.begun ? State::kHolds : State::kIdle;
      return;
    }
  }
  unit.state = State::kDrives;
  drive(unit, cycle);
}

void BroadcastLine::do_all(std::uint32_t position, std::uint64_t cycle, Stops* stops) {
  Unit& unit = units_[position];
  unit.state = State::kIdle;
  while (receive(position, cycle, stops)) unit.state = State::kReceives;
  handle(position, cycle, stops);
  if (position == 0) begin(cycle, stops);
  if (unit.handled < unit.begun) unit.state = State::kHolds;
  if (!unit.to_drive.empty()) unit.state = State::kDrives;
  while (!unit.to_drive.empty()) drive(unit, cycle);
}

/// From the next wire that has brought a pulse.
bool BroadcastLine::receive(std::uint32_t position, std::uint64_t cycle, Stops* stops) {
  Unit& unit = units_[position];
  for (std::size_t i = 0; i < unit.in.size(); ++i) {
    const std::size_t turn = (unit.next_in + i) % unit.in.size();
    Wire& wire = wires_[unit.in[turn]];
    if (wire.arrived == wire.received) continue;
    unit.next_in = turn + 1;
    if (++wire.received > unit.begun) begin_at(position, cycle, stops);
    handle(position, cycle, stops);
    return true;
  }
  return false;
}

bool BroadcastLine::begin(std::uint64_t cycle, Stops* stops) {
  const Unit& root = units_[0];
  if (root.begun == requested_ || root.begun - root.finished == most_under_way_) return false;
  begin_at(0, cycle, stops);
  handle(0, cycle, stops);
  return true;
}

void BroadcastLine::begin_at(std::uint32_t position, std::uint64_t cycle, Stops* stops) {
  Unit& unit = units_[position];
  ++unit.begun;
  unit.to_drive.insert(unit.to_drive.end(), unit.at_once.begin(), unit.at_once.end());
  if (stops != nullptr) stops->receive(nodes_[position], cycle);
}

/// Counts what the node has handled, and then what is complete here.
void BroadcastLine::handle(std::uint32_t position, std::uint64_t cycle, Stops* stops) {
  Unit& unit = units_[position];
  while (unit.handled < unit.begun && (stops == nullptr || stops->try_release(nodes_[position], cycle))) ++unit.handled;
  while (
      unit.finished < unit.handled &&
      std::all_of(
          unit.in.begin(), unit.in.end(), [&](std::uint32_t wire) { return wires_[wire].received > unit.finished; })) {
    ++unit.finished;
    unit.to_drive.insert(unit.to_drive.end(), unit.when_done.begin(), unit.when_done.end());
  }
}

void BroadcastLine::drive(Unit& unit, std::uint64_t cycle) {
  const Wire& wire = wires_[unit.to_drive.front()];
  due_[(cycle + wire.cycles + (turn_round_ ? 1 : 0)) % due_.size()].push_back(unit.to_drive.front());
  unit.to_drive.pop_front();
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
      rows_[p].state->value = static_cast<std::uint64_t>(line_.units_[p].state);
      rows_[p].begun->value = line_.units_[p].begun & 0xff;
      rows_[p].finished->value = line_.units_[p].finished & 0xff;
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
