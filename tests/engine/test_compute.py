"""Computations: exact numbers, dates of the run, and errors that say what to write instead."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thinkagent.engine.compute import ComputeError, ComputeLimits, Sandbox, compute, steps_used
from thinkagent.engine.references import ReferenceMiss, Scope, StepValue
from thinkagent.values import Secret, read_json, same, write_json

NOW = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
ORDERS = read_json(
    '{"orders": [{"id": "o1", "customerId": "c1", "total": 20.10, "at": "2026-11-01T10:00:00Z", "note": null},'
    ' {"id": "o2", "customerId": "c2", "total": 0.20, "at": "2026-01-01T10:00:00+02:00", "note": "x"}], "total": 2}'
)
SCOPE = Scope(
    steps={
        "orders": StepValue(ORDERS, 200, {"ETag": "1"}, items=ORDERS["orders"]),
        "customers": StepValue(read_json('[{"id": "c1"}, {"id": "c2"}, {"id": "c3", "since": "2026-01-05"}]'), 200),
        "gone": StepValue(status=404, state="http_error", reason="404; no such customer"),
        "empty": StepValue(status=204),
        "login": StepValue({"token": Secret("t1.token")}),
        "coupons": StepValue(outcomes=[{"item": "c1", "status": "ok", "http": 201, "result": {"id": "p1"}}]),
        "big": StepValue(read_json("[9007199254740993, 8812349007199254741, 1.10, 0.10, 1E-7]")),
        "rate": StepValue(read_json('{"Exchange Rate": 1.10}')),
        "odd": StepValue({"lone": "a\ud800b", "escape": "\\ud800", "last": "\U0010ffff"}),
        "none": StepValue([], 200),
    },
    inputs={"day": "2026-11-30", "odd key": read_json("1.50"), "factor": 3},
)


@pytest.fixture(scope="module")
def calculate():
    """Compute in one loop with one sandbox, as a run does."""
    with asyncio.Runner() as runner:
        sandbox = Sandbox(limits=ComputeLimits(time_s=20))

        def calculate(expression, scope=SCOPE, zone="Europe/Berlin", now=NOW):
            return runner.run(sandbox.compute(expression, scope, now=now, zone=zone))

        yield calculate
        runner.run(sandbox.close())


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        pytest.param("0.1 + 0.2", "0.3", id="decimal-literals"),
        pytest.param("1 / 3", "0." + "3" * 60, id="division-of-60-digits"),
        pytest.param("10 / 2", "5", id="whole-quotient"),
        pytest.param("100.00 / 4", "25", id="whole-quotient-of-decimals"),
        pytest.param("round(2091.50 / 34, 2)", "61.51", id="average"),
        pytest.param("7 // 2, 7 % 2", "[3,1]", id="integer-division"),
        pytest.param("2 ** -1, 2 ** 10", "[0.5,1024]", id="powers"),
        pytest.param("1.10", "1.10", id="digits-kept"),
        pytest.param("0.123456789012345678901234567890", "0.123456789012345678901234567890", id="long-literal"),
        pytest.param("123456789012345678901234567890 * 10", "1234567890123456789012345678900", id="long-integer"),
        pytest.param(
            "big[0] + 1, big[1], big[2], big[4]", "[9007199254740994,8812349007199254741,1.10,1E-7]", id="data"
        ),
        pytest.param("big[2] * 1.5", "1.650", id="decimal-times-literal"),
        pytest.param("sum(o['total'] for o in orders['orders'])", "20.30", id="sum"),
        pytest.param("sum([])", "0", id="sum-of-nothing"),
        pytest.param("min(big), max(big)", "[1E-7,8812349007199254741]", id="extremes"),
        pytest.param("sorted([1.5, 1, 0.5])", "[0.5,1,1.5]", id="sorted"),
        pytest.param("float('1.10') + float(2)", "3.10", id="float-is-decimal"),
        pytest.param("list(map(float, ['1.5', '2']))", "[1.5,2]", id="float-as-a-function"),
        pytest.param("[isinstance(x, (int, float)) for x in [1.5, 1, 'a']]", "[true,true,false]", id="isinstance"),
        pytest.param("math.sqrt(16) * 1.5", "6.0", id="math-without-import"),
        pytest.param("import math\nround(math.pi * 2, 4)", "6.2832", id="math-constant"),
        pytest.param("from math import sqrt\nsqrt(16) * 0.5", "2.0", id="function-of-math"),
        pytest.param("x = 3\nx /= 2\nx", "1.5", id="augmented-division"),
        pytest.param("d = {'a': 1}\nd['a'] /= 4\nd", '{"a":0.25}', id="augmented-division-of-an-element"),
        pytest.param("f'{1 / 3:.2f} of {2.50}'", '"0.33 of 2.50"', id="f-string"),
        pytest.param("'%.1f' % 2.25", '"2.2"', id="percent-format"),
        pytest.param("match 2.5:\n  case 2.5: r = 'y'\n  case _: r = 'n'\nr", '"y"', id="literal-in-a-pattern"),
        pytest.param("json.loads('[1.10]')[0] + 1", "2.10", id="json"),
        pytest.param("<<steps.rate.result['Exchange Rate']>> * 5", "5.50", id="reference-in-an-expression"),
        pytest.param("5 * rate['Exchange Rate']", "5.50", id="key-with-a-blank"),
        pytest.param("1 << 3", "8", id="shift"),
        pytest.param("inputs.factor * inputs['odd key']", "4.50", id="inputs"),
        pytest.param("inputs.get('nope', 7)", "7", id="inputs-as-an-object"),
    ],
)
def test_numbers_are_exact(calculate, expression, result):
    assert write_json(calculate(expression)) == result


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        pytest.param(
            "[c['id'] for c in customers if c['id'] not in {o['customerId'] for o in steps.orders.items}]",
            '["c3"]',
            id="anti-join",
        ),
        pytest.param("len(orders['orders'])", "2", id="count"),
        pytest.param("steps['orders']['status'], steps.gone.status", "[200,404]", id="status"),
        pytest.param("sorted(steps['gone'])", '["headers","status"]', id="what-a-failed-step-has"),
        pytest.param("len(steps)", "10", id="all-steps"),
        pytest.param("[c['result']['id'] for c in coupons if c['status'] == 'ok']", '["p1"]', id="outcomes"),
        pytest.param("next(c for c in customers if c['id'] == 'c2')", '{"id":"c2"}', id="next-of-a-generator"),
        pytest.param("next((c for c in customers if c['id'] == 'c9'), None)", "null", id="next-with-default"),
        pytest.param("Counter(o['customerId'] for o in orders['orders'])", '{"c1":1,"c2":1}', id="counter"),
        pytest.param("[gone for gone in [1, 2]]", "[1,2]", id="own-variable-of-a-failed-step's-name"),
        pytest.param("total = 0\nfor o in orders['orders']:\n    total += o['total']\ntotal", "20.30", id="lines"),
        pytest.param("orders = orders['orders']\nlen(orders)", "2", id="step-name-set-anew"),
        pytest.param("  x = 1\n  x + 1\n", "2", id="indented"),
        pytest.param("```python\n1 + 1\n```", "2", id="fenced"),
        pytest.param("total = 5", "5", id="last-line-sets"),
        pytest.param("return 5", "5", id="last-line-returns"),
        pytest.param("print('x')\n1", "1", id="print-goes-nowhere"),
        pytest.param("{3, 1, 2}", "[1,2,3]", id="set-of-numbers"),
        pytest.param("{'b', 'a', 1, (2, 3)}", '[1,"a","b",[2,3]]', id="set-of-all-kinds"),
        pytest.param("(1, (2,)), range(2), {'a': 1}.keys()", '[[1,[2]],[0,1],["a"]]', id="lists-of-all-kinds"),
        pytest.param(
            "{2026: 1, None: 2, True: 3, date(2026, 1, 2): 4}", '{"2026":1,"null":2,"true":3,"2026-01-02":4}', id="keys"
        ),
        pytest.param("odd", write_json(SCOPE.steps["odd"].result), id="lone-surrogates"),
        pytest.param(
            "login['token'], 'Bearer ' + login['token']",
            '["«secret t1.token»","Bearer «secret t1.token»"]',
            id="secret",
        ),
    ],
)
def test_data_is_reached_and_comes_back_as_json(calculate, expression, result):
    assert write_json(calculate(expression)) == result


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        pytest.param("today", "2026-12-01", id="today-in-the-zone"),
        pytest.param("now", "2026-12-01T00:30:00+01:00", id="now-in-the-zone"),
        pytest.param("date.today()", "2026-12-01", id="frozen-today"),
        pytest.param("datetime.now()", "2026-12-01T00:30:00", id="frozen-now"),
        pytest.param(
            "datetime.datetime.now().year, datetime.date.today()", [2026, "2026-12-01"], id="datetime-as-module"
        ),
        pytest.param("import datetime\ndatetime.date.today()", "2026-12-01", id="datetime-imported"),
        pytest.param("today - timedelta(days=30)", "2026-11-01", id="30-days-ago"),
        pytest.param("(today - date.fromisoformat('2026-11-01')).days", 30, id="days-between"),
        pytest.param(
            "[o['id'] for o in orders['orders'] if datetime.fromisoformat(o['at']) < now - timedelta(days=60)]",
            ["o2"],
            id="older-than",
        ),
        pytest.param("timedelta(days=3) / timedelta(days=2)", 1.5, id="ratio-of-times"),
        pytest.param("(timedelta(days=3) / 2).total_seconds() * 0.5", 64800, id="half-a-time"),
        pytest.param("import time\ntime.sleep(100)\nint(time.time())", int(NOW.timestamp()), id="sleep-is-nothing"),
    ],
)
def test_the_clock_is_the_runs(calculate, expression, result):
    assert same(calculate(expression), read_json(write_json(result)))


@pytest.mark.parametrize(
    ("zone", "today"),
    [("UTC", "2026-11-30"), ("Asia/Tokyo", "2026-12-01"), ("America/New_York", "2026-11-30"), ("+01:00", "2026-11-30")],
)
def test_today_is_that_of_the_zone(calculate, zone, today):
    """A zone without a name in the database has the offset of the run's now."""
    assert calculate("today", zone=zone) == today


