"""Gold sequences of a public corpus of nested calls, run over a real server: what a reference names is what arrives.

Every operation answers with an object of the fields that the corpus declares for it, made of values that are easily
bent: integers beyond 2^53, decimals with their zeros, texts that look like numbers, lists, booleans.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import pytest

from tests.run.kit import done, turn
from tests.shared import SHARED, needs_shared
from thinkagent.engine.paths import Path as ReferencePath
from thinkagent.events import CallSending, Observed, RepairAsked
from thinkagent.journal import read_log
from thinkagent.minds.scripted import ScriptedMind
from thinkagent.run.agent import Agent, load_tools
from thinkagent.run.replay import replay_now
from thinkagent.run.world import Permission

pytestmark = needs_shared

REFERENCE = re.compile(r"\$(var\d+)(?:\.([^$]*))?\$")
ARITHMETIC = re.compile(r".*\$.* [*+/-] .*|.* [*+/-] .*\$.*")
LEAVES = [
    "17",
    "1.10",
    '"007"',
    "true",
    "9007199254740993",
    '"1.10"',
    "12345678901234567890123.40",
    '["a b", 2, "3"]',
    "false",
    '"Zürich & Köln/<>?=+%41"',
    "1e2",
    "-0.50",
    '"true"',
]
NUMBERS = ["1.10", "92.1250", "9007199254740993", "0.07"]


class Number(str):
    """A JSON number as it was spelled."""


def spelled(text: str) -> Any:
    """Read JSON with every number kept as its spelling."""
    return json.loads(text, parse_int=Number, parse_float=Number)


def with_types(value: Any) -> Any:
    """Make 17 and "17" differ when compared."""
    if isinstance(value, dict):
        return {key: with_types(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_types(item) for item in value]
    return (type(value).__name__, value)


def on_the_wire(value: Any) -> list[str]:
    """What a query parameter of this value looks like to a server (style form, explode)."""
    if isinstance(value, list):
        return [part for item in value for part in on_the_wire(item)]
    return ["true" if value is True else "false" if value is False else str(value)]


@dataclass
class Corpus:
    """Tasks, and operations as an OpenAPI document."""

    tasks: list[Any]
    operations: dict[str, Any]
    by_body: bool
    numeric: set[tuple[str, str]] = field(default_factory=set)
    """Fields that some task calculates with, so they must be numbers."""

    def path_of(self, name: str) -> str:
        operation = self.operations[name]
        names = "".join(f"{{{parameter}}}" for parameter in operation.get("path_parameters", ()))
        return f"/{name}{operation.get('endpoint', '')}{names}"

    def document(self) -> dict[str, Any]:
        return {
            "openapi": "3.1.0",
            "info": {"title": "corpus", "version": "1"},
            "paths": {
                self.path_of(name): {"post" if self.by_body else "get": self._operation(name)}
                for name in self.operations
            },
        }

    def _operation(self, name: str) -> dict[str, Any]:
        operation = self.operations[name]
        content = {"application/json": {"schema": {"type": "object"}}}
        made = {"operationId": name, "responses": {"200": {"description": "ok", "content": content}}}
        names = [*self.parameters(name)]
        if self.by_body:
            schema = {"type": "object", "properties": {key: {} for key in names}, "additionalProperties": False}
            return {**made, "requestBody": {"content": {"application/json": {"schema": schema}}}}
        in_path = operation.get("path_parameters", {})
        return {
            **made,
            "parameters": [
                {"name": one, "in": "path", "required": True, "schema": {}}
                if one in in_path
                else {"name": one, "in": "query", "schema": {}}
                for one in names
            ],
        }

    def parameters(self, name: str) -> list[str]:
        """Those of the operation, and the few more that its gold calls use."""
        operation = self.operations[name]
        named = [
            one for kind in ("path_parameters", "query_parameters", "arguments") for one in operation.get(kind, ())
        ]
        used = [
            one for task in self.tasks for call in task["output"] if call["name"] == name for one in call["arguments"]
        ]
        return list(dict.fromkeys([*named, *used]))

    def fields_at(self, producer: str, keys: tuple[str | int, ...]) -> list[str] | None:
        """Follow a way into a producer's declared output; the real fields where it leads nowhere, else None."""
        known: Any = self.operations[producer]["output_parameters"]
        for key in keys:
            if isinstance(key, int):
                continue
            if not isinstance(known, dict) or key not in known:
                return list(known) if isinstance(known, dict) else []
            known = below(known[key])
        return None

    def answer(self, name: str, number: int) -> str:
        """The JSON text that an operation answers with the n-th time."""
        counter = iter(range(number, 10_000))

        def make(declared: Any, place: tuple[str, ...]) -> str:
            inner = below(declared)
            if inner:
                text = ", ".join(f"{json.dumps(key)}: {make(item, (*place, key))}" for key, item in inner.items())
                is_list = isinstance(declared, dict) and str(declared.get("type")).lower() == "array"
                return f"[{{{text}}}]" if is_list else f"{{{text}}}"
            pool = NUMBERS if (name, ".".join(place)) in self.numeric else LEAVES
            return pool[next(counter) % len(pool)]

        fields = self.operations[name]["output_parameters"].items()
        return "{" + ", ".join(f"{json.dumps(key)}: {make(item, (key,))}" for key, item in fields) + "}"


