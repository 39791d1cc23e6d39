"""Records of games as text, any number of them in a file.

Every move can be read without knowing the rules: a line of plays names the seat of its first play, and of every later
one that is not by the next seat to the left. So records of illegal moves are readable too.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, TypeAlias

from heartsrules.base.errors import InvalidNotation, InvalidState, Problem
from heartsrules.base.values import checked_int, wrong_item, wrong_type
from heartsrules.cards import Card
from heartsrules.formats.notation.fields import format_rules, read_rules
from heartsrules.formats.notation.move_text import KEYWORDS, format_move, read_deal
from heartsrules.formats.notation.scan import (
    BLANKS,
    BLANKS_IN_LINE,
    CARD_OF,
    DIGITS,
    MAX_LINE,
    Source,
    parse_card,
    parse_effect,
    parse_exposure,
    parse_int,
    parse_ints,
    parse_pass,
    parse_seat,
    size_of,
)
from heartsrules.play.game import Record, RefusedMove, ScoreMismatch
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.rules import Rules, Seat

MAX_GAME: Final = 16_000_000
"""The default limit on a game's bytes of UTF-8, with one byte for each line end."""
MAX_TOKENS: Final = 1_000_000
"""The default limit on a game's plays, passes, exposures, hands, numbers, tags and comments."""

MAGIC: Final = "Hearts/1"
UNKNOWN: Final = "*"
NOBODY: Final = "-"

_LARGEST: Final = 10**DIGITS
_TAG_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

# ---------------------------------------------------------------------------------------------------------------
# Texts in quotes and braces

_UNSAFE: Final = "\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufeff\\\\"
_UNSAFE_IN_TAG: Final = re.compile(f'[{_UNSAFE}"]')
_UNSAFE_IN_COMMENT: Final = re.compile(f"[{_UNSAFE}}}]")
_ESCAPE: Final = re.compile(r'\\(?:([\\"}ntr])|u([0-9A-Fa-f]{4}))')
_LETTERS: Final = {"\n": "n", "\t": "t", "\r": "r"}
_MEANT: Final = {letter: character for character, letter in _LETTERS.items()}


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    if character in '\\"}':
        return "\\" + character
    letter = _LETTERS.get(character)
    return f"\\{letter}" if letter else f"\\u{ord(character):04x}"


def _meant(match: re.Match[str]) -> str:
    return _MEANT.get(match[1], match[1]) if match[1] else chr(int(match[2], 16))


# ---------------------------------------------------------------------------------------------------------------
# Writing


def format_record(record: Record) -> str:
    """Write a record in canonical form, each line ending with a line feed.

    >>> from heartsrules.play.moves import Play
    >>> record = Record(rules=Rules(), moves=[Play(1, Card("2C")), Play(2, Card("AC"))], tags=[("Event", "club night")])
    >>> print(format_record(record), end="")
    Hearts/1
    [Event "club night"]
    Rules: default
    <BLANKLINE>
    Trick 0: 1:2C AC
    <BLANKLINE>
    Result: *

    Raises:
        InvalidState: the name of a tag is not a letter followed by letters, digits and underscores, a comment is after
            the last move, or a number has more than 600 digits.
    """
    if not isinstance(record, Record):
        wrong_type("record", "a Record", record)
    problems = tuple(_problems(record))
    if problems:
        raise InvalidState(problems)
    return _Writer(record).text()


def _problems(record: Record) -> Iterator[Problem]:
    for name, _ in record.tags:
        if not _TAG_NAME.fullmatch(name):
            yield Problem.of("out-of-range", ("tags",), "tag", name=name[:40])
    for ply, _ in record.comments:
        if not 0 <= ply <= len(record.moves):
            yield Problem.of("out-of-range", ("comments",), "comment", ply=ply, last=len(record.moves))
    # Moves check their own seats.
    for place, numbers in (
        ("points", [number for row in record.points for number in row]),
        ("winners", record.winners),
    ):
        if any(not -_LARGEST < number < _LARGEST for number in numbers or ()):
            yield Problem.of("out-of-range", (place,), "digits", name=place, most=DIGITS)


