"""What is written for people is true: examples work, links lead somewhere, nothing is left out."""

import ast
import importlib
import re
import shlex
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest
import typer

import engine
from engine.notation import parse, split, verbs
from service.app.office import Office
from service.app.relays import Relays
from service.audience import of_seat
from service.cli import program
from service.commands.entry import Who
from service.commands.helping import moves_page
from service.commands.helping import page as page_of_commands
from service.commands.reading import ORDER, PLAY, QUESTION
from service.desk.service import Service
from service.desk.vocabulary.table import VOCABULARY
from service.desk.vocabulary.turn_commands import at_the_table
from service.exchange.dialect import DIALECTS
from service.mail.mailbox import Fetched
from service.settings import keys
from service.store import Store
from service.workshop.practice.script import Script, ScriptTurn, read, run
from service.workshop.rehearsal import faults, rehearse
from service.workshop.rehearsal.head import seats_so
from service.workshop.rehearsal.reading import read as read_scenario
from tests.source import ROOT, tree

PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    *(f"docs/{p.name}" for p in sorted((ROOT / "docs").glob("*.md"))),
]
FOR_PLAYERS = [
    f"docs/{name}.md" for name in ("quickstart", "playing", "asking", "messages", "orders")
]
OVERLAY = ("toml", "overlay")
PICTURE = b"\x89PNG\r\n\x1a\n"
TITLE = engine.load_title("18AL")


@dataclass(frozen=True)
class Block:
    """A fenced block, or one in a comment that readers do not see; ``line`` is its first line's."""

    kind: str
    name: str
    line: int
    text: str


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> Iterator[Block]:
    for found in re.finditer(
        r"^(?:```(\w+) ?(.*)\n((?:.*\n)*?)```|<!--(\w+) ?(.*)\n((?:.*\n)*?)-->)$",
        text_of(page),
        re.M,
    ):
        kind, name, text = found.group(*((1, 2, 3) if found[1] else (4, 5, 6)))
        line = text_of(page)[: found.start()].count("\n") + 2
        yield Block(kind, name, line, text)


def games(page: str) -> dict[str, str]:
    """The games told in a page by name; every line stands at its number in the page."""
    lines: dict[str, list[str]] = defaultdict(list)
    for block in blocks(page):
        if block.kind == "game":
            told = lines[block.name]
            told += [""] * (block.line - 1 - len(told)) + block.text.splitlines()
    return {name: "\n".join(told) for name, told in lines.items()}


GAMES = [(page, name) for page in PAGES for name in games(page)]


@pytest.mark.parametrize(("page", "name"), GAMES)
def test_a_game_goes_as_the_page_tells(page, name):
    run(read(games(page)[name]))


# mails


@dataclass
class Heap:
    """A mailbox into which a test puts mails."""

    mails: list[bytes] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    name: str = "heap"
    unreadable: dict[tuple[int, int], str] = field(default_factory=dict)

    def fetch(self, kept: tuple[int, int] = (0, 0)) -> Iterator[Fetched]:
        while self.mails:
            yield Fetched(1, next(self.numbers), self.mails.pop(0), datetime.now(UTC))

    def done(self, fetched: Fetched) -> None: ...
    def moved(self, since: int) -> Iterator[Fetched]:
        return iter(())

    def wake(self) -> None: ...
    def interrupt(self) -> None: ...
    def close(self) -> None: ...
    def probe(self) -> str:
        return ""

    def wait(self, seconds: float) -> bool:
        return False


