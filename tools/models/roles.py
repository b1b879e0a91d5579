"""Which model does what: the main one, and those for notes, summaries and sub-agents."""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...state.errors import ConfigError
from ...state.options import Options
from .chat import ChatModel
from .fallback import FallbackModel
from .prices import price_of
from .protocol import Model
from .wire import open_wire

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

NO_MODEL = ("", "none")
"""Values of the setting `model` that mean the evidence-only answer."""
LIMITS = {
    "anthropic": "max_tokens",
    "deepseek": "max_tokens",
    "google_genai": "max_output_tokens",
    "groq": "max_tokens",
    "mistralai": "max_tokens",
    "xai": "max_tokens",
}
"""Providers reached through LangChain's own packages, and how each calls the most tokens of an answer."""
LOCAL = {"ollama": "http://localhost:11434/v1"}
"""Servers of the OpenAI kind that have an address of their own."""


@dataclass(frozen=True, kw_only=True)
class Models:
    """The models of one maintainer; None means that this part works without any."""

    main: Model | None = None
    notes: Model | None = None
    summary: Model | None = None
    agents: Model | None = None

    @classmethod
    def all(cls, model: Model | None) -> "Models":
        """Return one model in every part."""
        return cls(main=model, notes=model, summary=model, agents=model)


def open_models(options: Options) -> Models:
    """Return the models the settings name; nothing is sent yet.

    Each part has its own model in front of the chain of `model` and `fallbacks`.

    Raises:
        ConfigError: A model is not known, its package or key is missing, or the budget is larger than a window.
    """
    if options.model in NO_MODEL:
        return Models()

    @cache
    def opened(spec: str) -> Model:
        return open_model(spec, options)

    fallbacks = [spec.strip() for spec in options.fallbacks.split(",") if spec.strip()]

    @cache
    def chain(own: str) -> Model:
        specs = list(dict.fromkeys([*([own] if own else []), options.model, *fallbacks]))
        return opened(specs[0]) if len(specs) == 1 else FallbackModel([opened(spec) for spec in specs])

    return Models(
        main=chain(""),
        notes=chain(options.note_model),
        summary=chain(options.summary_model),
        agents=chain(options.agent_model),
    )


def open_model(spec: str, options: Options) -> Model:
    """Return the model named by `provider:name`, or `provider:name@URL` for an endpoint of its own.

    A key is only ever sent to the endpoint of the settings, never to a URL named in `spec`.

    Raises:
        ConfigError: The provider is not known, its package or key is missing, or the budget is larger than its window.
    """
    address, _, url = spec.partition("@http")
    url = f"http{url}" if url else LOCAL.get(address.partition(":")[0], "")
    base_url = url or options.base_url
    provider, name = _parts(address, has_url=bool(base_url))
    if provider in LIMITS:
        chat = _by_langchain(provider, name, options.model_timeout_s)
    else:
        api_key = options.api_key if _host(base_url) == _host(options.base_url) else ""
        chat = _by_wire(provider, name, base_url, api_key, options.model_timeout_s)
    is_main = spec == options.model
    _check_window(chat, address, options.budget, options.window if is_main else 0)
    return ChatModel(
        chat,
        name=f"{provider}:{name}",
        timeout_s=options.model_timeout_s,
        price=price_of(f"{provider}:{name}", options.prices if is_main else ""),
        wire=provider not in LIMITS,
        limit=LIMITS.get(provider, "max_tokens"),
    )


def _host(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _parts(address: str, *, has_url: bool) -> tuple[str, str]:
    """Return provider and name; Ollama's names have colons of their own (`qwen3:8b`)."""
    provider, _, name = address.partition(":")
    known = {"openai", "openai-compatible", *LIMITS, *LOCAL}
    if provider in known and name:
        return provider, name
    if not address.endswith(":"):
        if has_url and address:
            return "openai-compatible", address
        if not name and address:
            return "openai", address
    raise ConfigError("model", address, f"must be provider:name with one of {', '.join(sorted(known))}, or have a URL")


def _by_wire(provider: str, name: str, base_url: str, api_key: str, timeout_s: float) -> "BaseChatModel":
    """Return a model that speaks the OpenAI wire format."""
    if provider == "openai" and not api_key:
        raise ConfigError("OPENAI_API_KEY", "", f"is needed for openai:{name}; export it, or name another model")
    if not base_url and provider != "openai":
        raise ConfigError("base_url", "", f"is needed for {provider}:{name}, for example http://localhost:11434/v1")
    compatible = provider != "openai"
    return open_wire(name, base_url=base_url, api_key=api_key, timeout_s=timeout_s, compatible=compatible)


def _by_langchain(provider: str, name: str, timeout_s: float) -> "BaseChatModel":
    """Return a model of another provider through LangChain's table of integrations."""
    package = f"langchain-{provider.replace('_', '-')}"
    try:
        from langchain.chat_models import init_chat_model  # type: ignore[import-not-found, unused-ignore]

        chat: BaseChatModel = init_chat_model(name, model_provider=provider, timeout=timeout_s, max_retries=0)
    except ImportError as error:
        raise ConfigError(
            "model", f"{provider}:{name}", f"needs two packages: pip install langchain {package}"
        ) from error
    except ValueError as error:  # the integrations' words for a missing key
        raise ConfigError("model", f"{provider}:{name}", f"cannot be opened: {str(error)[:300]}") from error
    return chat


def _check_window(chat: Any, name: str, budget: int, window: int) -> None:
    """Refuse a budget that the model cannot hold; LangChain's own table knows the windows of the larger providers."""
    profile = getattr(chat, "profile", None) or {}
    window = window or int(profile.get("max_input_tokens") or 0)
    if window and budget > window:
        raise ConfigError("budget", budget, f"must be at most {window}, the window of {name} in tokens")