def format_records(records: Iterable[Record]) -> Iterator[str]:
    """Write records for `file.writelines`, with an empty line between games.

    Raises:
        InvalidState: as for `format_record`.
    """
    if not isinstance(records, Iterable):
        wrong_type("records", "an iterable of records", records)
    for number, record in enumerate(records):
        text = format_record(record)
        yield f"\n{text}" if number else text


class _Writer:
    def __init__(self, record: Record) -> None:
        self.record: Final = record
        self.players: Final = record.rules.players
        self.lines: list[str] = []
        self.open: list[str] = []
        """The parts of the current line."""
        self.kind: type[Move] | None = None
        self.size = 0
        """The number of moves on the current line."""
        self.seat: Seat | None = None
        """The seat whose plays need no seat number, to the left of the last one."""
        self.deals = 0
        self.tricks = 0
        self.rows = 0
        self.comments: Final = list(reversed(record.comments))
        """The remaining comments, the next one last."""

    def text(self) -> str:
        record = self.record
        self.lines.append(MAGIC)
        for name, text in record.tags:
            self.lines.append(f'[{name} "{_UNSAFE_IN_TAG.sub(_escaped, text)}"]')
        self.lines += [f"Rules: {format_rules(record.rules)}", ""]
        for ply, move in enumerate(record.moves):
            comments = self._comments(ply)
            if isinstance(move, (Play, Pass, Expose)):
                self._add(move, comments)
            else:
                self._line(move, comments)
        self._close()
        self._points(len(record.points))
        self.lines += self._comments(len(record.moves))
        if self.lines[-1]:
            self.lines.append("")
        winners = UNKNOWN if record.winners is None else " ".join(map(str, record.winners)) or NOBODY
        self.lines += [f"Result: {winners}", ""]
        return "\n".join(self.lines)

    def _comments(self, ply: int) -> list[str]:
        texts: list[str] = []
        while self.comments and self.comments[-1][0] == ply:
            texts.append("{" + _UNSAFE_IN_COMMENT.sub(_escaped, self.comments.pop()[1]) + "}")
        return texts

    def _close(self) -> None:
        if self.open:
            self.lines.append(" ".join(self.open))
        self.open = []
        self.kind = None

    def _points(self, end: int) -> None:
        for number in range(self.rows, min(end, len(self.record.points))):
            self.lines.append(" ".join([f"Points {number}:", *map(str, self.record.points[number])]))
            self.rows = number + 1

    def _line(self, move: Deal | ChooseMoon, comments: list[str]) -> None:
        passed = self.kind is Pass
        self._close()
        if isinstance(move, ChooseMoon):
            self.lines += [*comments, f"Moon: {move.seat} {move.effect}"]
            return
        bags = format_move(move)
        if passed and self.deals and self.record.rules._resolved.through_middle(self.deals - 1):
            self.lines += [*comments, f"Back: {bags}"]
            return
        self._points(self.deals)
        if self.deals and self.lines[-1]:
            self.lines.append("")
        self.lines += [*comments, f"Deal {self.deals}: {bags}"]
        self.deals += 1
        self.tricks = 0

    def _add(self, move: Play | Pass | Expose, comments: list[str]) -> None:
        if self.kind is not type(move) or self.size == self.players:
            self._close()
            self.lines += comments
            self.kind, self.size, self.seat = type(move), 0, None
            if isinstance(move, Play):
                self.open.append(f"Trick {self.tricks}:")
                self.tricks += 1
            else:
                self.open.append(f"{KEYWORDS[self.kind].capitalize()}:")
        else:
            self.open += comments
        follows = isinstance(move, Play) and move.seat == self.seat
        self.open.append(str(move.card) if isinstance(move, Play) and follows else format_move(move))
        self.seat = (move.seat + 1) % self.players
        self.size += 1


