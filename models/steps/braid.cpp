#include "models/steps/braid.h"

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "models/engine/deadlock_error.h"
#include "models/steps/step_network.h"
#include "routing/base/input_error.h"

using braid::models::StepNetwork;

struct braid_network {
  StepNetwork steps;
};

namespace {

thread_local std::string last_error;

/// No exception leaves for C.
int status_of(const std::function<void()>& work) {
  try {
    work();
    return BRAID_OK;
  } catch (const braid::InputError& e) {
    last_error = e.what();
    return BRAID_BAD_INPUT;
  } catch (const braid::models::DeadlockError& e) {
    last_error = e.what();
    return BRAID_DEADLOCK;
  } catch (const std::exception& e) {
    last_error = e.what();
  } catch (...) {
    last_error = "what was thrown is no std::exception";
  }
  return BRAID_FAILED;
}

std::vector<std::string> listed(const char* const* settings, size_t count) {
  return settings == nullptr ? std::vector<std::string>{} : std::vector<std::string>(settings, settings + count);
}

braid_network* opened(const std::function<StepNetwork()>& make) {
  braid_network* network = nullptr;
  (void)status_of([&] { network = new braid_network{make()}; });
  return network;
}

}  // namespace

const char* braid_error(void) { return last_error.c_str(); }

braid_network* braid_open(const char* file, const char* const* settings, size_t count) {
  return opened([&] { return StepNetwork(file, listed(settings, count)); });
}

braid_network* braid_open_text(const char* text, const char* name, const char* const* settings, size_t count) {
  return opened([&] { return StepNetwork::from_text(text, name, listed(settings, count)); });
}

void braid_close(braid_network* network) { delete network; }

uint64_t braid_now(const braid_network* network) { return network->steps.now(); }
size_t braid_nodes(const braid_network* network) { return network->steps.nodes(); }

int braid_send(braid_network* network, uint32_t source, uint32_t destination, uint32_t flits, uint32_t traffic_class,
               uint32_t tag) {
  return status_of([&] { network->steps.send({source, destination, flits, traffic_class, tag}); });
}

uint32_t braid_capacity(const braid_network* network, uint32_t node) {
  uint32_t free = 0;
  (void)status_of([&] { free = network->steps.capacity(node); });
  return free;
}

int braid_step(braid_network* network, uint64_t cycles) {
  return status_of([&] { network->steps.step(cycles); });
}

size_t braid_arrivals(braid_network* network, braid_arrival* into, size_t most) {
  size_t count = 0;
  (void)status_of([&] {
    for (const StepNetwork::Arrival& a : network->steps.arrivals(most)) {
      into[count++] = {a.cycle, a.created,       a.injected, a.source,  a.destination,
                       a.flits, a.traffic_class, a.tag,      a.routers, a.sequence};
    }
  });
  return count;
}

int braid_busy(const braid_network* network) { return network->steps.busy() ? 1 : 0; }
uint64_t braid_packets_sent(const braid_network* network) { return network->steps.packets_sent(); }
uint64_t braid_packets_arrived(const braid_network* network) { return network->steps.packets_arrived(); }
uint64_t braid_packet_hash(const braid_network* network) { return network->steps.packet_hash(); }

int braid_save(braid_network* network, const char* file) {
  return status_of([&] { network->steps.save(file); });
}
int braid_restore(braid_network* network, const char* file) {
  return status_of([&] { network->steps.restore(file); });
}

void braid_shape(const braid_network* network, size_t* routers, size_t* ports, size_t* vcs) {
  const StepNetwork::Shape shape = network->steps.shape();
  *routers = shape.routers;
  *ports = shape.ports;
  *vcs = shape.vcs;
}
int braid_occupancy(const braid_network* network, uint16_t* into) {
  return status_of([&] { network->steps.occupancy(into); });
}
int braid_credits(const braid_network* network, uint16_t* into) {
  return status_of([&] { network->steps.credits(into); });
}
void braid_link_flits(const braid_network* network, uint64_t* into) { network->steps.link_flits(into); }
