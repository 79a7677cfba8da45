// The names of the two arbiters (with_arbiter.h chooses between them).
#include "models/families/hybrid/switch_allocator.h"

namespace braid::models::hybrid {
namespace {

const bool arbiter_registered =
    ArbiterRegistry::instance().add("round_robin", "the first requester at or after the pointer",
                                    [] { return std::make_unique<ArbiterKind>(); }) &&
    ArbiterRegistry::instance().add("matrix", "the requester whose last grant is longest ago",
                                    [] { return std::make_unique<ArbiterKind>(); });

}  // namespace
}  // namespace braid::models::hybrid
