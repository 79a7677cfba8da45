// What a GPU simulator asks of its network. Devices: shaders first, memories after them. A payload begins with a word
// that is its kind: 0 read request, 1 write request, 2 read reply, 3 write acknowledgement.
#pragma once

void net_create(const char* file, unsigned shaders, unsigned memories);
void net_init();
bool net_has_buffer(unsigned device, unsigned bytes);
void net_push(unsigned from, unsigned to, void* payload, unsigned bytes);
void* net_pop(unsigned device);
void net_transfer();
bool net_busy();
unsigned net_flit_size();
void net_display_stats();
