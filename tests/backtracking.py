"""Matches regular expressions as `re` does, step by step, and counts the steps.

How long `re` takes shows on a clock only, and a clock depends on the machine. This machine does
the same work in the same order, from the tree that `re` parses, so its count grows as that time.
"""

import re
from functools import cache
from random import Random
from re import _constants as c
from re import _parser as parser

_LOOPS = {c.MAX_REPEAT: "greedy", c.MIN_REPEAT: "lazy", c.POSSESSIVE_REPEAT: "possessive"}
_SINGLE = {c.LITERAL, c.NOT_LITERAL, c.ANY, c.IN}
_CATEGORIES = {
    c.CATEGORY_DIGIT: r"\d", c.CATEGORY_NOT_DIGIT: r"\D", c.CATEGORY_SPACE: r"\s",
    c.CATEGORY_NOT_SPACE: r"\S", c.CATEGORY_WORD: r"\w", c.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip
#: characters of which a set has one for each kind
_TYPICAL = "a1 A0-,.:=<(\"'_/\n\té!;>)z"


class TooMany(Exception):
    """More steps than may be made."""


class Chars:
    """A set of characters; asked often for few of them."""

    def __init__(self, code, value, flags):
        self._code, self._value, self._flags = code, value, flags
        self._known = {}

    def __call__(self, char):
        known = self._known.get(char)
        if known is None:
            known = self._known[char] = self._has(char)
        return known

    def _has(self, char):
        if self._code is c.ANY:
            return bool(self._flags & re.DOTALL) or char != "\n"
        cases = {char, char.lower(), char.upper()} if self._flags & re.IGNORECASE else {char}
        if self._code is c.LITERAL:
            return chr(self._value) in cases
        if self._code is c.NOT_LITERAL:
            return chr(self._value) not in cases
        items = self._value
        negate = items[0][0] is c.NEGATE
        found = any(self._item(one, code, value) for one in cases for code, value in items)
        return found != negate

    def _item(self, char, code, value):
        if code is c.LITERAL:
            return ord(char) == value
        if code is c.RANGE:
            return value[0] <= ord(char) <= value[1]
        if code is c.CATEGORY:
            return re.match(_CATEGORIES[value], char, self._flags & re.ASCII) is not None
        return False

    @property
    def typical(self):
        """A few of them, each of another kind."""
        named = [self._value] if self._code is c.LITERAL else []
        if self._code is c.IN:
            named = [
                v if k is c.LITERAL else v[0] for k, v in self._value if k in (c.LITERAL, c.RANGE)
            ]
        return [one for one in (*map(chr, named), *_TYPICAL) if self(one)][:6]


class Machine:
    """A compiled pattern."""

    def __init__(self, pattern):
        """``pattern`` is compiled by `re`."""
        self.pattern = pattern
        text = pattern.pattern
        flags = pattern.flags | (re.ASCII if isinstance(text, bytes) else 0)
        self.tree = parser.parse(
            text, pattern.flags & ~re.UNICODE if isinstance(text, bytes) else pattern.flags
        )
        self._flags = flags
        #: the largest finite bound of a repetition
        self.bound = 0
        self._marks = 0
        self._code = self._program(self.tree, flags)
        self.steps = 0
        self.limit = 0

    # compiling

    def _program(self, tree, flags):
        code = []
        self._emit(code, tree, flags)
        code.append(("match",))
        return code

    def _emit(self, code, tree, flags):
        for op, value in tree:
            self._node(code, op, value, flags)

    def _node(self, code, op, value, flags):
        if op in _SINGLE:
            code.append(("char", Chars(op, value, flags)))
        elif op is c.AT:
            code.append(("at", value, flags))
        elif op is c.SUBPATTERN:
            group, add, without, tree = value
            inner = (flags | add) & ~without
            if group is not None:
                code.append(("open", group))
            self._emit(code, tree, inner)
            if group is not None:
                code.append(("close", group))
        elif op is c.BRANCH:
            self._branch(code, value[1], flags)
        elif op in _LOOPS:
            self._loop(code, op, value, flags)
        elif op in (c.ASSERT, c.ASSERT_NOT):
            way, tree = value
            width = tree.getwidth()[0] if way < 0 else 0
            code.append(("look", self._program(tree, flags), width, op is c.ASSERT))
        elif op is c.ATOMIC_GROUP:
            code.append(("atomic", self._program(value, flags)))
        elif op is c.GROUPREF:
            code.append(("same", value))
        else:
            raise NotImplementedError(op)

    def _branch(self, code, trees, flags):
        jumps = []
        for tree in trees[:-1]:
            at = len(code)
            code.append(None)
            self._emit(code, tree, flags)
            jumps.append(len(code))
            code.append(None)
            code[at] = ("split", at + 1, len(code))
        self._emit(code, trees[-1], flags)
        for at in jumps:
            code[at] = ("jump", len(code))

    def _loop(self, code, op, value, flags):
        least, most, tree = value
        kind = _LOOPS[op]
        endless = most is c.MAXREPEAT
        if not endless and most > 1:
            self.bound = max(self.bound, most)
        if kind == "possessive":
            inner = []
            self._loop(inner, c.MAX_REPEAT, value, flags)
            code.append(("atomic", [*inner, ("match",)]))
            return
        if kind == "greedy" and len(tree) == 1 and tree[0][0] in _SINGLE:
            most = 1 << 30 if endless else most
            code.append(("run", Chars(*tree[0], flags), least, most))
            return
        for _ in range(least):
            self._emit(code, tree, flags)
        if endless:
            mark, self._marks = self._marks, self._marks + 1
            at = len(code)
            code += [None, ("mark", mark)]
            self._emit(code, tree, flags)
            code += [("moved", mark), ("jump", at)]
            code[at] = self._split(kind, at + 1, len(code))
            return
        splits = []
        for _ in range(most - least):
            splits.append(len(code))
            code.append(None)
            self._emit(code, tree, flags)
        for at in splits:
            code[at] = self._split(kind, at + 1, len(code))

    @staticmethod
    def _split(kind, inside, after):
        return ("split", inside, after) if kind == "greedy" else ("split", after, inside)

    # matching

    def count(self, text, how, limit):
        """Steps of ``how`` (match, fullmatch, search or finditer); at most ``limit``, then so many."""
        self.steps, self.limit = 0, limit
        try:
            self.spans(text, how)
        except TooMany:
            return limit
        return self.steps

    def spans(self, text, how):
        """The ends of what is found, as `re` finds them; a list of pairs."""
        found, at = [], 0
        while at <= len(text):
            end = self._run(self._code, text, at, how == "fullmatch")
            self._step()
            if end is None:
                if how in ("match", "fullmatch"):
                    break
                at += 1
                continue
            found.append((at, end))
            if how != "finditer":
                break
            at = max(end, at + 1)
        return found

    def _step(self, number=1):
        self.steps += number
        if self.limit and self.steps >= self.limit:
            raise TooMany

    def _run(self, code, text, at, whole=False, groups=()):
        """Where the match ends that begins at ``at``, None if there is none."""
        # what is still to try: place in the code, place in the text, and the earliest one for runs
        trail = []
        pc, length, marks = 0, len(text), {}
        groups = dict(groups)
        steps, limit = self.steps, self.limit or 1 << 60
        while True:
            steps += 1
            if steps >= limit:
                self.steps = steps
                raise TooMany
            op = code[pc]
            kind = op[0]
            good = True
            if kind == "char":
                good = at < length and op[1](text[at])
                at, pc = at + 1, pc + 1
            elif kind == "run":
                chars, start = op[1], at
                end = min(length, at + op[3])
                while at < end and chars(text[at]):
                    at += 1
                steps += at - start
                good = at - start >= op[2]
                pc += 1
                if good and at > start + op[2]:
                    trail.append((pc, at - 1, start + op[2], marks, groups))
            elif kind == "split":
                trail.append((op[2], at, at, marks, groups))
                pc = op[1]
            elif kind == "jump":
                pc = op[1]
            elif kind == "mark":
                marks = {**marks, op[1]: at}
                pc += 1
            elif kind == "moved":
                # as `re`: a repetition that took nothing is not tried again
                pc = pc + 1 if marks[op[1]] != at else pc + 2
            elif kind in ("open", "close"):
                groups = {**groups, (kind, op[1]): at}
                pc += 1
            elif kind == "at":
                good = _stands(op[1], op[2], text, at)
                pc += 1
            elif kind == "match":
                if not whole or at == length:
                    self.steps = steps
                    return at
                good = False
            elif kind == "same":
                said = text[groups[("open", op[1])] : groups[("close", op[1])]]
                good = text.startswith(said, at)
                at, pc = at + len(said), pc + 1
            else:
                self.steps = steps
                if kind == "look":
                    start = at - op[2]
                    found = None if start < 0 else self._run(op[1], text, start, groups=groups)
                    good = (found is not None) == op[3]
                else:
                    found = self._run(op[1], text, at, groups=groups)
                    good = found is not None
                    at = at if found is None else found
                steps = self.steps
                pc += 1
            if not good:
                if not trail:
                    self.steps = steps
                    return None
                pc, at, least, marks, groups = trail.pop()
                if at > least:
                    trail.append((pc, at - 1, least, marks, groups))


def _stands(what, flags, text, at):
    if what is c.AT_BEGINNING_STRING:
        return at == 0
    if what is c.AT_END_STRING:
        return at == len(text)
    if what is c.AT_BEGINNING:
        return at == 0 or (bool(flags & re.MULTILINE) and text[at - 1] == "\n")
    if what is c.AT_END:
        last = at == len(text) or (at == len(text) - 1 and text[at] == "\n")
        return last or (bool(flags & re.MULTILINE) and text[at] == "\n")
    edge = (at > 0 and _word(text[at - 1])) != (at < len(text) and _word(text[at]))
    return edge == (what is c.AT_BOUNDARY)


@cache
def _word(char):
    return re.match(r"\w", char) is not None


# texts that a pattern takes long for


class Pumps:
    """Texts for a pattern that it may stumble over: what it repeats, often, and then what it is not."""

    def __init__(self, machine):
        self._tree, self._flags = machine.tree, machine._flags
        self._random = Random(1)

    def texts(self):
        """Beginnings, what is repeated behind them, and ends."""
        pairs = {("", word) for word in self._chars(self._tree, self._flags)}
        pairs |= {("", self._sample(self._tree, self._flags)) for _ in range(4)}
        pairs |= {("", word) for word in self._starts(self._tree, self._flags)}
        pairs |= set(self._within(self._tree, self._flags, ("", "")))
        # words that only count where they stand alone
        pairs |= {
            (before, f"{word} ") for before, word in pairs if word[-1:].isalnum() and word[1:]
        }
        for before, word in sorted(pairs):
            if word:
                for after in ("", "\n\x01"):
                    yield before, word, after

    def _starts(self, tree, flags):
        """Samples of how the whole begins."""
        for size in range(1, len(tree)):
            yield self._sample(list(tree)[:size], flags)
        for op, value in tree:
            if op is c.SUBPATTERN:
                yield from self._starts(value[3], (flags | value[1]) & ~value[2])

    def _within(self, tree, flags, before):
        """What stands before each repetition, and what it repeats."""
        for op, value in tree:
            if op in _LOOPS:
                if value[1] is c.MAXREPEAT or value[1] > 15:
                    words = {self._sample(value[2], flags) for _ in range(3)}
                    words |= set(self._chars(value[2], flags))
                    yield from ((start, word) for start in before for word in words)
                yield from self._within(value[2], flags, before)
            elif op is c.SUBPATTERN:
                yield from self._within(value[3], (flags | value[1]) & ~value[2], before)
            elif op is c.BRANCH:
                for one in value[1]:
                    yield from self._within(one, flags, before)
            elif op is c.ATOMIC_GROUP:
                yield from self._within(value, flags, before)
            few, more = before
            node = [(op, value)]
            before = (few + self._sample(node, flags, 0), more + self._sample(node, flags, 1))

    def _chars(self, tree, flags):
        found = []
        for op, value in tree:
            if op in _SINGLE:
                found += Chars(op, value, flags).typical[: 6 if len(tree) < 3 else 2]
            elif op in _LOOPS:
                found += self._chars(value[2], flags)
            elif op is c.SUBPATTERN:
                found += self._chars(value[3], (flags | value[1]) & ~value[2])
            elif op is c.BRANCH:
                for one in value[1][:8]:
                    found += self._chars(one, flags)[:2]
        return list(dict.fromkeys(found))[:14]

    def _sample(self, tree, flags, more=None):
        said = ""
        for op, value in tree:
            if op in _SINGLE:
                typical = Chars(op, value, flags).typical
                said += self._random.choice(typical[:3]) if typical else ""
            elif op in _LOOPS:
                least = value[0]
                extra = self._random.randrange(2) if more is None else more
                times = least + (extra if value[1] is c.MAXREPEAT or value[1] > least else 0)
                said += "".join(self._sample(value[2], flags, more) for _ in range(min(times, 20)))
            elif op is c.SUBPATTERN:
                said += self._sample(value[3], (flags | value[1]) & ~value[2], more)
            elif op is c.BRANCH:
                said += self._sample(self._random.choice(value[1]), flags, more)
            elif op is c.ATOMIC_GROUP:
                said += self._sample(value, flags, more)
        return said
