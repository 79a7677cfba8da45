// Runs StreamIt code before the program does: what containers add, what `init` leaves in a filter's fields, rates, and
// how much a work function has to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "traffic/streams/streamit/library.h"
#include "traffic/streams/streamit/mean_rates.h"
#include "traffic/streams/streamit/sources.h"
#include "traffic/streams/streamit/syntax.h"
#include "traffic/streams/streamit/value.h"

namespace braid::traffic::streamit {

struct Variable {
  const std::string* name = nullptr;
  Value value;
  bool field = false;
  const Type* later = nullptr;  ///< a field's array is made when it is first used: `init` may set its length
};

/// What one stream's code sees: parameters and fields, then the locals of the function that runs.
struct Environment {
  std::deque<Variable> variables;
  std::size_t shared = 0;  ///< the first ones, which every function sees
  std::size_t frame = 0;   ///< where the running function's own begin
};

/// What all streams of a program share while it is elaborated.
struct Session {
  Session(const Program& whole, const Sources& texts) : program(whole), sources(texts) {}
  const Program& program;
  const Sources& sources;
  std::map<std::string, const Stream*> streams;
  std::map<std::string, const StructType*> structs;
  std::map<std::string, const Function*> helpers;  ///< "Helper.function"
  std::set<std::string> helper_names;
  Room room;
  Environment globals;
  std::vector<MeanRate> means;                 ///< of rates that change from call to call
  std::map<std::string, std::uint64_t> words;  ///< of 32 bits, in an item of each type that a stream names

  [[noreturn]] void fail(Place at, const std::string& message) const;
  /// One step of a code's; the interpreter calls itself for what is nested in it. Refuses code without end.
  void step(Place at);
  /// One of a work function's, whose work is estimated. Throws EstimateEnds.
  void estimate_step(Place at);
  /// So many steps of a loop in it: the rest is reckoned.
  bool is_long(std::uint64_t estimate_steps) const;
  void begin_estimate() { estimate_begin_ = estimate_steps_; }
  std::uint64_t steps() const { return steps_; }
  /// While one stands, a loop runs.
  class Loop {
   public:
    Loop(Session& session, Place at, const std::uint64_t& rounds) : session_(session) {
      session_.loops_.emplace_back(at, &rounds);
    }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    ~Loop() { session_.loops_.pop_back(); }

   private:
    Session& session_;
  };
  std::uint64_t estimate_steps() const { return estimate_steps_; }

 private:
  void check_stack(Place at);

  std::uint64_t steps_ = 0, estimate_steps_ = 0, estimate_begin_ = 0;
  std::size_t patience_ = 0;
  std::vector<std::pair<Place, const std::uint64_t*>> loops_;
  const char* stack_ = nullptr;  ///< where the first call stood
};
/// A work function has been followed for long enough: what it took so far is the estimate.
struct EstimateEnds : std::exception {};

class Interpreter {
 public:
  enum class Mode {
    kExact,    ///< containers, rates, lengths: every value must be known
    kInit,     ///< what is not known is carried along; certain mistakes are mistakes
    kEstimate  ///< so here, but nothing is a mistake except a name
  };
  enum class Flow { kNext, kBreak, kContinue, kReturn };
  using Handler = std::function<void(const Statement&)>;

  /// `filter`: whose functions may be called; nullptr: none. `handler` gets what only containers do.
  Interpreter(Session& session, Environment& environment, const Stream* filter, Mode mode, Handler handler = {});

  Value evaluate(const Expression& e);
  Flow execute(const Statement& s);
  void declare(const Declaration& declaration, bool field);
  Value call(const Function& function, std::vector<Value> arguments, Place at);
  /// A value of this type: zeros.
  Value zero(const Type& type);
  void assign(Value& to, const Value& from, Place at);
  /// A known integer from 0.
  std::uint64_t count(const Expression& e, const std::string& what);

  /// Of the filter whose work runs: a value of what it takes (void: nothing), and whether it gives anything.
  void set_items(const Value& popped, bool gives) {
    popped_ = popped;
    gives_ = gives;
  }
  std::uint64_t work() const { return work_; }

 private:
  struct Target {
    Value* value = nullptr;  ///< nullptr: which one is not known
    int part = 0;            ///< of a complex number: 1 real, 2 imaginary
  };
  Variable* find(const std::string& name);
  Variable& variable(const Expression& name);
  /// The elements of an array or members of a struct, of nobody else: it may have to be copied.
  std::vector<Value>& own_items(Value& whole, Place at);
  Target target(const Expression& e);
  Value read(const Target& t) const;
  void write(const Target& t, const Value& v, Place at);
  Value element(const Expression& e);
  Value member(const Expression& e);
  Value stepped(const Expression& e);
  Value both(const Expression& e);
  Value conditional(const Expression& e);
  Value called(const Expression& e);
  Value member_called(const Expression& e);
  Value listed(const Expression& e);
  Value arrayed(const std::vector<std::uint64_t>& lengths, std::size_t from, const Value& element, Place at);
  void count_operation(const Value& result, const Value& a, Operator o);
  bool known_index(const Value& array, const Value& index, Place at, std::size_t& i);

  Flow block(const Statement& s);
  Flow branch(const Statement& s);
  Flow repeat(const Statement& s);
  bool round(const Statement& s, Flow& flow);
  void extrapolate(const Statement& s, std::uint64_t before, std::uint64_t rounds);
  std::uint64_t rounds_left(const Statement& s);
  void forget_written(const Statement& s);

  void step(Place at) { mode_ == Mode::kEstimate ? session_.estimate_step(at) : session_.step(at); }
  /// A mistake of the program's, where it is certain to be met.
  void mistake(Place at, const std::string& message) const;
  Value must_know(Value v, const Expression& e) const;

  Session& session_;
  Environment& environment_;
  const Stream* filter_;
  Mode mode_;
  Handler handler_;
  Value popped_, returned_;
  bool gives_ = true;
  std::uint64_t work_ = 0;
  std::uint32_t uncertain_ = 0;  ///< ifs around whose conditions are not known
  bool may_have_left_ = false;   ///< a break or return in one of them
};

/// Variables that code assigns, with what the filter's functions it calls assign; not those it declares itself.
struct Uses {
  std::set<std::string> written, read;
  bool effects = false;  ///< calls of library functions that are not the same each time
};
Uses uses_of(const Statement& code, const Stream* filter, const Session& session);
Uses uses_of(const Function& function, const Stream* filter, const Session& session);

}  // namespace braid::traffic::streamit
