// Expressions.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "traffic/streams/streamit/interpreter.h"

namespace braid::traffic::streamit {
namespace {

constexpr std::uint64_t kMostSteps = 5'000'000;
// Of work functions: the more a program has of them, the less patience with each.
struct Patience {
  std::uint64_t until = 0;     // steps of all work functions
  std::uint64_t function = 0;  // steps of one
  std::uint64_t loop = 0;      // steps of a loop, before the rest is reckoned
};
constexpr std::array<Patience, 3> kPatience{
    {{5'000'000, 1'000'000, 20'000}, {8'000'000, 20'000, 500}, {~std::uint64_t{0}, 200, 100}}};
constexpr std::ptrdiff_t kMostStack = 4 << 20;  // bytes; Linux gives a program 8 MiB

}  // namespace

void Session::check_stack(Place at) {
  const auto* here = static_cast<const char*>(__builtin_frame_address(0));
  if (stack_ == nullptr) stack_ = here;
  if (stack_ - here > kMostStack) {
    fail(at, "nested too deep: expected functions and streams that do not call themselves for ever");
  }
}

void Session::step(Place at) {
  check_stack(at);
  if (++steps_ > kMostSteps) {
    std::uint64_t most = 0;
    for (const auto& [loop, rounds] : loops_) {  // the loop that has gone round most often is to blame
      if (*rounds > most) at = loop;
      most = std::max(most, *rounds);
    }
    fail(at, "does not end: expected a program that is made in at most 5 million steps");
  }
}

bool Session::is_long(std::uint64_t estimate_steps) const { return estimate_steps > kPatience[patience_].loop; }

void Session::estimate_step(Place at) {
  check_stack(at);
  ++estimate_steps_;
  if (estimate_steps_ > kPatience[patience_].until) ++patience_;
  if (estimate_steps_ - estimate_begin_ > kPatience[patience_].function) throw EstimateEnds{};
}

void Session::fail(Place at, const std::string& message) const { throw InputError(sources.position(at), message); }

Interpreter::Interpreter(Session& session, Environment& environment, const Stream* filter, Mode mode, Handler handler)
    : session_(session), environment_(environment), filter_(filter), mode_(mode), handler_(std::move(handler)) {}

void Interpreter::mistake(Place at, const std::string& message) const {
  if (mode_ == Mode::kExact || (mode_ == Mode::kInit && uncertain_ == 0)) session_.fail(at, message);
}

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
  if (lengths[from] > kMostValues || session_.room.used + lengths[from] > kMostValues) throw ArrayTooLarge{};
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
    if (session_.room.used + members.size() > kMostValues)
      session_.fail(type.at, "expected at most 10^6 values in arrays and structs");
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
    session_.fail(type.at, "expected at most 10^6 values in arrays and structs");
  }
}

std::uint64_t Interpreter::count(const Expression& e, const std::string& what, std::uint64_t least) {
  const Value v = evaluate(e);
  const std::string range = least == 0 ? "expected an integer from 0" : "expected a positive integer";
  if (v.kind >= ValueKind::kFloat || v.kind == ValueKind::kVoid)
    session_.fail(e.at, what + ": " + range + ", not a value of another type");
  if (!v.known) session_.fail(e.at, what + ": " + range + " that is known before the program runs");
  if (v.integer < static_cast<std::int64_t>(least))
    session_.fail(e.at, what + ": " + range + ", not " + std::to_string(v.integer));
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
    return {&whole.value->own_items()[i], 0};
  }
  if (whole.value == nullptr) return {};
  if (whole.value->kind == ValueKind::kComplex && (e.name == "real" || e.name == "imag")) {
    return {whole.value, e.name == "real" ? 1 : 2};
  }
  (void)member(e);  // is there one?
  if (!whole.value->known) return {};
  return {&whole.value->own_items()[member_index(*whole.value, e.name)], 0};
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
    std::vector<Value>& values = to.own_items();
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

