"""Who watches a game by mail: asked before, told what everybody may know, rid of it by one mail."""

from datetime import UTC, datetime

import pytest

from service.audience import ORGANISER
from service.clocks import digests
from service.commands import reading
from service.desk.answering.yes_or_no import YES_AND_NO
from service.desk.bounces.undelivered import Undelivered
from service.desk.lobby import lobby
from service.desk.strangers.stranger_mail import WRITE_WATCH_NAME
from service.desk.watching import asking, watch_answers
from service.games import game_status
from service.games.choices import observer_settings
from service.games.shown import named, unlisted
from service.reports import news as news_pages
from service.said import TOLD_IS_TAKEN_BACK
from service.store import Delivery
from tests.service.players import ADDRESS, GAME, SECRET, address, flat, one, says, unsaid

EVE = "eve@elsewhere.test"
DAY = 86_400


@pytest.fixture
def public(players):
    """The game that has just begun; everybody may see it."""
    shown(players, "public")
    return players


def shown(players, how):
    """The organiser says who may see the game."""
    to = players.seat_address(GAME, ORGANISER)
    told = players.send(players.mail(address("Ann"), to, f"pages {how}"))
    assert all("NOT DONE" not in letter.subject for letter in told)


def got(letters, who=EVE):
    return [letter for letter in letters if letter.to == who]


def kinds(letters, who=EVE):
    return [letter.kind for letter in got(letters, who)]


def rows(players):
    with players.store.transaction() as tx:
        return tx.observers.of(players.table().row.id)


def watching(players, how="", who=EVE, name=GAME):
    """Somebody who watches; the letter that says so."""
    [asked] = players.stranger(who, f"watch {name} {how}".strip())
    [told] = players.reply(asked, "yes")
    assert says(told, watch_answers.YOU_WATCH, game=named(name).game)
    return told


def leave_address(letter):
    """The address of List-Unsubscribe, as a mail program reads it (RFC 2369, RFC 6068)."""
    value = str(letter.mail["List-Unsubscribe"])
    assert value.startswith("<mailto:") and value.endswith("?subject=unwatch>")
    return value[len("<mailto:") : -len("?subject=unwatch>")]


def key(players):
    table = players.table()
    return unlisted(table.row, table.settings, SECRET)


# ---------------------------------------------------------------------------- who may, and is asked


def test_nothing_comes_before_the_owner_of_the_address_has_said_yes(public):
    [asked] = public.stranger(EVE, f"watch {GAME}")
    assert (asked.to, asked.kind) == (EVE, "watch-confirm")
    assert says(asked, asking.REPLY_YES, how=asking.how(rows(public)[0]))
    assert got(public.write("Ann", "buy TR")) == []
    public.send(public.mail("mallory@evil.test", asked.reply_to, "yes"))
    assert [row.agreed for row in rows(public)] == [None], "another's yes counts nothing"
    [told] = public.reply(asked, "yes")
    assert says(told, asking.how(rows(public)[0]))
    assert [row.agreed for row in rows(public)] == [public.now]


@pytest.mark.long
def test_who_chooses_nothing_gets_a_digest(public):
    public.service = public.office.service = public.service.__class__(
        **{**vars(public.service), "digest": "daily 07:00"}
    )
    told = watching(public)
    assert says(told, digests.EVERY_DAY, hour="07:00")
    assert got(public.write("Ann", "buy TR")) == []
    public.now += DAY
    [digest] = got(public.remind())
    assert digest.kind == "watch-news"
    assert "Ann" in digest.text and "TR" in digest.text
    public.now += DAY
    assert got(public.remind()) == [], "nothing has happened"


def test_who_watches_may_be_told_on_sundays(public):
    told = watching(public, "weekly 07:00")
    assert says(told, digests.EVERY_SUNDAY, hour="07:00")
    assert got(public.write("Ann", "buy TR")) == []
    sent = []
    for _ in range(14):
        public.now += DAY
        sent += [datetime.fromtimestamp(public.now, UTC).weekday() for _ in got(public.remind())]
    assert sent == [6]


@pytest.mark.long
def test_a_yes_that_comes_too_late_is_told_so(public):
    [asked] = public.stranger(EVE, f"watch {GAME}")
    public.now += 8 * DAY
    [told] = got(public.reply(asked, "yes"))
    assert "NOT DONE" in told.text
    assert [row.agreed for row in rows(public)] == [None]


