"""Runs statements and expressions: container code while streams are built, functions of filters while they run."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import syntax as s
from . import values as v
from .errors import Position, StreamItError

DEEPEST_CALL = 400
LONGEST_ARRAY = 1 << 24
_NODES = [node for node in vars(s).values() if isinstance(node, type) and issubclass(node, s.Node)]
_VALUE_OF = {node: "_" + node.__name__.lower() for node in _NODES}
_DO = {node: "_do_" + node.__name__.lower() for node in _NODES}


@dataclass
class Variable:
    type: s.Type
    value: v.Value


class Scope:
    def __init__(self, above: Scope | None = None) -> None:
        self.above = above
        self.variables: dict[str, Variable] = {}

    def find(self, name: str) -> Variable | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables:
                return scope.variables[name]
            scope = scope.above
        return None

    def names(self) -> set[str]:
        return set(self.variables) | (self.above.names() if self.above else set())


class Tape:
    """What pop, peek, push and print mean; outside of work they mean nothing."""

    def pop(self, at: Position) -> v.Value:
        raise StreamItError(at, "'pop' outside of a work function")

    def peek(self, at: Position, index: int) -> v.Value:
        raise StreamItError(at, "'peek' outside of a work function")

    def push(self, at: Position, value: v.Value) -> None:
        raise StreamItError(at, "'push' outside of a work function")

    def print(self, text: str) -> None:
        pass


class _Left(Exception):  # noqa: N818 (no error: how a break, continue or return leaves)
    def __init__(self, how: str, value: v.Value | None = None) -> None:
        self.how = how
        self.value = value


@dataclass
class Machine:
    """Carries out code of one program. `steps_left` bounds loops: None for no bound."""

    program: s.Program
    statics: Scope
    steps_left: int | None = None
    tape: Tape = field(default_factory=Tape)
    functions: dict[str, s.Function] = field(default_factory=dict)
    fields: Scope | None = None
    depth: int = 0

    # Declarations

    def declare(self, scope: Scope, what: s.Declare | s.Parameter, value: v.Value | None, at: Position) -> None:
        if what.name in scope.variables:
            raise StreamItError(what.at, f"a second '{what.name}' in one block")
        lengths = [self.length(length, scope) for length in what.type.lengths]
        held = self.blank(what.type, lengths) if value is None else self.fitted(value, what.type, len(lengths), at)
        scope.variables[what.name] = Variable(what.type, held)

    def length(self, expression: s.Node, scope: Scope) -> int:
        value = self.value(expression, scope)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LONGEST_ARRAY:
            raise StreamItError(expression.at, f"an array's length is a whole number, not {value}")
        return value

    def blank(self, kind: s.Type, lengths: list[int]) -> v.Value:
        if lengths:
            return [self.blank(kind, lengths[1:]) for _ in range(lengths[0])]
        if kind.base in ("int", "bit", "boolean", "float", "double", "complex"):
            return v.zero(kind.base)
        struct = self.program.structs.get(kind.base)
        if struct is None:
            raise StreamItError(kind.at, f"no type '{kind.base}'")
        return {
            part.name: self.blank(part.type, [self.length(length, self.statics) for length in part.type.lengths])
            for part in struct.fields
        }

    def fitted(self, value: v.Value, kind: s.Type, dimensions: int, at: Position) -> v.Value:
        """A copy of the value as a variable of that type holds it."""
        if dimensions:
            if not isinstance(value, list):
                raise StreamItError(at, f"{v.kind_of(value)} where an array is needed")
            return [self.fitted(item, kind, dimensions - 1, at) for item in value]
        if kind.base in self.program.structs and isinstance(value, dict):
            return v.copy(value)
        try:
            return v.convert(value, kind.base)
        except ValueError:
            raise StreamItError(at, f"{v.kind_of(value)} where {kind.base} is needed") from None

    # Expressions

    def value(self, expression: s.Node, scope: Scope) -> v.Value:
        return getattr(self, _VALUE_OF[type(expression)])(expression, scope)

    def whole(self, expression: s.Node, scope: Scope, what: str) -> int:
        value = self.value(expression, scope)
        if isinstance(value, bool) or not isinstance(value, int):
            raise StreamItError(expression.at, f"{what} is a whole number, not {v.kind_of(value)}")
        return value

    def _constant(self, e: s.Constant, scope: Scope) -> v.Value:
        return e.value

    def _name(self, e: s.Name, scope: Scope) -> v.Value:
        name, at = e.name, scope
        while at is not None:
            if name in at.variables:
                return at.variables[name].value
            at = at.above
        raise StreamItError(e.at, f"no variable '{e.name}'")

    def variable(self, e: s.Name, scope: Scope) -> Variable:
        found = scope.find(e.name)
        if found is None:
            raise StreamItError(e.at, f"no variable '{e.name}'")
        return found

    def _index(self, e: s.Index, scope: Scope) -> v.Value:
        array, index = self.element(e, scope)
        return array[index]

    def element(self, e: s.Index, scope: Scope) -> tuple[list, int]:
        array = self.value(e.array, scope)
        if not isinstance(array, list):
            raise StreamItError(e.at, f"{v.kind_of(array)} is not an array")
        index = self.whole(e.index, scope, "an index")
        if not 0 <= index < len(array):
            raise StreamItError(e.index.at, f"index {index} in an array of {len(array)}")
        return array, index

    def _field(self, e: s.Field, scope: Scope) -> v.Value:
        base = self.value(e.base, scope)
        if isinstance(base, complex) and e.name in ("real", "imag"):
            return getattr(base, e.name)
        if isinstance(base, dict) and e.name in base:
            return base[e.name]
        raise StreamItError(e.at, f"no field '{e.name}'")

    def _unary(self, e: s.Unary, scope: Scope) -> v.Value:
        x = self.value(e.operand, scope)
        if e.operator == "!" and isinstance(x, int):
            return not x
        if e.operator == "~" and isinstance(x, int) and not isinstance(x, bool):
            return ~x
        if e.operator in "+-" and isinstance(x, int | float | complex):
            return v.rounded(-x) if e.operator == "-" else x
        raise StreamItError(e.at, f"'{e.operator}' does not fit {v.kind_of(x)}")

    def _step(self, e: s.Step, scope: Scope) -> v.Value:
        before = self.value(e.target, scope)
        after = v.binary("+", before, e.by)
        self.assign(e.target, after, scope)
        return after if e.before else before

    def _binary(self, e: s.Binary, scope: Scope) -> v.Value:
        x = self.value(e.left, scope)
        if e.operator in ("&&", "||"):
            return bool(x) if bool(x) == (e.operator == "||") else bool(self.value(e.right, scope))
        return self.combine(e.operator, x, self.value(e.right, scope), e.sign_at, e.right.at)

    def combine(self, operator: str, x: v.Value, y: v.Value, at: Position, divisor_at: Position) -> v.Value:
        try:
            return v.binary(operator, x, y)
        except TypeError:
            raise StreamItError(at, f"'{operator}' does not fit {v.kind_of(x)} and {v.kind_of(y)}") from None
        except ZeroDivisionError:
            raise StreamItError(divisor_at, "division by zero") from None

    def _ternary(self, e: s.Ternary, scope: Scope) -> v.Value:
        return self.value(e.yes if self.value(e.condition, scope) else e.no, scope)

    def _cast(self, e: s.Cast, scope: Scope) -> v.Value:
        value = self.value(e.operand, scope)
        if isinstance(value, float) and (value != value or abs(value) == float("inf")) and e.base == "int":
            raise StreamItError(e.at, f"{value} is not an int")
        try:
            return v.convert(value, e.base)
        except ValueError:
            raise StreamItError(e.at, f"{v.kind_of(value)} cannot become {e.base}") from None

    def _arrayliteral(self, e: s.ArrayLiteral, scope: Scope) -> v.Value:
        return [self.value(item, scope) for item in e.items]

    def _pop(self, e: s.Pop, scope: Scope) -> v.Value:
        return self.tape.pop(e.at)

    def _peek(self, e: s.Peek, scope: Scope) -> v.Value:
        return self.tape.peek(e.at, self.whole(e.index, scope, "an index"))

    def _iter(self, e: s.Iter, scope: Scope) -> v.Value:
        return 0

    # Functions

    def _call(self, e: s.Call, scope: Scope) -> v.Value:
        arguments = [self.value(argument, scope) for argument in e.arguments]
        if e.helper is not None:
            return self.helper(e, arguments)
        if e.name in self.functions:
            return self.run(self.functions[e.name], e, arguments, self.fields or self.statics)
        if e.name in v.EFFECTS:
            self.tape.print("".join(str(a) for a in arguments) + ("\n" if e.name == "println" else ""))
            return 0
        if e.name not in v.FUNCTIONS:
            raise StreamItError(e.at, f"no function '{e.name}'")
        count, function = v.FUNCTIONS[e.name]
        if len(arguments) != count:
            raise StreamItError(e.at, f"'{e.name}' takes {count} arguments, {len(arguments)} given")
        if not all(isinstance(a, int | float | complex) for a in arguments):
            raise StreamItError(e.at, f"'{e.name}' takes numbers")
        return function(*arguments)

    def helper(self, e: s.Call, arguments: list[v.Value]) -> v.Value:
        functions = self.program.helpers.get(e.helper or "")
        if functions is None or e.name not in functions:
            raise StreamItError(e.at, f"no function '{e.helper}.{e.name}'")
        kept, self.functions = self.functions, functions
        try:
            return self.run(functions[e.name], e, arguments, self.statics)
        finally:
            self.functions = kept

    def run(self, function: s.Function, call: s.Call, arguments: list[v.Value], above: Scope) -> v.Value:
        if len(arguments) != len(function.parameters):
            wanted = len(function.parameters)
            raise StreamItError(call.at, f"'{function.name}' takes {wanted} arguments, {len(arguments)} given")
        if self.depth >= DEEPEST_CALL:
            raise StreamItError(call.at, f"calls of '{function.name}' more than {DEEPEST_CALL} deep")
        scope = Scope(above)
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            self.declare(scope, parameter, argument, call.at)
        self.depth += 1
        result = self.body(function.body, scope)
        self.depth -= 1
        if function.result is None or function.result.base == "void" or result is None:
            return 0
        return self.fitted(result, function.result, len(function.result.lengths), call.at)

    def body(self, block: s.Block, scope: Scope) -> v.Value | None:
        """What the function returns."""
        try:
            self.statement(block, scope)
        except _Left as left:
            return left.value
        return None

    # Statements

    def statement(self, statement: s.Node, scope: Scope) -> None:
        if self.steps_left is not None:
            self.steps_left -= 1
        getattr(self, _DO[type(statement)])(statement, scope)

    def _do_block(self, block: s.Block, scope: Scope) -> None:
        inner = Scope(scope)
        for statement in block.statements:
            self.statement(statement, inner)

    def _do_several(self, several: s.Several, scope: Scope) -> None:
        for declaration in several.statements:
            self._do_declare(declaration, scope)

    def _do_declare(self, declaration: s.Declare, scope: Scope) -> None:
        initial = declaration.initial
        value = None if initial is None else self.value(initial, scope)
        self.declare(scope, declaration, value, declaration.at if initial is None else initial.at)

    def _do_assign(self, statement: s.Assign, scope: Scope) -> None:
        value = self.value(statement.value, scope)
        if statement.operator is not None:
            before = self.value(statement.target, scope)
            value = self.combine(statement.operator, before, value, statement.at, statement.value.at)
        self.assign(statement.target, value, scope)

    def assign(self, target: s.Node, value: v.Value, scope: Scope) -> None:
        if isinstance(target, s.Name):
            variable = self.variable(target, scope)
            variable.value = self.fitted(value, variable.type, len(variable.type.lengths), target.at)
        elif isinstance(target, s.Index):
            array, index = self.element(target, scope)
            array[index] = self.like(array[index], value, target.at)
        elif isinstance(target, s.Field):
            base = self.value(target.base, scope)
            old = self._field(target, scope)
            if isinstance(base, complex):
                parts = {"real": base.real, "imag": base.imag} | {target.name: self.like(old, value, target.at)}
                self.assign(target.base, complex(**parts), scope)
            else:
                base[target.name] = self.like(old, value, target.at)
        else:
            raise StreamItError(target.at, "only a variable, an element or a field can be assigned to")

    def like(self, old: v.Value, new: v.Value, at: Position) -> v.Value:
        """The new value in the old one's type."""
        if isinstance(old, list | dict):
            if type(old) is not type(new):
                raise StreamItError(at, f"{v.kind_of(new)} where an array or struct is needed")
            return v.copy(new)
        base = {bool: "boolean", int: "int", float: "float", complex: "complex"}[type(old)]
        try:
            return v.convert(new, base)
        except ValueError:
            raise StreamItError(at, f"{v.kind_of(new)} where {base} is needed") from None

    def _do_evaluate(self, statement: s.Evaluate, scope: Scope) -> None:
        self.value(statement.expression, scope)

    def _do_push(self, statement: s.Push, scope: Scope) -> None:
        self.tape.push(statement.at, self.value(statement.value, scope))

    def _do_if(self, statement: s.If, scope: Scope) -> None:
        if self.value(statement.condition, scope):
            self.statement(statement.yes, Scope(scope))
        elif statement.no is not None:
            self.statement(statement.no, Scope(scope))

    def _do_loop(self, loop: s.Loop, scope: Scope) -> None:
        inner = Scope(scope)
        if loop.initial is not None:
            self.statement(loop.initial, inner)
        first = not loop.test_first
        while first or loop.condition is None or self.value(loop.condition, inner):
            first = False
            if self.steps_left is not None and self.steps_left < 0:
                raise StreamItError(loop.at, "this loop does not come to an end")
            try:
                self.statement(loop.body, Scope(inner))
            except _Left as left:
                if left.how == "break":
                    return
                if left.how == "return":
                    raise
            if loop.step is not None:
                self.statement(loop.step, inner)

    def _do_leave(self, statement: s.Leave, scope: Scope) -> None:
        raise _Left(statement.how)

    def _do_return(self, statement: s.Return, scope: Scope) -> None:
        raise _Left("return", None if statement.value is None else self.value(statement.value, scope))

    def _refuse(self, statement: s.Node, scope: Scope) -> None:
        raise StreamItError(statement.at, "streams can only be built in a pipeline, splitjoin or feedbackloop")

    _do_add = _do_divide = _do_enqueue = _refuse
