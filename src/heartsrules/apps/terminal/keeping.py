"""Saving a game to a record file after every move, and loading it again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import attrs

from heartsrules import InvalidNotation
from heartsrules.apps.terminal.seating import ALONE, Seating
from heartsrules.formats.files import LockedFile
from heartsrules.formats.notation import MAX_GAME, format_record, parse_record
from heartsrules.play.game import Game, Record, RefusedMove, replay, verify
from heartsrules.play.state import GameOver
from heartsrules.rules import Seat

_SEED: Final = "Seed"


class UnusableRecord(ValueError):
    """A record that cannot be resumed.

    The message names no card, because its reader might play on.
    """


@attrs.frozen
class Saved:
    game: Game
    tags: tuple[tuple[str, str], ...]
    comments: tuple[tuple[int, str], ...] = ()

    def tag(self, name: str) -> str | None:
        return dict(self.tags).get(name)

    @property
    def seed(self) -> str | None:
        """The seed of the deals, or None if it is not recorded."""
        return self.tag(_SEED)

    @property
    def humans(self) -> list[str]:
        """The names of the humans by seat, empty for bots.

        Other programs' records have one human, at seat 0.
        """
        seats = range(self.game.rules.players)
        names = [self.tag(f"Seat{seat}") or "" for seat in seats]
        if self.seed is None:
            return [names[0] or ALONE]
        return ["" if self.tag(f"Bot{seat}") else names[seat] for seat in seats]

    @property
    def in_play(self) -> tuple[Seat, ...]:
        """The humans' seats in an unfinished game saved here, empty for any other record.

        Output about such a game must not reveal hidden cards to its players.
        """
        if self.seed is None or isinstance(self.game.state, GameOver):
            return ()
        return tuple([seat for seat, name in enumerate(self.humans) if name])

    @property
    def bots(self) -> list[str]:
        """The kinds of the bots in order, only one if they are all alike."""
        texts = [self.tag(f"Bot{seat}") for seat in range(self.game.rules.players)]
        kinds = [text for text in texts if text]
        return kinds[:1] if len(set(kinds)) == 1 else kinds


def load(path: Path) -> Saved:
    """Read the record of a game.

    Raises:
        UnusableRecord: the file does not contain exactly one valid record.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        data = file.read(MAX_GAME + 1)
    try:
        record = parse_record(data.decode())
    except InvalidNotation as error:
        expected = f": expected {error.expected}" if error.expected else ""
        raise UnusableRecord(f"it is not the text record of one game (line {error.line}{expected})") from None
    except ValueError:
        # The text is not UTF-8, or its rule set cannot be played.
        raise UnusableRecord("it is not the text record of one game") from None
    verdict = verify(record)
    failure = verdict.failure
    if isinstance(failure, RefusedMove):
        codes = ", ".join([violation.code for violation in failure.violations])
        raise UnusableRecord(f"moves[{failure.index}] (Deal {failure.deal}) is illegal: {codes}")
    if failure is not None:
        raise UnusableRecord(f"it is not valid: {failure}")
    return Saved(replay(record.rules, record.moves).game, record.tags, record.comments)


class Keeper:
    """A writer of a whole game to a file, in one step."""

    def __init__(
        self,
        file: LockedFile,
        seating: Seating,
        seed: str,
        tags: Iterable[tuple[str, str]] = (),
        comments: Iterable[tuple[int, str]] = (),
    ) -> None:
        self.file: Final = file
        own = [(f"Seat{seat}", name) for seat, name in enumerate(seating.names)]
        own += [(f"Bot{seat}", kind) for seat, kind in enumerate(seating.bots) if kind is not None]
        own.append((_SEED, seed))
        # A human's seat could have been a bot's in the record.
        replaced = {name for name, _ in own} | {f"Bot{seat}" for seat in seating.humans}
        self.tags: Final = (*[tag for tag in tags if tag[0] not in replaced], *own)
        self.comments: Final = tuple(comments)

    def write(self, game: Game) -> None:
        """Replace the file with a record of the game.

        Raises:
            OSError: it cannot be written. The file is unchanged.
        """
        comments = [comment for comment in self.comments if comment[0] <= game.ply]
        text = format_record(attrs.evolve(Record.of(game, self.tags), comments=comments))
        self.file.replace(text.encode(), private=True)  # contains all hands
