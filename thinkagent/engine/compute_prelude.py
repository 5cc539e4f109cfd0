"""What stands before every expression inside the sandbox: exact division, explained misses, results as JSON.

The text below runs in the sandbox, never here. Names that begin with `_thinkagent_` are its own; what it raises
for the host to explain carries `MARK` and a JSON array.
"""

from __future__ import annotations

__all__ = ["DIGITS", "MARK", "MAX_RESULT_VALUES", "PRELUDE"]

DIGITS = 60
"""The precision of decimal division, roots and powers."""

MARK = "\u241fthinkagent:"
MAX_RESULT_VALUES = 1_000_000
MAX_RESULT_CHARACTERS = 32_000_000
MAX_RESULT_DEPTH = 150

PRELUDE = f"""\
import json as _thinkagent_json
from decimal import Decimal, getcontext as _thinkagent_context
from datetime import date, datetime, timedelta, timezone
_thinkagent_context().prec = {DIGITS}
_thinkagent_number_types = (float, Decimal)
_thinkagent_left = [{MAX_RESULT_VALUES}, {MAX_RESULT_CHARACTERS}]
_thinkagent_iterables = ("range", "dict_keys", "dict_values", "dict_items", "deque", "list_iterator", "tuple_iterator")
def _thinkagent_raise(kind, *facts):
    raise kind({MARK!r} + _thinkagent_json.dumps(facts))
def _thinkagent_exact(x):
    if not isinstance(x, float) or x != x or x in (float("inf"), float("-inf")):
        return x
    return Decimal(int(x)) if x == int(x) and abs(x) < 10**15 else Decimal(str(x))
def _thinkagent_float(x=0):
    if isinstance(x, str):
        try:
            return Decimal(x.strip().replace("_", ""))
        except Exception:
            raise ValueError("could not convert string to float: " + repr(x[:40]))
    if isinstance(x, (int, Decimal)):
        return Decimal(x)
    return _thinkagent_exact(float(x))
def _thinkagent_div(a, b):
    if isinstance(a, timedelta):
        if isinstance(b, timedelta):
            a, b = a // timedelta(microseconds=1), b // timedelta(microseconds=1)
        elif isinstance(b, Decimal):
            return timedelta(microseconds=int((a // timedelta(microseconds=1)) / b))
        else:
            return a / b
    a, b = _thinkagent_exact(a), _thinkagent_exact(b)
    if isinstance(b, (int, Decimal)) and b == 0:
        raise ZeroDivisionError("division by zero")
    q = Decimal(a) / b if isinstance(a, int) and isinstance(b, int) else a / b
    if isinstance(q, Decimal) and q.is_finite() and q.adjusted() < {DIGITS - 2} and q == q.to_integral_value():
        return q.quantize(Decimal(1))
    return q
def _thinkagent_pow(a, b):
    a, b = _thinkagent_exact(a), _thinkagent_exact(b)
    return Decimal(a) ** b if isinstance(a, int) and isinstance(b, int) and b < 0 else a ** b
def _thinkagent_at(x, k, text):
    try:
        return x[k]
    except KeyError:
        keys = [str(key) for key in list(x)[:500]]
        _thinkagent_raise(KeyError, "key", text, str(k), keys)
    except IndexError:
        _thinkagent_raise(IndexError, "index", text, str(k), len(x))
    except TypeError:
        if isinstance(x, (list, tuple)):
            facts = ["list", len(x), [str(key) for key in list(x[0])[:100]] if x and isinstance(x[0], dict) else []]
        elif x is None:
            facts = ["null"]
        elif isinstance(x, str):
            facts = ["text", x[:60]]
        elif isinstance(x, (bool, int, Decimal)):
            facts = ["number", str(x)[:60]]
        else:
            raise
        _thinkagent_raise(TypeError, "container", text, str(k), *facts)
def _thinkagent_key(k):
    if isinstance(k, str):
        return k
    if k is None or isinstance(k, bool):
        return {{None: "null", True: "true", False: "false"}}[k]
    if isinstance(k, (int, Decimal, date)):
        return k.isoformat() if isinstance(k, date) else str(k)
    _thinkagent_raise(TypeError, "result", "a key of type " + type(k).__name__, "make it a text")
def _thinkagent_sorted(v):
    try:
        return sorted(v)
    except TypeError:
        return sorted(v, key=lambda x: (type(x).__name__, str(x)))
def _thinkagent_out(v, depth=0):
    _thinkagent_left[0] -= 1
    if v is None or isinstance(v, bool):
        return v
    if isinstance(v, str):
        _thinkagent_left[1] -= len(v)
        if _thinkagent_left[0] < 0 or _thinkagent_left[1] < 0:
            _thinkagent_raise(ValueError, "size")
        return v
    if isinstance(v, int):
        if abs(v) >= 10**4000:
            _thinkagent_raise(ValueError, "size")
        return v
    if isinstance(v, float):
        v = _thinkagent_exact(v)
        if isinstance(v, float):
            _thinkagent_raise(ValueError, "not_finite", str(v))
        return v
    if isinstance(v, Decimal):
        if not v.is_finite():
            _thinkagent_raise(ValueError, "not_finite", str(v))
        return v
    if isinstance(v, (dict, list, tuple, set, frozenset, range)) and len(v) > _thinkagent_left[0]:
        _thinkagent_raise(ValueError, "size")
    if _thinkagent_left[0] < 0 or depth > {MAX_RESULT_DEPTH}:
        _thinkagent_raise(ValueError, "size" if _thinkagent_left[0] < 0 else "depth")
    if isinstance(v, dict):
        found = {{_thinkagent_key(k): _thinkagent_out(x, depth + 1) for k, x in v.items()}}
        if len(found) != len(v):
            _thinkagent_raise(ValueError, "result", "two keys that are one text", "make them differ as texts")
        return found
    if isinstance(v, (set, frozenset)):
        v = _thinkagent_sorted(v)
    if isinstance(v, (list, tuple)) or type(v).__name__ in _thinkagent_iterables:
        return [_thinkagent_out(x, depth + 1) for x in v]
    if isinstance(v, date):
        return v.isoformat()
    name = type(v).__name__
    hints = {{"timedelta": "take .days or .total_seconds()", "bytes": "decode it", "function": "call it"}}
    hint = hints.get(name, "make it a list, an object, a text or a number")
    _thinkagent_raise(TypeError, "result", "a value of type " + name, hint)
"""
