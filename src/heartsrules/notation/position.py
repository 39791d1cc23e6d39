"""Positions in one line: the rules, the score sheet, the deal, and what has been passed and played of it.

A position tells how a state came about, as far as the state knows it, and reading it plays that again: everything that
follows from the rules (whose turn it is, who won what, the points) is worked out and cannot be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NoReturn, TypeAlias

from heartsrules.cards import NO_CARDS, Cards
from heartsrules.engine import apply
from heartsrules.errors import InvalidNotation, InvalidState, Problem
from heartsrules.moves import ChooseMoon, Deal, Move, Pass, Play
from heartsrules.notation.fields import format_rules, read_rules
from heartsrules.notation.scan import (
    MAX_LINE,
    Source,
    format_bag,
    format_pass,
    parse_bag,
    parse_cards,
    parse_effect,
    parse_int,
    parse_ints,
    parse_pass,
    parse_seat,
    tokens_of,
)
from heartsrules.rules import HOLD, Moon, Rules, Seat
from heartsrules.scoring import game_winners
from heartsrules.setup import set_up
from heartsrules.state import AwaitingDeal, ChoosingMoon, Course, DealScore, GameOver, Passing, Playing, State
from heartsrules.values import checked_int, wrong_type
from heartsrules.violations import BadDeal, IllegalMove

__all__ = ["format_position", "parse_position"]

MAGIC: Final = "hearts/1"

_NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "rules": (),
    "deal": (),
    "scores": (),
    "sheet": (),
    "dealt": (),
    "hands": (),
    "captured": ("hands",),
    "won": ("captured",),
    "aside": ("captured",),
    "leader": ("captured",),
    "kitty": ("dealt", "hands"),
    "taker": ("captured",),
    "broken": ("captured",),
    "passes": ("dealt",),
    "plays": ("dealt", "hands"),
    "moon": ("plays",),
}
"""The sections after the first, in canonical order, each with those of which one must stand there too."""

_ROW_MOON: Final = re.compile(r"([0-9]{1,2})(up|down)(\*?)", re.IGNORECASE)
_EFFECTS: Final = {"up": Moon.OTHERS_UP, "down": Moon.SHOOTER_DOWN}
_SAME: Final = "="

_Sections: TypeAlias = dict[str, str]
_Spans: TypeAlias = dict[str, tuple[int, int]]

# ---------------------------------------------------------------------------------------------------------------
# Writing


def format_position(state: State) -> str:
    """A state as one line.

    The line is read back before it is returned, so what is written denotes this very state.

    >>> from heartsrules.engine import new_game
    >>> format_position(new_game(Rules(players=3, removed="2D")))
    'hearts/1; rules players=3 removed=2D; deal 0'

    Raises:
        InvalidState: the state is none that the engine or `set_up` makes: its parts contradict each other.
        TypeError: `state` is no state.
    """
    if not isinstance(state, (AwaitingDeal, Passing, Playing, ChoosingMoon, GameOver)):
        raise TypeError(f"state must be a State, not {type(state).__name__}")
    try:
        for sections in _tellings(state):
            text = "; ".join([MAGIC, *[f"{name} {sections[name]}" for name in _NEEDS if name in sections]])
            if _denotes(text, state):
                return text
    except (ValueError, LookupError):
        # Parts that do not fit each other: a card for the third time, a seat that no table has.
        pass
    raise InvalidState(
        (Problem("contradiction", ("state",), "the parts of the state contradict each other: no play leads to it"),)
    )


def _denotes(text: str, state: State) -> bool:
    try:
        return parse_position(text, max_line=len(text)) == state
    except (InvalidNotation, InvalidState):
        return False


def _tellings(state: State) -> Iterator[_Sections]:
    """Ways to tell how a state came about; there are several only where it does not know its history."""
    rules = state.rules
    course = _course(state)
    if course is None or isinstance(state, Passing):
        number, before, rows = state.deal_number, state.scores, state.deal_scores
    else:
        number, before = course.deal_number, course.background.scores
        rows = state.deal_scores if isinstance(state, (Playing, ChoosingMoon)) else state.deal_scores[:-1]
    told: _Sections = {"rules": format_rules(rules), "deal": str(number)}
    if len(rows) < number:
        told["scores"] = _ints(before if not rows else _totals_before(rules, rows[0]))
    if rows:
        told["sheet"] = " ".join(map(_format_row, rows))
    if isinstance(state, Passing):
        told["dealt"] = _bags(state.hands)
        told |= _kitty(state.kitty)
        passes = [commitment for commitment in state.commitments if commitment is not None]
        if passes:
            told["passes"] = " ".join(map(format_pass, passes))
        yield told
    elif course is None:
        yield told
    else:
        if rules.moon is Moon.CHOICE and isinstance(state, (AwaitingDeal, GameOver)):
            effect = state.deal_scores[-1].effect
            if effect is not None:
                told["moon"] = str(effect)
        for start in _starts(state, course):
            yield told | start


def _course(state: State) -> Course | None:
    if isinstance(state, Playing):
        return state.course
    return None if isinstance(state, Passing) else state.last_deal


def _totals_before(rules: Rules, row: DealScore) -> tuple[int, ...]:
    """Totals to which a row of the score sheet leads; `exact_resets` may have changed what it led to."""
    exact = {new: total for total, new in rules.exact_resets}
    resets = dict(rules.exact_resets)
    return tuple(
        [
            total - points if not points or total not in resets else exact.get(total, total) - points
            for total, points in zip(row.totals, row.points, strict=True)
        ]
    )


def _starts(state: State, course: Course) -> Iterator[_Sections]:
    """The sections that tell a deal as far as it has been played."""
    rules = state.rules
    background = course.background
    trick: tuple[Play, ...] = state.trick if isinstance(state, Playing) else ()
    hands = list(state.hands) if isinstance(state, Playing) else [NO_CARDS] * rules.players
    groups = [done.plays for done in course.tricks] + ([trick] if trick else [])
    for play in (play for group in groups for play in group):
        hands[play.seat] += Cards([play.card])
    told: _Sections = {}
    if groups:
        told["plays"] = " ".join(["".join([str(play.card) for play in group]) for group in groups])
    if course.trick_number > len(course.tricks):
        broken = not isinstance(state, Playing) or state.hearts_broken
        for start in _middles(course, hands):
            for way in (False, True) if broken else (False,):
                yield told | start | {"broken": "yes" if way else "no"}
    elif background.passes:
        dealt = [
            hand - received + passed
            for hand, received, passed in zip(hands, background.received, background.passed, strict=True)
        ]
        yield (
            told
            | {"dealt": _bags(dealt), "passes": " ".join(map(format_pass, background.passes))}
            | _kitty(background.kitty)
        )
    elif rules.step(course.deal_number) == HOLD:
        yield told | {"dealt": _bags(hands)} | _kitty(background.kitty)
    else:
        yield told | {"hands": _bags(hands)}


def _middles(course: Course, hands: Sequence[Cards]) -> Iterator[_Sections]:
    """Where the tricks that are known may have begun: the piles of before, which those tricks do not settle alone."""
    won = list(course.tricks_won)
    captured = list(course.captured)
    aside = course.set_aside
    pending = NO_CARDS
    first: Seat | None = None
    for trick in course.tricks:
        pending += Cards([play.card for play in trick.plays])
        if trick.winner is not None:
            first = trick.winner if first is None else first
            won[trick.winner] -= 1
            captured[trick.winner] -= pending
            pending = NO_CARDS
    aside -= pending
    leader = course.tricks[0].leader if course.tricks else course.leader
    taker = course.kitty_taker
    for early in (True, False) if taker is not None else (True,):
        piles = list(captured)
        if taker is not None and not early:
            piles[taker] -= course.kitty
        before = aside
        if first is not None and not won[first] and not (early and first == taker):
            # Whoever had won nothing before has these cards from tricks that were set aside.
            piles[first], before = NO_CARDS, piles[first]
        told = {
            "hands": _bags(hands),
            "captured": _bags(piles),
            "won": _ints(won),
            "leader": str(leader),
        }
        if before:
            told["aside"] = format_bag(before)
        if early and taker is not None:
            told["taker"] = str(taker)
        yield told | _kitty(course.kitty)


def _bags(bags: Iterable[Cards]) -> str:
    return " ".join(map(format_bag, bags))


def _kitty(kitty: Cards) -> _Sections:
    return {"kitty": format_bag(kitty)} if kitty else {}


def _ints(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def _format_row(row: DealScore) -> str:
    cards = _SAME if row.card_points == row.points else _ints(row.card_points)
    parts = [_ints(row.points), cards, _ints(row.tricks_won)]
    if row.effect is not None:
        word = next(word for word, effect in _EFFECTS.items() if effect is row.effect)
        parts.append(f"{row.shooter}{word}{'*' if row.sun else ''}")
    return "/".join(parts)


# ---------------------------------------------------------------------------------------------------------------
# Reading


def parse_position(text: str, *, max_line: int = MAX_LINE) -> State:
    """Read a position: play again, by the engine, what it tells.

    >>> state = parse_position("hearts/1; rules players=3 removed=2D; deal 0")
    >>> state.deal_number, state.rules.players
    (0, 3)

    Args:
        text: a line as `format_position` writes it; its sections may come in any order.
        max_line: refuse a text of more characters.

    Raises:
        InvalidNotation: the text is no position; it says where, and what was expected.
        InvalidState: no play could have led there.
        TypeError: `text` is no str, or `max_line` no int.
    """
    if not isinstance(text, str):
        wrong_type("text", "a str", text)
    checked_int("max_line", max_line)
    source = Source(text)
    if len(text) > max_line:
        source.fail(max_line, f"at most {max_line} characters", end=max_line)
    spans = _spans(source)
    rules = read_rules(source, list(tokens_of(source, *spans["rules"])), spans["rules"][1])
    start = _before_deal(source, spans, rules)
    if "dealt" in spans:
        hands = _bags_in(source, "dealt", spans, rules.players)
        state = _made(start, Deal(hands, _bag_in(source, "kitty", spans) or NO_CARDS), "dealt")
        for number, token in enumerate(tokens_of(source, *spans.get("passes", (0, 0)))):
            state = _made(state, parse_pass(source, *token), f"passes[{number}]")
    elif "hands" in spans:
        state = _set_up(source, spans, start)
    else:
        return start
    if "plays" in spans:
        state = _played(source, spans["plays"], state)
    if "moon" in spans:
        state = _chosen(source, spans["moon"], state)
    return state


def _spans(source: Source) -> _Spans:
    """Where the contents of each section begin and end."""
    text = source.text
    spans: _Spans = {}
    start = 1 if text[:1] == "\ufeff" else 0
    while True:
        semicolon = text.find(";", start)
        end = len(text) if semicolon < 0 else semicolon
        word = next(tokens_of(source, start, end), None)
        if word is None:
            # One semicolon after the last section does no harm.
            if semicolon >= 0 or not spans:
                source.fail(end, "a section" if spans else MAGIC, end=end)
        elif not spans:
            if text[slice(*word)].lower() != MAGIC or text[word[1] : end].strip():
                source.fail(word[0], MAGIC, end=end)
            spans[MAGIC] = word
        else:
            name = text[slice(*word)].lower()
            if name not in _NEEDS:
                source.fail(word[0], f"one of the sections {', '.join(_NEEDS)}", end=word[1])
            if name in spans or (name == "hands" and "dealt" in spans) or (name == "dealt" and "hands" in spans):
                source.fail(word[0], "dealt or hands, and each section only once", end=word[1])
            spans[name] = (word[1], end)
        if semicolon < 0:
            break
        start = end + 1
    _refuse_lacking(source, spans)
    return spans


def _refuse_lacking(source: Source, spans: _Spans) -> None:
    for name in ("rules", "deal"):
        if name not in spans:
            source.fail(len(source.text), f"a section {name}")
    for name, others in _NEEDS.items():
        if name in spans and others and not any(other in spans for other in others):
            source.fail(len(source.text), f"a section {' or '.join(others)} because there is a section {name}")
    for name in ("won", "leader", "broken"):
        if "captured" in spans and name not in spans:
            source.fail(len(source.text), f"a section {name} because there is a section captured")


def _one(source: Source, name: str, spans: _Spans, what: str) -> tuple[int, int]:
    """Where the one token of a section stands."""
    start, end = spans[name]
    found = list(tokens_of(source, start, end))
    if not found:
        source.fail(end, what, end=end)
    if len(found) > 1:
        source.fail(found[1][0], "the end of the section", end=found[1][1])
    return found[0]


def _int_in(source: Source, name: str, spans: _Spans, what: str) -> int:
    return parse_int(source, *_one(source, name, spans, what), what)


def _seat_in(source: Source, name: str, spans: _Spans, players: int) -> Seat | None:
    if name not in spans:
        return None
    return parse_seat(source, *_one(source, name, spans, "a seat"), players)


def _bag_in(source: Source, name: str, spans: _Spans) -> Cards | None:
    return parse_bag(source, *_one(source, name, spans, "cards")) if name in spans else None


def _bags_in(source: Source, name: str, spans: _Spans, players: int) -> tuple[Cards, ...]:
    tokens = list(tokens_of(source, *spans[name]))
    if len(tokens) != players:
        at, end = tokens[players] if len(tokens) > players else (spans[name][1],) * 2
        source.fail(at, f"the cards of {players} seats", end=end)
    return tuple([parse_bag(source, *token) for token in tokens])


def _numbers(source: Source, start: int, end: int, players: int, what: str) -> tuple[int, ...]:
    numbers = parse_ints(source, start, end, what)
    if len(numbers) != players:
        source.fail(start, f"{what} of {players} seats with commas between them", end=end)
    return numbers


def _before_deal(source: Source, spans: _Spans, rules: Rules) -> AwaitingDeal:
    """The state before the deal, from the score sheet."""
    number = _int_in(source, "deal", spans, "the number of the deal, from 0")
    if number < 0:
        source.fail(spans["deal"][0] + 1, "the number of the deal, from 0", end=spans["deal"][1])
    totals = (0,) * rules.players
    tokens = list(tokens_of(source, *spans["sheet"])) if "sheet" in spans else []
    if "scores" in spans:
        totals = _numbers(source, *_one(source, "scores", spans, "totals"), rules.players, "totals")
        if len(tokens) >= number:
            source.fail(
                spans["scores"][0], "no scores where the sheet, or the first deal, begins at 0", end=spans["scores"][1]
            )
    if len(tokens) > number:
        source.fail(tokens[number][0], f"at most {number} rows before deal {number}", end=tokens[number][1])
    if len(tokens) < number and "scores" not in spans:
        source.fail(len(source.text), "a section scores, or a row of the sheet for each deal before this one")
    played = number - len(tokens)
    _refuse_over(rules, totals, played)
    rows: list[DealScore] = []
    resets = dict(rules.exact_resets)
    for token in tokens:
        row = _row(source, token, rules, totals, resets)
        rows.append(row)
        totals = row.totals
        played += 1
        _refuse_over(rules, totals, played)
    return AwaitingDeal(rules, totals, number, tuple(rows), None)


def _refuse_over(rules: Rules, totals: tuple[int, ...], played: int) -> None:
    if played and game_winners(rules._tables, totals, played) is not None:
        _refuse("game-is-over", "sheet", f"with the totals after {played} deals the game is over: no deal follows")


def _row(
    source: Source, token: tuple[int, int], rules: Rules, before: tuple[int, ...], resets: dict[int, int]
) -> DealScore:
    start, end = token
    strokes = [start - 1, *[stroke.start() for stroke in re.finditer("/", source.text[start:end])]]
    strokes = [strokes[0], *[start + stroke for stroke in strokes[1:]], end]
    parts = [(one + 1, other) for one, other in pairwise(strokes)]
    if not 3 <= len(parts) <= 4:
        source.fail(start, "points/card points/tricks won, and /moon if there was one", end=end)
    points = _numbers(source, *parts[0], rules.players, "points")
    same = source.text[slice(*parts[1])] == _SAME
    cards = points if same else _numbers(source, *parts[1], rules.players, "card points")
    won = _numbers(source, *parts[2], rules.players, "tricks won")
    shooter: Seat | None = None
    effect: Moon | None = None
    sun = False
    if len(parts) == 4:
        moon = _ROW_MOON.fullmatch(source.text, *parts[3])
        if moon is None or int(moon[1]) >= rules.players:
            source.fail(parts[3][0], "the shooter and what the moon did, such as 2up, 2down or 2up*", end=parts[3][1])
        shooter, effect, sun = int(moon[1]), _EFFECTS[moon[2].lower()], bool(moon[3])
    sums = [(total + added, added) for total, added in zip(before, points, strict=True)]
    totals = tuple([resets.get(total, total) if added else total for total, added in sums])
    return DealScore(points, cards, shooter, effect, sun, won, totals)


def _set_up(source: Source, spans: _Spans, start: AwaitingDeal) -> State:
    """The position of the hands after passing, or in the middle of a deal whose history is not known."""
    rules = start.rules
    players = rules.players
    middle = "captured" in spans
    return set_up(
        rules,
        hands=_bags_in(source, "hands", spans, players),
        leader=_seat_in(source, "leader", spans, players),
        tricks=None if middle else (),
        captured=_bags_in(source, "captured", spans, players) if middle else None,
        tricks_won=_numbers(source, *_one(source, "won", spans, "tricks won"), players, "tricks won")
        if middle
        else None,
        set_aside=_bag_in(source, "aside", spans),
        kitty=_bag_in(source, "kitty", spans),
        kitty_taker=_seat_in(source, "taker", spans, players),
        hearts_broken=_is_broken(source, spans) if middle else None,
        scores=start.scores,
        deal_number=start.deal_number,
        deal_scores=start.deal_scores,
    )


def _is_broken(source: Source, spans: _Spans) -> bool:
    start, end = _one(source, "broken", spans, "yes or no")
    word = source.text[start:end].lower()
    if word not in ("yes", "no"):
        source.fail(start, "yes or no", end=end)
    return word == "yes"


def _played(source: Source, span: tuple[int, int], state: State) -> State:
    number = 0
    for token in tokens_of(source, *span):
        for _, card in parse_cards(source, *token):
            if not isinstance(state, Playing):
                what = "the passing is not complete" if isinstance(state, Passing) else "the deal is over"
                _refuse("illegal-play", f"plays[{number}]", f"plays[{number}] is {card}, but {what}")
            state = _made(state, Play(state.seat, card), f"plays[{number}]")
            number += 1
    return state


def _chosen(source: Source, span: tuple[int, int], state: State) -> State:
    effect = parse_effect(source, *_one(source, "moon", {"moon": span}, "what the moon does"))
    if not isinstance(state, ChoosingMoon):
        _refuse("wrong-effect", "moon", "nobody is to choose what a moon does: leave the section moon out")
    return _made(state, ChooseMoon(state.shooter, effect), "moon")


def _made(state: State, move: Move, where: str) -> State:
    """The state after a move, which must be legal."""
    try:
        return apply(state, move)
    except IllegalMove as error:
        reasons = "; ".join(map(str, error.violations))
        if isinstance(move, Deal):
            of_deal = [violation for violation in error.violations if isinstance(violation, BadDeal)]
            raise InvalidState(tuple(problem for bad in of_deal for problem in bad.problems)) from None
        if isinstance(move, Play):
            _refuse("illegal-play", where, f"{where}: seat {move.seat} could not play {move.card}: {reasons}")
        if isinstance(move, Pass):
            _refuse("illegal-pass", where, f"{where}: seat {move.seat} could not pass so: {reasons}")
        _refuse("wrong-effect", where, f"{where}: the shooter cannot choose {move.effect}: {reasons}")


def _refuse(code: str, field: str, message: str) -> NoReturn:
    raise InvalidState((Problem(code, (field,), message),))
