"""Turn the expression a mind wrote into the code that runs in the sandbox.

Float literals and `/` become decimal, a missing key gets its explanation, `steps.NAME.result` and references become
variables, and only what is named is handed in. Nothing here keeps the sandbox shut: that is the sandbox's own work.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from thinkagent.engine.compute_errors import ComputeError
from thinkagent.engine.compute_rewrite import Rewriter, bound_names, call_helper, name_node
from thinkagent.engine.paths import Path, PathError, read_path
from thinkagent.engine.scope import INTERNAL_PREFIX
from thinkagent.values import clip, visible

__all__ = ["Prepared", "prepare"]

MAX_LENGTH = 20_000
OWN_NAMES = ("Decimal", "date", "datetime", "timedelta", "timezone")

_REFERENCE = re.compile(r"<<\s*(?=(?:steps|inputs|item)\s*[.\[])")
_FENCE = re.compile(r"\s*```(?:python|py)?\s*\n(.*?)\s*```\s*", re.DOTALL)
_CLOSING = re.compile(r"\s*>>")
_MODULES = frozenset(
    {"math", "json", "re", "random", "itertools", "functools", "collections", "decimal", "time", "copy"}
)
_FROM_MODULES = {
    "Counter": "collections",
    "defaultdict": "collections",
    "reduce": "functools",
    "groupby": "itertools",
    "ceil": "math",
    "floor": "math",
    "sqrt": "math",
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """Code for the sandbox and what it wants to be handed."""

    code: str
    """Gives the result as its last expression."""
    names: frozenset[str]
    """Variables that are read."""
    bound: frozenset[str]
    """Those of the names that the code sets itself as well."""
    paths: Mapping[str, Path]
    """Variables for ways that begin with `steps` or `inputs`; a step without a part is its whole record."""
    constants: Mapping[str, str]
    """Variables for decimal literals, as they were spelled."""
    imports: tuple[str, ...]
    counted: frozenset[str]
    """Variables that are counted or gone through as they stand."""
    lines: tuple[int, ...]
    """For each line of the code the line of the expression, both from 1."""


@lru_cache(maxsize=64)
def prepare(expression: str) -> Prepared:
    """Read and rewrite an expression, or a few lines whose last is one.

    Raises:
        ComputeError: it is no Python, is empty or too long, or asks for what a computation cannot do.
    """
    source, references = _take_references(_bare(expression))
    tree = _parse(source, expression)
    rewriter = Rewriter(source, references, bound_names(tree))
    body = [rewriter.visit(statement) for statement in _with_result(tree.body)]
    code: list[str] = []
    lines: list[int] = []
    for original, statement in zip(tree.body, body, strict=True):
        written = ast.unparse(ast.fix_missing_locations(statement)).split("\n")
        code += written
        lines += [original.lineno] * len(written)
    names = {node.id for node in ast.walk(ast.Module(body, [])) if isinstance(node, ast.Name)}
    free = names - rewriter.bound
    imports = [f"import {name}" for name in sorted(free & _MODULES)]
    imports += [f"from {_FROM_MODULES[name]} import {name}" for name in sorted(free & _FROM_MODULES.keys())]
    return Prepared(
        code="\n".join([*code, f"{INTERNAL_PREFIX}result"]),
        names=frozenset(names),
        bound=frozenset(rewriter.bound),
        paths=rewriter.paths,
        constants=rewriter.constants,
        imports=tuple(imports),
        counted=frozenset(rewriter.counted),
        lines=tuple(lines),
    )


def _bare(expression: str) -> str:
    """Take away a fence and the indentation that all lines have."""
    fenced = _FENCE.fullmatch(expression)
    return textwrap.dedent(fenced[1] if fenced else expression).strip()


def _take_references(source: str) -> tuple[str, dict[str, Path]]:
    """Put a name in the place of each `<<steps…>>`, which minds write here as they do in arguments."""
    found: dict[str, Path] = {}
    out, at = "", 0
    while opening := _REFERENCE.search(source, at):
        try:
            path, end = read_path(source, opening.end())
        except PathError as error:
            raise ComputeError(error.message, code="compute_syntax", hint=error.hint) from error
        closing = _CLOSING.match(source, end)
        if closing is None:
            out, at = out + source[at : opening.end()], opening.end()
            continue
        if path.root == "item":
            raise ComputeError("there is no item in a computation", code="compute_name", hint="Name a step")
        name = f"{INTERNAL_PREFIX}reference_{len(found)}_"
        found[name] = path
        out, at = out + source[at : opening.start()] + name, closing.end()
    return out + source[at:], found


def _parse(source: str, expression: str) -> ast.Module:
    if len(source) > MAX_LENGTH:
        raise ComputeError(
            f"the expression has {len(source)} characters, more than {MAX_LENGTH}",
            code="compute_syntax",
            hint="Data is not to be written into it: name the step that holds it",
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except SyntaxError as error:
        raise _syntax_error(error, expression) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise ComputeError(f"the expression is no Python: {error}", code="compute_syntax") from error
    if not tree.body:
        raise ComputeError("the expression is empty", code="compute_syntax", hint="Write a Python expression")
    return tree


def _syntax_error(error: SyntaxError, expression: str) -> ComputeError:
    hint = ""
    if "<<" in expression or "{{" in expression or "${" in expression:
        hint = 'Inside an expression a step is a variable: orders, or steps["orders"]["result"]'
    elif "f-string" in str(error.msg):
        hint = "Use other quotes inside the f-string than around it, and no backslash in its braces"
    line = (error.text or "").strip()
    near = f": {visible(clip(line, 80), newlines=False)!r}" if line and INTERNAL_PREFIX not in line else ""
    return ComputeError(
        f"the expression is no Python: {error.msg}{near}",
        code="compute_syntax",
        where=f"line {error.lineno or 1}, column {error.offset or 1}",
        hint=hint,
    )


def _with_result(body: list[ast.stmt]) -> list[ast.stmt]:
    """Let the last line be the result: an expression, `return x`, or the variable that it sets."""
    last = body[-1]
    value: ast.expr | None = None
    if isinstance(last, ast.Expr | ast.Return):
        value = last.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "print":
            raise ComputeError(
                "print shows nothing here: the value of the last line is the result",
                code="compute_syntax",
                where=f"line {last.lineno}",
                hint="Write the value itself as the last line",
            )
    elif isinstance(last, ast.Delete):
        raise ComputeError(
            "there is no del here",
            code="compute_syntax",
            where=f"line {last.lineno}",
            hint="Build a new list or object without it",
        )
    elif isinstance(last, ast.Assign) and len(last.targets) == 1 and isinstance(last.targets[0], ast.Name):
        value = last.value
    if value is None:
        raise ComputeError(
            "the last line gives no value",
            code="compute_syntax",
            where=f"line {last.lineno}",
            hint="Let the last line be the expression that is wanted",
        )
    result = ast.Assign([name_node(f"{INTERNAL_PREFIX}result", ast.Store())], call_helper("out", value))
    return [*body[:-1], ast.copy_location(result, last)]
