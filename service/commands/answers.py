"""Recognizes "yes" and "no" in replies to a question of Waybill."""

import re

# These words also begin automatic replies, so nothing may follow them.
YES = re.compile(r"\W*(?:yes\b.*|(?:y|ja|oui|s[ií]|ok|okay)\W*)", re.IGNORECASE)
NO = re.compile(r"\W{0,9}(?:no|nein|non|stop|off)\W*", re.IGNORECASE)
