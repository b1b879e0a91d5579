"""git's subcommands that read, each with a table of options."""

from collections.abc import Mapping
from types import MappingProxyType

from .options import Operands, Program, names
from .programs import COLOUR, RUNS, WRITES

_DIFF = """
    -p -u -U=num -s -R -a -b -w -z -M[=text] -C[=text] -B[=text] -D -O=path -S=text -G=text -W -l=num --patch
    --no-patch --unified=num --raw --minimal --patience --histogram --diff-algorithm=text --stat[=text]
    --numstat --shortstat --dirstat[=text] --cumulative --summary --name-only --name-status --full-index
    --binary --abbrev[=num] --no-abbrev --find-renames[=text] --find-copies[=text] --find-copies-harder
    --no-renames --irreversible-delete --diff-filter=text --pickaxe-all --pickaxe-regex --relative[=path]
    --no-relative --text --ignore-space-change --ignore-all-space --ignore-space-at-eol --ignore-cr-at-eol
    --ignore-blank-lines --ignore-matching-lines=text --inter-hunk-context=num --function-context --exit-code
    --quiet --word-diff[=text] --word-diff-regex=text --src-prefix=text --dst-prefix=text --no-prefix --check
    --patch-with-stat --patch-with-raw --compact-summary --ws-error-highlight=text --indent-heuristic
    --no-ext-diff --no-textconv --color[=text] --no-color --color-words --color-moved[=text]
    --combined-all-paths --ignore-submodules[=text] --submodule[=text] --output-indicator-new=text
    --output-indicator-old=text --output-indicator-context=text --ita-invisible-in-index --rotate-to=text
    --skip-to=text
"""
_COUNT = " -n=num "
_REVISIONS = """
    -i -E -F -P -g --max-count=num --skip=num --since=text --after=text --until=text --before=text
    --author=text --committer=text --grep=text --grep-reflog=text --all-match --invert-grep --regexp-ignore-case
    --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --first-parent
    --min-parents=num --max-parents=num --all --branches[=text] --tags[=text] --remotes[=text] --glob=text
    --exclude=text --reflog --walk-reflogs --cherry-pick --cherry-mark --left-right --left-only --right-only
    --boundary --simplify-merges --full-history --dense --sparse --ancestry-path[=text] --date-order
    --author-date-order --topo-order --reverse --no-walk[=text] --not --ignore-missing --remove-empty
    --simplify-by-decoration --show-pulls
"""
_FORMAT = """
    --pretty[=text] --format=text --oneline --abbrev-commit --no-abbrev-commit --encoding=text
    --expand-tabs[=num] --no-expand-tabs --notes[=text] --no-notes --relative-date --date=text --parents
    --children --graph --no-graph --decorate[=text] --no-decorate --decorate-refs=text
    --decorate-refs-exclude=text --clear-decorations --source --show-linear-break[=text] --log-size --follow
    --full-diff -L=text -c --cc -m -t -r --root --diff-merges=text --no-diff-merges --no-mailmap --mailmap
    --use-mailmap --no-show-signature
"""
_LOG = _DIFF + _REVISIONS + _COUNT + _FORMAT
_REFS = """
    --contains=text --no-contains=text --merged[=text] --no-merged[=text] --points-at=text --sort=text
    --format=text --ignore-case --count=num --color[=text] --no-color --column[=text] --no-column
"""
_DRIVERS = dict.fromkeys(("--ext-diff", "--textconv", "--show-signature", "--remerge-diff"), RUNS)
_REFUSED = _DRIVERS | {
    "--no-index": "compares files outside git; use diff",
    "--output": WRITES,
    "--filters": RUNS,
    "--open-files-in-pager": RUNS,
    "--contents": "reads another file",
    "--exclude-from": "reads another file",
    "--exclude-per-directory": "reads another file",
    "--ignore-revs-file": "reads another file",
}
_PLAIN = ("--no-ext-diff", "--no-textconv")
_MODULES = "--ignore-submodules=all"


def _command(options: str, *forced: str, digits: bool = False, operands: Operands = "text") -> Program:
    return Program(
        options=options,
        operands=operands,
        forced=forced,
        refused=_REFUSED,
        digits=digits,
        attached=True,
        rename={"--color-words": "--word-diff"},
        dropped=COLOUR | {"--no-color", "--color-moved", "--submodule"},
    )


