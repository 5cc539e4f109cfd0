"""Which mind a name means, and which key may go to it. Nothing heavy is imported before it is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from thinkagent.errors import UsageError, list_names, nearest
from thinkagent.minds.base import Mind
from thinkagent.minds.deadline import IDLE_S, TOTAL_S
from thinkagent.minds.endpoint import DEFAULT_BASE
from thinkagent.minds.keys import check_key, key_from
from thinkagent.values import JsonError, read_json

__all__ = ["select_mind"]

_VIAS = ("http", "litellm")
_OURS = ("model", "messages", "stream_options", "api_base", "base_url")


def select_mind(
    model: str | None,
    *,
    api_base: str | None = None,
    via: str | None = None,
    options: Mapping[str, Any] | None = None,
    environ: Mapping[str, str],
    offline: Callable[[], Mind],
) -> Mind:
    """Make the mind that `model` names.

    None and "offline" are the offline mind: a key in the environment alone never spends money. `openai/NAME` is asked
    over plain HTTP (`via` "litellm" asks litellm instead), every other `provider/NAME` through litellm.

    `options` go to the model as they are; a text that is JSON is taken as that value. Four are ours: `api_key`
    (`env:VARIABLE`), `stream`, `timeout_s` and `idle_timeout_s` (seconds of one attempt). The environment's
    OPENAI_API_KEY goes to the default base only (OPENAI_BASE_URL, else OpenAI's own), never to an `api_base` unless
    it is named.

    Raises:
        UsageError: no such model, base, way or option, or the key is missing.
    """
    if via is not None and via not in _VIAS:
        raise UsageError(
            f"there is no way {via!r} to a model; there are {list_names(_VIAS)}",
            code="bad_via",
            where="--via",
            hint="Pass one of them, or leave --via out",
        )
    if model is None or model == "offline":
        if api_base is not None or via is not None or options:
            raise UsageError(
                "a base, a way or an option of a model is given, but no model",
                code="missing_model",
                where="--model",
                hint="Name one with --model, like 'openai/NAME'",
            )
        return offline()
    provider, _, name = model.partition("/")
    if not provider or not name.strip():
        raise _unknown(model)
    settings = _Settings(options or {})
    if provider == "openai" and via != "litellm":
        return _thin(name, api_base, settings, environ)
    if via == "http":
        raise UsageError(
            f"model {model!r} is not an OpenAI-compatible one by its name, so it cannot be asked over plain HTTP",
            code="bad_via",
            where="--via",
            hint=f"Write 'openai/{name}' with --api-base, or leave --via out",
        )
    return _through_litellm(model, api_base, settings, environ)


def _unknown(model: str) -> UsageError:
    if nearest(model, ["offline"]):
        hint = "Did you mean 'offline'?"
    else:
        bare = model.strip("/ ") or "NAME"
        hint = f"Write provider/NAME, like 'openai/{bare}' or 'anthropic/{bare}', or 'offline'"
    return UsageError(f"model {model!r} names no provider", code="unknown_model", where="--model", hint=hint)


class _Settings:
    """The options, those that are ours taken out."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        for name in _OURS:
            if name in options:
                raise UsageError(
                    f"option {name!r} is not for the user to set",
                    code="bad_option",
                    where="--model-option",
                    hint="Leave it out",
                )
        left = {name: value if name == "api_key" else _value(value) for name, value in options.items()}
        self.api_key = left.pop("api_key", None)
        self.total_s = _seconds("timeout_s", left.pop("timeout_s", TOTAL_S))
        self.idle_s = _seconds("idle_timeout_s", left.pop("idle_timeout_s", IDLE_S))
        stream = left.pop("stream", True)
        if not isinstance(stream, bool):
            raise UsageError(
                "option 'stream' is true or false",
                code="bad_option",
                where="--model-option",
                hint="Write --model-option stream=false",
            )
        self.stream = stream
        self.rest = left

    def arguments(self) -> dict[str, Any]:
        """What every mind over HTTP takes."""
        return {"options": self.rest, "stream": self.stream, "total_s": self.total_s, "idle_s": self.idle_s}


def _value(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return read_json(value)
    except JsonError:
        return value


def _seconds(name: str, value: object) -> float:
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = 0.0
    if isinstance(value, bool) or not 0 < seconds < 1_000_000:
        raise UsageError(
            f"option {name!r} is a number of seconds above 0, not {str(value)[:40]!r}",
            code="bad_option",
            where="--model-option",
            hint=f"Write --model-option {name}=60",
        )
    return seconds


def _thin(name: str, api_base: str | None, settings: _Settings, environ: Mapping[str, str]) -> Mind:
    base, key = _base_and_key(api_base, settings, environ)
    from thinkagent.minds.openai import OpenAIMind

    return OpenAIMind(name, api_base=base, api_key=key, **settings.arguments())


def _through_litellm(model: str, api_base: str | None, settings: _Settings, environ: Mapping[str, str]) -> Mind:
    base, key = api_base, None
    if model.startswith("openai/"):
        base, key = _base_and_key(api_base, settings, environ)
    elif settings.api_key is not None:
        key = key_from(settings.api_key, environ)
    from thinkagent.minds.litellm import LiteLLMMind

    return LiteLLMMind(model, api_base=base, api_key=key, **settings.arguments())


def _base_and_key(api_base: str | None, settings: _Settings, environ: Mapping[str, str]) -> tuple[str, str | None]:
    default = (environ.get("OPENAI_BASE_URL") or "").strip() or DEFAULT_BASE
    base = api_base if api_base is not None else default
    if settings.api_key is not None:
        return base, key_from(settings.api_key, environ)
    key = environ.get("OPENAI_API_KEY", "").strip()
    if base.rstrip("/") == DEFAULT_BASE and not key:
        raise UsageError(
            "OpenAI's own models need a key, and 'OPENAI_API_KEY' is not set",
            code="missing_key",
            where="--model",
            hint="Set OPENAI_API_KEY, or name another server with --api-base",
        )
    # A base that somebody typed gets no key that nobody named for it.
    is_default = api_base is None or base.rstrip("/") == DEFAULT_BASE
    return base, check_key(key, "OPENAI_API_KEY") if key and is_default else None
