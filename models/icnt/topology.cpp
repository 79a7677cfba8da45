#include "models/icnt/topology.h"

#include <algorithm>

namespace braid::models::icnt {

namespace {

unsigned power(unsigned base, unsigned exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

Wiring empty(unsigned routers, unsigned ports, unsigned nodes) {
  Wiring wiring;
  wiring.routers = routers;
  wiring.ports = ports;
  wiring.nodes = nodes;
  wiring.ends.resize(std::size_t{routers} * ports);
  wiring.starts.resize(std::size_t{routers} * ports);
  wiring.injects_at.resize(nodes);
  wiring.ejects_at.resize(nodes);
  wiring.next_port.resize(std::size_t{routers} * nodes);
  return wiring;
}

void attach(Wiring& wiring, unsigned node, std::uint32_t input) {
  wiring.injects_at[node] = input;
  wiring.starts[input] = {true, node};
}

void detach(Wiring& wiring, unsigned node, std::uint32_t output) {
  wiring.ejects_at[node] = output;
  wiring.ends[output] = {true, node};
}

/// A wire's two ends have its latency: flits go one way, credits the other.
void connect(Wiring& wiring, std::uint32_t output, std::uint32_t input, unsigned latency = 1) {
  wiring.ends[output] = {false, input, static_cast<std::uint16_t>(latency)};
  wiring.starts[input] = {false, output, static_cast<std::uint16_t>(latency)};
  wiring.longest = std::max(wiring.longest, latency);
}

/// n stages of k^(n-1) routers with k inputs and outputs. Output p of a router leads to the router of the next stage
/// whose address has p at the stage's digit; a packet leaves stage s by digit n - 1 - s of its destination.
Wiring fly(unsigned k, unsigned n) {
  const unsigned stage = power(k, n - 1);
  Wiring wiring = empty(n * stage, k, power(k, n));
  for (unsigned s = 0; s < n; ++s) {
    const unsigned digit = n - 1 - s;
    for (unsigned address = 0; address < stage; ++address) {
      const unsigned router = s * stage + address;
      for (unsigned port = 0; port < k; ++port) {
        if (s == 0) attach(wiring, address * k + port, router * k + port);
        if (s == n - 1) {
          detach(wiring, address * k + port, router * k + port);
          continue;
        }
        const unsigned shift = power(k, digit - 1);
        const unsigned own = address / shift % k;
        connect(wiring, router * k + port, (router + stage + port * shift - own * shift) * k + own);
      }
      for (unsigned node = 0; node < wiring.nodes; ++node)
        wiring.next_port[std::size_t{router} * wiring.nodes + node] =
            static_cast<std::uint16_t>(node / power(k, digit) % k);
    }
  }
  return wiring;
}

/// Lowest dimension first. Ports: two a dimension, up before down, then the node's.
unsigned dimension_order(unsigned at, unsigned to, unsigned k, unsigned n) {
  for (unsigned dimension = 0; dimension < n; ++dimension, at /= k, to /= k)
    if (at % k != to % k) return 2 * dimension + (at % k < to % k ? 0 : 1);
  return 2 * n;
}

Wiring mesh(unsigned k, unsigned n) {
  const unsigned nodes = power(k, n);
  const unsigned ports = 2 * n + 1;
  Wiring wiring = empty(nodes, ports, nodes);
  for (unsigned router = 0; router < nodes; ++router) {
    attach(wiring, router, router * ports + 2 * n);
    detach(wiring, router, router * ports + 2 * n);
    for (unsigned dimension = 0; dimension < n; ++dimension) {
      const unsigned stride = power(k, dimension);
      if (router / stride % k + 1 == k) continue;
      const unsigned above = router + stride;  // an input port has the number of the side it comes from
      connect(wiring, router * ports + 2 * dimension, above * ports + 2 * dimension + 1);
      connect(wiring, above * ports + 2 * dimension + 1, router * ports + 2 * dimension);
    }
    for (unsigned node = 0; node < nodes; ++node)
      wiring.next_port[std::size_t{router} * nodes + node] =
          static_cast<std::uint16_t>(dimension_order(router, node, k, n));
  }
  return wiring;
}

/// Lowest dimension first, the shorter way round. Whoever comes into a ring at a higher place than it leaves has the
/// upper half of the channels, whichever way it goes: so has intersim2's dim_order_torus, and so no ring closes.
std::uint16_t way_on_torus(unsigned at, unsigned to, unsigned k, unsigned n) {
  for (unsigned dimension = 0; dimension < n; ++dimension, at /= k, to /= k) {
    const unsigned here = at % k, there = to % k;
    if (here == there) continue;
    const unsigned up = (there + k - here) % k;  // links, up
    unsigned way = 2 * dimension + (2 * up > k ? 1 : 0);
    if (2 * up == k) way |= Wiring::kEitherWay;
    if (here > there) way |= Wiring::kUpperHalf;
    return static_cast<std::uint16_t>(way);
  }
  return static_cast<std::uint16_t>(2 * n);
}

Wiring torus(unsigned k, unsigned n, unsigned latency) {
  const unsigned nodes = power(k, n);
  const unsigned ports = 2 * n + 1;
  Wiring wiring = empty(nodes, ports, nodes);
  wiring.torus = true;
  for (unsigned router = 0; router < nodes; ++router) {
    attach(wiring, router, router * ports + 2 * n);
    detach(wiring, router, router * ports + 2 * n);
    for (unsigned dimension = 0; dimension < n; ++dimension) {
      const unsigned stride = power(k, dimension), place = router / stride % k;
      const unsigned above = router + (place + 1) % k * stride - place * stride;
      connect(wiring, router * ports + 2 * dimension, above * ports + 2 * dimension + 1, latency);
      connect(wiring, above * ports + 2 * dimension + 1, router * ports + 2 * dimension, latency);
    }
    for (unsigned node = 0; node < nodes; ++node)
      wiring.next_port[std::size_t{router} * nodes + node] = way_on_torus(router, node, k, n);
  }
  return wiring;
}

/// Ports of a router: its nodes', ascending, then those of its neighbours, ascending.
Wiring anynet(const Listing& listing) {
  const unsigned routers = listing.routers(), nodes = static_cast<unsigned>(listing.router_of.size());
  std::vector<std::vector<unsigned>> own(routers);
  for (unsigned node = 0; node < nodes; ++node) own[listing.router_of[node]].push_back(node);
  std::size_t ports = 0;
  for (unsigned router = 0; router < routers; ++router)
    ports = std::max(ports, own[router].size() + listing.links[router].size());
  Wiring wiring = empty(routers, static_cast<unsigned>(ports), nodes);
  const auto port_to = [&](unsigned router, unsigned neighbour) {
    const auto& links = listing.links[router];
    return static_cast<unsigned>(own[router].size()) +
           static_cast<unsigned>(std::distance(links.begin(), links.find(neighbour)));
  };
  for (unsigned router = 0; router < routers; ++router) {
    for (unsigned i = 0; i < own[router].size(); ++i) {
      attach(wiring, own[router][i], router * wiring.ports + i);
      detach(wiring, own[router][i], router * wiring.ports + i);
    }
    for (const auto& link : listing.links[router])
      connect(wiring, router * wiring.ports + port_to(router, link.first),
              link.first * wiring.ports + port_to(link.first, router), link.second);
    const std::vector<unsigned> steps = listing.first_steps(router);
    for (unsigned node = 0; node < nodes; ++node) {
      const unsigned there = listing.router_of[node];
      const auto place = std::find(own[router].begin(), own[router].end(), node) - own[router].begin();
      wiring.next_port[std::size_t{router} * nodes + node] =
          static_cast<std::uint16_t>(there == router ? static_cast<unsigned>(place) : port_to(router, steps[there]));
    }
  }
  return wiring;
}

}  // namespace

Wiring make_wiring(const Configuration& configuration) {
  const unsigned k = configuration.k, n = configuration.n;
  switch (configuration.topology) {
    case Topology::kFly:
      return fly(k, n);
    case Topology::kMesh:
      return mesh(k, n);
    case Topology::kTorus:
      return torus(k, n, configuration.folded ? 2 : 1);
    case Topology::kAnynet:
      return anynet(configuration.listing);
  }
  return {};
}

}  // namespace braid::models::icnt
