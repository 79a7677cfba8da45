/* The same in C: a packet from every node to its opposite, and what the slowest took. */
#include <braid/models/steps/braid.h>
#include <stdio.h>

int main(int count, char* arguments[]) {
  const char* silent[] = {"traffic.rate_flits_per_node_cycle=0"};
  braid_network* network = braid_open(count > 1 ? arguments[1] : "", silent, 1);
  if (network == NULL) return fprintf(stderr, "stepped_mesh_c: %s\n", braid_error()), BRAID_BAD_INPUT;
  uint32_t nodes = (uint32_t)braid_nodes(network);
  braid_step(network, 1);
  for (uint32_t n = 0; n < nodes; ++n) braid_send(network, n, nodes - 1 - n, 4, 0, n);
  while (braid_busy(network)) {
    if (braid_step(network, 1) != BRAID_OK) return fprintf(stderr, "%s\n", braid_error()), BRAID_DEADLOCK;
  }
  uint64_t slowest = 0;
  braid_arrival arrived;
  while (braid_arrivals(network, &arrived, 1) == 1) {
    if (arrived.cycle - arrived.created > slowest) slowest = arrived.cycle - arrived.created;
  }
  printf("%llu packets, the slowest in %llu cycles\n", (unsigned long long)braid_packets_arrived(network),
         (unsigned long long)slowest);
  braid_close(network);
  return 0;
}