# ---------------------------------------------------------------------------------------------------------------
# Reading

_Span: TypeAlias = tuple[int, int]

HEADER: Final = re.compile(rf"^\ufeff?[{BLANKS_IN_LINE}]*hearts/[0-9]", re.IGNORECASE | re.ASCII | re.MULTILINE)
"""The beginning of a game's first line, in a text whose lines end with line feeds."""
_BLANK: Final = re.compile(f"[{BLANKS}]*")
_NOTES: Final = "%#"
_SILENT: Final = re.compile(rf"(?:[{BLANKS_IN_LINE}]{{0,99}}+(?:[{_NOTES}][^\n]{{0,98}}+)?\n)*+")
"""Blank lines and notes, meaningless outside a comment, if they are short."""
_LONGEST_SILENT: Final = 198
_BEGIN_SILENT: Final = f"{BLANKS_IN_LINE}{_NOTES}\n"
_WORD: Final = re.compile(r"[A-Za-z]+(?:/[0-9]+)?")
_NUMBER: Final = re.compile(rf"[{BLANKS}]+([0-9]{{1,9}})[{BLANKS}]*:")
_COLON: Final = re.compile(rf"[{BLANKS}]*:|(?=[{BLANKS}{{;]|\Z)")
_TOKEN: Final = re.compile(f"[^{BLANKS}{{;]+")
_TAG: Final = re.compile(rf'\[[{BLANKS}]*([A-Za-z][A-Za-z0-9_]*)[{BLANKS}]*"((?:[^\\"]++|\\.)*+)"[{BLANKS}]*\]')
_ENDS_OR_ESCAPES: Final = re.compile(r"[}\\]")
_COMMENT: Final = re.compile(r"(?:[^\\}]++|\\.|\\\Z)*+")
_WHOLE: Final = ("rules", "deal", "back", "moon", "points", "result")
"""The lines that are interpreted at their ends."""


class _Game:
    def __init__(self) -> None:
        self.rules: Rules | None = None
        self.moves: Final[list[Move]] = []
        self.tags: Final[list[tuple[str, str]]] = []
        self.comments: Final[list[tuple[int, str]]] = []
        self.points: Final[list[tuple[int, ...]]] = []
        self.winners: tuple[Seat, ...] | None = None
        self.deals = 0
        self.tricks = 0
        self.tokens = 0
        self.bytes = 0
        self.comment: list[str] | None = None
        self.opened: tuple[Source, int] = (Source(""), 0)
        """Source and position of the brace that opened the comment."""


