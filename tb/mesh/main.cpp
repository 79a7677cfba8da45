// braid_mesh_NAME < LIST: drives the nodes' pins of the Verilated hw/mesh.sv with a list of packets, and prints when
// each arrived, `ID CYCLE`, and when set-up ended, `setup CYCLE SUCCESS`. It has nothing of Braid's model. Nodes take
// whatever comes. Status 1: something arrived that is not what was sent, or an assertion of the RTL failed; 2: the list
// is wrong.

#include <cstdio>
#include <deque>
#include <exception>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

#include MESH_HEADER  // of the class MESH_TOP, which Verilator made
#include "tb/mesh/packets.h"
#include "tb/rtl/pin_bits.h"

namespace braid::mesh {
namespace {

constexpr unsigned kColumns = MESH_COLUMNS, kNodes = MESH_COLUMNS * MESH_ROWS, kVcs = MESH_VCS, kLanes = MESH_LANES;
constexpr unsigned kFlitBits = 64;
constexpr unsigned bits_for(unsigned places) {
  unsigned bits = 1;
  while ((1U << bits) < places) ++bits;
  return bits;
}
std::uint64_t code(unsigned node) { return (node / kColumns) << 8 | node % kColumns; }

/// A flit's data: which one it is, and in the lowest bits the destination.
std::uint64_t word(const Packet& p, unsigned flit) {
  return std::uint64_t{p.id} << 32 | std::uint64_t{flit} << 16 | code(p.destination);
}

/// What one node has still to send by one of its queues.
struct Source {
  std::deque<const Packet*> packets;
  unsigned next_flit = 0;
};

class Bench {
 public:
  explicit Bench(const List& list) : list_(list) { context_.fatalOnError(false); }
  ~Bench() { top_.final(); }

  void run() {
    reset();
    set_up();
    const Packet* next = list_.packets.data();
    const Packet* const end = next + list_.packets.size();
    for (cycle_ = 0; cycle_ <= list_.until; ++cycle_) {
      for (; next != end && next->created < cycle_; ++next) source_of(*next).packets.push_back(next);
      drive();
      top_.eval();
      watch_set_up();
      take();
      send();
      tick();
    }
  }

 private:
  void reset() {
    top_.clk_i = 0;
    top_.rst_ni = 1;
    top_.eval();
    top_.rst_ni = 0;
    tick();
    top_.rst_ni = 1;
    top_.share_reserved_i = 1;
    for (unsigned n = 0; n < kNodes; ++n) {
      rtl::put_bits(top_.receive_ready_i, n, 1, 1);
      rtl::put_bits(top_.admit_i, n * kLanes, kLanes, ~std::uint64_t{0});
    }
  }

  /// The first search begins in cycle 0.
  void set_up() {
    if (list_.streams.empty()) return;
    if (list_.streams.size() > MESH_STREAMS) throw std::runtime_error("the mesh has too few entries for the streams");
    for (unsigned s = 0; s < list_.streams.size(); ++s) {
      top_.stream_write_i = 1;
      top_.stream_index_i = static_cast<CData>(s);
      top_.stream_source_i = static_cast<CData>(list_.streams[s].source);
      top_.stream_destination_i = static_cast<SData>(code(list_.streams[s].destination));
      tick();
    }
    top_.stream_write_i = 0;
    top_.start_i = 1;
    top_.streams_i = static_cast<CData>(list_.streams.size());
    tick();
    top_.start_i = 0;
    setting_up_ = true;
  }

  void watch_set_up() {
    if (!setting_up_ || top_.state_o != 0) return;
    setting_up_ = false;
    std::printf("setup %llu %d\n", static_cast<unsigned long long>(cycle_ - 1), static_cast<int>(top_.success_o));
  }

  Source& source_of(const Packet& p) {
    if (!p.on_circuit) return packets_[p.source];
    constexpr unsigned kBits = bits_for(kLanes);
    return circuits_[p.source][rtl::get_bits(top_.lane_o, p.stream * kBits, kBits)];
  }

  void drive() {
    for (unsigned n = 0; n < kNodes; ++n) {
      put(packets_[n], n, top_.send_valid_i, top_.send_head_i, top_.send_tail_i, top_.send_data_i);
      for (unsigned l = 0; l < kLanes; ++l) {
        put(circuits_[n][l], n * kLanes + l, top_.circuit_valid_i, top_.circuit_head_i, top_.circuit_tail_i,
            top_.circuit_data_i);
      }
    }
  }

