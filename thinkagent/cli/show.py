"""One run, shown while it goes on and answered at its end; `run` and `demo` share it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thinkagent.cli.output import keep_secret, print_json, print_text
from thinkagent.cli.render.closing import answer_text
from thinkagent.cli.render.ink import Ink, Styled
from thinkagent.cli.render.live import Live
from thinkagent.errors import list_names
from thinkagent.events import CallAnswered, CallIntended
from thinkagent.run.addressing import written
from thinkagent.run.agent import Agent, Prepared
from thinkagent.run.result import RunResult

__all__ = ["Shown"]


class Shown:
    """Shows runs of an agent: events to `ink`, the answer (or, `as_json`, the whole result) to stdout.

    With `quiet` nothing goes to `ink` but why there is no answer, and of a dry run its requests: they are its product.
    """

    def __init__(self, ink: Ink, *, verbose: bool = False, quiet: bool = False, as_json: bool = False) -> None:
        self._ink = ink
        self._verbose = verbose
        self._quiet = quiet
        self._as_json = as_json

    async def run(self, agent: Agent, task: str) -> int:
        """Carry out one task; give the exit code."""
        result = await self.result(agent, task)
        return result.exit_code

    async def result(self, agent: Agent, task: str) -> RunResult:
        """Carry out one task and show it; give its result."""
        live = Live(self._ink, verbose=self._verbose, hint=True)

        def ready(prepared: Prepared) -> None:
            live.use_vault(prepared.vault)
            keep_secret(prepared.vault)

        if self._quiet:
            result = await agent.run(task, on_ready=ready)
            for record in result.records[-3:]:
                live.remember(record.event)
        else:
            result = await agent.run(task, listen=live.show, on_delta=live.on_delta, on_ready=ready)
        try:
            self._answer(result)
        finally:
            # What changed is told also where nobody takes the answer.
            requests_alone = self._quiet and agent.settings.dry_run and not self._as_json
            if requests_alone:
                live.tell_requests(result.records)
            live.tell_status()
            for note in _about_login(result, agent):
                self._ink.line(Styled(f"note: {note}", "warn"), hang=2)
            if requests_alone:
                live.tell_dry_run()
            if not self._quiet:
                live.close(None if result.log is None else str(result.log))
        return result

    def _answer(self, result: RunResult) -> None:
        if self._as_json:
            print_json(result.as_dict())
        elif result.status == "done":
            print_text(answer_text(result.answer))


def _about_login(result: RunResult, agent: Agent) -> Iterator[str]:
    """Name the flag where an API turned a call away for want of a credential."""
    if result.status == "done":
        return
    tools = {
        record.event.call: record.event.tool for record in result.records if isinstance(record.event, CallIntended)
    }
    refused = [
        agent.tools.document_of(tools[record.event.call])
        for record in result.records
        if isinstance(record.event, CallAnswered) and record.event.status == 401
    ]
    given = [*agent.settings.auth, *agent.settings.headers]
    for document in dict.fromkeys(refused):
        yield from _wanted(document, agent, given)


def _wanted(document: str, agent: Agent, given: Sequence[str]) -> Iterator[str]:
    schemes = list(agent.tools.documents[document].security_schemes)
    own = [name for name in given if not document or name in schemes or name.startswith(written(document, ""))]
    if own:
        return
    of = f" of {document!r}" if document else ""
    if schemes:
        told = f"the API{of} wants a credential (401); its document names {list_names(schemes)}"
        yield f"{told}. Pass --auth {written(document, schemes[0])}=env:VARIABLE"
    else:
        told = f"the API{of} wants a credential (401); its document names no scheme"
        yield f"{told}. Pass --header {written(document, 'NAME')}=env:VARIABLE"
