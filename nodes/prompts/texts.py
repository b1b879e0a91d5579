"""The standing texts: one short Markdown file each, English and Chinese."""

from functools import cache
from importlib.resources import files

from ...state.session import Language


@cache
def text(name: str, language: Language) -> str:
    """Return a standing text, for example ``text("role", "zh")`` from `role.zh.md`."""
    ending = ".zh.md" if language == "zh" else ".md"
    return files("maintainer.nodes.prompts").joinpath(name + ending).read_text("utf-8").strip()
