// What a waveform shows of a stream program: what each actor does, for which stream it waits, and how full its queues
// are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/observe/signals.h"
#include "models/workload/streams/stream_program.h"

namespace braid::models {

class StreamSignals final : public SignalSource {
 public:
  /// A scope an actor, under "actors".
  StreamSignals(const StreamProgram& program, SignalTable& table);
  void sample(std::uint64_t cycle) override;

 private:
  struct Row {
    Signal *state, *waits_for, *firings;
    std::vector<Signal*> in, out;  // items of its queues, in the order of its streams
  };
  std::uint64_t waited_for(const StreamProgram::Actor& actor) const;

  const StreamProgram& program_;
  SignalValues edges_{"streams", {"-"}};  // behind none all edges, in their order
  std::vector<Row> rows_;                 // [actor]
};

}  // namespace braid::models
