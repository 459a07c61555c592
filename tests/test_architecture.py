"""The walls of the house: who may import whom, from the lowest floor to the highest."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import engine
from tests.source import ROOT, imported, modules, name, nodes, tree

DATABASE = {"sqlalchemy", "sqlmodel", "alembic", "sqlite3", "psycopg"}
OUTSIDE = {
    *DATABASE, "os", "io", "time", "datetime", "socket", "pathlib", "subprocess", "service",
    "email", "smtplib", "imaplib", "aiosmtplib", "imapclient", "jinja2", "logging", "structlog",
}  # fmt: skip

#: floors from the ground up: a room may import from its own floor's own room and from all below
ENGINE = (
    ("engine.refusal", "engine.actions", "engine.corrections", "engine.wording"), ("engine.options", "engine.proposals"),
    ("engine.board",), ("engine.facts",),
    ("engine.events",), ("engine.position",), ("engine.track",), ("engine.runs",), ("engine.play",),
    ("engine.steps",), ("engine.invariants",), ("engine.correcting",), ("engine.inquiry",), ("engine.flow",), ("engine.supposing",), ("engine.notation",),
    ("engine.telling",), ("engine.titles",), ("engine",),
)  # fmt: skip
SERVICE = (
    ("service.audience", "service.visible", "service.said"),
    ("service", "service.resources", "service.logs", "service.apart"),
    ("service.store", "service.drawing", "service.mail"),
    ("service.limits",), ("service.pages",), ("service.settings",), ("service.reports",), ("service.orders",), ("service.tournaments",), ("service.commands",),
    ("service.games",), ("service.publish",), ("service.desk",), ("service.exchange",), ("service.workshop", "service.workshop.practice"),
    ("service.app",), ("service.workshop.rehearsal",), ("service.workshop.demo",), ("service.workshop.benches",), ("service.cli",), ("service.__main__",),
)  # fmt: skip

#: the same within the desk: its folders and the modules that stand beside them
DESK = (
    "service", "letters", "door", "rationing", "channels", "proving", "email_steps", "answering",
    "ahead", "informing", "strangers", "privacy", "options", "seats", "identity", "votes", "questions", "timing", "talk", "turns",
    "director", "watching", "lobby",
    "tournament", "tournament/stored", "tournament/letters", "tournament/proving", "tournament/answering", "tournament/questions",
    "tournament/directing", "tournament/offices", "tournament/ruling", "tournament/rules", "tournament/votes", "tournament/identity", "tournament/entries",
    "tournament/rounds", "tournament/results",
    "vocabulary", "bounces", "put_aside", "shown_tokens", "posts", "due_tasks", "moderator",
)  # fmt: skip


def dotted(path: Path) -> str:
    return name(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def house() -> dict[str, set[str]]:
    """Module → the modules of the house that it imports, those for types included."""
    every = {dotted(path): path for path in (*modules("engine"), *modules("service"))}
    found = {}
    for module, path in every.items():
        names = {m for m in imported(path) if m in every}
        # `from engine.board import hexes` asks for the module, not for its folder's door
        doors = {m for m in names if any(other.startswith(f"{m}.") for other in names)}
        found[module] = (names - doors if path.name != "__init__.py" else names) - {module}
    return found


def room(module: str) -> str:
    """The room of a module, named as the floors name it."""
    rooms = {room for floor in (*ENGINE, *SERVICE) for room in floor}
    parts = module.split(".")
    return next(known for n in range(len(parts), 0, -1) if (known := ".".join(parts[:n])) in rooms)


def circles(graph: dict[str, set[str]]) -> list[tuple[str, ...]]:
    """Modules that import each other, directly or by others."""
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return [tuple(error.args[1])]
    return []


def test_no_modules_import_each_other_in_a_circle_not_even_for_types():
    assert not circles(house())


@pytest.mark.parametrize("floors", [ENGINE, SERVICE], ids=["engine", "service"])
def test_rooms_stand_on_floors_and_import_downwards_only(floors):
    level = {room: n for n, floor in enumerate(floors) for room in floor}
    upwards = [
        (module, other)
        for module, others in house().items()
        for other in others
        if (here := room(module)) in level and (there := room(other)) in level
        if here != there and level[there] >= level[here]
    ]
    assert not upwards


def of_desk(module: str) -> str:
    """The folder of the desk that a module is in, or the module beside them; "" elsewhere."""
    parts = module.split(".")
    if parts[:2] != ["service", "desk"]:
        return ""
    # a folder that is cut again is named with its part
    within = "/".join(parts[2:-1])
    return within if within in DESK else "".join(parts[2:3])


def test_folders_of_the_desk_import_downwards_only():
    every = {of_desk(module) for module in house()} - {""}
    assert every == set(DESK)
    upwards = [
        (module, other)
        for module, others in house().items()
        for other in others
        if (here := of_desk(module)) and (there := of_desk(other))
        if here != there and DESK.index(there) >= DESK.index(here)
    ]
    assert not upwards


MAP = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def test_the_map_says_of_each_folder_of_the_desk_what_its_docstring_says():
    desk = ROOT / "service/desk"
    rows = re.findall(
        r"^\| `([a-z_/]+)/` \| (.*) \|$",
        MAP.partition("`service/desk/`")[2].partition("\n## ")[0],
        re.MULTILINE,
    )
    folders = [folder for folder in DESK if (desk / folder).is_dir()]
    docs = {folder: ast.get_docstring(tree(desk / folder / "__init__.py")) for folder in folders}
    said = [(f, (docs[f] or "").partition("\n")[0]) for f in folders]
    assert [(folder, f"Decides {text}.") for folder, text in rows] == said


def test_the_map_draws_the_imports_between_folders():
    drawn: dict[str, set[str]] = {}
    for one, other in re.findall(
        r"^  (\w+)(?:\[.*?\])? --> (\w+)",
        MAP.partition("flowchart TD")[2].partition("```")[0],
        re.MULTILINE,
    ):
        drawn.setdefault(one, set()).add(other)
    shown = drawn.keys() | set().union(*drawn.values())

    def folder(module: str) -> str:
        first, _, rest = module.partition(".")
        return first if first == "engine" else rest.partition(".")[0]

    there = {
        (folder(module), folder(other))
        for module, others in house().items()
        for other in others
        if folder(module) != folder(other)
    }

    def below(one: str) -> set[str]:
        return {one}.union(*(below(other) for other in drawn.get(one, ())))

    assert [(a, b) for a, others in drawn.items() for b in others if (a, b) not in there] == []
    assert [(a, b) for a, b in there if {a, b} <= shown and b not in below(a)] == []


def test_the_map_names_each_table():
    tables = MAP.partition("\n## Tables\n")[2].partition("\n## ")[0]
    drawn = set(re.findall(r"\b[A-Z_]{4,}\b", tables.partition("erDiagram")[2].partition("```")[0]))
    named = [*map(str.lower, drawn), *re.findall(r"`(\w+)`:", tables)]
    declared = [
        ast.literal_eval(decorator.args[0])
        for path in modules("service/store")
        for node in nodes(path)
        if isinstance(node, ast.ClassDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "table"
    ]
    assert sorted(named) == sorted(declared)


def test_a_circle_would_be_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}})


def roots(path: Path) -> set[str]:
    """The libraries that a module imports, and the rooms of the house."""
    return {module.split(".")[0] for module in imported(path)}


def test_every_folder_says_what_it_is_for():
    folders = {path.parent for path in (*modules("engine"), *modules("service"))}
    # named by the database's own tool; the whole program
    told = {f for f in folders if "migrations" not in f.parts and f.name != "service"}
    assert [name(f) for f in sorted(told) if not ast.get_docstring(tree(f / "__init__.py"))] == []


def test_the_engine_knows_no_mail_database_clock_file_or_drawing():
    assert {
        name(path): found for path in modules("engine") if (found := roots(path) & OUTSIDE)
    } == {}


def test_the_engine_needs_two_libraries():
    needed = set().union(*map(roots, modules("engine")))
    assert needed - set(sys.stdlib_module_names) == {"engine", "msgspec", "highspy"}


def test_only_the_draft_itself_changes_its_fields():
    changed = []
    for path in modules("engine"):
        for node in () if name(path) == "engine/position/draft.py" else nodes(path):
            targets = getattr(node, "targets", [getattr(node, "target", None)])
            values = [ast.unparse(t.value) for t in targets if isinstance(t, ast.Attribute)]
            if {"draft", "self.draft"} & set(values):
                changed.append(f"{name(path)}: {ast.unparse(node)}")
    assert changed == []


def test_drawing_sees_only_the_view():
    seen = ("engine.telling.view", "engine.board.hexes")
    others = {
        (name(path), module)
        for path in modules("service/drawing")
        for module in imported(path)
        if module.split(".")[0] == "engine" and not module.startswith(seen)
    }
    assert not others


def test_the_service_comes_in_by_the_engines_doors():
    """What proves the rules looks inside: bots and benchmarks, and the replay of another site."""
    inside = [
        (name(path), module)
        for path in modules("service")
        if path.parts[len(ROOT.parts) + 1] not in ("workshop", "exchange")
        for module in imported(path)
        if module.startswith("engine.") and module in house()
        and not any(module == door or module.startswith(f"{door}.") for door in engine.DOORS)
    ]  # fmt: skip
    assert not inside


def test_only_the_command_line_knows_the_workshop():
    known = {
        module
        for module, others in house().items()
        if any(other.startswith("service.workshop") for other in others)
    }
    assert {m for m in known if not m.startswith(("service.workshop.", "service.cli."))} == set()


def test_only_the_store_knows_the_database():
    known = {name(path) for path in modules("service") if roots(path) & DATABASE}
    assert {file for file in known if not file.startswith("service/store/")} == set()


#: methods of the store that queue emails of Waybill, and settle what asked for them or begin it
#: again: emails, tasks, emails of Waybill that failed
SETTLES = (
    "letters.queue", "letters.report", "letters.bounce", "letters.resend",
    "letters.send_again", "letters.send_elsewhere",
    "mails.admit", "mails.finish", "mails.retry",
    "tasks.finish", "tasks.put_aside", "tasks.withdraw", "tasks.retry",
)  # fmt: skip


def calls(path: Path, methods: tuple[str, ...]) -> bool:
    """Whether a module uses one of these methods of the store, by whatever name of its object."""
    every = (ast.unparse(node) for node in nodes(path) if isinstance(node, ast.Attribute))
    return any(".".join(one.split(".")[-2:]) in methods for one in every)


def callers(methods: tuple[str, ...]) -> set[str]:
    """The modules outside the store that use one of these methods."""
    outside = (p for p in modules("service") if not name(p).startswith("service/store/"))
    return {name(path) for path in outside if calls(path, methods)}


def test_only_the_door_queues_letters_and_settles_emails_and_tasks():
    assert callers(SETTLES) == {"service/desk/door.py"}


#: modules that write without the door, and nothing that an email or a task has asked for: signs of
#: life, deletion of what is over, the time of a backup, seats of games from older databases
WITHOUT_THE_DOOR = {"app/pulse", "app/tidying", "app/backup", "games/games"}


def test_all_other_writes_are_stored_at_the_door():
    opens = {
        name(path).removeprefix("service/").removesuffix(".py")
        for path in modules("service")
        if any(isinstance(n, ast.Attribute) and n.attr == "transaction" for n in nodes(path))
    }
    outside = ("store/", "workshop/")  # below the door; databases of its own
    assert {one for one in opens if not one.startswith(outside)} == {"desk/door", *WITHOUT_THE_DOOR}


#: functions that make an email within the transaction that stores it: its address for replies names
#: the number of a row that the same transaction makes
NAMES_A_NEW_ROW = {
    "seats/deputies.ask", "seats/standbys.ask.write", "watching/asking.ask.write",
    "tournament/rules/announcing.announce.store",
}  # fmt: skip
#: functions that pass on the emails of these; each calls one of them, or a `Write`
PASSES_ON = {
    "answering/effects.Effect.store", "answering/effects.together.write",
    "answering/effects.judged.stored",
    "rationing/answer_rations.within_ration.stored",
    "tournament/stored/keeping.change_of.write", "strangers/by_letter.by_letter.write",
    "seats/absences.away.write", "seats/leaving.deputy.write",
}  # fmt: skip


def functions(node: ast.AST, above: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a module, with the names of those and of the classes around them."""
    for one in ast.iter_child_nodes(node):
        if isinstance(one, ast.FunctionDef | ast.ClassDef):
            here = f"{above}.{one.name}"
            if isinstance(one, ast.FunctionDef):
                yield here, one
            yield from functions(one, here)
        else:
            yield from functions(one, above)


