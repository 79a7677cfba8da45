// Separable allocators and iSLIP, of the switch and of VCs, against references that are written as the papers describe
// them: lists of requesters in the order of an arbiter, one after the other. On drawn requests, for thousands of cycles
// whose turns are those that the cycles before left. Three VCs: no power of two.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "routing/base/random.h"
#include "tb/tests/support/one_router.h"

namespace braid::test::allocator_references_test {
namespace {

using namespace models;
using namespace models::hybrid;
using namespace one_router;

constexpr unsigned kPorts = 5, kVcs = 3;

/// Requesters, whoever comes first first. Round robin: behind the winner comes the next one; matrix: it goes to the
/// end.
class Order {
 public:
  Order(unsigned requesters, bool matrix) : order_(requesters), matrix_(matrix) {
    std::iota(order_.begin(), order_.end(), 0U);
  }
  template <class Asks>
  std::optional<unsigned> first(Asks asks) const {
    const auto found = std::find_if(order_.begin(), order_.end(), asks);
    return found == order_.end() ? std::nullopt : std::optional<unsigned>(*found);
  }
  void use(unsigned winner) {
    const auto at = std::find(order_.begin(), order_.end(), winner);
    if (matrix_) {
      order_.erase(at);
      order_.push_back(winner);
    } else {
      std::rotate(order_.begin(), at + 1, order_.end());
    }
  }

 private:
  std::vector<unsigned> order_;
  bool matrix_;
};

struct Case {
  const char* allocator;
  const char* arbiter;
  unsigned iterations;  // 0: not of iSLIP
  bool islip() const { return iterations != 0; }
  bool matrix() const { return std::string(arbiter) == "matrix"; }
  std::string text() const { return std::string(allocator) + ", " + arbiter + ", " + std::to_string(iterations); }
};
const std::vector<Case>& cases() {
  static const std::vector<Case> all{{"separable_input_first", "round_robin", 0},
                                     {"separable_input_first", "matrix", 0},
                                     {"islip", "round_robin", 1},
                                     {"islip", "round_robin", 2},
                                     {"islip", "round_robin", 4},
                                     {"islip", "matrix", 1},
                                     {"islip", "matrix", 3}};
  return all;
}

using Grants = std::set<std::pair<unsigned, unsigned>>;  // who asks, what for
using Asked = std::vector<std::vector<bool>>;            // [who][what for]

/// Outputs grant, inputs accept; what is left over asks again. Turns move by what is accepted in the first iteration.
Grants islip(const Asked& asked, std::vector<Order>& outputs, std::vector<Order>& inputs, unsigned iterations) {
  std::set<unsigned> inputs_matched, outputs_matched;
  Grants all;
  for (unsigned i = 0; i < iterations; ++i) {
    Asked granted(inputs.size(), std::vector<bool>(outputs.size()));
    for (unsigned out = 0; out < outputs.size(); ++out) {
      if (outputs_matched.count(out) != 0) continue;
      const auto in = outputs[out].first([&](unsigned r) { return asked[r][out] && inputs_matched.count(r) == 0; });
      if (in) granted[*in][out] = true;
    }
    for (unsigned in = 0; in < inputs.size(); ++in) {
      const auto out = inputs[in].first([&](unsigned r) { return granted[in][r]; });
      if (!out) continue;
      all.insert({in, *out});
      inputs_matched.insert(in);
      outputs_matched.insert(*out);
      if (i > 0) continue;
      outputs[*out].use(in);
      inputs[in].use(*out);
    }
  }
  return all;
}

// ---------------------------------------------------------------- SA

using Wanted = std::array<std::array<std::optional<unsigned>, kVcs>, kPorts>;  // [input][VC] output

/// What SA grants: an input port and its VC.
class SwitchReference {
 public:
  explicit SwitchReference(const Case& c)
      : case_(c),
        vcs_(kPorts, Order(kVcs, c.matrix())),
        inputs_(kPorts, Order(kPorts, c.matrix())),
        outputs_(kPorts, Order(kPorts, c.matrix())) {}

  Grants allocate(const Wanted& wanted) { return case_.islip() ? outputs_first(wanted) : inputs_first(wanted); }

