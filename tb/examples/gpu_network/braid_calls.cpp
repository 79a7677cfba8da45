// The nine calls, of libbraid_icnt. What it refuses is one line on stderr and status 2.
#include <models/icnt/icnt.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "calls.h"

namespace {

using namespace braid::models::icnt;
std::unique_ptr<Interconnect> network;

template <class Call>
auto guarded(Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const Error& error) {
    std::cerr << error.what() << "\n";
    std::exit(2);
  }
}

}  // namespace

void net_create(const char* file, unsigned shaders, unsigned memories) {
  guarded([&] { network.reset(new Interconnect(file, shaders, memories)); });
}
void net_init() { network->init(); }
bool net_has_buffer(unsigned device, unsigned bytes) {
  return guarded([&] { return network->has_buffer(device, bytes); });
}
void net_push(unsigned from, unsigned to, void* payload, unsigned bytes) {
  guarded([&] { network->push(from, to, payload, bytes, static_cast<Kind>(*static_cast<std::uint32_t*>(payload))); });
}
void* net_pop(unsigned device) {
  return guarded([&] { return network->pop(device); });
}
void net_transfer() { network->transfer(); }
bool net_busy() { return network->busy(); }
unsigned net_flit_size() { return network->flit_size(); }
void net_display_stats() { network->display_stats(std::cout); }
