#include "models/stages/hybrid/router_stage.h"

#include "models/stages/hybrid/router_channels.h"

namespace braid::models::stages::hybrid {

void RouterStage::end_of_elaboration() {
  check_widths(*this);
  if (auto* channels = dynamic_cast<RouterChannels*>(bank())) slice_ = &channels->slice();
  Stage::end_of_elaboration();
}

}  // namespace braid::models::stages::hybrid
