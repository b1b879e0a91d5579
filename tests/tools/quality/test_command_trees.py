"""Command lines of documents are followed word by word through the commands that a program tells of."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
ARGPARSE = {
    "bowling/__init__.py": "",
    "bowling/__main__.py": "import sys\n\nfrom bowling.cli.main import main\n\nsys.exit(main())\n",
    "bowling/cli/__init__.py": "",
    "bowling/cli/main.py": "import argparse\n\nfrom bowling.cli import lanes, shoes\n\n\ndef main():\n"
    "    parser = argparse.ArgumentParser()\n    parser.add_argument('--verbose', action='store_true')\n"
    "    commands = parser.add_subparsers()\n    for module in (lanes, shoes):\n        module.register(commands)\n"
    "    return parser.parse_args()\n",
    "bowling/cli/lanes.py": "def register(commands):\n"
    "    group = commands.add_parser('lane', help='lanes').add_subparsers()\n"
    "    book = group.add_parser('book')\n    book.add_argument('number')\n    book.add_argument('--guests')\n"
    "    for name in ('open', 'close'):\n        turning = group.add_parser(name)\n"
    "        turning.add_argument('number')\n",
    "bowling/cli/shoes.py": "FIELDS = ('size', 'left')\n\n\ndef register(commands):\n"
    "    load = commands.add_parser('load')\n    load.add_argument('what', choices=('shoes', 'balls'))\n"
    "    load.add_argument('file')\n    more = load.add_argument_group('more')\n    more.add_argument('--again')\n"
    "    commands.add_parser('sweep').set_defaults(run=print)\n    show = commands.add_parser('show')\n"
    "    for field in FIELDS:\n        show.add_argument('--' + field)\n",
}
CLICK = {
    "pyproject.toml": '[project]\nname = "kiln"\n[project.scripts]\nkiln = "kiln.cli:cli"\n',
    "kiln/__init__.py": "",
    "kiln/cli.py": "import click\n\n\n@click.group()\ndef cli():\n    pass\n\n\n"
    "@cli.group()\ndef glaze():\n    pass\n\n\n"
    "@glaze.command('mix')\n@click.option('--litres')\ndef mix_it(litres):\n    print(litres)\n\n\n@cli.command()\n"
    "def fire():\n    print('print')\n",
}
ARGV = {
    "mill/__init__.py": "",
    "mill/table.py": "JOBS = {'grind': 'mill.grind', 'sweep-up': 'mill.sweep'}\n",
    "mill/sweep.py": "def polish():\n    return 'polish'\n",
    "mill/__main__.py": "import sys\n\nfrom mill.sweep import polish\nfrom mill.table import JOBS\n\n\n"
    "def main(arguments):\n    if arguments[0] not in JOBS:\n        return polish()\n"
    "    return JOBS[arguments[0]]\n\n\nmain(sys.argv[1:])\n",
}


@pytest.mark.parametrize(
    ("program", "line", "told"),
    [
        (ARGPARSE, "    python -m bowling lane book 7", []),
        (ARGPARSE, "    python -m bowling lane number 7", ["bowling lane number: no such command"]),
        (ARGPARSE, "Run `python -m bowling lane close 7`.", []),
        (ARGPARSE, "Run `bowling lane file 7`.", ["bowling lane file: no such command"]),
        (ARGPARSE, "    python -m bowling lane book 7 --shoes 3", ["bowling lane book --shoes: no such option"]),
        (ARGPARSE, "    python -m bowling lane open 7 --guests 3", ["bowling lane open --guests: no such option"]),
        (ARGPARSE, "    python -m bowling lane book preview 7", ["bowling lane book preview: no such command"]),
        (ARGPARSE, "    python -m bowling load shoes FILE --again", []),
        (ARGPARSE, "    python -m bowling sweep", []),
        (ARGPARSE, "    python -m bowling load pins FILE", ["bowling load pins: no such command"]),
        (ARGPARSE, "    python -m bowling show --size 41 --colour red", []),  # the names are made at run time
        (ARGPARSE, "Run `python -m bowling load balls FILE`; `--guests` is new.", ["load --guests: no such option"]),
        (ARGPARSE, "| `lane book NUMBER --guests N` | books |", []),
        (ARGPARSE, "| `lane book NUMBER --price N` | books |", ["lane book --price: no such option"]),
        (CLICK, "    kiln glaze mix --litres 3", []),
        (CLICK, "    kiln glaze print", ["kiln glaze print: no such command"]),
        (CLICK, "    kiln fire", []),
        (ARGV, "    python -m mill sweep-up", []),
        (ARGV, "    python -m mill polish", ["mill polish: no such command"]),
    ],
)
def test_the_words_of_a_command_line_lead_to_a_command(
    program: dict[str, str], line: str, told: list[str], found: Found
) -> None:
    readme = f"# Program\n\nA program.\n\n{line}\n"
    findings = found(program | {"README.md": readme}, "stale_docs")
    assert [f"{each.facts['claim']}: {each.facts['reason']}" for each in findings] == told


def test_what_others_add_cannot_be_known(found: Found) -> None:
    main = ARGPARSE["bowling/cli/main.py"]
    loads = main.replace("import argparse\n", "import argparse\nimport importlib\n").replace(
        "        module.register", "        importlib.import_module('pins')\n        module.register"
    )
    readme = "# Program\n\nA program.\n\n| `lane number NUMBER` | shows |\n"
    assert found({**ARGPARSE, "README.md": readme}, "stale_docs")
    assert not found({**ARGPARSE, "README.md": readme, "bowling/cli/main.py": loads}, "stale_docs")
