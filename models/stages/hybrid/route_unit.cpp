#include "models/stages/hybrid/route_unit.h"

namespace braid::models::stages::hybrid {

void RouteUnit::bind(RouterChannels& router) {
  heads_i(router.heads);
  waiting_o(router.waiting);
  candidates_o(router.candidates);
}

void RouteUnit::on_bank(Slice& slice, std::uint64_t cycle) { slice.compute_routes(cycle); }

void RouteUnit::on_ports(std::uint64_t) {}

}  // namespace braid::models::stages::hybrid
