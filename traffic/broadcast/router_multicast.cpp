// The root sends one packet, which the routers copy where the ways of its destinations part, and each answers. Of
// hybrid routers (models/families/hybrid/packet_forks.h).
#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::traffic {
namespace {

class RouterMulticast final : public BroadcastScheme {
 public:
  explicit RouterMulticast(std::uint32_t positions) : BroadcastScheme(parts_of(positions)) {}

 private:
  static std::vector<BroadcastPart> parts_of(std::uint32_t positions) {
    std::vector<BroadcastPart> parts(positions);
    parts[0].role = "root";
    parts[0].by_one_packet = true;
    for (std::uint32_t p = 1; p < positions; ++p) {
      parts[p].role = "leaf";
      parts[p].told_when_done = {0};
      parts[0].told_at_once.push_back(p);
    }
    return parts;
  }
};

const bool router_multicast_registered = BroadcastSchemeRegistry::instance().add(
    "router_multicast", "the root sends one packet, which routers copy to all; each answers",
    [](const SchemeContext& c) { return std::make_unique<RouterMulticast>(c.positions); });

}  // namespace
}  // namespace braid::traffic
