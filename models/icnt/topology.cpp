#include "models/icnt/topology.h"

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

void connect(Wiring& wiring, std::uint32_t output, std::uint32_t input) {
  wiring.ends[output] = {false, input};
  wiring.starts[input] = {false, output};
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

}  // namespace

Wiring make_wiring(const Configuration& configuration) {
  return configuration.topology == Topology::kFly ? fly(configuration.k, configuration.n)
                                                  : mesh(configuration.k, configuration.n);
}

}  // namespace braid::models::icnt
