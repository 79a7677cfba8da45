// Values of expressions before a program runs: known ones, and those of which only the type is known (what a filter
// pops, what C code returns).
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "traffic/streams/streamit/syntax.h"

namespace braid::traffic::streamit {

struct Value;

/// How many values arrays and structs hold at present.
struct Room {
  std::size_t used = 0;
};
constexpr std::size_t kMostValues = 1'000'000;

/// Elements of an array or members of a struct. Thrown where there is no room: ArrayTooLarge.
class Items {
 public:
  Items(std::vector<Value> all, const StructType* of, Room& room);
  Items(const Items& other);
  Items& operator=(const Items&) = delete;
  ~Items();

  std::vector<Value> values;
  const StructType* type = nullptr;  ///< of a struct

 private:
  Room& room_;
};
struct ArrayTooLarge : std::exception {};

struct Value {
  enum class Kind : std::uint8_t { kVoid, kBoolean, kBit, kInteger, kFloat, kComplex, kText, kArray, kStruct };
  Kind kind = Kind::kVoid;
  bool known = true;               ///< of an array: at least some elements are
  bool constant = false;           ///< whatever the program does: costs nothing to compute
  std::int64_t integer = 0;        ///< boolean, bit, integer: as Java's int, 32 bits
  double real = 0, imaginary = 0;  ///< float, complex: rounded to 32 bits
  std::shared_ptr<Items> items;    ///< shared until one of its owners writes

  static Value of_integer(std::int64_t value);
  static Value of_boolean(bool value);
  static Value of_float(double value);
  static Value of_complex(double re, double im);
  static Value unknown(Kind kind);

  bool is_number() const { return kind <= Kind::kComplex && kind != Kind::kVoid; }
  double as_real() const {
    return kind == Kind::kFloat || kind == Kind::kComplex ? real : static_cast<double>(integer);
  }
  bool is_true() const { return as_real() != 0; }

  /// The elements, of nobody else.
  std::vector<Value>& own_items();
  /// Neither this nor anything in it is known.
  void forget();
};

using ValueKind = Value::Kind;

/// What a variable of this kind holds when `value` is assigned to it; arrays and structs as they are.
Value converted(const Value& value, Value::Kind kind);

/// nullptr in `problem`: there is none. Unknown operands give an unknown value of the right kind.
Value unary(Operator operation, const Value& a, const char*& problem);
Value binary(Operator operation, const Value& a, const Value& b, const char*& problem);

}  // namespace braid::traffic::streamit
