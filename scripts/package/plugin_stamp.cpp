// Compiled into every plugin (Braid::plugin): what it was made for. `braid --plugin` reads it in the file, before it
// loads the library (tb/braid/plugin.cpp).
#include <braid_stamp.h>

extern "C" __attribute__((visibility("default"))) const char braid_plugin_stamp[];
__attribute__((used)) const char braid_plugin_stamp[] = "braid_plugin_stamp=" BRAID_STAMP;
