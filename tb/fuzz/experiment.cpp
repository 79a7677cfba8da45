// Experiment files.
#include "models/experiment/experiment_reader.h"
#include "tb/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  braid::fuzz::check([&] { (void)braid::models::parse_experiment(text, "e.toml"); });
  return 0;
}
