// Policies of a user's own library, found by the `braid` program: --plugin libmine.so.
#pragma once

#include <string>
#include <vector>

namespace braid::tb {

/// Loads the libraries, in that order; their policies register themselves (Registrations). What a file was made for is
/// read before any code of it runs. Throws InputError: no such file, no plugin, made for another Braid, cannot be
/// loaded, a name that is there already.
void load_plugins(const std::vector<std::string>& files);

}  // namespace braid::tb