def below(declared: Any) -> dict[str, Any]:
    """The fields inside a declared field; none where it is a scalar."""
    if not isinstance(declared, dict):
        return {}
    inner = declared.get("properties") or declared.get("items", {}).get("properties", {})
    return inner if isinstance(inner, dict) else {}


def way(text: str | None) -> tuple[str | int, ...]:
    """The corpus writes `company.cik`, `author[0].id`, and keys with blanks."""
    if text is None:
        return ()
    return tuple(int(part) if part.isdigit() else part for part in re.split(r"\.|\[|\]\.?", text) if part)


def load_corpus(data: str, spec: str, *, by_body: bool) -> Corpus:
    tasks, operations = (json.loads((SHARED / "data/nestful" / file).read_text("utf-8")) for file in (data, spec))
    corpus = Corpus(tasks, {operation["name"]: operation for operation in operations}, by_body)
    for task in tasks:
        producers = {call.get("label"): call["name"] for call in task["output"]}
        for value in (value for call in task["output"] for value in call["arguments"].values()):
            if ARITHMETIC.fullmatch(str(value)):
                corpus.numeric |= {(producers[label], name) for label, name in REFERENCE.findall(value)}
    return corpus


class Server:
    """Answers every operation and keeps what it saw, by the first part of the path: one part a task."""

    def __init__(self, corpus: Corpus) -> None:
        self.seen: dict[str, list[tuple[str, dict[str, Any], str]]] = {}
        names = {corpus.path_of(name).partition("{")[0]: name for name in corpus.operations}
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                split = urlsplit(self.path)
                task, _, path = split.path[1:].partition("/")
                start = max((one for one in names if f"/{unquote(path)}".startswith(one)), key=len)
                sent: dict[str, Any] = {}
                for key, value in parse_qsl(split.query, keep_blank_values=True, strict_parsing=bool(split.query)):
                    sent.setdefault(key, []).append(value)
                for key in corpus.operations[names[start]].get("path_parameters", ()):
                    sent[key] = [unquote(f"/{path}")[len(start) :]]
                self.reply(task, names[start], sent)

            def do_POST(self) -> None:
                task, _, path = unquote(self.path)[1:].partition("/")
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                self.reply(task, names[f"/{path}"], spelled(body))

            def reply(self, task: str, name: str, sent: dict[str, Any]) -> None:
                calls = server.seen.setdefault(task, [])
                content = corpus.answer(name, len(calls) * 5 + int(task))
                calls.append((name, sent, content))
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content.encode())))
                self.end_headers()
                self.wfile.write(content.encode())

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing on the terminal."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@dataclass
class Script:
    """The replies for one task, and for each what must come of it: a sending, or words of a refusal."""

    replies: list[Any] = field(default_factory=list)
    expected: list[Any] = field(default_factory=list)
    missing: int = 0
    """References that lead nowhere."""
    reckoned: int = 0

    def send(self, reply: Any, name: str, arguments: dict[str, Any]) -> None:
        self.replies.append(reply)
        self.expected.append(("sent", name, arguments))

    def refuse(self, reply: Any, words: list[str]) -> None:
        self.replies.append(reply)
        self.expected.append(("refused", words))