def test_emails_are_made_before_the_transaction_that_stores_them():
    """That transaction is called ``tx``. An email gets out of it only as what a function returns.

    mypy checks that what a function returns is what it says.
    """
    desk = ROOT / "service/desk"
    making = set()
    for path in modules("service/desk"):
        module = path.relative_to(desk).with_suffix("").as_posix()
        for called, function in functions(tree(path)):
            returns = ast.unparse(function.returns) if function.returns else ""
            in_tx = any(one.arg == "tx" for one in function.args.args)
            if in_tx and any(word in returns for word in ("Letter", "Page", "Effect", "Done")):
                making.add(f"{module}{called}")
        for node in nodes(path):
            if isinstance(node, ast.Lambda) and any(one.arg == "tx" for one in node.args.args):
                # it calls one function with it, which the lists below or mypy know
                names = [n for n in ast.walk(node.body) if isinstance(n, ast.Name) and n.id == "tx"]
                assert isinstance(node.body, ast.Call) and len(names) == 1, ast.unparse(node)
    assert {one for one in making if not one.startswith("door.")} == NAMES_A_NEW_ROW | PASSES_ON


#: modules of the desk that open a transaction that reads: for an email, a task, an operator's
#: command, games that have not begun, work and emails that failed, the web pages of tournaments
READS = {
    "moderator",
    "due_tasks",
    "identity/credentials",
    "seats/handover",
    "lobby/expiry",
    "put_aside",
    "bounces/undelivered",
    "tournament/stored/public_pages",
}
#: modules that store something at the door that no email and no task asks for, which it settles
AT_THE_DOOR = {
    "identity/credentials",
    "seats/handover",
    "lobby/expiry",
    "put_aside",
    "bounces/undelivered",
}


