"""What the mind is told of what it did.

Every observation is one JSON object, successes and failures alike:

    {"status": "ok", "summary": "200; 50 of at least 51 orders; more pages", "http": {…}, "result": …, "shape": {…},
     "next_actions": […], "recovery_hint": "…"}

`status` and `summary` always stand there; `http` where an answer came; `result` (a bounded view) and `shape` (of the
whole value, with true counts) where there is a value; `next_actions` and `recovery_hint` where there is something to
say. Texts of the API are data: in the summary they stand on one line with control characters made visible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from thinkagent.engine.bounded_view import VIEW_TOKENS, bounded_view
from thinkagent.engine.lookup import describe
from thinkagent.engine.recovery import hint_for_status, meaning_of
from thinkagent.engine.scope import MISSING, Missing
from thinkagent.engine.shape import has_lists, shape
from thinkagent.engine.summary import Answer, one_line, summarize
from thinkagent.errors import PermissionRefused, ThinkagentError, TransportError
from thinkagent.tools.model import Effect
from thinkagent.values import Json, clip, visible, write_json

__all__ = [
    "Answer",
    "Observation",
    "bounded_view",
    "for_answer",
    "for_batch",
    "for_compute",
    "for_error",
    "for_failure",
    "for_value",
]

Observation = dict[str, Any]
Status = Literal["ok", "http_error", "unknown", "network_error", "invalid", "refused", "skipped"]

_SHOWN_HEADERS = ("location", "retry-after", "allow", "www-authenticate", "deprecation", "sunset")


def for_answer(answer: Answer, budget_tokens: int = VIEW_TOKENS) -> Observation:
    """Tell of an answer, whatever its status."""
    if not 200 <= answer.status < 300:
        return _for_error_answer(answer, budget_tokens)
    observation = _base("ok", summarize(answer), http=_http(answer))
    cut = _add_value(observation, _body(answer), budget_tokens)
    actions = []
    if answer.more_pages and not has_lists(answer.value):
        actions.append('to read all pages, call again with "pages": "all"')
    if cut:
        actions.append(_see_the_rest(answer.step))
    if actions:
        observation["next_actions"] = actions
    return observation


def _for_error_answer(answer: Answer, budget_tokens: int) -> Observation:
    observation = _base("http_error", summarize(answer), http=_http(answer))
    body = _body(answer)
    if body is not MISSING:
        observation["result"] = bounded_view(body, budget_tokens // 2).value
    observation["recovery_hint"] = hint_for_status(
        answer.status,
        effect=answer.effect,
        headers=answer.headers,
        meaning=meaning_of(answer.status, answer.errors),
    )
    return observation


def for_failure(
    status: Literal["unknown", "network_error", "skipped", "refused"],
    reason: str,
    *,
    request: str = "",
    effect: Effect = "read",
    look_with: Sequence[str] = (),
) -> Observation:
    """Tell that no answer came.

    `request` is `POST /labels`; `look_with` names tools that could show whether a write happened. `unknown` is for
    a write that may have happened.
    """
    head = {
        "unknown": "no answer came and the write may have happened",
        "network_error": "no answer came",
        "skipped": "not sent",
        "refused": "not sent",
    }[status]
    observation = _base(status, "; ".join(part for part in (request, head, reason) if part))
    look = f" with {' or '.join(look_with)}" if look_with else ""
    if status == "unknown":
        observation["recovery_hint"] = f"Do not repeat it. First look{look} whether it happened"
        if look_with:
            observation["next_actions"] = [f"read with {name} whether it happened" for name in look_with]
    elif status == "network_error":
        repeat = "Nothing was changed. " if effect != "read" else ""
        observation["recovery_hint"] = f"{repeat}It may be tried once more; if it fails again, say so and finish"
    elif status == "skipped":
        observation["recovery_hint"] = "It was not tried. Look at what failed before it"
    else:
        observation["recovery_hint"] = "Do not try it again; finish without it, or say what permission is missing"
    return observation


def for_error(error: ThinkagentError) -> Observation:
    """Tell of an error of ours: nothing was sent (`invalid`, `refused`), or no answer came (`network_error`)."""
    if isinstance(error, PermissionRefused):
        status: Status = "refused"
    elif isinstance(error, TransportError):
        status = "network_error"
    else:
        status = "invalid"
    observation = _base(status, error.message + (f" ({error.where})" if error.where else ""))
    if error.hint:
        observation["recovery_hint"] = one_line(error.hint)
    return observation


def for_value(summary: str, value: Json, budget_tokens: int = VIEW_TOKENS, *, step: str = "") -> Observation:
    """Tell of a value that no call gave: a search, an inspection, a person's answer."""
    observation = _base("ok", summary)
    if _add_value(observation, value, budget_tokens):
        observation["next_actions"] = [_see_the_rest(step)]
    return observation


