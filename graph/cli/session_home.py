"""What the commands about sessions share: opening them without the heavier tools, and telling the result."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...tools.home import home_of
from .options import console, print_json

if TYPE_CHECKING:
    from ..sessions import Sessions

Name = Annotated[str, typer.Argument(help="Name of the session.", metavar="SESSION")]


@contextmanager
def open_sessions(repo: Path, home: Path | None) -> "Iterator[Sessions]":
    """Open the sessions of a repository's home folder; none of the heavier tools is needed to look at them."""
    from ...state.errors import UnknownSession
    from ...tools.clock import SystemClock
    from ...tools.home import open_repository
    from ...tools.settings_file import load_options
    from ..checkpoints import open_store
    from ..sessions import Sessions

    place = home_of(open_repository(repo), home)
    if not place.is_dir():
        raise UnknownSession(f"no sessions in {place}: start one with maintainer explore 'how is this built?'")
    options = load_options(repository_file=place / "settings.yaml")
    saver = open_store(place, options)
    try:
        for finding in saver.findings:
            console(stderr=True).print(finding, style="yellow", markup=False)
        yield Sessions(place, saver, clock=SystemClock())
    finally:
        saver.close()


def tell(as_json: bool, plain: Any, sentence: str) -> None:
    """Print the result as JSON or as a sentence."""
    if as_json:
        print_json(plain)
    else:
        console().print(sentence, markup=False)
