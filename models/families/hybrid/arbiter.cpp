// The arbiters by name, behind a pointer: that is how they come to who does not know their types. Allocators do
// (with_arbiter.h).
#include "models/families/hybrid/arbiter.h"

#include "models/families/hybrid/oldest_first.h"
#include "models/families/hybrid/switch_allocator.h"

namespace braid::models::hybrid {
namespace {

template <class Arbiters>
class ArbitersBehindPointer final : public AnyArbiters {
 public:
  explicit ArbitersBehindPointer(const ArbiterContext& c) : arbiters_(c.arbiters, c.requesters) {}
  std::uint32_t rank(std::size_t arbiter, std::uint32_t requester) const override {
    return arbiters_.rank(arbiter, requester);
  }
  void use(std::size_t arbiter, std::uint32_t winner) override { arbiters_.use(arbiter, winner); }

 private:
  Arbiters arbiters_;
};

template <class Arbiters>
std::unique_ptr<AnyArbiters> arbiters_behind_pointer(const ArbiterContext& context) {
  return std::make_unique<ArbitersBehindPointer<Arbiters>>(context);
}

/// Behind that pointer no packet is seen. Allocators that see packets have it by type (with_arbiter_or_age).
std::unique_ptr<AnyArbiters> no_ages(const ArbiterContext&) {
  throw InputError(
      "router.arbiter = \"oldest_first\": of the allocators only \"separable_input_first\" knows how old a packet is; "
      "expected it as router.vc_allocator and router.switch_allocator, or another arbiter");
}

const bool arbiter_registered =
    ArbiterRegistry::instance().add("round_robin", "the first requester at or after the pointer",
                                    arbiters_behind_pointer<RoundRobinArbiters>) &&
    ArbiterRegistry::instance().add("matrix", "the requester whose last grant is longest ago",
                                    arbiters_behind_pointer<MatrixArbiters>) &&
    ArbiterRegistry::instance().add("oldest_first", "the requester whose packet was created longest ago",
                                    oldest_first_options().list(), no_ages);

}  // namespace

const OptionTable<OldestFirstOptions>& oldest_first_options() {
  static const OptionTable<OldestFirstOptions> table = OptionTable<OldestFirstOptions>("router").integer(
      "age_bits", &OldestFirstOptions::age_bits, 1, 20,
      "of the field that a head carries; an age of 2^age_bits - 1 cycles or more counts as that many");
  return table;
}

}  // namespace braid::models::hybrid
