// The clock of a network that is made of modules. What happens at one edge happens in steps, a delta each: the stages
// of a step read only what earlier steps, or earlier cycles, have written, so the kernel may run them in any order. The
// logic that hardware has behind a register within the cycle takes the steps in the order of its wires.
//
// Every step has a clock signal of its own. A module's port clk_i is bound to that of its step; in a testbench of one's
// own an sc_clock or any signal does as well.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <type_traits>
#include <vector>

namespace braid::models::stages {

class Stage;

/// Stages of one class in one step. To look which of them have something to do costs no call where the class is final
/// and has_work() can be inlined.
class Crew {
 public:
  virtual ~Crew() = default;
  /// Adds those that have work in `cycle`.
  virtual void look(std::uint64_t cycle, std::vector<Stage*>& awake) const = 0;
  /// Has any of them?
  virtual bool any(std::uint64_t cycle) const = 0;
  /// Runs those that have, once a cycle, and tells if there may have been any.
  virtual bool run(std::uint64_t cycle) const = 0;
};
template <class S>
class CrewOf final : public Crew {
 public:
  void add(S& stage) {
    if constexpr (kLooked) {
      members_.push_back({&stage, stage.looked()});
      if constexpr (kTogether) looked_.push_back(stage.looked());
    } else {
      members_.push_back({&stage, nullptr});
    }
  }
  void look(std::uint64_t cycle, std::vector<Stage*>& awake) const override {
    for (const Member& member : members_) {
      if (!has_work(member, cycle)) continue;
      member.stage->fetch();
      awake.push_back(member.stage);
    }
  }
  bool any(std::uint64_t cycle) const override {
    return std::any_of(members_.begin(), members_.end(), [&](const Member& m) { return has_work(m, cycle); });
  }
  bool run(std::uint64_t cycle) const override {
    if constexpr (kTogether) {
      S::run_all(looked_, cycle);
      return true;
    }
    bool ran = false;
    for (const Member& member : members_) {
      if (!has_work(member, cycle)) continue;
      ran = true;
      if constexpr (kLooked) {
        S::run_in(*member.stage, member.looked, cycle);
      } else {
        member.stage->run();
      }
    }
    return ran;
  }

 private:
  static constexpr bool kLooked = !std::is_void_v<typename S::Looked>, kTogether = S::kTogether;
  /// What tells of work lies beside the stage, whose own memory is not asked for unless it has some.
  struct Member {
    S* stage;
    typename S::Looked* looked;
  };
  static bool has_work(const Member& member, std::uint64_t cycle) {
    if constexpr (kLooked) {
      return S::has_work_in(*member.stage, member.looked, cycle);
    } else {
      return member.stage->has_work(cycle);
    }
  }

  std::vector<Member> members_;
  std::vector<typename S::Looked*> looked_;  // the members', where one function runs all of them
};

/// The clock signal of one step.
class StepClock final : public sc_core::sc_prim_channel, public sc_core::sc_signal_in_if<bool> {
 public:
  StepClock(const char* name, const std::uint64_t& cycle) : sc_prim_channel(name), cycle_(cycle) {}
  const char* kind() const override { return "step_clock"; }

  /// Whose edge it is, or was last.
  const std::uint64_t& cycle() const { return cycle_; }
  /// A stage that runs in this step, at its elaboration.
  template <class S>
  void add(S& stage) {
    stages_.push_back(&stage);
    processes_.push_back(&stage);
    join(crews_, stage);
  }
  /// ... whose class is known here, and whose ports all lead to registers that its clock can look at. Its process does
  /// no more than call its stage function, as those of all its class do, in an order that makes no difference. So the
  /// clock calls them itself, where it rises, and the kernel has no process to run.
  template <class S>
  void add_in_place(S& stage) {
    stages_.push_back(&stage);
    in_place_.stages.push_back(&stage);
    join(in_place_.crews, stage);
  }
  /// ... that is made of registers: it reads what earlier steps have written, and what it writes nobody reads in this
  /// one. It changes in the update phase, all of the step in one call.
  template <class S>
  void add_registers(S& stage) {
    stages_.push_back(&stage);
    registers_.stages.push_back(&stage);
    join(registers_.crews, stage);
  }
  const std::vector<Stage*>& stages() const { return stages_; }
  /// The edge, at once: for all, or, where few stages have anything to do, for these. False: for nobody. Where others
  /// wait for the edge, too, every stage runs by its process.
  bool rise();
  /// ... in the order that a test wants (process_order.h).
  bool rise_in_order();
  /// Runs what of the present cycle has not run.
  void finish();

  // As SystemC has a clock: it is high at its edge, and who waits for the other edge waits for ever.
  const bool& read() const override { return high_; }
  const bool& get_data_ref() const override { return high_; }
  const sc_core::sc_event& default_event() const override { return posedge_event(); }
  const sc_core::sc_event& value_changed_event() const override { return posedge_event(); }
  const sc_core::sc_event& posedge_event() const override {
    ++listeners_;
    return edge_;
  }
  const sc_core::sc_event& negedge_event() const override { return never_; }
  bool event() const override { return edge_.triggered(); }
  bool posedge() const override { return edge_.triggered(); }
  bool negedge() const override { return false; }

 private:
  using Crews = std::vector<std::unique_ptr<Crew>>;
  /// Stages that run without their processes.
  struct Group {
    std::vector<Stage*> stages;
    Crews crews;
    std::uint64_t next = 0;  ///< the first cycle that has not run in this way
    bool any(std::uint64_t cycle) const;
    bool run(std::uint64_t cycle);
    void finish(std::uint64_t cycle);
  };
  template <class S>
  static void join(Crews& crews, S& stage) {
    for (const auto& crew : crews) {
      if (auto* same = dynamic_cast<CrewOf<S>*>(crew.get())) return same->add(stage);
    }
    auto crew = std::make_unique<CrewOf<S>>();
    crew->add(stage);
    crews.push_back(std::move(crew));
  }
  bool rise_for_processes();
  /// The registers' part of the edge.
  void update() override;

  const std::uint64_t& cycle_;
  const bool high_ = true;
  sc_core::sc_event edge_{(std::string(basename()) + "_edge").c_str()},
      never_{(std::string(basename()) + "_never").c_str()};
  mutable std::size_t listeners_ = 0;               // processes that wait for the edge, those of the stages among them
  std::vector<Stage*> stages_, processes_, awake_;  // all of the step; those that run by processes; woken now
  Crews crews_;                                     // of those that run by processes
  Group in_place_, registers_;                      // the others
  unsigned busy_edges_ = 0;                         // for so many more all processes run
};

/// The clock signals of all steps of a network, and what makes them rise.
class StepClocks {
 public:
  /// "clk" for step 0, "clk_1" for step 1 … In the scope of the module that is made.
  explicit StepClocks(std::size_t steps);
  StepClocks(const StepClocks&) = delete;
  StepClocks& operator=(const StepClocks&) = delete;

  std::size_t size() const { return clocks_.size(); }
  StepClock& operator[](std::size_t step) { return *clocks_[step]; }
  /// What is now the edge of `cycle`.
  void begin(std::uint64_t cycle) { cycle_ = cycle; }
  /// Runs what of the edge's cycle has not run, in the order of the steps: somebody looks in the middle of it.
  void finish();

 private:
  std::uint64_t cycle_ = 0;
  std::vector<std::unique_ptr<StepClock>> clocks_;
};

}  // namespace braid::models::stages
