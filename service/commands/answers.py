"""How people say yes and no to what they were asked."""

import re

# Words that an automatic answer may begin with must stand alone.
YES = re.compile(r"\W*(?:yes\b.*|(?:y|ja|oui|s[ií]|ok|okay)\W*)", re.IGNORECASE)
NO = re.compile(r"\W{0,9}(?:no|nein|non|stop|off)\W*", re.IGNORECASE)
