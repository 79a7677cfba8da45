#include "traffic/streams/streamit/filter.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace braid::traffic::streamit {
namespace {

const Function* function_of(const Stream& filter, FunctionKind kind) {
  for (const Function& f : filter.functions) {
    if (f.kind == kind) return &f;
  }
  return nullptr;
}

void check_functions(const Session& session, const Stream& filter) {
  std::set<std::string> names;
  for (const Function& f : filter.functions) {
    if (!names.insert(f.name).second) session.fail(f.at, "function \"" + one_line(f.name) + "\" is there twice");
  }
  if (function_of(filter, FunctionKind::kWork) == nullptr)
    session.fail(filter.at, "expected a work function in this filter");
}

std::uint64_t rate(Interpreter& exact, const std::optional<Expression>& e, const char* name) {
  return e ? exact.count(*e, name) : 0;
}

/// A rate, or the mean of one that changes: over / under.
struct Rate {
  std::uint64_t over = 0, under = 1;
};

/// Of whatever changes from call to call nobody knows more than the user says.
class Rates {
 public:
  Rates(Session& session, Interpreter& exact, const Stream& filter)
      : session_(session), exact_(exact), filter_(filter) {}

  Rate of(const Function& f, const std::optional<Expression>& e, const std::string& which) {
    if (!e || e->kind != ExpressionKind::kRange) return {rate(exact_, e, (which + " rate").c_str()), 1};
    MeanRate* mean = f.kind == FunctionKind::kWork ? mean_of(which) : nullptr;
    if (mean == nullptr) {
      const std::string hint = filter_.name.empty() || f.kind != FunctionKind::kWork
                                   ? ""
                                   : ", or its mean: --rate " + one_line(filter_.name) + "." + which + "=1.5";
      session_.fail(e->at,
                    "rates that change from call to call are not read: expected an integer that is known before "
                    "the program runs" +
                        hint);
    }
    mean->used = true;
    check_bounds(*e, *mean);
    return {mean->numerator, mean->denominator};
  }

 private:
  MeanRate* mean_of(const std::string& which) {
    MeanRate* any = nullptr;
    for (MeanRate& mean : session_.means) {
      if (mean.filter != filter_.name || filter_.name.empty()) continue;
      if (mean.which == which) return &mean;
      if (mean.which.empty()) any = &mean;
    }
    return any;
  }

  void check_bounds(const Expression& range, const MeanRate& mean) {
    if (range.parts.empty()) return;
    const Expression& least = range.parts.front();
    const Expression& most = range.parts.back();
    const bool low =
        least.kind != ExpressionKind::kRange && mean.numerator < exact_.count(least, "least rate") * mean.denominator;
    const bool high =
        most.kind != ExpressionKind::kRange && mean.numerator > exact_.count(most, "most rate") * mean.denominator;
    if (low || high) {
      session_.fail(range.at, "--rate " + one_line(filter_.name) + "=" + mean.text +
                                  (low ? ": expected at least " : ": expected at most ") +
                                  std::to_string(exact_.count(low ? least : most, "rate")));
    }
  }

