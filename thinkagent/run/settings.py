"""What a user can set about a run, checked before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from thinkagent.errors import UsageError
from thinkagent.run.world import Limits, Permission

__all__ = ["Settings", "read_source", "run_now", "zone_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a run; the defaults are those of the command line."""

    model: str | None = None
    """`provider/NAME`; None is the offline mind."""
    api_base: str | None = None
    via: str | None = None
    """`litellm` asks litellm also for `openai/…`."""
    model_options: Mapping[str, Any] = field(default_factory=dict)
    base_url: str | Mapping[str, str] | None = None
    """Of several documents, by the document's name."""
    server: int | Mapping[str, int] | None = None
    """Which of the document's servers, from 1; of several documents, by the document's name."""
    auth: Mapping[str, str] = field(default_factory=dict)
    """Security scheme to `env:VARIABLE` or `file:PATH`; `DOCUMENT:SCHEME` where several documents have the scheme."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Header name, of several documents `DOCUMENT:NAME`, to `env:VARIABLE` or `file:PATH`."""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    answer_schema: Mapping[str, Any] | None = None
    overlays: Sequence[str] = ()
    """Paths or addresses of OpenAPI Overlays that change the document first."""
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    reads: Sequence[str] = ()
    """Operations that the user declares to be reads."""
    permission: Permission = Permission()
    limits: Limits = Limits()
    dry_run: bool = False
    now: str | None = None
    """The run's fixed now (ISO 8601); None is the clock's."""
    timezone: str | None = None
    """An IANA name; None is the machine's zone."""
    cache: bool = True
    """Whether what is derived from a document is kept for later runs, in this user's cache folder."""
    log_dir: Path | None = Path("logs")
    """Where the log goes; None keeps it in memory."""


def read_source(source: str, environ: Mapping[str, str], where: str) -> str:
    """Read a credential from `env:VARIABLE` or `file:PATH`.

    A credential itself is refused: arguments of a process are readable by everybody on the machine.

    Raises:
        UsageError: another form, an unset variable, or a file that cannot be read.
    """
    kind, _, name = source.partition(":")
    if kind == "env" and name:
        value = environ.get(name)
        if not value:
            raise UsageError(
                f"the variable {name!r} is not set",
                code="missing_credential",
                where=where,
                hint=f"Set it first: export {name}=…",
            )
        return value
    if kind == "file" and name:
        try:
            return Path(name).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "not UTF-8"
            raise UsageError(
                f"the file {name!r} cannot be read: {reason}",
                code="missing_credential",
                where=where,
                hint="Name a text file that holds the credential alone",
            ) from error
    raise UsageError(
        "a credential is named by its source, env:VARIABLE or file:PATH, never given itself",
        code="bad_credential_source",
        where=where,
        hint="Put it into a variable: --auth SCHEME=env:VARIABLE",
    )


def zone_of(name: str | None, environ: Mapping[str, str]) -> tuple[str, Any]:
    """Give a time zone by IANA name; without one the machine's, by name where it has one.

    Raises:
        UsageError: there is no such zone.
    """
    wanted = name or environ.get("TZ") or _machine_zone()
    try:
        return wanted, ZoneInfo(wanted)
    except (OSError, ValueError, KeyError):
        if name is None:
            return "UTC", ZoneInfo("UTC")
        raise UsageError(
            f"there is no time zone {name!r}",
            code="bad_timezone",
            where="--timezone",
            hint="Give an IANA name such as Europe/Berlin or Asia/Shanghai",
        ) from None


def _machine_zone() -> str:
    try:
        parts = Path("/etc/localtime").resolve().parts
    except OSError:
        return "UTC"
    return "/".join(parts[parts.index("zoneinfo") + 1 :]) if "zoneinfo" in parts else "UTC"


def run_now(text: str | None, zone: Any, clock: datetime | None = None) -> datetime:
    """Give the run's now: `text` (ISO 8601, in `zone` where it names none), else the clock's second.

    Raises:
        UsageError: the text is no date.
    """
    if text is None:
        return (clock or datetime.now(UTC)).astimezone(zone).replace(microsecond=0)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"{text!r} is no date and time",
            code="bad_now",
            where="--now",
            hint="Write it as 2026-11-30 or 2026-11-30T09:00:00+01:00",
        ) from None
    return moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)