class Writer:
    """Puts one gold sequence into turns."""

    def __init__(self, corpus: Corpus, names: dict[str, str], task: Any) -> None:
        self.corpus, self.names, self.task = corpus, names, task
        self.script = Script()
        self.steps: dict[str, tuple[str, int]] = {}
        """Label to operation and the number of its request."""
        self.sent = 0

    def write(self) -> Script:
        for call in self.task["output"]:
            if call["name"] == "var_result":
                self.finish(call["arguments"])
            else:
                self.call(call)
        return self.script

    def call(self, call: Any) -> None:
        arguments = {key: self.reckoned(value) for key, value in call["arguments"].items()}
        misses = [words for value in arguments.values() if (words := self.miss(value)) is not None]
        self.script.missing += len(misses)
        if misses:
            self.script.refuse(self.reply(call, arguments), misses[0])
            arguments = {
                key: value if self.miss(value) is None else "given by hand" for key, value in arguments.items()
            }
        label = call["label"]
        if label in self.steps:
            self.script.refuse(self.reply(call, arguments), [label])
            label = f"{label}_again"
        self.script.send(self.reply({**call, "label": label}, arguments), call["name"], arguments)
        self.steps[label] = (call["name"], self.sent)
        self.sent += 1

    def finish(self, arguments: dict[str, Any]) -> None:
        kept = {key: value for key, value in arguments.items() if self.miss(value) is None}
        self.script.missing += len(arguments) - len(kept)
        if kept != arguments:
            words = next(words for value in arguments.values() if (words := self.miss(value)) is not None)
            self.script.refuse(done(self.converted(arguments), *self.steps), words)
        self.script.replies.append(done(self.converted(kept), *self.steps))
        self.script.expected.append(("answer", kept))

    def reply(self, call: Any, arguments: dict[str, Any]) -> Any:
        given = self.converted(arguments)
        wrapped = {"body": given} if self.corpus.by_body else given
        return turn(self.names[call["name"]], wrapped, save_as=call["label"])

    def converted(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return {key: self.reference(value) for key, value in arguments.items()}

    def reference(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return REFERENCE.sub(lambda m: ReferencePath("steps", m[1], "result", way(m[2])).reference, value)

    def miss(self, value: Any) -> list[str] | None:
        """What the refusal of this value must name: the producer's real fields, or the steps that there are."""
        for label, name in REFERENCE.findall(str(value)):
            if label not in self.steps:
                return [repr(one) for one in self.steps] or [label]
            real = self.corpus.fields_at(self.steps[label][0], way(name or None))
            if real is not None:
                return [repr(one) for one in real]
        return None

    def reckoned(self, value: Any) -> Any:
        """Let code calculate where the corpus writes arithmetic; `value` then names the step that holds it."""
        if not ARITHMETIC.fullmatch(str(value)):
            return value
        self.script.reckoned += 1
        expression = REFERENCE.sub(lambda m: f"{m[1]}[{m[2]!r}]", value)
        name = f"reckoned_{self.script.reckoned}"
        reply = turn("compute", {"expression": expression}, save_as=name)
        words = self.miss(value)
        if words is not None:
            self.script.refuse(reply, words)
            self.script.missing += len(REFERENCE.findall(value))
            return "given by hand"
        self.script.replies.append(reply)
        self.script.expected.append(("computed",))
        return Reckoned(name, value)


class Reckoned(str):
    """A reference to a computed step; `formula` is what it stands for."""

    formula: str

    def __new__(cls, name: str, formula: str) -> Reckoned:
        made = super().__new__(cls, f"<<steps.{name}.result>>")
        made.formula = formula
        return made


@dataclass
class Outcome:
    problems: list[str] = field(default_factory=list)
    arrived: int = 0
    missing: int = 0
    reckoned: int = 0


def value_of(writer: Writer, calls: list[Any], value: Any) -> Any:
    """What an argument of the corpus stands for, read from the answers that the server gave."""
    if isinstance(value, Reckoned):
        factor, _, reference = value.formula.partition(" * ")
        return Decimal(factor) * Decimal(value_of(writer, calls, reference))
    found = REFERENCE.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return spelled(json.dumps(value))
    step = spelled(calls[writer.steps[found[1]][1]][2])
    for key in way(found[2]):
        step = step[key]
    return step


def judge(writer: Writer, calls: list[Any], result: Any) -> Outcome:
    """Compare what arrived, what was refused and what was answered with the gold sequence."""
    script, outcome = writer.script, Outcome(missing=writer.script.missing, reckoned=writer.script.reckoned)
    records = [record.event for record in result.records]
    refusals = [str(e.message) for e in records if isinstance(e, RepairAsked)]
    refusals += [
        str(e.observation) for e in records if isinstance(e, Observed) and e.observation["status"] == "invalid"
    ]
    if result.status != "done":
        outcome.problems.append(f"it ended as {result.status}: {result.reason}")
    wanted = [entry for entry in script.expected if entry[0] == "sent"]
    if len(calls) != len(wanted) or sum(isinstance(e, CallSending) for e in records) != len(wanted):
        outcome.problems.append(f"{len(calls)} requests arrived, {len(wanted)} were to be sent")
    for (_, name, arguments), (seen_name, sent, _) in zip(wanted, calls, strict=False):
        if seen_name != name or set(sent) != set(arguments):
            outcome.problems.append(f"{name}: {seen_name} with {sorted(sent)} arrived")
            continue
        for key, value in arguments.items():
            compare(outcome, writer, calls, f"{name}.{key}", value, sent[key])
    for entry in script.expected:
        if entry[0] == "refused":
            if not any(all(word in text for word in entry[1][:4]) for text in refusals):
                outcome.problems.append(f"no refusal names {entry[1]}: {refusals}")
        elif entry[0] == "answer":
            for key, value in entry[1].items():
                if with_types(spelled(text_of(result.answer[key]))) != with_types(value_of(writer, calls, value)):
                    outcome.problems.append(f"the answer's {key} is {result.answer[key]!r}")
                else:
                    outcome.arrived += 1
    return outcome


def compare(outcome: Outcome, writer: Writer, calls: list[Any], where: str, value: Any, sent: Any) -> None:
    wanted = value_of(writer, calls, value)
    if isinstance(wanted, Decimal):
        equal = Decimal(sent[0]) == wanted and "E" not in sent[0]
    elif writer.corpus.by_body:
        equal = with_types(sent) == with_types(wanted)
    else:
        equal = sent == on_the_wire(wanted)
    if not equal:
        outcome.problems.append(f"{where}: {value!r} is {wanted!r}, {sent!r} arrived")
    elif isinstance(value, Reckoned) or REFERENCE.search(str(value)):
        outcome.arrived += 1


def text_of(value: Any) -> str:
    from thinkagent.values import write_json

    return write_json(value)


def run_all(corpus: Corpus, log_dir: Any) -> Iterator[tuple[int, Outcome]]:
    tools = load_tools(corpus.document())
    paths = {line.path: line.name for line in tools.lines}
    names = {name: paths[corpus.path_of(name)] for name in corpus.operations}
    with Server(corpus) as server:
        for number, task in enumerate(corpus.tasks):
            writer = Writer(corpus, names, task)
            agent = Agent(
                tools.document,
                mind=ScriptedMind(writer.write().replies),
                base_url=f"{server.url}/{quote(str(number))}",
                permission=Permission(allow_writes=True),
                answer_schema={"type": "object"},
                environ={"TZ": "UTC"},
                log_dir=log_dir,
            )
            result = asyncio.run(agent.run(task["input"]))
            outcome = judge(writer, server.seen.get(str(number), []), result)
            replayed = replay_now(read_log(result.log))
            if not replayed.same:
                outcome.problems.append(f"its replay differs: {replayed.difference}")
            yield number, outcome


@pytest.mark.parametrize(
    ("data", "spec", "by_body", "tasks", "operations", "arrived", "missing", "reckoned"),
    [
        pytest.param(
            "executable-data.dev.json", "executable-spec.json", False, 43, 39, 142, 16, 4, id="executable, by query"
        ),
        pytest.param("sgd-data.json", "sgd-spec.json", True, 46, 30, 162, 2, 0, id="dialogue services, by body"),
    ],
)
def test_every_reference_arrives_or_is_refused(
    tmp_path, data, spec, by_body, tasks, operations, arrived, missing, reckoned
):
    """Every sequence runs to its end: a reference arrives as its producer's value, or is refused with what is there."""
    corpus = load_corpus(data, spec, by_body=by_body)
    assert (len(corpus.tasks), len(corpus.operations)) == (tasks, operations)
    outcomes = dict(run_all(corpus, tmp_path))
    assert {number: outcome.problems for number, outcome in outcomes.items() if outcome.problems} == {}
    assert len(outcomes) == tasks
    assert sum(outcome.arrived for outcome in outcomes.values()) == arrived
    assert sum(outcome.missing for outcome in outcomes.values()) == missing
    assert sum(outcome.reckoned for outcome in outcomes.values()) == reckoned
    assert arrived + missing == len(REFERENCE.findall(str(corpus.tasks)))
