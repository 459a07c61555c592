"""Which actions of a log count."""

from service.exchange.history import lines, standing


def log(*types):
    """Actions with ids from 1 on; "undo 3" and "undo" as such."""
    found = []
    for number, text in enumerate(types, 1):
        kind, _, back = text.partition(" ")
        found.append({"id": number, "type": kind, **({"action_id": int(back)} if back else {})})
    return found


def left(*types):
    return [action["id"] for action in standing(log(*types))]


def test_an_undo_takes_back_the_last_action():
    assert left("bid", "bid", "undo", "pass") == [1, 4]


def test_an_undo_with_an_id_takes_back_all_after_it():
    assert left("bid", "bid", "bid", "undo 1", "pass") == [1, 5]


def test_an_undo_to_nothing_takes_back_all():
    assert left("bid", "bid", "undo 0") == []


def test_an_undo_to_an_action_that_was_undone_goes_back_before_it():
    assert left("bid", "bid", "undo", "pass", "undo 2") == [1]


def test_a_redo_brings_back_what_the_last_undo_took():
    assert left("bid", "bid", "bid", "undo 1", "redo") == [1, 2, 3]


def test_undos_and_redos_nest():
    assert left("bid", "bid", "undo", "undo", "redo", "redo") == [1, 2]


def test_a_redo_after_something_else_brings_nothing_back():
    assert left("bid", "bid", "undo", "pass", "redo") == [1, 4]


def test_messages_are_never_undone_and_do_not_count_as_the_last_action():
    assert left("bid", "bid", "message", "undo") == [1, 3]


def test_a_redo_puts_actions_where_they_were_before_later_messages():
    assert left("bid", "bid", "undo", "message", "redo") == [1, 2, 4]


def test_automatic_actions_stand_in_the_action_that_set_them_off():
    auto = [{"type": "pass", "entity": 1}, {"type": "program_disable", "entity": 2}]
    found = lines([{"id": 7, "type": "program_share_pass", "entity": 1, "auto_actions": auto}])
    assert [(line.id, line.type) for line in found] == [(7, "program_share_pass")]
    assert [(deed.id, deed.type) for deed in found[0].deeds] == [(7, "pass")]


def test_an_action_comes_before_the_automatic_ones_it_sets_off():
    found = lines([{"id": 7, "type": "par", "auto_actions": [{"type": "buy_shares"}]}])
    assert [deed.type for deed in found[0].deeds] == ["par", "buy_shares"]


def test_messages_and_logs_count_but_do_nothing():
    found = lines(log("message", "log", "program_buy_shares"))
    assert [len(line.deeds) for line in found] == [0, 0, 0]