class RecordReader:
    """A reader of lines that returns a record or errors after each game."""

    def __init__(self, max_line: int = MAX_LINE, max_tokens: int = MAX_TOKENS, max_bytes: int = MAX_GAME) -> None:
        for name, most in (("max_line", max_line), ("max_tokens", max_tokens), ("max_bytes", max_bytes)):
            checked_int(name, most)
        self.max_line: Final = max_line
        self.max_tokens: Final = max_tokens
        self.max_bytes: Final = max_bytes
        self.game: _Game | None = None
        self.skipping = False
        """True if everything up to the next game is skipped because of an error."""
        self.text = ""
        self.number = 0
        """The line's number, from 1."""
        self.source = Source("", 0)
        self.kind = ""
        self.spans: list[_Span] = []
        """The tokens of a line that is interpreted at its end, unlike tricks, passes and exposures."""
        self.seat: Seat | None = None
        """The seat to the left of the last one that played."""

    def line(self, text: str, number: int) -> Sequence[Record | InvalidNotation]:
        """Read a line, or several meaningless ones, of which `number` is the first."""
        outcomes: list[Record | InvalidNotation] = []
        self.text, self.number = text, number
        game = self.game
        if "\n" in text and game is not None and game.comment is not None and _ENDS_OR_ESCAPES.search(text):
            return [outcome for at, each in enumerate(text.split("\n"), number) for outcome in self.line(each, at)]
        if "\n" in text:
            self.text, self.number = text[text.rfind("\n") + 1 :], number + text.count("\n")
            try:
                self._pass_over(text, number)
            except InvalidNotation as error:
                self._refuse(error, outcomes)
            return outcomes
        header = HEADER.match(text)
        if header:
            outcomes += self.end()
            self.skipping = False
        elif self.skipping:
            return outcomes
        try:
            record = self._line(text)
        except InvalidNotation as error:
            self._refuse(error, outcomes)
        else:
            if record is not None:
                outcomes.append(record)
        return outcomes

    def _refuse(self, error: InvalidNotation, outcomes: list[Record | InvalidNotation]) -> None:
        self.game = None
        self.skipping = True
        outcomes.append(error)

    def _pass_over(self, text: str, number: int) -> None:
        game = self.game
        if game is None:
            return
        size = size_of(text) + 1
        left = max(self.max_bytes - game.bytes, 0)
        if size > left:
            data = text.encode("utf-8", "surrogatepass")
            line = data[data.rfind(b"\n", 0, left) + 1 :].split(b"\n", 1)[0].decode("utf-8", "surrogatepass")
            Source(line, number + data.count(b"\n", 0, left)).too_long(0, f"{self.max_bytes} bytes in a game")
        game.bytes += size
        if game.comment is not None:
            game.comment.append(text)

    def end(self) -> Iterator[InvalidNotation]:
        """Yield the errors at the end of the text or the game."""
        game = self.game
        if game is None:
            return
        source, at, expected = Source(self.text, self.number), 0, "Result"
        if game.comment is not None:
            source, at = game.opened
            expected = "a } at the end of the comment"
        self.game = None
        try:
            source.fail(at, expected, f"expected {expected} before the game ends")
        except InvalidNotation as error:
            yield error

    def _line(self, text: str) -> Record | None:
        self.source = source = Source(text, self.number)
        if len(text) > self.max_line:
            source.too_long(max(self.max_line, 0), f"{self.max_line} characters in a line")
        at = 1 if text.startswith("\ufeff") else 0
        game = self.game
        if game is not None:
            game.bytes += size_of(text) + 1
            if game.bytes > self.max_bytes:
                source.too_long(0, f"{self.max_bytes} bytes in a game")
        if game is None or game.comment is None:
            self.kind, self.spans = "", []
        else:
            at = self._comment(game, at)
        while (at := _end(_BLANK, text, at)) < len(text):
            game = self.game
            character = text[at]
            if not self.kind and character in _NOTES:
                break
            if game is None or not self.kind or character in "{;[":
                at = self._other(game, character, at)
            else:
                start, at = at, _end(_TOKEN, text, at)
                self._token(game, start, at)
        game = self.game
        return None if game is None or game.comment is not None else self._finish(game)

    def _count(self, game: _Game, at: int) -> None:
        game.tokens += 1
        if game.tokens > self.max_tokens:
            self.source.fail(at, f"at most {self.max_tokens} items in a game")

    def _other(self, game: _Game | None, character: str, at: int) -> int:
        text = self.source.text
        if game is None:
            return self._word(None, at)
        if character == "{":
            self._count(game, at)
            game.comment = []
            game.opened = (self.source, at)
            return self._comment(game, at + 1)
        if character == ";":
            self._count(game, at)
            game.comments.append((self._ply(game), text[at + 1 :].strip(BLANKS)))
            return len(text)
        return self._tag(game, at) if character == "[" else self._word(game, at)

    def _ply(self, game: _Game) -> int:
        # A line interpreted at its end makes its move there; a comment on it follows the move.
        return len(game.moves) + (self.kind in ("deal", "back", "moon") and bool(self.spans))

    def _comment(self, game: _Game, at: int) -> int:
        text = self.source.text
        stop = _end(_COMMENT, text, at)
        lines = game.comment or []
        lines.append(text[at:stop])
        if stop < len(text):
            game.comments.append((self._ply(game), _ESCAPE.sub(_meant, "\n".join(lines))))
            game.comment = None
        elif self.kind in _WHOLE:
            self.source.fail(game.opened[1], "a comment that ends on this line")
        else:
            game.comment = lines
        return stop + 1

    def _tag(self, game: _Game, at: int) -> int:
        self._count(game, at)
        if self.kind or game.moves:
            self.source.fail(at, "no tag here: tags stand on lines of their own, before the first move")
        match = _TAG.match(self.source.text, at)
        if match is None:
            self.source.fail(at, 'a tag such as [Event "club night"]', end=len(self.source.text))
        game.tags.append((match[1], _ESCAPE.sub(_meant, match[2])))
        return match.end()

    def _word(self, game: _Game | None, at: int) -> int:
        source = self.source
        text = source.text
        match = _WORD.match(text, at)
        word = match[0].lower() if match else ""
        end = match.end() if match else at
        if game is None:
            if word != MAGIC.lower():
                source.fail(at, MAGIC)
            self.game = _Game()
            self.game.bytes = size_of(text) + 1
            self.kind = word
            return end
        if word == "rules":
            if game.rules is not None:
                source.fail(at, "the rules only once")
        elif game.rules is None:
            source.fail(at, "Rules, or a tag")
        elif word in ("deal", "trick", "points"):
            self.kind = word
            return self._numbered(game, word, end)
        elif word not in ("pass", "back", "expose", "moon", "result"):
            source.fail(at, "Deal, Pass, Back, Expose, Trick, Moon, Points or Result")
        self.kind = word
        colon = _COLON.match(text, end)
        if colon is None:
            source.fail(end, f"a colon or a blank behind {match[0] if match else word}")
        return colon.end()

    def _numbered(self, game: _Game, word: str, at: int) -> int:
        number = {"deal": game.deals, "trick": game.tricks, "points": len(game.points)}[word]
        match = _NUMBER.match(self.source.text, at)
        if match is None or int(match[1]) != number:
            self.source.fail(_end(_BLANK, self.source.text, at), f"the number {number} and a colon")
        if word == "trick":
            game.tricks += 1
            self.seat = None
        return match.end()

    def _token(self, game: _Game, start: int, end: int) -> None:
        if game.rules is None and self.kind != "rules":
            self.source.fail(start, "the end of the line")
        self._count(game, start)
        if self.kind == "trick" and game.rules is not None:
            game.moves.append(self._play(start, end, game.rules.players))
        elif self.kind == "pass":
            game.moves.append(parse_pass(self.source, start, end))
        elif self.kind == "expose":
            game.moves.append(parse_exposure(self.source, start, end))
        else:
            self.spans.append((start, end))

    def _play(self, start: int, end: int, players: int) -> Play:
        source = self.source
        card: Card | None = CARD_OF.get(source.text[start:end])
        seat = self.seat
        if card is None:
            if ":" in source.text[start:end]:
                seat, start = parse_seat(source, start, end, "a seat")
            card = parse_card(source, start, end)
        if seat is None:
            source.fail(start, "the seat of the first play, such as 2:QS")
        self.seat = (seat + 1) % players
        return Play(seat, card)

    def _finish(self, game: _Game) -> Record | None:
        kind, spans, source = self.kind, self.spans, self.source
        if kind == "rules":
            game.rules = read_rules(source, spans, len(source.text))
        elif game.rules is None:
            return None
        elif kind == "deal":
            game.moves.append(read_deal(source, spans))
            game.deals += 1
            game.tricks = 0
        elif kind == "back":
            game.moves.append(read_deal(source, spans))
        elif kind == "moon":
            if len(spans) != 2:
                at = spans[2][0] if len(spans) > 2 else len(source.text)
                source.fail(at, "a seat and what the moon does")
            game.moves.append(ChooseMoon(parse_int(source, *spans[0], "a seat"), parse_effect(source, *spans[1])))
        elif kind == "points":
            game.points.append(self._ints("points"))
        elif kind == "result":
            return self._result(game, game.rules)
        return None

    def _ints(self, what: str) -> tuple[int, ...]:
        numbers: list[int] = []
        for start, end in self.spans:
            # A comma after a number is harmless.
            stop = end - 1 if self.source.text[end - 1] == "," else end
            numbers += parse_ints(self.source, start, stop, what)
        return tuple(numbers)

    def _result(self, game: _Game, rules: Rules) -> Record:
        source = self.source
        if not self.spans:
            source.fail(len(source.text), "the seats that have won, - for none, or * if that is not said")
        only = source.text[slice(*self.spans[0])] if len(self.spans) == 1 else ""
        winners = None if only == UNKNOWN else () if only == NOBODY else self._ints("a seat")
        self.game = None
        return Record(
            rules=rules, moves=game.moves, tags=game.tags, comments=game.comments, points=game.points, winners=winners
        )


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return at if match is None else match.end()