@pytest.mark.parametrize(
    ("who", "line", "why"),
    [
        (EVE, "watch", WRITE_WATCH_NAME),
        (EVE, "watch nowhere", lobby.NO_GAME.format(name="nowhere")),
        (EVE, f"watch {GAME} hourly", asking.WHEN_TO_WRITE),
        (EVE, f"watch {GAME} off", asking.WHEN_TO_WRITE),
        (address("Bob"), f"watch {GAME}", asking.YOU_PLAY.format(game=GAME)),
        (EVE, f"unwatch {GAME}", asking.NOT_WATCHED.format(game=GAME)),
    ],
)
def test_who_cannot_is_told_why(public, who, line, why):
    [told] = public.stranger(who, line)
    assert "NOT DONE" in told.text
    assert says(told, why)
    assert rows(public) == ()


@pytest.mark.long
def test_an_unlisted_game_is_watched_by_who_knows_the_address_of_its_page(players):
    [told] = players.stranger(EVE, f"watch {GAME}")
    assert "unlisted" in flat(told) and key(players) not in told.text
    [told] = players.stranger(EVE, f"watch {GAME}-" + "a" * 16)
    assert "unlisted" in flat(told)
    page = one(players.write("Bob", "page"), "Bob")
    assert f"`watch {key(players)}`" in flat(page)
    watching(players, "each", name=f"https://games.example.org/18xx/games/{key(players)}/")
    assert kinds(players.write("Ann", "buy TR")) == ["watch-news"]


@pytest.mark.long
def test_a_private_game_is_nobody_s_to_watch(players):
    known = key(players)
    shown(players, "private")
    [told] = players.stranger(EVE, f"watch {known}")
    assert "private" in flat(told) and "NOT DONE" in told.text
    page = one(players.write("Bob", "page"), "Bob")
    assert "watch" not in page.text


@pytest.mark.parametrize("how", ["private", "new"])
def test_who_may_not_see_the_game_any_more_is_told_so_once_and_nothing_else(players, how):
    watching(players, "each", name=key(players))
    shown(players, how)
    [told] = got(players.write("Ann", "buy TR"))
    assert told.kind == "watch-over"
    assert "bought" not in told.text and "buy" not in told.text
    assert rows(players) == ()
    assert got(players.write("Bob", "bid NDY 125")) == []


# ---------------------------------------------------------------------------- what is told


@pytest.mark.long
def test_each_change_is_told_without_a_secret(public):
    watching(public, "each")
    public.write("Bob", "note: bid high", "diary: they know nothing", "next: bid NDY 125")
    public.write("Cat", "say: who begins?", "tell Bob: shall we?")
    [news] = got(public.write("Ann", "buy TR"))
    assert news.kind == "watch-news"
    assert "bought" in news.text or "TR" in news.text
    for secret in ("bid high", "know nothing", "who begins", "shall we", "next:"):
        assert secret not in str(news.mail)
    for name in ("Ann", "Bob", "Cat"):
        token = public.seat_address(GAME, name).partition("@")[0].rpartition(".")[2]
        assert token not in str(news.mail)
    assert news.mail["Reply-To"] != ADDRESS
    assert news.mail["Auto-Submitted"] == "auto-generated"


@pytest.mark.long
def test_a_letter_for_a_round_comes_when_it_is_over(public):
    watching(public, "round")
    assert got(public.write("Ann", "buy TR")) == []
    for name in ("Bob", "Cat", "Ann"):
        letters = public.write(name, "pass")
    [told] = got(letters)
    assert told.kind == "watch-round"
    assert "complete" in told.subject


def test_what_was_told_and_is_taken_back_is_told(public):
    watching(public, "each")
    [news] = got(public.write("Ann", "buy TR"))
    [back] = got(public.write("Ann", "undo"))
    assert says(back, TOLD_IS_TAKEN_BACK, position=1)
    assert back.mail["References"] == news.mail["References"], "a round is one thread"
    [again] = got(public.write("Ann", "bid M&C 105"))
    assert "M&C" in again.text and unsaid(again, TOLD_IS_TAKEN_BACK)


@pytest.mark.long
def test_many_who_watch_get_one_page_and_its_pictures_are_drawn_once(public):
    for number in range(3):
        watching(public, "each", who=f"w{number}@elsewhere.test")
    letters = [x for x in public.write("Ann", "buy TR") if x.kind == "watch-news"]
    assert len(letters) == 3
    assert len({letter.text for letter in letters}) == 1
    assert len({letter.reply_to for letter in letters}) == 3


@pytest.mark.long
def test_a_game_that_its_director_abandons_is_watched_no_more(public):
    watching(public, "round")
    director = public.seat_address(GAME, ORGANISER)
    raw = public.mail(address("Ann"), director, f"abandon {GAME} because nobody answers any more")
    [told] = got(public.send(raw))
    assert says(told, game_status.WAS_GIVEN_UP, game=GAME)
    assert rows(public) == ()