 private:
  Grants outputs_first(const Wanted& wanted) {
    Asked asked(kPorts, std::vector<bool>(kPorts));
    for (unsigned in = 0; in < kPorts; ++in) {
      for (const auto& out : wanted[in]) {
        if (out) asked[in][*out] = true;
      }
    }
    Grants grants;
    for (const auto& [in, out] : islip(asked, outputs_, inputs_, case_.iterations)) {
      const unsigned to = out;
      const auto& of_input = wanted[in];
      const auto vc = vcs_[in].first([&](unsigned v) { return of_input[v] == to; });
      vcs_[in].use(*vc);
      grants.insert({in, *vc});
    }
    return grants;
  }
  Grants inputs_first(const Wanted& wanted) {
    std::array<std::optional<unsigned>, kPorts> offered;
    for (unsigned in = 0; in < kPorts; ++in) {
      offered[in] = vcs_[in].first([&](unsigned v) { return wanted[in][v].has_value(); });
    }
    Grants grants;
    for (unsigned out = 0; out < kPorts; ++out) {
      const auto in = outputs_[out].first([&](unsigned i) { return offered[i] && wanted[i][*offered[i]] == out; });
      if (!in) continue;
      outputs_[out].use(*in);
      vcs_[*in].use(*offered[*in]);
      grants.insert({*in, *offered[*in]});
    }
    return grants;
  }

  const Case& case_;
  std::vector<Order> vcs_, inputs_, outputs_;
};

TEST(SwitchAllocators, GrantAsTheirReferences) {
  for (const Case& c : cases()) {
    Router router(kVcs);
    const auto allocator =
        SwitchAllocatorRegistry::instance().make(c.allocator, router.allocator(c.arbiter, c.iterations));
    SwitchReference reference(c);
    Random random(5);
    for (std::uint64_t cycle = 0; cycle < 1500; ++cycle) {
      Wanted wanted;
      std::vector<std::array<std::uint32_t, 3>> requests;
      const std::uint64_t density = 1 + random.below(8);
      for (unsigned in = 0; in < kPorts; ++in) {
        for (unsigned v = 0; v < kVcs; ++v) {
          if (random.below(8) >= density) continue;
          wanted[in][v] = static_cast<unsigned>(random.below(kPorts));
          requests.push_back({in, v, *wanted[in][v]});
        }
      }
      router.request(requests);
      std::string expected;
      for (const auto& [in, v] : reference.allocate(wanted)) {
        expected += std::to_string(in) + "." + std::to_string(v) + " ";
      }
      ASSERT_EQ(granted(*allocator, router), expected) << c.text() << ", cycle " << cycle;
    }
  }
}

// ---------------------------------------------------------------- VA

constexpr unsigned kAll = kPorts * kVcs;  // VCs, by port

struct Head {
  unsigned in;
  std::vector<routing::Candidate> candidates;
};

/// What VA grants: an input VC and an output VC.
class VcReference {
 public:
  explicit VcReference(const Case& c)
      : case_(c),
        vcs_(kAll, Order(kVcs, c.matrix())),
        inputs_(kAll, Order(kAll, c.matrix())),
        outputs_(kAll, Order(kAll, c.matrix())) {}

  Grants allocate(const std::vector<Head>& heads, const std::array<VcMask, kPorts>& free,
                  const std::array<unsigned, kAll>& credits) {
    Asked asked(kAll, std::vector<bool>(kAll));
    for (const Head& head : heads) {
      if (case_.islip()) {
        for (const routing::Candidate& way : head.candidates) {
          const unsigned port = way.port.value;
          for (unsigned v = 0; v < kVcs; ++v) {
            if ((way.vcs & free[port] & 1U << v) != 0) asked[head.in][port * kVcs + v] = true;
          }
        }
      } else if (const routing::Candidate* way = chosen(head, free, credits); way != nullptr) {
        const unsigned port = way->port.value;
        const auto vc = vcs_[head.in].first([&](unsigned v) { return (way->vcs & free[port] & 1U << v) != 0; });
        asked[head.in][port * kVcs + *vc] = true;
      }
    }
    const Grants grants = case_.islip() ? islip(asked, outputs_, inputs_, case_.iterations) : outputs_take(asked);
    for (const auto& [in, out] : grants) last_ports_[in] = out / kVcs;
    return grants;
  }

