"""The wall round a computation: no way out, no endless work, nothing left behind."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from datetime import UTC, datetime

import pytest

from thinkagent.engine.compute import ComputeError, ComputeLimits, Sandbox
from thinkagent.engine.references import Scope, StepValue

NOW = datetime(2026, 11, 30, tzinfo=UTC)
LIMITS = ComputeLimits(time_s=0.3, memory_bytes=64 * 1024 * 1024)


def run(expression, scope=Scope(), limits=LIMITS):
    async def main():
        async with Sandbox(limits=limits, processes=1) as sandbox:
            try:
                return await sandbox.compute(expression, scope, now=NOW)
            finally:
                assert await sandbox.compute("1 + 1", scope, now=NOW) == 2, "the sandbox must go on"

    return asyncio.run(main())


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param("[].__class__.__mro__[1].__subclasses__()", id="class-walk"),
        pytest.param("().__class__.__base__", id="base-class"),
        pytest.param("getattr(1, '__class__')", id="getattr"),
        pytest.param("'{0.__class__}'.format(1)", id="format"),
        pytest.param("f'{(1).__class__}'", id="f-string"),
        pytest.param("(lambda: 1).__globals__", id="globals-of-a-function"),
        pytest.param("(lambda: 1).__code__", id="code-of-a-function"),
        pytest.param("try:\n  1 / 0\nexcept Exception as e:\n  r = e.__traceback__.tb_frame\nr", id="traceback"),
        pytest.param("(x for x in [1]).gi_frame", id="generator-frame"),
        pytest.param("__import__('os').system('id')", id="import-function"),
        pytest.param("__builtins__", id="builtins"),
        pytest.param("globals()", id="globals"),
        pytest.param("import os\nos.system('id')", id="system"),
        pytest.param("import os\nos.fork()", id="fork"),
        pytest.param("import os\nos.environ['PATH']", id="environment"),
        pytest.param("import os\nos.getenv('PATH')", id="getenv"),
        pytest.param("import os\nos.listdir('/')", id="listdir"),
        pytest.param("import sys\nsys.modules['os']", id="modules"),
        pytest.param("import sys\nsys._getframe()", id="frame"),
        pytest.param("import re\nre.sys", id="module-through-a-module"),
        pytest.param("import subprocess\n1", id="subprocess"),
        pytest.param("import socket\n1", id="socket"),
        pytest.param("import urllib.request\n1", id="urllib"),
        pytest.param("import ctypes\n1", id="ctypes"),
        pytest.param("import thinkagent\n1", id="modules-of-the-host"),
        pytest.param("open('/etc/passwd').read()", id="read-a-file"),
        pytest.param("open('/tmp/x', 'w').write('x')", id="write-a-file"),
        pytest.param("import pathlib\npathlib.Path('/etc/passwd').read_text()", id="path"),
        pytest.param("input()", id="standard-input"),
        pytest.param("breakpoint()\n1", id="debugger"),
        pytest.param("raise SystemExit(3)\n1", id="exit"),
        pytest.param("raise KeyboardInterrupt\n1", id="interrupt"),
        pytest.param("exit()", id="exit-function"),
    ],
)
def test_there_is_no_way_out(expression):
    with pytest.raises(ComputeError) as caught:
        run(expression)
    assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        pytest.param("while True: pass\n1", "compute_time", id="endless-loop"),
        pytest.param("while True: print('x' * 1000)\n1", "compute_time", id="endless-output"),
        pytest.param("sum(i for i in range(10**12))", "compute_memory", id="endless-generator"),
        pytest.param("try:\n  while True: pass\nexcept Exception:\n  r = 1\nr", "compute_time", id="caught-limit"),
        pytest.param("int(Decimal('1E+10000000'))", "compute_time", id="busy-inside-one-operation"),
        pytest.param("'x' * 10**11", "compute_memory", id="huge-text"),
        pytest.param("[0] * 10**10", "compute_memory", id="huge-list"),
        pytest.param("9 ** 9 ** 9", "compute_memory", id="huge-number"),
        pytest.param("def f(n): return f(n + 1)\nf(0)", "compute_depth", id="endless-depth"),
        pytest.param("['x'] * 2_000_000", "compute_result", id="huge-result"),
        pytest.param("10 ** 5000", "compute_result", id="long-result"),
        pytest.param("'x' * 40_000_000", "compute_result", id="long-text-as-result"),
    ],
)
def test_time_memory_and_depth_are_limited(expression, code):
    started = time.monotonic()
    with pytest.raises(ComputeError) as caught:
        run(expression)
    assert caught.value.code == code
    assert caught.value.hint
    assert time.monotonic() - started < 20


def test_nothing_is_left_from_one_computation_to_the_next():
    async def main():
        async with Sandbox(limits=LIMITS, processes=1) as sandbox:
            await sandbox.compute("leak = 5", Scope(), now=NOW)
            with pytest.raises(ComputeError, match="no variable is called 'leak'"):
                await sandbox.compute("leak", Scope(), now=NOW)

    asyncio.run(main())


def test_what_is_printed_goes_nowhere(capfd):
    assert run("import sys\nprint('loud')\nprint('louder', file=sys.stderr)\n1") == 1
    assert capfd.readouterr() == ("", "")


def test_hostile_data_is_only_data():
    texts = ['"""\nimport os', "'); 1/0 #", "\\", "<<steps.a.result>>", "{x}", "\x00", "\u2028", "\U0001f600"]
    scope = Scope({"a": StepValue({text: [text] for text in texts})})
    assert run("a", scope) == scope.steps["a"].result


