// A stage of the RTL behind a module's ports, without Verilator: what the inputs carry comes to it, and what it says to
// the outputs, each by its name and with all its bits.
#include "models/stages/rtl/rtl_unit.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "models/rtl/lockstep.h"
#include "tb/tests/support/bench.h"

namespace braid::test::rtl_unit_test {
namespace {

using models::hybrid::RouterManifest;
using models::hybrid::WiredStage;
using models::stages::Bits;
using models::stages::rtl::RtlUnit;

constexpr unsigned kWidth = 70;  // more than a word
using Words = std::array<std::uint32_t, 3>;

/// A wire has the input's bits turned over, a register those of the cycle before.
class Turned final : public WiredStage {
 public:
  Turned() {
    show("row_i", Kind::kInput, row_);
    show("turned_o", Kind::kWire, turned_);
    show("kept_o", Kind::kRegister, kept_);
  }
  void reset() override { kept_ = {}; }
  void settle() override {
    for (std::size_t i = 0; i < row_.size(); ++i) turned_[i] = ~row_[i];
  }
  void clock() override { kept_ = row_; }

 private:
  Words row_{}, turned_{}, kept_{};
};

struct Module : sc_core::sc_module {
  explicit Module(const sc_core::sc_module_name& name) : sc_module(name) {}
  sc_core::sc_in<Bits> row_i{"row_i"};
  sc_core::sc_out<Bits> turned_o{"turned_o"}, kept_o{"kept_o"};
};

/// The only library of stages in a folder, which need not be there: the test makes its stages.
std::string folder_of_stages() {
  const std::string folder = temporary_file("rtl");
  std::filesystem::create_directories(folder + "/stages");
  std::ofstream(folder + "/stages/turned.json")
      << R"({"name": "turned", "library": "turned.so", "build": "none", )"
      << R"("shape": {"ports": 5, "vcs": 4, "depth": 8, "flit_width": 64, "routing": "x_first"}})";
  return folder;
}

class RtlUnitAlone : public testing::Test {
 protected:
  RtlUnitAlone() : topology_(routing::make_topology(experiment_)) {
    experiment_.set("router.rtl_folder", folder_of_stages());
    shape_.ports = 5;
    models::hybrid::set_stage_maker([](const RouterManifest&, const std::string&) {
      return std::unique_ptr<WiredStage>(std::make_unique<Turned>());
    });
    unit_ = std::make_unique<RtlUnit>(
        models::stages::hybrid::StageSeat{"unit", shape_, experiment_, topology_, RouterId{std::size_t{0}}},
        "vc_allocator");
    module_.row_i(row_);
    module_.turned_o(turned_);
    module_.kept_o(kept_);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    unit_->tie(module_);
  }
  static Bits bits(std::uint64_t low, std::uint64_t high) {
    Bits all(kWidth);
    all.set(0, 64, low);
    all.set(64, kWidth - 64, high);
    return all;
  }
  void give(const Bits& row) {
    row_.write(row);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    unit_->take_inputs();
  }
  void write(WiredStage::Kind kind) {
    unit_->write_outputs(kind);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  static constexpr std::uint64_t kLow = 0x8000000f00000001;
  models::Experiment experiment_;
  routing::Topology topology_;
  models::stages::hybrid::RouterShape shape_;
  std::unique_ptr<RtlUnit> unit_;
  Module module_{"module"};
  sc_core::sc_signal<Bits> row_{"row", Bits(kWidth)}, turned_{"turned", Bits(kWidth)}, kept_{"kept", Bits(kWidth)};
};

TEST_F(RtlUnitAlone, CarriesEveryBitThereAndBack) {
  give(bits(kLow, 0b100001));
  write(WiredStage::Kind::kWire);
  EXPECT_EQ(turned_.read(), bits(~kLow, 0b011110)) << turned_.read().text();
  EXPECT_EQ(kept_.read(), bits(0, 0)) << "a register changes with the clock's edge";
  unit_->clock();
  give(bits(0, 0));
  write(WiredStage::Kind::kRegister);
  EXPECT_EQ(kept_.read(), bits(kLow, 0b100001)) << kept_.read().text();
}

TEST_F(RtlUnitAlone, FindsTheBitInWhichTheModelDiffers) {
  give(bits(kLow, 0b100001));
  turned_.write(bits(~kLow, 0b011110));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_NO_THROW(unit_->compare(WiredStage::Kind::kWire, {}, 3));
  turned_.write(bits(~kLow, 0b111110));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_THROW(unit_->compare(WiredStage::Kind::kWire, {}, 3), models::hybrid::LockstepError);
  EXPECT_NO_THROW(unit_->compare(WiredStage::Kind::kRegister, {}, 3)) << "registers are compared by themselves";
}

}  // namespace
}  // namespace braid::test::rtl_unit_test
