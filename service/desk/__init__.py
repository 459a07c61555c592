"""Decides what Waybill does with each email and task, stores it, and emails everybody concerned.

Emails come in by `moderator.py`, tasks by `due_tasks.py`. The moderator asks
the steps of a chain (`email_steps.py`). `shown_tokens.py` renews tokens that others saw, and
`put_aside.py` has emails and tasks that failed. Commands of operators and the minute's round of
`app` call a folder directly. There is one way out, `door.py`. `service.py` is one Waybill.
Each folder decides one thing, which its docstring says.
"""
