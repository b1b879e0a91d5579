"""Everything the nodes work with, opened together and closed together."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..state.modes import Mode
from ..state.options import Options
from ..state.packet import PacketSource
from .archive import Archive
from .clock import Clock
from .embeddings import Embedder, SentenceEncoder, open_embedder
from .first_look import Look, looks_of
from .git import Git
from .last_seen import History, LastSeen
from .ledger import LedgerKeeper
from .mailbox import Mailbox
from .memory import MemoryTool
from .models import Model, Models, open_models
from .notes import NoteTool
from .notes.context import NotesSource
from .notes.origin import Lines
from .notes.review import NoteReview
from .notes.sources import Sources
from .places import Places
from .quality.engine import Quality
from .quality.memory import QualityMemory
from .rag import CodeSource, RAGTool
from .recall import PhaseSource, TurnIndex, past_sources
from .receipts import ReceiptStore
from .rewrite import Rewriter
from .secrets import mask
from .sketch_cache import SketchCache
from .terminal import TerminalTool
from .tokens import TokenCounter, open_counter
from .toolset.delegate import delegate_tool
from .toolset.expand import expand_tool
from .toolset.facts import facts_tool
from .toolset.gate import Gate
from .toolset.notes import note_write_tool, notes_search_tool
from .toolset.plan import plan_update_tool
from .toolset.read_lines import read_lines_tool
from .toolset.recall import recall_tool
from .toolset.search_code import search_code_tool
from .toolset.terminal import Terminals, terminal_tool
from .toolset.tool import Tool

RESULT_SHARE = 4
"""One tool result gets at most a quarter of the budget."""


@dataclass(frozen=True, kw_only=True)
class Toolbox:
    """The tools of one repository."""

    repo: Path
    home: Path
    options: Options
    clock: Clock
    counter: TokenCounter
    git: Git
    last_seen: LastSeen
    history: History
    archive: Archive
    receipts: ReceiptStore
    notes: NoteTool
    bound: Sources
    """Binds notes to the repository's lines."""
    review: NoteReview
    """Says which notes speak of code that has changed."""
    ledger: LedgerKeeper
    memory: MemoryTool
    code: RAGTool
    terminals: Terminals
    places: Places
    embedder: Embedder | None
    models: Models
    rewrite: Rewriter | None
    """Finds further search terms for a request, where there is a model and the settings allow it."""
    gate: Gate
    mailbox: Mailbox
    tools: Mapping[str, Tool]
    """What the model may call, by name."""
    looks: Mapping[Mode, Look]
    """What each mode looks at first."""
    sources: tuple[PacketSource, ...]
    """What every context is gathered from."""
    warned: Mapping[str, Sequence[str]]
    """What stores found damaged or had to give up, by store; the lists grow."""


@contextmanager
def open_toolbox(
    repo: Path, home: Path, options: Options, *, clock: Clock, model: Model | None = None
) -> Iterator[Toolbox]:
    """Open every store and tool, and close them at the end.

    Args:
        repo: The repository's resolved folder.
        home: The folder for our files; it exists.
        options: Settings in force.
        clock: Tells the time to all of them.
        model: Used in place of the one the options name.

    Raises:
        ConfigError: A setting cannot be met, for example an unknown model.
        StoreError: A store cannot be opened.
    """
    models = Models.all(model) if model is not None else open_models(options)
    counter, embedder, git = open_counter(), open_embedder(options.embedder, options.api_key), Git(repo)
    if isinstance(embedder, SentenceEncoder):
        embedder.load_soon()  # while the repository is looked at: every source of the first context asks for it
    index = home / "index"
    with ExitStack() as opened:
        archive = opened.enter_context(closing(Archive(home / "archive")))
        notes = opened.enter_context(NoteTool(home / "notes", clock=clock, embedder=embedder))
        memory = opened.enter_context(closing(MemoryTool(home / "memory", clock=clock)))
        ledger = opened.enter_context(closing(LedgerKeeper(archive, embedder, folder=index)))
        turns = opened.enter_context(closing(TurnIndex(archive, index / "turns", embedder)))
        commits = git if git.available else None
        code = opened.enter_context(
            RAGTool(repo, home=index, embedder=embedder, server=options.chroma_url, commits=commits, counter=counter)
        )
        receipts = opened.enter_context(ReceiptStore(home / "receipts"))
        quality = opened.enter_context(closing(Quality(repo, home, git=git, clock=clock)))
        sketches = opened.enter_context(closing(SketchCache(index / "sketch.sqlite")))
        terminals = opened.enter_context(closing(_terminals(repo, home, options, archive, counter, clock)))
        bound, places, findings = Sources(repo, git), Places(repo), QualityMemory(home)
        review = NoteReview(notes.store, bound)
        tools = [
            terminal_tool(terminals),
            search_code_tool(code),
            read_lines_tool(places),
            notes_search_tool(notes),
            note_write_tool(notes, bound.bind_place, approvals=options.approvals),
            plan_update_tool(notes, approvals=options.approvals),
            facts_tool(ledger),
            recall_tool(memory),
            expand_tool(archive),
            delegate_tool(),
        ]
        yield Toolbox(
            repo=repo,
            home=home,
            options=options,
            clock=clock,
            counter=counter,
            git=git,
            last_seen=LastSeen(home),
            history=History(git, quality, findings, clock),
            archive=archive,
            receipts=receipts,
            notes=notes,
            bound=bound,
            review=review,
            ledger=ledger,
            memory=memory,
            code=code,
            terminals=terminals,
            places=places,
            embedder=embedder,
            models=models,
            rewrite=Rewriter(models.main, counter, budget=options.budget) if options.rewrite and models.main else None,
            gate=Gate(counter, archive, mask, max_tokens=options.budget // RESULT_SHARE),
            mailbox=Mailbox(home / "mail", clock),
            tools={tool.name: tool for tool in tools},
            looks=looks_of(repo, quality, notes, memory=findings, git=git, clock=clock, sketches=sketches),
            sources=(
                NotesSource(notes, review, lines=Lines(archive), clock=clock, counter=counter),
                PhaseSource(notes),
                *past_sources(archive, ledger, turns),
                CodeSource(code),
            ),
            warned={"archive": archive.warnings, "ledger": ledger.warnings, "recall": turns.warnings},
        )


def _terminals(
    repo: Path, home: Path, options: Options, archive: Archive, counter: TokenCounter, clock: Clock
) -> Terminals:
    """Return the terminals of all sessions; none is started before its first command."""
    return Terminals(
        lambda session: TerminalTool(
            repo,
            require_sandbox=options.require_sandbox,
            archive=archive,
            audit=home / "audit.jsonl",
            session=session,
            approvals=options.approvals,
            counter=counter,
            clock=clock,
        )
    )
