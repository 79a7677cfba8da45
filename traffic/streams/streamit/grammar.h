// The grammar's rules, each defined in the file its group names. Texts come without comments (Sources), so that only
// white space stands between tokens.
#pragma once

#include <boost/spirit/home/x3.hpp>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "traffic/streams/streamit/syntax.h"

// In a message, what a parser with an action, or one within another, is called: as its subject.
namespace boost::spirit::x3 {
template <class Subject, class Action>
struct get_info<action<Subject, Action>> {
  using result_type = std::string;
  std::string operator()(const action<Subject, Action>& parser) const { return what(parser.subject); }
};
template <class Subject>
struct get_info<lexeme_directive<Subject>> {
  using result_type = std::string;
  std::string operator()(const lexeme_directive<Subject>& parser) const { return what(parser.subject); }
};
template <class Subject>
struct get_info<and_predicate<Subject>> {
  using result_type = std::string;
  std::string operator()(const and_predicate<Subject>& parser) const { return what(parser.subject); }
};
template <class Left, class Right>
struct get_info<sequence<Left, Right>> {
  using result_type = std::string;
  std::string operator()(const sequence<Left, Right>& parser) const { return what(parser.left); }
};
}  // namespace boost::spirit::x3

// A rule is called what it is a rule of, its definition as X3 wants it; `>` says that something must follow.
// NOLINTBEGIN(readability-identifier-naming, bugprone-chained-comparison)
namespace braid::traffic::streamit::grammar {

namespace x3 = boost::spirit::x3;

using Iterator = const char*;

/// How deep the parser is in its own calls.
struct Nesting {
  std::size_t depth = 0;
};
constexpr std::size_t kMostNesting = 100;      // of statements and expressions in one another
constexpr std::uint32_t kMostOperators = 500;  // a + b + c + ...

/// Thrown at a place whose text no program may have.
struct Refusal : std::exception {
  Refusal(Place where, std::string what_is_wrong) : at(where), message(std::move(what_is_wrong)) {}
  Place at;
  std::string message;
};

using Context = x3::context<Nesting, Nesting, x3::phrase_parse_context<x3::ascii::space_type>::type>;

/// Parses its subject one level deeper.
template <class Subject>
struct Nested : x3::unary_parser<Subject, Nested<Subject>> {
  using Base = x3::unary_parser<Subject, Nested<Subject>>;
  static constexpr bool has_attribute = Subject::has_attribute;
  static constexpr bool handles_container = Subject::handles_container;
  constexpr explicit Nested(const Subject& deeper) : Base(deeper) {}

  template <class It, class Ctx, class RCtx, class Attribute>
  bool parse(It& first, const It& last, const Ctx& context, RCtx& rcontext, Attribute& attribute) const {
    struct Level {
      std::size_t& depth;
      ~Level() { --depth; }
    };
    Nesting& nesting = x3::get<Nesting>(context);
    if (nesting.depth == kMostNesting) throw Refusal{first, "nested too deep: expected at most 100 levels"};
    const Level level{++nesting.depth};
    return this->subject.parse(first, last, context, rcontext, attribute);
  }
};
struct NestedDirective {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return Nested<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
};
constexpr NestedDirective nested{};

/// Notes in a rule's value where its text begins. (on_success of a rule with actions gets no value.)
const auto set_place = [](auto& ctx) { x3::_val(ctx).at = x3::_where(ctx).begin(); };
const auto here = x3::eps[set_place];

struct Named {
  Place at = nullptr;
  std::string name;
};

struct NameId {};
struct ExpressionId {};
struct InitializerId {};
struct ArgumentsId {};
struct PrimitiveId {};
struct TypeId {};
struct ParametersId {};
struct DeclarationId {};
struct StatementId {};
struct BlockId {};
struct FilterBodyId {};
struct CreatorId {};
struct ProgramId {};

using NameRule = x3::rule<NameId, Named>;
using ExpressionRule = x3::rule<ExpressionId, Expression>;
using InitializerRule = x3::rule<InitializerId, Expression>;
using ArgumentsRule = x3::rule<ArgumentsId, std::vector<Expression>>;
using PrimitiveRule = x3::rule<PrimitiveId, std::string>;
using TypeRule = x3::rule<TypeId, Type>;
using ParametersRule = x3::rule<ParametersId, std::vector<Parameter>>;
using DeclarationRule = x3::rule<DeclarationId, Declaration>;
using StatementRule = x3::rule<StatementId, Statement>;
using BlockRule = x3::rule<BlockId, Statement>;
using FilterBodyRule = x3::rule<FilterBodyId, Stream>;
using CreatorRule = x3::rule<CreatorId, Creator>;
using ProgramRule = x3::rule<ProgramId, Program>;

// expression_grammar.cpp
constexpr NameRule name = "a name";
constexpr ExpressionRule expression = "an expression";
constexpr InitializerRule initializer = "an expression or {";  ///< of a variable: an expression or {...}
constexpr ArgumentsRule arguments = "(";                       ///< (a, b)
constexpr PrimitiveRule primitive = "a type";                  ///< int, float, ...; also void
constexpr TypeRule type = "a type";
// statement_grammar.cpp
constexpr ParametersRule parameters = "(";                ///< (int a, float[N] b)
constexpr DeclarationRule declaration = "a declaration";  ///< int a = 1, b
constexpr StatementRule statement = "a statement";
constexpr BlockRule block = "{";
// stream_grammar.cpp
constexpr FilterBodyRule filter_body = "{";
constexpr CreatorRule creator = "a stream";
constexpr ProgramRule program = "a program";

BOOST_SPIRIT_DECLARE(NameRule, ExpressionRule, InitializerRule, ArgumentsRule, PrimitiveRule, TypeRule, ParametersRule,
                     DeclarationRule, StatementRule, BlockRule, FilterBodyRule, CreatorRule, ProgramRule)

constexpr auto word_end = !(x3::ascii::alnum | '_');

/// A keyword: not the beginning of a longer name.
inline auto keyword(const char* text) { return x3::lexeme[x3::lit(text) >> word_end]; }

/// Words that are no names.
const std::vector<std::string>& keywords();

}  // namespace braid::traffic::streamit::grammar
// NOLINTEND(readability-identifier-naming, bugprone-chained-comparison)
