// The options of stream programs.
#include <fmt/format.h>

#include "models/workload/stream_program.h"

namespace braid::models {

const OptionTable<StreamOptions>& stream_options() {
  using S = StreamOptions;
  static const OptionTable<S> pull =
      OptionTable<S>("interface")
          .integer("pull_block_items", &S::pull_block_items, 1, 65535, "items (flits) of one response")
          .integer("pull_outstanding", &S::pull_outstanding, 1, 65535, "requests in flight per stream");
  static const OptionTable<S> weights =
      OptionTable<S>("stream")
          .number("distance_weight", &S::distance_weight, 0.0, kAnyNumber, "layout: an item over a link")
          .number("sharing_weight", &S::sharing_weight, 0.0, kAnyNumber,
                  "layout: a stream on a link that another takes under X-first")
          .number("disjoint_weight", &S::disjoint_weight, 0.0, kAnyNumber,
                  "layout: a stream for which no link-disjoint path is left")
          .integer("moves", &S::moves, 0, 1000000000, "layout: steps of simulated annealing");
  static const OptionTable<S> relays = OptionTable<S>("stream").boolean(
      "relays", &S::relays, "where no tile is free, streams too many go by way of the actors at their other ends");
  static const OptionTable<S> table =
      OptionTable<S>("stream")
          .file("graph", &S::graph, "stream graph (docs/stream-graphs.md)")
          .integer("degree", &S::degree, 0, 64,
                   "most streams into or out of an actor: more come over splitters and joiners on free tiles; 0: any "
                   "number, >= 2")
          .with_it(relays)
          .number("computation_scaling", &S::computation_scaling, 0.0, kAnyNumber, "cycles per unit of work, > 0")
          .boolean("anneal", &S::anneal, "layout: false places actors in order")
          .with_it(weights)
          .section("interface")
          .choice<Transfer>("transfer", &S::transfer, {{"push", Transfer::kPush}, {"pull", Transfer::kPull}},
                            "streams: producer writes into the network, or consumer asks for blocks")
          .with("pull", pull)
          .choice<Switching>("switching", &S::switching,
                             {{"packet", Switching::kPacket}, {"circuit", Switching::kCircuit}},
                             "what carries streams; circuit is tentacle routing")
          .integer("stream_queue_items", &S::stream_queue_items, 1, 1000000000, "per stream, at the producer")
          .integer("receive_queue_items", &S::receive_queue_items, 0, 1000000000,
                   "per stream, at the consumer; 0: unbounded")
          .integer("packet_items", &S::packet_items, 1, 65535, "most items (flits) of one stream packet");
  return table;
}

StreamOptions read_stream_options(const Configuration& configuration) {
  StreamOptions o = stream_options().read(configuration);
  const bool circuits = o.switching == Switching::kCircuit;
  if (o.graph.empty()) throw InputError("stream.graph is missing: expected the file of a stream graph");
  if (o.degree == 1) throw InputError("stream.degree = 1: expected 0 (any number) or 2 to 64");
  if (!(o.computation_scaling > 0.0)) {
    throw InputError(fmt::format("stream.computation_scaling = {}: expected more than 0", o.computation_scaling));
  }
  if (circuits && o.transfer == Transfer::kPull) {
    throw InputError(
        "interface.switching = \"circuit\" carries pushed streams: expected interface.transfer = \"push\"");
  }
  if (o.receive_queue_items != 0 && o.transfer == Transfer::kPush && !circuits) {
    throw InputError(
        "interface.receive_queue_items bounds circuits and pulled streams: pushed packets have no way to wait at their "
        "destination without blocking others; expected 0 (unbounded)");
  }
  return o;
}

}  // namespace braid::models
