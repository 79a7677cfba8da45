// What names, elements and members stand for, and what is assigned to them.
#include <algorithm>
#include <numeric>
#include <utility>

#include "traffic/streams/streamit/interpreter.h"

namespace braid::traffic::streamit {
namespace {

[[noreturn]] void fail_too_large(const Session& session, Place at) {
  session.fail(at, "expected at most 10^6 values in arrays and structs");
}

}  // namespace

Value Interpreter::must_know(Value v, const Expression& e) const {
  if (mode_ == Mode::kExact && !v.known && v.kind != ValueKind::kArray && v.kind != ValueKind::kStruct) {
    session_.fail(e.at, "expected a value that is known before the program runs");
  }
  return v;
}

Variable* Interpreter::find(const std::string& name) {
  const auto search = [&](Environment& in, std::size_t begin, std::size_t end) -> Variable* {
    for (std::size_t i = end; i > begin; --i) {
      if (*in.variables[i - 1].name == name) return &in.variables[i - 1];
    }
    return nullptr;
  };
  Variable* found = search(environment_, environment_.frame, environment_.variables.size());
  if (found == nullptr) found = search(environment_, 0, std::min(environment_.shared, environment_.frame));
  if (found == nullptr) found = search(session_.globals, 0, session_.globals.shared);
  if (found != nullptr && found->later != nullptr) {
    const Type& type = *std::exchange(found->later, nullptr);
    found->value = zero(type);
  }
  return found;
}

Variable& Interpreter::variable(const Expression& name) {
  Variable* found = find(name.name);
  if (found != nullptr) return *found;
  session_.fail(name.at, "variable \"" + one_line(name.name) + "\" has no value here");
}

Value Interpreter::arrayed(const std::vector<std::uint64_t>& lengths, std::size_t from, const Value& element,
                           Place at) {
  if (from == lengths.size()) return element;
  Value array;
  array.kind = ValueKind::kArray;
  array.known = element.known;
  const Value part = arrayed(lengths, from + 1, element, at);
  if (session_.room.used + lengths[from] > kMostValues) throw ArrayTooLarge{};
  std::vector<Value> parts(lengths[from], part);
  array.items = std::make_shared<Items>(std::move(parts), nullptr, session_.room);
  return array;
}

Value Interpreter::zero(const Type& type) {
  step(type.at);
  Value v;
  const auto structure = session_.structs.find(type.name);
  if (type.name == "int") {
    v = Value::of_integer(0);
  } else if (type.name == "float" || type.name == "double") {
    v = Value::of_float(0);
  } else if (type.name == "complex") {
    v = Value::of_complex(0, 0);
  } else if (type.name == "boolean" || type.name == "bit") {
    v = converted(Value::of_integer(0), type.name == "bit" ? ValueKind::kBit : ValueKind::kBoolean);
  } else if (structure != session_.structs.end()) {
    std::vector<Value> members;
    for (const Parameter& p : structure->second->members) members.push_back(zero(p.type));
    v.kind = ValueKind::kStruct;
    if (session_.room.used + members.size() > kMostValues) fail_too_large(session_, type.at);
    v.items = std::make_shared<Items>(std::move(members), structure->second, session_.room);
  }
  std::vector<std::uint64_t> lengths;
  for (const Expression& e : type.lengths) {
    const Value length = evaluate(e);
    if (!length.known && mode_ == Mode::kEstimate) {
      v.forget();
      lengths.push_back(1);
    } else {
      if (!length.known || length.kind >= ValueKind::kFloat || length.integer < 0) {
        session_.fail(e.at, "array length: expected an integer from 0 that is known before the program runs");
      }
      lengths.push_back(static_cast<std::uint64_t>(length.integer));
    }
  }
  try {
    return arrayed(lengths, 0, v, type.at);
  } catch (const ArrayTooLarge&) {
    fail_too_large(session_, type.at);
  }
}

std::uint64_t Interpreter::count(const Expression& e, const std::string& what) {
  const Value v = evaluate(e);
  const std::string range = "expected an integer from 0";
  if (v.kind >= ValueKind::kFloat || v.kind == ValueKind::kVoid)
    session_.fail(e.at, what + ": " + range + ", not a value of another type");
  if (!v.known) session_.fail(e.at, what + ": " + range + " that is known before the program runs");
  if (v.integer < 0) session_.fail(e.at, what + ": " + range + ", not " + std::to_string(v.integer));
  return static_cast<std::uint64_t>(v.integer);
}

bool Interpreter::known_index(const Value& array, const Value& index, Place at, std::size_t& i) {
  if (!array.known || !index.known || !index.is_number()) return false;
  const std::int64_t n = index.kind >= ValueKind::kFloat ? static_cast<std::int64_t>(index.real) : index.integer;
  if (n < 0 || n >= static_cast<std::int64_t>(array.items->values.size())) {
    mistake(at,
            "array index " + std::to_string(n) + ": expected one below " + std::to_string(array.items->values.size()));
    return false;
  }
  i = static_cast<std::size_t>(n);
  return true;
}

namespace {

/// An element of an array, or member of a struct, of which nothing is known.
Value unknown_part(const Value& whole, std::size_t which) {
  Value v = which < whole.items->values.size() ? whole.items->values[which] : Value::unknown(ValueKind::kInteger);
  v.forget();
  return v;
}

std::size_t member_index(const Value& whole, const std::string& name) {
  const auto& members = whole.items->type->members;
  const auto found = std::find_if(members.begin(), members.end(), [&](const Parameter& p) { return p.name == name; });
  return static_cast<std::size_t>(found - members.begin());
}

}  // namespace

Value Interpreter::element(const Expression& e) {
  const Value array = evaluate(e.parts[0]);
  const Value index = evaluate(e.parts[1]);
  if (array.kind != ValueKind::kArray) session_.fail(e.at, "expected an array in front of [");
  std::size_t i = 0;
  if (!known_index(array, index, e.parts[1].at, i)) return must_know(unknown_part(array, 0), e);
  return array.items->values[i];
}

Value Interpreter::member(const Expression& e) {
  const Value whole = evaluate(e.parts[0]);
  if (whole.kind == ValueKind::kComplex && (e.name == "real" || e.name == "imag")) {
    Value v = Value::of_float(e.name == "real" ? whole.real : whole.imaginary);
    v.known = whole.known;
    v.constant = whole.constant;
    return v;
  }
  if (whole.kind != ValueKind::kStruct) session_.fail(e.at, "expected a struct in front of ." + one_line(e.name));
  const std::size_t i = member_index(whole, e.name);
  if (i == whole.items->values.size()) {
    std::vector<std::string> known;
    for (const Parameter& p : whole.items->type->members) known.push_back(p.name);
    session_.fail(e.at, unknown_name("member", e.name, known));
  }
  return whole.known ? whole.items->values[i] : unknown_part(whole, i);
}

std::vector<Value>& Interpreter::own_items(Value& whole, Place at) {
  try {
    return whole.own_items();
  } catch (const ArrayTooLarge&) {
    fail_too_large(session_, at);
  }
}

Interpreter::Target Interpreter::target(const Expression& e) {
  step(e.at);
  if (e.kind == ExpressionKind::kName) {
    Variable& v = variable(e);
    if (v.field) work_ += kWork.field;
    return {&v.value, 0};
  }
  if (e.kind != ExpressionKind::kIndex && e.kind != ExpressionKind::kMember) session_.fail(e.at, "expected a variable");
  Target whole = target(e.parts[0]);
  if (e.kind == ExpressionKind::kIndex) {
    const Value index = evaluate(e.parts[1]);
    if (whole.value == nullptr) return {};
    if (whole.value->kind != ValueKind::kArray) session_.fail(e.at, "expected an array in front of [");
    std::size_t i = 0;
    if (!known_index(*whole.value, index, e.parts[1].at, i)) {
      whole.value->forget();
      return {};
    }
    return {&own_items(*whole.value, e.at)[i], 0};
  }
  if (whole.value == nullptr) return {};
  if (whole.value->kind == ValueKind::kComplex && (e.name == "real" || e.name == "imag")) {
    return {whole.value, e.name == "real" ? 1 : 2};
  }
  (void)member(e);  // is there one?
  if (!whole.value->known) return {};
  return {&own_items(*whole.value, e.at)[member_index(*whole.value, e.name)], 0};
}

Value Interpreter::read(const Target& t) const {
  if (t.value == nullptr) return Value::unknown(ValueKind::kFloat);
  if (t.part == 0) return *t.value;
  Value v = Value::of_float(t.part == 1 ? t.value->real : t.value->imaginary);
  v.known = t.value->known;
  return v;
}

void Interpreter::write(const Target& t, const Value& v, Place at) {
  if (t.value == nullptr) return;
  if (t.part == 0) return assign(*t.value, v, at);
  const double part = static_cast<double>(static_cast<float>(v.as_real()));
  (t.part == 1 ? t.value->real : t.value->imaginary) = part;
  t.value->known = t.value->known && v.known;
  t.value->constant = false;
}

void Interpreter::assign(Value& to, const Value& from, Place at) {
  step(at);
  if (to.kind == ValueKind::kArray && from.kind == ValueKind::kArray) {
    if (!from.known) return to.forget();
    if (to.items->values.size() != from.items->values.size()) {
      return mistake(at, "expected an array of " + std::to_string(to.items->values.size()) + ", not of " +
                             std::to_string(from.items->values.size()));
    }
    to.known = true;
    std::vector<Value>& values = own_items(to, at);
    for (std::size_t i = 0; i < values.size(); ++i) {
      assign(values[i], from.items->values[i], at);
    }
    return;
  }
  if (to.is_number() && from.is_number()) {
    to = converted(from, to.kind);
  } else if (to.kind == from.kind && (to.kind != ValueKind::kStruct || to.items->type == from.items->type)) {
    to = from;
  } else if (!from.known || from.kind == ValueKind::kVoid) {
    to.forget();
  } else {
    mistake(at, "expected a value of the variable's type");
    to.forget();
  }
  to.constant = false;
}

}  // namespace braid::traffic::streamit
