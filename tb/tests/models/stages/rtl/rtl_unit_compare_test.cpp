// The RTL's outputs against the model's: only bits that mean something count, and a module that cannot be the RTL's is
// refused. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "models/rtl/lockstep.h"
#include "models/stages/rtl/rtl_unit.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::rtl_unit_compare_test {
namespace {

using models::hybrid::RouterManifest;
using models::hybrid::WiredStage;
using models::stages::Bits;
using models::stages::rtl::Qualified;
using models::stages::rtl::RtlUnit;

/// A stage whose outputs are what the test says: 8 bits of data, of which one bit each tells that a half is valid.
class Told final : public WiredStage {
 public:
  Told() {
    show("row_i", Kind::kInput, row);
    show("data_o", Kind::kWire, data);
    show("valid_o", Kind::kWire, valid);
    show("kept_o", Kind::kRegister, kept);
  }
  void reset() override { ++resets; }
  void settle() override {}
  void clock() override {}
  inline static std::uint8_t row, data, valid, kept;
  inline static int resets;
};

struct Module : sc_core::sc_module {
  explicit Module(const sc_core::sc_module_name& name) : sc_module(name) {}
  sc_core::sc_in<Bits> row_i{"row_i"};
  sc_core::sc_out<Bits> data_o{"data_o"}, valid_o{"valid_o"}, kept_o{"kept_o"};
};

std::string folder_of_stages() {
  const std::string folder = temporary_file("rtl_told");
  std::filesystem::create_directories(folder + "/stages");
  std::ofstream(folder + "/stages/told.json")
      << R"({"name": "told", "library": "told.so", "build": "none", )"
      << R"("shape": {"ports": 5, "vcs": 4, "depth": 8, "flit_width": 64, "routing": "x_first"}})";
  return folder;
}

class RtlUnitCompare : public testing::Test {
 protected:
  RtlUnitCompare() : topology_(routing::make_topology(experiment_)) {
    Told::row = Told::data = Told::valid = Told::kept = 0;
    Told::resets = 0;
    experiment_.set("router.rtl_folder", folder_of_stages());
    models::hybrid::set_stage_maker([](const RouterManifest&, const std::string& stage) {
      return stage == "nobody" ? nullptr : std::unique_ptr<WiredStage>(std::make_unique<Told>());
    });
  }
  std::unique_ptr<RtlUnit> unit(unsigned ports, const std::string& stage = "vc_allocator") {
    shape_.ports = ports;
    return std::make_unique<RtlUnit>(
        models::stages::hybrid::StageSeat{"unit", shape_, experiment_, topology_, RouterId{std::size_t{9}}}, stage);
  }
  /// A tied one, whose module's signals are 0.
  std::unique_ptr<RtlUnit> tied() {
    module_.row_i(row_);
    module_.data_o(data_);
    module_.valid_o(valid_);
    module_.kept_o(kept_);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    auto made = unit(5);
    made->tie(module_);
    return made;
  }
  void model(std::uint64_t data, std::uint64_t valid) {
    data_.write(Bits(8, data));
    valid_.write(Bits(2, valid));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static std::string said(RtlUnit& unit, WiredStage::Kind kind, const std::vector<Qualified>& qualified) {
    try {
      unit.compare(kind, qualified, 17);
    } catch (const models::hybrid::LockstepError& error) {
      return error.what();
    }
    return "";
  }
  static std::string of_logic(const std::function<void()>& work) {
    return complaint<std::logic_error>([&] { work(); });
  }

  models::Experiment experiment_;
  routing::Topology topology_;
  models::stages::hybrid::RouterShape shape_;
  Module module_{"module"};
  sc_core::sc_signal<Bits> row_{"row", Bits(8)}, data_{"data", Bits(8)}, valid_{"valid", Bits(2)},
      kept_{"kept", Bits(1)};
};

/// Bit i of the data differs, in the lower half or in the upper one.
TEST_F(RtlUnitCompare, LooksAtTheBitsThatMeanSomething) {
  const auto unit = tied();
  const std::vector<Qualified> none, halves{{"data_o", "valid_o", false}}, all{{"data_o", "valid_o", true}},
      never{{"data_o", "", true}}, nobody{{"data_o", "nobody_o", false}}, others{{"valid_o", "data_o", true}};
  for (unsigned bit = 0; bit < 8; ++bit) {
    for (const std::uint8_t valid : {0b00, 0b01, 0b10, 0b11}) {
      SCOPED_TRACE(std::to_string(bit) + " of " + std::to_string(valid));
      Told::valid = valid;
      Told::data = 0b10100101;
      model(Told::data ^ (1U << bit), valid);
      const auto differs = [&](const std::vector<Qualified>& qualified) {
        return !said(*unit, WiredStage::Kind::kWire, qualified).empty();
      };
      EXPECT_TRUE(differs(none));
      EXPECT_TRUE(differs(others)) << "of another output";
      EXPECT_EQ(differs(halves), (valid >> (bit / 4) & 1) != 0);
      EXPECT_EQ(differs(all), valid != 0);
      EXPECT_FALSE(differs(never));
      EXPECT_FALSE(differs(nobody));
      EXPECT_EQ(said(*unit, WiredStage::Kind::kRegister, {}), "");
    }
  }
}

TEST_F(RtlUnitCompare, NamesRouterCyclePortAndBothValues) {
  const auto unit = tied();
  Told::data = 0b11;
  model(0b01, 0);
  EXPECT_EQ(
      said(*unit, WiredStage::Kind::kWire, {}),
      "lockstep: router 1,1, cycle 17: vc_allocator.data_o is 8'b00000001 in the model and 8'b00000011 in the RTL");
  model(0b11, 0b10);
  EXPECT_EQ(said(*unit, WiredStage::Kind::kWire, {}),
            "lockstep: router 1,1, cycle 17: vc_allocator.valid_o is 2'b10 in the model and 2'b00 in the RTL");
  model(0b11, 0);
  EXPECT_EQ(said(*unit, WiredStage::Kind::kWire, {}), "");
  Told::kept = 1;
  EXPECT_NE(said(*unit, WiredStage::Kind::kRegister, {}).find("vc_allocator.kept_o is 1'b0"), std::string::npos);
}

TEST_F(RtlUnitCompare, IsResetWhenItIsMade) {
  const auto made = unit(5);
  EXPECT_EQ(Told::resets, 1);
}

TEST_F(RtlUnitCompare, RefusesARouterOfOtherPortsAndAStageThatIsNotThere) {
  try {
    (void)unit(4);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "stage.vc_allocator: router 1,1 has 4 ports; expected 5, as the RTL's stages have");
  }
  try {
    (void)unit(5, "nobody");
    ADD_FAILURE();
  } catch (const InputError& error) {
    const std::string said = error.what();
    EXPECT_EQ(said.rfind("stage.nobody: ", 0), 0U) << said;
    EXPECT_NE(said.find("told.so has no such stage"), std::string::npos) << said;
  }
}

/// Ports of 8 bits are all of the RTL's byte; a ninth bit is one too many.
TEST_F(RtlUnitCompare, RefusesAModuleWhosePortsAreNotTheRtls) {
  struct NoData : sc_core::sc_module {
    explicit NoData(const sc_core::sc_module_name& name) : sc_module(name) {}
    sc_core::sc_in<Bits> row_i{"row_i"};
    sc_core::sc_out<Bits> valid_o{"valid_o"}, kept_o{"kept_o"};
  } no_data("no_data");
  sc_core::sc_signal<Bits> nine("nine", Bits(9)), one("one", Bits(1)), other("other", Bits(1));
  no_data.row_i(row_);
  no_data.valid_o(one);
  no_data.kept_o(other);
  Module wide("wide"), input("input");
  sc_core::sc_signal<Bits> a("a", Bits(9)), b("b", Bits(2)), c("c", Bits(1)), d("d", Bits(8)), e("e", Bits(2)),
      f("f", Bits(1));
  wide.row_i(row_), wide.data_o(a), wide.valid_o(b), wide.kept_o(c);
  input.row_i(nine), input.data_o(d), input.valid_o(e), input.kept_o(f);
  const auto fits = tied();
  EXPECT_EQ(of_logic([&] { unit(5)->tie(no_data); }), "no_data has no port data_o, which the RTL has");
  EXPECT_EQ(of_logic([&] { unit(5)->tie(wide); }), "wide.data_o has 9 bits, more than the RTL");
  EXPECT_EQ(of_logic([&] { unit(5)->tie(input); }), "input.row_i has 9 bits, more than the RTL");
}

}  // namespace
}  // namespace braid::test::rtl_unit_compare_test