void Interpreter::count_operation(const Value& result, const Value& a, Operator o) {
  if (result.constant) return;
  const bool real =
      result.kind == ValueKind::kFloat || result.kind == ValueKind::kComplex ||
      (result.kind == ValueKind::kBoolean && a.kind >= ValueKind::kFloat && a.kind <= ValueKind::kComplex);
  const bool division = o == Operator::kDivide && result.kind >= ValueKind::kFloat;
  // A complex operation is those of its parts: two, or of a product four products and two sums.
  const bool complex_number = result.kind == ValueKind::kComplex;
  const std::uint64_t parts = !complex_number ? 1 : o == Operator::kTimes ? 6 : 2;
  work_ += parts * (division ? kWork.float_division : real ? kWork.float_operation : kWork.integer_operation);
}

Value Interpreter::stepped(const Expression& e) {
  const Target t = target(e.parts[0]);
  const Value before = read(t);
  const char* problem = nullptr;
  const Operator o = e.operation == Operator::kIncrement ? Operator::kPlus : Operator::kMinus;
  const Value after = binary(o, before, Value::of_integer(1), problem);
  if (problem != nullptr) session_.fail(e.at, problem);
  count_operation(after, before, o);
  write(t, after, e.at);
  return must_know(e.kind == ExpressionKind::kBefore ? after : before, e);
}

Value Interpreter::both(const Expression& e) {
  const Value a = evaluate(e.parts[0]);
  const bool short_circuit = e.operation == Operator::kAnd || e.operation == Operator::kOr;
  if (short_circuit && a.known && a.is_number() && a.is_true() == (e.operation == Operator::kOr)) {
    if (!a.constant) work_ += kWork.integer_operation;
    return converted(a, ValueKind::kBoolean);
  }
  if (short_circuit && !a.known) ++uncertain_;
  const Value b = evaluate(e.parts[1]);
  if (short_circuit && !a.known) --uncertain_;
  const char* problem = nullptr;
  Value v = binary(e.operation, a, b, problem);
  if (problem != nullptr) {
    const bool division = (e.operation == Operator::kDivide || e.operation == Operator::kModulo) && b.is_number();
    if (division) {
      mistake(e.parts[1].at, problem);
    } else {
      session_.fail(e.at, problem);
    }
  }
  count_operation(v, a.kind > b.kind ? a : b, e.operation);
  return must_know(std::move(v), e);
}

Value Interpreter::conditional(const Expression& e) {
  const Value condition = evaluate(e.parts[0]);
  if (!condition.constant) work_ += kWork.branch;
  if (condition.known) return evaluate(e.parts[condition.is_true() ? 1 : 2]);
  ++uncertain_;
  Value a = evaluate(e.parts[1]);
  const Value b = evaluate(e.parts[2]);
  --uncertain_;
  if (a.is_number() && b.is_number()) a = converted(a, std::max(a.kind, b.kind));
  a.forget();
  return a;
}

Value Interpreter::called(const Expression& e) {
  std::vector<Value> arguments;
  for (const Expression& part : e.parts) arguments.push_back(evaluate(part));
  if (filter_ != nullptr) {
    for (const Function& f : filter_->functions) {
      if (f.name == e.name && f.kind == FunctionKind::kHelper) {
        return must_know(call(f, std::move(arguments), e.at), e);
      }
    }
  }
  const LibraryFunction* library = library_function(e.name);
  Value v = call_library(*library, arguments);
  if (!v.constant) work_ += library->work;
  return must_know(std::move(v), e);
}

Value Interpreter::member_called(const Expression& e) {
  std::vector<Value> arguments;
  for (const Expression& part : e.parts) arguments.push_back(evaluate(part));
  return must_know(call(*session_.helpers.at(e.owner + "." + e.name), std::move(arguments), e.at), e);
}

