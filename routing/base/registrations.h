// Who registered what: the program itself, or a plugin that it has loaded. One list for all registries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace braid {

/// A library of a user's that was loaded while the program ran (`--plugin`).
struct Plugin {
  struct Policy {
    std::string axis;  ///< as error messages call it: "routing algorithm"
    std::string name;
  };
  std::string file;              ///< as the user gave it
  std::vector<Policy> policies;  ///< in the order in which they registered
};

/// Not thread-safe: policies register before main() or while a plugin is loaded.
class Registrations {
 public:
  static Registrations& instance();

  /// What registers from now on is that file's; `end_plugin`: the program's again.
  void begin_plugin(const std::string& file);
  void end_plugin() { loading_ = false; }

  /// A name of an axis registers. False, and the clash is kept, if `origin` (of who has the name) is not null; so it is
  /// with a name, or one of the texts that come with it, which would not be a line on a terminal.
  bool add(const std::string& axis, const std::string& name, const std::string* origin,
           const std::vector<std::string>& texts = {});
  /// How often something has registered, and one.
  std::uint64_t count() const { return count_; }
  /// Throws InputError: a policy cannot be made as it has registered. `origin`: Registry::Entry::origin.
  [[noreturn]] static void refuse(const std::string& axis, const std::string& name, const std::string& origin,
                                  const std::string& what);
  /// The file's name without folders while a plugin is loaded, else "".
  std::string origin() const;

  /// Null: none is being loaded.
  const Plugin* loading() const { return loading_ ? &plugins_.back() : nullptr; }
  /// In the order of loading.
  const std::vector<Plugin>& plugins() const { return plugins_; }
  /// Throws InputError that names the first name that was registered twice or is none, and by whom.
  void check() const;

 private:
  bool loading_ = false;
  std::uint64_t count_ = 1;
  std::vector<Plugin> plugins_;
  std::optional<std::string> clash_;
};

}  // namespace braid
