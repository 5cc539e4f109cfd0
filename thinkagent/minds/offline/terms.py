"""The terms of the grammar: names and values, resources, fields, comparisons, things and which of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from thinkagent.minds.offline.dates import DateTerms
from thinkagent.minds.offline.fields import Field, fields_of
from thinkagent.minds.offline.patterns import Env, Found, Reader
from thinkagent.minds.offline.query import Entity, Literal, Operator
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.vocabulary import Vocabulary
from thinkagent.minds.offline.words import Token, join_tokens, number_value, tokenize
from thinkagent.tools.model import Tool

__all__ = ["Terms", "body_of", "fields_named"]

_LINKS = {"of", "the", "de", "van", "von", "der", "da", "di", "la", "le"}
_LOOSE_LINKS = _LINKS | {"and", "&", "for", "in", "on", "to", "a"}
"""Between the capitals of a name that exists; a new name is never put together with these."""
_NO_VALUES = {
    "not", "no", "none", "nothing", "null", "empty", "blank", "missing", "unknown", "any", "all", "the", "a", "an",
    "it", "them", "him", "her", "something", "anything", "other", "another", "new", "same", "default", "itself", "each",
    "both", "空", "无", "没有", "什么", "默认", "别的", "其他",
}  # fmt: skip
_CJK_BARRED = set("的了是有在给把每并将吗呢被，。、？！")
_COMPARISONS: tuple[tuple[str, Operator], ...] = (
    ("(more|greater|higher|larger|bigger|heavier|longer) than", ">"),
    ("(over|above|exceeding|exceeds|exceed)", ">"),
    ("(less|fewer|lower|smaller|lighter|shorter|cheaper) than", "<"),
    ("(under|below)", "<"),
    ("(at least|no less than|no fewer than|not less than|minimum of)", ">="),
    ("(at most|no more than|not more than|up to|maximum of)", "<="),
    ("(exactly|equal to)", "=="),
    (">", ">"),
    ("<", "<"),
    ("(>=|≥)", ">="),
    ("(<=|≤)", "<="),
    ("(=|==)", "=="),
    ("(大于|高于|超过|多于|超出)[了]", ">"),
    ("(小于|低于|少于|不到|不足)", "<"),
    ("(大于等于|不低于|不少于|不小于|至少|最少)", ">="),
    ("(小于等于|不超过|不高于|不多于|不大于|至多|最多)", "<="),
    ("(等于|正好|恰好|刚好)", "=="),
)
COMPARISON_PATTERNS = tuple(pattern for pattern, _ in _COMPARISONS)
_SHORT = re.compile(r"[A-Za-z]?\d*[A-Za-z]?")
NAMED_FIRST = "[the] {whole_name:literal} {resource}"
ENTITY_PATTERNS = (
    "[the] {resource} [number|no.|no|#|id|named|called|titled|with [the] (id|name)] {whole_name:literal}",
    "[the] {resource} (with|whose) [the] {entity_field} [is|=] {whole_name:literal}",
    "{resource}{whole_name:literal}",
    "{whole_name:literal}[号]{resource}",
    "(名为|名叫|叫|叫做|编号为|编号是|编号|标题为|id为){whole_name:literal}的{resource}",
    "{entity_field}(为|是){whole_name:literal}的{resource}",
)


def body_of(resource: Resource, tool: Tool | None) -> Resource:
    """Give the fields of an operation's body in the form of a resource, so that words can be looked up in them."""
    body = tool.parameters.get("properties", {}).get("body") if tool is not None else None
    if tool is None or not isinstance(body, dict):
        return replace(resource, fields=(), details=())
    schema = {**body, "$defs": tool.parameters.get("$defs", {})}
    return replace(resource, fields=fields_of(schema, resource.words), details=())


def _lies_within(resource: Resource) -> set[tuple[str, ...]]:
    """Give the keys of the resources that one of these lies in, as its paths say."""
    operations = [resource.get, resource.patch, resource.put, resource.delete]
    inner = {key for one in operations if one is not None for _, key in one.parents}
    return inner | {key for listing in resource.listings for _, key in listing.parents}


