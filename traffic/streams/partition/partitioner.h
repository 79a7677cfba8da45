// Where to cut a program. One partitioner a file, registered by name.
#pragma once

#include <cstddef>
#include <vector>

#include "routing/base/options.h"
#include "routing/base/progress.h"
#include "routing/base/registry.h"
#include "traffic/streams/partition/block.h"
#include "traffic/streams/partition/partition.h"

namespace braid::traffic {

struct PartitionContext {
  const Block& program;
  std::size_t tiles;  ///< 1 or more
  const routing::OnProgress& progress;
};

class Partitioner {
 public:
  static const char* axis() { return "partitioner"; }
  virtual ~Partitioner() = default;
  /// In the program's order, together all filters, on at most `tiles` tiles; the same for the same program.
  virtual std::vector<Part> parts(const PartitionContext& context) const = 0;
};
using PartitionerRegistry = Registry<Partitioner>;

/// For whatever options a stream program has; in section [stream].
template <class Options>
OptionTable<Options> partition_options() {
  using O = Options;
  return OptionTable<O>("stream")
      .template policy<PartitionerRegistry>("partition", &O::partition,
                                            "who fuses filters into actors, or makes copies")
      .integer("tiles", &O::tiles, 0, 65535, "most actors; 0: as many as there are nodes")
      .template choice<Joiners>("joiners", &O::joiners, {{"actors", Joiners::kActors}, {"folded", Joiners::kFolded}},
                                "with tiles of their own, or part of the filter behind")
      .boolean("fission", &O::fission, "whether stateless filters may become several actors that take turns")
      .text("mean_rates", &O::mean_rates,
            "means of rates that change from call to call: FILTER=MEAN or FILTER.push=MEAN with blanks between; "
            "without, a program with such a rate is refused")
      .template choice<ItemWidth>("item_width", &O::item_width,
                                  {{"one_flit", ItemWidth::kOneFlit}, {"by_type", ItemWidth::kByType}},
                                  "what an item takes on a link: one flit whatever its type, or words of 32 bits, a "
                                  "complex number two, a struct or an array those of its parts")
      .with("by_type", OptionTable<O>("stream").integer("flit_bits", &O::flit_bits, 1, 4096,
                                                        "of a flit, and so of a link: how many flits an item has"));
}

}  // namespace braid::traffic
