// SystemC's library brings a main() that calls sc_main(). Programs with a main() of their own (braid, the tests) never
// call it but must have the symbol; a user's own sc_main() takes the place of this one.
#include <systemc>

extern "C" __attribute__((weak)) int sc_main(int, char*[]) { return 0; }
