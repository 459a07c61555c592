"""What gives access tokens out and says of each whether it is good, on loopback, and a program
that prints the next one."""

import json
import shlex
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

_PROGRAM = """
import pathlib, sys
here = pathlib.Path(sys.argv[1])
calls = here.with_name("calls")
calls.write_text(calls.read_text() + "x" if calls.exists() else "x")
print("noise of the program " + sys.argv[2], file=sys.stderr)
print(here.read_text())
"""


class Issuer:
    """``good`` are the tokens that hold now, with the user of each; ``asked`` who were looked at."""

    def __init__(self, folder):
        self.good, self.asked = {}, []
        self._next, self._calls = folder / "next-token", folder / "calls"
        self._program = folder / "give_token.py"
        self._program.write_text(_PROGRAM)
        self.command = shlex.join([sys.executable, str(self._program), str(self._next), "s3cret"])

    @property
    def calls(self):
        """How often the program was called."""
        return len(self._calls.read_text()) if self._calls.exists() else 0

    def give(self, token, user="", good=True):
        """Let the program print this from now on."""
        self._next.write_text(token)
        if good:
            self.good[token] = user

    def holds(self, user, token):
        return self.good.get(token) == user


@contextmanager
def introspection(issuer):
    """The URL at which an issuer says whether a token is good (RFC 7662)."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            [token] = asked["token"]
            issuer.asked.append(token)
            good = token in issuer.good
            told = json.dumps({"active": good, "username": issuer.good.get(token, "")}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/introspect"
        server.shutdown()