  template <class Flags, class Data>
  static void put(const Source& from, unsigned at, Flags& valid, Flags& head, Flags& tail, Data& data) {
    rtl::put_bits(valid, at, 1, from.packets.empty() ? 0 : 1);
    if (from.packets.empty()) return;
    const Packet& p = *from.packets.front();
    rtl::put_bits(head, at, 1, from.next_flit == 0 ? 1 : 0);
    rtl::put_bits(tail, at, 1, from.next_flit + 1 == p.flits ? 1 : 0);
    rtl::put_bits(data, at * kFlitBits, kFlitBits, word(p, from.next_flit));
  }

  void send() {
    for (unsigned n = 0; n < kNodes; ++n) {
      go_on(packets_[n], rtl::get_bits(top_.send_ready_o, n, 1) != 0);
      for (unsigned l = 0; l < kLanes; ++l) {
        go_on(circuits_[n][l], rtl::get_bits(top_.circuit_ready_o, n * kLanes + l, 1) != 0);
      }
    }
  }

  void go_on(Source& source, bool ready) {
    if (!ready || source.packets.empty()) return;
    const Packet& p = *source.packets.front();
    if (source.next_flit == 0) under_way_[p.id] = {&p, 0};
    if (++source.next_flit < p.flits) return;
    source.packets.pop_front();
    source.next_flit = 0;
  }

  void take() {
    constexpr unsigned kVcBits = bits_for(kVcs), kLaneBits = bits_for(kLanes);
    for (unsigned n = 0; n < kNodes; ++n) {
      if (rtl::get_bits(top_.receive_valid_o, n, 1) != 0) {
        arrive(n, static_cast<unsigned>(rtl::get_bits(top_.receive_vc_o, n * kVcBits, kVcBits)),
               rtl::get_bits(top_.receive_head_o, n, 1) != 0, rtl::get_bits(top_.receive_tail_o, n, 1) != 0,
               rtl::get_bits(top_.receive_data_o, n * kFlitBits, kFlitBits));
      }
      if (rtl::get_bits(top_.take_valid_o, n, 1) != 0) {
        arrive(n, kVcs + static_cast<unsigned>(rtl::get_bits(top_.take_lane_o, n * kLaneBits, kLaneBits)),
               rtl::get_bits(top_.take_head_o, n, 1) != 0, rtl::get_bits(top_.take_tail_o, n, 1) != 0,
               rtl::get_bits(top_.take_data_o, n * kFlitBits, kFlitBits));
      }
    }
  }

  struct UnderWay {
    const Packet* packet = nullptr;
    unsigned next_flit = 0;
  };

  /// Is it the flit that has to come next of a packet for this node?
  void arrive(unsigned n, unsigned lane, bool head, bool tail, std::uint64_t data) {
    const auto found = under_way_.find(static_cast<std::uint32_t>(data >> 32));
    if (found == under_way_.end()) fail(n, lane, "a flit of no packet that is under way", data);
    UnderWay& u = found->second;
    const Packet& p = *u.packet;
    if (data != word(p, u.next_flit)) fail(n, lane, "not the flit that comes next", data);
    if (n != p.destination) fail(n, lane, "a flit for another node", data);
    if (p.on_circuit != (lane >= kVcs)) fail(n, lane, "a flit on a lane of the other kind", data);
    if (head != (u.next_flit == 0) || tail != (u.next_flit + 1 == p.flits))
      fail(n, lane, "head or tail is wrong", data);
    if (++u.next_flit < p.flits) return;
    std::printf("%u %llu\n", p.id, static_cast<unsigned long long>(cycle_));
    under_way_.erase(found);
  }

  [[noreturn]] void fail(unsigned n, unsigned lane, const char* what, std::uint64_t data) const {
    char text[160];
    std::snprintf(text, sizeof text, "cycle %llu, node %u, lane %u: %s (%016llx)",
                  static_cast<unsigned long long>(cycle_), n, lane, what, static_cast<unsigned long long>(data));
    throw std::runtime_error(text);
  }

  void tick() {
    top_.clk_i = 1;
    top_.eval();
    top_.clk_i = 0;
    top_.eval();
    if (context_.gotError()) throw std::runtime_error("an assertion of the RTL has failed");
  }

  const List& list_;
  VerilatedContext context_;
  MESH_TOP top_{&context_};
  std::uint64_t cycle_ = 0;
  bool setting_up_ = false;
  Source packets_[kNodes], circuits_[kNodes][kLanes];
  std::map<std::uint32_t, UnderWay> under_way_;
};

}  // namespace
}  // namespace braid::mesh

int main() {
  braid::mesh::List list;
  try {
    list = braid::mesh::read_list(std::cin, braid::mesh::kNodes);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "list of packets, %s\n", e.what());
    return 2;
  }
  try {
    braid::mesh::Bench(list).run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "mesh: %s\n", e.what());
    return 1;
  }
  return 0;
}
