#include "models/stages/base/register_channel.h"

#include <algorithm>
#include <vector>

namespace braid::models::stages {
namespace {

/// Of all networks of the process, as SystemC has one simulation in it.
std::vector<RegisterChannel*>& watched_channels() {
  static std::vector<RegisterChannel*> channels;
  return channels;
}

}  // namespace

RegisterChannel::~RegisterChannel() {
  if (!watched_) return;
  std::vector<RegisterChannel*>& all = watched_channels();
  all.erase(std::remove(all.begin(), all.end(), this), all.end());
}

void RegisterChannel::watch() const {
  if (watched_) return;
  watched_ = true;
  watched_channels().push_back(const_cast<RegisterChannel*>(this));
}

void RegisterChannel::settle_watched() {
  for (RegisterChannel* channel : watched_channels()) channel->settle();
}

const Bits& RegisterChannel::read() const {
  watch();
  value_.clear();
  gather_(value_);
  return value_;
}

void RegisterChannel::write(const Bits& bits) {
  next_ = bits;
  if (at_once_) return update();
  request_update();
}

void RegisterChannel::update() {
  if (scatter_) scatter_(next_);
}

void RegisterChannel::settle() {
  const Bits before = value_;
  if (read() != before && changed_) changed_->notify(sc_core::SC_ZERO_TIME);
}

}  // namespace braid::models::stages