def of_the_desk(wanted: Callable[[ast.AST], bool]) -> set[str]:
    """The modules of the desk with such a piece of code, by their path in it."""
    desk = ROOT / "service/desk"
    found = (path for path in modules("service/desk") if any(map(wanted, ast.walk(tree(path)))))
    return {path.relative_to(desk).with_suffix("").as_posix() for path in found}


def test_the_desk_reads_in_one_transaction_and_writes_in_that_of_the_door():
    def opens(method: str) -> set[str]:
        return of_the_desk(lambda node: isinstance(node, ast.Attribute) and node.attr == method)

    assert opens("transaction") == {"door"}
    assert opens("reading") == READS
    knows_the_store = of_the_desk(lambda node: isinstance(node, ast.alias) and node.name == "Store")
    assert knows_the_store == {"door", *READS, *AT_THE_DOOR}


def test_only_what_follows_from_a_failed_letter_sends_it_again():
    again = {"send_again", "send_elsewhere", "came_back"}
    asks = of_the_desk(lambda node: isinstance(node, ast.alias) and node.name in again)
    assert asks == {"bounces/unreached", "bounces/undelivered"}


#: modules that find tokens, and for what; whether the sender is their owner says `proving/proof`
FINDS_TOKENS = {
    "letters/desk": "says which Message-IDs a reader may see",
    "bounces/undelivered": "finds the letter that came back",
    "shown_tokens": "finds the tokens that an email has shown",
    "channels/public_channel": "finds the line that begins a game on a list or forum",
    "privacy/my_data": "finds the code of a person who wants to be forgotten",
    "proving/proof": "finds those of seats, offices and tickets",
    "identity/addresses": "finds that of a player's new address",
    "seats/seat_answers": "finds that of a former seat",
    "watching/watch_answers": "finds the address that ends watching",
    "tournament/proving/tournament_proof": "finds those of a tournament",
}


