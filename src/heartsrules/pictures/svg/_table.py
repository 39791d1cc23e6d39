"""Whole tables and single tricks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final, NamedTuple

from heartsrules.base.errors import Problem
from heartsrules.cards import NO_CARDS, Card, Cards
from heartsrules.pictures.facts import TableFacts
from heartsrules.pictures.svg._faces import HEIGHT, RAISE, card_name, cards_named, drawn_face, drawn_row
from heartsrules.pictures.svg._look import LIGHT, Checked, Colours, at_most_two, ground
from heartsrules.pictures.svg._seating import NARROW, Nameplate, draw_seats, room_for
from heartsrules.pictures.svg._xml import Picture, fitting, group, picture, words
from heartsrules.pictures.wording import Wording
from heartsrules.play.moves import Play
from heartsrules.play.phases import Phase
from heartsrules.play.public import Trick
from heartsrules.play.state import ChoosingMoon, State
from heartsrules.rules import PassPlan, Seat
from heartsrules.views import ChoosingMoonView, View, deal_of

_MOST_PLAYERS: Final = 11
_WIDE: Final = 680.0
_NAMES: Final = 112.0
"""The width of the names next to the hands."""
_NAME_LINE: Final = 17.0
_HELD: Final = 0.74
"""The scale of the cards if all hands are drawn."""
_SMALL: Final = 0.62
"""The scale of the cards of hands too long for that."""
_OWN: Final = 0.92
"""The scale of the cards of a single hand."""
_LETTER: Final = 0.56
"""The usual width of a letter, relative to its size."""


class _Row(NamedTuple):
    name: str
    """Empty for a single hand, which is drawn large."""
    under: str
    cards: Sequence[Card | None]
    dimmed: Cards = NO_CARDS
    raised: Cards = NO_CARDS
    marked: Cards = NO_CARDS
    """The cards that may be exposed now."""
    acting: bool = False


def trick(
    plays: Trick | Sequence[Play],
    *,
    first: Seat = 0,
    names: Iterable[str] | None = None,
    width: float | None = None,
    colours: Colours = LIGHT,
    dimmed: Iterable[Card] = (),
    signs: Mapping[Card, str] | None = None,
    language: str = "en",
) -> Picture:
    """Draw a trick, each card in front of the seat that played it.

    Args:
        plays: a completed trick, whose winner stands out, or the plays of a trick so far.
        first: the seat at the bottom; the next one is to its left.
        names: the names of all players at the table, by seat. Defaults to `Seat 0` and so on, up to the last seat that
            has played.
        width: the width in pixels. Defaults to 500 for four players.
        dimmed: the dimmed cards, such as those that cancel each other.
        signs: texts in the corners of some cards, at most four characters each.
        language: one of `heartsrules.messages.languages()`, for ranks and words.

    >>> plays = (Play(2, Card("2C")), Play(3, Card("AC")))
    >>> "Cleo: two of clubs" in trick(plays, names=("Ann", "Bob", "Cleo", "Dan"))
    True
    """
    played, winner = (plays.plays, plays.winner) if isinstance(plays, Trick) else (tuple(plays), None)
    asked = Checked(width, colours, language)
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
        seat: drawn_face(card, colours, dimmed=card in dim, sign=written.get(card, ""), language=language)
        for seat, card in [(play.seat, play.card) for play in played]
    }
    leader = played[0].seat if played else None
    done = {leader: asked.say("led"), winner: asked.say("took-trick")}
    written_at = [Nameplate(name, (done.get(seat, ""),), seat == winner, False) for seat, name in enumerate(called)]
    room = room_for(500 if players <= 4 else 610 if players <= 6 else _WIDE, asked.width)
    drawn, high = draw_seats(written_at, below, lying, colours, room=room, dealer="")
    says = [f"{called[play.seat]}: {card_name(play.card, language)}." for play in played]
    if isinstance(plays, Trick):
        says.append(asked.say("took-it", nobody=winner is None, name="" if winner is None else called[winner]))
    says += [asked.say("dimmed", cards=cards_named(dim, language))] if dim else []
    size = room, high + 8
    body = group(room / 2, 4, drawn)
    return picture(size, asked.width, asked.say("trick-title"), " ".join(says), *ground(size, colours), body)


def _seat_problems(played: Sequence[Play], winner: Seat | None, players: int) -> Iterator[Problem]:
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
    last_trick: bool = True,
    language: str = "en",
) -> Picture:
    """Draw a whole table with the seats, their totals, the trick, and the hands below.

    For a state these are all hands, for a view only its own seat's; the picture shows no more than the view, so other
    hands are only sizes. Cards being passed or face up are raised. While players expose cards, those that may be
    exposed have a dashed border.

    Args:
        first: the seat at the bottom. Defaults to the view's seat, or seat 0.
        names: the players' names by seat. Defaults to `Seat 0` and so on.
        width: the width in pixels. Defaults to 680. Below 544 the table is arranged for a narrow screen.
        dimmed: the dimmed cards below the table; give a card twice to dim both copies, once for the upper one. Defaults
            to illegal choices of the seat to act, or of the view; an empty tuple dims none.
        signs: texts in the corners of some cards, at most four characters each.
        last_trick: True to draw the last trick until the next lead.
        language: one of `heartsrules.messages.languages()`, for ranks and words.
    """
    players = shown.rules.players
    asked = Checked(width, colours, language)
    own = None if isinstance(shown, State) else shown.seat
    below = (own or 0) if first is None else asked.whole("first", first, 0, players - 1)
    called = asked.names(names, players)
    facts = TableFacts(shown)
    rows = list(_rows(facts, called, asked))
    held = [card for row in rows for card in row.cards if card is not None]
    if dimmed is not None:
        left = asked.some_of("dimmed", dimmed, at_most_two(held))
        for place, row in enumerate(rows):
            dim = left & at_most_two([card for card in row.cards if card is not None])
            rows[place] = row._replace(dimmed=dim)
            left -= dim
    written = asked.signs({} if signs is None else signs)
    asked.done()
    lying, last = _lying(shown)
    if last and not last_trick:
        lying = {}
    faces = {
        seat: drawn_face(card, colours, sign=written.get(card, ""), language=language) for seat, card in lying.items()
    }
    head, under = _heading(shown, [fitting(name, 220, 16) for name in called], asked)
    seats = list(_seats(facts, called, asked))
    room = room_for(_WIDE, asked.width)
    parts: list[str] = []
    y = 5.0
    for line in wrap(head, int((room - 16) / (16 * _LETTER))):
        y += 19
        parts.append(words(line, room / 2, y, colours.ink, size=16, bold=True, anchor="middle"))
    for number, line in enumerate(wrap(under, int((room - 16) / (12 * _LETTER)))):
        y += 15 if number else 19
        parts.append(words(line, room / 2, y, colours.soft, size=12, anchor="middle"))
    y += 11
    drawn, high = draw_seats(seats, below, faces, colours, room=room, dealer=asked.say("dealer-sign"))
    parts.append(group(room / 2, y, drawn))
    y += high + 12
    drawn, deep = _below(rows, asked, written, room)
    parts.append(group(0, y, drawn))
    y += deep
    says = [f"{under}." if under else "", *_said(called, seats, lying, last, rows, asked)]
    size = room, y + 4
    title = asked.say("hearts", head=head)
    return picture(size, asked.width, title, " ".join(filter(None, says)), *ground(size, colours), *parts)


def _below(rows: Sequence[_Row], asked: Checked, signs: Mapping[Card, str], room: float) -> tuple[str, float]:
    """Draw all cards below the table, and return the height.

    Many rows form two columns, if there is room.
    """
    columns = 2 if len(rows) > 6 and room > NARROW else 1
    above = columns == 2 or room == NARROW
    longest = max([len(row.cards) for row in rows], default=0)
    large = room == NARROW and len(rows) <= 6 and longest <= 13
    scale = _OWN if large else _SMALL if longest > 18 else _HELD
    in_column = max(1, -(-len(rows) // columns))
    parts: list[str] = []
    deepest = 0.0
    for column in range(columns):
        y = 0.0
        for row in rows[column * in_column : (column + 1) * in_column]:
            drawn, deep = _row(row, asked, signs, room / columns, scale, above)
            parts.append(group(column * room / columns, y, drawn))
            y += deep
        deepest = max(deepest, y)
    return "\n".join(parts), deepest


def _row(
    row: _Row, asked: Checked, signs: Mapping[Card, str], room: float, scale: float, above: bool
) -> tuple[str, float]:
    colours = asked.colours
    alone = not row.name
    beside = not alone and not above
    scale = _OWN if alone else scale
    drawn, wide, high = drawn_row(
        row.cards,
        asked,
        dimmed=row.dimmed,
        raised=row.raised,
        marked=row.marked,
        signs=signs,
        room=(room - 24 - (_NAMES if beside else 0)) / scale,
    )
    top = (RAISE if row.raised else 0) * scale + (0 if alone or beside else _NAME_LINE)
    left = (room - wide * scale) / 2 if alone else 12 + _NAMES if beside else 12
    parts = [group(left, top, drawn, scale=scale)] if row.cards else []
    colour = colours.accent if row.acting else colours.ink
    if beside:
        middle = top + HEIGHT * scale / 2 + (-2 if row.under else 4)
        parts.append(words(fitting(row.name, _NAMES - 8, 12.5), 12, middle, colour, size=12.5, bold=True))
        if row.under:
            parts.append(words(fitting(row.under, _NAMES - 8, 11), 12, middle + 14, colours.soft, size=11))
        if not row.cards:
            parts.append(words(asked.say("no-cards"), 12 + _NAMES, middle, colours.soft))
    elif not alone:
        half = room / 2 - 16
        parts.append(words(fitting(row.name, half, 12.5), 12, 12, colour, size=12.5, bold=True))
        under = row.under or ("" if row.cards else asked.say("no-cards"))
        if under:
            parts.append(words(fitting(under, half, 11), room - 12, 12, colours.soft, size=11, anchor="end"))
        high = high if row.cards else 0
    return "".join(parts), top + high * scale + 8


def _rows(facts: TableFacts, called: Sequence[str], wording: Wording) -> Iterator[_Row]:
    shown, alone = facts.shown, isinstance(facts.shown, View)
    for seat, hand in enumerate(facts.hands):
        if hand is None and facts.face_up[seat]:
            yield _Row(called[seat], wording.say("shows"), list(facts.face_up[seat]))
    for seat, hand in enumerate(facts.hands):
        if hand is None or (alone and not hand):
            continue
        acting = seat in facts.acting
        dims = alone or (acting and shown.phase is Phase.PLAY)
        dim = facts.barred(seat) - facts.chosen(seat) if dims else NO_CARDS
        marked = facts.exposable(seat) if acting and shown.phase is Phase.EXPOSE else NO_CARDS
        yield _Row(
            "" if alone else called[seat], "", list(hand), dim, facts.standing_out(seat), marked, acting and not alone
        )
    played = deal_of(shown)
    if played is not None and played.set_aside:
        yield _Row(wording.say("aside"), "", list(played.set_aside))
    size, taker = facts.rules.kitty_size, facts.kitty_winner
    if size and shown.phase is not Phase.DEAL:
        under = "" if taker is None else wording.say("kitty-to", name=called[taker])
        yield _Row(wording.say("the-kitty"), under, [None] * size if facts.kitty is None else list(facts.kitty))


def _lying(shown: State | View) -> tuple[dict[Seat, Card], bool]:
    if shown.phase is Phase.PLAY and shown.trick:
        return {play.seat: play.card for play in shown.trick}, False
    played = deal_of(shown)
    tricks: Sequence[Trick] = () if played is None else played.tricks
    return {play.seat: play.card for trick in tricks[-1:] for play in trick.plays}, True


def _seats(facts: TableFacts, called: Sequence[str], wording: Wording) -> Iterator[Nameplate]:
    rules = facts.rules
    played = deal_of(facts.shown)
    for seat, name in enumerate(called):
        points = wording.points(facts.totals[seat])
        lines = [f"{wording.say('team', team=rules.side(seat) + 1)}, {points}" if rules.teams else points]
        counts: list[str] = []
        if played is not None:
            counts.append(wording.say("tricks", count=played.tricks_won[seat]))
        if facts.hand_sizes:
            counts.append(wording.say("cards", count=facts.hand_sizes[seat]))
        if counts:
            lines.append(", ".join(counts))
        doing = facts.doing(seat)
        lines.append(wording.say(doing.value) if doing else "")
        stands_out = seat in (*facts.acting, *facts.winners)
        yield Nameplate(name, tuple(lines), stands_out, seat == facts.shown.dealer)


def _heading(shown: State | View, called: Sequence[str], wording: Wording) -> tuple[str, str]:
    say = wording.say
    deal = shown.deal_number + 1
    match shown.phase:
        case Phase.DEAL:
            return say("head-await", deal=deal), "" if shown.last_deal is None else say("last-trick-before")
        case Phase.PASS | Phase.DEAL_BACK:
            plan = shown.rules.pass_plan(shown.deal_number)
            return say("head-pass", deal=deal), _plan_in_words(plan, shown.rules.players, wording)
        case Phase.EXPOSE:
            return say("head-show", deal=deal), say("counts-double")
        case Phase.PLAY:
            head = say("head-play", deal=deal, trick=shown.trick_number + 1)
            return head, say("head-broken", broken=shown.hearts_broken)
        case Phase.MOON:
            name = called[shown.shooter]
            return say("head-moon", deal=deal, name=name), _effects_in_words(shown, name, wording)
        case Phase.OVER:
            names = wording.joined([called[seat] for seat in shown.winners])
            return say("head-over", names=names, count=len(shown.winners)), say("after-deal", deal=deal)


def _effects_in_words(shown: ChoosingMoon | ChoosingMoonView, shooter: str, wording: Wording) -> str:
    up, down = shown.others_up.points, shown.shooter_down.points
    rules = shown.rules
    side = rules.side(shown.shooter)
    value = max(up)
    plainly = (
        up == tuple([0 if rules.side(seat) == side else value for seat in range(rules.players)]),
        down == tuple([-value if seat == shown.shooter else 0 for seat in range(rules.players)]),
    )
    if all(plainly):
        return wording.say("effects", value=value, teams=bool(rules.teams), name=shooter)
    # Bonus cards, for example, count in addition to the moon.
    listed = {name: " ".join(map(str, points)) for name, points in (("up", up), ("down", down))}
    return wording.say("effects-listed", name=shooter, **listed)


def _plan_in_words(plan: PassPlan, players: int, wording: Wording) -> str:
    if len(plan) == players - 1 and {count for _, count in plan} == {1}:
        return wording.say("passes-all")
    ways: list[str] = []
    for offset, count in plan:
        way = "middle" if not offset else "left" if offset > 0 else "right"
        way = "across" if offset and 2 * abs(offset) == players else way
        ways.append(wording.say("way", count=count, way=way, seats=abs(offset)))
    return wording.say("passes", ways=", ".join(ways))


def _said(
    called: Sequence[str],
    seats: Sequence[Nameplate],
    lying: Mapping[Seat, Card],
    last: bool,
    rows: Sequence[_Row],
    wording: Wording,
) -> Iterator[str]:
    say, language = wording.say, wording.language
    if lying:
        plays = ", ".join([f"{called[seat]} {card_name(card, language)}" for seat, card in lying.items()])
        yield say("on-table", last=last, plays=plays)
    for seat in seats:
        lines = (*seat.lines, say("is-dealer") if seat.dealer else "")
        yield f"{seat.name}: {', '.join([line for line in lines if line])}."
    for row in rows:
        faces = [card for card in row.cards if card is not None]
        down = not faces and bool(row.cards)
        what = say("cards-down", count=len(row.cards)) if down else cards_named(faces, language)
        yield f"{' '.join(filter(None, (row.name or say('the-hand'), row.under)))}: {what}."
        dim = row.dimmed & Cards(faces)
        for name, cards in (("standing-out", row.raised), ("may-be-shown", row.marked), ("dimmed", dim)):
            if cards:
                yield say(name, cards=cards_named(cards, language))
