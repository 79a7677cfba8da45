// Policies of a user's own library, found by the `braid` program: --plugin libmine.so.
#pragma once

#include <string>
#include <vector>

namespace braid::tb {

/// Loads the libraries, in that order; their policies register themselves (Registrations). What a file was made for is
/// read before any code of it runs. Throws InputError: no such file, no plugin, made for another Braid, cannot be
/// loaded, a name that is there already.
void load_plugins(const std::vector<std::string>& files);

/// The line, with the files of all plugins: the code of one of them may have done what it says.
std::string with_plugins(std::string line);

/// While it lives a plugin that ends the program (std::exit) ends it with status 1 and one line. Where no plugin is
/// loaded nobody does.
class WatchOnExit {
 public:
  WatchOnExit();
  ~WatchOnExit();
  WatchOnExit(const WatchOnExit&) = delete;
  WatchOnExit& operator=(const WatchOnExit&) = delete;
};

}  // namespace braid::tb
