// Stream programs made for a test: streams between the tiles of a mesh on circuits.
#pragma once

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tb/tests/support/bench.h"

namespace braid::test {

struct Way {
  std::size_t from, to;  // tiles
};

/// Actor tN on tile N fires once in `work` cycles: with 1000 nothing is sent before cycle 1000.
inline models::Experiment tile_streams(std::uint32_t width, std::uint32_t height, std::uint32_t local_ports,
                                       const std::vector<Way>& ways, std::uint32_t work = 1000) {
  const std::string file = temporary_file("tile_streams.toml");
  std::ofstream out(file);
  out << "name = \"tile_streams\"\n";
  std::set<std::size_t> tiles;
  for (const Way& w : ways) tiles.insert({w.from, w.to});
  for (const std::size_t tile : tiles) {
    out << "[[actor]]\nname = \"t" << tile << "\"\nwork = " << work << "\ntile = " << tile << "\n";
  }
  for (const Way& w : ways) out << "[[edge]]\nfrom = \"t" << w.from << "\"\nto = \"t" << w.to << "\"\n";
  out.close();
  models::Experiment e = stream_mesh("", width, height);
  e.set("topology.local_ports", local_ports);
  e.set("stream.graph", file);
  return e;
}

/// One stream between two routers; its consumer has room for one item, and works so long on each.
inline models::Experiment slow_consumer(std::uint32_t producer_work, std::uint32_t consumer_work) {
  const std::string file = temporary_file("slow_consumer.toml");
  std::ofstream(file) << "name = \"slow_consumer\"\n[[actor]]\nname = \"a\"\nwork = " << producer_work
                      << "\ntile = 0\n[[actor]]\nname = \"b\"\nwork = " << consumer_work
                      << "\ntile = 1\n[[edge]]\nfrom = \"a\"\nto = \"b\"\n";
  models::Experiment e = stream_mesh("", 2, 1);
  e.set("stream.graph", file);
  e.set("topology.local_ports", 1);
  e.set("interface.packet_items", 1);
  e.set("interface.receive_queue_items", 1);
  return e;
}

}  // namespace braid::test
