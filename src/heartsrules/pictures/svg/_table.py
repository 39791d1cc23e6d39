"""Whole tables and single tricks: the seats around the middle, what lies there, and the hands below."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from heartsrules.base.errors import Problem, counted
from heartsrules.base.values import wrong_item, wrong_type
from heartsrules.cards import NO_CARDS, Card, Cards
from heartsrules.pictures.diagrams import lying_open
from heartsrules.pictures.svg._faces import HEIGHT, RAISE, WIDTH, card_name, cards_named, drawn_face, drawn_row
from heartsrules.pictures.svg._look import LIGHT, Checked, Colours, at_most_two, ground
from heartsrules.pictures.svg._xml import Picture, element, fitting, group, picture, words
from heartsrules.play.engine import to_act, why_illegal_cards
from heartsrules.play.moves import Play
from heartsrules.play.scoring import display_score
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, Exposing, GameOver, Passing, Playing, State, Trick
from heartsrules.play.violations import NotYourTurn
from heartsrules.rules import Seat
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayingView,
    View,
    deal_of,
)

__all__ = ["table", "trick"]

_MOST_PLAYERS: Final = 11
_WIDE: Final = 680.0
"""The width of a table, in its own units."""
_PLATE: Final = 122.0
_LINE: Final = 15.0
_NAMES: Final = 112.0
"""The width of the names beside the hands."""
_HELD: Final = 0.74
"""The scale of the cards if all hands are shown."""
_SMALL: Final = 0.62
"""The scale of the cards with many players or cards."""
_OWN: Final = 0.92
"""The scale of the cards of a single hand."""


class _Seat(NamedTuple):
    """The text at a seat."""

    name: str
    lines: tuple[str, ...]
    acting: bool
    """Whether the seat is to act or has won, and its border stands out."""
    dealer: bool


class _Row(NamedTuple):
    """Cards below the table."""

    name: str
    """Empty for a single hand, which is drawn large."""
    under: str
    cards: Sequence[Card | None]
    dimmed: Cards = NO_CARDS
    raised: Cards = NO_CARDS
    acting: bool = False


class _Ring(NamedTuple):
    """The ellipse of seats: its half-axes."""

    across: float
    down: float
    card: float
    """The scale of the played cards."""


def _ring(players: int) -> _Ring:
    if players <= 4:
        return _Ring(264, 142, 0.9)
    if players <= 6:
        return _Ring(268, 178, 0.86)
    if players <= 8:
        return _Ring(270, 216, 0.76)
    return _Ring(272, 262, 0.66)


def _place(seat: int, first: Seat, players: int) -> tuple[float, float]:
    """The place of a seat on the unit circle: `first` at the bottom, the next one to its left."""
    angle = math.pi * (0.5 + 2 * ((seat - first) % players) / players)
    return math.cos(angle), math.sin(angle)


def _around(
    seats: Sequence[_Seat], first: Seat, lying: Mapping[Seat, str], colours: Colours, ring: _Ring, dim: bool
) -> tuple[str, float]:
    """Draw the seats around the middle with their cards, and return the height. The middle is at x = 0."""
    players = len(seats)
    high = max(map(_height, seats))
    places = [(ring.across * x, ring.down * y) for x, y in [_place(seat, first, players) for seat in range(players)]]
    cloth: dict[str, str | float | None] = {
        "cx": 0,
        "cy": 0,
        "rx": ring.across,
        "ry": ring.down,
        "fill": colours.paper,
        "fill-opacity": 0.55,
        "stroke": colours.line,
        "stroke-width": 2,
    }
    parts = [element("ellipse", cloth)]
    for plate, (x, y) in zip(seats, places, strict=True):
        parts.append(group(x - _PLATE / 2, y - _height(plate) / 2, _plate(plate, colours)))
    for seat, drawn in lying.items():
        x, y = _clear(places, seat, high, ring.card)
        veiled = element("g", {"opacity": 0.55}, drawn) if dim else drawn
        parts.append(group(x - WIDTH * ring.card / 2, y - HEIGHT * ring.card / 2, veiled, scale=ring.card))
    ends = [(y - _height(plate) / 2, y + _height(plate) / 2) for plate, (_, y) in zip(seats, places, strict=True)]
    top, bottom = min(-ring.down, *[each for each, _ in ends]), max(ring.down, *[each for _, each in ends])
    return group(0, -top, "\n".join(parts)), bottom - top


def _clear(places: Sequence[tuple[float, float]], seat: Seat, high: float, scale: float) -> tuple[float, float]:
    """The place of a seat's card: in front of it, clear of all plates."""
    apart_x, apart_y = (_PLATE + WIDTH * scale) / 2 + 7, (high + HEIGHT * scale) / 2 + 7
    x, y = places[seat]
    for share in range(62, 20, -1):
        x, y = [each * share / 100 for each in places[seat]]
        if all([abs(x - other_x) >= apart_x or abs(y - other_y) >= apart_y for other_x, other_y in places]):
            break
    return x, y


