// The paper's pool: any packet takes any free buffer. Full pools that wait for each other can deadlock.
#include "models/families/po2/pool_policy.h"

namespace braid::models::po2 {
namespace {

class SharedPool final : public PoolPolicy {
 public:
  explicit SharedPool(std::uint32_t buffers) : buffers_(buffers) {}
  bool admits(const PoolUse& use, PoolClass) const override { return use[kRegular] < buffers_; }
  std::optional<Escape> escape(RouterId, PoolClass, NodeId) const override { return std::nullopt; }

 private:
  std::uint32_t buffers_;
};

const bool shared_pool_registered = PoolPolicyRegistry::instance().add(
    "none", "any packet takes any free buffer; can deadlock",
    [](const routing::Topology&, const PoolContext& o) { return std::make_unique<SharedPool>(o.buffers); });

}  // namespace
}  // namespace braid::models::po2
