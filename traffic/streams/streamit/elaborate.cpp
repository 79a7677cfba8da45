#include "traffic/streams/streamit/elaborate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "traffic/streams/streamit/composite.h"
#include "traffic/streams/streamit/filter.h"
#include "traffic/streams/streamit/interpreter.h"
#include "traffic/streams/streamit/names.h"
#include "traffic/streams/streamit/types.h"

namespace braid::traffic::streamit {
namespace {

constexpr std::size_t kMostStreams = 10'000;
constexpr std::size_t kMostNested = 250;
constexpr std::size_t kLongestKey = 10'000;  // of the arguments of filters that are known to be the same

void count_names(const Structure& s, std::map<std::string, std::size_t>& uses) {
  ++uses[s.name];
  for (const Structure& child : s.children) count_names(child, uses);
}

void number(Structure& s, const std::map<std::string, std::size_t>& uses, std::map<std::string, std::size_t>& given) {
  if (uses.at(s.name) > 1) {
    std::string name;
    do {
      name = s.name + "_" + std::to_string(++given[s.name]);
    } while (uses.count(name) != 0);
    s.name = name;
  }
  for (Structure& child : s.children) number(child, uses, given);
}

void name_all(Structure& whole) {
  std::map<std::string, std::size_t> uses, given;
  count_names(whole, uses);
  number(whole, uses, given);
}

class Elaborator {
 public:
  Elaborator(const Program& program, const Sources& sources, const std::string& mean_rates)
      : session_(program, sources) {
    session_.means = read_mean_rates(mean_rates);
  }

  Structure run() {
    collect();
    const Place portal = check_names(session_);
    make_globals();
    const Stream& top = find_top();
    Made made = make(top, {}, Environment{}, top.at);
    name_all(made.structure);
    infer_types(made.structure);
    set_words(made.structure, session_.words);
    check_all_used(session_.means, session_.streams);
    if (portal != nullptr) made.structure.portal = session_.sources.position(portal);
    return std::move(made.structure);
  }

 private:
  void collect() {
    for (const StructType& s : session_.program.structs) {
      if (!session_.structs.emplace(s.name, &s).second) twice(s.at, "struct", s.name);
    }
    for (const Stream& s : session_.program.streams) {
      if (!session_.streams.emplace(s.name, &s).second) twice(s.at, "stream", s.name);
    }
    for (const Helper& h : session_.program.helpers) {
      if (!session_.helper_names.insert(h.name).second) twice(h.at, "helper", h.name);
      for (const Function& f : h.functions) {
        if (!session_.helpers.emplace(h.name + "." + f.name, &f).second) twice(f.at, "function", f.name);
      }
    }
  }

  [[noreturn]] void twice(Place at, const char* what, const std::string& name) const {
    session_.fail(at, std::string(what) + " \"" + one_line(name) + "\" is there twice");
  }

  void make_globals() {
    Environment environment;
    Interpreter init(session_, environment, nullptr, Interpreter::Mode::kInit);
    for (const Globals& g : session_.program.globals) {
      for (const Declaration& d : g.fields) init.declare(d, true);
      environment.shared = environment.frame = environment.variables.size();
      for (const Function& f : g.functions) (void)init.call(f, {}, f.at);
    }
    for (Variable& v : environment.variables) v.value.constant = v.value.known && v.value.is_number();
    session_.globals = std::move(environment);
  }

  static bool is_void(const std::optional<Type>& type) { return type && type->name == "void"; }

  static void added_in(const Statement& s, std::set<std::string>& names) {
    if (s.creator != nullptr) {
      names.insert(s.creator->name);
      if (s.creator->anonymous != nullptr) added_in(s.creator->anonymous->body, names);
    }
    for (const Statement& inner : s.body) added_in(inner, names);
  }

