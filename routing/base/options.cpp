#include "routing/base/options.h"

#include <mutex>

#include "routing/base/registrations.h"

namespace braid {

Branches::Branches() = default;
Branches::Branches(const Branches& other) : make_(other.make_) {}
Branches::Branches(Branches&& other) noexcept = default;
Branches& Branches::operator=(Branches other) noexcept {
  std::swap(make_, other.make_);
  std::swap(made_, other.made_);
  std::swap(made_after_, other.made_after_);
  return *this;
}
Branches::~Branches() = default;

const std::vector<OptionBranch>& Branches::operator()(const Option& option) const {
  static std::recursive_mutex making;  // experiments may be read in several threads; branches may be made of others
  const std::lock_guard<std::recursive_mutex> lock(making);
  if (const std::uint64_t now = Registrations::instance().count(); made_after_ != now) {
    made_ = make_(option);
    made_after_ = now;
  }
  return made_;
}

Option::Option() = default;
Option::Option(const Option& other) = default;
Option::Option(Option&& other) noexcept = default;
Option& Option::operator=(const Option& other) = default;
Option& Option::operator=(Option&& other) noexcept = default;
Option::~Option() = default;

bool Option::is(const std::string& key) const {
  return key.size() == section.size() + 1 + name.size() && key[section.size()] == '.' &&
         key.compare(0, section.size(), section) == 0 && key.compare(section.size() + 1, name.size(), name) == 0;
}

OptionValue Option::value(const Configuration& configuration) const {
  const Configuration::Given* given = configuration.find(key());
  if (given == nullptr) return initial;
  try {
    return accept(*this, given->value);
  } catch (const ValueError& e) {
    throw InputError(given->where, e.what());
  }
}

void for_each_option(const OptionList& roots, const Configuration& configuration,
                     const std::function<void(const Option&, const OptionValue&)>& visit) {
  for (const Option& option : roots) {
    const OptionValue value = option.value(configuration);
    visit(option, value);
    if (!option.branches) continue;
    for (const OptionBranch& branch : option.branches(option)) {
      if (branch.taken(value, configuration)) for_each_option(*branch.options, configuration, visit);
    }
  }
}

}  // namespace braid
