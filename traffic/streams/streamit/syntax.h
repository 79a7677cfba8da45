// What the grammar makes of a StreamIt program (StreamIt language specification 2.1): names not looked up, nothing
// computed. Every part knows where its text begins; `Sources` says in which file and line that is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace braid::traffic::streamit {

using Place = const char*;  ///< into a text that Sources holds; nullptr: nowhere (what Braid adds itself)

enum class Operator {
  kOr,
  kAnd,
  kBitOr,
  kBitAnd,
  kBitXor,
  kEqual,
  kUnequal,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,  // clang-format off
  kPlus, kMinus, kTimes, kDivide, kModulo, kShiftLeft, kShiftRight, kNot, kComplement, kIncrement, kDecrement, kNone,  // clang-format on
};

struct Expression {
  enum class Kind {
    kInteger,      ///< integer
    kFloat,        ///< number
    kImaginary,    ///< number times i
    kBoolean,      ///< integer
    kText,         ///< name
    kName,         ///< name
    kIndex,        ///< parts[0] [parts[1]]
    kMember,       ///< parts[0].name
    kCall,         ///< name(parts)
    kMemberCall,   ///< owner.name(the first `integer` parts): a helper's function, or a message; then its latency
    kUnary,        ///< operation parts[0]
    kBefore,       ///< ++parts[0]
    kAfter,        ///< parts[0]++
    kBinary,       ///< parts[0] operation parts[1]
    kConditional,  ///< parts[0] ? parts[1] : parts[2]
    kCast,         ///< (name) parts[0]
    kPop,
    kPeek,   ///< peek(parts[0])
    kArray,  ///< {parts}
    kRange,  ///< a rate that changes: [parts], of which `*` is a range without any
  };
  Kind kind = Kind::kInteger;
  Place at = nullptr;
  Operator operation = Operator::kNone;
  std::uint32_t depth = 1;  ///< of the tree below
  std::int64_t integer = 0;
  double number = 0;
  std::string name, owner;
  std::vector<Expression> parts;
};

/// Of arrays and structs in one another, so that whoever walks a value may call itself.
constexpr std::size_t kMostLevels = 100;
constexpr const char* kTooManyLevels =
    "nested too deep: expected arrays and structs in one another at most 100 deep, no struct in itself";

struct Type {
  Place at = nullptr;
  std::string name = "void";
  std::string of;                   ///< portal<of>
  std::vector<Expression> lengths;  ///< `float[N][M]`: N first
};

struct Parameter {
  Type type;
  Place at = nullptr;
  std::string name;
};

struct Declarator {
  Place at = nullptr;
  std::string name;
  std::optional<Expression> value;
};

struct Declaration {
  Type type;
  std::vector<Declarator> names;
};

struct Stream;

/// What follows `add`, `body` or `loop`.
struct Creator {
  Place at = nullptr;
  std::string name;        ///< of a declared stream
  std::optional<Type> of;  ///< Identity<of>
  std::vector<Expression> arguments;
  std::shared_ptr<Stream> anonymous;  ///< or the stream itself
  std::vector<Expression> portals;    ///< `to` these: names
};

/// What follows `split` or `join`.
struct Distribution {
  Place at = nullptr;
  bool duplicate = false;
  std::vector<Expression> weights;
};

struct Statement {
  enum class Kind {
    kEmpty,
    kBlock,       ///< body
    kDeclare,     ///< declaration
    kExpression,  ///< values[0]
    kAssign,      ///< values[0] operation= values[1]
    kIf,          ///< values[0], body[0], body[1] or none
    kWhile,       ///< values[0], body[0]
    kDo,          ///< body[0], values[0]
    kFor,         ///< body[0]; values[0] or none; body[1]; body[2] is what is repeated
    kBreak,
    kContinue,
    kReturn,  ///< values[0] or none
    kPush,    ///< values[0]
    kAdd,     ///< creator
    kBody,    ///< creator
    kLoop,    ///< creator
    kSplit,   ///< distribution
    kJoin,    ///< distribution
    kEnqueue  ///< values[0]
  };
  Kind kind = Kind::kEmpty;
  Place at = nullptr;
  Operator operation = Operator::kNone;
  Declaration declaration;
  std::vector<Expression> values;
  std::vector<Statement> body;
  std::shared_ptr<Creator> creator;
  Distribution distribution;
};

struct Function {
  enum class Kind { kInit, kWork, kPrework, kHelper, kHandler };
  Kind kind = Kind::kHelper;
  Place at = nullptr;
  Type result;
  std::string name;
  std::vector<Parameter> parameters;
  std::optional<Expression> push, pop, peek;
  Statement body;
  bool native = false;  ///< of C: nothing is known of what it does
};

struct Stream {
  enum class Kind { kFilter, kPipeline, kSplitJoin, kFeedbackLoop };
  Kind kind = Kind::kFilter;
  Place at = nullptr;                 ///< of its name; without one, of its keyword
  std::optional<Type> input, output;  ///< an anonymous stream may leave them out
  std::string name;                   ///< "" of an anonymous one
  std::vector<Parameter> parameters;
  std::vector<Declaration> fields;  ///< kFilter
  std::vector<Function> functions;  ///< kFilter
  Statement body;                   ///< of the others
};

struct StructType {
  Place at = nullptr;
  std::string name;
  std::vector<Parameter> members;
};

struct Helper {
  Place at = nullptr;
  std::string name;
  std::vector<Function> functions;
};

/// `static { ... }`
struct Globals {
  std::vector<Declaration> fields;
  std::vector<Function> functions;  ///< init
};

struct Include {
  Place at = nullptr;
  std::string file;
};

struct Program {
  std::vector<Stream> streams;
  std::vector<StructType> structs;
  std::vector<Helper> helpers;
  std::vector<Globals> globals;
  std::vector<Include> includes;
};

using ExpressionKind = Expression::Kind;
using StatementKind = Statement::Kind;
using FunctionKind = Function::Kind;
using StreamKind = Stream::Kind;

}  // namespace braid::traffic::streamit
