// Expressions.
#include <algorithm>
#include <utility>

#include "traffic/streams/streamit/interpreter.h"

namespace braid::traffic::streamit {

Interpreter::Interpreter(Session& session, Environment& environment, const Stream* filter, Mode mode, Handler handler)
    : session_(session), environment_(environment), filter_(filter), mode_(mode), handler_(std::move(handler)) {}

void Interpreter::mistake(Place at, const std::string& message) const {
  if (mode_ == Mode::kExact || (mode_ == Mode::kInit && uncertain_ == 0)) session_.fail(at, message);
}

void Interpreter::count_operation(const Value& result, const Value& a, Operator o) {
  if (result.constant) return;
  const bool real = result.kind == ValueKind::kFloat || result.kind == ValueKind::kComplex ||
                    (result.kind == ValueKind::kBoolean && a.kind >= ValueKind::kFloat);
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
  const auto given = e.parts.begin() + static_cast<std::ptrdiff_t>(e.integer);
  std::vector<Value> arguments;
  for (auto part = e.parts.begin(); part != given; ++part) arguments.push_back(evaluate(*part));
  if (session_.helper_names.count(e.owner) == 0) {  // a message: it is sent, and nothing comes back
    work_ += kWork.call;
    return {};
  }
  // A helper's function stands outside of the stream that calls it: of that it sees no parameters and no fields.
  const std::size_t shared = std::exchange(environment_.shared, 0);
  Value result = call(*session_.helpers.at(e.owner + "." + e.name), std::move(arguments), e.at);
  environment_.shared = shared;
  return must_know(std::move(result), e);
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
    case ExpressionKind::kRange:  // of no use but as a rate (filter.cpp)
      return listed(e);
  }
  return {};
}

}  // namespace braid::traffic::streamit
