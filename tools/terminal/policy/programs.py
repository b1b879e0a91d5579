"""The programs that need no more than a table. To allow another one, add a row (and its rows in the tests)."""

from collections.abc import Mapping
from types import MappingProxyType

from .options import Program, names

FOLLOWS = "follows links out of the workspace"
WAITS = "would wait for ever"
WRITES = "writes a file"
RUNS = "runs another program"
LISTS = "reads file names from a file"
COLOUR = names("--color --colour --colors")

_LIST = """
    -1 -A -B -C -F -G -N -Q -R -S -U -X -a -b -c -d -f -g -h -i -k -l -m -n -o -p -q -r -s -t -u -v -x -I=text
    -T=width -w=width --all --almost-all --author --block-size=text --directory --classify --file-type
    --format=text --full-time --group-directories-first --human-readable --si --hide=text --ignore=text
    --ignore-backups --indicator-style=text --inode --kibibytes --literal --no-group --numeric-uid-gid
    --quote-name --quoting-style=text --recursive --reverse --size --sort=text --time=text --time-style=text
    --width=width --escape --hide-control-chars --color[=text]
"""
_LIST_REFUSED = dict.fromkeys(
    names("-L -H --dereference --dereference-command-line --dereference-command-line-symlink-to-dir"),
    FOLLOWS,
)
_GREP = """
    -A=num -B=num -C=num -E -F -G -H -I -L -P -R -T -V -Z -a -b -c -e=text -f=path -h -i -l -m=num -n -o -q -r
    -s -U -v -w -x -y -z -d=text --after-context=num --before-context=num --context=num --basic-regexp --binary
    --byte-offset --binary-files=text --count --directories=text --exclude=text --exclude-dir=text
    --extended-regexp --file=path --files-with-matches --files-without-match --fixed-strings --ignore-case
    --include=text --initial-tab --invert-match --label=text --line-number --line-regexp --max-count=num
    --no-filename --no-ignore-case --no-messages --null --null-data --only-matching --perl-regexp --quiet
    --recursive --regexp=text --silent --text --with-filename --word-regexp --dereference-recursive
    --color[=text] --colour[=text]
"""
_GREP_PATTERN = names("-e -f --regexp --file")
_GREP_RENAME = {"-R": "-r", "--dereference-recursive": "-r", "-y": "-i"}


def _grep(*forced: str) -> Program:
    return Program(
        options=_GREP,
        operands="text then paths",
        forced=("-D", "skip", "--color=never", *forced),
        dropped=COLOUR,
        refused={"-D": "reads devices", "--devices": "reads devices", "--include-from": LISTS, "--exclude-from": LISTS},
        pattern_options=_GREP_PATTERN,
        rename=_GREP_RENAME,
        digits=True,
        runs_as="grep",
    )


_CHECKSUM = Program(options="-b -t -z --tag --binary --text", refused={"-c": LISTS, "--check": LISTS})
_ENDLESS = dict.fromkeys(("-f", "-F", "--follow", "--retry", "--pid", "-s", "--sleep-interval"), WAITS)
_PAGING = "-E -F -I -M -N -R -S -X -c -d -e -f -g -i -l -m -n -p -q -r -s -u -w"
_PAGER = Program(
    options=_PAGING,
    dropped=names(_PAGING),
    refused=dict.fromkeys(("-o", "-O", "--log-file", "--LOG-FILE"), WRITES) | {"-k": RUNS, "--lesskey-file": RUNS},
    runs_as="cat",
)
_RG = """
    -A=num -B=num -C=num -E=text -F -H -I -L -M=num -N -P -S -T=text -U -V -a -c -d=num -e=text -f=path -g=text
    -h -i -l -m=num -n -o -p -q -r=text -s -t=text -u -v -w -x -0 --after-context=num --before-context=num
    --context=num --context-separator=text --case-sensitive --column --count --count-matches --crlf --debug
    --encoding=text --engine=text --field-context-separator=text --field-match-separator=text --files
    --files-with-matches --files-without-match --fixed-strings --glob=text --glob-case-insensitive --heading
    --hidden --iglob=text --ignore-case --include-zero --invert-match --json --line-number --line-regexp
    --max-columns=num --max-columns-preview --max-count=num --max-depth=num --maxdepth=num --max-filesize=size
    --multiline --multiline-dotall --no-filename --no-heading --no-ignore --no-ignore-dot --no-ignore-exclude
    --no-ignore-global --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --no-unicode --null
    --null-data --one-file-system --only-matching --passthru --pcre2 --pretty --quiet --regexp=text
    --replace=text --smart-case --sort=text --sortr=text --stats --text --threads=width -j=width --trim
    --type=text --type-not=text --type-list --unrestricted --vimgrep --with-filename --word-regexp --file=path
    --binary --no-binary --auto-hybrid-regex --no-column --sort-files --color=text --colors=text
"""
_TREE = """
    -A -D -F -I=text -J -C -L=num -N -P=text -Q -S -U -X -a -c -d -f -g -h -i -n -p -q -r -s -t -u -v
    --dirsfirst --du --filelimit=num --filesfirst --gitignore --ignore-case --inodes --matchdirs --metafirst
    --noreport --prune --si --sort=text --timefmt=text --charset=text --device -x
"""
_STAT = "-c=text -f -t --format=text --printf=text --terse --file-system"
_JQ = """
    -C --color-output -M -S -a -c -e -j -n -r -s --arg=text --argjson=text --ascii-output --compact-output
    --exit-status --indent=width --join-output --monochrome-output --null-input --raw-input --raw-output --seq
    --slurp --sort-keys --stream --tab -R
"""