def test_one_module_judges_how_well_an_email_is_proved():
    """Every email of a game, of a tournament, and of somebody asked is weighed there.

    `owners` says what each of them needs, by what `service.mail.proving` says of levels. The rest
    reads the answer: no other module compares a sender with the person whose token it has found.
    """
    judging, made, owners, finds = set(), set(), set(), set()
    for path in modules("service"):
        module = name(path).removeprefix("service/desk/").removesuffix(".py")
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                bases = {ast.unparse(base) for base in node.bases}
                owners |= {module} if bases & {"TokenOwner", "HeldOwner"} else set()
            if not isinstance(node, ast.Call):
                continue
            # a method of what proves the sender, or a function of another subject
            object_, _, called = ast.unparse(node.func).rpartition(".")
            judging |= {module} if called == "enough" and object_ else set()
            made |= {module} if called == "Writer" else set()
            tokens = {"identity.match", "identity.proves", "identity.same"}
            found = ast.unparse(node.func) in tokens or called in ("proved_by", "left_by")
            finds |= {module} if found else set()
    assert judging == {"proving/owners", "proving/proof"}
    assert made == {"proving/proof"}
    assert owners == {"proving/owners", "tournament/proving/tournament_proof"}
    assert finds == set(FINDS_TOKENS)
    compares = of_the_desk(_compares_sender)
    # an answer to somebody else than the reader shows no Message-IDs of the reader
    assert compares & finds <= {"proving/proof", "letters/desk"}


