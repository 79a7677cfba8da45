// One policy, one file, one registration line, its options and figures included: a policy's own .cpp registers it, and
// no other file changes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "routing/base/figures.h"
#include "routing/base/options.h"

namespace braid {

/// The policies of one axis by the name that experiments use, all but what makes them: one class for all axes.
class Policies {
 public:
  /// Makes a policy, of whatever type.
  struct AnyFactory {
    virtual ~AnyFactory() = default;
  };
  struct Entry {
    std::string summary;                        ///< one line for `braid list`
    std::shared_ptr<const OptionList> options;  ///< that exist only where this policy is chosen
    FigureList figures;                         ///< that it reports
    std::string origin = {};                    ///< the plugin that brought it; "": the program itself
    std::unique_ptr<const AnyFactory> make = {};
    /// The summary, with the plugin.
    std::string told() const;
    Entry(std::string_view text, const OptionList& own, FigureList reported, std::unique_ptr<const AnyFactory> factory);
    Entry(Entry&&) noexcept;
    ~Entry();
  };
  Policies(const Policies&) = delete;
  Policies& operator=(const Policies&) = delete;

  const char* axis() const { return axis_; }
  std::vector<std::string> names() const;
  const std::map<std::string, Entry>& entries() const { return entries_; }

 protected:
  explicit Policies(const char* axis);
  ~Policies();
  void add_entry(std::string_view name, std::string_view summary, const OptionList& options, const FigureList& figures,
                 std::unique_ptr<const AnyFactory> make);
  /// Throws InputError with the list of known names if `name` is not one of them.
  const AnyFactory& factory(const std::string& name) const;
  /// Throws InputError: a policy of that name cannot be made as it has registered.
  [[noreturn]] void refuse(const std::string& name, const std::string& what) const;

 private:
  const char* axis_;
  std::map<std::string, Entry> entries_;
};

/// The factories of one axis (`Policy`), by the name that experiments use.
/// `Policy` has a static member `const char* axis()` that names the axis in error messages ("routing algorithm").
template <class Policy, class... Args>
class Registry : public Policies {
 public:
  using Factory = std::function<std::unique_ptr<Policy>(const Args&...)>;

  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  /// Returns true so that it can initialise a namespace-scope constant. A name that is there stays as it is, and
  /// Registrations::check() says so.
  bool add(std::string_view name, std::string_view summary, Factory make) {
    return add(name, summary, {}, {}, std::move(make));
  }
  bool add(std::string_view name, std::string_view summary, const OptionList& options, Factory make) {
    return add(name, summary, options, {}, std::move(make));
  }
  bool add(std::string_view name, std::string_view summary, const OptionList& options, const FigureList& figures,
           Factory make) {
    add_entry(name, summary, options, figures, std::make_unique<const Made>(std::move(make)));
    return true;
  }

  /// Throws InputError with the list of known names if `name` is not one of them.
  std::unique_ptr<Policy> make(const std::string& name, const Args&... args) const {
    const Factory& make = static_cast<const Made&>(factory(name)).make;
    std::unique_ptr<Policy> made = make ? make(args...) : nullptr;
    if (made == nullptr) refuse(name, make ? "has a factory that makes nothing" : "has no factory");
    return made;
  }

 private:
  struct Made : AnyFactory {
    explicit Made(Factory factory) : make(std::move(factory)) {}
    Factory make;
  };
  Registry() : Policies(Policy::axis()) {}
};

}  // namespace braid