def test_the_same_expression_gives_the_same_text_again(calculate):
    expression = "{'n': now, 'r': random.random(), 's': {o['id'] for o in orders['orders']}, 'h': hash('a')}"
    assert write_json(calculate(expression)) == write_json(calculate(expression))


@pytest.mark.parametrize(
    ("expression", "code", "told"),
    [
        pytest.param(
            "orders['orders'][0]['totl']",
            "compute_key",
            ["orders['orders'][0] has no key 'totl'", "'total'", "Did you mean 'total'?"],
            id="misspelt-key",
        ),
        pytest.param("sum(o['totl'] for o in orders['orders'])", "compute_key", ["'total'"], id="missing-is-not-zero"),
        pytest.param("<<steps.orders.result.totl>>", "compute_key", ["'total'"], id="misspelt-key-of-a-reference"),
        pytest.param("orders['orders'][5]", "compute_index", ["has no element [5]; it has 2"], id="out-of-range"),
        pytest.param("none[0]", "compute_index", ["It is empty"], id="empty-list"),
        pytest.param("orders['orders']['id']", "compute_key", ["a list of 2", "[x['id'] for"], id="key-of-a-list"),
        pytest.param("orders['orders'][0]['note']['a']", "compute_key", ["null", "is not None"], id="key-of-null"),
        pytest.param("[o['id'] for o in orders['total']['x']]", "compute_key", ["the number 2"], id="key-of-a-number"),
        pytest.param("[o['id'] for o in inputs]", "compute_key", ["the text 'day'"], id="key-of-a-text"),
        pytest.param("len(orders)", "compute_envelope", ["not its list of 2", "orders['orders']"], id="count"),
        pytest.param("[o for o in orders]", "compute_envelope", ["orders['orders']"], id="loop-over-envelope"),
        pytest.param("sum(steps.orders.result)", "compute_envelope", ["['result']['orders']"], id="sum-of-envelope"),
        pytest.param("customers[0].id", "compute_failed", ['x["id"]'], id="dot-instead-of-brackets"),
        pytest.param("ordes", "compute_name", ["'orders'", "Did you mean 'orders'?"], id="misspelt-variable"),
        pytest.param("factor", "compute_name", ["inputs.factor"], id="input-without-inputs"),
        pytest.param("orders['total'] * math.inf * 0", "compute_result", ["no number in JSON"], id="nan"),
        pytest.param("float('nan')", "compute_result", ["no number in JSON"], id="nan-by-name"),
        pytest.param("Decimal('Infinity')", "compute_result", ["no number in JSON"], id="infinity"),
        pytest.param("sum([]) / len([])", "compute_failed", ["division by zero", "if xs else None"], id="average"),
        pytest.param("max([])", "compute_failed", ["default=None"], id="extreme-of-none"),
        pytest.param("datetime.fromisoformat('2026-01-01') < now", "compute_failed", ["tzinfo=now.tzinfo"], id="naive"),
        pytest.param(
            "datetime.fromisoformat('2026-01-01') - now", "compute_failed", ["tzinfo=now.tzinfo"], id="naive-"
        ),
        pytest.param("today < now", "compute_failed", ["x.date()"], id="date-and-time"),
        pytest.param("customers[2]['since'] < today", "compute_failed", ["date.fromisoformat"], id="text-and-date"),
        pytest.param("date.fromisoformat('5 January')", "compute_failed", ["fromisoformat"], id="no-date"),
        pytest.param("[1, None, 3][1] < 2", "compute_failed", ["is not None"], id="null-compares"),
        pytest.param("'3' * 1.5", "compute_failed", ["TypeError"], id="text-times-number"),
        pytest.param("'3' / 2", "compute_failed", ["Decimal(x)"], id="text-divided"),
        pytest.param(
            "json.loads('1', parse_int=float) * 0 + Decimal(1)\nsum([getattr(math, 'pi'), Decimal(1)])",
            "compute_failed",
            ["Decimal(str(x))"],
            id="float-plus-decimal",
        ),
        pytest.param("next([1])", "compute_failed", ["next(iter("], id="next-of-a-list"),
        pytest.param("next(c for c in customers if c['id'] == 'c9')", "compute_failed", ["default"], id="found"),
        pytest.param("x = [1]\ndel x[0]\nx", "compute_failed", ["no del", "line"], id="del"),
        pytest.param("import statistics\n1", "compute_failed", ["sum(xs) / len(xs)"], id="statistics"),
        pytest.param("import zoneinfo\n1", "compute_failed", ["timezone(timedelta"], id="zoneinfo"),
        pytest.param("import pandas\n1", "compute_failed", ["There are math"], id="no-such-module"),
        pytest.param("lambda: 1", "compute_result", ["type function"], id="function"),
        pytest.param("class A: pass\nA()", "compute_result", ["type A"], id="object"),
        pytest.param("b'a'", "compute_result", ["Decode it"], id="bytes"),
        pytest.param("timedelta(days=3)", "compute_result", [".days"], id="timedelta"),
        pytest.param("{(1, 2): 3}", "compute_result", ["key of type tuple"], id="tuple-as-a-key"),
        pytest.param("{1: 1, '1': 2}", "compute_result", ["two keys"], id="keys-that-fall-together"),
        pytest.param("a = []\na.append(a)\na", "compute_result", ["holds itself"], id="cycle"),
        pytest.param("1 +", "compute_syntax", ["invalid syntax", "line 1, column"], id="syntax"),
        pytest.param("x = (1\ny", "compute_syntax", ["line"], id="syntax-in-lines"),
        pytest.param("", "compute_syntax", ["empty"], id="empty"),
        pytest.param("# nothing", "compute_syntax", ["empty"], id="comment-alone"),
        pytest.param("'\0'", "compute_syntax", ["no Python"], id="null-byte"),
        pytest.param("-" * 15_000 + "1", "compute_syntax", ["no Python"], id="deep-source"),
        pytest.param("1+" * 9_000 + "1", "compute_syntax", ["no Python"], id="wide-source"),
        pytest.param("'" + "x" * 30_000 + "'", "compute_syntax", ["30002 characters"], id="long-source"),
        pytest.param("for i in [1]: pass", "compute_syntax", ["last line gives no value"], id="no-value"),
        pytest.param("print(1)", "compute_syntax", ["print shows nothing"], id="print-as-result"),
        pytest.param("<<orders.result.total>> * 2", "compute_syntax", ['steps["orders"]["result"]'], id="false-ref"),
        pytest.param("'<<steps.orders.result.total>>'", "compute_syntax", ["without quotes"], id="quoted-reference"),
        pytest.param("f'{1} <<steps.orders.result.total>>'", "compute_syntax", ["without quotes"], id="in-f-string"),
        pytest.param("<<steps.orders.total>>", "compute_syntax", ["steps.orders.result.total"], id="bad-reference"),
        pytest.param("<<item.id>>", "compute_name", ["no item"], id="item"),
        pytest.param("eval('1')", "compute_name", ["eval"], id="eval"),
        pytest.param("d = [1]\nd[len(d) - 1] /= 2\nd", "compute_syntax", ["x = x / y"], id="augmented-with-a-call"),
    ],
)
def test_an_error_says_what_to_write_instead(calculate, expression, code, told):
    with pytest.raises(ComputeError) as caught:
        calculate(expression)
    assert caught.value.code == code
    assert all(words in str(caught.value) for words in told), str(caught.value)
    assert "thinkagent" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        pytest.param("gone['id']", "404; no such customer", id="failed-step"),
        pytest.param("steps.gone.result", "404; no such customer", id="result-of-a-failed-step"),
        pytest.param("empty", "no body", id="no-body"),
        pytest.param("steps.nope.result", "no step is called 'nope'", id="no-step"),
        pytest.param("steps['nope']", "no step is called 'nope'", id="no-step-in-brackets"),
        pytest.param("inputs.dya", "Did you mean 'day'?", id="no-input"),
        pytest.param("steps.coupons.result", "outcomes", id="result-of-for-each"),
    ],
)
def test_a_step_without_a_value_is_a_miss(calculate, expression, told):
    with pytest.raises(ReferenceMiss, match=told):
        calculate(expression)