def lines_of(source: str | Iterable[str], max_line: int) -> Iterator[tuple[int, str]]:
    """Yield a text's lines without their ends, each with its number from 1.

    Blank lines and notes can be joined, and a line that is too long can be cut.
    """
    if isinstance(source, str):
        return _lines_of_text(source, max_line)
    if isinstance(source, io.TextIOBase):
        lines = _lines_of_file(source, max_line)
    elif isinstance(source, (bytes, bytearray)) or not isinstance(source, Iterable):
        wrong_type("source", "a str, a text file or an iterable of lines", source)
    else:
        lines = _split_lines(source)
    return enumerate(lines, 1)


def whole_lines(pieces: Iterable[str]) -> Iterator[str]:
    """Yield joined whole lines, each ending with a line feed.

    A line that is too long is cut.
    """
    translate = io.IncrementalNewlineDecoder(None, translate=True).decode
    held: list[str] = []
    size = 0
    cut = False
    for given in chain(pieces, [None]):
        piece = translate(given or "", final=given is None)
        end = piece.rfind("\n") + 1
        if cut and not end:
            continue
        start = piece.find("\n") + 1 if cut else 0
        cut = False
        if end:
            yield "".join([*held, piece[start:end]])
            held, size = [], 0
        held.append(piece[end:])
        size += len(piece) - end
        if size > MAX_LINE:
            yield f"{''.join(held)[: MAX_LINE + 1]}\n"
            held, size, cut = [], 0, True
    if size:
        yield f"{''.join(held)}\n"