def for_compute(
    value: Json, budget_tokens: int = VIEW_TOKENS, *, step: str = "", incomplete: Sequence[str] = ()
) -> Observation:
    """Tell of a computed value; `incomplete` names steps it rests on of which not all pages were read."""
    whole = write_json(value) if not isinstance(value, dict | list | str) else ""
    summary = f"computed {whole if 0 < len(whole) <= 100 else describe(value)}"
    if incomplete:
        summary += f"; but not all pages of {', '.join(incomplete)} were read"
    observation = for_value(summary, value, budget_tokens, step=step)
    if incomplete:
        observation["recovery_hint"] = 'If it is to hold for all, read the rest first: "pages": "all"'
    return observation


def for_batch(
    outcomes: Sequence[Mapping[str, Json]], budget_tokens: int = VIEW_TOKENS, *, step: str = ""
) -> Observation:
    """Tell of one call for each item.

    Each outcome holds `item`, `status`, `http` (the status code, or an object with `status`) and `result` or `error`.
    The status is the gravest of all. Where not all outcomes find room, those that failed stand under `failed` as
    well, with their numbers.
    """
    counts = Counter(str(outcome.get("status")) for outcome in outcomes)
    status: Status = next((grave for grave in _GRAVEST_FIRST if counts[grave]), "ok")
    told = [f"{counts[name]} {name.replace('_', ' ')}{_codes(outcomes, name)}" for name in _WRITTEN if counts[name]]
    head = f"{len(outcomes)} item{'' if len(outcomes) == 1 else 's'}"
    observation = _base(status, f"{head}: {', '.join(told)}" if told else "0 items: nothing was sent")
    failed = [{"number": number, **outcome} for number, outcome in enumerate(outcomes) if outcome.get("status") != "ok"]
    cut = _add_value(observation, list(outcomes), budget_tokens // 2 if failed else budget_tokens)
    if cut:
        observation["next_actions"] = [_see_the_rest(step, "outcomes")]
        if failed:
            observation["failed"] = bounded_view(failed, budget_tokens // 2).value
    if failed:
        observation["recovery_hint"] = _BATCH_HINTS[status]
    return observation


_GRAVEST_FIRST: tuple[Status, ...] = ("unknown", "network_error", "http_error", "invalid", "refused", "skipped")
_WRITTEN: tuple[Status, ...] = ("ok", "http_error", "invalid", "refused", "skipped", "network_error", "unknown")
_BATCH_HINTS: Mapping[str, str] = {
    "unknown": "Do not repeat those that are unknown: first look whether they happened",
    "network_error": "Those that failed may be tried once more, they alone",
    "http_error": "Look at what the API said; repeat only those that failed, with other arguments",
    "invalid": "Nothing was sent for those that are invalid; put their arguments right and repeat them alone",
    "refused": "Those refused were not sent; finish without them, or say what permission is missing",
    "skipped": "Those skipped were not sent",
}


def _codes(outcomes: Sequence[Mapping[str, Json]], status: str) -> str:
    codes: Counter[str] = Counter()
    for outcome in outcomes:
        http = outcome.get("http")
        code = http.get("status") if isinstance(http, Mapping) else http
        if outcome.get("status") == status and isinstance(code, int):
            codes[str(code)] += 1
    if status == "ok" or not codes:
        return ""
    if len(codes) == 1:
        return f" ({next(iter(codes))})"
    return " (" + ", ".join(f"{count} × {code}" for code, count in sorted(codes.items())) + ")"


def _base(status: Status, summary: str, *, http: Mapping[str, Json] | None = None) -> Observation:
    observation: Observation = {"status": status, "summary": one_line(summary)}
    if http:
        observation["http"] = dict(http)
    return observation


def _body(answer: Answer) -> Json | Missing:
    if answer.value is not MISSING:
        return answer.value
    return answer.text if answer.text else MISSING


def _add_value(observation: Observation, value: Json | Missing, budget_tokens: int) -> bool:
    """Add `result` and `shape`; tell whether something was cut."""
    if value is MISSING:
        return False
    view = bounded_view(value, budget_tokens)
    observation["result"] = view.value
    if isinstance(value, dict | list):
        observation["shape"] = bounded_view(shape(value), max(budget_tokens // 2, 50)).value
    return view.cut


def _http(answer: Answer) -> dict[str, Json]:
    found: dict[str, Json] = {"status": answer.status}
    if answer.content_type:
        found["content_type"] = one_line(answer.content_type)
    for name, value in answer.headers.items():
        if name.casefold() in _SHOWN_HEADERS:
            found[name.casefold()] = clip(visible(value, newlines=False), 200)
    return found


def _see_the_rest(step: str, part: str = "result") -> str:
    if not step:
        return "not all is shown; save the result under a name to look into it"
    return f"not all is shown: inspect step {step!r}, or use steps.{step}.{part} in a reference or in compute"
