"""`python -m tests.counts [TITLE …]` counts the stored positions anew, and says what has changed.

With `--choose` it chooses positions of the recorded games first: for a new title, or when games
were recorded anew.
"""

import sys

from tests import games
from tests.counts import files
from tests.counts.counting import differences


def main(words: list[str]) -> int:
    """Write the files of counts; 0 if that could be done."""
    wanted = [word for word in words if not word.startswith("-")] or files.titles()
    for title in wanted:
        if "--choose" in words:
            counts = files.chosen(title)
        else:
            before = files.read(title)
            counts = files.again(title)
            for was, now in zip(before, counts, strict=True):
                played = games.game(was.game)
                told = list(differences(played.title, played.states[was.after], was, now))
                if told:
                    print(f"{was.game} after {was.after}, {was.when}", *told, sep="\n  ")
        files.write(title, counts)
        print(f"{title}: {len(counts)} positions counted")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