def test_the_last_letter_tells_who_has_won_and_ends_it(public):
    watching(public, "daily 07:00")
    public.write("Ann", "buy TR", "diary: I trust Bob")
    public.write("Bob", "propose end")
    public.write("Ann", "vote yes")
    [told] = got(public.write("Cat", "vote yes"))
    assert told.kind == "watch-ended"
    assert says(told, news_pages.OVER) and "I trust Bob" in flat(told)
    assert rows(public) == ()


@pytest.mark.long
def test_the_start_of_a_game_is_told_to_who_has_waited_for_it(newcomers):
    newcomers.stranger(address("Ann"), "create 18AL dixie7")
    created = newcomers.letters[-1]
    newcomers.reply(created, "pages public")
    told = watching(newcomers, "each", name="dixie7")
    assert says(told, watch_answers.NOT_BEGUN, game="dixie7")
    for name in ("Ann", "Bob", "Cat"):
        [asked] = newcomers.stranger(address(name), f"join dixie7 as {name}")
        newcomers.reply(asked, "yes")
    [news] = got(newcomers.reply(created, "start"))
    assert news.kind == "watch-news"


@pytest.mark.long
def test_who_waits_for_a_game_that_is_called_off_is_told_so(newcomers):
    newcomers.stranger(address("Ann"), "create 18AL dixie7")
    created = newcomers.letters[-1]
    newcomers.reply(created, "pages public")
    watching(newcomers, "each", name="dixie7")
    [told] = got(newcomers.reply(created, "cancel dixie7"))
    assert says(told, game_status.WAS_CANCELED, game="dixie7")


# ---------------------------------------------------------------------------- choices, and the end


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("digest round", "when a round is over"),
        ("digest daily 20:00", "20:00"),
        ("zone Europe/Berlin", "Europe/Berlin"),
        ("images off", "images off"),
        ("digest off", "`unwatch` ends the emails"),
        ("zone Nowhere", "zone Europe/Berlin"),
        ("sell everything", "this is not a command"),
    ],
)
def test_choices_are_made_by_a_reply(public, line, told):
    letter = watching(public, "each")
    [answer] = public.reply(letter, line)
    assert (answer.to, answer.kind) == (EVE, "watch-answer")
    assert told in flat(answer)


def test_several_choices_stand_in_one_email(public):
    letter = watching(public, "each")
    [answer] = public.reply(letter, "digest round; zone Europe/Paris", "images off", "sell all")
    [row] = rows(public)
    chosen = observer_settings(row)
    assert (chosen.digest, chosen.zone, chosen.images) == ("round", "Europe/Paris", "off")
    assert says(answer, reading.WORDS_ONLY)


def test_who_is_asked_says_yes_and_chooses_in_one_email(public):
    [asked] = public.stranger(EVE, f"watch {GAME}")
    public.reply(asked, "digest each")
    assert [row.agreed for row in rows(public)] == [None], "not without a yes"
    [told] = public.reply(asked, "*Yes*, please", "digest round")
    assert says(told, watch_answers.YOU_WATCH, game=GAME)
    [row] = rows(public)
    assert row.agreed == public.now and observer_settings(row).digest == "round"


def test_an_email_that_says_yes_and_no_is_asked_again(public):
    [asked] = public.stranger(EVE, f"watch {GAME}")
    [told] = public.reply(asked, "yes", "no")
    assert says(told, YES_AND_NO)
    assert [row.agreed for row in rows(public)] == [None]


@pytest.mark.long
@pytest.mark.parametrize("word", ["unwatch", "stop", "no"])
def test_one_word_ends_it(public, word):
    letter = watching(public, "each")
    [answer] = public.reply(letter, word)
    assert says(answer, watch_answers.NOTHING_COMES, game=GAME)
    assert rows(public) == ()
    assert got(public.write("Ann", "buy TR")) == []


@pytest.mark.long
def test_one_click_of_a_mail_program_ends_it(public):
    watching(public, "each")
    [news] = got(public.write("Ann", "buy TR"))
    assert news.mail["List-Unsubscribe-Post"] is None, "RFC 8058 needs a web address"
    to = leave_address(news)
    [answer] = public.send(public.mail(EVE, to, "", subject="unwatch"))
    assert says(answer, asking.NOTHING_MORE, game=GAME)
    assert [row.agreed for row in rows(public)] == [None]
    assert got(public.write("Bob", "bid NDY 125")) == []
    public.now += 60
    public.stranger(EVE, f"watch {GAME} each")
    [again] = public.reply(public.letters[-1], "yes")
    assert says(again, watch_answers.YOU_WATCH, game=GAME)
    assert got(public.send(public.mail(EVE, to, "", subject="unwatch"))) == [], "an old address"
    assert [row.agreed for row in rows(public)] == [public.now]


