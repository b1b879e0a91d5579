"""What the crash harness kills: a whole maintainer over real stores, with a model that writes down each call."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from maintainer.graph.checkpoints import open_checkpointer
from maintainer.graph.maintainer import Maintainer
from maintainer.graph.sessions import thread_id
from maintainer.graph.sessions.history import as_step
from maintainer.state.errors import ModelError
from maintainer.state.session import Prompt, Reply, SessionState, ToolCall, Usage
from maintainer.tools.archive import Archive
from maintainer.tools.fakes import FixedClock
from maintainer.tools.notes import NoteTool
from maintainer.tools.rag import source as code
from maintainer.tools.receipts import ReceiptStore

REQUESTS = ("how is this built?", "支付在哪里?", "what should we repair first?", "and why that one?")
ERRAND = "find what is repeated"
PATIENCE_S = 600.0
"""For each source of a context, in place of its few seconds: what a turn finds must not depend on how busy the machine
is, or a trial would differ from the undisturbed run by more than its kills."""
code._WAIT_S = code._FIRST_WAIT_S = PATIENCE_S
FILES = {
    "README.md": "# Shop\n\nOrders and payments.\n",
    "shop.py": "def price(order):\n    return order.total  # TODO: rounding\n",
    "pay.py": "from shop import price\n\n\ndef pay(order):\n    return price(order)\n",
}


class CountingModel:
    """Looks twice at once, sends out a sub-agent, answers at length; writes down each call before it answers."""

    name = "counting"

    def __init__(self, log: Path) -> None:
        self._log = log

    def reply(
        self,
        prompt: Prompt,
        definitions: Sequence[Any] = (),
        *,
        max_tokens: int = 1000,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        request = prompt.user.split("[Task]", 1)[1].strip().splitlines()[0]
        call = 1 + max((exchange.step for exchange in prompt.exchanges), default=0)
        with self._log.open("a") as log:
            log.write(f"{call} {request}\n")
        used = Usage(input_tokens=100, output_tokens=10)
        if call == 1 and request == REQUESTS[0]:
            looks = [("terminal", {"command": "ls"}), ("read_lines", {"path": "shop.py"})]
            calls = [ToolCall(id=f"look{n}", name=name, arguments=how) for n, (name, how) in enumerate(looks)]
            return Reply(text="", calls=calls, model=self.name, usage=used)
        if call == 1 and request == REQUESTS[2]:
            errand = ToolCall(id="errand", name="delegate", arguments={"kind": "analyst", "task": ERRAND})
            return Reply(text="", calls=[errand], model=self.name, usage=used)
        words = (
            f"On {request}: see shop.py:1 and pay.py:4. " + "Prices are read twice. " * 500
        )  # so long that the last turns are compacted
        return Reply(text=words, model=self.name, usage=used)

    def structured(self, *_: Any, **__: Any) -> Any:
        raise ModelError("this model fills in no forms")


def prepare(folder: Path) -> None:
    """Make the repository a trial works on."""
    (folder / "repo").mkdir(parents=True)
    for name, text in FILES.items():
        (folder / "repo" / name).write_text(text)


def session_of(folder: Path) -> str:
    """Return a name no other trial uses: on PostgreSQL they share one database."""
    return f"session of {folder}"


def url_of(folder: Path, store: str) -> str:
    return str(folder / "home" / "checkpoints.sqlite") if store == "sqlite" else store


@contextmanager
def opened(folder: Path, store: str) -> Iterator[Maintainer]:
    with Maintainer(
        folder / "repo",
        home=folder / "home",
        model=CountingModel(folder / "calls.log"),
        clock=FixedClock(),
        embedder="none",
        checkpoints=url_of(folder, store),
        budget=4000,
        reply_tokens=300,
    ) as maintainer:
        for source in maintainer._toolbox.sources:
            source.timeout_s = PATIENCE_S  # type: ignore[misc]
        yield maintainer


def work(folder: Path, store: str) -> dict[str, Any]:
    """Finish what is unfinished, ask what was not asked yet, and return what was resumed."""
    name, done, resumed = session_of(folder), 0, []
    with opened(folder, store) as maintainer:
        if any(record.name == name for record in maintainer.sessions()):
            answer = maintainer.resume(name)
            done, resumed = answer.turn, [*answer.resumed]
        for request in REQUESTS[done:]:
            answer = maintainer.run(request, mode="explore", session=name)
            assert answer.status == "finished", answer
    return {"resumed": resumed}


def look(folder: Path, store: str) -> dict[str, Any]:
    """Return what a life finds: the nodes left over, and the model calls whose answers are stored."""
    unfinished: list[str] = []
    paid: list[str] = []
    if (folder / "home").exists():
        with closing(open_checkpointer(url_of(folder, store))) as saver:
            stored = saver.get_tuple({"configurable": {"thread_id": thread_id(session_of(folder))}})
        if stored is not None:
            state = SessionState.model_validate(stored.checkpoint["channel_values"])
            unfinished = [*as_step(stored, {}).next]
            begun = unfinished and not {"__start__", "open_turn"} & {*unfinished}
            paid = list(REQUESTS[: state.turn - 1 if begun else state.turn])
            done = {exchange.call.name for exchange in state.exchanges}
            if begun:
                steps = [state.step, *(value for _, channel, value in stored.pending_writes or () if channel == "step")]
                paid += [f"{call} {state.request}" for call in range(1, max(steps) + 1)]
            if REQUESTS[2] in paid or "delegate" in done:
                paid.append(ERRAND)
    return {"unfinished": unfinished, "stored": paid, "calls": len(calls(folder))}


def calls(folder: Path) -> list[str]:
    log = folder / "calls.log"
    return log.read_text().splitlines() if log.exists() else []


def paid_twice(folder: Path, before: dict[str, Any]) -> list[str]:
    """Return the calls made since `before` whose answers were stored by then."""
    new = calls(folder)[before["calls"] :]
    return [call for call in new if {call, call.split(" ", 1)[1]} & {*before["stored"]}]


def facts(folder: Path, store: str) -> dict[str, Any]:
    """Return everything that must be the same however often the process was killed."""
    name, home = session_of(folder), folder / "home"
    with closing(open_checkpointer(url_of(folder, store))) as saver:
        left = [id_ for id_ in saver.threads() if id_ != thread_id(name)] if store == "sqlite" else []
        stored = saver.get_tuple({"configurable": {"thread_id": thread_id(name)}})
    assert stored is not None
    state = SessionState.model_validate(stored.checkpoint["channel_values"])
    with closing(Archive(home / "archive")) as archive:
        turns = [[turn.number, [said.text for said in turn.said]] for turn in archive.turns(state.head)]
        alone, warnings = archive.count(name), archive.warnings
    with NoteTool(home / "notes", embedder="none") as notes:
        titles = sorted([row.title, notes.read(row.id).content] for row in notes.list(limit=1000))
    with ReceiptStore(home / "receipts") as receipts:
        # A build that is done again leaves a second receipt, which is the truth.
        built = sorted({(each.session.removeprefix(name), each.turn, each.step) for each in receipts.list(limit=1000)})
    return {
        "unfinished": [*as_step(stored, {}).next],
        "threads_of_agents": left,
        "turn": state.turn,
        "answer": state.answer,
        "history": [message.content for message in state.history],
        "spent": state.spent.input_tokens,
        "totals": state.totals,
        "stats": state.stats,
        "failures": [failure.reason for failure in state.failures],
        "archive": turns,
        "archived_turns": alone,
        "archive_warnings": warnings,
        "notes": titles,
        "receipts": built,
    }