Value Interpreter::call(const Function& function, std::vector<Value> arguments, Place at) {
  step(at);
  if (function.native) {
    work_ += kWork.unknown_call;
    Value result = zero(function.result);
    result.forget();
    return result;
  }
  if (function.kind == Function::Kind::kHelper) work_ += kWork.call;
  const std::size_t frame = environment_.frame, size = environment_.variables.size();
  std::deque<Variable> locals;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    locals.push_back({&function.parameters[i].name, zero(function.parameters[i].type), false, nullptr});
    assign(locals.back().value, arguments[i], at);
  }
  environment_.frame = size;
  for (Variable& v : locals) environment_.variables.push_back(std::move(v));
  const bool left = std::exchange(may_have_left_, false);
  returned_ = Value{};
  (void)execute(function.body);
  environment_.variables.resize(size);
  environment_.frame = frame;
  Value result = zero(function.result);
  const bool several = std::exchange(may_have_left_, left);
  if (returned_.kind != ValueKind::kVoid) assign(result, returned_, at);
  if (several || returned_.kind == ValueKind::kVoid) result.forget();
  returned_ = Value{};
  return result;
}

Value Interpreter::listed(const Expression& e) {
  std::vector<Value> values;
  for (const Expression& part : e.parts) {
    values.push_back(evaluate(part));
  }
  Value v;
  v.kind = ValueKind::kArray;
  if (session_.room.used + values.size() > kMostValues)
    session_.fail(e.at, "expected at most 10^6 values in arrays and structs");
  v.items = std::make_shared<Items>(std::move(values), nullptr, session_.room);
  return v;
}

Value Interpreter::evaluate(const Expression& e) {
  step(e.at);
  const auto constant = [](Value v) {
    v.constant = true;
    return v;
  };
  switch (e.kind) {
    case ExpressionKind::kInteger:
      return constant(Value::of_integer(e.integer));
    case ExpressionKind::kFloat:
      return constant(Value::of_float(e.number));
    case ExpressionKind::kImaginary:
      return constant(Value::of_complex(0, e.number));
    case ExpressionKind::kBoolean:
      return constant(Value::of_boolean(e.integer != 0));
    case ExpressionKind::kText: {
      Value v;
      v.kind = ValueKind::kText;
      return v;
    }
    case ExpressionKind::kName: {
      const Variable& v = variable(e);
      if (v.field && !v.value.constant) work_ += kWork.field;
      return must_know(v.value, e);
    }
    case ExpressionKind::kIndex:
      return element(e);
    case ExpressionKind::kMember:
      return member(e);
    case ExpressionKind::kCall:
      return called(e);
    case ExpressionKind::kMemberCall:
      return member_called(e);
    case ExpressionKind::kUnary: {
      const Value a = evaluate(e.parts[0]);
      const char* problem = nullptr;
      Value v = unary(e.operation, a, problem);
      if (problem != nullptr) session_.fail(e.at, problem);
      count_operation(v, a, e.operation);
      return must_know(std::move(v), e);
    }
    case ExpressionKind::kBefore:
    case ExpressionKind::kAfter:
      return stepped(e);
    case ExpressionKind::kBinary:
      return both(e);
    case ExpressionKind::kConditional:
      return conditional(e);
    case ExpressionKind::kCast: {
      const Value a = evaluate(e.parts[0]);
      if (!a.is_number()) session_.fail(e.at, "expected a number behind (" + e.name + ")");
      Type type;
      type.name = e.name;
      type.at = e.at;
      return converted(a, zero(type).kind);
    }
    case ExpressionKind::kPop:
    case ExpressionKind::kPeek:
      if (mode_ != Mode::kEstimate) session_.fail(e.at, "expected pop() and peek() in work and prework only");
      if (popped_.kind == ValueKind::kVoid)
        session_.fail(e.at, "this filter's input is void: expected no pop() or peek()");
      if (e.kind == ExpressionKind::kPeek) (void)evaluate(e.parts[0]);
      work_ += e.kind == ExpressionKind::kPop ? kWork.pop : kWork.peek;
      return popped_;
    case ExpressionKind::kArray:
      return listed(e);
  }
  return {};
}

}  // namespace braid::traffic::streamit
