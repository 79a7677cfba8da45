#include "models/families/hybrid/planes/links.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace braid::models::hybrid::planes {

namespace {

/// Port at either end, distance between the routers' numbers, latency.
using Key = std::tuple<unsigned, unsigned, int, unsigned>;

}  // namespace

bool links_are_shifts(const routing::Topology& topology) {
  std::set<Key> shifts;
  unsigned ports = 1;
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
      const routing::Port& port = topology.port(RouterId{r}, PortId{p});
      if (port.leads_out()) ports = std::max(ports, static_cast<unsigned>(p) + 1);
      if (port.kind != routing::PortKind::kNetwork) continue;
      shifts.emplace(p, port.peer_port.value, static_cast<int>(port.peer_router.value) - static_cast<int>(r),
                     port.latency_cycles);
    }
    if (are_too_many(shifts.size(), topology.max_port_count())) return false;
  }
  return !are_too_many(shifts.size(), ports);
}

unsigned used_ports(const RouterBank& bank) {
  unsigned ports = 1;
  for (PortIndex p = 0; p < bank.router_port_count(); ++p) {
    if (bank.links[p].target != kNone) ports = std::max(ports, bank.port_of(p) + 1);
  }
  return ports;
}

std::vector<Shift> shifts_of(const RouterBank& bank, std::size_t words, std::uint64_t local_ports) {
  std::map<Key, Shift> all;
  for (PortIndex p = 0; p < bank.router_port_count(); ++p) {
    const Link& link = bank.links[p];
    if (link.target == kNone || link.to_node) continue;
    const std::uint32_t from = bank.router_of(p).value, to = bank.router_of(link.target).value;
    const int distance = static_cast<int>(to) - static_cast<int>(from);
    const Key key{bank.port_of(p), bank.port_of(link.target), distance, link.latency_cycles};
    Shift& shift = all[key];
    if (shift.links++ == 0) {
      shift = {bank.port_of(p), bank.port_of(link.target), distance, link.latency_cycles, 1, {}, {}};
      shift.from.resize(words);
      shift.to.resize(words);
    }
    shift.from[from / kWordBits] |= bit_of(from % kWordBits);
    shift.to[to / kWordBits] |= bit_of(to % kWordBits);
  }
  std::vector<Shift> shifts;
  for (auto& [key, shift] : all) shifts.push_back(std::move(shift));
  // Where a port has links of one shift alone, no other's flit or credit can be taken for one of theirs.
  const auto alone = [&](unsigned Shift::* port, unsigned number) {
    return (local_ports >> number & 1) == 0 &&
           std::count_if(shifts.begin(), shifts.end(), [&](const Shift& s) { return s.*port == number; }) == 1;
  };
  for (Shift& shift : shifts) {
    if (!alone(&Shift::from_port, shift.from_port) || !alone(&Shift::to_port, shift.to_port)) continue;
    shift.from.clear();
    shift.to.clear();
  }
  return shifts;
}

}  // namespace braid::models::hybrid::planes
