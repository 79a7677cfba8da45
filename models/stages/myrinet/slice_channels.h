// Registers of a network's slice as channels: what makes them, for those of a switch's port and of a host.
#pragma once

#include <string>
#include <utility>

#include "models/stages/base/hardware_view.h"
#include "models/stages/base/module_list.h"
#include "models/stages/myrinet/switch_stage.h"

namespace braid::models::stages::myrinet {

class SliceChannels : public SliceBank {
 protected:
  /// `place`: of the network, ends every channel's name; empty: nothing does.
  SliceChannels(Slice& slice, std::string place) : SliceBank(slice), place_(std::move(place)) {}

  RegisterChannel& make(const std::string& name, unsigned width, RegisterChannel::Gather gather) {
    const std::string full = place_.empty() ? name : module_name(name, place_);
    return channels_.add(full.c_str(), width, *this, std::move(gather));
  }
  /// One bit.
  template <class Value>
  RegisterChannel& flag(const std::string& name, Value value) {
    return make(name, 1, [value](Bits& b) { b.set(0, value()); });
  }
  /// A number of so many bits.
  template <class Value>
  RegisterChannel& number(const std::string& name, unsigned width, Value value) {
    return make(name, width, [value, width](Bits& b) { b.set(0, width, static_cast<std::uint64_t>(value())); });
  }

 private:
  const std::string place_;
  ModuleList<RegisterChannel> channels_;
};

}  // namespace braid::models::stages::myrinet