def _lines_of_text(text: str, max_line: int) -> Iterator[tuple[int, str]]:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    number = at = 0
    most = max(max_line, 0) + 1
    while at < len(text):
        if most > _LONGEST_SILENT and text[at] in _BEGIN_SILENT and (end := _end(_SILENT, text, at)) > at:
            yield number + 1, text[at : end - 1]
            number += text.count("\n", at, end)
            at = end
            continue
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        number += 1
        yield number, text[at : min(end, at + most)]
        at = end + 1


def _lines_of_file(source: io.TextIOBase, max_line: int) -> Iterator[str]:
    whole = True
    while line := source.readline(max_line + 2):
        ended = line[-1] in "\r\n"
        if whole:
            yield line.rstrip("\r\n")
        whole = ended


def _split_lines(source: Iterable[str]) -> Iterator[str]:
    for line in source:
        if not isinstance(line, str):
            wrong_item("source", "str", line)
        line = line.removesuffix("\n").removesuffix("\r")
        if "\n" in line or "\r" in line:
            yield from re.split("\r\n|\r|\n", line)
        else:
            yield line


def scan_records(
    source: str | Iterable[str], *, max_line: int = MAX_LINE, max_tokens: int = MAX_TOKENS, max_bytes: int = MAX_GAME
) -> Iterator[Record | InvalidNotation]:
    """Read records one after the other, continuing after errors.

    The text is read lazily, line by line.

    Args:
        source: a text, an open text file, or any iterable of lines.
        max_line: the limit on characters in a line.
        max_tokens: the limit on plays, passes, exposures, hands, numbers, tags and comments in a game, in total.
        max_bytes: the limit on bytes of UTF-8 in a game.

    Returns:
        For each game its record or, **as a value**, its error. After an error, everything up to the next line that
        begins a game is skipped.
    """
    reader = RecordReader(max_line, max_tokens, max_bytes)
    for number, line in lines_of(source, max_line):
        yield from reader.line(line, number)
    yield from reader.end()


