#include "traffic/streams/streamit/library.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

namespace braid::traffic::streamit {
namespace {

using Real = double (*)(double);

struct Entry {
  LibraryFunction function;
  Real real = nullptr;  ///< of one float
};

/// Figures as MIT's compiler has them ("known values from profiling RAW code").
const std::map<std::string, Entry>& table() {
  static const std::map<std::string, Entry> all = [] {
    std::map<std::string, Entry> t;
    const auto real = [&](const char* name, std::uint64_t work, Real f) {
      t[name] = {{name, 1, 1, kWork.call + work, false}, f};
    };
    const auto other = [&](const char* name, std::size_t least, std::size_t most, std::uint64_t work, bool effect) {
      t[name] = {{name, least, most, work, effect}, nullptr};
    };
    real("acos", 515, [](double x) { return std::acos(x); });
    real("acosh", 665, [](double x) { return std::acosh(x); });
    real("asin", 536, [](double x) { return std::asin(x); });
    real("asinh", 578, [](double x) { return std::asinh(x); });
    real("atan", 195, [](double x) { return std::atan(x); });
    real("atanh", 304, [](double x) { return std::atanh(x); });
    real("ceil", 47, [](double x) { return std::ceil(x); });
    real("cos", 120, [](double x) { return std::cos(x); });
    real("cosh", 368, [](double x) { return std::cosh(x); });
    real("exp", 162, [](double x) { return std::exp(x); });
    real("expm1", 220, [](double x) { return std::expm1(x); });
    real("floor", 58, [](double x) { return std::floor(x); });
    real("log", 146, [](double x) { return std::log(x); });
    real("log10", 212, [](double x) { return std::log10(x); });
    real("log1p", 233, [](double x) { return std::log1p(x); });
    real("rint", kWork.unknown_call - kWork.call, [](double x) { return std::nearbyint(x); });
    real("round", kWork.unknown_call - kWork.call, [](double x) { return std::floor(x + 0.5); });
    real("sin", 97, [](double x) { return std::sin(x); });
    real("sinh", 303, [](double x) { return std::sinh(x); });
    real("sqrt", 297, [](double x) { return std::sqrt(x); });
    real("tan", 224, [](double x) { return std::tan(x); });
    real("tanh", 288, [](double x) { return std::tanh(x); });
    other("abs", 1, 1, kWork.unknown_call, false);
    other("arg", 1, 1, kWork.unknown_call, false);
    other("atan2", 2, 2, kWork.call + 272, false);
    other("fmod", 2, 2, kWork.call + 147, false);
    other("max", 2, 2, kWork.unknown_call, false);
    other("min", 2, 2, kWork.unknown_call, false);
    other("pow", 2, 2, kWork.call + 554, false);
    other("iter", 0, 0, kWork.unknown_call, true);
    for (const char* name : {"print", "println"}) other(name, 0, 1, kWork.print, true);
    for (const char* name : {"random", "randomi", "randomf", "setRandomSeed", "usleep", "assert"}) {
      other(name, 0, 2, kWork.unknown_call, true);
    }
    return t;
  }();
  return all;
}

Value of_complex(const std::string& name, const Value& a) {
  const std::complex<double> z(a.real, a.imaginary);
  if (name == "abs") return Value::of_float(std::abs(z));
  if (name == "arg") return Value::of_float(std::arg(z));
  if (name == "sqrt" || name == "exp" || name == "log" || name == "sin" || name == "cos") {
    const std::complex<double> r = name == "sqrt"  ? std::sqrt(z)
                                   : name == "exp" ? std::exp(z)
                                   : name == "log" ? std::log(z)
                                   : name == "sin" ? std::sin(z)
                                                   : std::cos(z);
    return Value::of_complex(r.real(), r.imag());
  }
  return Value::unknown(ValueKind::kComplex);
}

Value of_two(const std::string& name, const Value& a, const Value& b) {
  if (name == "min" || name == "max") {
    const bool first = name == "min" ? a.as_real() <= b.as_real() : a.as_real() >= b.as_real();
    return converted(first ? a : b, std::max({a.kind, b.kind, ValueKind::kInteger}));
  }
  const double x = a.as_real(), y = b.as_real();
  return Value::of_float(name == "atan2" ? std::atan2(x, y) : name == "pow" ? std::pow(x, y) : std::fmod(x, y));
}

Value evaluated(const Entry& entry, const std::vector<Value>& arguments) {
  const std::string& name = entry.function.name;
  if (name == "print" || name == "println" || name == "setRandomSeed") return {};
  if (name == "iter" || name == "randomi") return Value::unknown(ValueKind::kInteger);
  if (entry.function.effect || arguments.empty() || !arguments.front().is_number())
    return Value::unknown(ValueKind::kFloat);
  const Value& a = arguments.front();
  if (arguments.size() == 2)
    return arguments[1].is_number() ? of_two(name, a, arguments[1]) : Value::unknown(ValueKind::kFloat);
  if (a.kind == ValueKind::kComplex) return of_complex(name, a);
  if (name == "abs") {
    return a.kind == ValueKind::kFloat ? Value::of_float(std::fabs(a.real)) : Value::of_integer(std::abs(a.integer));
  }
  if (name == "arg") return Value::of_float(a.as_real() < 0 ? std::acos(-1.0) : 0);
  return Value::of_float(entry.real(a.as_real()));
}

}  // namespace

const LibraryFunction* library_function(const std::string& name) {
  const auto found = table().find(name);
  return found == table().end() ? nullptr : &found->second.function;
}

std::vector<std::string> library_names() {
  std::vector<std::string> names;
  for (const auto& [name, entry] : table()) names.push_back(name);
  return names;
}

Value call_library(const LibraryFunction& function, const std::vector<Value>& arguments) {
  Value v = evaluated(table().at(function.name), arguments);
  for (const Value& a : arguments) {
    if (!a.known) v.forget();
  }
  v.constant = v.known && std::all_of(arguments.begin(), arguments.end(), [](const Value& a) { return a.constant; });
  return v;
}

}  // namespace braid::traffic::streamit
