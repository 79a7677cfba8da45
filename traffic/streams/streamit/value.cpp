#include "traffic/streams/streamit/value.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

namespace braid::traffic::streamit {
namespace {

std::int64_t wrapped(std::int64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

/// As Java does: what is no number is 0, what is too large the largest.
std::int64_t truncated(double value) {
  if (std::isnan(value)) return 0;
  return static_cast<std::int64_t>(std::clamp(value, -2147483648.0, 2147483647.0));
}

bool compares(Operator o) { return o >= Operator::kEqual && o <= Operator::kGreaterEqual; }

ValueKind result_of(Operator o, const Value& a, const Value& b) {
  if (o == Operator::kAnd || o == Operator::kOr || compares(o)) return ValueKind::kBoolean;
  if (o == Operator::kShiftLeft || o == Operator::kShiftRight) return ValueKind::kInteger;
  const ValueKind wider = std::max(a.kind, b.kind);
  const bool bits = o == Operator::kBitAnd || o == Operator::kBitOr || o == Operator::kBitXor;
  return bits && wider <= ValueKind::kBit ? wider : std::max(wider, ValueKind::kInteger);
}

Value compared(Operator o, double a, double b) {
  switch (o) {
    case Operator::kEqual:
      return Value::of_boolean(a == b);
    case Operator::kUnequal:
      return Value::of_boolean(a != b);
    case Operator::kLess:
      return Value::of_boolean(a < b);
    case Operator::kLessEqual:
      return Value::of_boolean(a <= b);
    case Operator::kGreater:
      return Value::of_boolean(a > b);
    default:
      return Value::of_boolean(a >= b);
  }
}

Value of_integers(Operator o, std::int64_t a, std::int64_t b, const char*& problem) {
  switch (o) {
    case Operator::kPlus:
      return Value::of_integer(a + b);
    case Operator::kMinus:
      return Value::of_integer(a - b);
    case Operator::kTimes:
      return Value::of_integer(a * b);
    case Operator::kDivide:
    case Operator::kModulo:
      if (b == 0) {
        problem = "division by 0";
        return Value::unknown(ValueKind::kInteger);
      }
      return Value::of_integer(o == Operator::kDivide ? a / b : a % b);
    case Operator::kShiftLeft:
      return Value::of_integer(static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << (b & 31)));
    case Operator::kShiftRight:
      return Value::of_integer(a >> (b & 31));
    case Operator::kBitAnd:
      return Value::of_integer(a & b);
    case Operator::kBitOr:
      return Value::of_integer(a | b);
    default:
      return Value::of_integer(a ^ b);
  }
}

Value of_floats(Operator o, double a, double b, const char*& problem) {
  switch (o) {
    case Operator::kPlus:
      return Value::of_float(a + b);
    case Operator::kMinus:
      return Value::of_float(a - b);
    case Operator::kTimes:
      return Value::of_float(a * b);
    case Operator::kDivide:
      return Value::of_float(a / b);
    case Operator::kModulo:
      return Value::of_float(std::fmod(a, b));
    default:
      problem = "expected integers on both sides of this operator";
      return Value::unknown(ValueKind::kFloat);
  }
}

Value of_complexes(Operator o, const Value& a, const Value& b, const char*& problem) {
  const std::complex<double> x(a.as_real(), a.imaginary), y(b.as_real(), b.imaginary);
  std::complex<double> z;
  switch (o) {
    case Operator::kPlus:
      z = x + y;
      break;
    case Operator::kMinus:
      z = x - y;
      break;
    case Operator::kTimes:
      z = x * y;
      break;
    case Operator::kDivide:
      z = x / y;
      break;
    default:
      problem = "complex numbers have no such operator";
      return Value::unknown(ValueKind::kComplex);
  }
  return Value::of_complex(z.real(), z.imag());
}

}  // namespace

Items::Items(std::vector<Value> all, const StructType* of, Room& room) : values(std::move(all)), type(of), room_(room) {
  room_.used += values.size();
}
Items::Items(const Items& other) : values(other.values), type(other.type), room_(other.room_) {
  room_.used += values.size();
  if (room_.used > kMostValues) {
    room_.used -= values.size();
    throw ArrayTooLarge{};
  }
}
Items::~Items() { room_.used -= values.size(); }

Value Value::of_integer(std::int64_t value) {
  Value v;
  v.kind = ValueKind::kInteger;
  v.integer = wrapped(value);
  return v;
}
Value Value::of_boolean(bool value) {
  Value v;
  v.kind = ValueKind::kBoolean;
  v.integer = value ? 1 : 0;
  return v;
}
Value Value::of_float(double value) {
  Value v;
  v.kind = ValueKind::kFloat;
  v.real = static_cast<double>(static_cast<float>(value));
  return v;
}
Value Value::of_complex(double re, double im) {
  Value v = of_float(re);
  v.kind = ValueKind::kComplex;
  v.imaginary = static_cast<double>(static_cast<float>(im));
  return v;
}
Value Value::unknown(ValueKind kind) {
  Value v;
  v.kind = kind;
  v.known = false;
  return v;
}

std::vector<Value>& Value::own_items() {
  if (items.use_count() > 1) items = std::make_shared<Items>(*items);
  return items->values;
}

void Value::forget() {
  known = false;
  constant = false;
}

Value converted(const Value& value, ValueKind kind) {
  if (!value.is_number() || kind > ValueKind::kComplex || kind == ValueKind::kVoid) return value;
  Value v;
  if (kind == ValueKind::kFloat) {
    v = Value::of_float(value.as_real());
  } else if (kind == ValueKind::kComplex) {
    v = Value::of_complex(value.as_real(), value.imaginary);
  } else {
    const bool real = value.kind >= ValueKind::kFloat;
    v = Value::of_integer(real ? truncated(value.real) : value.integer);
    if (kind != ValueKind::kInteger) v.integer = kind == ValueKind::kBit ? v.integer & 1 : (v.integer != 0 ? 1 : 0);
    v.kind = kind;
  }
  v.known = value.known;
  v.constant = value.constant;
  return v;
}

Value unary(Operator operation, const Value& a, const char*& problem) {
  if (!a.is_number()) {
    problem = "expected a number";
    return Value::unknown(ValueKind::kInteger);
  }
  Value v;
  if (operation == Operator::kNot) {
    v = Value::of_boolean(!a.is_true());
  } else if (operation == Operator::kComplement) {
    if (a.kind >= ValueKind::kFloat) problem = "expected an integer behind ~";
    v = a.kind <= ValueKind::kBit ? converted(Value::of_integer(a.integer == 0 ? 1 : 0), a.kind)
                                  : Value::of_integer(~a.integer);
  } else {
    const double sign = operation == Operator::kMinus ? -1 : 1;
    v = a.kind == ValueKind::kComplex ? Value::of_complex(sign * a.real, sign * a.imaginary)
        : a.kind == ValueKind::kFloat ? Value::of_float(sign * a.real)
                                      : Value::of_integer(operation == Operator::kMinus ? -a.integer : a.integer);
  }
  v.known = a.known;
  v.constant = a.constant && a.known;
  return v;
}

/// A text and what is joined to it, a text again. What it says is not kept: only names of files and prints have one.
Value joined(const Value& a, const Value& b) {
  Value v;
  v.kind = ValueKind::kText;
  v.constant = a.constant && b.constant;
  return v;
}

bool joins(Operator operation, const Value& a, const Value& b) {
  const auto fits = [](const Value& v) { return v.is_number() || v.kind == ValueKind::kText; };
  return operation == Operator::kPlus && (a.kind == ValueKind::kText || b.kind == ValueKind::kText) && fits(a) &&
         fits(b);
}

Value binary(Operator operation, const Value& a, const Value& b, const char*& problem) {
  if (joins(operation, a, b)) return joined(a, b);
  if (!a.is_number() || !b.is_number()) {
    problem = "expected a number on both sides of this operator";
    return Value::unknown(ValueKind::kInteger);
  }
  const ValueKind kind = result_of(operation, a, b);
  const ValueKind wider = std::max(a.kind, b.kind);
  Value v;
  if (!a.known || !b.known) {
    v = Value::unknown(kind);
  } else if (operation == Operator::kAnd) {
    v = Value::of_boolean(a.is_true() && b.is_true());
  } else if (operation == Operator::kOr) {
    v = Value::of_boolean(a.is_true() || b.is_true());
  } else if (compares(operation)) {
    v = compared(operation, a.as_real(), b.as_real());
    if (a.imaginary != b.imaginary) v.integer = operation == Operator::kUnequal ? 1 : 0;
  } else if (wider == ValueKind::kComplex) {
    v = of_complexes(operation, a, b, problem);
  } else if (wider == ValueKind::kFloat) {
    v = of_floats(operation, a.as_real(), b.as_real(), problem);
  } else {
    v = of_integers(operation, a.integer, b.integer, problem);
    if (v.known && kind != v.kind) v = converted(v, kind);
  }
  v.constant = a.constant && b.constant && v.known;
  return v;
}

}  // namespace braid::traffic::streamit
