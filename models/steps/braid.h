/* A network that others step, for C and for whatever calls C: what models/steps/step_network.h has for C++. Link
   libbraid_steps.so; no SystemC is needed.

     braid_network* network = braid_open("mesh.toml", NULL, 0);
     if (network == NULL) { fputs(braid_error(), stderr); return 2; }
     braid_send(network, 0, 63, 4, 0, 7);
     braid_step(network, 100);
     braid_arrival arrived[16];
     size_t count = braid_arrivals(network, arrived, 16);
     braid_close(network);                                                                                          */
#ifndef BRAID_H
#define BRAID_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* C's names. NOLINTBEGIN(readability-identifier-naming) */
typedef struct braid_network braid_network;

/* What calls return, as the program's exit status: of all others braid_error() says why. */
enum { BRAID_OK = 0, BRAID_FAILED = 1, BRAID_BAD_INPUT = 2, BRAID_DEADLOCK = 3 };

/* Tag of a packet that has none. */
#define BRAID_NO_TAG UINT32_MAX

typedef struct {
  uint64_t cycle;    /* in which the tail came */
  uint64_t created;  /* cycle */
  uint64_t injected; /* cycle in which the head was on the injection link */
  uint32_t source, destination, flits, traffic_class, tag;
  uint32_t routers;  /* that it passed */
  uint32_t sequence; /* counts the packets of its source */
} braid_arrival;

/* The last call's one line of complaint in this thread. */
const char* braid_error(void);

/* An experiment file and `count` settings ("section.key=value") over it. NULL: braid_error(). */
braid_network* braid_open(const char* file, const char* const* settings, size_t count);
/* The same from text; `name` is the file's in messages, and where relative names of files start. */
braid_network* braid_open_text(const char* text, const char* name, const char* const* settings, size_t count);
void braid_close(braid_network* network);

uint64_t braid_now(const braid_network* network);
size_t braid_nodes(const braid_network* network);
/* A packet into its source's queue, which takes any number. */
int braid_send(braid_network* network, uint32_t source, uint32_t destination, uint32_t flits, uint32_t traffic_class,
               uint32_t tag);
/* How many packets sent at this node now would have their heads on a link in the next cycle. 0: BRAID_BAD_INPUT as
   well, for a node that does not exist. */
uint32_t braid_capacity(const braid_network* network, uint32_t node);
int braid_step(braid_network* network, uint64_t cycles);
/* Takes at most `most` packets that were sent by braid_send() and have come, by cycle, then by destination. */
size_t braid_arrivals(braid_network* network, braid_arrival* into, size_t most);
/* 1: a packet is under way, waiting ones included. */
int braid_busy(const braid_network* network);
uint64_t braid_packets_sent(const braid_network* network);
uint64_t braid_packets_arrived(const braid_network* network);
/* Over all packets that have come: equal for equal traffic. */
uint64_t braid_packet_hash(const braid_network* network);

/* Checkpoint files, as braid run --checkpoint writes them. */
int braid_save(braid_network* network, const char* file);
int braid_restore(braid_network* network, const char* file);

/* The lengths of the arrays: [routers][ports][vcs], for links [routers][ports]. */
void braid_shape(const braid_network* network, size_t* routers, size_t* ports, size_t* vcs);
/* What the buffers of the input ports hold: flits, or packets where a buffer holds a whole one. BRAID_BAD_INPUT where
   the family of routers has none (vcs is 0). */
int braid_occupancy(const braid_network* network, uint16_t* into);
/* Room behind the output ports in the same unit, 65535: no limit. BRAID_BAD_INPUT where links have no credits. */
int braid_credits(const braid_network* network, uint16_t* into);
/* Flits sent over the links that leave, since cycle 0. */
void braid_link_flits(const braid_network* network, uint64_t* into);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif
#endif
