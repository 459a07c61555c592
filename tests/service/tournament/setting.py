"""A tournament whose people write mails to the moderator of `tests.service.players`."""

import re
from dataclasses import dataclass, field

from service.desk.letters.desk import Desk
from service.desk.tournament.stored.keeping import keep_acts, tournament_called
from service.games.games import load
from service.store import Occasion
from service.tournaments.acts import EntryChanged, LoggedAct
from service.tournaments.values import Entrant
from tests.service.players import Players, address, flat

DIRECTOR = "dora@clubs.test"
NAME = "spring"
FORM = ("round 1 titles: 18AL", "grade: standard", "clock: none", "announcement: All are welcome.")


@dataclass
class PlayedTournament:
    """A tournament, who directs it, and everybody's latest letter of it."""

    people: Players
    name: str = NAME
    director: str = DIRECTOR
    latest: dict = field(default_factory=dict)

    def know(self):
        with self.people.store.transaction() as tx:
            return tournament_called(tx, self.name)

    @property
    def tournament(self):
        return self.know()

    def took(self, letters):
        """Remember what came last from the tournament to whom."""
        for letter in letters:
            game = str(letter.mail["List-Id"] or "")
            own = f"+{self.name}." in letter.reply_to
            if own and not game.startswith(f"{self.name}-"):
                office = re.search(rf"\+{self.name}\.([a-z]+)\.", letter.reply_to)[1]
                self.latest[letter.to, office] = letter
        return letters

    def announce(self, *lines):
        """`tournament new`, and the form filled in."""
        [asked] = self.took(self.people.stranger(self.director, f"tournament new {self.name}"))
        return self.took(self.people.reply(asked, *(lines or FORM)))

    def direct(self, *lines, **how):
        """The director writes; the letters that follow."""
        letter = self.latest[self.director, "director"]
        return self.took(self.people.reply(letter, *lines, **how))

    def ask(self, name, word="enter", sender=""):
        """Somebody wants to enter; the letters that follow."""
        sender = sender or address(name)
        return self.took(self.people.stranger(sender, f"{word} {self.name} as {name}"))

    def enter(self, *names, **how):
        """People enter and confirm it."""
        letters = []
        for name in names:
            [asked] = self.ask(name, **how)
            letters += self.took(self.people.reply(asked, "yes"))
        return letters

    def write(self, name, *lines):
        """An entrant answers their latest letter of the tournament."""
        letter = self.latest[address(name), "entry"]
        return self.took(self.people.reply(letter, *lines))

    def receipt(self, letters):
        """What the director is answered, as one line."""
        [found] = [one for one in letters if (one.to, one.kind) == (self.director, "receipt")]
        return flat(found)


def become(spring: PlayedTournament, *entries: Entrant) -> None:
    """Entries are others from now on."""
    desk = Desk(
        spring.people.service,
        spring.people.now,
        Occasion("test", f"{spring.tournament.last}", spring.name),
    )
    with spring.people.store.transaction() as tx:
        keep_acts(
            tx,
            desk,
            spring.know(),
            [LoggedAct(EntryChanged("address", e), e.name) for e in entries],
        )


def enter_all(spring: PlayedTournament, names) -> None:
    """People have entered, whatever they wrote for it."""
    become(spring, *(Entrant(name, n, (address(name),)) for n, name in enumerate(names, 1)))


def table(spring: PlayedTournament, game: str = "spring-1-1"):
    with spring.people.store.transaction() as tx:
        return load(tx, game)
