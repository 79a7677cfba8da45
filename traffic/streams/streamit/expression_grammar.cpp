// Expressions and types. Of a chain of operators every one is read first; fold() then gives it StreamIt's precedences.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "traffic/streams/streamit/grammar.h"

// NOLINTBEGIN(readability-identifier-naming, bugprone-chained-comparison): as in grammar.h
namespace braid::traffic::streamit::grammar {
namespace {

using Kind = Expression::Kind;

struct BinaryOperators : x3::symbols<Operator> {
  BinaryOperators() {
    add("||", Operator::kOr)("&&", Operator::kAnd)("|", Operator::kBitOr)("&", Operator::kBitAnd)(
        "^", Operator::kBitXor)("==", Operator::kEqual)("!=", Operator::kUnequal)("<", Operator::kLess)(
        "<=", Operator::kLessEqual)(">", Operator::kGreater)(">=", Operator::kGreaterEqual)("+", Operator::kPlus)(
        "-", Operator::kMinus)("*", Operator::kTimes)("/", Operator::kDivide)("%", Operator::kModulo)(
        "<<", Operator::kShiftLeft)(">>", Operator::kShiftRight);
  }
} const binary_operators;

struct PrefixOperators : x3::symbols<Operator> {
  PrefixOperators() {
    add("-", Operator::kMinus)("!", Operator::kNot)("~", Operator::kComplement)("++", Operator::kIncrement)(
        "--", Operator::kDecrement)("+", Operator::kPlus);
  }
} const prefix_operators;

struct PostfixOperators : x3::symbols<Operator> {
  PostfixOperators() { add("++", Operator::kIncrement)("--", Operator::kDecrement); }
} const postfix_operators;

/// StreamIt's, which are not C's: a shift is as strong as a product, and `|`, `^`, `&` are one level.
int strength(Operator o) {
  switch (o) {
    case Operator::kOr:
      return 1;
    case Operator::kAnd:
      return 2;
    case Operator::kBitOr:
    case Operator::kBitXor:
    case Operator::kBitAnd:
      return 3;
    case Operator::kEqual:
    case Operator::kUnequal:
      return 4;
    case Operator::kLess:
    case Operator::kLessEqual:
    case Operator::kGreater:
    case Operator::kGreaterEqual:
      return 5;
    case Operator::kPlus:
    case Operator::kMinus:
      return 6;
    default:
      return 7;
  }
}

void add_part(Expression& whole, Expression part) {
  whole.depth = std::max(whole.depth, part.depth + 1);
  if (whole.depth > kMostOperators + 1) {  // an operand alone is one deep
    throw Refusal{part.at, "expression too long: expected at most 500 operators in a row"};
  }
  whole.parts.push_back(std::move(part));
}

/// `first`, then pairs of an operator (as an expression that holds it) and an operand.
Expression fold(Expression first, std::vector<Expression> rest) {
  std::vector<Expression> operands;
  std::vector<Operator> operators;
  operands.push_back(std::move(first));
  const auto apply = [&] {
    Expression whole;
    whole.kind = Kind::kBinary;
    whole.operation = operators.back();
    whole.at = operands[operands.size() - 2].at;
    add_part(whole, std::move(operands[operands.size() - 2]));
    add_part(whole, std::move(operands.back()));
    operators.pop_back();
    operands.pop_back();
    operands.back() = std::move(whole);
  };
  for (Expression& operand : rest) {
    const Operator next = operand.operation;
    while (!operators.empty() && strength(operators.back()) >= strength(next)) apply();
    operators.push_back(next);
    operands.push_back(std::move(operand.parts.front()));
  }
  while (!operators.empty()) apply();
  return std::move(operands.front());
}

/// 12, 0x1F, 1.5, 1e-3, 2.5f, 3i: X3's numbers would take the exponent's letter of `2else`; the text decides.
Expression number_of(const std::string& text, Place at) {
  Expression e;
  e.at = at;
  const bool hexadecimal = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  if (!hexadecimal && text.find_first_of(".eEfi") != std::string::npos) {
    e.kind = text.back() == 'i' ? Kind::kImaginary : Kind::kFloat;
    e.number = std::strtod(text.c_str(), nullptr);
    if (!std::isfinite(static_cast<float>(e.number))) throw Refusal{at, "expected a float of at most 3.4e38"};
    return e;
  }
  errno = 0;
  const unsigned long long value = std::strtoull(text.c_str(), nullptr, hexadecimal ? 16 : 10);
  if (errno != 0 || value > (hexadecimal ? 0xffffffffULL : 0x80000000ULL)) {
    throw Refusal{at, "expected an integer of 32 bits"};
  }
  e.integer = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
  return e;
}

const auto digits = +x3::ascii::digit;
const auto number_text =
    x3::lexeme[x3::raw[(('0' >> (x3::lit('x') | 'X') >> +x3::ascii::xdigit) |
                        (((digits >> -('.' >> *x3::ascii::digit)) | ('.' >> digits)) >>
                         -((x3::lit('e') | 'E') >> -(x3::lit('+') | '-') >> digits) >> -(x3::lit('i') | 'f'))) >>
                       !(x3::ascii::alnum | '_')]];
const auto text_text = x3::lexeme['"' > x3::raw[*(('\\' >> x3::char_) | (x3::char_ - (x3::lit('"') | '\n')))] > '"'];
const auto letter_text = x3::lexeme['\'' > x3::raw[('\\' >> x3::char_) | (x3::char_ - '\'')] > '\''];

template <class Range>
std::string string_of(const Range& range) {
  return std::string(range.begin(), range.end());
}

const auto set_name = [](auto& ctx) {
  const auto& range = x3::_attr(ctx);
  const std::string word = string_of(range);
  if (std::binary_search(keywords().begin(), keywords().end(), word)) {
    x3::_pass(ctx) = false;
  } else {
    x3::_val(ctx).name = word;
    x3::_val(ctx).at = range.begin();
  }
};

const auto take = [](auto& ctx) { x3::_val(ctx) = std::move(x3::_attr(ctx)); };
const auto set_kind = [](Kind kind) { return [kind](auto& ctx) { x3::_val(ctx).kind = kind; }; };
const auto set_parts = [](Kind kind) {
  return [kind](auto& ctx) {
    x3::_val(ctx).kind = kind;
    for (Expression& part : x3::_attr(ctx)) add_part(x3::_val(ctx), std::move(part));
  };
};
const auto set_part = [](auto& ctx) { add_part(x3::_val(ctx), std::move(x3::_attr(ctx))); };
const auto set_number = [](auto& ctx) { x3::_val(ctx) = number_of(string_of(x3::_attr(ctx)), x3::_attr(ctx).begin()); };
const auto set_text = [](auto& ctx) {
  x3::_val(ctx).kind = Kind::kText;
  x3::_val(ctx).name = string_of(x3::_attr(ctx));
};
/// Behind a backslash: as in C and Java.
char escaped(char letter) {
  switch (letter) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case '0':
      return '\0';
    default:
      return letter;
  }
}
const auto set_letter = [](auto& ctx) {
  const std::string text = string_of(x3::_attr(ctx));
  const char letter = text.size() > 1 ? escaped(text.back()) : text.front();
  x3::_val(ctx).integer = static_cast<unsigned char>(letter);
};
const auto set_pi = [](auto& ctx) {
  x3::_val(ctx).kind = Kind::kFloat;
  x3::_val(ctx).number = 3.14159265358979323846;
};
const auto set_boolean = [](bool value) {
  return [value](auto& ctx) {
    x3::_val(ctx).kind = Kind::kBoolean;
    x3::_val(ctx).integer = value ? 1 : 0;
  };
};
const auto set_word = [](auto& ctx) {
  x3::_val(ctx).kind = Kind::kName;
  x3::_val(ctx).name = std::move(x3::_attr(ctx).name);
};
/// Makes what stands in _val the first part of an expression of this kind.
const auto wrap = [](auto& ctx, Kind kind) -> Expression& {
  Expression whole;
  whole.kind = kind;
  whole.at = x3::_val(ctx).at;
  add_part(whole, std::move(x3::_val(ctx)));
  x3::_val(ctx) = std::move(whole);
  return x3::_val(ctx);
};
const auto set_index = [](auto& ctx) { add_part(wrap(ctx, Kind::kIndex), std::move(x3::_attr(ctx))); };
const auto set_member = [](auto& ctx) { wrap(ctx, Kind::kMember).name = std::move(x3::_attr(ctx).name); };
const auto set_member_call = [](auto& ctx) {
  Expression& e = x3::_val(ctx);
  if (e.kind != Kind::kMember || e.parts.front().kind != Kind::kName) {
    x3::_pass(ctx) = false;
    return;
  }
  e.kind = Kind::kMemberCall;
  e.owner = std::move(e.parts.front().name);
  e.parts.clear();
  for (Expression& part : x3::_attr(ctx)) add_part(e, std::move(part));
  e.integer = static_cast<std::int64_t>(e.parts.size());
};
/// What stands before the colon of a latency was read as an index.
const auto begin_latency = [](auto& ctx) {
  Expression& e = x3::_val(ctx);
  if (e.kind == Kind::kIndex && e.parts.front().kind == Kind::kMemberCall) {
    Expression message = std::move(e.parts.front());
    add_part(message, std::move(e.parts.back()));
    e = std::move(message);
  }
  if (e.kind != Kind::kMemberCall) throw Refusal{x3::_where(ctx).begin(), "expected ]: only a message has a latency"};
};
const auto set_after = [](auto& ctx) { wrap(ctx, Kind::kAfter).operation = x3::_attr(ctx); };
const auto set_prefix = [](auto& ctx) {
  Expression& e = x3::_val(ctx);
  e.operation = x3::_attr(ctx);
  const bool step = e.operation == Operator::kIncrement || e.operation == Operator::kDecrement;
  e.kind = step ? Kind::kBefore : Kind::kUnary;
};
const auto set_cast = [](auto& ctx) {
  x3::_val(ctx).kind = Kind::kCast;
  x3::_val(ctx).name = std::move(x3::_attr(ctx));
};
const auto set_step = [](auto& ctx) { x3::_val(ctx).operation = x3::_attr(ctx); };
/// The chain waits in _val as a kArray of its steps behind the first operand.
const auto add_step = [](auto& ctx) {
  if (x3::_val(ctx).kind != Kind::kArray || x3::_val(ctx).operation != Operator::kOr) {
    wrap(ctx, Kind::kArray).operation = Operator::kOr;
  }
  x3::_val(ctx).parts.push_back(std::move(x3::_attr(ctx)));
};
const auto end_chain = [](auto& ctx) {
  if (x3::_val(ctx).kind != Kind::kArray || x3::_val(ctx).operation != Operator::kOr) return;
  std::vector<Expression> parts = std::move(x3::_val(ctx).parts);
  Expression first = std::move(parts.front());
  parts.erase(parts.begin());
  x3::_val(ctx) = fold(std::move(first), std::move(parts));
};
const auto set_choice = [](auto& ctx) { add_part(wrap(ctx, Kind::kConditional), std::move(x3::_attr(ctx))); };

struct PrimaryId {};
struct OperandId {};
struct UnaryId {};
struct StepId {};
struct ChainId {};
constexpr x3::rule<PrimaryId, Expression> primary = "an expression";
constexpr x3::rule<OperandId, Expression> operand = "an expression";
constexpr x3::rule<UnaryId, Expression> unary = "an expression";
constexpr x3::rule<StepId, Expression> step = "an operator";
constexpr x3::rule<ChainId, Expression> chain = "an expression";

const auto primary_def =
    here >> ((x3::lit('(') > expression[take] > ')') | number_text[set_number] | text_text[set_text] |
             letter_text[set_letter] | keyword("pi")[set_pi] | keyword("true")[set_boolean(true)] |
             keyword("false")[set_boolean(false)] | (keyword("pop")[set_kind(Kind::kPop)] > '(' > ')') |
             (keyword("peek")[set_kind(Kind::kPeek)] > '(' > expression[set_part] > ')') |
             (name[set_word] >> -arguments[set_parts(Kind::kCall)]));
/// Of a message, [from:to] with either left out, or [*], behind an @ or not. One rule with an index: where it is an
/// expression, what follows tells.
const auto latency_end = x3::lit(':')[begin_latency] > -expression[set_part];
const auto index = (-x3::lit('@') >> x3::lit('[')) >
                   (x3::lit('*')[begin_latency] | latency_end | (expression[set_index] >> -latency_end)) > ']';
const auto operand_def = primary[take] >>
                         *(index | ((x3::lit('.') > name[set_member]) >> -arguments[set_member_call])) >>
                         -postfix_operators[set_after];
const auto unary_def = here >> nested[(prefix_operators[set_prefix] > unary[set_part]) |
                                      ((x3::lit('(') >> primitive[set_cast] >> ')') > unary[set_part]) | operand[take]];
const auto step_def = here >> (binary_operators[set_step] >> !x3::lit('=')) > unary[set_part];
const auto chain_def = unary[take] >> *step[add_step] >> x3::eps[end_chain];
const auto expression_def =
    nested[chain[take] >> -(x3::lit('?') > expression[set_choice] > ':' > expression[set_part])];

const auto initializer_def =
    here >>
    nested[(x3::lit('{')[set_kind(Kind::kArray)] > -(initializer[set_part] >> *(',' > initializer[set_part])) > '}') |
           expression[take]];

const auto push_back = [](auto& ctx) { x3::_val(ctx).push_back(std::move(x3::_attr(ctx))); };
const auto arguments_def = x3::lit('(') > -(expression[push_back] >> *(',' > expression[push_back])) > ')';

const auto name_def = x3::lexeme[x3::raw[(x3::ascii::alpha | '_') >> *(x3::ascii::alnum | '_')]][set_name];

const auto set_primitive = [](auto& ctx) { x3::_val(ctx) = string_of(x3::_attr(ctx)); };
const auto primitive_def =
    x3::lexeme[x3::raw[(x3::lit("int") | "float" | "boolean" | "bit" | "complex" | "void" | "double") >> word_end]]
              [set_primitive];

const auto set_portal = [](auto& ctx) { x3::_val(ctx).name = "portal"; };
const auto set_of = [](auto& ctx) { x3::_val(ctx).of = std::move(x3::_attr(ctx).name); };
const auto set_type_name = [](auto& ctx) { x3::_val(ctx).name = std::move(x3::_attr(ctx)); };
const auto set_struct_name = [](auto& ctx) { x3::_val(ctx).name = std::move(x3::_attr(ctx).name); };
const auto add_length = [](auto& ctx) {
  if (x3::_val(ctx).lengths.size() == kMostLevels) throw Refusal{x3::_attr(ctx).at, kTooManyLevels};
  x3::_val(ctx).lengths.push_back(std::move(x3::_attr(ctx)));
};
const auto type_def = here >> ((keyword("portal")[set_portal] > '<' > name[set_of] > '>') | primitive[set_type_name] |
                               name[set_struct_name]) >>
                      *('[' > expression[add_length] > ']');

}  // namespace

const std::vector<std::string>& keywords() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> words{
        "add",    "bit",     "body",  "boolean", "break",    "complex",   "continue",   "do",       "double",
        "else",   "enqueue", "false", "filter",  "float",    "for",       "handler",    "helper",   "if",
        "init",   "int",     "join",  "loop",    "native",   "peek",      "pi",         "pipeline", "pop",
        "portal", "prework", "push",  "return",  "split",    "splitjoin", "static",     "struct",   "feedbackloop",
        "true",   "void",    "while", "work",    "stateful", "duplicate", "roundrobin", "include"};
    std::sort(words.begin(), words.end());
    return words;
  }();
  return all;
}

BOOST_SPIRIT_DEFINE(primary, operand, unary, step, chain)
BOOST_SPIRIT_DEFINE(name, expression, initializer, arguments, primitive, type)
BOOST_SPIRIT_INSTANTIATE(NameRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(ExpressionRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(InitializerRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(ArgumentsRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(PrimitiveRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(TypeRule, Iterator, Context)

}  // namespace braid::traffic::streamit::grammar
// NOLINTEND(readability-identifier-naming, bugprone-chained-comparison)