def line_of(text: str, failure: RefusedMove | ScoreMismatch | None) -> int | None:
    """Find the line of a record that a verdict refers to.

    Args:
        text: the record.
        failure: the `failure` of its verdict from `verify`.

    Returns:
        The number, from 1, of the line with the move, the points or the result; None without a failure, without such a
        line, or if the text cannot be read up to it.

    >>> from heartsrules.play.game import verify
    >>> text = "Hearts/1\\nRules: default\\nTrick 0: 1:2C AC\\nResult: *\\n"
    >>> failure = verify(parse_record(text)).failure
    >>> line_of(text, failure)
    3
    """
    if not isinstance(text, str):
        wrong_type("text", "a str", text)
    if failure is None:
        return None
    if not isinstance(failure, (RefusedMove, ScoreMismatch)):
        wrong_type("failure", "a RefusedMove, a ScoreMismatch or None", failure)
    reader = RecordReader()
    for number, line in lines_of(text, MAX_LINE):
        outcomes, game = reader.line(line, number), reader.game
        if any([isinstance(outcome, InvalidNotation) for outcome in outcomes]):
            return None
        if reader.kind == "result":
            return number if isinstance(failure, ScoreMismatch) and failure.deal is None else None
        if game is None:
            continue
        if isinstance(failure, RefusedMove):
            found = len(game.moves) > failure.index
        else:
            found = failure.deal is not None and len(game.points) > failure.deal
        if found:
            return number
    return None


def parse_records(
    source: str | Iterable[str], *, max_line: int = MAX_LINE, max_tokens: int = MAX_TOKENS, max_bytes: int = MAX_GAME
) -> Iterator[Record]:
    """Read records one after the other, raising the first error.

    Arguments are the same as for `scan_records`, which continues after errors.

    >>> [len(record.moves) for record in parse_records("Hearts/1\\nRules: default\\nTrick 0: 1:2C AC\\nResult: *")]
    [2]

    Raises:
        InvalidNotation: the text is not a record; the message has the place and the expected text.
    """
    for record in scan_records(source, max_line=max_line, max_tokens=max_tokens, max_bytes=max_bytes):
        if isinstance(record, InvalidNotation):
            raise record
        yield record


def parse_record(
    source: str | Iterable[str], *, max_line: int = MAX_LINE, max_tokens: int = MAX_TOKENS, max_bytes: int = MAX_GAME
) -> Record:
    """Parse a text of exactly one record.

    Raises:
        InvalidNotation: as for `parse_records`, or the text has no record or more than one.
    """
    reader = RecordReader(max_line, max_tokens, max_bytes)
    found: Record | None = None
    for number, line in lines_of(source, max_line):
        if found is not None and HEADER.match(line):
            Source(line, number).fail(0, "the end of the text, because only one game is asked for")
        for outcome in reader.line(line, number):
            if isinstance(outcome, InvalidNotation):
                raise outcome
            found = outcome
    for error in reader.end():
        raise error
    if found is None:
        Source("", max(reader.number, 1)).fail(0, MAGIC)
    return found
