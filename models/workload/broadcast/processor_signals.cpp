// What a waveform shows of the processors that carry broadcasts over a network: the task that each is at, of which
// broadcast and from whom, and how many wait.
#include <fmt/format.h>

#include "models/workload/broadcast/placed_processors.h"

namespace braid::models {
namespace {

const Question kWhatProcessorsDo{"processors", "what does this processor do"};
/// Behind idle, in the order of TaskProcessor::Task::Kind.
const SignalValues kTasks{"processor_task", {"idle", "begins", "hears", "hears again", "handles", "says", "listens"}};
constexpr unsigned kCountBits = 32, kNodeBits = 24;

class ProcessorSignals final : public SignalSource {
 public:
  ProcessorSignals(const PlacedProcessors& processors, SignalTable& table) : processors_(processors) {
    for (std::size_t n = 0; n < processors.nodes().size(); ++n) nodes_.values.push_back(fmt::format("node {}", n));
    for (std::size_t n = 0; n < processors.nodes().size(); ++n) {
      const std::string scope = fmt::format("processors.node_{}", n);
      const auto add = [&](const char* name, unsigned bits, const SignalValues* values) {
        return table.add_shown(scope, name, bits, values)->answers(kWhatProcessorsDo);
      };
      rows_.push_back({processors.position(NodeId{n}), add("task", 3, &kTasks), add("broadcast", kCountBits, nullptr),
                       add("from", kNodeBits, &nodes_), add("waiting", kCountBits, nullptr),
                       add("under_way", kCountBits, nullptr)});
    }
  }
  void sample(std::uint64_t cycle) override {
    using Kind = TaskProcessor::Task::Kind;
    for (Row& row : rows_) {
      const TaskProcessor& processor = processors_[row.position];
      const TaskProcessor::Task& task = processor.task();
      const bool idle = processor.idle(cycle);
      const bool from_other =
          !idle && (task.kind == Kind::kHear || task.kind == Kind::kAgain || task.kind == Kind::kListen);
      row.task->value = idle ? 0 : static_cast<std::uint64_t>(task.kind) + 1;
      row.broadcast->value = idle ? 0 : task.broadcast;
      row.from->value = from_other ? processors_.nodes()[task.from].value + 1 : 0;
      row.waiting->value = processor.waiting();
      row.under_way->value = processor.broadcasts_under_way();
    }
  }

 private:
  struct Row {
    std::uint32_t position;
    Signal *task, *broadcast, *from, *waiting, *under_way;
  };
  const PlacedProcessors& processors_;
  SignalValues nodes_{"processor_from", {"-"}};
  std::vector<Row> rows_;  // [node]
};

}  // namespace

std::unique_ptr<SignalSource> PlacedProcessors::signals(SignalTable& table) const {
  return std::make_unique<ProcessorSignals>(*this, table);
}

}  // namespace braid::models
