"""Sentences: from the patterns of whole sentences to the queries that they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from thinkagent.minds.offline.commands import Commands
from thinkagent.minds.offline.conditions import owners, price_fields
from thinkagent.minds.offline.fields import Field
from thinkagent.minds.offline.lexicon.rules import read_rules
from thinkagent.minds.offline.patterns import Env, Found
from thinkagent.minds.offline.query import (
    Aggregate,
    Condition,
    Count,
    Entity,
    ListAll,
    Lookup,
    Order,
    Owned,
    Query,
    Refusal,
    Select,
    Show,
    Timed,
    When,
)
from thinkagent.minds.offline.resources import Resource
from thinkagent.minds.offline.terms import fields_named
from thinkagent.minds.offline.times import settle_times
from thinkagent.minds.offline.words import join_tokens

__all__ = ["SENTENCES", "Sentences"]

SENTENCES = read_rules("sentences.txt")

_FUNCTIONS: tuple[tuple[str, str], ...] = (
    ("(average|mean|avg)", "average"),
    ("(average|mean) number of", "average"),
    ("(total|sum|combined|summed|overall)", "sum"),
    ("total number of", "sum"),
    ("(highest|maximum|max|largest|greatest|biggest)", "max"),
    ("(lowest|minimum|min|smallest|least)", "min"),
    ("(sum|total) of (the|all|all the)", "sum"),
    ("average of (the|all|all the)", "average"),
)
_TOGETHER = (("(together|in total|altogether|combined|in all)", "sum"),)
_BEFORE: tuple[tuple[str, str], ...] = (
    ("平均[的]", "average"),
    ("(总共的|总|合计|累计|全部)", "sum"),
    ("(最高|最大)[的]", "max"),
    ("(最低|最小)[的]", "min"),
)
_AFTER: tuple[tuple[str, str], ...] = (
    ("(平均值|平均数|平均|均值)", "average"),
    ("(总和|总计|合计|总额|之和|总数|总量|加起来|一共|总共)", "sum"),
    ("(最大值|最高值|最高|最大)", "max"),
    ("(最小值|最低值|最低|最小)", "min"),
)
FUNCTION_PATTERNS = tuple(pattern for table in (_FUNCTIONS, _BEFORE, _AFTER) for pattern, _ in table)

_MADE = ("创建", "新建", "新增", "添加", "提交", "发布", "产生", "下")
_AMOUNTS = {"total", "amount", "price", "cost", "sum"}
_SUMS = {"total", "sum"}

Meaning = Iterator[tuple[Query | Refusal, float]]


class Sentences(Commands):
    """Reads a whole task; every way to read it is given, with its cost."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.reader.terms |= {
            "attributes": self.attributes,
            "measure": self.measure,
            "numbers": self.numbers,
            "spend": lambda at, env: self.reader.read("(spend|spent|pay|paid)", at, {}),
            "zspend": lambda at, env: self.reader.read("(花费|花|消费|支付|付)[了]", at, {}),
            "together": lambda at, env: self._function(_TOGETHER, at),
            "function": lambda at, env: self._function(_FUNCTIONS, at),
            "zfunction": lambda at, env: self._function(_BEFORE, at),
            "zlast": lambda at, env: self._function(_AFTER, at),
        }

    def sentences(self, at: int, end: int) -> Iterator[Found]:
        """Give every reading of the tokens from `at` to `end` as one sentence."""
        for rule in SENTENCES:
            for found in self.reader.read(rule.pattern, at):
                if found.end != end:
                    continue
                meaning: Callable[[Env], Meaning] = getattr(self, "_mean_" + rule.meaning)
                for query, cost in meaning(found.value):
                    yield Found(query, end, found.cost + cost)

    # terms

    def _function(self, table: tuple[tuple[str, str], ...], at: int) -> Iterator[Found]:
        for pattern, function in table:
            for found in self.reader.read(pattern, at, {}):
                yield Found(function, found.end, 0.0)

    def attributes(self, at: int, env: Env) -> Iterator[Found]:
        """Read one field or several; the value maps each resource that has them all to them and the cost."""
        for first in self.attribute(at, env):
            options = {resource: ((field,), cost) for resource, field, cost in _plain(first.value)}
            yield Found(options, first.end, first.cost)
            for joint in self.reader.read_any(
                ("(,|and|, and) [the|their|its|his|her]", "(和|与|以及|及|、)"), first.end, {}
            ):
                for rest in self.attributes(joint.end, env):
                    both = {
                        resource: (fields + rest.value[resource][0], cost + rest.value[resource][1])
                        for resource, (fields, cost) in options.items()
                        if resource in rest.value
                    }
                    if both:
                        yield Found(both, rest.end, first.cost + rest.cost)

    def measure(self, at: int, env: Env) -> Iterator[Found]:
        """Read what is to be added up or compared; the value is (resource, field, whether the resource was named)."""
        for noun in self.words.resources_at(at):
            starts = [noun.end, *(found.end for found in self.reader.read_any(("{poss}", "的"), noun.end, {}))]
            for start in starts:
                for reading in self.words.fields_at(start, noun.resource):
                    if reading.field.kind == "number":
                        value = (noun.resource, reading.field, True)
                        yield Found(value, reading.end, noun.cost + reading.cost + 0.2)
        for resource in self.words.resources:
            for reading in self.words.fields_at(at, resource) if resource.listings else ():
                if reading.field.kind == "number":
                    yield Found((resource, reading.field, False), reading.end, reading.cost + 0.2)

    def numbers(self, at: int, env: Env) -> Iterator[Found]:
        """Read one field that counts something."""
        for found in self.attributes(at, env):
            options = {one: named for one, named in found.value.items() if named[0][0].kind == "number"}
            if options and all(len(fields) == 1 for fields, _ in options.values()):
                yield Found(options, found.end, found.cost)

    # questions

    def _mean_lookup(self, env: Env) -> Meaning:
        yield from self._lookup(env["attributes"] if "attributes" in env else env["numbers"], env["entity"])

    def _lookup(self, attributes: dict[Resource, tuple[tuple[Field, ...], float]], entity: Entity) -> Meaning:
        fitting = {
            resource: found
            for resource, found in attributes.items()
            if (entity.resource is None or resource is entity.resource) and self._findable(resource, entity)
        }
        if not fitting:
            return
        least = min(cost for _, cost in fitting.values())
        options = tuple((resource, fields) for resource, (fields, cost) in fitting.items() if cost <= least + 0.01)
        doubled = {resource for resource, fields in options if len(fields) != len(set(fields))}
        if doubled or len(options) > 4:
            return
        yield Lookup(options, entity), least

    def _findable(self, resource: Resource, entity: Entity) -> bool:
        if entity.by is not None:
            return bool(resource.listings)
        searchable = bool(resource.listings and (resource.naming or resource.coding))
        if entity.resource is None and entity.literal.kind in ("name", "quoted", "email"):
            return searchable or (resource.get is not None and not resource.fields)
        return searchable or resource.get is not None

    def _mean_price(self, env: Env) -> Meaning:
        prices = {
            resource: ((field,), cost) for resource in self.words.resources for field, cost in price_fields(resource)
        }
        rivals = [resource for resource in prices if len(price_fields(resource)) > 1]
        for resource in rivals:
            if env["entity"].resource is resource:
                names = tuple(field.label for field, _ in price_fields(resource))
                yield Refusal(readings=names), 0.0
        yield from self._lookup({one: found for one, found in prices.items() if one not in rivals}, env["entity"])

    def _mean_date(self, env: Env) -> Meaning:
        dated: dict[Resource, tuple[tuple[Field, ...], float]] = {
            resource: ((field,), cost) for resource, field, cost in env["attribute"] if field.kind in ("date", "moment")
        }
        yield from self._lookup(dated, env["entity"])

    def _mean_show(self, env: Env) -> Meaning:
        entity = env["entity"]
        found = [one for one in self.words.resources if entity.resource in (None, one) and self._findable(one, entity)]
        if 0 < len(found) <= 4:
            yield Show(entity), 0.0 if entity.resource is not None else 0.5

    def _mean_count(self, env: Env) -> Meaning:
        counts = [one for one in env["things"].resource.fields if one.kind == "number" and one.words[-1] == "count"]
        # where things have a count of their own, the count of the things may be theirs
        rivals = counts and any(token.lower == "count" for token in self.tokens[1:])
        if env["things"].order is None and not rivals:
            yield Count(replace(env["things"], asked=True)), 0.0

    def _mean_count_when(self, env: Env) -> Meaning:
        """Count what a time in front of the question narrows: by the date that is named, else by when they began."""
        resource = env["things"].resource
        if "attribute" not in env:
            yield from self._counted_in(env, [(Timed(env["when"]), 0.4)])
        for owner, field, cost in _plain(env.get("attribute", ())):
            if owner is resource and field.kind in ("date", "moment"):
                yield from self._counted_in(env, [(When(field, env["when"]), cost)])

    def _mean_count_created(self, env: Env) -> Meaning:
        yield from self._counted_in(env, self._on_created(env["things"].resource, env))

    def _mean_count_timed(self, env: Env) -> Meaning:
        yield from self._counted_in(env, self._on_timed(env["things"].resource, env))

    def _counted_in(self, env: Env, times: Iterable[tuple[Condition | Timed, float]]) -> Meaning:
        select = env["things"]
        for time, cost in times if select.order is None else ():
            conditions = settle_times(select.resource, (*select.conditions, time))
            if conditions is not None:
                text = f"{self._between(env)}的{select.text}"
                yield Count(replace(select, conditions=conditions, text=text)), cost

    def _between(self, env: Env) -> str:
        """Give what a question that begins with a time says besides how many of what: the time, and the deed."""
        start, end = env["when@"][0], env["things@"][0]
        if start > end:  # how many of them are of that time
            return join_tokens(self.tokens[start:-1])
        deed = join_tokens(self.tokens[slice(*env["attribute@"])]) if "attribute" in env else ""
        made = next((one for one in _MADE if one in join_tokens(self.tokens[env["when@"][1] : end])), "")
        return join_tokens(self.tokens[slice(*env["when@"])]) + (deed or made)

    def _mean_count_of(self, env: Env) -> Meaning:
        for select, cost in self._owned(env):
            if select.order is None:
                yield Count(select), cost

    def _mean_count_by(self, env: Env) -> Meaning:
        select = env.get("things") or Select(env["resource"])
        for condition, cost in self._on_by(select.resource, env):
            if select.order is None and not isinstance(condition, Order):
                owner = env["entity"].literal.text
                yield Count(replace(select, conditions=(*select.conditions, condition), owner=owner)), cost

    def _owned(self, env: Env) -> Iterator[tuple[Select, float]]:
        entity = env["entity"]
        select = env.get("things") or Select(env["resource"])
        relations = owners(select.resource, entity)
        times = (Timed(env["when"]),) if "when" in env else ()
        conditions = settle_times(select.resource, (*select.conditions, Owned(relations, entity), *times))
        if relations and len(relations) <= 4 and conditions is not None:
            when = join_tokens(self.tokens[slice(*env["when@"])]) if "when" in env else ""
            phrase = replace(select.phrase, tail=f"{select.phrase.tail} {when}".strip())
            text = join_tokens(self.tokens)
            owner = entity.literal.text
            yield replace(select, conditions=conditions, text=text, phrase=phrase, owner=owner, when=when), 0.0

    def _mean_aggregate(self, env: Env) -> Meaning:
        resource, field, named = env["measure"]
        function = next(env[name] for name in ("function", "zfunction", "zlast", "together") if name in env)
        select = env.get("things")
        if select is None:
            owner = [one for one in self.words.resources if one.listings and field in one.fields]
            yield Aggregate(function, field, Select(owner[0])), 0.0 if named else 0.5
        elif select.resource is resource and field in resource.fields and not select.single:
            yield Aggregate(function, field, select), 0.0 if not named else 0.2

    def _mean_aggregate_of(self, env: Env) -> Meaning:
        resource, field, named = env["measure"]
        function = env.get("function") or env.get("zfunction") or env["zlast"]
        if field not in resource.fields or resource is env["entity"].resource:
            return
        for select, cost in self._owned({"entity": env["entity"], "resource": resource}):
            yield Aggregate(function, field, select), cost + (0.0 if named else 0.5)

    def _mean_aggregate_per(self, env: Env) -> Meaning:
        """An average for each of them is the average over them; any other function for each is not."""
        resource, field, _ = env["measure"]
        if (
            resource is not env["resource"]
            or field not in resource.fields
            or env.get("function", "average") != "average"
        ):
            return
        if "entity" in env:
            for select, cost in self._owned(env):
                yield Aggregate("average", field, select), cost
        else:
            yield Aggregate("average", field, Select(resource)), 0.0

    def _mean_cost_average(self, env: Env) -> Meaning:
        for field, cost in price_fields(env["resource"]):
            yield Aggregate("average", field, Select(env["resource"])), cost

    def _mean_spent_per(self, env: Env) -> Meaning:
        """What somebody spends on each is the one amount that each has; what was called off is not spent."""
        amounts = [one for one in env["resource"].top if one.kind == "number" and one.words[-1] in _AMOUNTS]
        if len(amounts) == 1:
            for select, cost in self._owned(env):
                yield Aggregate("average", amounts[0], select, spent=True), cost + 0.3

    def _mean_sum(self, env: Env) -> Meaning:
        resource = env["things"].resource
        found = [(one, cost) for one, cost in fields_named(resource, "total") if one.kind == "number" and cost < 1.3]
        if len(found) == 1 and env["things"].order is None and not env["things"].single:
            yield Aggregate("sum", found[0][0], env["things"]), found[0][1] + 0.3

    def _mean_list_which(self, env: Env) -> Meaning:
        single = env["things"].single and env["things"].order is not None
        yield ListAll(replace(env["things"], single=single, asked=True)), 0.0

    def _mean_list(self, env: Env) -> Meaning:
        yield ListAll(env["things"]), 0.0

    def _mean_list_of(self, env: Env) -> Meaning:
        for select, cost in self._owned(env):
            yield ListAll(select), cost

    def _mean_list_fields(self, env: Env) -> Meaning:
        found = env["attributes"].get(env["things"].resource)
        if found is not None:
            fields, cost = found
            if all(one in env["things"].resource.fields for one in fields) and len(set(fields)) == len(fields):
                # "The total of all orders" asks for a sum, though each order has a total of its own.
                asked = {token.lower for token in self.tokens[slice(*env["attributes@"])]}
                if len(fields) == 1 and fields[0].kind == "number" and asked & _SUMS:
                    return
                is_sum = len(fields) == 1 and fields[0].kind == "number" and fields[0].words[-1] in _SUMS
                yield ListAll(env["things"], fields), cost + (0.8 if is_sum else 0.0)


def _plain(options: Any) -> list[tuple[Resource, Field, float]]:
    """Keep, of the fields of each resource that fit, those that cost least; of equal ones none, they are ambiguous."""
    best: dict[Resource, list[tuple[Field, float]]] = {}
    for resource, field, cost in options:
        best.setdefault(resource, []).append((field, cost))
    chosen = []
    for resource, fields in best.items():
        least = min(cost for _, cost in fields)
        nearest = [one for one, cost in fields if cost <= least + 0.01]
        if len(nearest) == 1:
            chosen.append((resource, nearest[0], least))
    return chosen
