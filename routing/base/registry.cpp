#include "routing/base/registry.h"

#include "routing/base/input_error.h"
#include "routing/base/registrations.h"

namespace braid {

Policies::Entry::Entry(std::string_view text, const OptionList& own, FigureList reported,
                       std::unique_ptr<const AnyFactory> factory)
    : summary(text),
      options(std::make_shared<OptionList>(own)),
      figures(std::move(reported)),
      origin(Registrations::instance().origin()),
      make(std::move(factory)) {}

Policies::Entry::Entry(Entry&&) noexcept = default;
Policies::Entry::~Entry() = default;

std::string Policies::Entry::told() const { return origin.empty() ? summary : summary + " (from " + origin + ")"; }

Policies::Policies(const char* axis) : axis_(axis) {}
Policies::~Policies() = default;

void Policies::add_entry(std::string_view name, std::string_view summary, const OptionList& options,
                         const FigureList& figures, std::unique_ptr<const AnyFactory> make) {
  const std::string key(name);
  const auto there = entries_.find(key);
  std::vector<std::string> texts{std::string(summary)};
  for (const Option& option : options) texts.insert(texts.end(), {option.key(), option.text});
  Registrations& all = Registrations::instance();
  if (!all.add(axis_, key, there == entries_.end() ? nullptr : &there->second.origin, texts)) return;
  entries_.emplace(key, Entry(summary, options, figures, std::move(make)));
}

const Policies::AnyFactory& Policies::factory(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw InputError(unknown_name(axis_, name, names()));
  return *found->second.make;
}

void Policies::refuse(const std::string& name, const std::string& what) const {
  Registrations::refuse(axis_, name, entries_.at(name).origin, what);
}

std::vector<std::string> Policies::names() const {
  std::vector<std::string> result;
  for (const auto& [name, entry] : entries_) result.push_back(name);
  return result;
}

}  // namespace braid
