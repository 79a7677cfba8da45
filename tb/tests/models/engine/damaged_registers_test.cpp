// What a checkpoint's reader says of damaged registers. Bytes all over the registers of each golden experiment are
// changed, one at a time, to all ones, to one more and to nothing, and what becomes of it is counted, by message and
// the number that it compares with: a check that goes, or asks for something else, changes the counts. They stand in
// tb/golden/damaged; BRAID_UPDATE_GOLDEN=1 in the environment writes them anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "models/experiment/experiment_reader.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/golden.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::damaged_registers_test {
namespace {

constexpr std::size_t kPlaces = 1000;
constexpr std::uint64_t kCycles = 700;

/// What the reader takes has to run (not yet where there are circuits, whose registers it does not hold to each other
/// well enough): some cycles over lists, and over planes, which look at more of the registers when
/// they take them over.
std::string went_on(models::Network& network) {
  constexpr int kGoOn = 3;
  if (network.fabric().circuit_lanes() != 0) return {};
  auto* fabric = dynamic_cast<models::hybrid::Fabric*>(&network.fabric());
  const bool planes = fabric != nullptr && fabric->has_planes();
  std::string refused;
  try {
    for (int cycle = 0; cycle < 2 * kGoOn; ++cycle) {
      if (planes) fabric->use_planes(cycle < kGoOn);
      network.cycle();
    }
  } catch (const std::exception& e) {
    refused = std::string(", then ") + e.what();
  }
  if (planes) fabric->use_planes(false);
  return refused;
}

/// Without what was found: "VC 77, here are 320" becomes "VC #, here are 320".
std::string without_values(const std::string& message) {
  static const std::regex number("[0-9]+"), name("^\"[^\"]*\", where");
  const std::size_t limits = std::min(message.find("here are "), message.size());
  const std::string values = std::regex_replace(message.substr(0, limits), name, "\"...\", where");
  return std::regex_replace(values, number, "#") + message.substr(limits);
}

std::string outcome(models::Network& network, const std::string& bytes) {
  try {
    restore(network, bytes);
    return "taken" + without_values(went_on(network));
  } catch (const CheckpointError& e) {
    return without_values(e.what());
  }
}

/// Lines "count message".
std::string outcomes(models::Network& network, const std::string& bytes, std::size_t step) {
  std::map<std::string, int> counts;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    for (const int value : {0xff, bytes[at] + 1, 0}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(value);
      if (damaged[at] == bytes[at]) continue;
      ++counts[outcome(network, damaged)];
    }
  }
  std::ostringstream text;
  for (const auto& [message, count] : counts) text << count << ' ' << message << '\n';
  return text.str();
}

class Damaged : public testing::TestWithParam<Named> {};

TEST_P(Damaged, RegistersAreRefusedAsTheyWere) {
  Bench bench(models::read_experiment(GetParam().file, GetParam().settings));
  bench.run(kCycles);
  const std::string bytes = saved(*bench.network);
  const std::size_t step = bytes.size() / kPlaces + 1;
  if (kBrief) {
    (void)outcomes(*bench.network, bytes, 20 * step);
  } else {
    expect_golden(outcomes(*bench.network, bytes, step), "damaged/" + GetParam().name + ".txt");
  }
  restore(*bench.network, bytes);
  EXPECT_EQ(saved(*bench.network), bytes) << "a refused checkpoint has left something behind";
}
INSTANTIATE_TEST_SUITE_P(Registers, Damaged, testing::ValuesIn(golden_experiments()),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace braid::test::damaged_registers_test
