// The options of stream programs.
#include <fmt/format.h>

#include "models/fabric/node_bandwidth.h"
#include "models/workload/streams/stream_program.h"
#include "traffic/streams/layout/layout_cost.h"
#include "traffic/streams/partition/partitioner.h"

namespace braid::models {
namespace {

bool names_program(const Configuration& configuration) {
  const Configuration::Given* graph = configuration.find("stream.graph");
  const auto* file = graph == nullptr ? nullptr : std::get_if<std::string>(&graph->value);
  return file != nullptr && is_stream_program(*file);
}

/// A section [change]: of programs that change while they run.
const OptionTable<StreamOptions>& change_table() {
  using S = StreamOptions;
  static const OptionTable<S> table =
      OptionTable<S>("change")
          .text(
              "migrate", &S::migrate,
              "actors that move to free tiles, one after the other: ACTOR@TILE with blanks between; TILE: the name of "
              "its router, or the number of its node")
          .integer("migrate_at_cycle", &S::migrate_at_cycle, 1, kAnyInteger / 2,
                   "at whose end the first of them begins, or when all circuits stand if that is later")
          .integer("state_words", &S::state_words, 0, 1000000000,
                   "of an actor that moves, a flit each, beside the items in its queues")
          .text("add_filter", &S::add_filter,
                "NAME@TILE: a filter more, which takes an item and puts one out in each firing")
          .text("add_between", &S::add_between, "the stream that it is put into: PRODUCER -> CONSUMER")
          .integer("add_work", &S::add_work, 0, 1000000000000, "cycles of its firing, at scaling factor 1")
          .integer("add_at_cycle", &S::add_at_cycle, 1, kAnyInteger / 2,
                   "at whose end it comes, or when all circuits stand if that is later")
          .integer("rate_window_cycles", &S::rate_window_cycles, 1, 100000000,
                   "over which the items at the sinks are compared with those before the change");
  return table;
}

bool has_changes(const Configuration& configuration) { return configuration.has_section("change"); }

/// What a program that changes cannot do, in one line.
void check_changes(const StreamOptions& o) {
  if (o.add_filter.empty() != o.add_between.empty()) {
    throw InputError(o.add_between.empty() ? "change.add_between is missing: expected PRODUCER -> CONSUMER"
                                           : "change.add_filter is missing: expected NAME@TILE");
  }
  if (o.migrate.empty() && o.add_filter.empty()) {
    throw InputError("change.migrate is missing: expected ACTOR@TILE, or change.add_filter");
  }
  if (o.transfer == Transfer::kPull) {
    throw InputError("change: a pulled stream has requests under way; expected interface.transfer = \"push\"");
  }
  if (o.receive_queue_items != 0 || o.ejection_queue_items != 0) {
    throw InputError(
        std::string(
            "change: a stream whose receiver is full could wait for ever for one that stands still; expected ") +
        (o.receive_queue_items != 0 ? "interface.receive_queue_items" : "interface.ejection_queue_items") +
        " = 0 (unbounded)");
  }
}

/// Of packets that routers copy, what is the program's own.
void check_packet_trees(const StreamOptions& o, bool changes) {
  const std::string key = "stream.multicast = \"routers\": ";
  if (o.transfer == Transfer::kPull) {
    throw InputError(key + "each consumer asks for blocks of its own; expected interface.transfer = \"push\"");
  }
  if (changes) {
    throw InputError(key + "packets keep their trees, and a section [change] moves streams; expected \"none\"");
  }
}

}  // namespace

bool is_stream_program(const std::string& file) {
  const std::string end = ".str";
  return file.size() > end.size() && file.compare(file.size() - end.size(), end.size(), end) == 0;
}

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
                  "layout: a stream for which no link-disjoint path is left");
  static const OptionTable<S> annealing =
      OptionTable<S>("stream")
          .policy<traffic::LayoutCostRegistry>("layout_cost", &S::layout_cost, "layout: what annealing brings down")
          .with("weighted", weights)
          .integer("moves", &S::moves, 0, 1000000000, "layout: steps of simulated annealing");
  static const OptionTable<S> relays = OptionTable<S>("stream").boolean(
      "relays", &S::relays, "where no tile is free, streams too many go by way of the actors at their other ends");
  static const OptionTable<S> packets = OptionTable<S>("stream").boolean(
      "or_packets", &S::or_packets,
      "streams stay on packets where the program as it is is predicted to be faster there than with any remedy, or "
      "where none helps");
  static const OptionTable<S> remedies =
      OptionTable<S>("stream")
          .boolean(
              "remedies", &S::remedies,
              "where circuits do not stand: fewer streams an actor, fewer actors (of a .str), other layouts, until "
              "they do")
          .with_it(relays)
          .with_it(packets);
  static const OptionTable<S> table =
      OptionTable<S>("stream")
          .file("graph", &S::graph, "stream graph (.toml, docs/stream-graphs.md) or StreamIt program (.str)")
          .when("stream.graph ending in \".str\"", names_program, traffic::partition_options<S>())
          .integer("degree", &S::degree, 0, 64,
                   "most streams into or out of an actor: more come over splitters and joiners on free tiles; 0: any "
                   "number, >= 2")
          .with_it(relays)
          .number("computation_scaling", &S::computation_scaling, 0.0, kAnyNumber, "cycles per unit of work, > 0")
          .text(
              "rates", &S::rates,
              "items a kilocycle that actors without inputs must put out, no more and no fewer: NAME=RATE with blanks "
              "between, all=RATE for all of them; empty: as fast as they can")
          .boolean("latency", &S::latency, "measures how long items are on their way from sources to sinks")
          .boolean("anneal", &S::anneal, "layout: false places actors in order")
          .with_it(annealing)
          .choice<Multicast>("multicast", &S::multicast,
                             {{"none", Multicast::kAtSource}, {"routers", Multicast::kInRouters}},
                             "who copies items that go to several actors (`group` of a stream graph): the source, or "
                             "routers where the streams' circuits, or their packets, fork")
          .section("interface")
          .choice<Transfer>("transfer", &S::transfer, {{"push", Transfer::kPush}, {"pull", Transfer::kPull}},
                            "streams: producer writes into the network, or consumer asks for blocks")
          .with("pull", pull)
          .choice<Switching>("switching", &S::switching,
                             {{"packet", Switching::kPacket}, {"circuit", Switching::kCircuit}},
                             "what carries streams; circuit is tentacle routing")
          .with("circuit", remedies)
          .integer("stream_queue_items", &S::stream_queue_items, 0, 1000000000,
                   "per stream, at the producer; 0: as many as a firing needs, 64 or more")
          .integer("receive_queue_items", &S::receive_queue_items, 0, 1000000000,
                   "per stream, at the consumer; 0: unbounded")
          .integer("packet_items", &S::packet_items, 1, 65535, "most items (flits) of one stream packet")
          .when("a section [change]", has_changes, change_table());
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
        "interface.receive_queue_items bounds circuits and pulled streams: pushed packets that wait at their "
        "destination "
        "block others; expected 0 (unbounded), or interface.ejection_queue_items, which lets them");
  }
  if (o.or_packets && o.receive_queue_items != 0) {
    throw InputError(
        "stream.or_packets: pushed packets have no way to wait at their destination; expected "
        "interface.receive_queue_items = 0");
  }
  o.ejection_queue_items = read_node_bandwidth(configuration).ejection_queue_items;
  if (o.ejection_queue_items != 0 && !has_pushed_streams(configuration)) {
    throw InputError(
        "interface.ejection_queue_items is of pushed streams: a pulled block has its room before it is asked for "
        "(interface.receive_queue_items); expected 0");
  }
  if (has_changes(configuration)) check_changes(o);
  if (o.multicast == Multicast::kInRouters && !circuits) check_packet_trees(o, has_changes(configuration));
  return o;
}

}  // namespace braid::models