def test_a_cancelled_computation_ends_its_worker_at_once():
    async def main():
        async with Sandbox(limits=ComputeLimits(time_s=60), processes=1) as sandbox:
            assert await sandbox.compute("1", Scope(), now=NOW) == 1
            task = asyncio.create_task(sandbox.compute("while True: pass\n1", Scope(), now=NOW))
            await asyncio.sleep(0)
            started = time.monotonic()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await sandbox.compute("2", Scope(), now=NOW) == 2, "the only place must be free again"
            assert time.monotonic() - started < 20

    asyncio.run(main())


def test_a_closed_sandbox_may_be_used_again():
    async def main():
        sandbox = Sandbox(limits=LIMITS, processes=1)
        for _ in range(2):
            assert await sandbox.compute("1", Scope(), now=NOW) == 1
            await sandbox.close()
            await sandbox.close()

    asyncio.run(main())


def test_computations_run_side_by_side_without_mixing():
    async def main():
        async with Sandbox(limits=ComputeLimits(time_s=20)) as sandbox:
            scopes = [Scope({"x": StepValue(number)}) for number in range(8)]
            found = await asyncio.gather(*(sandbox.compute("x * 10", scope, now=NOW) for scope in scopes))
            assert found == [number * 10 for number in range(8)]

    asyncio.run(main())


SCRIPT = """
import asyncio
from datetime import UTC, datetime
from thinkagent.engine.compute import ComputeError, ComputeLimits, Sandbox
from thinkagent.engine.scope import Scope

async def main():
    sandbox = Sandbox(limits=ComputeLimits(time_s=0.2))
    for expression in ("1", "while True: print(1)\\n1"):
        try:
            await sandbox.compute(expression, Scope(), now=datetime.now(UTC))
        except ComputeError as error:
            assert error.code == "compute_time", error

asyncio.run(main())
print("end")
"""


def test_the_program_ends_well_also_with_an_open_sandbox():
    for _ in range(4):
        done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_the_sandbox_is_imported_only_by_the_first_computation():
    code = "import sys, thinkagent.engine.compute; print([m for m in sys.modules if 'monty' in m or m == 'httpx'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
