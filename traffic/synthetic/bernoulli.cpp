// Bernoulli injection: in every cycle a packet with the same probability.
#include "traffic/synthetic/geometric.h"
#include "traffic/synthetic/injection.h"

namespace braid::traffic {
namespace {

class Bernoulli final : public InjectionProcess {
 public:
  explicit Bernoulli(double rate) : never_(rate <= 0.0), gap_(rate <= 0.0 ? 1.0 : rate) {}
  std::uint64_t next_gap(Random& random) override { return never_ ? kNever : gap_(random); }
  std::unique_ptr<InjectionProcess> clone() const override { return std::make_unique<Bernoulli>(*this); }
  void checkpoint(Checkpoint&) override {}

 private:
  bool never_;
  GeometricGap gap_;
};

const bool bernoulli_registered = InjectionRegistry::instance().add(
    "bernoulli", "the same probability in every cycle",
    [](const InjectionContext& o) -> std::unique_ptr<InjectionProcess> {
      const double rate = o.rate_packets_per_node_cycle;
      if (!(rate >= 0.0 && rate <= 1.0))
        throw InputError("a node cannot make more than one packet a cycle; lower traffic.rate_flits_per_node_cycle");
      return std::make_unique<Bernoulli>(rate);
    });

}  // namespace
}  // namespace braid::traffic
