// Statements.
#include <algorithm>
#include <utility>

#include "traffic/streams/streamit/interpreter.h"

namespace braid::traffic::streamit {
namespace {

constexpr std::uint64_t kMostInitRounds = 200'000;  // of one loop
constexpr std::uint64_t kMostInitSteps = 100'000;   // of a loop that counts, before init is believed
constexpr std::uint64_t kManySteps = 2'000'000;     // of the program: from there on less patience
constexpr std::uint64_t kHurriedInitSteps = 2'000;

const Expression* condition_of(const Statement& s) { return s.values.empty() ? nullptr : &s.values.front(); }

}  // namespace

void Interpreter::declare(const Declaration& declaration, bool field) {
  for (const Declarator& d : declaration.names) {
    Variable v{&d.name, {}, field, nullptr};
    if (field && !declaration.type.lengths.empty() && !d.value) {
      v.later = &declaration.type;
    } else {
      v.value = zero(declaration.type);
      if (d.value) assign(v.value, evaluate(*d.value), d.value->at);
    }
    environment_.variables.push_back(std::move(v));
  }
}

Interpreter::Flow Interpreter::block(const Statement& s) {
  const std::size_t size = environment_.variables.size();
  Flow flow = Flow::kNext;
  for (const Statement& inner : s.body) {
    flow = execute(inner);
    if (flow != Flow::kNext) break;
  }
  environment_.variables.resize(size);
  return flow;
}

void Interpreter::forget_written(const Statement& s) {
  for (const std::string& name : uses_of(s, filter_, session_).written) {
    if (Variable* v = find(name); v != nullptr) v->value.forget();
  }
}

/// Of an if whose condition is not known both sides run; afterwards nothing is known of what either assigns.
Interpreter::Flow Interpreter::branch(const Statement& s) {
  const Value condition = evaluate(s.values[0]);
  if (!condition.constant) work_ += kWork.branch;
  if (condition.known) {
    if (condition.is_true()) return execute(s.body[0]);
    return s.body.size() > 1 ? execute(s.body[1]) : Flow::kNext;
  }
  ++uncertain_;
  const std::uint64_t before = work_;
  Flow flows[2] = {Flow::kNext, Flow::kNext};
  for (std::size_t i = 0; i < 2; ++i) {
    forget_written(s);
    if (i < s.body.size()) flows[i] = execute(s.body[i]);
  }
  forget_written(s);
  work_ = before + (work_ - before) / 2;
  --uncertain_;
  if (flows[0] == flows[1]) return flows[0];
  may_have_left_ = may_have_left_ || flows[0] == Flow::kBreak || flows[1] == Flow::kBreak ||
                   flows[0] == Flow::kReturn || flows[1] == Flow::kReturn;
  return Flow::kNext;
}

/// One round of what a loop repeats; false: it ends here.
bool Interpreter::round(const Statement& s, Flow& flow) {
  flow = execute(s.body[s.kind == StatementKind::kFor ? 2 : 0]);
  if (flow == Flow::kBreak || flow == Flow::kReturn) return false;
  flow = Flow::kNext;
  if (s.kind == StatementKind::kFor) (void)execute(s.body[1]);
  return true;
}

/// Rounds that `for (...; i < known; i += known)` still has before it; 0: it is no such loop.
std::uint64_t Interpreter::rounds_left(const Statement& s) {
  const Expression* condition = condition_of(s);
  if (s.kind != StatementKind::kFor || condition == nullptr || condition->kind != ExpressionKind::kBinary) return 0;
  const Expression& counter = condition->parts[0];
  if (counter.kind != ExpressionKind::kName || uses_of(s.body[2], filter_, session_).written.count(counter.name) != 0)
    return 0;
  const Variable* variable = find(counter.name);
  if (variable == nullptr || variable->value.kind != Value::Kind::kInteger || !variable->value.known) return 0;
  const Value bound = evaluate(condition->parts[1]);
  const Value from = variable->value;
  (void)execute(s.body[1]);
  const Value next = std::exchange(find(counter.name)->value, from);
  if (!bound.known || !next.known || bound.kind != Value::Kind::kInteger) return 0;
  const std::int64_t stride = next.integer - from.integer;
  const std::int64_t way = bound.integer - from.integer;
  if (stride == 0 || (way > 0) != (stride > 0)) return 0;
  return static_cast<std::uint64_t>(way / stride);
}

/// The rest of a loop is as its rounds so far; what it assigns is not known.
void Interpreter::extrapolate(const Statement& s, std::uint64_t before, std::uint64_t rounds) {
  const std::uint64_t so_far = work_ - before;
  const std::uint64_t left = rounds_left(s);
  forget_written(s);
  work_ = before + so_far;
  constexpr std::uint64_t kMostWork = 1'000'000'000'000;
  const long double all =
      static_cast<long double>(so_far) / static_cast<long double>(rounds) * static_cast<long double>(left);
  work_ += static_cast<std::uint64_t>(std::min<long double>(all, kMostWork));
}

Interpreter::Flow Interpreter::repeat(const Statement& s) {
  const std::size_t size = environment_.variables.size();
  const bool left_before = std::exchange(may_have_left_, false);
  if (s.kind == StatementKind::kFor) (void)execute(s.body[0]);
  const std::uint64_t work_before = work_, steps_before = session_.estimate_steps();
  const std::uint64_t init_before = session_.steps();
  const std::uint64_t patience = init_before > kManySteps ? kHurriedInitSteps : kMostInitSteps;
  const Expression* condition = condition_of(s);
  bool tried = false;
  Flow flow = Flow::kNext;
  std::uint64_t rounds = 0;
  const Session::Loop loop(session_, s.at, rounds);
  for (;; ++rounds) {
    step(s.at);
    const std::uint64_t round_before = work_;
    Value goes_on = Value::of_boolean(true);
    if (condition != nullptr && (s.kind != StatementKind::kDo || rounds > 0)) goes_on = evaluate(*condition);
    if (goes_on.known && !goes_on.is_true()) {
      if (s.kind != StatementKind::kDo) work_ = round_before;  // the last look is not counted, as in MIT's compiler
      break;
    }
    const bool open = !goes_on.known || (may_have_left_ && (s.kind != StatementKind::kFor || condition == nullptr));
    if (open) {  // nobody knows how often
      ++uncertain_;
      forget_written(s);
      work_ = work_before;
      if (condition != nullptr) (void)evaluate(*condition);
      (void)round(s, flow);
      forget_written(s);
      work_ = work_before + kWork.repeats * (work_ - work_before);
      --uncertain_;
      flow = Flow::kNext;
      break;
    }
    if (!round(s, flow)) break;
    if (mode_ == Mode::kEstimate && session_.is_long(session_.estimate_steps() - steps_before)) {
      extrapolate(s, work_before, rounds + 1);
      break;
    }
    if (mode_ == Mode::kInit && !tried && session_.steps() - init_before > patience) {
      tried = true;
      if (rounds_left(s) != 0) {  // it ends; what it computes is not known then
        forget_written(s);
        break;
      }
    }
    if (mode_ == Mode::kInit && rounds == kMostInitRounds) {
      if (uncertain_ == 0) session_.fail(s.at, "does not end: expected a loop of at most 200000 rounds");
      forget_written(s);
      break;
    }
  }
  if (may_have_left_) forget_written(s);
  may_have_left_ = left_before;
  environment_.variables.resize(size);
  return flow == Flow::kReturn ? flow : Flow::kNext;
}

Interpreter::Flow Interpreter::execute(const Statement& s) {
  step(s.at);
  switch (s.kind) {
    case StatementKind::kEmpty:
      break;
    case StatementKind::kBlock:
      return block(s);
    case StatementKind::kDeclare:
      declare(s.declaration, false);
      break;
    case StatementKind::kExpression:
      (void)evaluate(s.values[0]);
      break;
    case StatementKind::kAssign: {
      Value v = evaluate(s.values[1]);
      const Target t = target(s.values[0]);
      if (s.operation != Operator::kNone) {
        const Value old = read(t);
        const char* problem = nullptr;
        const Value wider = old.kind > v.kind ? old : v;
        v = binary(s.operation, old, v, problem);
        if (problem != nullptr) mistake(s.at, problem);
        count_operation(v, wider, s.operation);
      }
      write(t, v, s.values[1].at);
      break;
    }
    case StatementKind::kIf:
      return branch(s);
    case StatementKind::kWhile:
    case StatementKind::kDo:
    case StatementKind::kFor:
      return repeat(s);
    case StatementKind::kBreak:
      work_ += kWork.branch;
      return Flow::kBreak;
    case StatementKind::kContinue:
      work_ += kWork.branch;
      return Flow::kContinue;
    case StatementKind::kReturn: {
      Value v;
      if (!s.values.empty()) v = evaluate(s.values[0]);
      if (uncertain_ != 0 || may_have_left_) v.forget();
      returned_ = std::move(v);
      return Flow::kReturn;
    }
    case StatementKind::kPush:
      if (mode_ != Mode::kEstimate) session_.fail(s.at, "expected push() in work and prework only");
      if (!gives_) session_.fail(s.at, "this filter's output is void: expected no push()");
      (void)evaluate(s.values[0]);
      work_ += kWork.push;
      break;
    default:
      if (!handler_) session_.fail(s.at, "expected this in a pipeline, splitjoin or feedbackloop only");
      handler_(s);
  }
  return Flow::kNext;
}

}  // namespace braid::traffic::streamit