def _height(plate: _Seat) -> float:
    """The height of a seat's plate."""
    return 14 + _LINE * (1 + len([line for line in plate.lines if line]))


def _plate(plate: _Seat, colours: Colours) -> str:
    """Draw a plate: a player's name and caption."""
    paper: dict[str, str | float | None] = {
        "width": _PLATE,
        "height": _height(plate),
        "rx": 9,
        "fill": colours.paper,
        "stroke": colours.accent if plate.acting else colours.line,
        "stroke-width": 3 if plate.acting else 1.5,
    }
    middle = _PLATE / 2
    name = fitting(plate.name, _PLATE - 16, 13)
    parts = [
        element("rect", paper),
        words(name, middle, 18, colours.accent if plate.acting else colours.ink, size=13, bold=True, anchor="middle"),
    ]
    for number, line in enumerate(filter(None, plate.lines), 1):
        parts.append(words(line, middle, 18 + number * _LINE, colours.soft, size=11, anchor="middle"))
    if plate.dealer:
        disc: dict[str, str | float | None] = {"cx": _PLATE - 3, "cy": 3, "r": 9, "fill": colours.ink}
        parts += [
            element("circle", disc),
            words("D", _PLATE - 3, 7, colours.paper, size=11, bold=True, anchor="middle"),
        ]
    return "".join(parts)


def trick(
    plays: Trick | Sequence[Play],
    *,
    first: Seat = 0,
    names: Iterable[str] | None = None,
    width: float | None = None,
    colours: Colours = LIGHT,
    dimmed: Iterable[Card] = (),
    signs: Mapping[Card, str] | None = None,
    label: str | None = None,
) -> Picture:
    """Draw a trick, each card in front of the seat that played it.

    Args:
        plays: a completed trick, whose winner stands out, or the plays of one so far.
        first: the seat that is drawn below; the next one is to its left.
        names: by seat, what the players are called: all at the table, whether they have played or not. None: `Seat 0`
            and so on, up to the last seat that has played.
        width: how wide it is shown, in pixels; None: about 500 for four players.
        dimmed: the cards that are dimmed, such as those that cancel each other.
        signs: what stands in the corner of some cards, at most four characters.
        label: what assistive technology calls the picture; it reads the plays after it.

    >>> plays = (Play(2, Card("2C")), Play(3, Card("AC")))
    >>> "Cleo: two of clubs" in trick(plays, names=("Ann", "Bob", "Cleo", "Dan"))
    True
    """
    played, winner = _plays_of(plays)
    asked = Checked(width, colours, label)
    seats = [play.seat for play in played if 0 <= play.seat < _MOST_PLAYERS]
    called = asked.names(names, max(seats, default=0) + 1 if names is None else None)
    players = min(max(len(called), 1), _MOST_PLAYERS)
    if len(called) != players:
        asked.wrong(Problem.of("wrong-number-of-names", ("names",), count=len(called), players=players))
    below = asked.whole("first", first, 0, players - 1)
    for problem in _seat_problems(played, winner, players):
        asked.wrong(problem)
    dim = asked.some_of("dimmed", dimmed, at_most_two([play.card for play in played]))
    written = asked.signs({} if signs is None else signs)
    asked.done()
    lying = {
        play.seat: drawn_face(play.card, colours, dimmed=play.card in dim, sign=written.get(play.card, ""))
        for play in played
    }
    leader = played[0].seat if played else None
    written_at = [
        _Seat(name, ("took the trick" if seat == winner else "led" if seat == leader else "",), seat == winner, False)
        for seat, name in enumerate(called)
    ]
    wide = _ring(players)
    ring = wide._replace(across=wide.across * (0.66 if players <= 4 else 0.85 if players <= 6 else 1))
    drawn, high = _around(written_at, below, lying, colours, ring, False)
    says = [f"{called[play.seat]}: {card_name(play.card)}." for play in played]
    if isinstance(plays, Trick):
        says.append("Nobody took it." if winner is None else f"{called[winner]} took it.")
    says += [f"Dimmed: {cards_named(dim)}."] if dim else []
    size = 2 * ring.across + _PLATE + 24, high + 8
    body = group(size[0] / 2, 4, drawn)
    return picture(size, asked.width, label or "Trick", " ".join(says), *ground(size, colours), body)