  const Stream& find_top() const {
    std::set<std::string> added;
    for (const Stream& s : session_.program.streams) added_in(s.body, added);
    const Stream* top = nullptr;
    const Stream* last = nullptr;
    for (const Stream& s : session_.program.streams) {
      if (!is_void(s.input) || !is_void(s.output)) continue;
      last = &s;
      if (added.count(s.name) == 0 && s.parameters.empty()) top = &s;
    }
    if (top == nullptr) top = last;
    if (top == nullptr) session_.fail(session_.sources.end(), "expected a void->void stream, the whole program");
    if (!top->parameters.empty()) session_.fail(top->at, "expected a whole program without parameters");
    return *top;
  }

  std::string type_name(Interpreter& exact, const std::optional<Type>& type) {
    if (!type) return "";
    const std::uint64_t words = words_of(exact.zero(*type));  // is there such a type?
    std::string name = type->name == "double" ? "float" : type->name;
    for (const Expression& e : type->lengths) name += "[" + std::to_string(exact.count(e, "array length")) + "]";
    session_.words[name] = std::max<std::uint64_t>(words, 1);
    return name;
  }

  /// Parameters from arguments; `around`: what an anonymous stream sees of the one that adds it.
  Environment bind(const Stream& s, const std::vector<Value>& arguments, Environment around, Place at) {
    Interpreter exact(session_, around, nullptr, Interpreter::Mode::kExact);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      around.shared = around.frame = around.variables.size();
      Value v = exact.zero(s.parameters[i].type);
      exact.assign(v, arguments[i], at);
      v.constant = v.is_number();
      around.variables.push_back({&s.parameters[i].name, std::move(v), false, nullptr});
    }
    around.shared = around.frame = around.variables.size();
    return around;
  }

  Made make(const Stream& s, const std::vector<Value>& arguments, Environment around, Place at) {
    if (++streams_ > kMostStreams) session_.fail(at, "expected a program of at most 10000 streams");
    if (nested_ == kMostNested) {
      session_.fail(at, "nested too deep: expected at most 250 streams in one another, none that adds itself for ever");
    }
    struct Leave {
      std::size_t& nested;
      ~Leave() { --nested; }
    } const leave{++nested_};
    Environment environment = bind(s, arguments, std::move(around), at);
    Interpreter exact(session_, environment, nullptr, Interpreter::Mode::kExact);
    Made made;
    made.input = type_name(exact, s.input);
    made.output = type_name(exact, s.output);
    made.structure.declaration = s.name;
    made.structure.name = s.name.empty() ? to_string(s.kind) : s.name;
    made.structure.where = session_.sources.position(at);
    made.structure.declared = session_.sources.position(s.at);
    if (s.kind == StreamKind::kFilter) {
      make_filter(s, std::move(environment), made);
    } else {
      Parts parts;
      Interpreter container(session_, environment, nullptr, Interpreter::Mode::kExact,
                            [&](const Statement& statement) { part(statement, s, environment, parts); });
      (void)container.execute(s.body);
      compose(session_, s, std::move(parts), made);
    }
    return made;
  }

  /// Instances of one declaration with the same arguments are the same.
  static void describe(const Value& v, std::string& all) {
    if (all.size() > kLongestKey) return;
    const auto add = [&](const auto& part) { all.append(reinterpret_cast<const char*>(&part), sizeof part); };
    add(v.kind);
    add(v.known);
    add(v.constant);
    if (v.items == nullptr) {
      add(v.integer);
      add(v.real);
      add(v.imaginary);
      return;
    }
    add(v.items->values.size());
    for (const Value& item : v.items->values) describe(item, all);
  }

  void make_filter(const Stream& s, Environment environment, Made& made) {
    made.structure.kind = Structure::Kind::kFilter;
    std::string key;
    for (const Variable& v : environment.variables) {
      key += *v.name + "=";
      describe(v.value, key);
    }
    const bool keyed = key.size() <= kLongestKey;
    const auto known = known_filters_.find({&s, key});
    if (keyed && known != known_filters_.end()) {
      made.structure.filter = known->second;
    } else {
      made.structure.filter = instantiate(session_, s, std::move(environment), made.input, made.output);
      if (keyed) known_filters_.emplace(std::make_pair(&s, key), made.structure.filter);
    }
    made.input = made.structure.filter.input_type;
    made.output = made.structure.filter.output_type;
  }

