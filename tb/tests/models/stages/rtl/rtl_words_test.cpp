// Ports of a Verilated stage are words, and may be longer than the module's: every bit goes there and back, what lies
// above the module's is 0 on an input and is not looked at on an output. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "models/rtl/lockstep.h"
#include "models/stages/rtl/rtl_unit.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::rtl_words_test {
namespace {

using models::hybrid::RouterManifest;
using models::hybrid::WiredStage;
using models::stages::Bits;
using models::stages::rtl::RtlUnit;

constexpr unsigned kBytes = 16;
using Words = std::array<std::uint32_t, kBytes / 4>;

/// Its outputs are what the test says, and its input is there to be looked at.
class Told final : public WiredStage {
 public:
  Told() {
    show("row_i", Kind::kInput, row);
    show("wire_o", Kind::kWire, wire);
    show("kept_o", Kind::kRegister, kept);
  }
  void reset() override {}
  void settle() override { ++settled; }
  void clock() override {}
  inline static Words row, wire, kept;
  inline static int settled = 0;
};

struct Module : sc_core::sc_module {
  explicit Module(const sc_core::sc_module_name& name) : sc_module(name) {}
  sc_core::sc_in<Bits> row_i{"row_i"};
  sc_core::sc_out<Bits> wire_o{"wire_o"}, kept_o{"kept_o"};
};

bool pattern(unsigned i) { return (i * i + i / 3) % 5 < 2; }
Bits patterned(unsigned width, bool turned = false) {
  Bits bits(width);
  for (unsigned i = 0; i < width; ++i) bits.set(i, pattern(i) != turned);
  return bits;
}
bool bit(const Words& words, unsigned i) { return (words[i / 32] >> i % 32 & 1) != 0; }
Words all_of(bool turned) {
  Words words{};
  for (unsigned i = 0; i < 8 * kBytes; ++i) words[i / 32] |= std::uint32_t{pattern(i) != turned} << i % 32;
  return words;
}

class RtlWords : public testing::TestWithParam<unsigned> {
 protected:
  RtlWords() : topology_(routing::make_topology(experiment_)) {
    const std::string folder = temporary_file("rtl_words");
    std::filesystem::create_directories(folder + "/stages");
    std::ofstream(folder + "/stages/told.json")
        << R"({"name": "told", "library": "told.so", "build": "none", )"
        << R"("shape": {"ports": 5, "vcs": 4, "depth": 8, "flit_width": 64, "routing": "x_first"}})";
    experiment_.set("router.rtl_folder", folder);
    models::hybrid::set_stage_maker([](const RouterManifest&, const std::string&) {
      return std::unique_ptr<WiredStage>(std::make_unique<Told>());
    });
    unit_ = std::make_unique<RtlUnit>(
        models::stages::hybrid::StageSeat{"unit", shape_, experiment_, topology_, RouterId{0U}}, "vc_allocator");
    module_.row_i(row_), module_.wire_o(wire_), module_.kept_o(kept_);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    unit_->tie(module_);
  }
  std::string compared(WiredStage::Kind kind) {
    return complaint<models::hybrid::LockstepError>([&] { unit_->compare(kind, {}, 5); });
  }

  const unsigned width_ = GetParam();
  models::Experiment experiment_;
  routing::Topology topology_;
  models::stages::hybrid::RouterShape shape_;
  std::unique_ptr<RtlUnit> unit_;
  Module module_{"module"};
  sc_core::sc_signal<Bits> row_{"row", Bits(width_)}, wire_{"wire", Bits(width_)}, kept_{"kept", Bits(width_)};
};

TEST_P(RtlWords, HaveTheBitsOfTheModulesInputAndNothingAboveThem) {
  Told::row.fill(~0U);
  row_.write(patterned(width_));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const int before = Told::settled;
  unit_->take_inputs();
  EXPECT_EQ(Told::settled, before + 1) << "its wires follow";
  for (unsigned i = 0; i < 8 * kBytes; ++i) EXPECT_EQ(bit(Told::row, i), i < width_ && pattern(i)) << i;
}

TEST_P(RtlWords, AreTheModulesOutputsAsFarAsThatGoes) {
  Told::wire = all_of(false);
  Told::kept = all_of(true);
  for (const auto kind : {WiredStage::Kind::kWire, WiredStage::Kind::kRegister}) {
    unit_->write_outputs(kind);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(wire_.read(), patterned(width_)) << wire_.read().text();
    EXPECT_EQ(kept_.read(), kind == WiredStage::Kind::kWire ? Bits(width_) : patterned(width_, true));
  }
}

/// Each bit by itself: the first difference is told of, and one above the module's bits is none.
TEST_P(RtlWords, AreComparedBitByBit) {
  Told::wire = all_of(false);
  wire_.write(patterned(width_));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(compared(WiredStage::Kind::kWire), "");
  for (unsigned i = 0; i < 8 * kBytes; ++i) {
    Told::wire[i / 32] ^= 1U << i % 32;
    EXPECT_EQ(compared(WiredStage::Kind::kWire).empty(), i >= width_) << i;
    Told::wire[i / 32] ^= 1U << i % 32;
  }
}
INSTANTIATE_TEST_SUITE_P(Of, RtlWords, testing::Values(1U, 8U, 57U, 63U, 64U, 65U, 96U, 127U, 128U));

}  // namespace
}  // namespace braid::test::rtl_words_test
