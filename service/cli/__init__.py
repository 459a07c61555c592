"""The command `waybill`, with one file for each topic.

The modules that a command calls do the work. Nothing else imports this package.
"""

from service.cli.app import main, program

__all__ = ["main", "program"]