PROGRAMS: Mapping[str, Program] = MappingProxyType(
    {
        "ls": Program(options=_LIST, refused=_LIST_REFUSED, dropped=COLOUR),
        "dir": Program(options=_LIST, refused=_LIST_REFUSED, dropped=COLOUR),
        "tree": Program(
            options=_TREE,
            refused={"-o": WRITES, "-l": FOLLOWS, "-R": WRITES, "-H": WRITES}
            | dict.fromkeys(("--fromfile", "--fromtabfile", "--infofile", "--gitfile", "--info"), LISTS),
            forced=("-n",),
            dropped=names("-C"),
        ),
        "cat": Program(
            options="""
                -A -E -T -b -e -n -s -t -u -v --number --number-nonblank --show-all --show-ends
                --show-nonprinting --show-tabs --squeeze-blank
            """
        ),
        "head": Program(
            options="""
                -c=size -n=size -q -v -z --bytes=size --lines=size --quiet --silent --verbose --zero-terminated
            """,
            digits=True,
        ),
        "tail": Program(
            options="""
                -c=size -n=size -q -v -z --bytes=size --lines=size --quiet --silent --verbose --zero-terminated
            """,
            digits=True,
            refused=_ENDLESS | {"--max-unchanged-stats": WAITS},
        ),
        "grep": _grep(),
        "egrep": _grep("-E"),
        "fgrep": _grep("-F"),
        "rg": Program(
            options=_RG,
            operands="text then paths",
            forced=("--no-config", "--no-follow", "--color=never"),
            refused=dict.fromkeys(("--pre", "--pre-glob", "--hostname-bin", "-z", "--search-zip"), RUNS)
            | dict.fromkeys(("-L", "--follow"), FOLLOWS)
            | {"--ignore-file": LISTS, "--type-add": "is not supported"},
            dropped=COLOUR,
            pattern_options=names("-e -f --regexp --file --files --type-list"),
        ),
        "wc": Program(
            options="-L -c -l -m -w --bytes --chars --lines --max-line-length --words --total=text",
            refused={"--files0-from": LISTS},
        ),
        "sort": Program(
            options="""
                -C -M -R -V -b -c -d -f -g -h -i -k=text -m -n -r -s -t=text -u -z --check[=text]
                --dictionary-order --field-separator=text --general-numeric-sort --human-numeric-sort
                --ignore-case --ignore-leading-blanks --ignore-nonprinting --key=text --merge --month-sort
                --numeric-sort --random-sort --reverse --sort=text --stable --unique --version-sort
                --zero-terminated --debug
            """,
            forced=("-S", "256M"),
            refused={"-o": WRITES, "--output": WRITES, "-T": WRITES, "--temporary-directory": WRITES}
            | {"--compress-program": RUNS, "--files0-from": LISTS, "--random-source": LISTS, "-S": "sets the memory"}
            | {"--buffer-size": "sets the memory", "--parallel": "sets the load", "--batch-size": "sets the load"},
        ),
        "uniq": Program(
            options="""
                -D -c -d -f=num -i -s=num -u -w=num -z --all-repeated[=text] --count --repeated --group[=text]
                --skip-fields=num --skip-chars=num --ignore-case --unique --check-chars=num --zero-terminated
            """,
            operands="one path",
        ),
        "cut": Program(
            options="""
                -b=text -c=text -d=text -f=text -n -s -z --bytes=text --characters=text --complement
                --delimiter=text --fields=text --only-delimited --output-delimiter=text --zero-terminated
            """
        ),
        "tr": Program(
            options="-C -c -d -s -t --complement --delete --squeeze-repeats --truncate-set1", operands="text"
        ),
        "file": Program(
            options="""
                -0 -E -I -N -b -e=text -F=text -h -i -k -n -p -r --brief --exclude=text --extension --keep-going
                --mime --mime-encoding --mime-type --no-pad --no-dereference --print0 --raw --separator=text
            """,
            refused={"-C": WRITES, "--compile": WRITES, "-f": LISTS, "--files-from": LISTS, "-m": LISTS}
            | {"--magic-file": LISTS, "-s": "reads devices", "-L": FOLLOWS, "--dereference": FOLLOWS}
            | dict.fromkeys(("-z", "-Z", "--uncompress"), RUNS)
            | {"-S": "turns its own sandbox off"},
        ),
        "stat": Program(options=_STAT, refused={"-L": FOLLOWS, "--dereference": FOLLOWS}),
        "du": Program(
            options="""
                -0 -P -S -a -b -c -d=num -h -k -l -m -s -t=size -x -B=size --all --apparent-size
                --block-size=size --bytes --count-links --exclude=text --human-readable --inodes --max-depth=num
                --no-dereference --null --one-file-system --separate-dirs --si --summarize --threshold=size
                --time[=text] --time-style=text --total
            """,
            refused=dict.fromkeys(("-L", "-D", "-H", "--dereference", "--dereference-args"), FOLLOWS)
            | {"--files0-from": LISTS, "-X": LISTS, "--exclude-from": LISTS},
        ),
        "less": _PAGER,
        "more": _PAGER,
        "jq": Program(
            options=_JQ,
            operands="text then paths",
            refused=dict.fromkeys(("-f", "--from-file", "-L", "--slurpfile", "--rawfile"), LISTS),
            dropped=names("-C --color-output"),
            dashes=False,
        ),
        "nl": Program(
            options="""
                -b=text -d=text -f=text -h=text -i=num -l=num -n=text -p -s=text -v=num -w=width
                --body-numbering=text --number-format=text --number-separator=text --number-width=width
                --starting-line-number=num
            """
        ),
        "comm": Program(options="-1 -2 -3 -z --check-order --nocheck-order --output-delimiter=text --total"),
        "paste": Program(options="-d=text -s -z --delimiters=text --serial --zero-terminated"),
        "diff": Program(
            options="""
                -B -E -U=num -C=num -Z -a -b -c -d -e -i -q -r -s -t -u -w -y -N -x=text -I=text -W=width
                --brief --unified[=num] --context[=num] --exclude=text --ignore-all-space --ignore-blank-lines
                --ignore-case --ignore-space-change --minimal --new-file --recursive --report-identical-files
                --side-by-side --suppress-common-lines --text --width=width --color[=text]
            """,
            forced=("--no-dereference",),
            dropped=COLOUR,
            refused={"-l": RUNS, "--paginate": RUNS, "-X": LISTS, "--exclude-from": LISTS, "--from-file": LISTS}
            | {"--to-file": LISTS},
        ),
        "cmp": Program(options="-b -i=size -l -n=size -s --bytes=size --print-bytes --quiet --silent --verbose"),
        "od": Program(
            options="""
                -A=text -N=size -S=num -a -b -c -d -f -i -j=size -l -o -s -t=text -v -w[=width] -x
                --address-radix=text --format=text --read-bytes=size --skip-bytes=size --width[=width]
            """
        ),
        "sha256sum": _CHECKSUM,
        "md5sum": _CHECKSUM,
        "basename": Program(options="-a -s=text -z --multiple --suffix=text --zero", operands="text"),
        "dirname": Program(options="-z --zero", operands="text"),
    }
)
"""By name, as the model writes it."""