def fields_named(resource: Resource, text: str) -> list[tuple[Field, float]]:
    """Give the fields that a phrase names best, with the cost; several are equally near."""
    tokens = tokenize(text)
    found = [
        (reading.field, reading.cost)
        for reading in Vocabulary(tokens, ()).fields_at(0, resource)
        if reading.end == len(tokens)
    ]
    least = min((cost for _, cost in found), default=0.0)
    return [(one, cost) for one, cost in found if cost <= least + 0.01]


class Terms:
    """What the patterns are made of, over one task."""

    def __init__(self, tokens: Sequence[Token], resources: Sequence[Resource], now: datetime) -> None:
        self.tokens = tokens
        self.reader = Reader(tokens)
        self.words = Vocabulary(tokens, resources)
        self.known: set[int] = set()
        """Places of tokens that are function words; the parser fills it."""
        self.now = now
        DateTerms(self.reader, now)
        self.reader.terms |= {
            "poss": self.possessive,
            "literal": self.literal,
            "value": self.value,
            "whole_name": self.whole_name,
            "entity": self.entity,
            "entity_field": self.entity_field,
            "resource": self.resource,
            "compare": self.comparison,
            "quantity": self.quantity,
            "adjective": self.adjective,
            "number_field": lambda at, env: self._fields(at, env, ("number",)),
            "date_field": lambda at, env: self._fields(at, env, ("date", "moment")),
            "text_field": lambda at, env: self._fields(at, env, ("text", "any")),
            "any_field": lambda at, env: self._fields(at, env, ()),
            "attribute": self.attribute,
            "verb": self.verb,
        }
        self._bodies: dict[str, Resource] = {}
        self._entities: dict[int, list[Found]] = {}

    def body(self, resource: Resource, tool: Tool | None) -> Resource:
        name = tool.name if tool is not None else ""
        key = f"{name} {resource.key}"
        if key not in self._bodies:
            self._bodies[key] = body_of(resource, tool)
        return self._bodies[key]

    # names and values

    def possessive(self, at: int, env: Env) -> Iterator[Found]:
        if at < len(self.tokens) and self.tokens[at].lower == "'s":
            yield Found("'s", at + 1, 0.0)

    def literal(self, at: int, env: Env, links: set[str] = _LINKS) -> Iterator[Found]:
        """Read a name, an identifier, or anything in quotation marks."""
        if at >= len(self.tokens):
            return
        token = self.tokens[at]
        if token.lower == "#" and at + 1 < len(self.tokens) and self.tokens[at + 1].kind in ("number", "id"):
            yield Found(Literal(self.tokens[at + 1].text, "id"), at + 2, 0.0)
        elif token.kind == "quoted":
            yield Found(Literal(token.text, "quoted"), at + 1, 0.0)
        elif token.kind in ("number", "email", "date"):
            yield Found(Literal(token.text, token.kind), at + 1, 0.1)
        elif token.kind == "cjk":
            yield from self._cjk_name(at)
        elif token.kind in ("word", "id"):
            yield from self._latin_name(at, links)

    def _is_known(self, at: int) -> bool:
        return at in self.known or self.words.covers(at) > 0

    def _latin_name(self, at: int, links: set[str]) -> Iterator[Found]:
        token = self.tokens[at]
        if token.kind == "id":
            yield Found(Literal(token.text, "id"), at + 1, 0.0 if not self.words.covers(at) else 0.6)
        known = self._is_known(at)
        if (token.capitalised or token.kind == "id") and not (known and at == 0):
            for end, linked in self._capital_runs(at, links):
                if end == at + 1 and token.kind == "id":
                    continue
                text = join_tokens(self.tokens[at:end])
                yield Found(Literal(text, "name"), end, (0.6 if known else 0.1) + (2.0 if linked else 0.0))
        elif token.kind == "word" and not known and not token.capitalised:
            owns = at + 1 < len(self.tokens) and self.tokens[at + 1].lower == "'s"
            yield Found(Literal(token.text, "name" if owns else "word"), at + 1, 0.3)
            for end in (at + 2, at + 3):
                run = self.tokens[at:end]
                if end >= len(self.tokens) or self.tokens[end].lower != "'s":
                    continue
                if all(one.kind == "word" and not self._is_known(place) for place, one in enumerate(run, at)):
                    yield Found(Literal(join_tokens(run), "name"), end, 0.3)

    def _capital_runs(self, at: int, links: set[str]) -> Iterator[tuple[int, bool]]:
        """Give where a name may end that begins here: at the end of the capitals, and beyond links between them."""
        end, linked, last = at + 1, False, 0
        while end < len(self.tokens) and last < 12:
            last += 1
            token = self.tokens[end]
            if token.kind in ("word", "id", "number") and (token.capitalised or token.kind != "word"):
                end += 1
                continue
            after = end
            while after < len(self.tokens) and self.tokens[after].lower in links:
                after += 1
            follows = after < len(self.tokens) and self.tokens[after].kind == "word" and self.tokens[after].capitalised
            if after == end or not follows:
                break
            yield end, linked
            end, linked = after + 1, True
        yield end, linked

    def _cjk_name(self, at: int) -> Iterator[Found]:
        text = ""
        known = 0.4 if self.words.covers(at) else 0.0
        for end in range(at, min(at + 12, len(self.tokens))):
            token = self.tokens[end]
            glued = end == at or token.start == self.tokens[end - 1].end
            if token.kind not in ("cjk", "id", "word", "number") or not glued or token.text in _CJK_BARRED:
                return
            if self.words.covers(end) > 1 or end in self.known:
                return
            text += token.text
            if end > at:
                yield Found(Literal(text, "name"), end + 1, 0.3 + known)

    def value(self, at: int, env: Env) -> Iterator[Found]:
        """Read a value to be stored or compared: a literal, or one plain word even if it is known."""
        for found in self.literal(at, env):
            if found.value.kind == "quoted" or found.value.text.lower() not in _NO_VALUES:
                yield found
        if at >= len(self.tokens) or self.tokens[at].lower in _NO_VALUES:
            return
        token = self.tokens[at]
        if token.kind == "word" and (self._is_known(at) or token.capitalised):
            yield Found(Literal(token.text, "word"), at + 1, 0.7)
        if token.kind == "cjk":
            text = ""
            for end in range(at, min(at + 12, len(self.tokens))):
                if self.tokens[end].kind != "cjk" or self.tokens[end].text in _CJK_BARRED:
                    break
                text += self.tokens[end].text
                if text not in _NO_VALUES:
                    yield Found(Literal(text, "word"), end + 1, 0.7)

    def entity(self, at: int, env: Env) -> Iterator[Found]:
        """Read one thing: `member Nora Field`, `ticket 21`, a bare name, `chapter two in book atlas`."""
        if at not in self._entities:
            self._entities[at] = []
            self._entities[at] = list(self._read_entities(at))
        yield from self._entities[at]

    def _read_entities(self, at: int) -> Iterator[Found]:
        for found in self._plain_entities(at):
            yield found
            if found.value.resource is not None and _lies_within(found.value.resource):
                for joint in self.reader.read("(in|of|inside|within|from|under)", found.end, {}):
                    for outer in self.entity(joint.end, {}):
                        yield from self._nested(found, outer, outer.end)
        for found in self._plain_entities(at, outer=True):
            for joint in self.reader.read("(中|里|下|内|里面)的", found.end, {}):
                for inner in self.entity(joint.end, {}):
                    yield from self._nested(inner, found, inner.end)

    def _nested(self, inner: Found, outer: Found, end: int) -> Iterator[Found]:
        entity: Entity = inner.value
        around: Entity = outer.value
        if entity.resource is None or around.resource is None:
            return
        if around.resource.key in _lies_within(entity.resource):
            yield Found(replace(entity, within=around), end, inner.cost + outer.cost - 0.2)

    def _plain_entities(self, at: int, *, outer: bool = False) -> Iterator[Found]:
        for found in self.reader.read_any(ENTITY_PATTERNS, at, {}):
            resource = found.value["resource"]
            field = found.value.get("entity_field")
            if field is not None:
                fitting = [one for owner, one, _ in field if owner is resource]
                for one in fitting:
                    yield Found(Entity(resource, found.value["literal"], one), found.end, found.cost)
            else:
                literal = found.value["literal"]
                # `room 5` may be a name as a whole
                called = f"{resource.label} {literal.text}" if _SHORT.fullmatch(literal.text) else ""
                yield Found(Entity(resource, literal, called=called), found.end, found.cost)
        for found in self.reader.read(NAMED_FIRST, at, {}):
            # `the north wing` names a wing, `the nicest members` names nobody
            if found.value["literal"].kind != "word" or not found.value["resource"].naming:
                yield Found(Entity(found.value["resource"], found.value["literal"]), found.end, found.cost)
        for found in () if outer else self.reader.read("[the] {whole_name}", at, {}):
            literal = found.value["whole_name"]
            if literal.kind not in ("number", "date"):
                yield Found(Entity(None, literal), found.end, found.cost + 0.1)

    def whole_name(self, at: int, env: Env) -> Iterator[Found]:
        """Read the name of something that exists: it may go on in small letters, as `Oil filter` does."""
        for found in self.literal(at, env, _LOOSE_LINKS):
            yield found
            end = found.end
            while found.value.kind == "name" and end < len(self.tokens) and end < found.end + 2:
                token = self.tokens[end]
                if token.kind != "word" or token.capitalised or self._is_known(end) or token.lower == "'s":
                    break
                end += 1
                yield Found(Literal(join_tokens(self.tokens[at:end]), "name"), end, found.cost + 0.5)

    def entity_field(self, at: int, env: Env) -> Iterator[Found]:
        for found in self.attribute(at, env):
            options = tuple(option for option in found.value if option[1].kind in ("text", "any", "number"))
            if options:
                yield Found(options, found.end, found.cost)

    # words of the document

    def resource(self, at: int, env: Env) -> Iterator[Found]:
        for reading in self.words.resources_at(at):
            yield Found(reading.resource, reading.end, reading.cost + 0.1)

    def attribute(self, at: int, env: Env) -> Iterator[Found]:
        """Read the name of a field of any resource; the value holds (resource, field, cost) for each that has one."""
        by_end: dict[int, list[tuple[Resource, Field, float]]] = {}
        for resource in self.words.resources:
            for reading in self.words.fields_at(at, resource):
                by_end.setdefault(reading.end, []).append((resource, reading.field, reading.cost))
        for end, options in by_end.items():
            yield Found(tuple(options), end, 0.1)

    def _fields(self, at: int, env: Env, kinds: tuple[str, ...]) -> Iterator[Found]:
        for reading in self.words.fields_at(at, env["of"]):
            if not kinds or reading.field.kind in kinds:
                yield Found(reading.field, reading.end, reading.cost + 0.1)

    def adjective(self, at: int, env: Env) -> Iterator[Found]:
        """Read an enumerated value or a true boolean of the resource at hand; the value is (field, value)."""
        for reading in self.words.values_at(at, env["of"]):
            yield Found((reading.field, reading.value), reading.end, reading.cost + 0.1)

    def verb(self, at: int, env: Env) -> Iterator[Found]:
        """Read the name of an operation of a resource's own; the value is (resource, operation)."""
        for resource in self.words.resources:
            own = (resource.delete,) if resource.delete is not None and resource.delete.verbs else ()
            for operation in (*resource.actions, *own):
                for end, cost in self.words.match(at, operation.verbs):
                    # `closed tickets` orders nothing: an order is the verb itself
                    if cost == 0.0 or (cost < 1.0 and self.tokens[at].kind == "cjk"):
                        yield Found((resource, operation), end, cost + 0.1)

    # comparisons

    def comparison(self, at: int, env: Env) -> Iterator[Found]:
        for pattern, operator in _COMPARISONS:
            for found in self.reader.read(pattern, at, {}):
                yield Found(operator, found.end, 0.0)

    def quantity(self, at: int, env: Env) -> Iterator[Found]:
        if at < len(self.tokens) and (value := number_value(self.tokens[at])) is not None:
            yield Found(value, at + 1, 0.0)
        for found in self.reader.terms["n"](at, env):
            if at < len(self.tokens) and self.tokens[at].kind == "cjk":
                yield Found(Decimal(found.value), found.end, 0.0)