class Moderator:
    """The whole service but for the servers: one mail in, the letters that follow out."""

    def __init__(self, folder: Path, game: str, players: list[str]) -> None:
        secrets = (f"a secret for the pages, {n}".encode() for n in count())
        title = engine.load_title("18AL")
        secret = next(s for s in secrets if seats_so(s, game, players, title))
        self.service = Service(
            "waybill@example.org",
            "Waybill",
            secret,
            render=lambda svg, width: PICTURE,
            commands=VOCABULARY,
        )
        self.store = Store(f"sqlite:///{folder / 'pages.sqlite'}")
        self.store.upgrade()
        self.game, self.players, self.heap = game, players, Heap()
        self.office = Office(self.store, self.service, (self.heap,), Relays())
        self.sent = 0
        #: where whoever has no seat answers the letter that asked them last
        self.asked: dict[str, str] = {}

    def mail(self, sender: str, text: str) -> list[EmailMessage]:
        """Handle one mail and take what is answered; no mail may fail by a fault of ours."""
        known = sender in self.players and not re.match(r"create |join ", text)
        mail, self.sent = EmailMessage(), self.sent + 1
        mail["From"] = f"{sender.lower()}@example.net"
        owner = of_seat(self.game, sender)
        seat = self.service.seat_address(owner).open(owner)
        answer = self.asked.get(sender) if text.strip() == "yes" else None
        mail["To"] = seat if known else answer or self.service.address
        mail["Subject"], mail["Message-ID"] = "a mail", f"<{self.sent}@example.net>"
        mail.set_content(text)
        self.heap.mails.append(mail.as_bytes())
        self.office.fetch()
        while self.office.moderate():
            pass
        assert not self.store.mails.aside()
        rows = self.store.letters.claim("the test", self.office.clock(), 600, 100)
        found = [message_from_bytes(row.raw, policy=policy.default) for row in rows]
        for one in found:
            self.asked[str(one["To"]).partition("@")[0].title()] = str(one["Reply-To"])
        return found


def plain(mail: EmailMessage) -> str:
    return " ".join(mail.get_body(("plain",)).get_content().split())


MAILS = [page for page in PAGES if any(block.kind == "mail" for block in blocks(page))]


@pytest.mark.parametrize(
    "page",
    [p if p == "docs/quickstart.md" else pytest.param(p, marks=pytest.mark.long) for p in MAILS],
)
def test_mails_are_answered_as_the_page_tells(page, tmp_path):
    moderator = Moderator(tmp_path, "dixie7", ["Ann", "Bob", "Cat"])
    answers: list[EmailMessage] = []
    for block in blocks(page):
        if block.kind in ("mail", "refused"):
            answers = moderator.mail(block.name, block.text)
            assert answers, f"line {block.line}: no answer"
            refused = [plain(a) for a in answers if re.search(r"NOT DONE(?! YET)", plain(a))]
            assert bool(refused) == (block.kind == "refused"), f"line {block.line}: {refused}"
        elif block.kind == "receipt":
            told = " ".join(plain(answer) for answer in answers)
            for line in block.text.splitlines():
                assert " ".join(line.split()) in told, f"line {block.line}: {line}\n{told}"
    moderator.store.close()


REHEARSALS = [(page, b.line) for page in PAGES for b in blocks(page) if b.kind == "rehearsal"]


@pytest.mark.long
@pytest.mark.parametrize(("page", "line"), REHEARSALS)
def test_a_rehearsal_goes_as_the_page_tells(page, line):
    [text] = [b.text for b in blocks(page) if b.line == line]
    report = rehearse(read_scenario("\n" * (line - 1) + text, ROOT / page))
    assert report.verdicts and not report.failed, "\n".join(report.lines())


def test_every_fault_of_a_rehearsal_is_told():
    text = text_of("docs/rehearsals.md")
    untold = [form for form in faults.FORMS if f"`fault: {form}" not in text]
    assert untold == []


# nothing is left out


def played(page: str) -> list[str]:
    """Commands that a page's games carry out."""
    scripts: list[Script] = [read(text) for text in games(page).values()]
    turns = (
        line
        for s in scripts
        for line in s.lines
        if isinstance(line, ScriptTurn) and not line.refused
    )
    return [command for turn in turns for command in split(turn.text)]


def pattern(syntax: str) -> str:
    """A regular expression for what is written like ``buy COMPANY [offering|market]``."""
    found = ""
    for part in re.findall(r"\[[^]]+\]|…|[A-Z]+(?:\|[a-zA-Z]+)*|[a-z]+(?:\|[a-z]+)+|.", syntax):
        if part.startswith("["):
            inner = part[1:-1]
            found += rf"(?: ?(?:{inner if inner.islower() else '.+?'}))?"
        elif part == "…":
            found += ".*"
        elif part[0].isupper():
            found += r"(?:\S+|[\w. ]+?)"
        elif "|" in part:
            found += f"(?:{part})"
        else:
            found += re.escape(part)
    return re.sub(r"(\\ )(\(\?: \?)", r"\2", found)


@pytest.mark.parametrize("form", verbs(TITLE), ids=lambda form: form.syntax)
def test_every_move_is_played_for_players(form):
    commands = [command for page in ("docs/turns.md", "docs/trains.md") for command in played(page)]
    assert any(re.fullmatch(pattern(form.syntax), c) for c in commands), form.syntax


