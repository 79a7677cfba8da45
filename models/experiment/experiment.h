// One experiment: what `braid run` builds from a TOML file, and what a library user fills in directly:
//   Experiment e;
//   e.set("topology.kind", "torus").set("traffic.rate_flits_per_node_cycle", 0.2);
// Keys are declared beside the code that reads them (routing/base/options.h); only those of what is chosen exist.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>

#include "routing/base/options.h"

namespace braid::models {

/// What exists in every experiment; everything else hangs on it.
const OptionList& experiment_options();

class Experiment : public Configuration {
 public:
  /// Throws InputError if no policy declares the key. Ranges, and whether the key belongs to what is chosen, are
  /// checked when a network is built. A policy that takes another one's place takes that one's keys away.
  template <class T>
  Experiment& set(const std::string& key, const T& value, const SourcePosition& where = {}) {
    return replace(key, value_of(value), where);
  }
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method): it asks more, and stores in the end
  Experiment& set(const std::string& key, const char* value, const SourcePosition& where = {}) {
    return replace(key, std::string(value), where);
  }
  /// As set(), but nothing is taken away: for files, whose keys come in any order.
  void add(const std::string& key, const OptionValue& value, const SourcePosition& where) {
    (void)declared(key, where);
    Configuration::set(key, value, where);
  }
  /// As given or, by default, as declared. T: bool, std::int64_t, double, std::string, list of numbers.
  template <class T>
  T get(const std::string& key) const {
    return std::get<T>(value(key));
  }
  OptionValue value(const std::string& key) const;

  /// The classes of traffic: how often [[traffic]] stands, at least one.
  std::size_t classes() const { return std::max<std::size_t>(1, times("traffic")); }
  /// With the i-th of them in the place of [traffic], and no other.
  Experiment of_class(std::size_t i) const;

  /// An option of that key. Throws InputError with the nearest name if there is none.
  static Option declared(const std::string& key, const SourcePosition& where);

  /// The keys that exist, whether their values are good or not.
  std::set<std::string> existing() const;
  /// Takes away what was given, existed `before` and does not now, but for `kept` keys.
  void drop_gone(const Experiment& before, const std::set<std::string>& kept = {});

 private:
  Experiment& replace(const std::string& key, const OptionValue& value, const SourcePosition& where);
};

/// Who sends packets: workloads of the experiment, so that one has to be there, or whoever steps the network, too.
enum class Senders { kWorkloads, kAnybody };

/// Throws InputError where a key, of any class of traffic, does not exist, or a value is out of its range, or classes
/// have no names of their own.
void check_keys(const Experiment& experiment);
/// Throws InputError where a key does not exist in the experiment, or a value is out of its range. `where` is named for
/// what is wrong with the whole.
void check_experiment(const Experiment& experiment, const SourcePosition& where = {},
                      Senders senders = Senders::kWorkloads);

/// docs/configuration.md.
std::string configuration_reference();

}  // namespace braid::models
