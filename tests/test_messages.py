"""Every message of a refusal, word for word, with the fields that it names.

The file `data/messages.txt` holds them for people to read: one line for each violation, and for each problem of a rule
set and of a setup. `nox -s generate` writes it anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from heartsrules import Card, Cards, InvalidRules, InvalidState, Phase, Problem, Rules, Suit
from heartsrules.rules import Compulsory, FirstTrick, HeartsLead, Moon, OpeningCard
from heartsrules.setup import check
from heartsrules.violations import (
    PRECEDENCE,
    AlreadyExposed,
    AlreadyPassed,
    BadDeal,
    CardIsCompulsory,
    GameIsOver,
    HeartsNotBroken,
    MayNotDecline,
    MustFollowSuit,
    NoSuchEffect,
    NoSuchSeat,
    NotExposable,
    NotInHand,
    NotTheShooter,
    NotYourTurn,
    OpeningCardRequired,
    PointsOnFirstTrick,
    QueenBeforeHearts,
    ShownCardHeldBack,
    TooManyDeals,
    UnpassableCards,
    Violation,
    WrongNumberOfCards,
    WrongPhase,
)
from support.examples import of_every_class
from test_check import CASES
from test_rules import REFUSALS

FILE = Path(__file__).parent / "data" / "messages.txt"

PLAYED = (Phase.DEAL, Phase.PASS, Phase.EXPOSE, Phase.PLAY, Phase.MOON)
_CHOSEN: tuple[Violation, ...] = (
    GameIsOver(),
    *(WrongPhase(now, tried) for now in PLAYED for tried in PLAYED if now is not tried),
    TooManyDeals(),
    NoSuchSeat(4, 4),
    NoSuchSeat(-1, 3),
    NotYourTurn(0, 3),
    AlreadyPassed(2),
    AlreadyExposed(2),
    NotTheShooter(0, 3),
    NoSuchEffect(Moon.CHOICE),
    BadDeal((Problem("wrong-hand-size", ("hands[0]",), "one thing"), Problem("extra-cards", ("hands",), "another"))),
    MayNotDecline(),
    WrongNumberOfCards(None, 1, 2),
    WrongNumberOfCards(0, 1, 3),
    WrongNumberOfCards(1, 2, 1),
    NotInHand(Cards("2H")),
    NotInHand(Cards("2H 3H")),
    UnpassableCards(Cards("QS")),
    NotExposable(Cards("2C")),
    NotExposable(Cards("2C KS")),
    *(MustFollowSuit(Card("JD"), suit, 3) for suit in Suit if suit is not Suit.DIAMONDS),
    MustFollowSuit(Card("2C"), Suit.DIAMONDS, 1),
    *(OpeningCardRequired(Card("2H"), card) for card in OpeningCard if card.value not in ("any", "unrestricted")),
    HeartsNotBroken(Card("2H")),
    HeartsNotBroken(Card("KS"), HeartsLead.POINTS_WHEN_BROKEN),
    *(ShownCardHeldBack(Card(card)) for card in ("TC", "JD", "QS", "AH")),
    QueenBeforeHearts(),
    PointsOnFirstTrick(Card("QS")),
    PointsOnFirstTrick(Card("2H"), FirstTrick.NO_HEARTS),
    *(CardIsCompulsory(Card("2S"), Cards("QS"), when) for when in Compulsory if when is not Compulsory.NO),
    CardIsCompulsory(Card("2S"), Cards("TD QS"), Compulsory.DISCARD),
)
VIOLATIONS = of_every_class(_CHOSEN)


def told() -> Iterator[str]:
    """The lines of the file: what is refused, its code, its fields, its message."""
    for violation in VIOLATIONS:
        yield f"violation {violation.code}: {violation}"
    for given, _, _ in REFUSALS:
        try:
            Rules(**given)
        except InvalidRules as refusal:
            yield from (f"rules {line}" for line in lines(refusal))
    for setup, _ in CASES:
        try:
            check(setup)
        except InvalidState as refusal:
            yield from (f"setup {line}" for line in lines(refusal))


def written() -> bytes:
    """The file as it should be."""
    return "".join(f"{line}\n" for line in told()).encode()


def lines(refusal: InvalidRules | InvalidState) -> Iterator[str]:
    for problem in refusal.problems:
        yield f"{problem.code} {' '.join(problem.fields)}: {problem.message}"


def test_every_message_is_as_it_is_written_down() -> None:
    assert list(told()) == FILE.read_text(encoding="utf-8").splitlines()


def test_every_violation_has_its_message() -> None:
    assert {type(violation) for violation in VIOLATIONS} == set(PRECEDENCE)
    texts = [str(violation) for violation in VIOLATIONS]
    assert sorted(texts) == sorted(set(texts))


def test_a_player_is_told_a_sentence_and_not_a_value() -> None:
    for violation in VIOLATIONS:
        message = str(violation)
        assert not message.endswith(".")
        assert not re.search(r"[A-Z]\w+\(|\bNone\b|<|\{|\n", message), message
