#include "tb/mesh/packets.h"

#include <sstream>
#include <stdexcept>
#include <string>

namespace braid::mesh {
namespace {

class Reader {
 public:
  Reader(std::istream& in, unsigned nodes) : in_(in), nodes_(nodes) {}

  List read() {
    List list;
    while (std::getline(in_, line_)) {
      ++number_;
      fields_ = std::istringstream(line_);
      std::string kind;
      fields_ >> kind;
      if (kind == "until") {
        list.until = number("CYCLE");
      } else if (kind == "stream") {
        const unsigned source = node("SOURCE");
        list.streams.push_back({source, node("DESTINATION")});
      } else if (kind == "packet" || kind == "circuit") {
        add(list, kind == "circuit");
      } else {
        fail("expected until, stream, packet or circuit");
      }
    }
    return list;
  }

 private:
  void add(List& list, bool on_circuit) {
    Packet p;
    p.id = static_cast<std::uint32_t>(number("ID"));
    p.created = number("CREATED");
    p.on_circuit = on_circuit;
    if (on_circuit) {
      p.stream = static_cast<unsigned>(number("STREAM"));
      if (p.stream >= list.streams.size()) fail("there is no such stream yet");
      p.source = list.streams[p.stream].source;
      p.destination = list.streams[p.stream].destination;
    } else {
      p.source = node("SOURCE");
      p.destination = node("DESTINATION");
    }
    p.flits = static_cast<unsigned>(number("FLITS"));
    if (p.flits < 1 || p.flits > 65535) fail("1 to 65535 flits are expected");
    if (!list.packets.empty() && p.created < list.packets.back().created) fail("cycles never fall");
    list.packets.push_back(p);
  }

  std::uint64_t number(const char* what) {
    std::uint64_t value = 0;
    if (!(fields_ >> value)) fail(std::string("expected ") + what);
    return value;
  }
  unsigned node(const char* what) {
    const std::uint64_t value = number(what);
    if (value >= nodes_) fail("the mesh has " + std::to_string(nodes_) + " nodes");
    return static_cast<unsigned>(value);
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("line " + std::to_string(number_) + ": " + what + ": " + line_);
  }

  std::istream& in_;
  unsigned nodes_;
  std::string line_;
  std::istringstream fields_;
  unsigned number_ = 0;
};

}  // namespace

List read_list(std::istream& in, unsigned nodes) { return Reader(in, nodes).read(); }

}  // namespace braid::mesh