def _plays_of(plays: object) -> tuple[list[Play], Seat | None]:
    """The plays of a trick, and its winner."""
    if isinstance(plays, Trick):
        return list(plays.plays), plays.winner
    if isinstance(plays, str) or not isinstance(plays, Iterable):
        wrong_type("plays", "a Trick or an iterable of Play", plays)
    played = list(plays)
    for play in played:
        if not isinstance(play, Play):
            wrong_item("plays", "Play", play)
    return played, None


def _seat_problems(played: Sequence[Play], winner: Seat | None, players: int) -> Iterator[Problem]:
    """Problems of seats: outside the table, or repeated."""
    for place, play in enumerate(played):
        at = ("plays", str(place))
        if not 0 <= play.seat < players:
            yield Problem.of("no-such-seat", at, "picture", place=place, seat=play.seat, last=players - 1)
        elif play.seat in [other.seat for other in played[:place]]:
            yield Problem.of("seat-twice", at, place=place, seat=play.seat)
    if winner is not None and not 0 <= winner < players:
        yield Problem.of("no-such-seat", ("plays", "winner"), "named", name="winner", seat=winner, last=players - 1)


def table(
    shown: State | View,
    *,
    first: Seat | None = None,
    names: Iterable[str] | None = None,
    width: float | None = None,
    colours: Colours = LIGHT,
    dimmed: Iterable[Card] | None = None,
    signs: Mapping[Card, str] | None = None,
    label: str | None = None,
) -> Picture:
    """Draw a whole table: the seats with their totals, the trick, and below it all hands of a state, or the hand of the
    seat of a view. A view's picture shows no more than the view: of the other hands only the sizes.

    Cards that are being passed or that lie open stand out. After a deal its last trick is shown, pale.

    Args:
        shown: a state or a view.
        first: the seat that is drawn below; None: the seat of the view, or seat 0.
        names: by seat, what the players are called; None: `Seat 0` and so on.
        width: how wide it is shown, in pixels; None: 680.
        dimmed: the cards below the table that are dimmed; of equal ones as many as it holds, those that lie higher
            first. None: those of the seat that is to act, or of the view, which it may not choose now by the rules. An
            empty tuple dims none.
        signs: what stands in the corner of some cards, at most four characters.
        label: what assistive technology calls the picture; None: where in the game it is. It reads all that is drawn.
    """
    if not isinstance(shown, (State, View)):
        wrong_type("shown", "a State or a View", shown)
    players = shown.rules.players
    asked = Checked(width, colours, label)
    own = None if isinstance(shown, State) else shown.seat
    below = (own or 0) if first is None else asked.whole("first", first, 0, players - 1)
    called = asked.names(names, players)
    rows = list(_rows(shown, called))
    held = [card for row in rows for card in row.cards if card is not None]
    if dimmed is not None:
        left = asked.some_of("dimmed", dimmed, at_most_two(held))
        for place, row in enumerate(rows):
            dim = left & at_most_two([card for card in row.cards if card is not None])
            rows[place] = row._replace(dimmed=dim)
            left -= dim
    written = asked.signs({} if signs is None else signs)
    asked.done()
    lying, pale = _lying(shown)
    faces = {seat: drawn_face(card, colours, sign=written.get(card, "")) for seat, card in lying.items()}
    head, under = _heading(shown, called)
    seats = list(_seats(shown, called))
    parts = [words(head, _WIDE / 2, 24, colours.ink, size=16, bold=True, anchor="middle")]
    if under:
        parts.append(words(under, _WIDE / 2, 43, colours.soft, size=12, anchor="middle"))
    drawn, high = _around(seats, below, faces, colours, _ring(players), pale)
    parts.append(group(_WIDE / 2, 54, drawn))
    y = 54 + high + 12
    drawn, deep = _below(rows, colours, written)
    parts.append(group(0, y, drawn))
    y += deep
    says = [f"{under}." if under else "", *_said(called, seats, lying, rows)]
    size = _WIDE, y + 4
    title = label or f"Hearts. {head}"
    return picture(size, asked.width, title, " ".join(filter(None, says)), *ground(size, colours), *parts)


