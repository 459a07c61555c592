"""The command `waybill`, a file a topic; what a command does stands in the modules it calls.

Nothing else imports this room.
"""

from service.cli.app import main, program

__all__ = ["main", "program"]
