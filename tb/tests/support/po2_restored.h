// PO2 routers' registers, changed one at a time (restored.h).
#pragma once

#include <optional>
#include <string>

#include "models/families/po2/fabric.h"
#include "tb/tests/support/families.h"
#include "tb/tests/support/restored.h"

namespace braid::test {

/// A buffer of a router.
struct Po2Place {
  models::po2::Router& router;
  std::size_t r, b;
  routing::Candidate* ways;
  models::po2::Buffer& buffer() const { return router.buffers[b]; }
  bool is(models::po2::Buffer::State state) const { return buffer().state == state; }
};

/// A hexagonal mesh of 19 routers far beyond saturation: 7 ports and 20 buffers a router.
inline models::Experiment busy_po2() {
  models::Experiment e = in_family("po2");
  add_traffic(e, 0.3);
  return e;
}

struct Po2Restored : Restored {
  static constexpr std::size_t kPorts = 7, kBuffers = 20, kLocal = 6;

  explicit Po2Restored(const models::Experiment& e = busy_po2(), std::size_t slices = 1) : Restored(e, slices) {
    bench.run(300);
  }
  models::po2::Fabric& fabric() { return models::po2::of(bench.network->fabric()); }
  models::po2::Router& router(std::size_t r) { return const_cast<models::po2::Router&>(fabric().routers()[r]); }
  Po2Place place(std::size_t r, std::size_t b) {
    return {router(r), r, b, const_cast<routing::Candidate*>(fabric().candidates(r, b))};
  }
  const routing::Port& port(std::size_t r, std::size_t p) const { return bench.topology.routers[r][p]; }
  /// As many ways as a buffer has room for: the routing algorithm's, and the policy's escape.
  std::size_t most_ways() const { return bench.routing->max_candidates() + 1; }

  /// What is said to a buffer that is as wanted and is changed.
  template <class Wanted, class Change>
  std::string said_of(Wanted wanted, Change change) {
    const auto found = run_until([&]() -> std::optional<std::pair<std::size_t, std::size_t>> {
      for (std::size_t r = 0; r < fabric().routers().size(); ++r) {
        for (std::size_t b = 0; b < router(r).buffers.size(); ++b) {
          const Po2Place here = place(r, b);
          if (wanted(here)) return std::pair(r, b);
        }
      }
      return std::nullopt;
    });
    if (!found) return "nothing to change";
    return said_after([&] {
      const Po2Place here = place(found->first, found->second);
      change(here);
    });
  }
};

}  // namespace braid::test