def _below(rows: Sequence[_Row], colours: Colours, signs: Mapping[Card, str]) -> tuple[str, float]:
    """Draw all cards below the table, and return the height; many short rows stand side by side."""
    longest = max([len(row.cards) for row in rows], default=0)
    many = len(rows) > 6
    columns = 2 if many and longest <= 9 else 1
    scale = _SMALL if many or longest > 18 else _HELD
    parts: list[str] = []
    deepest = 0.0
    in_column = max(1, -(-len(rows) // columns))
    for column in range(columns):
        y = 0.0
        for row in rows[column * in_column : (column + 1) * in_column]:
            drawn, deep = _row(row, colours, signs, scale if row.name else _OWN)
            parts.append(group(column * _WIDE / 2, y, drawn))
            y += deep
        deepest = max(deepest, y)
    return "\n".join(parts), deepest


def _row(row: _Row, colours: Colours, signs: Mapping[Card, str], scale: float) -> tuple[str, float]:
    """Draw a row of cards with its name beside it, and return the height."""
    alone = not row.name
    room = (_WIDE - 24 - (0 if alone else _NAMES)) / scale
    drawn, wide, high = drawn_row(row.cards, colours, dimmed=row.dimmed, raised=row.raised, signs=signs, room=room)
    top = (RAISE if row.raised else 0) * scale
    left = (_WIDE - wide * scale) / 2 if alone else 12 + _NAMES
    parts = [group(left, top, drawn, scale=scale)] if row.cards else []
    if not alone:
        middle = top + HEIGHT * scale / 2 + (-2 if row.under else 4)
        colour = colours.accent if row.acting else colours.ink
        parts.append(words(fitting(row.name, _NAMES - 8, 12.5), 12, middle, colour, size=12.5, bold=True))
        if row.under:
            parts.append(words(fitting(row.under, _NAMES - 8, 11), 12, middle + 14, colours.soft, size=11))
        if not row.cards:
            parts.append(words("no cards", 12 + _NAMES, middle, colours.soft))
    return "".join(parts), top + high * scale + 8


def _rows(shown: State | View, called: Sequence[str]) -> Iterator[_Row]:
    """The rows below the table: hands, cards set aside, the kitty."""
    rules = shown.rules
    if isinstance(shown, (Passing, Exposing, Playing)):
        acting = to_act(shown)
        for seat, hand in enumerate(shown.hands):
            yield _Row(
                called[seat],
                "",
                list(hand),
                _barred(shown, seat) if isinstance(shown, Playing) and seat == shown.turn else NO_CARDS,
                _standing_out(shown, seat, hand),
                seat in acting,
            )
    elif isinstance(shown, (PassingView, ExposingView, PlayingView)):
        for seat, cards in enumerate(lying_open(shown)):
            if cards and seat != shown.seat:
                yield _Row(called[seat], "shows", list(cards))
        if shown.seat is not None and shown.hand:
            out = _standing_out(shown, shown.seat, shown.hand)
            yield _Row("", "", list(shown.hand), _barred(shown, shown.seat) - out, out)
    played = deal_of(shown)
    if played is not None and played.set_aside:
        yield _Row("Set aside", "", list(played.set_aside))
    if not rules.kitty_size or isinstance(shown, (AwaitingDeal, AwaitingDealView)):
        return
    taker = None if played is None else played.kitty_taker
    kitty = shown.kitty if isinstance(shown, (Passing, Exposing)) else None if played is None else played.kitty
    under = "" if taker is None else f"to {called[taker]}"
    yield _Row("Kitty", under, [None] * rules.kitty_size if kitty is None else list(kitty))


def _barred(shown: State | View, seat: Seat) -> Cards:
    """The cards of a seat's hand that would be illegal if it were its turn."""
    return Cards(
        [
            card
            for card, reasons in why_illegal_cards(shown, seat)
            if any([not isinstance(reason, NotYourTurn) for reason in reasons])
        ]
    )


def _standing_out(
    shown: Passing | Exposing | Playing | PassingView | ExposingView | PlayingView, seat: Seat, hand: Cards
) -> Cards:
    """The cards of a hand that are chosen or lie open."""
    if isinstance(shown, Passing):
        move = shown.commitments[seat]
        return Cards() if move is None else Cards([card for gift in move.gifts for card in gift])
    if isinstance(shown, PassingView):
        gifts = () if shown.commitment is None else shown.commitment.gifts
        return Cards([card for gift in gifts for card in gift])
    if isinstance(shown, Exposing):
        choice = shown.commitments[seat]
        return Cards() if choice is None else choice.cards
    if isinstance(shown, ExposingView):
        return Cards() if shown.commitment is None else shown.commitment.cards
    return hand & lying_open(shown)[seat]


def _lying(shown: State | View) -> tuple[dict[Seat, Card], bool]:
    """The cards of the trick by seat, and whether it is the last one of a finished deal."""
    if isinstance(shown, (Playing, PlayingView)):
        return {play.seat: play.card for play in shown.trick}, False
    played = deal_of(shown)
    last = played.tricks[-1].plays if played is not None and played.tricks else ()
    return {play.seat: play.card for play in last}, True


def _seats(shown: State | View, called: Sequence[str]) -> Iterator[_Seat]:
    """The text at each seat."""
    rules = shown.rules
    acting = to_act(shown)
    played = deal_of(shown)
    for seat, name in enumerate(called):
        total = display_score(rules, shown.scores[seat])
        team = f"team {rules.side(seat) + 1}, " if rules.teams else ""
        lines = [
            f"{team}{counted(total, 'point')}" if total >= 0 else f"{team}\N{MINUS SIGN}{counted(-total, 'point')}"
        ]
        counts: list[str] = []
        if played is not None:
            counts.append(counted(played.tricks_won[seat], "trick"))
        if isinstance(shown, (PassingView, ExposingView, PlayingView)):
            counts.append(counted(shown.hand_sizes[seat], "card"))
        if counts:
            lines.append(", ".join(counts))
        lines.append(_doing(shown, seat, seat in acting))
        won = isinstance(shown, (GameOver, GameOverView)) and seat in shown.winners
        yield _Seat(name, tuple(lines), seat in acting or won, seat == shown.dealer)


def _doing(shown: State | View, seat: Seat, acting: bool) -> str:
    """The action or the result of a seat, in words."""
    if isinstance(shown, (Passing, PassingView)):
        return "choosing" if acting else "has chosen"
    if isinstance(shown, (Exposing, ExposingView)):
        chosen = seat in shown.committed if isinstance(shown, ExposingView) else shown.commitments[seat] is not None
        return "choosing" if acting else "has chosen" if chosen else ""
    if isinstance(shown, (ChoosingMoon, ChoosingMoonView)):
        return "shot the moon" if acting else ""
    if isinstance(shown, (GameOver, GameOverView)):
        return "wins" if seat in shown.winners else ""
    if isinstance(shown, (Playing, PlayingView)):
        return "to play" if acting else ""
    return ""


def _heading(shown: State | View, called: Sequence[str]) -> tuple[str, str]:
    """The two lines of the heading."""
    deal = f"Deal {shown.deal_number + 1}"
    if isinstance(shown, (AwaitingDeal, AwaitingDealView)):
        return f"{deal} is to be dealt", "" if shown.last_deal is None else "The last trick of the deal before"
    if isinstance(shown, (Passing, PassingView)):
        return f"{deal}: the pass", _step_in_words(shown)
    if isinstance(shown, (Exposing, ExposingView)):
        return f"{deal}: showing cards", "What is shown counts double"
    if isinstance(shown, (Playing, PlayingView)):
        broken = "Hearts are broken" if shown.hearts_broken else "Hearts are not broken"
        return f"{deal}, trick {shown.trick_number + 1}", broken
    if isinstance(shown, (ChoosingMoon, ChoosingMoonView)):
        return f"{deal}: {called[shown.shooter]} shot the moon", _effects_in_words(shown, called[shown.shooter])
    names = " and ".join([called[seat] for seat in shown.winners])
    return f"The game is over: {names} {'wins' if len(shown.winners) == 1 else 'win'}", f"After {deal.lower()}"


def _effects_in_words(shown: ChoosingMoon | ChoosingMoonView, shooter: str) -> str:
    """The scores of each effect that the shooter may choose, in words."""
    up, down = shown.others_up.points, shown.shooter_down.points
    rules = shown.rules
    side = rules.side(shown.shooter)
    value = max(up)
    plainly = (
        up == tuple([0 if rules.side(seat) == side else value for seat in range(rules.players)]),
        down == tuple([-value if seat == shown.shooter else 0 for seat in range(rules.players)]),
    )
    if all(plainly):
        return f"{value} to each of the {'opponents' if rules.teams else 'others'}, or {value} off {shooter}'s total"
    # Bonus cards and the like count beside the moon.
    return f"Points to the others: {' '.join(map(str, up))}, or off {shooter}'s total: {' '.join(map(str, down))}"


def _step_in_words(shown: Passing | PassingView) -> str:
    """The pass of the deal, in words."""
    players, step = shown.rules.players, shown.step
    if len(step) == players - 1 and {count for _, count in step} == {1}:
        return "Each passes a card to every other player"
    ways: list[str] = []
    for offset, count in step:
        if not offset:
            ways.append(f"{counted(count, 'card') if count else 'any number of cards'} into the middle")
            continue
        side = "left" if offset > 0 else "right"
        where = f"to the {side}" if abs(offset) == 1 else f"{abs(offset)} seats to the {side}"
        ways.append(f"{counted(count, 'card')} {'across' if 2 * abs(offset) == players else where}")
    return f"Each passes {', '.join(ways)}"


def _said(
    called: Sequence[str],
    seats: Sequence[_Seat],
    lying: Mapping[Seat, Card],
    rows: Sequence[_Row],
) -> Iterator[str]:
    """The table in words, for assistive technology."""
    if lying:
        yield f"On the table: {', '.join([f'{called[seat]} {card_name(card)}' for seat, card in lying.items()])}."
    for seat in seats:
        yield f"{seat.name}: {', '.join([line for line in (*seat.lines, 'dealer' if seat.dealer else '') if line])}."
    for row in rows:
        faces = [card for card in row.cards if card is not None]
        what = cards_named(faces) if faces or not row.cards else f"{counted(len(row.cards), 'card')} face down"
        yield f"{' '.join(filter(None, (row.name or 'The hand', row.under)))}: {what}."
        if row.raised:
            yield f"Standing out: {cards_named(row.raised)}."
        dim = row.dimmed & Cards(faces)
        if dim:
            yield f"Dimmed: {cards_named(dim)}."