 private:
  /// routing::Candidate: highest priority, then most space, then the first port after that of the last packet.
  const routing::Candidate* chosen(const Head& head, const std::array<VcMask, kPorts>& free,
                                   const std::array<unsigned, kAll>& credits) const {
    std::map<std::array<int, 3>, const routing::Candidate*> by_worth;
    for (const routing::Candidate& way : head.candidates) {
      const unsigned port = way.port.value;
      if ((way.vcs & free[port]) == 0) continue;
      int space = 0;
      for (unsigned v = 0; v < kVcs; ++v)
        space += (way.vcs >> v & 1U) != 0 ? static_cast<int>(credits[port * kVcs + v]) : 0;
      const int after_last = static_cast<int>((port + kPorts - last_ports_[head.in] - 1) % kPorts);
      by_worth[{-static_cast<int>(way.priority), -space, after_last}] = &way;
    }
    return by_worth.empty() ? nullptr : by_worth.begin()->second;
  }
  Grants outputs_take(const Asked& asked) {
    Grants grants;
    for (unsigned out = 0; out < kAll; ++out) {
      const auto in = outputs_[out].first([&](unsigned i) { return asked[i][out]; });
      if (!in) continue;
      outputs_[out].use(*in);
      vcs_[*in].use(out % kVcs);
      grants.insert({*in, out});
    }
    return grants;
  }

  const Case& case_;
  std::vector<Order> vcs_, inputs_, outputs_;
  std::array<unsigned, kAll> last_ports_{};
};

Grants granted_vcs(VcAllocator& allocator, Router& router, const std::vector<Head>& heads) {
  const auto vc = [&](unsigned v) { return router.vc(v / kVcs, v % kVcs); };
  const auto number = [&](VcIndex v) {
    return static_cast<unsigned>(router.bank->port_of(router.bank->port_of_vc(v)) * kVcs + router.bank->lane_of(v));
  };
  WorkList<VcIndex> waiting;
  waiting.reserve(kAll);
  for (const Head& head : heads) {
    router.wait(vc(head.in), head.candidates);
    waiting.push(vc(head.in));
  }
  WorkList<VcGrant> grants;
  grants.reserve(64);
  allocator.allocate({*router.bank, waiting}, grants);
  Grants all;
  for (const VcGrant& g : grants) {
    all.insert({number(g.in_vc), number(g.out_vc)});
    router.bank->last_ports[g.in_vc] = static_cast<std::uint8_t>(number(g.out_vc) / kVcs);
  }
  EXPECT_EQ(all.size(), grants.size());
  return all;
}

std::vector<Head> drawn_heads(Random& random) {
  const std::uint64_t density = 1 + random.below(8);
  std::vector<Head> heads;
  for (unsigned in = 0; in < kAll; ++in) {
    if (random.below(8) >= density) continue;
    std::vector<unsigned> ports(kPorts);
    std::iota(ports.begin(), ports.end(), 0U);
    Head head{in, {}};
    for (std::uint64_t ways = 1 + random.below(4); ways > 0; --ways) {
      const auto at = static_cast<std::ptrdiff_t>(random.below(ports.size()));
      const auto priority = static_cast<std::uint8_t>(random.below(2));
      const auto vcs = static_cast<VcMask>(1 + random.below((1U << kVcs) - 1));
      head.candidates.push_back({PortId{ports[static_cast<std::size_t>(at)]}, priority, vcs});
      ports.erase(ports.begin() + at);
    }
    // The order of those that wait says nothing.
    heads.insert(heads.begin() + static_cast<std::ptrdiff_t>(random.below(heads.size() + 1)), head);
  }
  return heads;
}

TEST(VcAllocators, GrantAsTheirReferences) {
  for (const Case& c : cases()) {
    Router router(kVcs);
    const auto allocator = VcAllocatorRegistry::instance().make(c.allocator, router.allocator(c.arbiter, c.iterations));
    VcReference reference(c);
    Random random(7);
    for (std::uint64_t cycle = 0; cycle < 1000; ++cycle) {
      std::array<VcMask, kPorts> free{};
      std::array<unsigned, kAll> credits{};
      for (unsigned port = 0; port < kPorts; ++port) {
        free[port] = router.bank->free_vcs[router.port(port)] = static_cast<VcMask>(random.below(1U << kVcs));
        for (unsigned v = 0; v < kVcs; ++v) {
          const auto drawn = static_cast<unsigned>(random.below(3));
          credits[port * kVcs + v] = drawn;
          router.bank->output_vcs[router.vc(port, v)].credits = static_cast<std::uint16_t>(drawn);
        }
      }
      const std::vector<Head> heads = drawn_heads(random);
      ASSERT_EQ(granted_vcs(*allocator, router, heads), reference.allocate(heads, free, credits))
          << c.text() << ", cycle " << cycle;
    }
  }
}

}  // namespace
}  // namespace braid::test::allocator_references_test
