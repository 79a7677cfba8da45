// A simulator of one's own steps a network of Braid's: two processors play ping-pong over it.
#include <braid/models/steps/step_network.h>
#include <braid/routing/base/input_error.h>

#include <cstdio>

using braid::models::StepNetwork;

int main(int, char* arguments[]) {
  try {
    StepNetwork network(arguments[1], {"traffic.rate_flits_per_node_cycle=0"});
    std::uint32_t rallies = 0;
    network.on_arrival([&](const StepNetwork::Arrival& ball) {
      ++rallies;
      network.send({ball.destination, ball.source, ball.flits, 0, ball.tag});
    });
    network.step();
    network.send({0, 7, 4, 0, 1});
    network.step(1000);
    std::printf("%u times over the net in %llu cycles\n", rallies, static_cast<unsigned long long>(network.now()));
  } catch (const braid::InputError& e) {
    return std::fprintf(stderr, "stepped_mesh: %s\n", e.what()), 2;
  }
  return 0;
}