  Made create(const Creator& c, Environment& environment) {
    if (c.anonymous != nullptr) return make(*c.anonymous, {}, environment, c.at);
    Interpreter exact(session_, environment, nullptr, Interpreter::Mode::kExact);
    std::vector<Value> arguments;
    for (const Expression& e : c.arguments) arguments.push_back(exact.evaluate(e));
    const auto found = session_.streams.find(c.name);
    if (found != session_.streams.end()) return make(*found->second, arguments, Environment{}, c.at);
    if (++streams_ > kMostStreams) session_.fail(c.at, "expected a program of at most 10000 streams");
    if (!c.of) session_.fail(c.at, "expected the type of its items: " + c.name + "<float>");
    const std::size_t wanted = c.name == "Identity" ? 0 : 1;
    if (arguments.size() != wanted) {
      session_.fail(c.at, c.name + ": expected " + std::to_string(wanted) + " arguments, not " +
                              std::to_string(arguments.size()));
    }
    Made made;
    made.structure.kind = Structure::Kind::kFilter;
    made.structure.name = made.structure.declaration = c.name;
    made.structure.where = made.structure.declared = session_.sources.position(c.at);
    made.structure.filter = built_in(c.name, type_name(exact, c.of));
    made.input = made.structure.filter.input_type;
    made.output = made.structure.filter.output_type;
    return made;
  }

  std::vector<std::uint64_t> weights_of(const Distribution& d, Environment& environment, const char* what) {
    Interpreter exact(session_, environment, nullptr, Interpreter::Mode::kExact);
    std::vector<std::uint64_t> weights;
    for (const Expression& e : d.weights) weights.push_back(exact.count(e, what));
    return weights;
  }

  [[noreturn]] void misplaced(const Statement& s, const char* where) const {
    session_.fail(s.at, std::string("expected this in a ") + where + " only");
  }

  void part(const Statement& s, const Stream& in, Environment& environment, Parts& parts) {
    const bool loop = in.kind == StreamKind::kFeedbackLoop, splitjoin = in.kind == StreamKind::kSplitJoin;
    switch (s.kind) {
      case Statement::Kind::kAdd:
        if (loop) misplaced(s, "pipeline or splitjoin");
        parts.children.push_back(create(*s.creator, environment));
        parts.places.push_back(s.creator->at);
        break;
      case Statement::Kind::kBody:
      case Statement::Kind::kLoop: {
        if (!loop) misplaced(s, "feedbackloop");
        std::optional<Made>& side = s.kind == Statement::Kind::kBody ? parts.body : parts.loop;
        if (side) session_.fail(s.at, "expected one body and one loop");
        side = create(*s.creator, environment);
        break;
      }
      case Statement::Kind::kSplit:
        if (!loop && !splitjoin) misplaced(s, "splitjoin or feedbackloop");
        if (parts.split) session_.fail(s.at, "expected one split");
        parts.split = s.distribution;
        parts.split_weights = weights_of(s.distribution, environment, "split weight");
        break;
      case Statement::Kind::kJoin:
        if (!loop && !splitjoin) misplaced(s, "splitjoin or feedbackloop");
        if (parts.join) session_.fail(s.at, "expected one join");
        parts.join = s.distribution;
        parts.join_weights = weights_of(s.distribution, environment, "join weight");
        break;
      default: {
        if (!loop) misplaced(s, "feedbackloop");
        Interpreter exact(session_, environment, nullptr, Interpreter::Mode::kExact);
        (void)exact.evaluate(s.values[0]);
        ++parts.enqueued;
      }
    }
  }

  Session session_;
  std::size_t streams_ = 0, nested_ = 0;
  std::map<std::pair<const Stream*, std::string>, Filter> known_filters_;
};

}  // namespace

Structure elaborate(const Program& program, const Sources& sources, const std::string& mean_rates) {
  return Elaborator(program, sources, mean_rates).run();
}

}  // namespace braid::traffic::streamit
