// The root tells every other position itself, and each answers: what a broadcast costs without a scheme.
#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::traffic {
namespace {

class Unicast final : public BroadcastScheme {
 public:
  explicit Unicast(std::uint32_t positions) : BroadcastScheme(parts_of(positions)) {}

 private:
  static std::vector<BroadcastPart> parts_of(std::uint32_t positions) {
    std::vector<BroadcastPart> parts(positions);
    parts[0].role = "root";
    for (std::uint32_t p = 1; p < positions; ++p) {
      parts[p].role = "leaf";
      parts[p].told_when_done = {0};
      parts[0].told_at_once.push_back(p);
    }
    return parts;
  }
};

const bool unicast_registered = BroadcastSchemeRegistry::instance().add(
    "unicast", "the root tells each, each answers",
    [](const SchemeContext& c) { return std::make_unique<Unicast>(c.positions); });

}  // namespace
}  // namespace braid::traffic
