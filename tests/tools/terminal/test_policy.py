"""What each program may be asked, and what it is not asked whatever the words."""

from collections.abc import Sequence

import pytest
from maintainer.state.errors import CommandRefused
from maintainer.tools.terminal.builtin import BUILTINS
from maintainer.tools.terminal.policy import ALLOWED, Policy
from maintainer.tools.terminal.policy.check import installed
from maintainer.tools.terminal.sandbox.level import Level

FULL = Level(landlock=7, seccomp=True)


def inside(path: str) -> str:
    if path.startswith("/") or ".." in path.split("/"):
        raise CommandRefused(f"path {path!r} is outside the workspace; use a path inside it")
    return path


def check(words: Sequence[str], level: Level = FULL) -> list[str]:
    runs = {"egrep": "grep", "fgrep": "grep", "less": "cat"}.get(words[0], words[0])
    if runs in ALLOWED and installed(runs) is None:
        pytest.skip(f"{words[0]} is not installed")
    return list(Policy(level, "/nonexistent").check(words, inside, tuple(BUILTINS)).argv)


@pytest.mark.parametrize(
    ("line", "argv"),
    [
        ("ls -la src", "ls -l -a -- src"),
        ("ls --color=always", "ls --"),
        ("cat -n a b", "cat -n -- a b"),
        ("head -5 a", "head -5 -- a"),
        ("head -n5 a", "head -n 5 -- a"),
        ("tail -n +3 a", "tail -n +3 -- a"),
        ("less -R a", "less -- a"),
        ("grep -rn x src", "grep -D skip --color=never -r -n -- x src"),
        ("grep x -r src", "grep -D skip --color=never -r -- x src"),
        ("grep -R x", "grep -D skip --color=never -r -- x"),
        ("grep -e x -e y a", "grep -D skip --color=never -e x -e y -- a"),
        ("grep -- -x a", "grep -D skip --color=never -- -x a"),
        ("egrep a|b f", "egrep -D skip --color=never -E -- a|b f"),
        ("sort -k1,1nr -t, a", "sort -S 256M -k 1,1nr -t , -- a"),
        ("cut -d: -f1 a", "cut -d : -f 1 -- a"),
        ("tree -L 2", "tree -n -L 2 --"),
        ("sed -n 1,5p a", "sed --sandbox -n -- 1,5p a"),
        ("sed -e p -n a", "sed --sandbox -e p -n -- a"),
        ("find . -name *.py -not -path ./.git/*", "find -P . -name *.py -not -path ./.git/*"),
        ("find src -type f -mtime -3 -printf %p", "find -P src -type f -mtime -3 -printf %p"),
        ("git log --oneline -3", "git --no-pager log --no-ext-diff --no-textconv --no-show-signature "
         "--ignore-submodules=all --oneline -3"),
        ("git diff HEAD~1 -- src", "git --no-pager diff --no-ext-diff --no-textconv --ignore-submodules=all "
         "HEAD~1 -- src"),
        ("git -C src status -s", "git --no-pager -C src status --ignore-submodules=all -s"),
        ("git diff -U0 -S x", "git --no-pager diff --no-ext-diff --no-textconv --ignore-submodules=all -U0 -Sx"),
        ("git --version", "git --no-pager version"),
        ("git branch", "git --no-pager branch"),
        ("rg --version", "rg --no-config --no-follow --color=never --version --"),
        ("git branch --list f*", "git --no-pager branch --list f*"),
        ("git stash list", "git --no-pager stash list"),
        ("git reflog", "git --no-pager reflog show --no-ext-diff --no-textconv --no-show-signature "
         "--ignore-submodules=all"),
        ("git config user.name", "git --no-pager config user.name"),
        ("git shortlog -sn", "git --no-pager shortlog -s -n HEAD"),
        ("rg x", "rg --no-config --no-follow --color=never -- x"),
        ("rg --files -g *.md", "rg --no-config --no-follow --color=never --files -g *.md --"),
        ("jq .include a.json", "jq .include a.json"),
        ("tr a-z A-Z", "tr -- a-z A-Z"),
    ],
)  # fmt: skip
def test_the_command_line_is_built_anew(line: str, argv: str) -> None:
    assert check(line.split()) == argv.split()


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("rm x", "'rm'"),
        ("python3 -c 1", "'python3'"),
        ("/bin/ls", "'/bin/ls'"),
        ("./ls", "'./ls'"),
        ("LS", "'LS'"),
        ("саt x", "'саt'"),  # a Cyrillic letter
        ("", "''"),
        ("ls -L", "-L"),
        ("ls --deref", "--deref"),
        ("cat ../x", "'../x'"),
        ("cat -- /etc/passwd", "'/etc/passwd'"),
        ("cat --number=3 a", "=3"),
        ("tail -f a", "'-f'"),
        ("tail -fn5 a", "'-f'"),
        ("tail --pid=1 a", "'--pid'"),
        ("head -c", "'-c'"),
        ("head -n x a", "'x'"),
        ("wc --files0-from=a", "--files0-from"),
        ("wc --files0=a", "--files0"),
        ("du -X a", "'-X'"),
        ("stat -L a", "'-L'"),
        ("file -m a b", "'-m'"),
        ("file -C", "'-C'"),
        ("tree -o a", "'-o'"),
        ("tree -ao a", "'-o'"),
        ("tree -l", "'-l'"),
        ("sort -o a b", "'-o'"),
        ("sort -ro a b", "'-o'"),
        ("sort --outp=a b", "--outp"),
        ("sort --compress-program=a", "--compress-program"),
        ("sort -T . a", "'-T'"),
        ("uniq a b", "'b'"),
        ("sed -i p a", "'-i'"),
        ("sed -ni p a", "'-i'"),
        ("sed -f a b", "'-f'"),
        ("sed", "missing"),
        ("grep", "missing"),
        ("grep x /etc/passwd", "'/etc/passwd'"),
        ("grep -f /etc/passwd a", "'/etc/passwd'"),
        ("grep --file=../x a", "'../x'"),
        ("grep -D read x a", "'-D'"),
        ("rg --pre cat x", "'--pre'"),
        ("rg -z x", "'-z'"),
        ("rg --follow x", "'--follow'"),
        ("find . -exec id ;", "-exec"),
        ("find . -delete", "-delete"),
        ("find . -fprintf a b", "-fprintf"),
        ("find -L .", "-L"),
        ("find /etc", "'/etc'"),
        ("find . -newer /etc/passwd", "'/etc/passwd'"),
        ("find . -newermB /etc", "'/etc'"),
        ("find . -printf %Y", "%Y"),
        ("find . -printf %-10Y", "%Y"),
        ("find . -xtype f", "-xtype f"),
        ("find . -name", "-name"),
        ("find . -mtime x", "'x'"),
        ("find . -unknown", "'-unknown'"),
        ("awk 1 /etc/passwd", "'/etc/passwd'"),
        ("awk -f a b", "'-f'"),
        ("awk -v 1=2 1", "'1=2'"),
        ("jq -f a b", "'-f'"),
        ("jq --slurpfile a b .", "'--slurpfile'"),
        ('jq import"x"as$y;.', "'import'"),
        ("git", "subcommand is missing"),
        ("git commit -m x", "git commit"),
        ("git -c a.b=c log", "'-c'"),
        ("git --git-dir=x log", "'--git-dir'"),
        ("git -C .. log", "'..'"),
        ("git -C src log -- ../../x", "src/../../x"),
        ("git log --output=x", "'--output'"),
        ("git log --ext-diff", "'--ext-diff'"),
        ("git log --show-signature", "'--show-signature'"),
        ("git show --textconv", "'--textconv'"),
        ("git show --remerge-diff", "'--remerge-diff'"),
        ("git diff --no-index a b", "'--no-index'"),
        ("git diff a ../b", "'../b'"),
        ("git grep -O x", "'-O'"),
        ("git grep --open-files-in-pager x", "--open-files-in-pager"),
        ("git branch new", "'new'"),
        ("git branch -a new", "'new'"),
        ("git branch -D old", "'-D'"),
        ("git tag v1", "'v1'"),
        ("git stash", "git stash"),
        ("git stash -u", "git stash"),
        ("git stash drop", "git stash drop"),
        ("git reflog expire --all", "git reflog expire"),
        ("git remote update", "git remote update"),
        ("git remote -v update", "'update'"),
        ("git config a b", "git config"),
        ("git config --add a b", "'--add'"),
        ("git config -f x --list", "'-f'"),
        ("git symbolic-ref HEAD refs/heads/x", "'refs/heads/x'"),
        ("git worktree add x", "git worktree add"),
        ("git hash-object -w x", "'-w'"),
        ("git blame --contents x a", "'--contents'"),
        ("git ls-files -X x", "'-X'"),
        ("git show HEAD:../../x", "'HEAD:../../x'"),
        ("git show HEAD:/etc/passwd", "'/etc/passwd'"),
        ("git cat-file --batch", "'--batch'"),
        ("git cat-file --filters HEAD:a", "'--filters'"),
    ],
)  # fmt: skip
def test_a_refusal_is_one_sentence_that_quotes_the_part(line: str, quoted: str) -> None:
    with pytest.raises(CommandRefused) as refusal:
        check(line.split(" "))
    message = str(refusal.value)
    assert quoted in message
    assert "\n" not in message
    assert ";" in message or ":" in message  # says what to do instead


