#include "traffic/streams/streamit/names.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "traffic/streams/streamit/filter.h"

namespace braid::traffic::streamit {
namespace {

std::string arguments_text(std::size_t least, std::size_t most) {
  const std::string number =
      least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most);
  return number + (most == 1 ? " argument" : " arguments");
}

class NameCheck {
 public:
  explicit NameCheck(const Session& session) : session_(session) {}

  void program() {
    for (const StructType& s : session_.program.structs) {
      for (const Parameter& p : s.members) type(p.type);
    }
    for (const Globals& g : session_.program.globals) {
      for (const Declaration& d : g.fields) declaration(d);
    }
    for (const Globals& g : session_.program.globals) {
      for (const Function& f : g.functions) function(f);
    }
    for (const Helper& h : session_.program.helpers) {
      for (const Function& f : h.functions) function(f);
    }
    for (const Stream& s : session_.program.streams) stream(s);
  }
  Place first_portal() const { return first_portal_; }

 private:
  using Names = std::vector<const std::string*>;

  /// Names declared while this stands are gone with it.
  class Scope {
   public:
    explicit Scope(Names& names) : names_(names), size_(names.size()) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { names_.resize(size_); }

   private:
    Names& names_;
    std::size_t size_;
  };

  void stream(const Stream& s) {
    const Scope scope(names_);
    for (const Parameter& p : s.parameters) names_.push_back(&p.name);
    for (const Parameter& p : s.parameters) type(p.type);
    if (s.input) type(*s.input);
    if (s.output) type(*s.output);
    const Stream* outer = std::exchange(filter_, s.kind == StreamKind::kFilter ? &s : nullptr);
    for (const Declaration& d : s.fields) {
      for (const Declarator& one : d.names) names_.push_back(&one.name);
    }
    for (const Declaration& d : s.fields) declaration(d);
    for (const Function& f : s.functions) function(f);
    statement(s.body);
    filter_ = outer;
  }

  void function(const Function& f) {
    if (f.kind == FunctionKind::kHandler && filter_ == nullptr) {
      session_.fail(f.at, "expected handlers of messages in filters only");
    }
    const Scope scope(names_);
    type(f.result);
    for (const Parameter& p : f.parameters) names_.push_back(&p.name);
    for (const std::optional<Expression>* rate : {&f.push, &f.pop, &f.peek}) {
      if (*rate) expression(**rate);
    }
    for (const Parameter& p : f.parameters) type(p.type);
    statement(f.body);
  }

  void declaration(const Declaration& d) {
    type(d.type);
    for (const Declarator& one : d.names) {
      if (one.value) expression(*one.value);
      names_.push_back(&one.name);
    }
  }

  void statement(const Statement& s) {
    if (s.kind == StatementKind::kDeclare) return declaration(s.declaration);
    const Scope scope(names_);
    if (s.kind == StatementKind::kFor) {
      statement_in_scope(s.body[0]);
      for (const Expression& e : s.values) expression(e);
      for (std::size_t i = 1; i < s.body.size(); ++i) statement_in_scope(s.body[i]);
      return;
    }
    for (const Expression& e : s.values) expression(e);
    for (const Expression& e : s.distribution.weights) expression(e);
    if (s.creator != nullptr) creator(*s.creator);
    for (const Statement& inner : s.body) statement_in_scope(inner);
  }
  /// A declaration counts to the end of what is around it.
  void statement_in_scope(const Statement& s) {
    if (s.kind == StatementKind::kDeclare) return declaration(s.declaration);
    statement(s);
  }

  void creator(const Creator& c) {
    for (const Expression& e : c.arguments) expression(e);
    if (c.of) type(*c.of);
    for (const Expression& e : c.portals) variable(e);
    if (c.anonymous != nullptr) return stream(*c.anonymous);
    const auto found = session_.streams.find(c.name);
    if (found != session_.streams.end()) {
      count_arguments(c.at, c.name, c.arguments.size(), found->second->parameters.size());
    } else if (!is_built_in(c.name)) {
      std::vector<std::string> known = built_in_names();
      for (const auto& [name, stream] : session_.streams) known.push_back(name);
      session_.fail(c.at, "unknown stream \"" + one_line(c.name) + "\"" + did_you_mean(c.name, known));
    }
  }

  void count_arguments(Place at, const std::string& name, std::size_t given, std::size_t wanted) const {
    if (given == wanted) return;
    session_.fail(at,
                  one_line(name) + ": expected " + arguments_text(wanted, wanted) + ", not " + std::to_string(given));
  }

  void type(const Type& t) {
    for (const Expression& e : t.lengths) expression(e);
    if (t.name == "portal") return portal(t);
    static const std::vector<std::string> simple{"int", "float", "boolean", "bit", "complex", "double", "void"};
    if (std::find(simple.begin(), simple.end(), t.name) != simple.end()) return;
    if (session_.structs.count(t.name) != 0) return (void)levels(t, 0);
    std::vector<std::string> known = simple;
    for (const auto& [name, of] : session_.structs) known.push_back(name);
    session_.fail(t.at, unknown_name("type", t.name, known));
  }