_SIGNED = (*_PLAIN, "--no-show-signature", _MODULES)
_BLAME = """
    -L=text -l -t -s -e -w -M[=num] -C[=num] -c -p -f -n -b --date=text --porcelain --line-porcelain
    --incremental --root --show-name --show-number --show-email --show-stats --abbrev=num --since=text
    --first-parent --reverse
"""
COMMANDS: Mapping[str, Program] = MappingProxyType(
    {
        "log": _command(_LOG, *_SIGNED, digits=True),
        "show": _command(_LOG, *_SIGNED, digits=True),
        "whatchanged": _command(_LOG, *_SIGNED, digits=True),
        "reflog show": _command(_LOG, *_SIGNED, digits=True),
        "rev-list": _command(
            _REVISIONS + _COUNT + _FORMAT + " --count --objects --timestamp --header --quiet", digits=True
        ),
        "shortlog": _command(
            "-n -s -e -c -w[=text] --numbered --summary --email --group=text --format=text" + _REVISIONS
        ),
        "diff": _command(
            _DIFF + " --cached --staged --merge-base -0 -1 -2 -3 --base --ours --theirs", *_PLAIN, _MODULES
        ),
        "diff-tree": _command(_LOG + " -v --no-commit-id --merge-base", *_PLAIN, _MODULES),
        "diff-index": _command(_DIFF + " --cached -m --merge-base", *_PLAIN, _MODULES),
        "diff-files": _command(_DIFF + " -q -0 -1 -2 -3", *_PLAIN, _MODULES),
        "status": _command(
            """
                -s -b -v -u[=text] -z --short --branch --show-stash --porcelain[=text] --long --verbose
                --untracked-files[=text] --ignored[=text] --ignore-submodules[=text] --column[=text] --no-column
                --ahead-behind --no-ahead-behind --renames --no-renames --find-renames[=text]
            """,
            _MODULES,
        ),
        "branch": _command(
            """
                -a -r -v -l -i --all --remotes --list --verbose --show-current --abbrev=num --no-abbrev -vv
            """
            + _REFS
        ),
        "tag": _command("-l -n[=num] -i --list" + _REFS),
        "for-each-ref": _command("--shell --perl --python --tcl --omit-empty" + _REFS),
        "show-ref": _command(
            """
                -q -d -s --head --heads --branches --tags --dereference --hash[=num] --abbrev[=num] --verify
                --quiet
            """
        ),
        "show-branch": _command(
            """
                -a -r --all --remotes --current --topo-order --date-order --sparse --list --sha1-name --no-name
            """
        ),
        "symbolic-ref": _command("-q --quiet --short", operands="one text"),
        "blame": _command(_BLAME),
        "annotate": _command(_BLAME),
        "ls-files": _command(
            """
                -c -d -m -o -i -s -u -k -z -t -v -f -x=text --cached --deleted --modified --others --ignored
                --stage --unmerged --killed --exclude=text --exclude-standard --error-unmatch --full-name
                --abbrev[=num] --eol --deduplicate --directory --no-empty-directory --format=text --resolve-undo
            """
        ),
        "ls-tree": _command(
            """
                -d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree
                --format=text --abbrev[=num]
            """
        ),
        "cat-file": _command("-p -t -s -e --allow-unknown-type --use-mailmap"),
        "grep": _command(
            """
                -a -i -I -w -v -h -H -E -G -P -F -n -l -L -z -o -c -p -C=num -A=num -B=num -W -e=text -q -m=num
                --text --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp
                --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only
                --files-without-match --null --only-matching --count --break --heading --show-function
                --context=num --after-context=num --before-context=num --function-context --max-depth=num
                --recursive --no-recursive --threads=width --and --or --not --all-match --quiet --cached
                --untracked --no-exclude-standard --exclude-standard --max-count=num --color[=text] --no-color
            """,
            "--no-textconv",
            digits=True,
        ),
        "rev-parse": _command(
            """
                -q --verify --quiet --short[=num] --abbrev-ref[=text] --symbolic --symbolic-full-name --all
                --branches[=text] --tags[=text] --remotes[=text] --show-toplevel --show-prefix --show-cdup
                --git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository
                --is-shallow-repository --show-object-format --since=text --until=text --revs-only --no-revs
                --flags --no-flags --default=text --disambiguate=text --not
            """
        ),
        "describe": _command(
            """
                --dirty[=text] --broken[=text] --all --tags --contains --abbrev=num --candidates=num
                --exact-match --long --match=text --exclude=text --always --first-parent
            """
        ),
        "name-rev": _command("--tags --refs=text --exclude=text --all --name-only --no-undefined --always"),
        "merge-base": _command("-a --all --octopus --independent --is-ancestor --fork-point"),
        "cherry": _command("-v --verbose --abbrev[=num]"),
        "count-objects": _command("-v -H --verbose --human-readable", operands="none"),
        "hash-object": _command("-t=text --no-filters"),
        "check-ignore": _command("-q -v -n --quiet --verbose --non-matching"),
        "check-attr": _command("-a --all --cached"),
        "stash list": _command(_LOG, digits=True),
        "stash show": _command(_DIFF, *_PLAIN),
        "remote": _command("-v --verbose", operands="none"),
        "remote get-url": _command("--all --push"),
        "config": _command(
            """
                -l -z --list --get --get-all --get-regexp --get-urlmatch --local --show-origin --show-scope
                --name-only --null --type=text --bool --int --path --default=text
            """
        ),
        "worktree list": _command("-v -z --verbose --porcelain"),
        "notes list": _command("--ref=text"),
        "notes show": _command("--ref=text"),
        "version": _command("--build-options", operands="none"),
    }
)
"""By subcommand, with its verb where it has one."""

GLOBAL = Program(
    options="-C=path -P -p --no-pager --paginate --no-optional-locks --no-replace-objects --literal-pathspecs",
    dropped=names("-p --paginate"),
)
"""Options before the subcommand."""
DEFAULT_VERB: Mapping[str, str] = MappingProxyType({"reflog": "show", "notes": "list"})
"""What subcommands with verbs do when none is given, as far as that only reads."""
LISTS_WITH: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "branch": names("-l --list --contains --no-contains --merged --no-merged --points-at"),
        "tag": names("-l --list -n --contains --no-contains --merged --no-merged --points-at"),
    }
)
"""Subcommands that create what they are given, unless an option says that they list."""
READS_CONFIG = names("-l --list --get --get-all --get-regexp --get-urlmatch")
