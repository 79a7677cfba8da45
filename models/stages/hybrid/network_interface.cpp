#include "models/stages/hybrid/network_interface.h"

namespace braid::models::stages::hybrid {

void NetworkInterface::bind(RouterChannels& router) {
  ejected_i(router.ejected);
  credit_i(router.credit);
}

void NetworkInterface::on_bank(Slice& slice, std::uint64_t cycle) { slice.run_interfaces(cycle); }

void NetworkInterface::on_ports(std::uint64_t) {}

}  // namespace braid::models::stages::hybrid
