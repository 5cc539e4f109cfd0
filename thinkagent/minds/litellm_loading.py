"""Load litellm once, in the background, with nothing of it on stdout, stderr or in the environment."""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import threading
import warnings
from collections.abc import Callable
from typing import Any

from thinkagent.minds.base import MindFailure

__all__ = ["is_loaded", "load_litellm"]

_ENVIRONMENT = {
    # Else it fetches a price list from the network, with retries of many seconds.
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    # Else it reads the nearest `.env` file, and a stray key there would choose who is asked.
    "LITELLM_MODE": "PRODUCTION",
}
_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")

_lock = threading.Lock()
_module: Any = None


def is_loaded() -> bool:
    """Tell whether the next call is spared the import, which takes from 4 to 30 seconds."""
    return _module is not None


async def load_litellm() -> Any:
    """Give the module, imported in a thread of its own that nothing waits for at exit.

    Raises:
        MindFailure: it cannot be imported.
    """
    # Its modules warn when they are first used, long after the import.
    for package in ("litellm", "pydantic"):
        warnings.filterwarnings("ignore", module=rf"{package}\.")
    if _module is not None:
        return _module
    loop = asyncio.get_running_loop()
    loaded: asyncio.Future[Any] = loop.create_future()

    def run() -> None:
        module, failure = None, None
        try:
            module = _load()
        except Exception as error:  # an import runs any code, and whatever it raises is the caller's to hear
            failure = error
        _hand_over(loop, lambda: _settle(loaded, module, failure))

    # Not an executor: its threads are joined at exit, so Ctrl-C would wait for the whole import.
    threading.Thread(target=run, name="load-litellm", daemon=True).start()
    try:
        return await loaded
    except Exception as error:
        text = f"litellm cannot be loaded: {type(error).__name__}"
        raise MindFailure("unavailable", f"{text}; reinstall it, or ask over plain HTTP with openai/NAME") from error


def _hand_over(loop: asyncio.AbstractEventLoop, settle: Callable[[], None]) -> None:
    try:
        loop.call_soon_threadsafe(settle)
    except RuntimeError:
        """The loop was closed meanwhile; nobody waits any more."""


def _settle(future: asyncio.Future[Any], module: Any = None, error: BaseException | None = None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(module)
    else:
        future.set_exception(error)


def _load() -> Any:
    global _module
    with _lock:
        if _module is None:
            _module = _import()
        return _module


def _import() -> Any:
    os.environ.update(_ENVIRONMENT)
    before = dict(os.environ)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        litellm = importlib.import_module("litellm")
    for name in [name for name in os.environ if name not in before]:
        del os.environ[name]
    os.environ.update(before)
    _silence(litellm)
    return litellm


def _silence(litellm: Any) -> None:
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    # It would make up usage that no server told, and ask a remote hub for some models' tokenizers.
    litellm.disable_token_counter = True
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.setLevel(logging.CRITICAL)
    for name in ("httpx", "httpcore", "openai"):
        # At INFO they log whole URLs, keys in queries included.
        logging.getLogger(name).setLevel(logging.WARNING)