def test_the_page_of_moves_is_made_from_the_titles():
    """`waybill commands --moves > docs/moves.md` makes it."""
    titles = [engine.load_title(name) for name in engine.title_names()]
    assert text_of("docs/moves.md") == moves_page(titles)


def test_commands_of_18gl_s_page_are_read_where_its_game_stands():
    table = text_of("docs/18GL-play.md").split("## In commands\n\n")[1].split("\n\n")[0]
    told = set(re.findall(r"`([^`]+)`", table))
    # the name of a train, and a company that has not formed in that game
    others = {"4H+2", "buy president CR"}
    assert len(told) > 30 and others <= told
    [page] = games("docs/18GL-play.md").values()
    played = run(read(page))
    assert all(parse(played.title, played.final, "Ann", text) for text in told - others)


def test_commands_of_18mw_s_page_are_read_where_its_game_stands():
    table = text_of("docs/18MW-play.md").split("## In commands\n\n")[1].split("\n\n")[0]
    told = set(re.findall(r"`([^`]+)`", table))
    # a company in receivership and a fire sale, of which there is none in that game
    others = {"buy president NP", "bid 60", "bid 60 for CRIP"}
    assert len(told) > 25 and others <= told
    [page] = games("docs/18MW-play.md").values()
    played = run(read(page))
    assert all(parse(played.title, played.final, "Bob", text) for text in told - others)


def test_the_page_of_commands_is_made_from_the_table():
    """`waybill commands > docs/commands.md` makes it."""
    assert text_of("docs/commands.md") == page_of_commands(VOCABULARY)


#: what players write at the table, but for moves and orders, which have tests of their own
WORDS = sorted(
    {
        entry.name
        for entry in VOCABULARY.entries
        if entry.who & Who.PLAYER and entry.do is at_the_table
    }
    - {PLAY, ORDER, QUESTION}
)


@pytest.mark.parametrize("word", WORDS)
def test_every_word_of_players_is_tried_on_their_pages(word):
    mails = [b.text for page in FOR_PLAYERS for b in blocks(page) if b.kind in ("mail", "refused")]
    assert any(re.search(rf"^{word}\b", text, re.M) for text in mails)


def commands() -> dict[str, typer.core.TyperCommand]:
    """The commands of `waybill`, those of its groups as "bench engine"."""
    found = {}
    for name, announced in typer.main.get_command(program()).commands.items():
        command = announced.load()
        found |= {f"{name} {n}": c for n, c in getattr(command, "commands", {}).items()} or {
            name: command
        }
    return found


def test_every_command_line_is_told_to_operators():
    text = text_of("docs/operators-commands.md")
    assert [name for name in commands() if f"`waybill {name}" not in text] == []


@pytest.mark.parametrize(("key", "setting"), keys().items(), ids=keys())
def test_every_setting_is_told_to_operators_as_the_program_describes_it(key, setting):
    assert f"| `{key}` | {setting.description} |" in text_of("docs/operators-settings.md")


@pytest.mark.parametrize("title", engine.title_names())
def test_every_optional_rule_is_told_in_the_title_s_page(title):
    text = text_of(f"docs/{title}.md")
    for name, variant in engine.load_title(title).facts.variants.items():
        assert f"`{name}`" in text and variant.summary in text and variant.rule in text


def test_the_page_of_each_title_that_18xx_games_has_lists_where_that_site_differs():
    listed = "\n| rule | 18xx.games |\n| --- | --- |\n| "
    assert {t for t in engine.title_names() if listed in text_of(f"docs/{t}.md")} == {*DIALECTS}


def overlays(name: str) -> list[str]:
    """The overlays of a title in all pages."""
    every = [b.text for page in PAGES for b in blocks(page) if (b.kind, b.name) == OVERLAY]
    return [text for text in every if f'title = "{name}"' in text]


@pytest.mark.parametrize("name", engine.title_names())
def test_an_overlay_does_as_the_page_tells(name):
    texts = overlays(name)
    for text in texts:
        assert engine.check(engine.load_title(name, frozenset(), text)) == ()
    assert texts or name != TITLE.name


