#include "routing/base/registrations.h"

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

bool Registrations::add(const std::string& axis, const std::string& name, const std::string* origin) {
  if (origin != nullptr) {
    if (!clash_) {
      clash_ = axis + " \"" + name + "\" is registered twice: by " + whose(*origin) + " and by " +
               whose(this->origin()) + "; expected another name for one of them";
    }
    return false;
  }
  if (loading_) plugins_.back().policies.push_back({axis, name});
  return true;
}

void Registrations::check() const {
  if (clash_) throw InputError(*clash_);
}

}  // namespace braid