  void portal(const Type& t) {
    if (first_portal_ == nullptr) first_portal_ = t.at;
    if (session_.streams.count(t.of) != 0) return;
    std::vector<std::string> known;
    for (const auto& [name, of] : session_.streams) known.push_back(name);
    session_.fail(t.at, "portal of an unknown stream \"" + one_line(t.of) + "\"" + did_you_mean(t.of, known));
  }

  /// Levels of arrays and structs in a type that is within so many structs. Refuses more than kMostLevels.
  std::size_t levels(const Type& t, std::size_t within) {
    std::size_t all = t.lengths.size();
    if (const auto found = session_.structs.find(t.name); found != session_.structs.end()) {
      const auto [of, fresh] = levels_.emplace(found->second, kMostLevels);  // of one that is in itself: too many
      if (fresh && within < kMostLevels) {
        std::size_t inside = 0;
        for (const Parameter& p : found->second->members) inside = std::max(inside, levels(p.type, within + 1));
        of->second = inside;
      }
      all += of->second + 1;
    }
    if (all > kMostLevels) session_.fail(t.at, kTooManyLevels);
    return all;
  }

  void expression(const Expression& e) {
    if (e.kind == ExpressionKind::kName) variable(e);
    if (e.kind == ExpressionKind::kCall) call(e);
    if (e.kind == ExpressionKind::kMemberCall) member_call(e);
    for (const Expression& part : e.parts) expression(part);
  }

  void variable(const Expression& e) const {
    std::vector<std::string> known;
    for (auto name = names_.rbegin(); name != names_.rend(); ++name) {
      if (**name == e.name) return;
      known.push_back(**name);
    }
    session_.fail(e.at, "unknown variable \"" + one_line(e.name) + "\"" + did_you_mean(e.name, known));
  }

  void call(const Expression& e) const {
    if (filter_ != nullptr) {
      for (const Function& f : filter_->functions) {
        if (f.kind != FunctionKind::kHelper || f.name != e.name) continue;
        return count_arguments(e.at, e.name, e.parts.size(), f.parameters.size());
      }
    }
    const LibraryFunction* library = library_function(e.name);
    if (library == nullptr) unknown_function(e);
    if (e.parts.size() < library->least || e.parts.size() > library->most) {
      session_.fail(e.at, e.name + ": expected " + arguments_text(library->least, library->most) + ", not " +
                              std::to_string(e.parts.size()));
    }
  }

  [[noreturn]] void unknown_function(const Expression& e) const {
    std::vector<std::string> known = library_names();
    if (filter_ != nullptr) {
      for (const Function& f : filter_->functions) {
        if (f.kind == FunctionKind::kHelper) known.push_back(f.name);
      }
    }
    session_.fail(e.at, "unknown function \"" + one_line(e.name) + "\"" + did_you_mean(e.name, known));
  }

  void member_call(const Expression& e) const {
    const std::string whole = e.owner + "." + e.name;
    const auto found = session_.helpers.find(whole);
    if (found != session_.helpers.end()) {
      return count_arguments(e.at, whole, e.parts.size(), found->second->parameters.size());
    }
    if (is_variable(e.owner)) return message(e);
    std::vector<std::string> known;
    for (const auto& [name, function] : session_.helpers) known.push_back(name);
    session_.fail(e.at, "unknown function \"" + one_line(whole) + "\"" + did_you_mean(whole, known));
  }

  bool is_variable(const std::string& name) const {
    return std::any_of(names_.begin(), names_.end(), [&](const std::string* known) { return *known == name; });
  }

  /// A message to whatever listens at a portal: some filter of the program has such a handler.
  void message(const Expression& e) const {
    std::vector<std::string> known;
    const auto given = static_cast<std::size_t>(e.integer);
    std::size_t wanted = given;
    bool there = false;
    for (const Stream& s : session_.program.streams) {
      for (const Function& f : s.functions) {
        if (f.kind != FunctionKind::kHandler) continue;
        known.push_back(f.name);
        if (f.name != e.name) continue;
        if (f.parameters.size() == given) return;
        there = true;
        wanted = f.parameters.size();
      }
    }
    if (there) return count_arguments(e.at, e.owner + "." + e.name, given, wanted);
    session_.fail(e.at, "unknown handler \"" + one_line(e.name) + "\"" + did_you_mean(e.name, known));
  }

  const Session& session_;
  Place first_portal_ = nullptr;
  Names names_;
  std::map<const StructType*, std::size_t> levels_;  ///< of the values in it
  const Stream* filter_ = nullptr;
};

}  // namespace

Place check_names(const Session& session) {
  NameCheck check(session);
  check.program();
  return check.first_portal();
}

}  // namespace braid::traffic::streamit
