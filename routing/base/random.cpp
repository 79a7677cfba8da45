#include "routing/base/random.h"

namespace braid {

const OptionTable<SeedOptions>& seed_options() {
  static const OptionTable<SeedOptions> table =
      OptionTable<SeedOptions>("experiment")
          .integer("seed", &SeedOptions::seed, 0, kAnyInteger, "of every random stream");
  return table;
}

}  // namespace braid
