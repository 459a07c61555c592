"""Decides what Waybill does with each email and task, stores it, and emails everybody concerned.

There are two ways in, `moderator.py` for emails and `due_tasks.py` for tasks. The moderator asks
the steps of a chain (`email_steps.py`), renews tokens that others saw by `shown_tokens.py`, and
leaves an email that fails to `put_aside.py`. Commands of operators and the minute's round of `app`
call a folder directly. There is one way out, `door.py`. Each folder decides one thing, which its
docstring says.
"""
