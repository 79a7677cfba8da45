// What Verilator made of mesh_router.sv for whoever instantiates it.
#include <mesh_router_lib.cpp>
