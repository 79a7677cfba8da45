// One cycle in planes: the stages, block by block, for a slice's share of the blocks. Nothing that a block reads of
// another is younger than two cycles, so the order of blocks does not matter, and threads with a share each meet once a
// cycle.
#pragma once

#include <algorithm>
#include <vector>

#include "models/fabric/bits.h"
#include "models/families/hybrid/planes/buffer_write.h"
#include "models/families/hybrid/planes/common.h"
#include "models/families/hybrid/planes/credits.h"
#include "models/families/hybrid/planes/history.h"
#include "models/families/hybrid/planes/links.h"
#include "models/families/hybrid/planes/names_by_compressing.h"
#include "models/families/hybrid/planes/packets.h"
#include "models/families/hybrid/planes/registers.h"
#include "models/families/hybrid/planes/switch_allocation.h"
#include "models/families/hybrid/planes/ways.h"

namespace braid::models::hybrid::planes {

/// Names of a word that are taken without a branch, where a word is all routers and where it is some of many.
constexpr unsigned kAhead = 3, kAheadOfMany = 2;

template <class B>
class Planes;

template <class B>
class alignas(64) Pipeline {
 public:
  Pipeline(const Parts& parts, Slice& slice, Common<B>& common);
  virtual ~Pipeline() = default;
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  virtual void cycle(std::uint64_t cycle) = 0;
  /// As CycleEngine's, of the whole network.
  virtual double break_even() const = 0;

 protected:
  using Shape = typename B::Shape;
  using One = typename B::One;
  using Vcs = typename B::Vcs;

  /// What a cycle costs, whatever moves: 1 for 64 routers of 5 ports and 4 VCs. Where a node has several ports, tails
  /// are put in order: it counts twice.
  double size() const;

  bool compresses_ = false;  // names are made by names_by_compressing()

  /// Compiled into the function of each kind of processor.
  BRAID_PLANES_INLINE void run_cycle(std::uint64_t cycle);

 private:
  friend class Planes<B>;

  // The stages of a block.
  BRAID_PLANES_INLINE void run_routers(std::size_t b, std::uint64_t cycle);
  BRAID_PLANES_INLINE void allocate_output_vcs(std::size_t b);
  BRAID_PLANES_INLINE void deliver_tails(std::size_t b, std::uint64_t cycle, const SwitchGrants<B>& grants);
  BRAID_PLANES_INLINE void write_all_buffers(std::size_t b, std::uint64_t cycle, const SwitchGrants<B>& grants);
  BRAID_PLANES_INLINE void take_all_credits(std::size_t b, std::uint64_t cycle, const SwitchGrants<B>& grants);
  BRAID_PLANES_INLINE void count_delivered(std::size_t b, std::uint64_t cycle);
  BRAID_PLANES_INLINE void count_sent(std::size_t b);
  BRAID_PLANES_INLINE void inject(std::size_t b, std::uint64_t cycle);
  BRAID_PLANES_INLINE void scatter(std::size_t b, std::uint64_t cycle, const Vcs* granted);
  BRAID_PLANES_INLINE void take_coming(const std::vector<Coming<B>>& coming, History<B>& scattered, std::size_t b,
                                       std::uint64_t cycle, Vcs (&come)[B::kPorts]);
  /// Appends the names of VCs that are set in a plane of each port: planes[0] is port `first`'s.
  BRAID_PLANES_INLINE void name_vcs(std::size_t b, const Vcs* planes, int first, int ports,
                                    WorkList<VcIndex>& names) const;
  BRAID_PLANES_INLINE static VcIndex* names_bit_by_bit(const Word* planes, const NamesOfPorts& of, VcIndex* name);
  /// These names alone, for a stage's own use.
  BRAID_PLANES_INLINE const WorkList<VcIndex>& named(std::size_t b, const Vcs* planes, int first, int ports) {
    named_.clear();
    name_vcs(b, planes, first, ports, named_);
    return named_;
  }

  /// Who looks ahead beyond the last finds it again; else names that may be nobody's, or another thread's.
  BRAID_PLANES_INLINE static void repeat_last(WorkList<VcIndex>& names) {
    if (kLooksAhead) std::fill_n(names.end(), kPrefetch, names.end()[-1]);
  }

  // Circuits, which are lists' (circuits.h).
  [[gnu::noinline]] void run_circuits(std::uint64_t cycle);
  [[gnu::noinline]] void inject_on_circuits(std::uint64_t cycle);
  void close_outputs();
  void take_output(PortIndex out);
  bool beside_circuits() const { return B::kMayHaveCircuits && !taken_.empty(); }
  const TakenByCircuits<B>* taken(std::size_t b) const {
    return beside_circuits() ? &taken_[b - first_block_] : nullptr;
  }
  TakenByCircuits<B>& taken_at(PortIndex port) {
    return taken_[r_.bank.router_of(port).value / B::kRouters - first_block_];
  }

