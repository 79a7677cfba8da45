// The keys of .icnt files: what intersim2 has, and what becomes of each here.
#pragma once

#include <string>

namespace braid::models::icnt {

struct Key {
  enum class Use {
    kRead,      ///< `value`: its default
    kOnly,      ///< `value`: the only one that this library has, which is the default
    kNoEffect,  ///< on a network that is stepped from outside, in intersim2 as well
  };
  const char* name;
  Use use;
  const char* value;
};

/// nullptr: there is none.
const Key* find_key(const std::string& name);
/// The name most like this one.
std::string nearest_key(const std::string& name);

}  // namespace braid::models::icnt