def test_the_example_of_an_overlay_changes_what_its_comments_say():
    [text] = overlays("18AL")
    title = engine.load_title("18AL", frozenset(), text)
    assert title.overlay == "our 2nd printing (market: our printed chart)"
    assert (TITLE.hexes["G4"].cost, title.hexes["G4"].cost) == (60, 40)
    assert title.supply == {**TITLE.supply, "7": TITLE.supply["7"] - 1}
    assert title.trains["4D"].price == 900
    assert len(title.chart.rows) == len(TITLE.chart.rows) - 1


def test_what_of_18gl_is_reconstructed_is_told_and_can_be_replaced_as_told():
    title = engine.load_title("18GL")
    assert set(title.facts.provenance) == {"market", "bank", "hex.cost"}
    chart = "\n".join(title.facts.market.rows)
    assert f"```text\n{chart}\n```" in text_of("docs/18GL.md")
    [text] = overlays("18GL")
    own = engine.load_title("18GL", frozenset(), text)
    assert own.facts.provenance == {}
    assert (title.facts.bank, own.facts.bank) == (12000, 10000)
    assert own.chart.rows != title.chart.rows


def test_what_of_18mw_is_reconstructed_is_told_and_can_be_replaced_as_told():
    title = engine.load_title("18MW")
    assert set(title.facts.provenance) == {"hex", "rivers", "market", "tile"}
    chart = "\n".join(title.facts.market.rows)
    assert f"```text\n{chart}\n```" in text_of("docs/18MW.md")
    [text] = overlays("18MW")
    own = engine.load_title("18MW", frozenset(), text)
    assert set(own.facts.provenance) == {"market"}
    assert (title.hexes["H20"].cost, own.hexes["H20"].cost) == (40, 60)


@pytest.mark.parametrize("title", ["18GL", "18MW"])
def test_readings_are_told_in_the_order_in_which_tests_name_them(title):
    text = (ROOT / "docs/rulebook.toml").read_text(encoding="utf-8")
    named = [rule for rule in tomllib.loads(text)[title] if re.fullmatch(r"R\d+", rule)]
    assert named and re.findall(r"^\| (R\d+) \|", text_of(f"docs/{title}.md"), re.M) == named


@pytest.mark.parametrize("name", engine.title_names())
def test_every_table_of_a_title_is_told(name):
    source = (ROOT / f"engine/titles/t{name.lower()}.toml").read_text(encoding="utf-8")
    tables = set(re.findall(r"^\[{1,2}(\w+)\]", source, re.M)) | {"provenance"}
    assert len(tables) > 10
    assert {table for table in tables if f"[{table}]" not in text_of("docs/titles.md")} == set()


def test_mistakes_in_an_overlay_are_told_as_the_page_tells():
    wrong = (
        'title = "18AL"\nname = "x"\n[hex]\nG4 = { cosst = 4 }\n[[train]]\ntype = "4E"\nprice = 9'
    )
    with pytest.raises(ValueError) as told:
        engine.load_title("18AL", frozenset(), wrong)
    said = "\n".join(sorted(str(told.value).splitlines()))
    assert f"```text\n{said}\n```" in text_of("docs/titles.md")


def test_the_pythons_that_are_told_are_those_that_are_allowed():
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    lower, upper = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", project["requires-python"]).groups()
    *others, last = [f"3.{minor}" for minor in range(int(lower), int(upper))]
    for page in ("README.md", "CONTRIBUTING.md"):
        assert f"Python {', '.join(others)} or {last}" in text_of(page)
    assert f'target-version = "py3{lower}"' in text_of("pyproject.toml")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_not_long(page):
    assert text_of(page).count("\n") <= 300


# what is told exists


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", text_of(page), flags=re.S)):
        if re.match(r"https?:|mailto:", link):
            continue
        path, _, anchor = link.partition("#")
        there = (ROOT / page).parent / path if path else ROOT / page
        assert there.exists(), link
        assert not anchor or anchor in anchors(there), link


