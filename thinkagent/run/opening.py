"""What a run stands on, as its first events: enough to run it again on another machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from thinkagent import events as ev
from thinkagent.engine.wire.auth import Target
from thinkagent.journal import Vault
from thinkagent.run.addressing import written
from thinkagent.run.settings import Settings
from thinkagent.run.target import shared_secrets, whole_base
from thinkagent.run.world import World
from thinkagent.values import digest, write_json
from thinkagent.version import __version__

__all__ = ["opening_events"]


def opening_events(
    world: World, settings: Settings, targets: Mapping[str, Target], vault: Vault, mind: str, run_id: str
) -> Iterator[ev.Event]:
    """Give the first events of a run: its start, documents, inputs, tools and policy; secrets by name."""
    toolset = world.toolset
    names = write_json([[row.name, row.method, row.path, row.effect] for row in toolset.lines])
    digests = [document.digest for document in toolset.documents.values()]
    yield ev.RunStarted(
        ev.SCHEMA_VERSION,
        world.task,
        {"model": settings.model, "via": settings.via, "answer_schema": settings.answer_schema},
        world.limits.as_dict(),
        world.now.isoformat(),
        world.timezone,
        mind,
        {"document": digests[0] if len(digests) == 1 else digest("\n".join(digests)), "tools": digest(names)},
        world.dry_run,
        run_id,
        {"thinkagent": __version__},
    )
    for name, document in toolset.documents.items():
        source = vault.redact(_shown_source(document.source))
        yield ev.DocumentUsed(
            document.title,
            document.version,
            document.digest,
            {**document.pack(), "source": source},
            source,
            vault.hide_value(whole_base(targets[name])),
            name,
        )
    yield ev.InputsGiven(vault.hide_value(dict(settings.inputs)))
    yield ev.ToolsBuilt(
        len(toolset.names) + len(toolset.skipped),
        len(toolset.names),
        len(toolset.skipped),
        digest(names),
        list(settings.include),
        list(settings.exclude),
        list(settings.reads),
    )
    permission = world.permission
    yield ev.PolicySet(
        permission.allow_writes,
        permission.yes,
        permission.person,
        [written(home, name) for home, target in targets.items() for name in target.credentials],
        [written(home, name) for home, target in targets.items() for name, _ in target.headers],
        list(vault.names),
        shared_secrets(targets),
    )


def _shown_source(source: str) -> str:
    """Name a document's source without the folders of this machine."""
    return source if "://" in source or source == "-" else Path(source).name