  // What is done one by one.
  BRAID_PLANES_INLINE void route_heads(std::size_t b, std::uint64_t cycle);
  BRAID_PLANES_INLINE unsigned route_by_table(B& block, const Ways::View& ways, VcIndex in_vc, Voyage& voyage);
  [[gnu::noinline]] void route_unusual(B& block, std::uint64_t cycle, VcIndex in_vc, std::uint32_t usual);
  void route_by_algorithm(B& block, std::uint64_t cycle, VcIndex in_vc, PacketSlot slot);
  void begin_unusual(B& block, VcIndex in_vc, std::uint32_t length);
  [[gnu::noinline]] void begin_unusual(typename B::Local& local, unsigned place, std::uint32_t length);
  BRAID_PLANES_INLINE void ask_for_output_vcs(const B& block, const WorkList<VcIndex>& asking);
  BRAID_PLANES_INLINE void look_ahead_for_heads(const WorkList<VcIndex>& heads) const;
  BRAID_PLANES_INLINE void look_ahead_for_request(VcIndex in_vc) const;
  void keep_one_way(B& block, VcIndex in_vc, unsigned out_port);
  BRAID_PLANES_INLINE void commit_vc_grants(B& block);
  /// Heads go by the table, and round-robin arbiters give them VCs: nobody but the planes asks for their ways.
  bool keeps_ways() const { return ways_.known() && vc_arbitration_ != nullptr; }
  void show_ways_to_heads(B& block, const WorkList<VcIndex>& asking);
  void show_credits(B& block, PortIndex out, unsigned vc);
  void scatter_one(std::uint64_t cycle, VcIndex in_vc, PortIndex out, unsigned out_vc);
  BRAID_PLANES_INLINE void begin_packet(typename B::Local& local, std::uint64_t cycle, VcIndex local_vc);
  BRAID_PLANES_INLINE void end_injection(typename B::Local& local, std::uint64_t cycle, VcIndex local_vc);
  void take_sends();
  BRAID_PLANES_INLINE void deliver(std::uint64_t cycle, VoyageId voyage);
  void count_flits();
  void flush_counters();

  // Between registers and planes (models/families/hybrid/planes/take_over.h, show.h).
  struct TakeOver;
  struct Show;
  void clear();
  void learn_links(const std::vector<Shift>& shifts);
  std::vector<Delivery>& deliveries(std::uint64_t cycle) { return deliveries_[cycle & (deliveries_.size() - 1)]; }
  void sort_deliveries(std::uint64_t cycle) {
    std::stable_sort(deliveries(cycle).begin(), deliveries(cycle).end(),
                     [](const Delivery& a, const Delivery& b) { return a.order < b.order; });
  }
  void deliver_behind(std::uint64_t cycle, VoyageId voyage) {
    deliveries(cycle).push_back({static_cast<std::uint32_t>(deliveries(cycle).size()), voyage});
  }
  std::uint32_t place_in_lists(const SwitchGrants<B>& grants, PortIndex out) const;
  void expect_length(std::uint32_t flits) { extent_.length_bits = std::max(extent_.length_bits, bits_for(flits + 1)); }
  std::uint32_t ring_behind(VcIndex out_vc) const { return ring_behind_[index_of(out_vc)] + lane_of(out_vc); }
  std::uint32_t ejection_ring(PortIndex port, std::uint32_t vc) const {
    return planes::ejection_ring(r_.bank, r_.bank.vc_index(port, vc));
  }
  /// Where a ring has no room, the push waits for the end of the cycle: nobody routes the packet before.
  BRAID_PLANES_INLINE void push(const RingsView& rings, std::uint32_t ring, VoyageId voyage) {
    if (__builtin_expect(rings.full(ring), 0)) return push_later(ring, voyage);
    rings.push(ring, voyage);
  }
  [[gnu::noinline, gnu::cold]] void push_later(std::uint32_t ring, VoyageId voyage) { late_.push_back({ring, voyage}); }

