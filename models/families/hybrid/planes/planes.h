// The engine of a network's planes: a pipeline for the share of each slice, and what goes on between cycles.
#pragma once

#include <memory>
#include <vector>

#include "models/families/hybrid/cycle_engine.h"
#include "models/families/hybrid/planes/pipeline.h"

namespace braid::models::hybrid::planes {

template <class B>
class Planes final : public CycleEngine {
 public:
  explicit Planes(const Parts& parts) : bank_(parts.bank), common_(parts) {}
  /// For the kind of processor that `Kind`, a Pipeline<B>, is compiled for.
  template <class Kind>
  void share_out(const Parts& parts) {
    for (const auto& slice : parts.slices) shares_.push_back(std::make_unique<Kind>(parts, *slice, common_));
  }

  void take_over(std::uint64_t now) override;
  void begin_cycle() override {
    for (const auto& share : shares_) {
      if (__builtin_expect(!share->late_.empty(), 0)) return push_late();
    }
  }
  void cycle(std::size_t slice, std::uint64_t cycle) override { shares_[slice]->cycle(cycle); }
  double break_even() const override { return shares_.front()->break_even(); }
  void show(std::uint64_t now) override;
  void show_injection_vcs(std::size_t local_port) override;
  void count_flits() override {
    for (const auto& share : shares_) share->count_flits();
  }
  void count_links() override {
    count_flits();
    for (const auto& share : shares_) {
      if (share->unflushed_ != 0) share->flush_counters();
    }
  }

 private:
  using Share = Pipeline<B>;
  struct TakeOver;  // models/families/hybrid/planes/take_over.h
  struct Show;      // models/families/hybrid/planes/show.h

  Share& share_of(std::uint32_t router) const {
    std::size_t s = 0;
    while (router / B::kRouters >= shares_[s]->last_block_) ++s;
    return *shares_[s];
  }
  void clear();
  /// When rings have grown.
  void view_rings() {
    for (const auto& share : shares_) share->rings_ = common_.rings;
  }
  void push_in_time(std::uint32_t ring, PacketSlot packet) {
    common_.rings.push_one(ring, packet);
    view_rings();
  }
  void push_late() {
    for (const auto& share : shares_) {
      for (const auto& late : share->late_) common_.rings.push_one(late.ring, late.packet);
      share->late_.clear();
    }
    view_rings();
  }

  RouterBank& bank_;
  Common<B> common_;
  std::vector<std::unique_ptr<Share>> shares_;  // [slice]
};

}  // namespace braid::models::hybrid::planes