def test_the_website_has_every_page_once():
    nav = text_of("mkdocs.yml").rpartition("\nnav:\n")[2]
    of_the_root = ["index.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE.md"]
    pages = [page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")]
    assert sorted(re.findall(r": (\S+\.md)$", nav, re.M)) == sorted([*of_the_root, *pages])


def files() -> list[str]:
    """Paths of all files of the house, caches left out."""
    rooms = ("engine", "service", "templates", "config", "tests", "docs", ".")
    found = [p for room in rooms for p in (ROOT / room).glob("*" if room == "." else "**/*")]
    paths = (p.relative_to(ROOT).as_posix() for p in found if p.is_file())
    return [f"/{path}" for path in paths]


@pytest.mark.parametrize(
    "page",
    [
        "docs/architecture.md",
        "docs/engine.md",
        "docs/service.md",
        "CONTRIBUTING.md",
        "docs/promises.md",
    ],
)
def test_every_file_that_is_named_is_there_and_is_meant_alone(page):
    there = files()
    for named in sorted(set(re.findall(r"`([\w/.]+\.(?:py|toml|lark|md))`", text_of(page)))):
        if "NAME" in named or named == "setting.py":  # one of each kind
            continue
        meant = [path for path in there if path.endswith(f"/{named}")]
        meant = [path for path in meant if path == f"/{named}"] or meant  # by its whole path
        assert len(meant) == 1, f"{named}: {meant or 'there is none'}"


def shell_lines(page: str) -> Iterator[list[str]]:
    """The commands of a page's shell examples, as words."""
    for block in blocks(page):
        if block.kind == "sh":
            for line in block.text.replace("\\\n", " ").splitlines():
                for part in re.split(r"&&|\||;", line):
                    words = shlex.split(part, comments=True)
                    while words and re.fullmatch(r"[A-Z_]+=.*|sudo|-u|waybill:", words[0]):
                        words.pop(0)
                    if words:
                        yield words


@pytest.mark.parametrize("page", PAGES)
def test_shell_examples_name_what_there_is(page):
    known = commands()
    targets = set(re.findall(r"^([a-z]+):", text_of("Makefile"), re.M))
    for tool, *words in shell_lines(page):
        if tool == "make":
            assert set(words) <= targets, words
        elif tool.endswith("waybill"):
            words = words[: words.index("<")] if "<" in words else words
            two = " ".join(words[:2])
            name = two if two in known else words[0]
            command = known[name]
            command.make_context(name, words[len(name.split()) :], resilient_parsing=False)
        elif tool.endswith("pytest"):
            assert all((ROOT / w).exists() for w in words if w.startswith("tests"))


def test_the_image_is_built_from_what_there_is():
    ignored = text_of(".dockerignore").splitlines()
    for found in re.findall(r"^COPY (?!--)(.+) \S+$", text_of("Dockerfile"), re.M):
        for name in found.split():
            assert (ROOT / name).exists() and f"!{name}" in ignored


# promises and bounds


PROMISED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text_of("docs/promises.md"))


def test_every_promise_names_a_test():
    rows = re.findall(r"^\| (?!promise|---)(.*?) \| (.*) \|$", text_of("docs/promises.md"), re.M)
    assert len(rows) > 20
    for promise, held in rows:
        assert re.search(r"tests/[\w/]+\.py::test_", held), promise


@pytest.mark.long
def test_the_tests_that_hold_promises_exist():
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    there = {
        (file, node.name)
        for file in {file for file, _ in PROMISED}
        for node in tree(ROOT / file).body
        if isinstance(node, kinds)
    }
    assert set(PROMISED) - there == set()


BOUNDS = re.findall(
    r"^\| [^|]+ \| ([\d.]+)( KiB| MiB)? \| `([\w.]+)` \|$", text_of("docs/security.md"), re.M
)


@pytest.mark.parametrize(("figure", "unit", "place"), BOUNDS, ids=[name for *_, name in BOUNDS])
def test_a_bound_is_what_the_page_says(figure, unit, place):
    if place in keys():
        found = keys()[place].default
    else:
        module, _, name = place.rpartition(".")
        found = getattr(importlib.import_module(module), name)
    assert float(figure) * {"": 1, " KiB": 1 << 10, " MiB": 1 << 20}[unit] == found


def test_all_bounds_of_the_page_are_compared():
    table = text_of("docs/security.md").split("## What bounds what")[1].split("## ")[0]
    assert len(BOUNDS) == len(re.findall(r"^\|", table, re.M)) - 2 > 10


def test_the_letters_of_a_game_are_told_as_they_are_held():
    from tests.service.test_letters_of_a_game import MOST

    section = text_of("docs/handovers.md").split("## Emails")[1]
    told = dict(re.findall(r"^\| (18\w+) \| (\d+) \|$", section, re.M))
    assert {name.lower(): int(most) for name, most in told.items()} == MOST
