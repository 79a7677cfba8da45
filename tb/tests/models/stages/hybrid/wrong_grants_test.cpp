// Allocators of somebody else's in the model's places: grants that no allocator may give are refused by the VC that
// gets one, and others are carried out. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "models/engine/engine.h"
#include "models/stages/hybrid/switch_allocator.h"
#include "models/stages/hybrid/vc_allocator.h"
#include "tb/tests/support/bench.h"

namespace braid::test::wrong_grants_test {
namespace {

using models::Experiment;
using models::stages::Bits;
using namespace models::stages::hybrid;  // NOLINT(google-build-using-namespace)

/// 4 switches, 5 ports, 4 VCs.
Experiment with(const char* stage, double rate = 0.5) {
  Experiment e = uniform_mesh(rate, 2, 2);
  e.set(std::string("stage.") + stage, "of_this_test");
  return e;
}

/// What is said of a network's run; "": nothing.
std::string said(const Experiment& e, std::uint64_t cycles) {
  Bench bench(e);
  const auto engine = models::make_engine(*bench.network);
  try {
    engine->run(cycles);
  } catch (const std::exception& error) {
    return error.what();
  }
  EXPECT_GT(bench.delivered(), cycles / 10);
  EXPECT_TRUE(bench.network->conservation().holds());
  return "";
}

std::string grants(unsigned i, const std::string& what) {
  return "the stage that writes it grants VC " + std::to_string(i % 4) + " of input port " + std::to_string(i / 4) +
         ", which " + what;
}

void expect_says(const std::string& text, const std::string& what) {
  EXPECT_NE(text.find(what), std::string::npos) << text << "; wanted " << what;
}

// ---------------------------------------------------------------- SA

class Switch final : public SwitchAllocatorPorts {
 public:
  explicit Switch(const StageSeat& seat) : SwitchAllocatorPorts(seat.name, seat.shape) {}
  unsigned vcs() const { return shape_.input_vcs(); }
  bool asks(unsigned i) const { return request_i->read()[i]; }
  unsigned in(unsigned i) const { return i / shape_.vcs; }
  unsigned out(unsigned i) const {
    return static_cast<unsigned>(out_port_i->read().field(i * shape_.port_bits(), shape_.port_bits()));
  }
  /// As any allocator may: a request after the other whose ports are both left.
  Bits greedy() const {
    Bits grant(vcs());
    std::uint64_t inputs = 0, outputs = 0;
    for (unsigned i = 0; i < vcs(); ++i) {
      if (!asks(i) || (inputs >> in(i) & 1) != 0 || (outputs >> out(i) & 1) != 0) continue;
      inputs |= std::uint64_t{1} << in(i);
      outputs |= std::uint64_t{1} << out(i);
      grant.set(i);
    }
    return grant;
  }
  /// Two requests that this is true of, the first grant of each cycle alone until there are any.
  template <class Clash>
  Bits clash(Clash clash, std::optional<unsigned>& second) const {
    Bits grant(vcs());
    for (unsigned i = 0; i < vcs(); ++i) {
      for (unsigned j = i + 1; j < vcs(); ++j) {
        if (second || !asks(i) || !asks(j) || !clash(i, j)) continue;
        grant.set(i);
        grant.set(j);
        second = j;
        return grant;
      }
    }
    for (unsigned i = 0; i < vcs(); ++i) {
      if (!asks(i)) continue;
      grant.set(i);
      break;
    }
    return grant;
  }

 private:
  void on_ports(std::uint64_t) override { grant_o->write(wanted(*this)); }

 public:
  inline static std::function<Bits(const Switch&)> wanted;
};

std::string said_of_switch(const std::function<Bits(const Switch&)>& wanted, std::uint64_t cycles) {
  Switch::wanted = wanted;
  StageRegistry<SwitchAllocatorPorts>::instance().add(
      "of_this_test", "grants what a test wants", [](const StageSeat& seat) { return std::make_unique<Switch>(seat); });
  return said(with("switch_allocator"), cycles);
}

TEST(WrongSwitchGrant, IsNoneWhereEachPortIsGrantedOnce) {
  EXPECT_EQ(said_of_switch([](const Switch& s) { return s.greedy(); }, 500), "");
}

TEST(WrongSwitchGrant, IsOneOfAVcThatHasNotAsked) {
  const std::string text = said_of_switch([](const Switch& s) { return Bits(s.vcs(), 1U << 6); }, 10);
  expect_says(text, ".grant, cycle 0: ");
  expect_says(text, grants(6, "has not asked"));
}

TEST(WrongSwitchGrant, IsOneOfTwoFromAPort) {
  std::optional<unsigned> second;
  const auto both = [&](const Switch& s) {
    return s.clash([&](unsigned i, unsigned j) { return s.in(i) == s.in(j) && s.out(i) != s.out(j); }, second);
  };
  const std::string text = said_of_switch(both, 3000);
  ASSERT_TRUE(second);
  expect_says(text, grants(*second, "meets a port that is taken"));
}

TEST(WrongSwitchGrant, IsOneOfTwoToAPort) {
  std::optional<unsigned> second;
  const auto both = [&](const Switch& s) {
    return s.clash([&](unsigned i, unsigned j) { return s.in(i) != s.in(j) && s.out(i) == s.out(j); }, second);
  };
  const std::string text = said_of_switch(both, 3000);
  ASSERT_TRUE(second);
  expect_says(text, grants(*second, "meets a port that is taken"));
}

// ---------------------------------------------------------------- VA

/// What a VC allocator writes.
struct VcGrants {
  Bits grant, port, vc, granted;
};

class Vcs final : public VcAllocatorPorts {
 public:
  explicit Vcs(const StageSeat& seat) : VcAllocatorPorts(seat.name, seat.shape) {}
  VcGrants none() const {
    const unsigned n = shape_.input_vcs();
    return {Bits(n), Bits(n * shape_.ports), Bits(n * shape_.vcs), Bits(n)};
  }
  unsigned vcs() const { return shape_.input_vcs(); }
  bool waits(unsigned i) const { return waiting_i->read()[i]; }
  /// The first port that the head may take; X first knows one.
  unsigned port(unsigned i) const {
    unsigned p = 0;
    while (!candidates_i->read()[i * shape_.ports + p]) ++p;
    return p;
  }
  bool is_free(unsigned p, unsigned l) const { return free_i->read()[p * shape_.vcs + l]; }
  void give(VcGrants& to, unsigned i, unsigned p, unsigned l) const {
    to.grant.set(i);
    to.port.set(i * shape_.ports + p);
    to.vc.set(i * shape_.vcs + l);
    to.granted.set(p * shape_.vcs + l);
  }
  /// A VC of output port `p` that is or is not free, and that nobody has been given.
  std::optional<unsigned> vc_of(unsigned p, bool free, const VcGrants& given) const {
    for (unsigned l = 0; l < shape_.vcs; ++l) {
      if (is_free(p, l) == free && !given.granted[p * shape_.vcs + l]) return l;
    }
    return std::nullopt;
  }
  /// As any allocator may: each head a VC that is left.
  VcGrants greedy() const {
    VcGrants all = none();
    for (unsigned i = 0; i < vcs(); ++i) {
      if (!waits(i)) continue;
      if (const auto l = vc_of(port(i), true, all)) give(all, i, port(i), *l);
    }
    return all;
  }

