// Storage of the packets (and messages) that are alive. Slots keep their address for life, so that one thread can grow
// the store while others read packets they were handed.
#pragma once

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/fabric/flit.h"
#include "routing/base/checkpoint.h"

namespace braid::models {

template <class Item>
class SlotStore {
 public:
  SlotStore() : chunks_(static_cast<Item**>(std::calloc(kMaxChunks, sizeof(Item*)))) {
    if (!chunks_) throw std::bad_alloc();
  }
  ~SlotStore() {
    for (PacketSlot chunk = 0; chunk < next_chunk_; ++chunk) delete[] chunks_[chunk];
  }
  SlotStore(const SlotStore&) = delete;
  SlotStore& operator=(const SlotStore&) = delete;

  Item& operator[](PacketSlot slot) { return chunks_[slot >> kChunkBits][slot & (kChunkSize - 1)]; }
  const Item& operator[](PacketSlot slot) const { return chunks_[slot >> kChunkBits][slot & (kChunkSize - 1)]; }

  /// Asks for the memory of a slot that may be nobody's.
  void prefetch(PacketSlot slot) const {
    const Item* const chunk = chunks_[slot >> kChunkBits];
    if (chunk != nullptr) __builtin_prefetch(&chunk[slot & (kChunkSize - 1)]);
  }

  /// Free slots of one thread. Any pool may take back a slot that another one handed out.
  class Pool {
   public:
    /// Blocks of slots go to whoever asks first.
    explicit Pool(SlotStore& store) : store_(&store) {}
    /// Pool `number` of `pools`, which are all pools of the store: each has blocks of its own, so that which slots it
    /// hands out depends on nothing but what was asked of it, whatever threads they run on.
    Pool(SlotStore& store, std::size_t number, std::size_t pools)
        : store_(&store), number_(static_cast<PacketSlot>(number)), pools_(static_cast<PacketSlot>(pools)) {}
    PacketSlot take() {
      if (__builtin_expect(free_.empty(), 0)) store_->grow(*this);
      const PacketSlot slot = free_.back();
      free_.pop_back();
      return slot;
    }
    void give_back(PacketSlot slot) { free_.push_back(slot); }
    /// Before a checkpoint: takes its blocks before `slots` that it has not yet, as the last that it hands out. When
    /// all pools have, no block in use is nobody's.
    void fill(std::uint64_t slots) {
      for (std::uint64_t chunk = number_; pools_ > 0 && chunk < slots >> kChunkBits; chunk += pools_) {
        if (store_->chunks_[chunk] != nullptr) continue;
        free_.insert(free_.begin(), kChunkSize, 0);
        store_->make(static_cast<PacketSlot>(chunk), free_.begin());
      }
    }
    void checkpoint(Checkpoint& c) { c(free_); }
    /// Of one that no store's checkpoint() knows of: what is free is there, and free once.
    void check_restored(const Checkpoint& c) const {
      std::vector<bool> taken(store_->slots(), true);
      check_free(c, taken);
    }

   private:
    friend class SlotStore;
    /// Its free slots are no longer `taken`: each is there, and was.
    void check_free(const Checkpoint& c, std::vector<bool>& taken) const {
      for (const PacketSlot slot : free_) {
        c.index(slot, taken.size(), "packet");
        c.expect(taken[slot], "a slot that is free twice");
        taken[slot] = false;
      }
    }
    SlotStore* store_;
    PacketSlot number_ = 0, pools_ = 0;  // 0 pools: not numbered
    std::vector<PacketSlot> free_;
  };

  /// Slots that are free in no pool of these, which have been saved or restored before: what free ones hold is
  /// nobody's.
  void checkpoint(Checkpoint& c, const std::vector<const Pool*>& pools) {
    const PacketSlot before = next_chunk_;
    PacketSlot after = before;
    c(after);
    c.index(after, kMaxChunks + 1, "block of packets");
    for (PacketSlot chunk = after; chunk < before; ++chunk) delete[] std::exchange(chunks_[chunk], nullptr);
    next_chunk_ = after;
    std::vector<bool> taken(slots(), true);
    for (const Pool* pool : pools) pool->check_free(c, taken);
    for (std::uint64_t slot = 0; slot < taken.size(); ++slot) {  // memory as items come: so many may not be in the file
      Item*& chunk = chunks_[slot >> kChunkBits];
      if (chunk == nullptr) chunk = new Item[kChunkSize]();
      Item& item = chunk[slot & (kChunkSize - 1)];
      if (taken[slot]) {
        c(item);
      } else if (c.restoring()) {
        item = {};  // as in a network that nothing has run on, whatever has been here
      }
    }
  }
  /// Calls visit(item) for every one whose slot is free in no pool of these.
  template <class Visit>
  void for_each_taken(const std::vector<const Pool*>& pools, Visit visit) const {
    std::vector<bool> taken(slots(), true);
    for (const Pool* pool : pools) {
      for (const PacketSlot slot : pool->free_) taken[slot] = false;
    }
    for (std::uint64_t slot = 0; slot < taken.size(); ++slot) {
      const Item* const chunk = chunks_[slot >> kChunkBits];  // null: of a numbered pool that has not come to it
      if (taken[slot] && chunk != nullptr) visit(chunk[slot & (kChunkSize - 1)]);
    }
  }
  /// Is there such a slot? Of numbered pools, blocks below slots() may not be there.
  bool has(PacketSlot slot) const { return chunks_[slot >> kChunkBits] != nullptr; }
  /// So many slots there are: those in use, free ones, and some of no use yet; of numbered pools also blocks between
  /// that are not there.
  std::uint64_t slots() const { return std::uint64_t{next_chunk_} << kChunkBits; }

 private:
  static constexpr unsigned kChunkBits = 12;
  static constexpr PacketSlot kChunkSize = PacketSlot{1} << kChunkBits;
  static constexpr PacketSlot kMaxChunks = PacketSlot{1} << (32 - kChunkBits);

  [[gnu::noinline, gnu::cold]] void grow(Pool& pool) {
    PacketSlot chunk = pool.number_;
    if (pool.pools_ == 0) {
      chunk = next_chunk_.fetch_add(1, std::memory_order_relaxed);
    } else {  // none but this pool makes or looks for these
      while (chunk < kMaxChunks && chunks_[chunk] != nullptr) chunk += pool.pools_;
    }
    if (chunk >= kMaxChunks) throw std::length_error("more packets than there are names for");
    pool.free_.resize(kChunkSize);
    make(chunk, pool.free_.begin());
  }
  /// A block of slots, whose last is to be handed out first, is written to `free`.
  void make(PacketSlot chunk, std::vector<PacketSlot>::iterator free) {
    chunks_[chunk] = new Item[kChunkSize]();
    for (PacketSlot i = kChunkSize; i-- > 0;) *free++ = (chunk << kChunkBits) + i;
    PacketSlot known = next_chunk_.load(std::memory_order_relaxed);
    while (known <= chunk && !next_chunk_.compare_exchange_weak(known, chunk + 1, std::memory_order_relaxed)) {
    }
  }

  struct Free {
    void operator()(Item** table) const { std::free(static_cast<void*>(table)); }
  };

  // 2^20 pointers that never move. Zeros by calloc(), for the system gives pages when they are first written: a network
  // touches one of 2,048, and neither fills nor frees the rest.
  std::unique_ptr<Item*[], Free> chunks_;
  std::atomic<PacketSlot> next_chunk_{0};
};
using PacketStore = SlotStore<Packet>;

}  // namespace braid::models
