// What stands after --set.
#include "models/experiment/experiment_reader.h"
#include "tb/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string setting(data, data + size);
  braid::fuzz::check([&] { (void)braid::models::parse_experiment("[traffic]", "e.toml", {setting}); });
  return 0;
}
