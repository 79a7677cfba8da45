#include "traffic/streams/streamit/filter.h"

#include <algorithm>
#include <iterator>
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

WorkFunction rates_of(Session& session, Interpreter& exact, const Function& f, const std::string& input,
                      const std::string& output) {
  WorkFunction w;
  w.push = rate(exact, f.push, "push rate");
  w.pop = rate(exact, f.pop, "pop rate");
  w.peek = std::max(rate(exact, f.peek, "peek rate"), w.pop);
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
Value item_of(Interpreter& exact, const std::optional<Type>& type, const std::string& name) {
  Value item = type ? exact.zero(*type) : Value::of_float(0);
  if (name == "int") item = Value::of_integer(0);
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
  for (const FunctionKind kind : {FunctionKind::kWork, FunctionKind::kPrework}) {
    const Function* f = function_of(filter, kind);
    if (f == nullptr) continue;
    const Uses uses = uses_of(*f, &filter, session);
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
  filter.work = rates_of(session, exact, work, input, output);
  if (prework != nullptr) filter.prework = rates_of(session, exact, *prework, input, output);
  const bool takes = filter.work.peek != 0 || (filter.prework && filter.prework->peek != 0);
  const bool gives = filter.work.push != 0 || (filter.prework && filter.prework->push != 0);
  if (filter.input_type.empty() && !takes) filter.input_type = "void";
  if (filter.output_type.empty() && !gives) filter.output_type = "void";

  const Uses uses = uses_in_calls(session, declaration);
  filter.stateful = is_stateful(uses);
  Value item = filter.input_type == "void" ? Value{} : item_of(exact, declaration.input, filter.input_type);
  const bool writes = filter.output_type != "void";
  settle_fields(environment, uses.written);
  filter.work.work_cycles = work_of(session, environment, declaration, work, item, writes);
  if (prework != nullptr) {
    settle_fields(environment, uses.written);
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