def _compares_sender(node: ast.AST) -> bool:
    """Whether an address in From is compared with another."""
    return isinstance(node, ast.Compare) and any(
        re.search(r"\bsender\b", ast.unparse(side)) for side in (node.left, *node.comparators)
    )


def test_one_module_holds_emails_that_prove_too_little_and_lets_them_go():
    assert callers(("proofs.hold", "proofs.take")) == {"service/desk/proving/held.py"}


def test_one_function_decides_what_becomes_of_an_email_by_what_it_proves():
    """It does, whatever way the email came: by a token, an address, a list, a forum."""

    def reads_proof(node: ast.AST) -> bool:
        return ast.unparse(node) == "writer.enough" if isinstance(node, ast.Attribute) else False

    # a wrong number of somebody who has proved less is counted apart
    assert of_the_desk(reads_proof) == {"proving/proof", "proving/held"}

    def asks(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and ast.unparse(node.func) == "by_proof"

    assert of_the_desk(asks) == {
        "moderator", "posts/post_steps", "strangers/wrong_address", "strangers/stranger_mail",
        "tournament/answering/tournament_email",
    }  # fmt: skip


#: modules that count something else than the answer to an email or a task
COUNTS = {
    "proving/proof": "wrong pass phrases",
    "rationing/named_addresses": "emails to an address that somebody else has named",
}


def test_one_function_rations_answers_and_one_the_letters_of_commands():
    counted = callers(("answers.count",))
    rationed = {f"service/desk/{one}.py" for one in (*COUNTS, "rationing/answer_rations")}
    assert counted == rationed

    def counts(node: ast.AST) -> bool:
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        return called.endswith("ration.count")

    assert of_the_desk(counts) == {"rationing/answer_rations", "answering/effects"}


def test_only_the_daemon_claims_and_sets_aside_work_that_even_the_door_cannot_settle():
    assert callers(("work.claim", "work.put_aside", "work.put_off")) == {"service/app/office.py"}


#: exceptions of the desk and below that say no to nobody: a key that is looked up, an operator's
#: file, a tournament of an older version
NO_REFUSALS = {"WaitsForKey", "UnusableOverlay", "OldTournament"}


def test_one_exception_says_why_a_request_is_not_carried_out():
    rooms = ("desk", "games", "clocks", "commands", "orders", "reports", "tournaments")
    every = {
        node.name: ast.unparse(node.bases[0])
        for room in rooms
        for path in modules(f"service/{room}")
        for node in nodes(path)
        if isinstance(node, ast.ClassDef) and node.bases
    }
    raised = {one for one, base in every.items() if base.endswith(("Exception", "Error"))}
    assert raised == NO_REFUSALS
    assert {one for one, base in every.items() if base == "Refused"} == {"OutOfWork"}


#: modules of the desk that catch a refusal and do not make it the result of a command
CATCHES_REFUSALS = {
    "ahead/orders_given": "asks whether an order is possible, before it offers one",
    "questions/queries": "answers in another email; gives the status for help that is unknown",
    "tournament/rules/announcing": "the answer is the form with its faults",
    "tournament/identity/tournament_addresses": "the email is one answer, and no list of commands",
    "turns/turn": "the moves of an email and its `undo` are judged together",
}
#: modules that make refused results by hand
MAKES_REFUSALS = {
    "answering/effects": "commands that the reader has barred, or that another one stops",
    "turns/verdicts": "the moves of an email are done together; one of them says why not",
}


def test_one_function_makes_a_refusal_the_result_of_a_command():
    def catches(node: ast.AST) -> bool:
        names = ast.unparse(node.type) if isinstance(node, ast.ExceptHandler) and node.type else ""
        return bool({"Refused", "OutOfWork"} & set(re.findall(r"\w+", names)))

    def makes(node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        values = [ast.unparse(one) for one in node.args]
        by_name = {ast.unparse(one.value) for one in node.keywords if one.arg == "status"}
        called = ast.unparse(node.func).rpartition(".")[2]
        return called == "refused" or (called == "Result" and "'no'" in {*values, *by_name})

    assert of_the_desk(catches) == CATCHES_REFUSALS.keys()
    assert of_the_desk(makes) == MAKES_REFUSALS.keys()


def test_daemon_and_rehearsal_ask_one_timetable_for_their_jobs():
    asking = {
        name(path) for path in modules("service") if "service.app.timetable" in imported(path)
    }
    named = {
        name(path): {ast.unparse(n.func) for n in nodes(path) if isinstance(n, ast.Call)}
        for path in modules("service")
    }
    assert {file for file in asking if "timetable" in named[file]} == {
        "service/app/daemon.py",
        "service/workshop/rehearsal/world.py",
    }
    # the runner of jobs that come again and again
    scheduling = {name(path) for path in modules("service") if "apscheduler" in roots(path)}
    assert scheduling == {"service/app/daemon.py"}


def sentences(path: Path) -> Iterator[str]:
    """The texts of several words to which a module gives a name."""
    for node in tree(path).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).isupper():
            text = node.value.value if isinstance(node.value, ast.Constant) else ""
            if isinstance(text, str) and len(text.split()) > 2:
                yield text


def test_no_two_classes_have_one_name():
    """One name for one thing, wherever it is read."""
    homes: dict[str, list[str]] = {}
    for path in (*modules("engine"), *modules("service")):
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(name(path))
    assert {one: found for one, found in homes.items() if len(found) > 1} == {}


def test_no_two_modules_of_the_desk_have_one_name():
    every = Counter(path.stem for path in modules("service/desk") if path.stem != "__init__")
    assert [stem for stem, homes in every.items() if homes > 1] == []


def test_no_sentence_has_two_homes():
    """What several rooms say stands in `service/said.py`."""
    every = Counter(text for path in modules("service") for text in sentences(path))
    assert [text for text, homes in every.items() if homes > 1] == []


#: the libraries that the service is built on; a hand-made replacement would have to be kept
BUILT_ON = {"aiosmtplib", "apscheduler", "imapclient", "jinja2", "sqlmodel"}


def test_the_service_uses_the_libraries_that_it_is_built_on():
    used = {full.partition(".")[0] for path in modules("service") for full in imported(path)}
    assert used >= BUILT_ON


def test_only_mailbox_and_sender_speak_to_mail_servers():
    clients = {"imapclient", "aiosmtplib", "imaplib"}
    speaking = {name(path) for path in modules("service") if roots(path) & clients}
    assert speaking == {
        "service/mail/bounded.py",
        "service/mail/mailbox.py",
        "service/mail/sender.py",
    }


def test_no_code_asks_for_a_title_by_name():
    titles = {"18AL", "18GA", "18TN", "18GL", "18MW"}
    asking = [
        f"{name(path)}: {ast.unparse(node)}"
        for path in (*modules("engine"), *modules("service"))
        if path.parent.name != "titles"
        for node in nodes(path)
        if isinstance(node, ast.Compare)
        and titles & {str(n.value) for n in ast.walk(node) if isinstance(n, ast.Constant)}
    ]
    assert asking == []


def loaded(*lines: str) -> set[str]:
    """The modules that a fresh process has loaded after these lines of a program."""
    code = "\n".join((*lines, "import sys", "print(*sys.modules)"))
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(run.stdout.split())


HEAVY = {"sqlalchemy", "sqlmodel", "jinja2", "engine.titles", "service.drawing"}
"""What takes long to load, and is needed by commands, not by the help on them."""


def heavy(found: set[str]) -> set[str]:
    return {part for part in HEAVY if any(m == part or m.startswith(f"{part}.") for m in found)}


def test_the_command_line_is_loaded_without_what_only_its_commands_need():
    assert heavy(loaded("import service.cli.app")) == set()


def test_the_settings_are_loaded_without_database_and_drawing():
    assert heavy(loaded("import service.settings")) == {"engine.titles"}


@pytest.mark.long
def test_what_is_heavy_is_there_once_a_command_needs_it():
    assert heavy(loaded("import service.app.wiring")) == HEAVY
