// Statements, declarations and parameters.
#include <memory>
#include <string>
#include <utility>

#include "traffic/streams/streamit/grammar.h"

// NOLINTBEGIN(readability-identifier-naming, bugprone-chained-comparison): as in grammar.h
namespace braid::traffic::streamit::grammar {
namespace {

using StatementKind = Statement::Kind;

struct AssignmentOperators : x3::symbols<Operator> {
  AssignmentOperators() {
    add("=", Operator::kNone)("+=", Operator::kPlus)("-=", Operator::kMinus)("*=", Operator::kTimes)(
        "/=", Operator::kDivide)("%=", Operator::kModulo)("<<=", Operator::kShiftLeft)(">>=", Operator::kShiftRight)(
        "|=", Operator::kBitOr)("&=", Operator::kBitAnd)("^=", Operator::kBitXor);
  }
} const assignment_operators;

const auto move_in = [](auto& ctx) { x3::_val(ctx) = std::move(x3::_attr(ctx)); };
const auto make = [](StatementKind kind) { return [kind](auto& ctx) { x3::_val(ctx).kind = kind; }; };
const auto add_value = [](auto& ctx) { x3::_val(ctx).values.push_back(std::move(x3::_attr(ctx))); };
const auto add_statement = [](auto& ctx) { x3::_val(ctx).body.push_back(std::move(x3::_attr(ctx))); };
const auto set_declaration = [](auto& ctx) {
  x3::_val(ctx).kind = StatementKind::kDeclare;
  x3::_val(ctx).declaration = std::move(x3::_attr(ctx));
};
const auto set_value = [](auto& ctx) {
  x3::_val(ctx).kind = StatementKind::kExpression;
  x3::_val(ctx).values.push_back(std::move(x3::_attr(ctx)));
};
const auto set_assignment = [](auto& ctx) {
  x3::_val(ctx).kind = StatementKind::kAssign;
  x3::_val(ctx).operation = x3::_attr(ctx);
};
const auto check_effect = [](auto& ctx) {
  using Kind = Expression::Kind;
  const Statement& s = x3::_val(ctx);
  const Kind kind = s.values.front().kind;
  if (s.kind == StatementKind::kAssign) {
    if (kind == Kind::kName || kind == Kind::kIndex || kind == Kind::kMember) return;
    throw Refusal{s.values.front().at, "expected a variable on the left of ="};
  }
  for (const Kind known : {Kind::kCall, Kind::kMemberCall, Kind::kBefore, Kind::kAfter, Kind::kPop, Kind::kPeek}) {
    if (kind == known) return;
  }
  throw Refusal{s.values.front().at, "expected a statement: this expression has no effect"};
};
const auto set_creator = [](StatementKind kind) {
  return [kind](auto& ctx) {
    x3::_val(ctx).kind = kind;
    x3::_val(ctx).creator = std::make_shared<Creator>(std::move(x3::_attr(ctx)));
  };
};
const auto set_roundrobin = [](auto& ctx) { x3::_val(ctx).distribution.at = x3::_where(ctx).begin(); };
const auto set_duplicate = [](auto& ctx) { x3::_val(ctx).distribution.duplicate = true; };
const auto set_weights = [](auto& ctx) { x3::_val(ctx).distribution.weights = std::move(x3::_attr(ctx)); };

struct SimpleId {};
struct ConditionId {};
struct WayId {};
constexpr x3::rule<SimpleId, Statement> simple = "a statement";
constexpr x3::rule<ConditionId, Expression> condition = "(";
constexpr x3::rule<WayId, Statement> split_way = "roundrobin or duplicate";
struct JoinWayId {};
constexpr x3::rule<JoinWayId, Statement> join_way = "roundrobin";
struct EndId {};
constexpr x3::rule<EndId> block_end = "a statement or }";
struct NamesId {};
constexpr x3::rule<NamesId, Declaration> names = "a name";

const auto set_type = [](auto& ctx) { x3::_val(ctx).type = std::move(x3::_attr(ctx)); };
const auto add_name = [](auto& ctx) {
  x3::_val(ctx).names.push_back({x3::_attr(ctx).at, std::move(x3::_attr(ctx).name), {}});
};
const auto set_initializer = [](auto& ctx) { x3::_val(ctx).names.back().value = std::move(x3::_attr(ctx)); };
const auto take_names = [](auto& ctx) { x3::_val(ctx).names = std::move(x3::_attr(ctx).names); };

const auto one_name = name[add_name] >> -(x3::lit('=') > initializer[set_initializer]);
const auto next_name = name[add_name] > -(x3::lit('=') > initializer[set_initializer]);
const auto names_def = one_name >> *(',' > next_name);
/// A declaration begins like an expression when its type is a struct's.
const auto declaration_def =
    ((&primitive >> type[set_type]) > names[take_names]) | (type[set_type] >> names[take_names]);

const auto add_parameter_type = [](auto& ctx) {
  x3::_val(ctx).emplace_back();
  x3::_val(ctx).back().type = std::move(x3::_attr(ctx));
};
const auto add_parameter_name = [](auto& ctx) {
  x3::_val(ctx).back().at = x3::_attr(ctx).at;
  x3::_val(ctx).back().name = std::move(x3::_attr(ctx).name);
};
const auto parameter = type[add_parameter_type] > name[add_parameter_name];
const auto parameters_def = x3::lit('(') > -(parameter >> *(',' > parameter)) > ')';

const auto condition_def = x3::lit('(') > expression[move_in] > ')';
const auto simple_def =
    here >> ((expression[set_value] >> -(assignment_operators[set_assignment] > initializer[add_value])) >>
             x3::eps[check_effect]);
const auto weights = arguments[set_weights] | x3::eps;
const auto split_way_def =
    here >> x3::eps[set_roundrobin] >>
    ((keyword("roundrobin") >> weights) | (keyword("duplicate")[set_duplicate] >> -(x3::lit('(') >> ')')));
const auto join_way_def = here >> x3::eps[set_roundrobin] >> (keyword("roundrobin") >> weights);
const auto set_way = [](StatementKind kind) {
  return [kind](auto& ctx) {
    x3::_val(ctx).kind = kind;
    x3::_val(ctx).distribution = std::move(x3::_attr(ctx).distribution);
  };
};

const auto conditional = (keyword("if")[make(StatementKind::kIf)] > condition[add_value] > statement[add_statement]) >>
                         -(keyword("else") > statement[add_statement]);
const auto loops = (keyword("while")[make(StatementKind::kWhile)] > condition[add_value] > statement[add_statement]) |
                   (keyword("do")[make(StatementKind::kDo)] > statement[add_statement] > keyword("while") >
                    condition[add_value] > ';');
const auto no_statement = [](auto& ctx) { x3::_val(ctx).body.emplace_back(); };
const auto add_block_declaration = [](auto& ctx) {
  Statement s;
  s.kind = StatementKind::kDeclare;
  s.declaration = std::move(x3::_attr(ctx));
  s.at = s.declaration.type.at;
  x3::_val(ctx).body.push_back(std::move(s));
};
const auto counted = keyword("for")[make(StatementKind::kFor)] > '(' >
                     (declaration[add_block_declaration] | simple[add_statement] | x3::eps[no_statement]) > ';' >
                     -expression[add_value] > ';' > (simple[add_statement] | x3::eps[no_statement]) > ')' >
                     statement[add_statement];
const auto ways_out = (keyword("break")[make(StatementKind::kBreak)] > ';') |
                      (keyword("continue")[make(StatementKind::kContinue)] > ';') |
                      (keyword("return")[make(StatementKind::kReturn)] > -expression[add_value] > ';');
const auto streams = (keyword("add") > creator[set_creator(StatementKind::kAdd)]) |
                     (keyword("body") > creator[set_creator(StatementKind::kBody)]) |
                     (keyword("loop") > creator[set_creator(StatementKind::kLoop)]) |
                     (keyword("split") > split_way[set_way(StatementKind::kSplit)] > ';') |
                     (keyword("join") > join_way[set_way(StatementKind::kJoin)] > ';') |
                     (keyword("enqueue")[make(StatementKind::kEnqueue)] > expression[add_value] > ';') |
                     (keyword("push")[make(StatementKind::kPush)] > '(' > expression[add_value] > ')' > ';');
const auto statement_def = here >> nested[block[move_in] | x3::lit(';') | conditional | loops | counted | ways_out |
                                          streams | (declaration[set_declaration] > ';') | (simple[move_in] > ';')];
const auto block_end_def = x3::lit('}');
const auto block_def = here >> (x3::lit('{')[make(StatementKind::kBlock)] > *statement[add_statement] > block_end);

}  // namespace

BOOST_SPIRIT_DEFINE(simple, condition, split_way, join_way, block_end, names)
BOOST_SPIRIT_DEFINE(parameters, declaration, statement, block)
BOOST_SPIRIT_INSTANTIATE(ParametersRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(DeclarationRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(StatementRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(BlockRule, Iterator, Context)

}  // namespace braid::traffic::streamit::grammar
// NOLINTEND(readability-identifier-naming, bugprone-chained-comparison)
