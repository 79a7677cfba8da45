// Which variables code reads and writes.
#include <algorithm>

#include "traffic/streams/streamit/interpreter.h"

namespace braid::traffic::streamit {
namespace {

class Walker {
 public:
  Walker(const Stream* filter, const Session& session) : filter_(filter), session_(session) {}

  void function(const Function& f) {
    if (!seen_.insert(&f).second) return;
    Walker inside(filter_, session_);
    inside.seen_ = seen_;
    for (const Parameter& p : f.parameters) inside.own_.insert(p.name);
    inside.statement(f.body);
    seen_ = inside.seen_;
    merge(inside);
  }

  void statement(const Statement& s) {
    if (s.kind == Statement::Kind::kDeclare) {
      for (const Declarator& d : s.declaration.names) {
        own_.insert(d.name);
        if (d.value) expression(*d.value);
      }
      for (const Expression& e : s.declaration.type.lengths) expression(e);
    } else if (s.kind == Statement::Kind::kAssign) {
      target(s.values[0], s.operation != Operator::kNone);
      expression(s.values[1]);
    } else {
      for (const Expression& e : s.values) expression(e);
    }
    for (const Statement& inner : s.body) statement(inner);
  }

  Uses result() {
    Uses uses;
    uses.effects = effects_;
    std::set_difference(written_.begin(), written_.end(), own_.begin(), own_.end(),
                        std::inserter(uses.written, uses.written.end()));
    std::set_difference(read_.begin(), read_.end(), own_.begin(), own_.end(),
                        std::inserter(uses.read, uses.read.end()));
    return uses;
  }

 private:
  void merge(Walker& inside) {
    const Uses uses = inside.result();
    written_.insert(uses.written.begin(), uses.written.end());
    read_.insert(uses.read.begin(), uses.read.end());
    effects_ = effects_ || uses.effects;
  }

  /// What is assigned; its indices are read.
  void target(const Expression& e, bool is_read) {
    const Expression* root = &e;
    while (root->kind == ExpressionKind::kIndex || root->kind == ExpressionKind::kMember) {
      if (root->kind == ExpressionKind::kIndex) expression(root->parts[1]);
      root = &root->parts[0];
    }
    if (root->kind != ExpressionKind::kName) return expression(*root);
    written_.insert(root->name);
    if (is_read) read_.insert(root->name);
  }

  void expression(const Expression& e) {
    if (e.kind == ExpressionKind::kName) read_.insert(e.name);
    if (e.kind == ExpressionKind::kBefore || e.kind == ExpressionKind::kAfter) return target(e.parts[0], true);
    if (e.kind == ExpressionKind::kCall) {
      const Function* own = nullptr;
      if (filter_ != nullptr) {
        for (const Function& f : filter_->functions) own = f.name == e.name ? &f : own;
      }
      const LibraryFunction* library = library_function(e.name);
      if (own != nullptr) function(*own);
      effects_ = effects_ || (own == nullptr && library != nullptr && library->effect);
    }
    if (e.kind == ExpressionKind::kMemberCall) {
      const auto helper = session_.helpers.find(e.owner + "." + e.name);
      if (helper != session_.helpers.end()) function(*helper->second);
    }
    for (const Expression& part : e.parts) expression(part);
  }

  const Stream* filter_;
  const Session& session_;
  std::set<std::string> written_, read_, own_;
  std::set<const Function*> seen_;
  bool effects_ = false;
};

}  // namespace

Uses uses_of(const Statement& code, const Stream* filter, const Session& session) {
  Walker walker(filter, session);
  walker.statement(code);
  return walker.result();
}

Uses uses_of(const Function& function, const Stream* filter, const Session& session) {
  Walker walker(filter, session);
  walker.function(function);
  return walker.result();
}

}  // namespace braid::traffic::streamit
