"""Tokens to syntax tree, by recursive descent. Precedence as in MIT's grammar, which is not C's: shifts bind as tightly
as a product, and & | ^ share one level below the comparisons."""

import math

from . import syntax as s
from .errors import Position, StreamItError
from .lexer import Token, tokens
from .values import single, wrap

PRIMITIVES = ("boolean", "bit", "int", "float", "double", "complex")
KINDS = ("filter", "pipeline", "splitjoin", "feedbackloop")
LEVELS = (("||",), ("&&",), ("|", "&", "^"), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"))
PRODUCT = ("*", "/", "%", "<<", ">>")
ASSIGNMENTS = {"=": None, "+=": "+", "-=": "-", "*=": "*", "/=": "/", "<<=": "<<", ">>=": ">>"}
DEEPEST = 200  # nested blocks or brackets; nobody writes more by hand


def parse(*files: str) -> s.Program:
    program = s.Program({}, {}, {}, set(), [], [], Position(files[-1], 1, 1))
    for file in files:
        _Parser(tokens(file)).program(program)
    return program


class _Parser:
    def __init__(self, found: list[Token]) -> None:
        self.tokens = found
        self.place = 0
        self.depth = 0

    # Small things

    @property
    def token(self) -> Token:
        return self.tokens[self.place]

    def ahead(self, steps: int) -> Token:
        return self.tokens[min(self.place + steps, len(self.tokens) - 1)]

    def next(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.place += 1
        return token

    def at(self, *texts: str) -> bool:
        return self.token.text in texts and self.token.kind in ("sign", "keyword")

    def take(self, text: str) -> bool:
        if self.at(text):
            self.place += 1
            return True
        return False

    def expect(self, text: str) -> Token:
        if not self.at(text):
            raise self.wrong(f"'{text}'")
        return self.next()

    def name(self, what: str) -> Token:
        if self.token.kind != "name":
            raise self.wrong(what)
        return self.next()

    def wrong(self, expected: str) -> StreamItError:
        return StreamItError(self.token.at, f"expected {expected}, found {self.token}")

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise StreamItError(self.token.at, f"nested more than {DEEPEST} deep")

    # Top level

    def program(self, program: s.Program) -> None:
        while self.token.kind != "end":
            if self.at("struct"):
                self.struct(program)
            elif self.at("helper"):
                self.helper(program)
            elif self.at("native"):
                self.native(program)
            elif self.at("static"):
                self.static(program)
            else:
                self.stream(program)
        program.last = self.token.at

    def stream(self, program: s.Program) -> None:
        if not self.at_type():
            raise self.wrong("a stream, struct, helper, native or static")
        stream_type = self.stream_type()
        self.take("stateful")
        if not self.at(*KINDS):
            raise self.wrong("'filter', 'pipeline', 'splitjoin' or 'feedbackloop'")
        kind = self.next()
        name = self.name("the stream's name")
        if name.text in program.streams:
            raise StreamItError(name.at, f"a second stream named '{name.text}'")
        parameters = self.parameters() if self.at("(") else []
        program.streams[name.text] = self.stream_body(kind, name, stream_type, parameters)

    def stream_body(
        self, kind: Token, name: Token | None, stream_type: s.StreamType | None, parameters: list[s.Parameter]
    ) -> s.StreamDeclaration:
        at = kind.at if name is None else name.at
        stream = s.StreamDeclaration(at, kind.text, name and name.text, stream_type, parameters)
        if kind.text == "filter":
            self.filter_body(stream)
        else:
            stream.body = self.block()
        return stream

    def struct(self, program: s.Program) -> None:
        at = self.next().at
        name = self.name("the struct's name")
        self.expect("{")
        fields = []
        while not self.take("}"):
            fields.append(self.parameter())
            self.expect(";")
        program.structs[name.text] = s.Struct(at, name.text, fields)

    def helper(self, program: s.Program) -> None:
        self.next()
        functions = program.helpers.setdefault(self.name("the helper's name").text, {})
        self.expect("{")
        while not self.take("}"):
            function = self.function()
            functions[function.name] = function

    def native(self, program: s.Program) -> None:
        self.next()
        program.natives.add(self.name("the native's name").text)
        self.expect("{")
        while not self.take("}"):
            self.type()
            self.name("a function's name")
            self.parameters()
            self.expect(";")

    def static(self, program: s.Program) -> None:
        self.next()
        self.expect("{")
        while not self.take("}"):
            if self.at("init"):
                program.static_inits.append(self.plain_function())
            else:
                program.statics.extend(self.declarations().statements)
                self.expect(";")

    # Filters

    def filter_body(self, stream: s.StreamDeclaration) -> None:
        self.expect("{")
        while not self.take("}"):
            if self.at("handler"):
                raise StreamItError(self.token.at, "message handlers (teleport messaging) are not supported")
            if self.at("init", "work", "prework"):
                function = self.plain_function()
            elif self.at_type() and self.is_function():
                function = self.function()
            elif self.at_type():
                stream.fields.extend(self.declarations().statements)
                self.expect(";")
                continue
            else:
                raise self.wrong("a field, a function, 'init', 'work' or 'prework'")
            if function.name in stream.functions:
                raise StreamItError(function.at, f"a second '{function.name}' in one filter")
            stream.functions[function.name] = function

    def is_function(self) -> bool:
        start = self.place
        self.type()
        answer = self.token.kind == "name" and self.ahead(1).text == "("
        self.place = start
        return answer

    def plain_function(self) -> s.Function:
        token = self.next()
        rates = s.Rates(token.at) if token.text == "init" else self.rates(token.at)
        return s.Function(token.at, token.text, None, [], rates, self.block())

    def function(self) -> s.Function:
        result = self.type()
        name = self.name("a function's name")
        parameters = self.parameters()
        return s.Function(name.at, name.text, result, parameters, self.rates(name.at), self.block())

    def rates(self, at: Position) -> s.Rates:
        rates = s.Rates(at)
        while self.at("push", "pop", "peek"):
            which = self.next()
            if self.at("*", "["):
                raise StreamItError(self.token.at, f"a dynamic rate of '{which.text}': only fixed rates are supported")
            setattr(rates, which.text, self.expression())
        return rates

    # Types

    def at_type(self) -> bool:
        return self.token.kind == "name" or self.at("void", "portal", *PRIMITIVES)

    def type(self) -> s.Type:
        token = self.token
        if token.text == "portal" and token.kind == "keyword":
            raise StreamItError(token.at, "portals (teleport messaging) are not supported")
        if not self.at_type():
            raise self.wrong("a type")
        self.next()
        lengths = []
        while self.take("["):
            if self.at("]"):
                raise self.wrong("the array's length")
            lengths.append(self.expression())
            self.expect("]")
        return s.Type(token.at, token.text, lengths)

    def stream_type(self) -> s.StreamType:
        at = self.token.at
        given = self.type()
        self.expect("->")
        return s.StreamType(at, given, self.type())

    def parameter(self) -> s.Parameter:
        kind = self.type()
        name = self.name("a name")
        return s.Parameter(name.at, kind, name.text)

    def parameters(self) -> list[s.Parameter]:
        self.expect("(")
        found: list[s.Parameter] = []
        while not self.take(")"):
            if found:
                self.expect(",")
            found.append(self.parameter())
        return found

    # Statements

    def block(self) -> s.Block:
        self.deeper()
        at = self.expect("{").at
        statements = []
        while not self.take("}"):
            if self.token.kind == "end":
                raise self.wrong("'}'")
            statements.append(self.statement())
        self.depth -= 1
        return s.Block(at, statements)

    def statement(self) -> s.Node:
        token = self.token
        if token.kind == "keyword" and (read := getattr(self, f"_{token.text}_statement", None)):
            return read()
        if self.at("{"):
            return self.block()
        if self.take(";"):
            return s.Block(token.at, [])
        if self.at_declaration():
            statement: s.Node = self.declarations()
        else:
            statement = self.simple_statement()
        self.expect(";")
        return statement

    def at_declaration(self) -> bool:
        """A type and then a name: of a struct, `Pair p` or `Pair[3] p`, where `pairs[3] = 1` is an assignment."""
        if self.token.kind != "name":
            return self.at_type()
        if self.ahead(1).text != "[":
            return self.ahead(1).kind == "name"
        start, answer = self.place, False
        try:
            self.type()
            answer = self.token.kind == "name"
        except StreamItError:
            answer = False
        self.place = start
        return answer

    def declarations(self) -> s.Several:
        kind = self.type()
        found = []
        while not found or self.take(","):
            name = self.name("a name")
            found.append(s.Declare(name.at, kind, name.text, self.initializer() if self.take("=") else None))
        return s.Several(kind.at, found)

    def initializer(self) -> s.Node:
        if not self.at("{"):
            return self.expression()
        self.deeper()
        at = self.next().at
        items: list[s.Node] = []
        while not self.take("}"):
            if items:
                self.expect(",")
            items.append(self.initializer())
        self.depth -= 1
        return s.ArrayLiteral(at, items)

    def simple_statement(self) -> s.Node:
        """An assignment or an expression; no semicolon."""
        at = self.token.at
        target = self.expression()
        if self.token.kind == "sign" and self.token.text in ASSIGNMENTS:
            if not isinstance(target, s.Name | s.Index | s.Field):
                raise StreamItError(at, "only a variable, an element or a field can be assigned to")
            operator = ASSIGNMENTS[self.next().text]
            return s.Assign(at, target, operator, self.initializer())
        return s.Evaluate(at, target)

    def _push_statement(self) -> s.Node:
        at = self.next().at
        self.expect("(")
        value = self.expression()
        self.expect(")")
        self.expect(";")
        return s.Push(at, value)

    def _if_statement(self) -> s.Node:
        at = self.next().at
        condition = self.bracketed()
        yes = self.nested()
        return s.If(at, condition, yes, self.nested() if self.take("else") else None)

    def nested(self) -> s.Node:
        self.deeper()
        statement = self.statement()
        self.depth -= 1
        return statement

    def bracketed(self) -> s.Node:
        self.expect("(")
        inner = self.expression()
        self.expect(")")
        return inner

    def _while_statement(self) -> s.Node:
        at = self.next().at
        condition = self.bracketed()
        return s.Loop(at, None, condition, None, self.nested())

    def _do_statement(self) -> s.Node:
        at = self.next().at
        body = self.nested()
        self.expect("while")
        condition = self.bracketed()
        self.expect(";")
        return s.Loop(at, None, condition, None, body, test_first=False)

    def _for_statement(self) -> s.Node:
        at = self.next().at
        self.expect("(")
        initial = condition = step = None
        if not self.at(";"):
            initial = self.declarations() if self.at_declaration() else self.simple_statement()
        self.expect(";")
        if not self.at(";"):
            condition = self.expression()
        self.expect(";")
        if not self.at(")"):
            step = self.simple_statement()
        self.expect(")")
        return s.Loop(at, initial, condition, step, self.nested())

    def _break_statement(self) -> s.Node:
        token = self.next()
        self.expect(";")
        return s.Leave(token.at, token.text)

    _continue_statement = _break_statement

    def _return_statement(self) -> s.Node:
        at = self.next().at
        value = None if self.at(";") else self.expression()
        self.expect(";")
        return s.Return(at, value)

    # Statements of containers

    def _add_statement(self) -> s.Node:
        token = self.next()
        return s.Add(token.at, token.text, self.creator())

    _body_statement = _add_statement
    _loop_statement = _add_statement

    def creator(self) -> s.Creator:
        if self.token.kind == "name" and self.ahead(1).text not in ("->", "["):
            return self.named_creator()
        stream_type = None
        if self.at_type():
            stream_type = self.stream_type()
        self.take("stateful")
        if not self.at(*KINDS):
            raise self.wrong("a stream")
        kind = self.next()
        stream = self.stream_body(kind, None, stream_type, [])
        self.no_portal()
        self.take(";")
        return s.Creator(kind.at, None, None, [], stream)

    def named_creator(self) -> s.Creator:
        name = self.next()
        type_argument = None
        if self.take("<"):
            type_argument = self.type()
            self.expect(">")
        arguments = self.arguments() if self.at("(") else []
        self.no_portal()
        self.expect(";")
        return s.Creator(name.at, name.text, type_argument, arguments, None)

    def no_portal(self) -> None:
        if self.at("to"):
            raise StreamItError(self.token.at, "portals (teleport messaging) are not supported")

    def _split_statement(self) -> s.Node:
        token = self.next()
        policy = self.next()
        weights: list[s.Node] | None = None
        if policy.text == "roundrobin":
            weights = self.arguments() if self.at("(") else []
        elif policy.text == "duplicate" and token.text == "split":
            if self.take("("):
                self.expect(")")
        else:
            wanted = "'duplicate' or 'roundrobin'" if token.text == "split" else "'roundrobin'"
            raise StreamItError(policy.at, f"expected {wanted}, found {policy}")
        self.expect(";")
        return s.Divide(token.at, token.text, weights, policy.at)

    _join_statement = _split_statement

    def _enqueue_statement(self) -> s.Node:
        at = self.next().at
        value = self.expression()
        self.expect(";")
        return s.Enqueue(at, value)

    # Expressions

    def expression(self) -> s.Node:
        self.deeper()
        answer = self.level(0)
        if self.take("?"):
            yes = self.expression()
            self.expect(":")
            answer = s.Ternary(answer.at, answer, yes, self.expression())
        self.depth -= 1
        return answer

    def level(self, number: int) -> s.Node:
        if number == len(LEVELS):
            return self.chain(PRODUCT, self.unary)
        return self.chain(LEVELS[number], lambda: self.level(number + 1))

    def chain(self, operators, operand) -> s.Node:
        left = operand()
        while self.token.kind == "sign" and self.token.text in operators:
            operator = self.next()
            left = s.Binary(left.at, operator.at, operator.text, left, operand())
        return left

    def unary(self) -> s.Node:
        token = self.token
        if token.kind == "sign" and token.text in ("-", "!", "~", "+", "++", "--"):
            self.deeper()
            self.next()
            operand = self.unary()
            self.depth -= 1
            if token.text in ("++", "--"):
                return s.Step(token.at, operand, 1 if token.text == "++" else -1, before=True)
            return s.Unary(token.at, token.text, operand)
        if token.text == "(" and self.ahead(1).text in PRIMITIVES and self.ahead(2).text == ")":
            self.place += 3
            return s.Cast(token.at, self.ahead(-2).text, self.unary())
        return self.postfix(self.primary())

    def postfix(self, base: s.Node) -> s.Node:
        while True:
            if self.take("["):
                base = s.Index(base.at, base, self.expression())
                self.expect("]")
            elif self.at("."):
                base = self.member(base)
            elif self.at("++", "--"):
                base = s.Step(base.at, base, 1 if self.next().text == "++" else -1, before=False)
            else:
                return base

    def member(self, base: s.Node) -> s.Node:
        self.expect(".")
        name = self.name("a field or function")
        if isinstance(base, s.Name) and self.at("("):
            return s.Call(base.at, base.name, name.text, self.arguments())
        return s.Field(name.at, base, name.text)

    def primary(self) -> s.Node:
        token = self.token
        if token.kind in ("number", "hex", "string", "char"):
            return s.Constant(self.next().at, _value(token))
        if self.at("("):
            return self.bracketed()
        if token.kind == "name":
            self.next()
            return (
                s.Call(token.at, None, token.text, self.arguments()) if self.at("(") else s.Name(token.at, token.text)
            )
        if self.at("pi", "true", "false"):
            return s.Constant(self.next().at, {"pi": single(math.pi), "true": True, "false": False}[token.text])
        if self.at("peek"):
            self.next()
            return s.Peek(token.at, self.bracketed())
        if self.at("pop", "iter"):
            self.next()
            self.expect("(")
            self.expect(")")
            return s.Pop(token.at) if token.text == "pop" else s.Iter(token.at)
        raise self.wrong("an expression")

    def arguments(self) -> list[s.Node]:
        self.expect("(")
        found: list[s.Node] = []
        while not self.take(")"):
            if found:
                self.expect(",")
            found.append(self.expression())
        return found


def _value(token: Token) -> int | float | complex | str:
    text = token.text
    if token.kind in ("string", "char"):
        return text[1:-1]
    if token.kind == "hex":
        bits = int(text, 16) & 0xFFFFFFFF
        return bits - (1 << 32) if bits >> 31 else bits
    if text.endswith("i"):
        return complex(0, single(float(text[:-1])))
    if text.isdigit():
        if int(text) >> 32:
            raise StreamItError(token.at, f"{text} does not fit into an int of 32 bits")
        return wrap(int(text))
    return single(float(text.rstrip("f")))
