"""How one maintainer is set up: what a process is started with, as against what may change from turn to turn."""

from dataclasses import dataclass, field, fields

from .errors import ConfigError
from .session import Language
from .urls import check_embedder, check_model, check_server, check_store, check_url

MOST = 1_000_000_000
"""Largest whole number a setting may have: far above any sense, and small enough for every store."""
LONGEST_S = 604_800
"""Longest time limit, in seconds: a week."""
SECRETS = frozenset({"api_key", "checkpoint_key"})
"""Settings whose value no message may show."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Settings of one maintainer, merged by `tools.settings_file` from file, environment and arguments."""

    model: str = ""
    """`provider:name`; empty means no model: the evidence-only answer."""
    fallbacks: str = ""
    """Models to ask, in order, when `model` fails; comma-separated, each as `provider:name` or `provider:name@URL`."""
    note_model: str = ""
    """Asked first for notes; empty means `model`. So for the next two."""
    summary_model: str = ""
    """Asked first for summaries of what leaves the window."""
    agent_model: str = ""
    """Asked first by sub-agents."""
    window: int = 0
    """Of `model`, in tokens; 0 means what LangChain's table says, or unknown."""
    prices: str = ""
    """Of `model`, as `input/cached/output` in US dollars per million tokens; empty means the built-in table."""
    base_url: str = ""
    """Of an OpenAI-compatible endpoint, `http://...` or `https://...`."""
    api_key: str = field(default="", repr=False)
    model_timeout_s: float = 60.0
    """Longest wait for one model call, in seconds; > 0, at most a week."""
    rewrite: bool = False
    """Whether `model` is asked for further search terms before a request is looked up: one short call for each."""
    embedder: str = "default"
    """`default`, `none`, `chroma`, or the URL of an OpenAI-compatible endpoint."""
    chroma_url: str = ""
    """Of a Chroma server; empty means the embedded one."""
    checkpoints: str = ""
    """`postgresql://...`, `memory`, a path ending in `.sqlite`; empty means SQLite in the home folder."""
    checkpoint_key: str = field(default="", repr=False)
    """16, 24 or 32 bytes with which checkpoints are encrypted; empty stores them in clear."""
    budget: int = 4000
    """Ceiling of every model request, in tokens; >= 500."""
    reply_tokens: int = 800
    """Reserved for the model's reply, in tokens, inside the budget; >= 50."""
    language: Language | None = None
    """Language of answers; None means that of the request."""
    max_steps: int = 12
    """Model calls in one turn; >= 1."""
    turn_timeout_s: float = 900.0
    """Longest turn, in seconds; > 0, at most a week."""
    turn_tokens: int = 0
    """Tokens of one turn from which on the model is asked for its last word; 0 means no limit."""
    session_tokens: int = 0
    """Most tokens all model calls of a session may use; 0 means no limit."""
    approvals: bool = False
    """Whether commands outside the list are put to the user instead of being refused."""
    require_sandbox: bool = False
    """Whether the terminal refuses to work without a kernel sandbox."""

    def __post_init__(self) -> None:
        for each in fields(self):
            kind, value = each.type, getattr(self, each.name)
            if kind in (str, bool) and not isinstance(value, kind):
                shown = "***" if each.name in SECRETS else value
                raise ConfigError(each.name, shown, "must be yes or no" if kind is bool else "must be text, in quotes")
        least_of = {
            "budget": 500,
            "reply_tokens": 50,
            "max_steps": 1,
            "turn_tokens": 0,
            "session_tokens": 0,
            "window": 0,
        }
        for name, least in least_of.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
                raise ConfigError(name, value, f"must be a whole number of at least {least} and at most {MOST:,}")
        for name in ("model_timeout_s", "turn_timeout_s"):
            seconds = getattr(self, name)
            if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= LONGEST_S:
                raise ConfigError(name, seconds, f"must be a number of seconds above 0 and at most {LONGEST_S:,}")
        if self.reply_tokens > self.budget // 2:
            raise ConfigError("reply_tokens", self.reply_tokens, f"must be at most half of the budget ({self.budget})")
        self._check_addresses()
        if self.language not in (None, "en", "zh"):
            raise ConfigError("language", self.language, "must be en or zh")

    def _check_addresses(self) -> None:
        """Check every setting that may hold an address, whether or not this process will use it."""
        check_embedder("embedder", self.embedder)
        if self.base_url:
            check_url("base_url", self.base_url, "http://localhost:8000/v1")
        if self.chroma_url:
            check_server("chroma_url", self.chroma_url)
        if self.checkpoints:
            check_store("checkpoints", self.checkpoints)
        for name in ("model", "fallbacks", "note_model", "summary_model", "agent_model"):
            for spec in getattr(self, name).split(","):
                check_model(name, spec.strip())
