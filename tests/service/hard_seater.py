"""A process that is asked for a seating and dies, or never answers."""

import os
import sys
import time
from multiprocessing.connection import Connection

if __name__ == "__main__":
    question, _ = Connection(int(sys.argv[1])).recv()
    if question.lots:
        os.abort()
    time.sleep(600)
