// The engine of a network's planes: a pipeline for the share of each slice, and what goes on between cycles.
#pragma once

#include <algorithm>
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
    if (__builtin_expect(shown_, 0)) take_back();
    for (const auto& share : shares_) {
      if (__builtin_expect(!share->late_.empty(), 0)) push_late();
      if (__builtin_expect(share->free_voyages_.lacks(), 0)) have_voyages(*share);
    }
  }
  void cycle(std::size_t slice, std::uint64_t cycle) override { shares_[slice]->cycle(cycle); }
  double break_even() const override { return shares_.front()->break_even(); }
  void show(std::uint64_t now) override;
  void show_injection_vcs(std::size_t local_port) override;
  void count_routers() override { common_.voyages.count_routers(shares_.front()->r_.store); }
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
  /// When rings or voyages have grown.
  void view() {
    for (const auto& share : shares_) {
      share->rings_ = common_.rings;
      share->voyages_ = common_.voyages.view();
    }
  }
  void push_in_time(std::uint32_t ring, VoyageId voyage) {
    common_.rings.push_one(ring, voyage);
    view();
  }
  void have_voyages(Share& share) {
    const auto fewer = [](const auto& a, const auto& b) {
      return a->free_voyages_.beyond_need() < b->free_voyages_.beyond_need();
    };
    Share& most = **std::max_element(shares_.begin(), shares_.end(), fewer);
    common_.voyages.provide(share.free_voyages_, most.free_voyages_);
    common_.rings.have_names_for(common_.voyages.size());
    view();
  }
  /// Packets that have been shown, or taken over, out of lists that circuits' stages go on with.
  void take_back() {
    shown_ = false;
    for (const auto& share : shares_) {
      if (share->beside_circuits()) share->r_.leave_circuits();
    }
  }
  void push_late() {
    for (const auto& share : shares_) {
      for (const auto& late : share->late_) common_.rings.push_one(late.ring, late.voyage);
      share->late_.clear();
    }
    view();
  }

  RouterBank& bank_;
  Common<B> common_;
  std::vector<std::unique_ptr<Share>> shares_;  // [slice]
  bool shown_ = false;                          // packets are in the slices' lists, too
};

}  // namespace braid::models::hybrid::planes
