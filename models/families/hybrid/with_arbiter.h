// Chooses an allocator's arbiter at elaboration. Braid's own are types, so that none of them is called through a
// pointer while the clock runs; one that a user has registered is.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "models/families/hybrid/arbiter.h"
#include "models/families/hybrid/oldest_first.h"
#include "models/families/hybrid/switch_allocator.h"

namespace braid::models::hybrid {

/// What the registry has under a name, with the face of RoundRobinArbiters.
class RegisteredArbiters {
 public:
  explicit RegisteredArbiters(std::unique_ptr<AnyArbiters> arbiters) : arbiters_(std::move(arbiters)) {}
  std::uint32_t rank(std::size_t arbiter, std::uint32_t requester) const { return arbiters_->rank(arbiter, requester); }
  unsigned pick(std::size_t arbiter, std::uint64_t requests) const {
    Offer best;
    for (; requests != 0; requests &= requests - 1) {
      const auto next = static_cast<unsigned>(__builtin_ctzll(requests));
      best.improve({rank(arbiter, next), next});
    }
    return best.from();
  }
  void use(std::size_t arbiter, std::uint32_t winner) { arbiters_->use(arbiter, winner); }
  void checkpoint(Checkpoint& c) { arbiters_->checkpoint(c); }

 private:
  std::unique_ptr<AnyArbiters> arbiters_;
};

/// A bank of arbiters of an allocator. Throws InputError for an unknown name.
template <class Arbiters>
Arbiters make_arbiters(const AllocatorOptions& options, std::size_t arbiters, std::size_t requesters) {
  [[maybe_unused]] const Configuration given =
      options.configuration == nullptr ? Configuration() : *options.configuration;
  if constexpr (kByAge<Arbiters>) {
    return Arbiters(arbiters, requesters, oldest_first_options().read(given).age_bits);
  } else if constexpr (std::is_same_v<Arbiters, RegisteredArbiters>) {
    return Arbiters(ArbiterRegistry::instance().make(options.arbiter, {arbiters, requesters, given}));
  } else {
    return Arbiters(arbiters, requesters);
  }
}

/// The allocator made of the arbiters of that name. Throws InputError for an unknown one.
template <class Policy, template <class> class Allocator>
std::unique_ptr<Policy> with_arbiter(const AllocatorOptions& options) {
  if (options.arbiter == "round_robin") return std::make_unique<Allocator<RoundRobinArbiters>>(options);
  if (options.arbiter == "matrix") return std::make_unique<Allocator<MatrixArbiters>>(options);
  return std::make_unique<Allocator<RegisteredArbiters>>(options);
}

/// The same of an allocator that knows how old packets are.
template <class Policy, template <class> class Allocator>
std::unique_ptr<Policy> with_arbiter_or_age(const AllocatorOptions& options) {
  if (options.arbiter != "oldest_first") return with_arbiter<Policy, Allocator>(options);
  if (options.packets == nullptr) {
    throw InputError(
        "router.arbiter = \"oldest_first\": pins do not tell how old a packet is; expected \"round_robin\"");
  }
  return std::make_unique<Allocator<OldestFirstArbiters>>(options);
}

}  // namespace braid::models::hybrid
