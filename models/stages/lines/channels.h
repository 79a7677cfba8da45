// What passes between the stations of a broadcast's line and its wires, as channels. The one place that knows how they
// lie on ports.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "models/event_lines/broadcast_line.h"
#include "models/stages/base/module_list.h"
#include "models/stages/base/register_channel.h"
#include "models/stages/base/step_clock.h"

namespace braid::models::stages::lines {

using InBits = sc_core::sc_in<Bits>;
using OutBits = sc_core::sc_out<Bits>;

constexpr unsigned kCountBits = 32;  ///< of broadcasts
constexpr unsigned kStateBits = 2;   ///< 0 idle, 1 its node holds the event, 2 receives, 3 drives

/// The wires that a unit drives, as its port numbers them: those at once, then those when it is done.
std::vector<std::uint32_t> driven_by(const BroadcastUnit& unit);

class Channels final : public Bank {
 public:
  /// Inside the module of all of them. `clock`: any of the network's.
  Channels(BroadcastLine& line, const StepClock& clock);

  BroadcastLine& line() const { return line_; }

 private:
  using Gather = RegisterChannel::Gather;
  RegisterChannel& make(const std::string& name, std::size_t width, Gather gather);
  RegisterChannel& make_count(const std::string& name, std::function<std::uint64_t()> count);
  void make_station(std::uint32_t position);

  BroadcastLine& line_;
  const StepClock& clock_;
  ModuleList<RegisterChannel> channels_;

 public:
  /// At one station: its wires' ends, its node, its own registers.
  struct AtStation {
    RegisterChannel &arrive, &drive;
    RegisterChannel &handled, &state, &begun, &finished;
  };
  std::deque<AtStation> stations;  ///< [position]
  RegisterChannel& requested;      ///< of the root
};

}  // namespace braid::models::stages::lines
