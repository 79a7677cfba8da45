// The braid program with one switch allocator more: what is linked is registered.
#include "tb/braid/commands.h"

int main(int argc, char* argv[]) { return braid::tb::run_program(argc, argv); }
