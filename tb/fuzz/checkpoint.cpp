// Checkpoints: the registers of a small network of each family that is warm, changed as the input says, restored in
// another one and gone on with. There is no checksum in the way. An input is the number of a network, then changes of
// seven bytes: where (three), how many bytes (one), and what stands there then (three, the last one repeated).
#include "routing/base/checkpoint.h"

#include <deque>
#include <memory>
#include <stdexcept>
#include <string>

#include "models/engine/network.h"
#include "models/experiment/experiment_reader.h"
#include "tb/fuzz/reader.h"

namespace {

using namespace braid;

constexpr std::size_t kWarmCycles = 700, kFurtherCycles = 300, kChange = 7;

struct Warm {
  models::Experiment experiment;
  routing::Topology topology;
  std::unique_ptr<routing::RoutingAlgorithm> routing;
  std::string registers;

  std::unique_ptr<models::Network> network() const {
    return std::make_unique<models::Network>(experiment, topology, *routing, 1);
  }
  explicit Warm(const std::string& text) : experiment(models::parse_experiment(text, "e.toml")) {
    topology = routing::make_topology(experiment);
    routing = routing::make_routing(topology, experiment);
    const auto warm = network();
    for (std::size_t i = 0; i < kWarmCycles; ++i) warm->cycle();
    Checkpoint c;
    warm->checkpoint(c);
    registers = c.bytes();
  }
};

/// Each where it was made: routing has a reference to its topology.
const std::deque<Warm>& networks() {
  const std::string mesh = "[topology]\nwidth = 3\nheight = 2\n",
                    traffic = "[traffic]\nrate_flits_per_node_cycle = 0.4\n";
  static const std::deque<Warm> all = [&] {
    std::deque<Warm> some;
    some.emplace_back(mesh + traffic);
    some.emplace_back(mesh + "[router]\narchitecture = \"virtual_cut_through\"\nvcs = 1\n" + traffic);
    some.emplace_back(mesh + "[router]\narchitecture = \"ideal\"\n" + traffic);
    some.emplace_back(
        "[topology]\nkind = \"hexagonal\"\nedge = 2\n[router]\narchitecture = \"po2\"\nvcs = 2\n[routing]\nalgorithm = "
        "\"derouting\"\n" +
        traffic);
    some.emplace_back(
        "[topology]\nkind = \"irregular\"\nswitches = 4\n[router]\narchitecture = \"myrinet\"\nvcs = 1\n[routing]\n"
        "algorithm = \"source_routed\"\n" +
        traffic);
    some.emplace_back(mesh + "[interface]\nfairness = \"sat\"\n[message]\npacket_flits = 4\n" + traffic);
    return some;
  }();
  return all;
}

std::string changed(std::string registers, const std::uint8_t* data, std::size_t size) {
  for (; size >= kChange && !registers.empty(); data += kChange, size -= kChange) {
    const std::size_t at = (data[0] | data[1] << 8 | data[2] << 16) % registers.size();
    for (std::size_t i = 0; i < data[3] % 9U && at + i < registers.size(); ++i) {
      registers[at + i] = static_cast<char>(data[i < 2 ? 4 + i : 6]);
    }
  }
  return registers;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Warm& warm = networks()[data[0] % networks().size()];
  const std::string registers = changed(warm.registers, data + 1, size - 1);
  const auto network = warm.network();
  try {
    Checkpoint c(registers);
    network->checkpoint(c);
    c.finish();
    for (std::size_t i = 0; i < kFurtherCycles; ++i) network->cycle();
  } catch (const CheckpointError&) {
    return 0;  // said of the registers, as it should be
  } catch (const InputError&) {
    return 0;
  }
  return 0;
}