 private:
  void on_ports(std::uint64_t) override {
    const VcGrants all = wanted(*this);
    grant_o->write(all.grant);
    port_o->write(all.port);
    vc_o->write(all.vc);
    granted_o->write(all.granted);
  }

 public:
  inline static std::function<VcGrants(const Vcs&)> wanted;
};

std::string said_of_vcs(const std::function<VcGrants(const Vcs&)>& wanted, std::uint64_t cycles) {
  Vcs::wanted = wanted;
  StageRegistry<VcAllocatorPorts>::instance().add("of_this_test", "grants what a test wants",
                                                  [](const StageSeat& seat) { return std::make_unique<Vcs>(seat); });
  return said(with("vc_allocator"), cycles);
}

const char* const kNotAsked = "has not asked, or the VC is not free";

TEST(WrongVcGrant, IsNoneWhereEachHeadGetsAVcOfItsOwn) {
  EXPECT_EQ(said_of_vcs([](const Vcs& s) { return s.greedy(); }, 500), "");
}

TEST(WrongVcGrant, IsOneOfAVcThatHasNotAsked) {
  const auto unasked = [](const Vcs& s) {
    VcGrants all = s.none();
    s.give(all, 9, 0, 3);
    return all;
  };
  const std::string text = said_of_vcs(unasked, 10);
  expect_says(text, ".vc_grant, cycle 0: ");
  expect_says(text, grants(9, kNotAsked));
}

/// Without a port, and without a VC.
std::string unnamed(bool port) {
  const auto without = [port](const Vcs& s) {
    VcGrants all = s.greedy();
    (port ? all.port : all.vc).clear();
    return all;
  };
  return said_of_vcs(without, 200);
}
TEST(WrongVcGrant, IsOneWithoutAPort) {
  const std::string text = unnamed(true);
  expect_says(text, "which is given no port and VC");
}
TEST(WrongVcGrant, IsOneWithoutAVc) {
  const std::string text = unnamed(false);
  expect_says(text, "which is given no port and VC");
}

TEST(WrongVcGrant, IsOneOfAVcThatAnotherPacketHas) {
  std::optional<unsigned> wrong;
  const auto taken = [&](const Vcs& s) {
    VcGrants all = s.none();
    for (unsigned i = 0; i < s.vcs() && !wrong; ++i) {
      if (!s.waits(i)) continue;
      const auto l = s.vc_of(s.port(i), false, all);
      if (!l) continue;
      s.give(all, i, s.port(i), *l);
      wrong = i;
      return all;
    }
    return s.greedy();
  };
  const std::string text = said_of_vcs(taken, 3000);
  ASSERT_TRUE(wrong);
  expect_says(text, grants(*wrong, kNotAsked));
}

/// To the second of two heads that want one port: a VC that is free, whichever of the port's it is.
class SameVc : public testing::TestWithParam<unsigned> {};

TEST_P(SameVc, IsAWrongGrantToASecondHead) {
  const unsigned l = GetParam();
  std::optional<unsigned> wrong;
  const auto twice = [&](const Vcs& s) {
    for (unsigned i = 0; i < s.vcs() && !wrong; ++i) {
      for (unsigned j = i + 1; j < s.vcs() && s.waits(i); ++j) {
        if (!s.is_free(s.port(i), l) || !s.waits(j) || s.port(i) != s.port(j)) continue;
        VcGrants all = s.none();
        s.give(all, i, s.port(i), l);
        s.give(all, j, s.port(i), l);
        wrong = j;
        return all;
      }
    }
    return s.greedy();
  };
  const std::string text = said_of_vcs(twice, 3000);
  ASSERT_TRUE(wrong);
  expect_says(text, grants(*wrong, kNotAsked));
}
INSTANTIATE_TEST_SUITE_P(Of, SameVc, testing::Range(0U, 4U));

}  // namespace
}  // namespace braid::test::wrong_grants_test
