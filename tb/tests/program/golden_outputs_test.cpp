// What the program writes. Each golden experiment goes through every command that takes one, with every file that the
// command can write: how many lines each has, and a checksum of them. They stand in tb/golden/outputs;
// BRAID_UPDATE_GOLDEN=1 in the environment writes them anew. Results as JSON have golden files of their own
// (braid_tools.gates.golden), checkpoints have their registers (models/damaged_registers_test.cpp).
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tb/tests/support/golden.h"
#include "tb/tests/support/output_options.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/summary.h"

namespace braid::test::golden_outputs_test {
namespace {

namespace fs = std::filesystem;

/// Short, and waveforms shorter still: their signals are held by tb/golden/waves.
const std::string kShort =
    " --set simulation.batch_cycles=500 --set simulation.min_warmup_cycles=500 --set simulation.max_warmup_cycles=500 "
    "--set simulation.measure_cycles=500 --set simulation.max_drain_cycles=500";
const std::string kWave = " --set trace.to_cycle=100";

/// Held elsewhere.
const std::set<std::string> kElsewhere{"run json", "run checkpoint"};

class Written : public testing::TestWithParam<Named> {
 protected:
  /// What a command says and writes: all its files at once, or, where it refuses that, what it says without files, and
  /// each that it does not refuse.
  std::string of(const std::string& command) const {
    std::vector<std::string> each;
    std::string all;
    for (const Output& output : outputs_of(command)) {
      if (kElsewhere.count(command + " " + output.name) != 0) continue;
      const std::string wave = output.name == "trace" ? kWave : "";
      each.push_back(output.words + place_ + output.name + output.ending + wave);
      all += each.back();
    }
    const Ended ended = run(command, all);
    if (ended.status != 2) return summed_up(command, ended);
    std::string text = summed_up(command, run(command, ""));
    for (const std::string& one : each) text += files(command, run(command, one));
    return text;
  }

 private:
  Ended run(const std::string& command, const std::string& files) const {
    fs::remove_all(place_);
    fs::create_directories(place_);
    const std::string root = source_file("");  // messages name the file as it is named here
    std::string call = command + " " + GetParam().file.substr(root.size()) + kShort;
    for (const std::string& setting : GetParam().settings) call += " --set '" + setting + "'";
    return braid(call + files, "cd '" + root + "' && ");
  }
  std::string summed_up(const std::string& command, const Ended& ended) const {
    return summary(command + ", status " + std::to_string(ended.status), ended.output, place_) + files(command, ended);
  }
  std::string files(const std::string& command, const Ended& ended) const {
    std::string text;
    std::set<fs::path> written;
    for (const auto& entry : fs::directory_iterator(place_)) written.insert(entry.path());
    for (const fs::path& file : written) {
      text += summary(command + ' ' + file.filename().string(), content(file), place_);
    }
    fs::remove_all(place_);
    EXPECT_TRUE(ended.status != 2 || text.empty()) << command << ": a run that is refused writes nothing";
    return text;
  }

  std::string place_ = temporary_file("golden_outputs/");
};

TEST_P(Written, IsAsItWas) {
  if (kBrief) GTEST_SKIP() << kLong;
  std::string text;
  for (const char* command : {"run", "paths", "circuits", "modules"}) text += of(command);
  expect_golden(text, "outputs/" + GetParam().name + ".txt");
}
INSTANTIATE_TEST_SUITE_P(Golden, Written, testing::ValuesIn(golden_experiments()),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace braid::test::golden_outputs_test
