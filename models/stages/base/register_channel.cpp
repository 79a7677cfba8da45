#include "models/stages/base/register_channel.h"

namespace braid::models::stages {

const Bits& RegisterChannel::read() const {
  watched_ = true;
  value_.clear();
  gather_(value_);
  return value_;
}

void RegisterChannel::write(const Bits& bits) {
  next_ = bits;
  request_update();
}

void RegisterChannel::update() {
  if (scatter_) scatter_(next_);
}

void RegisterChannel::settle() {
  const Bits before = value_;
  if (read() != before) changed_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace braid::models::stages
