// The two arbiters by name, behind a pointer: that is how they come to who does not know their types. Allocators do
// (with_arbiter.h).
#include "models/families/hybrid/arbiter.h"

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

const bool arbiter_registered =
    ArbiterRegistry::instance().add("round_robin", "the first requester at or after the pointer",
                                    arbiters_behind_pointer<RoundRobinArbiters>) &&
    ArbiterRegistry::instance().add("matrix", "the requester whose last grant is longest ago",
                                    arbiters_behind_pointer<MatrixArbiters>);

}  // namespace
}  // namespace braid::models::hybrid
