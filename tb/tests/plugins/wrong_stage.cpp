// A plugin whose switch allocator does what none should: BRAID_TEST_WRONG says what (tb/tests/program/plugin_test.cpp).
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "models/stages/hybrid/switch_allocator.h"

namespace {

using namespace braid::models::stages;
using hybrid::StageSeat;
using hybrid::SwitchAllocatorPorts;

/// "throw_made": throws when it is made. So do others ("number", "exit") at other times ("elaborated", "late").
void do_wrong(const std::string& when) {
  const char* wanted = std::getenv("BRAID_TEST_WRONG");
  const std::string what = wanted == nullptr ? "" : wanted;
  if (what == "throw_" + when) throw std::runtime_error("out of\nluck \x1b[31m");
  if (what == "number_" + when) throw 42;  // NOLINT(bugprone-std-exception-baseclass)
  if (what == "exit_" + when) std::exit(0);
}

class Wrong final : public SwitchAllocatorPorts {
 public:
  explicit Wrong(const StageSeat& seat) : SwitchAllocatorPorts(seat.name, seat.shape) { do_wrong("made"); }

 private:
  void end_of_elaboration() override {
    do_wrong("elaborated");
    SwitchAllocatorPorts::end_of_elaboration();
  }
  void on_ports(std::uint64_t cycle) override {
    if (cycle == 500) do_wrong("late");
    grant_o->write(Bits(shape_.input_vcs()));
  }
};

std::unique_ptr<SwitchAllocatorPorts> make_wrong(const StageSeat& seat) {
  const char* wanted = std::getenv("BRAID_TEST_WRONG");
  if (wanted != nullptr && std::string(wanted) == "make_nothing") return nullptr;
  return std::make_unique<Wrong>(seat);
}

bool begin() {
  using hybrid::StageRegistry;
  const char* wanted = std::getenv("BRAID_TEST_WRONG");
  const bool null = wanted != nullptr && std::string(wanted) == "null";
  return StageRegistry<SwitchAllocatorPorts>::instance().add(
      "wrong", "grants nothing",
      null ? StageRegistry<SwitchAllocatorPorts>::Factory() : StageRegistry<SwitchAllocatorPorts>::Factory(make_wrong));
}

const bool registered = begin();

}  // namespace
