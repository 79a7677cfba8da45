#include "routing/base/registrations.h"

#include <algorithm>

#include "routing/base/input_error.h"

namespace braid {
namespace {

/// As a sentence says who has registered something.
std::string whose(const std::string& origin) { return origin.empty() ? "the program itself" : origin; }

}  // namespace

Registrations& Registrations::instance() {
  static Registrations all;
  return all;
}

void Registrations::begin_plugin(const std::string& file) {
  plugins_.push_back({file, {}});
  loading_ = true;
}

std::string Registrations::origin() const {
  if (!loading_) return "";
  const std::string& file = plugins_.back().file;
  return file.substr(file.find_last_of('/') + 1);  // npos + 1 is 0
}

void Registrations::refuse(const std::string& axis, const std::string& name, const std::string& origin,
                           const std::string& what) {
  throw InputError(axis + " \"" + name + "\" of " + whose(origin) + " " + what +
                   ": expected one that makes the policy");
}

bool Registrations::add(const std::string& axis, const std::string& name, const std::string* origin,
                        const std::vector<std::string>& texts) {
  const bool a_line = std::all_of(texts.begin(), texts.end(), [](const auto& text) { return printable(text) == text; });
  std::string wrong;
  if (name.empty() || printable(name) != name || !a_line) {
    wrong = axis + " \"" + name + "\" of " + whose(this->origin()) +
            " has control characters in its name or texts, or no name: expected one line of text for each";
  } else if (origin != nullptr) {
    wrong = axis + " \"" + name + "\" is registered twice: by " + whose(*origin) + " and by " + whose(this->origin()) +
            "; expected another name for one of them";
  }
  if (!wrong.empty()) {
    if (!clash_) clash_ = wrong;
    return false;
  }
  ++count_;
  if (loading_) plugins_.back().policies.push_back({axis, name});
  return true;
}

void Registrations::check() const {
  if (clash_) throw InputError(*clash_);
}

}  // namespace braid
