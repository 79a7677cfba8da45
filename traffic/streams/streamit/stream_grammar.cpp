// Streams and whole programs.
#include <memory>
#include <string>
#include <utility>

#include "traffic/streams/streamit/grammar.h"

// NOLINTBEGIN(readability-identifier-naming, bugprone-chained-comparison): as in grammar.h
namespace braid::traffic::streamit::grammar {
namespace {

using StreamKind = Stream::Kind;
using FunctionKind = Function::Kind;

struct FunctionId {};
struct RateId {};
struct RangeId {};
struct RatesId {};
struct StreamId {};
struct AnonymousId {};
struct NamedStreamId {};
struct StructId {};
struct HelperId {};
struct NativeFunctionId {};
struct GlobalsId {};
struct IncludeId {};
struct ProgramEndId {};
struct BodyEndId {};
constexpr x3::rule<FunctionId, Function> function = "a function";
constexpr x3::rule<RateId, Expression> rate = "a rate";
constexpr x3::rule<RangeId, Expression> range = "a rate";
constexpr x3::rule<RatesId, Function> rates = "a rate";
constexpr x3::rule<StreamId, Stream> stream = "a stream";
constexpr x3::rule<AnonymousId, Stream> anonymous = "a stream";
constexpr x3::rule<StructId, StructType> struct_type = "a struct";
constexpr x3::rule<HelperId, Helper> helper = "a helper";
constexpr x3::rule<NativeFunctionId, Function> native_function = "a function";
constexpr x3::rule<GlobalsId, Globals> globals = "static";
constexpr x3::rule<IncludeId, Include> include = "include";
constexpr x3::rule<ProgramEndId> program_end = "a stream (in->out filter, pipeline, splitjoin or feedbackloop)";
constexpr x3::rule<BodyEndId> body_end = "a field, init, work, a function or }";

const auto program_end_def = x3::eoi;
const auto body_end_def = x3::lit('}');

const auto move_in = [](auto& ctx) { x3::_val(ctx) = std::move(x3::_attr(ctx)); };

// Functions.
const auto set_push = [](auto& ctx) { x3::_val(ctx).push = std::move(x3::_attr(ctx)); };
const auto set_pop = [](auto& ctx) { x3::_val(ctx).pop = std::move(x3::_attr(ctx)); };
const auto set_peek = [](auto& ctx) { x3::_val(ctx).peek = std::move(x3::_attr(ctx)); };
// Rates that change from call to call: *, [least, most], [least, mean, most], each an expression or *.
const auto any_number = [](auto& ctx) { x3::_val(ctx).kind = Expression::Kind::kRange; };
const auto begin_range = [](auto& ctx) { x3::_val(ctx).kind = Expression::Kind::kRange; };
const auto add_bound = [](auto& ctx) { x3::_val(ctx).parts.push_back(std::move(x3::_attr(ctx))); };
const auto range_def =
    here >> (x3::lit('*')[any_number] |
             ((x3::lit('[')[begin_range] > rate[add_bound] > ',' > rate[add_bound]) > -(',' > rate[add_bound]) > ']'));
const auto rate_def = range[move_in] | expression[move_in];
const auto rates_def =
    *((keyword("push") > rate[set_push]) | (keyword("pop") > rate[set_pop]) | (keyword("peek") > rate[set_peek]));
const auto take_rates = [](auto& ctx) {
  x3::_val(ctx).push = std::move(x3::_attr(ctx).push);
  x3::_val(ctx).pop = std::move(x3::_attr(ctx).pop);
  x3::_val(ctx).peek = std::move(x3::_attr(ctx).peek);
};
const auto of_kind = [](FunctionKind kind, const char* text) {
  return [kind, text](auto& ctx) {
    x3::_val(ctx).kind = kind;
    x3::_val(ctx).name = text;
  };
};
const auto set_body = [](auto& ctx) { x3::_val(ctx).body = std::move(x3::_attr(ctx)); };
const auto set_result = [](auto& ctx) { x3::_val(ctx).result = std::move(x3::_attr(ctx)); };
const auto set_function_name = [](auto& ctx) {
  x3::_val(ctx).at = x3::_attr(ctx).at;
  x3::_val(ctx).name = std::move(x3::_attr(ctx).name);
};
const auto set_parameters = [](auto& ctx) { x3::_val(ctx).parameters = std::move(x3::_attr(ctx)); };
const auto set_native = [](auto& ctx) { x3::_val(ctx).native = true; };
const auto function_def =
    here >> ((keyword("init")[of_kind(FunctionKind::kInit, "init")] > block[set_body]) |
             ((keyword("work")[of_kind(FunctionKind::kWork, "work")] |
               keyword("prework")[of_kind(FunctionKind::kPrework, "prework")]) > rates[take_rates] > block[set_body]) |
             ((keyword("handler")[of_kind(FunctionKind::kHandler, "")] > name[set_function_name]) >
              parameters[set_parameters] > block[set_body]) |
             ((type[set_result] >> name[set_function_name] >> &x3::lit('(')) > parameters[set_parameters] >
              rates[take_rates] > block[set_body]));
const auto native_function_def =
    ((type[set_result] >> name[set_function_name] >> &x3::lit('(')) > parameters[set_parameters] > ';') >>
    x3::eps[set_native];

// Streams.
const auto add_function = [](auto& ctx) { x3::_val(ctx).functions.push_back(std::move(x3::_attr(ctx))); };
const auto add_field = [](auto& ctx) { x3::_val(ctx).fields.push_back(std::move(x3::_attr(ctx))); };
const auto filter_body_def = x3::lit('{') >
                             *(function[add_function] | (declaration[add_field] > ';') | x3::lit(';')) > body_end;
const auto take_filter = [](auto& ctx) {
  x3::_val(ctx).fields = std::move(x3::_attr(ctx).fields);
  x3::_val(ctx).functions = std::move(x3::_attr(ctx).functions);
};
const auto set_input = [](auto& ctx) { x3::_val(ctx).input = std::move(x3::_attr(ctx)); };
const auto set_output = [](auto& ctx) { x3::_val(ctx).output = std::move(x3::_attr(ctx)); };
const auto set_kind = [](StreamKind kind) { return [kind](auto& ctx) { x3::_val(ctx).kind = kind; }; };
const auto of_streams = keyword("pipeline")[set_kind(StreamKind::kPipeline)] |
                        keyword("splitjoin")[set_kind(StreamKind::kSplitJoin)] |
                        keyword("feedbackloop")[set_kind(StreamKind::kFeedbackLoop)];
struct StreamKindId {};
constexpr x3::rule<StreamKindId, Stream> stream_kind = "filter, pipeline, splitjoin or feedbackloop";
const auto stream_kind_def = here >> (keyword("filter") | of_streams);
const auto take_kind = [](auto& ctx) {  // a name behind it has the place that counts
  x3::_val(ctx).kind = x3::_attr(ctx).kind;
  x3::_val(ctx).at = x3::_attr(ctx).at;
};
struct CompositeId {};
constexpr x3::rule<CompositeId, Stream> composite = "filter, pipeline, splitjoin or feedbackloop";
const auto composite_def = (keyword("stateful") > stream_kind[take_kind]) | stream_kind[take_kind];
const auto is_filter = [](auto& ctx) { x3::_pass(ctx) = x3::_val(ctx).kind == StreamKind::kFilter; };
const auto any_body = (x3::eps[is_filter] > filter_body[take_filter]) | block[set_body];
const auto stream_def = (type[set_input] >> "->") > type[set_output] > composite[take_kind] > name[set_function_name] >
                        -parameters[set_parameters] > &x3::lit('{') > any_body;

const auto anonymous_def = -((type[set_input] >> "->") > type[set_output]) >> composite[take_kind] >> any_body;
const auto set_anonymous = [](auto& ctx) {
  x3::_val(ctx).at = x3::_attr(ctx).at;
  x3::_val(ctx).anonymous = std::make_shared<Stream>(std::move(x3::_attr(ctx)));
};
const auto set_of = [](auto& ctx) { x3::_val(ctx).of = std::move(x3::_attr(ctx)); };
const auto set_name = [](auto& ctx) { x3::_val(ctx).name = std::move(x3::_attr(ctx).name); };
const auto set_arguments = [](auto& ctx) { x3::_val(ctx).arguments = std::move(x3::_attr(ctx)); };
const auto add_portal = [](auto& ctx) {
  Expression e;
  e.kind = Expression::Kind::kName;
  e.at = x3::_attr(ctx).at;
  e.name = std::move(x3::_attr(ctx).name);
  x3::_val(ctx).portals.push_back(std::move(e));
};
const auto to_portals = -(keyword("to") > name[add_portal] > *(',' > name[add_portal]));
const auto creator_def =
    here >>
    ((anonymous[set_anonymous] >> to_portals >> -x3::lit(';')) |
     ((name[set_name] >> -((x3::lit('<') > type[set_of]) > '>') >> -arguments[set_arguments] >> to_portals) > ';'));

// Programs.
const auto add_member = [](auto& ctx) {
  x3::_val(ctx).members.emplace_back();
  x3::_val(ctx).members.back().type = std::move(x3::_attr(ctx));
};
const auto name_member = [](auto& ctx) {
  x3::_val(ctx).members.back().at = x3::_attr(ctx).at;
  x3::_val(ctx).members.back().name = std::move(x3::_attr(ctx).name);
};
const auto struct_type_def = keyword("struct") > name[set_function_name] > '{' >
                             *(type[add_member] > name[name_member] > ';') > '}' > -x3::lit(';');
const auto helper_def = (keyword("helper") > name[set_function_name] > '{' > *function[add_function] > '}') |
                        (keyword("native") > name[set_function_name] > '{' > *native_function[add_function] > '}');
const auto globals_def = keyword("static") > '{' >
                         *(function[add_function] | (declaration[add_field] > ';')) > body_end;
const auto set_file = [](auto& ctx) { x3::_val(ctx).file = std::string(x3::_attr(ctx).begin(), x3::_attr(ctx).end()); };
const auto include_def =
    (keyword("include") > here) > x3::lexeme['"' > x3::raw[*(x3::char_ - (x3::lit('"') | '\n'))][set_file] > '"'] > ';';
const auto add_stream = [](auto& ctx) { x3::_val(ctx).streams.push_back(std::move(x3::_attr(ctx))); };
const auto add_struct = [](auto& ctx) { x3::_val(ctx).structs.push_back(std::move(x3::_attr(ctx))); };
const auto add_helper = [](auto& ctx) { x3::_val(ctx).helpers.push_back(std::move(x3::_attr(ctx))); };
const auto add_globals = [](auto& ctx) { x3::_val(ctx).globals.push_back(std::move(x3::_attr(ctx))); };
const auto add_include = [](auto& ctx) { x3::_val(ctx).includes.push_back(std::move(x3::_attr(ctx))); };
const auto program_def = *(struct_type[add_struct] | helper[add_helper] | globals[add_globals] | include[add_include] |
                           stream[add_stream] | x3::lit(';')) > program_end;

}  // namespace

BOOST_SPIRIT_DEFINE(function, rate, range, rates, stream, anonymous, struct_type, helper, native_function, globals,
                    include, stream_kind, composite, program_end, body_end)
BOOST_SPIRIT_DEFINE(filter_body, creator, program)
BOOST_SPIRIT_INSTANTIATE(FilterBodyRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(CreatorRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(ProgramRule, Iterator, Context)

}  // namespace braid::traffic::streamit::grammar
// NOLINTEND(readability-identifier-naming, bugprone-chained-comparison)
