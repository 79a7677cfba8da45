// Modules of a PO2 router in a mesh, each alone, with entries on its wires that a test names by port and buffer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/stages/po2/offer_unit.h"
#include "models/stages/po2/route_unit.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/po2_stage.h"

namespace braid::test::po2_in_mesh {

using namespace models::stages::po2;  // NOLINT(google-build-using-namespace)

/// Ports of a router in a mesh.
enum Port : unsigned { kEast, kWest, kNorth, kSouth, kNode };
constexpr unsigned kWayBits = 3, kBufferBits = 5;  // of five ports and none; of 20 buffers

/// As many ways as a packet can have.
template <class Module>
unsigned ways_of(const Po2Stage<Module>& stage) {
  return static_cast<unsigned>(stage.routing->max_candidates()) + 1;
}

struct Routes : Po2Stage<RouteUnit> {
  using Po2Stage::Po2Stage;
  /// A packet gets a buffer in the next cycle, by that port.
  void grant(unsigned port, unsigned buffer, std::uint64_t destination) {
    bench.set("grant_i", port);
    bench.set("buffer_i", port, buffer, kBufferBits);
    bench.set("destination_i", port, destination, kNodeBits);
  }
  /// Their headers are in.
  void come() {
    bench.run();
    for (unsigned p = 0; p < 5; ++p) bench.set("grant_i", p, 0);
    bench.run(6);
  }
  /// Ports that a packet may take, in order, as numbers of one digit.
  std::string ports_of(unsigned buffer) const {
    std::string all;
    for (unsigned i = 0; i < ways_of(*this); ++i) {
      const std::uint64_t way = bench.get("ways_o", buffer * ways_of(*this) + i, kWayBits);
      if (way != 0) all += std::to_string(way - 1);
    }
    return all;
  }
  std::uint64_t vc_of(unsigned buffer, unsigned way) const {
    return bench.get("ways_vc_o", buffer * ways_of(*this) + way, kVcBits);
  }
};

struct Offers : Po2Stage<OfferUnit> {
  explicit Offers(const models::Experiment& e) : Po2Stage(e, 4) {
    for (unsigned p = 0; p < 5; ++p) {
      bench.set("idle_i", p);
      bench.set("far_free_i", 3 * p);
    }
    bench.set("free_i", 0);
  }
  static models::Experiment middle() {
    models::Experiment e = small_po2(3, 3);
    e.set("routing.algorithm", "derouting").set("routing.max_deroutes", 1).set("router.vcs", 2);
    return e;
  }
  /// In a buffer, since a cycle, from a port, for these ports in this order.
  void wait(unsigned b, std::uint64_t since, unsigned from, const std::vector<unsigned>& ports) {
    bench.set("waiting_i", b);
    bench.set("blocking_i", b);
    bench.set("since_i", b, since, kCycleBits);
    bench.set("in_port_i", b, from + 1, kWayBits);
    bench.set("message_i", b, 70 + b, kMessageBits);
    for (unsigned i = 0; i < ports.size(); ++i) bench.set("ways_i", b * ways_of(*this) + i, ports[i] + 1, kWayBits);
  }
  void idle(std::uint64_t ports) {
    for (unsigned p = 0; p < 5; ++p) bench.set("idle_i", p, ports >> p & 1);
  }
  std::uint64_t offered() const { return bench.get("offer_o", 0, 5); }
  std::uint64_t buffer_at(unsigned port) const { return bench.get("buffer_o", port, kBufferBits); }
};

}  // namespace braid::test::po2_in_mesh
