// Compiled into every library of a router in RTL (braid_rtl_router()): what it was made for. Braid reads it in the
// file, before it loads the library (models/rtl/router_library.cpp).
#include <braid_stamp.h>

extern "C" __attribute__((visibility("default"))) const char braid_router_stamp[];
__attribute__((used)) const char braid_router_stamp[] = "braid_router_stamp=" BRAID_STAMP;
