// The list of packets that a mesh in RTL is driven with, one a line.
#pragma once

#include <cstdint>
#include <istream>
#include <vector>

namespace braid::mesh {

struct Stream {
  unsigned source = 0, destination = 0;  // nodes
};

struct Packet {
  std::uint32_t id = 0;
  std::uint64_t created = 0;  // cycle; its head may be at the interface in the next one
  bool on_circuit = false;
  unsigned source = 0, destination = 0, flits = 0;
  unsigned stream = 0;  // of one on a circuit
};

struct List {
  std::vector<Stream> streams;  // in the order in which their circuits are searched
  std::vector<Packet> packets;  // by cycle
  std::uint64_t until = 0;      // the last cycle to be simulated
};

/// Lines `until CYCLE`, `stream SOURCE DESTINATION`, `packet ID CREATED SOURCE DESTINATION FLITS` and
/// `circuit ID CREATED STREAM FLITS`. Throws std::runtime_error with the line of what is wrong.
List read_list(std::istream& in, unsigned nodes);

}  // namespace braid::mesh
