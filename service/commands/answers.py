"""Recognizes "yes" and "no" in replies to a question of Waybill."""

import re

#: other words for "yes"; some begin automatic replies, so nothing may follow them
ALSO_YES = ("y", "yep", "yeah", "yup", "sure", "ja", "oui", "si", "sí", "ok", "okay")
YES = re.compile(rf"\W*(?:yes\b.*|(?:{'|'.join(ALSO_YES)})\W*)", re.IGNORECASE)
NO = re.compile(r"\W{0,9}(?:no|nein|non|stop|off)\W*", re.IGNORECASE)
