// Which planes run which routers, on which processor.
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "models/families/hybrid/planes/cycle.h"
#include "models/families/hybrid/planes/elaboration.h"
#include "models/families/hybrid/planes/show.h"
#include "models/families/hybrid/planes/take_over.h"

namespace braid::models::hybrid::planes {
namespace {

/// For any processor.
template <class B>
class Plain final : public Pipeline<B> {
 public:
  using Pipeline<B>::Pipeline;
  void cycle(std::uint64_t cycle) override { this->run_cycle(cycle); }
  double break_even() const override { return (B::Shape::kWords == 1 ? 28 : 22) * this->size(); }
};

#ifdef __x86_64__
template <class B>
class Avx2 final : public Pipeline<B> {
 public:
  using Pipeline<B>::Pipeline;
  [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt")]] void cycle(std::uint64_t cycle) override { this->run_cycle(cycle); }
  double break_even() const override { return (B::Shape::kWords == 1 ? 11 : 10) * this->size(); }
};

/// BRAID_VECTORS=plain in the environment: as on a processor without them.
bool has_avx2() {
  const char* const wanted = std::getenv("BRAID_VECTORS");
  if (wanted != nullptr && std::string_view(wanted) == "plain") return false;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#endif

template <class B, class... Parts>
std::unique_ptr<CycleEngine> for_processor(Parts&... parts) {
#ifdef __x86_64__
  if (has_avx2()) return std::make_unique<Avx2<B>>(parts...);
#endif
  return std::make_unique<Plain<B>>(parts...);
}

std::string refusal(const Slice& slice, const RouterBank& bank, const Options& options) {
  if (bank.has_circuits()) return "circuits";
  if (options.implementation != "model") return "router.implementation = \"" + options.implementation + "\"";
  if (options.buffer_bypass) return "router.buffer_bypass = true";
  if (!Registers::turns(slice) && !Registers::ranks(slice)) {
    return "router.switch_allocator = \"" + options.switch_allocator + "\" with router.arbiter = \"" + options.arbiter +
           "\"";
  }
  if (bank.vcs() > unsigned{kMostVcs}) return fmt::format("{} VCs; expected 1 to {}", bank.vcs(), kMostVcs);
  if (used_ports(bank) > unsigned{kMostPorts}) {
    return fmt::format("{} ports; expected 1 to {}", used_ports(bank), kMostPorts);
  }
  return {};
}

/// The usual router of a mesh or torus has shapes of its own; every other one shares two.
std::unique_ptr<CycleEngine> make_engine(Slice& slice, RouterBank& bank, PacketStore& store, const Options& options) {
  const bool few = bank.router_count() <= kWordBits,
             usual = used_ports(bank) == unsigned{kUsualPorts} && bank.is_numbered(3, 2);
  if (usual && few) return for_processor<Block<Lanes, kUsualPorts>>(slice, bank, store, options);
  if (usual) return for_processor<Block<Blocks<Lanes::kVcs>, kUsualPorts>>(slice, bank, store, options);
  if (few && bank.vcs() <= unsigned{Lanes::kVcs})
    return for_processor<Block<Lanes, kMostPorts>>(slice, bank, store, options);
  return for_processor<Block<Blocks<kMostVcs>, kMostPorts>>(slice, bank, store, options);
}

const bool planes_registered = [] {
  cycle_engine() = {refusal, make_engine};
  return true;
}();

}  // namespace
}  // namespace braid::models::hybrid::planes
