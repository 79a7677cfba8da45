// Which variables code reads and writes.
#include <algorithm>

#include "traffic/streams/streamit/interpreter.h"

namespace braid::traffic::streamit {
namespace {

class Walker {
 public:
  Walker(const Stream* filter, const Session& session) : filter_(filter), session_(session) {}

  void function(const Function& f) {
    for (const Parameter& p : f.parameters) own_.insert(p.name);
    statement(f.body);
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

  /// What the code itself uses.
  Uses own_uses() const {
    Uses uses;
    uses.effects = effects_;
    std::set_difference(written_.begin(), written_.end(), own_.begin(), own_.end(),
                        std::inserter(uses.written, uses.written.end()));
    std::set_difference(read_.begin(), read_.end(), own_.begin(), own_.end(),
                        std::inserter(uses.read, uses.read.end()));
    return uses;
  }
  /// With what the functions it calls use, and those that they call. One after the other: they may be many.
  Uses uses() const {
    Uses all = own_uses();
    std::vector<const Function*> left = calls_;
    std::set<const Function*> seen;
    while (!left.empty()) {
      const Function* f = left.back();
      left.pop_back();
      if (!seen.insert(f).second) continue;
      Walker inside(filter_, session_);
      inside.function(*f);
      const Uses more = inside.own_uses();
      all.written.insert(more.written.begin(), more.written.end());
      all.read.insert(more.read.begin(), more.read.end());
      all.effects = all.effects || more.effects;
      left.insert(left.end(), inside.calls_.begin(), inside.calls_.end());
    }
    return all;
  }

 private:
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
      if (own != nullptr) calls_.push_back(own);
      effects_ = effects_ || (own == nullptr && library != nullptr && library->effect);
    }
    if (e.kind == ExpressionKind::kMemberCall) {
      const auto helper = session_.helpers.find(e.owner + "." + e.name);
      if (helper != session_.helpers.end()) calls_.push_back(helper->second);
      effects_ = effects_ || helper == session_.helpers.end();  // a message: they arrive in order
    }
    for (const Expression& part : e.parts) expression(part);
  }

  const Stream* filter_;
  const Session& session_;
  std::set<std::string> written_, read_, own_;
  std::vector<const Function*> calls_;
  bool effects_ = false;
};

}  // namespace

Uses uses_of(const Statement& code, const Stream* filter, const Session& session) {
  Walker walker(filter, session);
  walker.statement(code);
  return walker.uses();
}

Uses uses_of(const Function& function, const Stream* filter, const Session& session) {
  Walker walker(filter, session);
  walker.function(function);
  return walker.uses();
}

}  // namespace braid::traffic::streamit
