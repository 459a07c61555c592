"""`python -m service` is the command `waybill`."""

from service.cli import main

main()
