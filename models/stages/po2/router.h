// A PO2 router as a module of its stages, each bound to the registers between them.
//
// Steps of a cycle (models/stages/base/step_clock.h): offers; grants of buffers; transfers, begun and ended; headers
// routed; the nodes.
#pragma once

#include "models/stages/base/hardware_view.h"
#include "models/stages/po2/buffer_pool.h"
#include "models/stages/po2/link_controller.h"
#include "models/stages/po2/message_scheduler.h"
#include "models/stages/po2/offer_unit.h"
#include "models/stages/po2/route_unit.h"
#include "models/stages/po2/router_channels.h"

namespace braid::models::stages::po2 {

constexpr std::size_t kSteps = 5;

class Router final : public sc_core::sc_module {
 public:
  Router(const sc_core::sc_module_name& name, const ViewContext& context, const Site& site, Slice& registers);

 private:
  RouterChannels channels_;
  OfferUnit offer_unit_;
  BufferPool buffer_pool_;
  LinkController link_controller_;
  RouteUnit route_unit_;
  MessageScheduler message_scheduler_;
};

}  // namespace braid::models::stages::po2