@pytest.mark.parametrize("robot", [True, False])
def test_a_robot_that_ends_it_gets_no_answer(public, robot):
    told = watching(public, "each")
    headers = {"Auto_Submitted": "auto-generated"} if robot else {}
    sender = EVE if robot else "postmaster@elsewhere.test"
    raw = public.mail(sender, leave_address(told), "", subject="unwatch", **headers)
    assert public.send(raw) == []
    assert rows(public) == ()


@pytest.mark.long
def test_who_lost_all_letters_writes_unwatch_and_is_told_how_to_go_on(public):
    watching(public, "each")
    [answer] = public.stranger(EVE, f"unwatch {GAME}")
    assert says(answer, asking.NOTHING_MORE, game=GAME)
    assert got(public.write("Ann", "buy TR")) == []


@pytest.mark.long
def test_asking_again_while_watching_changes_nothing(public):
    watching(public, "each")
    [told] = public.stranger(EVE, f"watch {GAME} round")
    assert says(told, asking.ALREADY, game=GAME)
    assert got(public.write("Ann", "buy TR"))


# ---------------------------------------------------------------------------- what goes wrong


def test_a_letter_that_does_not_arrive_ends_it_and_tells_nobody(public):
    watching(public, "each")
    public.arrive(public.mail(address("Ann"), public.seat_address(GAME, "Ann"), "buy TR"))
    while public.office.moderate():
        pass
    found = public.store.letters.claim("post", public.now, 60, 100)
    public.store.letters.settle(
        [
            Delivery(row.id, "refused" if row.recipient == EVE else "sent", "550 no")
            for row in found
        ],
        public.now,
    )
    Undelivered(public.service, public.now).tell(public.store)
    assert public.collect() == []
    assert rows(public) == ()
    assert got(public.write("Bob", "bid NDY 125")) == []


def test_an_observer_whose_mailbox_is_full_stays_one(public):
    watching(public, "each")
    public.write("Ann", "buy TR")
    [row] = [r for r in public.store.letters.recent(EVE, GAME) if r.kind.startswith("watch")][:1]
    with public.store.transaction() as tx:
        assert tx.letters.bounce(row.id, "came back: 4.2.2 smtp; 452 over quota")
    Undelivered(public.service, public.now).tell(public.store)
    assert public.collect() == []
    assert len(rows(public)) == 1


@pytest.mark.long
@pytest.mark.parametrize("sender", [ADDRESS, f"play+{GAME}.watch.aaaaaaaaaaaaaaaa@waybill.test"])
def test_nobody_subscribes_us_to_our_own_letters(public, sender):
    public.send(public.mail(sender, ADDRESS, f"watch {GAME}"))
    assert all(row.agreed is None for row in rows(public))
    assert got(public.write("Ann", "buy TR"), sender) == []


@pytest.mark.long
def test_a_list_that_is_to_watch_says_yes_by_nobody_s_word(public):
    """A request in a list's name asks there once; what the list sends by itself is no yes."""
    [asked] = public.stranger("dixie@lists.example.org", f"watch {GAME}")
    raw = public.mail(
        "dixie@lists.example.org", asked.reply_to, "yes", Precedence="list",
        List_Id="<dixie.lists.example.org>", List_Post="<mailto:dixie@lists.example.org>",
    )  # fmt: skip
    public.send(raw)
    assert all(row.agreed is None for row in rows(public))


def test_an_automatic_answer_to_a_letter_is_never_answered(public):
    told = watching(public, "each")
    away = public.mail(
        EVE, told.reply_to, "I am away.", answers=told, Auto_Submitted="auto-replied"
    )
    assert public.send(away) == []
    assert len(rows(public)) == 1


@pytest.mark.long
def test_a_flood_of_requests_is_rationed_as_all_mails_of_strangers(public):
    letters = []
    for number in range(60):
        letters += public.stranger(EVE, f"watch {GAME}", subject=str(number))
    assert 0 < len(got(letters)) < 30
    assert len(rows(public)) == 1


@pytest.mark.long
def test_many_answers_that_change_nothing_are_rationed(public):
    told = watching(public)
    letters = []
    for number in range(60):
        letters += public.reply(told, f"what {number}", subject=str(number))
    assert 0 < len(got(letters)) < 30


def test_a_post_of_html_alone_and_quoted_words_are_read_as_others(public):
    told = watching(public, "each")
    quoted = public.mail(EVE, told.reply_to, "thanks!", "", "> unwatch", subject="Re: x")
    public.send(quoted)
    assert len(rows(public)) == 1, "what is quoted is no word"
    public.send(public.mail(EVE, told.reply_to, html="<p>unwatch</p>", subject="Re: x"))
    assert rows(public) == ()
