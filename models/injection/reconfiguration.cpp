#include "models/injection/reconfiguration.h"

#include "models/observe/clock.h"
#include "routing/topology/failure.h"

namespace braid::models {

struct Reconfiguration::Counts {
  std::uint64_t packets_lost = 0, flits_lost = 0, held_cycles = 0;
  std::optional<std::uint64_t> held_from, resumed;

  static const FigureTable<Counts>& table() {
    static const FigureTable<Counts> figures =
        FigureTable<Counts>()
            .add("packets_lost", "", "of which a flit did not come over the link that went down, whole run",
                 &Counts::packets_lost)
            .add("flits_lost", "", "flits of payload that were sent onto the link and did not come, whole run",
                 &Counts::flits_lost)
            .add("held_from_cycle", "cycle",
                 "first in which no host began a packet of its own: they had been told; missing: the run ended before",
                 &Counts::held_from)
            .add("resumed_cycle", "cycle",
                 "first in which packets could begin by the new paths; missing: the run ended before", &Counts::resumed)
            .add("held_cycles", "cycles", "between the two, or until the run ended", &Counts::held_cycles);
    return figures;
  }
};

const FigureList& Reconfiguration::figures() { return Counts::table().list(); }

const OptionTable<ReconfigurationOptions>& reconfiguration_options() {
  static const OptionTable<ReconfigurationOptions> table = OptionTable<ReconfigurationOptions>("failure").number(
      "recompute_ns", &ReconfigurationOptions::recompute_ns, 0.001, 1e12,
      "from the failure until hosts have new paths, a whole number of cycles; then they hold their own "
      "packets back until none is under way by an old one");
  return table;
}

std::vector<OptionBranch> failure_branches() {
  std::vector<OptionBranch> branches;
  for (const OptionList* list : {&routing::failure_options().list(), &reconfiguration_options().list()}) {
    branches.push_back({"a section [failure]",
                        [](const OptionValue&, const Configuration& c) { return routing::has_failure(c); },
                        std::make_shared<const OptionList>(*list)});
  }
  return branches;
}

Reconfiguration::Reconfiguration(const Configuration& configuration, std::uint64_t clock_period_ps) {
  const double recompute_ns = reconfiguration_options().read(configuration).recompute_ns;
  told_ = routing::failure_options().read(configuration).cycle +
          whole_cycles("failure.recompute_ns", recompute_ns, clock_period_ps);
}

bool Reconfiguration::step(std::uint64_t cycle) {
  now_ = cycle + 1;
  if (epoch_ != 0 || now_ < told_) return false;
  if (!held_from_) held_from_ = now_;
  holds_ = under_way_ != 0;
  if (holds_) return false;
  resumed_ = now_;
  epoch_ = 1;
  return true;
}

void Reconfiguration::lost() {
  --under_way_;
  ++packets_lost_;
}

Report Reconfiguration::report(std::uint64_t flits_lost) const {
  Counts counts;
  counts.packets_lost = packets_lost_;
  counts.flits_lost = flits_lost;
  counts.held_from = held_from_;
  counts.resumed = resumed_;
  if (held_from_) counts.held_cycles = resumed_.value_or(now_) - *held_from_;
  return Counts::table().of(counts);
}

/// What a waveform shows of it.
class Reconfiguration::Signals final : public SignalSource {
 public:
  Signals(const Reconfiguration& parent, SignalTable& table)
      : parent_(parent),
        holds_(table.add_shown("failure", "holds", 1)),
        epoch_(table.add_shown("failure", "epoch", 1)),
        under_way_(table.add("failure", "under_way", 32)) {}
  void sample(std::uint64_t) override {
    holds_->value = parent_.holds_ ? 1 : 0;
    epoch_->value = parent_.epoch_;
    under_way_->value = parent_.under_way_;
  }

 private:
  const Reconfiguration& parent_;
  Signal *holds_, *epoch_, *under_way_;
};

std::unique_ptr<SignalSource> Reconfiguration::signals(SignalTable& table) const {
  return std::make_unique<Signals>(*this, table);
}

}  // namespace braid::models