  /// Blocks of a network that the nearest memory has no room for: what lists name is asked for before it is needed.
  static constexpr bool kLooksAhead = Shape::kWords > 1;
  /// The usual numbering (BankView::is_numbered) is known to the compiler.
  static constexpr bool kUsual = B::kPorts == kUsualPorts && !B::kMayHaveCircuits;
  /// So few routers that Ways has a byte for each pair of router and node.
  static constexpr bool kPairs = std::size_t{B::kRouters} * B::kRouters * B::kPorts <= Ways::kMostPairs;
  static constexpr std::uint8_t kNever = VcRecord::kNever;
  static_assert(B::kPorts * Shape::kVcs < kNever);
  /// VCs of a router whose places and turns a VcRecord has room for.
  static constexpr std::uint32_t kMostArbitrated = 128;
  BankView numbered_bank() const {
    BankView bank = r_.bank;
    if (kUsual) bank.set_numbering(3, 2);
    return bank;
  }
  /// Of one block, which is one thread's: that they are not apart the compiler knows as well.
  BRAID_PLANES_INLINE VoyagesView voyages() const {
    VoyagesView view = voyages_;
    if (!kLooksAhead) view.bits = 0;
    return view;
  }
  PortIndex index_of(VcIndex v) const { return kUsual ? v >> 2 : r_.bank.port_of_vc(v); }
  /// Of a VC among those of its router's ports, in planes.
  unsigned at(VcIndex v) const { return kUsual ? v & 31 : port_of(v) * unsigned{Shape::kVcs} + lane_of(v); }
  /// The output VC that an input VC has, or had last; or kNone.
  VcIndex out_vc_of(VcIndex v) const {
    const unsigned lane = rings_.record(v).out_vc;
    if (lane == kNever) return kNone;
    if (kUsual) return (v & ~VcIndex{31}) | lane;
    const PortIndex first = r_.bank.port_of_vc(v) & ~(r_.bank.port_stride() - 1);
    return r_.bank.vc_index(first | lane / unsigned{Shape::kVcs}, lane % unsigned{Shape::kVcs});
  }
  std::uint32_t router_of(VcIndex v) const { return kUsual ? v >> 5 : r_.bank.router_of(r_.bank.port_of_vc(v)).value; }
  unsigned port_of(VcIndex v) const { return kUsual ? v >> 2 & 7 : r_.bank.port_of(r_.bank.port_of_vc(v)); }
  unsigned lane_of(VcIndex v) const { return kUsual ? v & 3 : r_.bank.lane_of(v); }
  /// VC 0 of a port of a block's first router.
  VcIndex first_vc(std::size_t b, int port) const {
    const auto router = static_cast<VcIndex>(b * B::kRouters);
    return (router << (kUsual ? 5 : router_shift_)) + (static_cast<VcIndex>(port) << (kUsual ? 2 : port_shift_));
  }
  static unsigned place_of(std::uint32_t router) { return router % B::kRouters; }
  B& block_of(std::uint32_t router) { return blocks_[router / B::kRouters]; }

  Registers r_;
  Extent extent_;
  // As Common has it.
  B* blocks_;
  Orders<B>* orders_;                             // null: arbiters are no matrices
  std::size_t first_block_ = 0, last_block_ = 0;  // the share: from one to before the other
  std::size_t words_;
  History<B> crossed_, left_, injected_, arriving_, returning_;
  std::vector<Coming<B>> coming_flits_, coming_credits_;  // where links are shifts; of nodes always
  std::vector<std::vector<Word>> local_routers_;
  bool scatters_, adaptive_ = false;
  SeparableVcArbitration<RoundRobinArbiters>* vc_arbitration_ = nullptr;  // null: the allocator does it all
  unsigned credit_delay_;
  unsigned port_shift_ = 0, router_shift_ = 0;  // of the numbers of VCs

  struct Late {
    std::uint32_t ring;
    VoyageId voyage;
  };
  VoyagesView voyages_;         // all there are
  Voyages::Free free_voyages_;  // of them: a local port may begin a packet a cycle
  RingsView rings_;
  std::vector<Late> late_;                         // pushes to rings that have to grow first
  const std::uint32_t* ring_behind_;               // [output port] of VC 0; the others' follow
  std::vector<std::vector<Delivery>> deliveries_;  // [cycle]: packets whose tail reaches its node then
  const Ways& ways_;
  /// [block of the share] Empty: there are no circuits.
  std::vector<TakenByCircuits<B>> taken_;
  VcMask all_vcs_ = 0;
  std::uint32_t turn_mask_ = 0;           // of VA's arbiters among the VCs of a port
  std::uint32_t usual_length_ = 1;        // of a packet, in flits: that of the last that was another
  std::vector<WorkList<VcIndex>> heads_;  // [block] those of the last cycle, which ask for VCs in this one
  WorkList<VcIndex> named_;               // names of VCs, while a stage works
  WorkList<VcIndex> asked_;               // output VCs that VA's arbiters give to one of those who ask
  std::uint64_t now_ = 0;                 // the cycle to come
  std::uint64_t counted_to_ = 0;          // flits granted the switch before it are counted ...
  unsigned unflushed_ = 0;                // ... so many additions in Block::Outputs::sent alone
};

}  // namespace braid::models::hybrid::planes
