"""Rewrite an expression's syntax tree: exact numbers, explained misses, steps and inputs as variables."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from thinkagent.engine.compute_errors import ComputeError
from thinkagent.engine.paths import STEP_PARTS, Path
from thinkagent.engine.scope import INTERNAL_PREFIX
from thinkagent.values import clip

__all__ = ["Rewriter", "bound_names", "call_helper", "name_node"]

_AS_LIST = frozenset({"len", "sum", "sorted", "min", "max", "list", "set", "enumerate", "any", "all", "reversed"})
_FLOAT_MODULES = frozenset({"math", "random", "time"})
_FLOAT_METHODS = frozenset({"total_seconds", "timestamp"})
_REFUSED = frozenset({"eval", "exec", "compile"})
_DATETIME_NAMES = frozenset({"datetime", "date", "timedelta", "timezone"})
_DICT_METHODS = frozenset({"get", "keys", "values", "items"})


def bound_names(tree: ast.AST) -> set[str]:
    """Collect the names that the code sets anywhere: assigned, imported, parameters, functions."""
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            bound.add(node.rest)
    return bound


def name_node(name: str, context: ast.expr_context | None = None) -> ast.Name:
    """Make a node for a variable, read unless `context` says otherwise."""
    return ast.Name(name, context or ast.Load())


def call_helper(helper: str, *arguments: ast.expr) -> ast.Call:
    """Make a call of one of the prelude's helpers."""
    return ast.Call(name_node(f"{INTERNAL_PREFIX}{helper}"), list(arguments), [])


