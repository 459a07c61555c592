"""Mail servers that do harm, on loopback: they drip, lie, announce what never comes, and hang up.

Each connection has a thread; what a server heard it keeps, so that a test counts tries and copies
instead of seconds.
"""

import contextlib
import re
import socket
import threading

DATE = b'INTERNALDATE "01-Mar-2027 20:00:00 +0000"'


class _Server:
    """Accepts connections on a port of loopback and talks on each of them until it is closed.

    It takes any free port if none is set before.
    """

    port = 0

    def __enter__(self):
        self._plug = socket.create_server(("127.0.0.1", self.port))
        self.port = self._plug.getsockname()[1]
        self._open, self._over = [], threading.Event()
        self._listening = threading.Thread(target=self._accept, daemon=True)
        self._listening.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        for plug in (self._plug, *self._open):
            with contextlib.suppress(OSError):
                plug.shutdown(socket.SHUT_RDWR)
            plug.close()
        self._listening.join(5)

    def _accept(self):
        with contextlib.suppress(OSError):
            while not self._over.is_set():
                connection, _ = self._plug.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._open.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError, ValueError), connection:
            self.talk(connection, connection.makefile("rb"))

    def drip(self, connection, octet=b"*", every=0.02):
        """An octet now and then, for ever: no line ends."""
        while not self._over.wait(every):
            connection.sendall(octet)


class Imap(_Server):
    """A folder of mails by UID; what it says of each can be replaced by a lie.

    ``about`` and ``bodies`` are what stands in the parentheses of the answer to FETCH. A body that
    is None ends the connection. ``search`` replaces the list of UIDs. ``drips`` names the command
    that is never answered to its end.
    """

    def __init__(self, mails=(), drips="", search=None):
        self.mails = dict(mails)
        self.about, self.bodies = {}, {}
        self.drips, self.search = drips, search
        self.seen, self.heard = set(), []
        self.dripping = threading.Event()

    def talk(self, connection, lines):
        if self.drips == "greeting":
            self.dripping.set()
            self.drip(connection)
        connection.sendall(b"* OK ready\r\n")
        for line in lines:
            tag, _, command = line.strip().partition(b" ")
            self.heard.append(command.decode())
            word = command.upper().removeprefix(b"UID ").split(b" ")[0].decode()
            if word == self.drips:
                self.dripping.set()
                self.drip(connection)
            for answer in self.answers(word, command):
                if answer is None:
                    return
                connection.sendall(answer)
            connection.sendall(tag + b" OK done\r\n")

    def answers(self, word, command):
        match word:
            case "CAPABILITY":
                yield b"* CAPABILITY IMAP4rev1\r\n"
            case "SELECT":
                yield b"* 9 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n"
            case "SEARCH":
                found = b" ".join(b"%d" % uid for uid in self.mails if uid not in self.seen)
                yield b"* SEARCH " + (found if self.search is None else self.search) + b"\r\n"
            case "STORE":
                self.seen.add(self.uid_of(command))
            case "FETCH":
                yield from self.fetched(self.uid_of(command), command)

    def uid_of(self, command):
        return int(command.split(b" ")[2])

    def fetched(self, uid, command):
        raw = self.mails.get(uid, b"")
        asked = re.search(rb"BODY\.PEEK\[(\w*)\](?:<0\.(\d+)>)?", command)
        if asked is None:
            about = self.about.get(uid, b"RFC822.SIZE %d %s" % (len(raw), DATE))
            yield b"* 1 FETCH (UID %d %s)\r\n" % (uid, about)
            return
        section, most = asked[1], int(asked[2] or 1 << 40)
        if section in self.bodies.get(uid, {}):
            body = self.bodies[uid][section]
            yield body and b"* 1 FETCH (UID %d %s)\r\n" % (uid, body)
            return
        part = (raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if section == b"HEADER" else raw)[:most]
        yield b"* 1 FETCH (UID %d BODY[%s]<0> {%d}\r\n%s)\r\n" % (uid, section, len(part), part)


class Smtp(_Server):
    """Takes mails; ``answers`` says what follows, by its place: the verb, ``text`` or ``greeting``.

    None hangs up there, "drip" never comes to an end, anything else is what it says. ``copies``
    are the texts that came whole.
    """

    def __init__(self, **answers):
        self.answers = answers
        self.copies, self.heard = [], []

    def talk(self, connection, lines):
        if self.say(connection, "greeting", "220 mx.test"):
            return
        for line in lines:
            verb = line.split()[0].decode().upper()
            self.heard.append(verb)
            if self.say(connection, verb, "354 go on" if verb == "DATA" else "250 fine"):
                return
            if verb == "DATA" and not str(self.answers.get(verb, "354")).startswith(("4", "5")):
                text = []
                while (piece := next(lines)) != b".\r\n":
                    text.append(piece)
                self.copies.append(b"".join(text))
                if self.say(connection, "text", "250 queued"):
                    return

    def say(self, connection, place, usual):
        """Whether the talk is over."""
        answer = self.answers.get(place, usual)
        if answer is None:
            return True
        if answer == "drip":
            self.drip(connection, b"2")
            return True
        connection.sendall(answer.encode() + b"\r\n")
        return answer.startswith("421")
