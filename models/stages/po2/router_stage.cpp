#include "models/stages/po2/router_stage.h"

#include "models/stages/po2/router_channels.h"

namespace braid::models::stages::po2 {

void RouterStage::end_of_elaboration() {
  Stage::end_of_elaboration();
  if (auto* channels = dynamic_cast<RouterChannels*>(bank())) {
    slice_ = &channels->slice();
  } else {
    lone_ = std::make_unique<LoneRouter>(site_);
  }
}

}  // namespace braid::models::stages::po2
