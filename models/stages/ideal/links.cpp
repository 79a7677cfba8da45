#include "models/stages/ideal/links.h"

namespace braid::models::stages::ideal {

Links::Links(const sc_core::sc_module_name& name, Channels& channels) : Links(name, channels.nodes.size()) {
  channels_ = &channels;
  for (std::size_t n = 0; n < channels.nodes.size(); ++n) {
    sends_i[n](channels.nodes[n].sends);
    comes_o[n](channels.nodes[n].comes);
  }
}

void Links::step(std::uint64_t) {
  if (channels_ != nullptr) return channels_->bring();
  for (unsigned to = 0; to < comes_o.size(); ++to) {
    unsigned flits = 0;
    for (const InBits& from : sends_i) flits += from->read()[to] ? 1 : 0;
    comes_o[to]->write(Bits(kCountBits, flits));
  }
}

}  // namespace braid::models::stages::ideal