  Session& session_;
  Interpreter& exact_;
  const Stream& filter_;
};

/// Where a mean is no whole number, a firing stands for as many calls as make it one: `calls`.
WorkFunction rates_of(Session& session, Interpreter& exact, const Stream& filter, const Function& f,
                      const std::string& input, const std::string& output, std::uint64_t& calls) {
  Rates rates(session, exact, filter);
  const Rate push = rates.of(f, f.push, "push"), pop = rates.of(f, f.pop, "pop"), peek = rates.of(f, f.peek, "peek");
  calls = std::lcm(std::lcm(push.under, pop.under), peek.under);
  WorkFunction w;
  w.push = push.over * (calls / push.under);
  w.pop = pop.over * (calls / pop.under);
  // The last call sees as far as any, from where the ones before it have taken theirs.
  const std::uint64_t seen = (peek.over + peek.under - 1) / peek.under, taken = w.pop / calls;
  w.peek = w.pop + (seen > taken ? seen - taken : 0);
  if (input == "void" && w.peek != 0) {
    session.fail((f.pop && w.pop != 0 ? f.pop : f.peek)->at,
                 "this filter's input is void: expected no pop and peek rate");
  }
  if (output == "void" && w.push != 0) session.fail(f.push->at, "this filter's output is void: expected no push rate");
  return w;
}

/// Fields that work changes are not known in it; other simple ones are as good as constants.
void settle_fields(Environment& environment, const std::set<std::string>& written) {
  for (std::size_t i = 0; i < environment.shared; ++i) {
    Variable& v = environment.variables[i];
    if (!v.field) continue;
    if (written.count(*v.name) != 0) {
      v.value.forget();
    } else {
      v.value.constant = v.value.known && v.value.is_number();
    }
  }
}

/// A value of the type that a filter takes, of which nothing is known. Of other than simple types an array's is enough
/// if its parts are of the right kind.
Value item_of(Interpreter& exact, const std::optional<Type>& type) {
  Value item = type ? exact.zero(*type) : Value::of_float(0);
  item.forget();
  return item;
}

std::uint64_t work_of(Session& session, Environment environment, const Stream& filter, const Function& f,
                      const Value& item, bool gives) {
  Interpreter estimate(session, environment, &filter, Interpreter::Mode::kEstimate);
  estimate.set_items(item, gives);
  session.begin_estimate();
  try {
    (void)estimate.call(f, {}, f.at);
  } catch (const EstimateEnds&) {
    return estimate.work();  // what it took so far
  }
  return estimate.work();
}

Uses uses_in_calls(const Session& session, const Stream& filter) {
  Uses all;
  for (const Function& f : filter.functions) {  // a message changes what later calls read
    if (f.kind != FunctionKind::kWork && f.kind != FunctionKind::kPrework && f.kind != FunctionKind::kHandler) continue;
    const Uses uses = uses_of(f, &filter, session);
    all.written.insert(uses.written.begin(), uses.written.end());
    all.read.insert(uses.read.begin(), uses.read.end());
    all.effects = all.effects || uses.effects;
  }
  return all;
}

bool is_stateful(const Uses& uses) {
  return uses.effects || std::any_of(uses.written.begin(), uses.written.end(),
                                     [&](const std::string& name) { return uses.read.count(name) != 0; });
}

}  // namespace

Filter instantiate(Session& session, const Stream& declaration, Environment environment, const std::string& input,
                   const std::string& output) {
  check_functions(session, declaration);
  Interpreter init(session, environment, &declaration, Interpreter::Mode::kInit);
  for (const Declaration& field : declaration.fields) init.declare(field, true);
  environment.shared = environment.frame = environment.variables.size();
  if (const Function* f = function_of(declaration, FunctionKind::kInit); f != nullptr) (void)init.call(*f, {}, f->at);

  const Function& work = *function_of(declaration, FunctionKind::kWork);
  const Function* prework = function_of(declaration, FunctionKind::kPrework);
  Interpreter exact(session, environment, &declaration, Interpreter::Mode::kExact);
  Filter filter;
  filter.input_type = input;
  filter.output_type = output;
  filter.work = rates_of(session, exact, declaration, work, input, output, filter.calls);
  std::uint64_t one = 1;
  if (prework != nullptr) filter.prework = rates_of(session, exact, declaration, *prework, input, output, one);
  const bool takes = filter.work.peek != 0 || (filter.prework && filter.prework->peek != 0);
  const bool gives = filter.work.push != 0 || (filter.prework && filter.prework->push != 0);
  if (filter.input_type.empty() && !takes) filter.input_type = "void";
  if (filter.output_type.empty() && !gives) filter.output_type = "void";

  const Uses uses = uses_in_calls(session, declaration);
  filter.stateful = is_stateful(uses);
  Value item = filter.input_type == "void" ? Value{} : item_of(exact, declaration.input);
  const bool writes = filter.output_type != "void";
  settle_fields(environment, uses.written);
  filter.work.work_cycles = filter.calls * work_of(session, environment, declaration, work, item, writes);
  if (prework != nullptr) {
    filter.prework->work_cycles = work_of(session, environment, declaration, *prework, item, writes);
  }
  return filter;
}

const std::vector<std::string>& built_in_names() {
  static const std::vector<std::string> names{"Identity", "FileReader", "FileWriter"};
  return names;
}

bool is_built_in(const std::string& name) {
  return std::find(built_in_names().begin(), built_in_names().end(), name) != built_in_names().end();
}

Filter built_in(const std::string& name, const std::string& type) {
  Filter filter;
  filter.input_type = name == "FileReader" ? "void" : type;
  filter.output_type = name == "FileWriter" ? "void" : type;
  filter.stateful = name != "Identity";  // a place in a file
  filter.work.pop = filter.work.peek = name == "FileReader" ? 0 : 1;
  filter.work.push = name == "FileWriter" ? 0 : 1;
  filter.work.work_cycles = (filter.work.pop != 0 ? kWork.pop : 0) + (filter.work.push != 0 ? kWork.push : 0);
  return filter;
}

}  // namespace braid::traffic::streamit