@pytest.mark.parametrize(
    "script",
    [
        "{print $1}",
        "$3 > 10 {print}",
        "{print ($1 > 2)}",
        "/system/ {print}",
        '{print "system(1)"}',
        "NR==1, /x\\/y/ {n++}",
        "{a=$1/2; b=$2/3; print a, b}",
        "!seen[$0]++",
        'BEGIN{FS=":"} {printf "%s\\n", $NF}',
        "{if ($1 ~ /^[a-z]+$/) print; else next}",
        "function f(x) {return x*2} {print f($1)}",
        '{gsub(/[0-9]+/, "N"); print}',
        'END{for (k in a) print k, a[k] | "x"}'[:30] + "}",
        '$1 == "a|b"',
        "# comment with system(x)\n1",
    ],
)
def test_awk_programs_that_only_compute_are_let_through(script: str) -> None:
    assert script in check(["awk", script, "a"])


@pytest.mark.parametrize(
    "script",
    [
        'BEGIN{system("id")}',
        'BEGIN{system ("id")}',
        '{"id" | getline x}',
        '{getline x < "f"}',
        '{print > "f"}',
        '{print >> "f"}',
        '{print | "sh"}',
        "{print $1, $2 > $3}",
        '{printf("x") > "f"}',
        '{print (1) > "f"}',
        '{print a[1] > "f"}',
        '{print /x/ > "f"}',
        '{x=1/2; print > "f" # /\n}',
        'BEGIN{x=a /2; system("id"); y=1/ 3}',
        'BEGIN{x=1 \\\n /2; system("id") ; y = 4 /3}',
        'BEGIN{x=a[1] /system("id")/ 3}',
        'BEGIN{x=f(1) /system("id")/ 3}',
        'BEGIN{x++ /system("id")/ 3}',
        "BEGIN{print ENVIRON[1]}",
        '@include "f"',
        'BEGIN{f="system"; @f("id")}',
        'BEGIN{print |& "cat"}',
        'BEGIN{ARGV[1]="/etc/passwd"; ARGC=2}',
        '/[/]/ {print > "f"} /x/',
        'BEGIN{close("x")}',
        '"unterminated',
        "BEGIN{print PROCINFO[1]}",
        'BEGIN { print "a" > "/dev/stderr" }',
    ],
)
def test_awk_programs_that_reach_out_are_refused(script: str) -> None:
    with pytest.raises(CommandRefused):
        check(["awk", script, "a"])


def test_without_a_kernel_sandbox_the_riskier_programs_are_off() -> None:
    with pytest.raises(CommandRefused, match="git"):
        check(["git", "log"], Level())
    with pytest.raises(CommandRefused, match="cannot be started"):
        check(["ls"], Level(processes=False))
    assert check(["ls"], Level()) == ["ls", "--"]