def test_the_line_is_told_where_there_are_several(calculate):
    with pytest.raises(ComputeError) as caught:
        calculate("x = 1\n\nfor o in orders['orders']:\n    y = o['nope']\nx")
    assert caught.value.where == "line 3"


@pytest.mark.parametrize(
    ("expression", "used"),
    [
        ("len(orders['orders'])", ("orders",)),
        ("steps.customers.items, orders['total']", ("orders", "customers")),
        ("<<steps.big.result[0]>> + 1", ("big",)),
        ("[k for k in steps]", tuple(SCOPE.steps)),
        ("1 + 1", ()),
    ],
)
def test_the_steps_of_an_expression_are_known(expression, used):
    assert steps_used(expression, SCOPE) == used


def test_thousands_of_rows_go_in_and_out(calculate):
    rows = [{"id": f"o{number}", "total": number, "tags": ["a"]} for number in range(20_000)]
    scope = Scope({"rows": StepValue(rows)})
    assert calculate("sum(r['total'] for r in rows) / len(rows)", scope) == read_json("9999.5")
    assert calculate("rows", scope) == rows


@pytest.mark.parametrize("zone", ["UTC", "Nowhere/At-All", "", "../../etc/passwd"])
def test_a_naive_now_and_a_strange_zone_do_no_harm(calculate, zone):
    assert calculate("now", now=datetime(2026, 1, 2, 3, 4), zone=zone) == "2026-01-02T03:04:00+00:00"


def test_one_computation_needs_no_sandbox_of_the_callers():
    assert asyncio.run(compute("1 / 4", Scope(), now=NOW)) == read_json("0.25")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text()
    | st.decimals(allow_nan=False, allow_infinity=False, places=3) | st.integers(10**38, 10**40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(json_values)
def test_any_value_comes_back_as_it_went_in(calculate, value):
    """Read back from a log it is the very same, types included."""
    value = read_json(write_json(value))
    result = calculate("x", Scope({"x": StepValue(value)}))
    assert same(result, value)
    assert write_json(result) == write_json(read_json(write_json(result)))
    assert write_json(result) == write_json(value)
