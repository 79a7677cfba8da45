// A router made of modules in a network of another schedule: the chosen routers of an experiment with a section
// [stage]. Each half of its cycle calls its modules, step by step; the kernel runs none of them. The rest of the
// network stays as it is. Under the schedule of processes the network's own modules have the seats, and this one is
// empty.
#pragma once

#include <memory>

#include "models/families/hybrid/stand_in.h"
#include "models/stages/hybrid/router.h"

namespace braid::models::stages::hybrid {

class StagedRouter final : public models::hybrid::StandIn {
 public:
  explicit StagedRouter(const models::hybrid::Seat& seat);
  bool begin(std::uint64_t cycle) override;
  void commit(std::uint64_t cycle) override;
  void show() override {}  // its registers are the bank's

 private:
  void run(std::size_t first_step, std::size_t last_step);

  std::unique_ptr<Router> router_;
};

}  // namespace braid::models::stages::hybrid
