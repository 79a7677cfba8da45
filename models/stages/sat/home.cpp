#include "models/stages/sat/home.h"

namespace braid::models::stages::sat {

void Home::bind(Channels& channels) {
  received_i(channels.home_received);
  interval_i(channels.home_interval);
  limited_i(channels.limited);
  l_o(channels.l);
  k_o(channels.k);
}

void Home::end_of_elaboration() {
  Stage::end_of_elaboration();
  channels_ = dynamic_cast<Channels*>(bank());
}

void Home::step(std::uint64_t) {
  if (channels_ != nullptr) return channels_->gate().adjust();
  if (received_i->read()[0]) {
    const std::uint64_t interval = interval_i->read().field(0, kCountBits);
    if (interval != 0 && search_.measure(interval)) k_ = search_.decide(k_, limited_i->read()[0]);
  }
  l_o->write(Bits(kCountBits, k_));
  k_o->write(Bits(kCountBits, k_));
}

}  // namespace braid::models::stages::sat
