// One policy, one file, one registration line, its options and figures included: a policy's own .cpp registers it, and
// no other file changes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "routing/base/figures.h"
#include "routing/base/input_error.h"
#include "routing/base/options.h"
#include "routing/base/registrations.h"

namespace braid {

/// The factories of one axis (`Policy`), by the name that experiments use.
/// `Policy` has a static member `const char* axis()` that names the axis in error messages ("routing algorithm").
template <class Policy, class... Args>
class Registry {
 public:
  using Factory = std::function<std::unique_ptr<Policy>(const Args&...)>;
  struct Entry {
    Factory make;
    std::string summary;                        ///< one line for `braid list`
    std::shared_ptr<const OptionList> options;  ///< that exist only where this policy is chosen
    FigureList figures;                         ///< that it reports
    std::string origin = {};                    ///< the plugin that brought it; "": the program itself
    /// The summary, with the plugin.
    std::string told() const { return origin.empty() ? summary : summary + " (from " + origin + ")"; }
  };
  static const char* axis() { return Policy::axis(); }

  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  /// Returns true so that it can initialise a namespace-scope constant. A name that is there stays as it is, and
  /// Registrations::check() says so.
  bool add(const std::string& name, const std::string& summary, Factory make) {
    return add(name, summary, {}, std::move(make));
  }
  bool add(const std::string& name, const std::string& summary, const OptionList& options, Factory make) {
    return add(name, summary, options, {}, std::move(make));
  }
  bool add(const std::string& name, const std::string& summary, const OptionList& options, const FigureList& figures,
           Factory make) {
    Registrations& all = Registrations::instance();
    const auto there = entries_.find(name);
    std::vector<std::string> texts{summary};
    for (const Option& option : options) texts.insert(texts.end(), {option.key(), option.text});
    if (!all.add(Policy::axis(), name, there == entries_.end() ? nullptr : &there->second.origin, texts)) return true;
    entries_[name] = Entry{std::move(make), summary, std::make_shared<OptionList>(options), figures, all.origin()};
    return true;
  }

  /// Throws InputError with the list of known names if `name` is not one of them.
  std::unique_ptr<Policy> make(const std::string& name, const Args&... args) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) throw InputError(unknown_name(Policy::axis(), name, names()));
    const Entry& entry = found->second;
    if (!entry.make) Registrations::refuse(Policy::axis(), name, entry.origin, "has no factory");
    std::unique_ptr<Policy> made = entry.make(args...);
    if (made == nullptr) Registrations::refuse(Policy::axis(), name, entry.origin, "has a factory that makes nothing");
    return made;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& [name, entry] : entries_) result.push_back(name);
    return result;
  }

  const std::map<std::string, Entry>& entries() const { return entries_; }

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace braid