class Rewriter(ast.NodeTransformer):
    """Rewrites one statement after another and remembers what they want to be handed.

    `/` and `**` become helpers, float literals names of decimals, `x[k]` a helper that can say what `x` has instead,
    `steps.NAME.result` and `inputs.NAME` variables, calls that give binary floats are made exact.
    """

    def __init__(self, source: str, references: Mapping[str, Path], bound: set[str]) -> None:
        self.source = source
        self.references = references
        self.bound = bound
        self.paths: dict[str, Path] = {}
        self.constants: dict[str, str] = {}
        self.counted: set[str] = set()
        self.float_names: set[str] = {"pow", "sqrt"}

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, str):
            self._refuse_quoted_reference(node.value)
        if not isinstance(node.value, float):
            return node
        written = (ast.get_source_segment(self.source, node) or "").replace("_", "")
        if not _spells(written, node.value):
            written = repr(node.value)
        name = f"{INTERNAL_PREFIX}constant_{len(self.constants)}"
        self.constants[name] = written
        return name_node(name)

    def _refuse_quoted_reference(self, text: str) -> None:
        for name, path in self.references.items():
            if name in text:
                raise ComputeError(
                    f"{path.reference} stands between quotes and would be plain text",
                    code="compute_syntax",
                    hint=f"Write {_as_python(path)} without quotes",
                )

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.MatchValue:
        # A name in the place of a literal would catch everything.
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.references:
            path = self.references[node.id]
            value: ast.expr = self._variable(Path(path.root, path.name, path.part))
            for place, key in enumerate(path.keys):
                text = _as_python(Path(path.root, path.name, path.part, path.keys[:place]))
                value = call_helper("at", value, ast.Constant(key), ast.Constant(text))
            return value
        if node.id in _REFUSED and node.id not in self.bound:
            raise ComputeError(
                f"{node.id} is not allowed in an expression", code="compute_name", hint="Write the expression itself"
            )
        if node.id == "float" and isinstance(node.ctx, ast.Load) and "float" not in self.bound:
            return name_node(f"{INTERNAL_PREFIX}float")
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        helper = _operator(node.op)
        return call_helper(helper, node.left, node.right) if helper else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        helper = _operator(node.op)
        if not helper:
            self.generic_visit(node)
            return node
        if any(isinstance(inner, ast.Call | ast.NamedExpr | ast.Await) for inner in ast.walk(node.target)):
            raise ComputeError(
                "this kind of `/=` is not understood", code="compute_syntax", hint="Write x = x / y instead of x /= y"
            )
        target = ast.parse(ast.unparse(node.target), mode="eval").body
        return self.visit_Assign(
            ast.copy_location(ast.Assign([node.target], ast.BinOp(target, node.op, node.value)), node)
        )

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        if node.module in _FLOAT_MODULES:
            self.float_names.update(alias.asname or alias.name for alias in node.names)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if way := self._way(node):
            return way
        owner = node.value
        if isinstance(owner, ast.Name) and isinstance(node.ctx, ast.Load) and owner.id not in self.bound:
            if owner.id == "datetime" and node.attr in _DATETIME_NAMES:
                return name_node(node.attr)
            if owner.id == "math" and node.attr in ("pi", "e", "tau"):
                return call_helper("exact", node)
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if way := self._way(node):
            return way
        text = clip(ast.unparse(node.value), 80)
        text = self._readable(text)
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice | ast.Tuple):
            return node
        return call_helper("at", node.value, node.slice, ast.Constant(text))

    def _readable(self, text: str) -> str:
        for name, path in self.references.items():
            text = text.replace(name, _as_python(path))
        return text

    def _way(self, node: ast.Attribute | ast.Subscript) -> ast.expr | None:
        """Turn `steps.orders.result` or `inputs["x"]` into a variable; None where it is something else."""
        keys: list[str] = []
        here: ast.expr = node
        while isinstance(here, ast.Attribute | ast.Subscript) and isinstance(here.ctx, ast.Load):
            if isinstance(here, ast.Attribute):
                keys.insert(0, here.attr)
            elif isinstance(here.slice, ast.Constant) and isinstance(here.slice.value, str):
                keys.insert(0, here.slice.value)
            else:
                return None
            here = here.value
        if not isinstance(here, ast.Name) or here.id in self.bound or keys[0] in _DICT_METHODS:
            return None
        if here.id == "inputs" and len(keys) == 1:
            return self._variable(Path("inputs", keys[0]))
        if here.id == "steps" and len(keys) == 2 and keys[1] in STEP_PARTS:
            return self._variable(Path("steps", keys[0], keys[1]))
        if here.id == "steps" and len(keys) == 1:
            return self._variable(Path("steps", keys[0]))
        return None

    def _variable(self, path: Path) -> ast.Name:
        for name, known in self.paths.items():
            if known == path:
                return name_node(name)
        name = f"{INTERNAL_PREFIX}way_{len(self.paths)}"
        self.paths[name] = path
        return name_node(name)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) and node.func.id not in self.bound else ""
        if name == "isinstance" and len(node.args) == 2:
            types = _FloatTypes().visit(node.args[1])
            return ast.Call(node.func, [self.visit(node.args[0]), types], node.keywords)
        if name == "next" and node.args and isinstance(node.args[0], ast.GeneratorExp):
            # The sandbox makes a list of a generator, and a list is no iterator.
            node.args[0] = ast.Call(name_node("iter"), [node.args[0]], [])
        if _is_json_loads(node) and not any(word.arg == "parse_float" for word in node.keywords):
            node.keywords = [*node.keywords, ast.keyword("parse_float", name_node("Decimal"))]
        exact = self._gives_float(node)
        self.generic_visit(node)
        if name in _AS_LIST and len(node.args) == 1:
            self._count(node.args[0])
        return call_helper("exact", node) if exact else node

    def _gives_float(self, node: ast.Call) -> bool:
        if isinstance(node.func, ast.Name):
            return node.func.id in self.float_names
        if not isinstance(node.func, ast.Attribute):
            return False
        owner = node.func.value
        return node.func.attr in _FLOAT_METHODS or (isinstance(owner, ast.Name) and owner.id in _FLOAT_MODULES)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        self._count(node.iter)
        return node

    def visit_For(self, node: ast.For) -> ast.stmt:
        self.generic_visit(node)
        self._count(node.iter)
        return node

    def _count(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name):
            self.counted.add(node.id)


class _FloatTypes(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.expr:
        return name_node(f"{INTERNAL_PREFIX}number_types") if node.id == "float" else node


def _is_json_loads(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and ast.unparse(node.func) == "json.loads"


def _operator(operator: ast.operator) -> str:
    if isinstance(operator, ast.Div):
        return "div"
    return "pow" if isinstance(operator, ast.Pow) else ""


def _spells(written: str, value: float) -> bool:
    try:
        return float(written) == value
    except ValueError:
        return False


def _as_python(path: Path) -> str:
    keys = [path.name, path.part, *path.keys] if path.root == "steps" else [path.name, *path.keys]
    return path.root + "".join(f"[{key!r}]" for key in keys)
