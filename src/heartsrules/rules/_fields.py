"""The options as fields with defaults, bounds and descriptions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, ClassVar, Final, Literal, cast

import attrs

from heartsrules.cards import ALL_FACES, NO_CARDS, Card, Cards
from heartsrules.rules._choices import (
    HOLD,
    MAX_DEALS,
    MAX_ENTRIES,
    MAX_FACTOR,
    MAX_POINTS,
    MAX_TOTAL,
    OFFSETS,
    Bonus,
    BonusFloor,
    Choice,
    Compulsory,
    Doubler,
    Duplicates,
    ExposeBeforePass,
    ExposedCardPlay,
    Exposure,
    FirstTrick,
    HeartsBreak,
    HeartsLead,
    HeartValues,
    Kitty,
    KittyShownTo,
    Moon,
    MoonCards,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    PassStep,
    QueenBreaks,
    ScoreDisplay,
    Seat,
    TargetScope,
    TargetTest,
    Tie,
    VoidLastTrick,
    default_pass_cycle,
    is_int,
)
from heartsrules.rules._option import Option, option

# Converters do not change a value of a wrong type; the type check then names the option.


def _as_cards(value: str | Iterable[Card | str]) -> Cards:
    if isinstance(value, (str, Cards)):
        return Cards(value)
    # More cards than in two decks include a third copy.
    cards: Any = _tuple(value, 2 * len(ALL_FACES))
    if isinstance(cards, tuple):
        cards = tuple([Card(card) if isinstance(card, str) else card for card in cards])
        if all([isinstance(card, Card) for card in cards]):
            return Cards(cards)
    return cast("Cards", cards)


def _as_faces(value: str | Iterable[Card | str]) -> Cards:
    cards = _as_cards(value)
    return cards.distinct() if isinstance(cards, Cards) else cards


def _as_heart_values(value: HeartValues | str | Iterable[int]) -> tuple[int, ...]:
    value = _named(HeartValues, value)
    if isinstance(value, HeartValues):
        return value.values
    return value if isinstance(value, tuple) else _tuple(value, 13)


def _as_cycle(value: str | Iterable[str | Iterable[tuple[int | Literal["across"], int]]]) -> tuple[PassStep, ...]:
    return _tuple(
        [step.strip() for step in value.split(",")] if isinstance(value, str) else value, MAX_ENTRIES, as_step
    )


def as_step(value: Any) -> Any:
    """Return the step of a text such as `L3`, `L2+R1` or `hold`, or of pairs."""
    if not isinstance(value, str):
        # More recipients than other players at any table include one twice, which is refused.
        return _tuple(value, 10, _pair)
    if value.lower() == "hold":
        return HOLD
    gifts = [(OFFSETS.get(gift[:1].upper()), gift[1:]) for gift in value.split("+")]
    if all([offset is not None and count.isdecimal() and len(count) < 10 for offset, count in gifts]):
        return tuple([(offset, int(count)) for offset, count in gifts])
    return value


def _as_card_points(
    value: Mapping[Card, int] | Mapping[str, int] | Iterable[tuple[Card | str, int]],
) -> tuple[tuple[Card, int], ...]:
    return _tuple(value, len(ALL_FACES), _card_points)


def _card_points(value: object) -> Any:
    pair: Any = _pair(value)
    return (Card(pair[0]), *pair[1:]) if isinstance(pair, tuple) and pair and isinstance(pair[0], str) else pair


def _as_bonuses(
    value: Mapping[Card, int] | Mapping[str, int] | Iterable[Bonus | tuple[Card | str, int]],
) -> tuple[Bonus, ...]:
    return _tuple(value, len(ALL_FACES), _bonus)


def _bonus(value: object) -> Any:
    pair = isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], (Card, str)) and is_int(value[1])
    return Bonus(*cast("tuple[Card, int]", value)) if pair else value


def _as_totals(value: Mapping[int, int] | Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return _tuple(value, MAX_ENTRIES, _pair)


def _pair(value: object) -> tuple[Any, ...]:
    return _tuple(value, 2)


def _tuple(value: Any, most: int, entry: Callable[[Any], Any] = lambda part: part) -> tuple[Any, ...]:
    """Return at most `most` + 1 entries of a value. The last one makes it too long."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        wrong: tuple[Any, ...] = value  # type: ignore[assignment]
        return wrong
    parts = value.items() if isinstance(value, Mapping) else value
    return tuple([entry(part) for part in islice(parts, most + 1)])


# A type checker takes the type of an argument from the converter: it needs one for each enum.


def _named(kind: type[Choice], value: object) -> Any:
    member = kind.named(value) if isinstance(value, str) else None
    return value if member is None else member


def _as_kitty(value: Kitty | str) -> Kitty:
    return cast("Kitty", _named(Kitty, value))


def _as_kitty_shown_to(value: KittyShownTo | str) -> KittyShownTo:
    return cast("KittyShownTo", _named(KittyShownTo, value))


def _as_pass_optional(value: PassOptional | str) -> PassOptional:
    return cast("PassOptional", _named(PassOptional, value))


def _as_exposure(value: Exposure | str) -> Exposure:
    return cast("Exposure", _named(Exposure, value))


def _as_expose_before_pass(value: ExposeBeforePass | str) -> ExposeBeforePass:
    return cast("ExposeBeforePass", _named(ExposeBeforePass, value))


def _as_exposed_card_play(value: ExposedCardPlay | str) -> ExposedCardPlay:
    return cast("ExposedCardPlay", _named(ExposedCardPlay, value))


def _as_opening_leader(value: OpeningLeader | str) -> OpeningLeader:
    return cast("OpeningLeader", _named(OpeningLeader, value))


def _as_opening_card(value: OpeningCard | str) -> OpeningCard:
    return cast("OpeningCard", _named(OpeningCard, value))


def _as_first_trick(value: FirstTrick | str) -> FirstTrick:
    return cast("FirstTrick", _named(FirstTrick, value))


def _as_hearts_lead(value: HeartsLead | str) -> HeartsLead:
    return cast("HeartsLead", _named(HeartsLead, value))


def _as_hearts_break(value: HeartsBreak | str) -> HeartsBreak:
    return cast("HeartsBreak", _named(HeartsBreak, value))


def _as_queen_breaks(value: QueenBreaks | str) -> QueenBreaks:
    return cast("QueenBreaks", _named(QueenBreaks, value))


def _as_compulsory(value: Compulsory | str) -> Compulsory:
    return cast("Compulsory", _named(Compulsory, value))


def _as_duplicates(value: Duplicates | str) -> Duplicates:
    return cast("Duplicates", _named(Duplicates, value))


def _as_void_last_trick(value: VoidLastTrick | str) -> VoidLastTrick:
    return cast("VoidLastTrick", _named(VoidLastTrick, value))


def _as_bonus_floor(value: BonusFloor | str) -> BonusFloor:
    return cast("BonusFloor", _named(BonusFloor, value))


def _as_moon(value: Moon | str) -> Moon:
    return cast("Moon", _named(Moon, value))


def _as_moon_cards(value: MoonCards | str) -> MoonCards:
    return cast("MoonCards", _named(MoonCards, value))


def _as_moon_scope(value: MoonScope | str) -> MoonScope:
    return cast("MoonScope", _named(MoonScope, value))


def _as_target_test(value: TargetTest | str) -> TargetTest:
    return cast("TargetTest", _named(TargetTest, value))


def _as_target_scope(value: TargetScope | str) -> TargetScope:
    return cast("TargetScope", _named(TargetScope, value))


def _as_tie(value: Tie | str) -> Tie:
    return cast("Tie", _named(Tie, value))


def _as_score_display(value: ScoreDisplay | str) -> ScoreDisplay:
    return cast("ScoreDisplay", _named(ScoreDisplay, value))


def _cycle_of_players(rules: RuleFields) -> tuple[PassStep, ...]:
    return default_pass_cycle(rules.players) if is_int(rules.players) and 3 <= rules.players <= 11 else (HOLD,)


_DEAL: Final = "The deal"
_PASSING: Final = "Passing"
_SHOWING: Final = "Showing"
_OPENING: Final = "The opening"
_RESTRICTIONS: Final = "Restrictions"
_TRICKS: Final = "Tricks"
_VALUES: Final = "Values"
_MOON: Final = "The moon"
_END: Final = "The end"


@attrs.frozen(kw_only=True, repr=False, eq=False)
class RuleFields:
    """The fields of `Rules`, not yet checked."""

    OPTIONS: ClassVar[tuple[Option, ...]]
    """The declarations of the fields, in order, for code that handles any option."""

    players: int = attrs.field(default=4, metadata=option("The number of players.", _DEAL, choices=range(3, 12)))
    decks: int = attrs.field(default=1, metadata=option("The number of decks.", _DEAL, choices=(1, 2)))
    removed: Cards = attrs.field(
        default=NO_CARDS,
        converter=_as_cards,
        metadata=option("The cards removed from the decks before play, whatever the number of players.", _DEAL),
    )
    hand_size: int | None = attrs.field(
        default=None,
        metadata=option("The number of cards dealt to each player, or None to deal out evenly.", _DEAL, least=1),
    )
    kitty: Kitty = attrs.field(
        default=Kitty.NONE,
        converter=_as_kitty,
        metadata=option("The winner of the cards left over after dealing.", _DEAL),
    )
    kitty_shown_to: KittyShownTo = attrs.field(
        default=KittyShownTo.TAKER,
        converter=_as_kitty_shown_to,
        metadata=option("The players who may see the kitty when it is won.", _DEAL),
    )
    teams: int = attrs.field(
        default=0,
        metadata=option(
            "The number of teams, or 0 for none. Seat s plays for team s mod teams.", _DEAL, choices=(0, 2, 3)
        ),
    )
    first_dealer: Seat = attrs.field(
        default=0, metadata=option("The dealer of the first deal.", _DEAL, choices=range(11))
    )
    pass_cycle: tuple[PassStep, ...] = attrs.field(
        default=attrs.Factory(_cycle_of_players, takes_self=True),
        converter=_as_cycle,
        metadata=option(
            "The passes; deal k uses pass k mod their number. Defaults to `default_pass_cycle(players)`.",
            _PASSING,
            entries=MAX_ENTRIES,
            by_players=default_pass_cycle,
        ),
    )
    pass_optional: PassOptional = attrs.field(
        default=PassOptional.NO,
        converter=_as_pass_optional,
        metadata=option("The effect of declining to pass, if that is allowed.", _PASSING),
    )
    unpassable: Cards = attrs.field(
        default=NO_CARDS,
        converter=_as_faces,
        metadata=option("The cards that may not be passed, in any copy.", _PASSING),
    )
    exposable: Cards = attrs.field(
        default=NO_CARDS,
        converter=_as_faces,
        metadata=option("The cards that their holders may expose before the first lead.", _SHOWING),
    )
    exposure: Exposure = attrs.field(
        default=Exposure.TOGETHER,
        converter=_as_exposure,
        metadata=option("The order of exposing cards before the first lead.", _SHOWING),
    )
    expose_before_pass: ExposeBeforePass = attrs.field(
        default=ExposeBeforePass.NEVER,
        converter=_as_expose_before_pass,
        metadata=option(
            "The deals in which cards are exposed before the pass, which only follows if none are.", _SHOWING
        ),
    )
    exposed_card_play: ExposedCardPlay = attrs.field(
        default=ExposedCardPlay.WAIT_IN_SUIT,
        converter=_as_exposed_card_play,
        metadata=option("The limit on playing an exposed card before its suit has been led.", _SHOWING),
    )
    opening_leader: OpeningLeader = attrs.field(
        default=OpeningLeader.LOWEST_CLUB,
        converter=_as_opening_leader,
        metadata=option("The leader to the first trick.", _OPENING),
    )
    opening_card: OpeningCard = attrs.field(
        default=OpeningCard.LOWEST_CLUB,
        converter=_as_opening_card,
        metadata=option("The cards that may be led to the first trick.", _OPENING),
    )
    first_trick: FirstTrick = attrs.field(
        default=FirstTrick.NO_POINTS,
        converter=_as_first_trick,
        metadata=option("The cards that may not be discarded on the first trick.", _RESTRICTIONS),
    )
    hearts_lead: HeartsLead = attrs.field(
        default=HeartsLead.WHEN_BROKEN,
        converter=_as_hearts_lead,
        metadata=option("The condition for leading a heart.", _RESTRICTIONS),
    )
    hearts_break: HeartsBreak = attrs.field(
        default=HeartsBreak.PLAYED,
        converter=_as_hearts_break,
        metadata=option("The way in which a heart breaks hearts.", _RESTRICTIONS),
    )
    queen_breaks: QueenBreaks = attrs.field(
        default=QueenBreaks.NEVER,
        converter=_as_queen_breaks,
        metadata=option("The way in which the ♠Q breaks hearts.", _RESTRICTIONS),
    )
    heart_lead_spares_queen: bool = attrs.field(
        default=False,
        metadata=option(
            "True if a leader with only hearts and ♠Q may lead a heart before hearts are broken.", _RESTRICTIONS
        ),
    )
    compulsory: Compulsory = attrs.field(
        default=Compulsory.NO,
        converter=_as_compulsory,
        metadata=option("The condition under which a compulsory card must be played.", _RESTRICTIONS),
    )
    compulsory_cards: Cards = attrs.field(
        default=Cards("QS"), converter=_as_faces, metadata=option("The compulsory cards.", _RESTRICTIONS)
    )
    queen_discard_after_hearts: bool = attrs.field(
        default=False, metadata=option("True if the ♠Q may be discarded only once hearts are broken.", _RESTRICTIONS)
    )
    duplicates: Duplicates = attrs.field(
        default=Duplicates.CANCEL,
        converter=_as_duplicates,
        metadata=option("The effect of equal cards in one trick (two decks).", _TRICKS),
    )
    two_pairs_void: bool = attrs.field(
        default=False, metadata=option("True if a trick with two or more pairs has no winner.", _TRICKS)
    )
    void_last_trick: VoidLastTrick = attrs.field(
        default=VoidLastTrick.NOBODY,
        converter=_as_void_last_trick,
        metadata=option("The taker of a last trick without a winner.", _TRICKS),
    )
    heart_values: tuple[int, ...] = attrs.field(
        default=HeartValues.ONE.values,
        converter=_as_heart_values,
        metadata=option(
            "The penalty values of ♥2 to ♥A: a `HeartValues` or 13 ints.", _VALUES, least=0, most=MAX_POINTS
        ),
    )
    queen_points: int = attrs.field(
        default=13, metadata=option("The penalty value of the ♠Q.", _VALUES, least=0, most=MAX_POINTS)
    )
    extra_penalties: tuple[tuple[Card, int], ...] = attrs.field(
        default=(),
        converter=_as_card_points,
        metadata=option(
            "(card, points) pairs, with points added to the card's value. Each card once.",
            _VALUES,
            least=1,
            most=MAX_POINTS,
        ),
    )
    bonuses: tuple[Bonus, ...] = attrs.field(
        default=(),
        converter=_as_bonuses,
        metadata=option(
            "The cards whose points are subtracted from their taker's score. Each card once.",
            _VALUES,
            least=1,
            most=MAX_POINTS,
        ),
    )
    bonus_floor: BonusFloor = attrs.field(
        default=BonusFloor.NONE,
        converter=_as_bonus_floor,
        metadata=option("The limit to which bonus cards can lower a score.", _VALUES),
    )
    doubler: Doubler | None = attrs.field(
        default=None,
        metadata=option("A card that multiplies its taker's score, or None.", _VALUES, least=0, most=MAX_POINTS),
    )
    no_tricks_bonus: int = attrs.field(
        default=0, metadata=option("The points subtracted for winning no trick.", _VALUES, least=0, most=MAX_POINTS)
    )
    no_tricks_bonus_on_moon: bool = attrs.field(
        default=True, metadata=option("True if `no_tricks_bonus` counts in a deal with a moon.", _VALUES)
    )
    total_floor: bool = attrs.field(
        default=False, metadata=option("True if subtracted points never lower a total below 0.", _VALUES)
    )
    moon: Moon = attrs.field(
        default=Moon.OTHERS_UP, converter=_as_moon, metadata=option("The effect of shooting the moon.", _MOON)
    )
    moon_cards: MoonCards = attrs.field(
        default=MoonCards.ALL,
        converter=_as_moon_cards,
        metadata=option("The cards that must be captured to shoot the moon.", _MOON),
    )
    moon_points: int | None = attrs.field(
        default=None,
        metadata=option(
            "The moon's value, or None for the penalty value of the cards that make it.",
            _MOON,
            least=1,
            most=MAX_POINTS,
        ),
    )
    moon_factor: int = attrs.field(
        default=1, metadata=option("The factor of the moon's value.", _MOON, least=1, most=MAX_FACTOR)
    )
    moon_needs_bonus: bool = attrs.field(
        default=False, metadata=option("True if a shooter must also capture every copy of every bonus card.", _MOON)
    )
    moon_scope: MoonScope = attrs.field(
        default=MoonScope.PLAYER,
        converter=_as_moon_scope,
        metadata=option("The shooter of a moon: one player, or a team together.", _MOON),
    )
    sun: bool = attrs.field(
        default=False, metadata=option("True if taking every trick doubles the moon's value.", _MOON)
    )
    sun_scope: MoonScope = attrs.field(
        default=MoonScope.TEAM,
        converter=_as_moon_scope,
        metadata=option("The winner of every trick for the sun: a team, or one player.", _MOON),
    )
    sun_points: int | None = attrs.field(
        default=None,
        metadata=option(
            "The moon's value with every trick, or None for twice the usual one.", _MOON, least=1, most=MAX_POINTS
        ),
    )
    target: int | None = attrs.field(
        default=100, metadata=option("The total that ends the game, or None.", _END, least=1, most=MAX_TOTAL)
    )
    target_test: TargetTest = attrs.field(
        default=TargetTest.REACHED,
        converter=_as_target_test,
        metadata=option("The comparison of a total with the target.", _END),
    )
    target_scope: TargetScope = attrs.field(
        default=TargetScope.SIDE,
        converter=_as_target_scope,
        metadata=option("The total that is compared with the target: a side's, or each player's own.", _END),
    )
    bonus_target: int | None = attrs.field(
        default=None,
        metadata=option(
            "The distance of a total below 0 that also ends the game, or None.", _END, least=1, most=MAX_TOTAL
        ),
    )
    max_deals: int | None = attrs.field(
        default=None,
        metadata=option(
            "The number of deals that ends the game, or None. No game has more than 1,000,000.",
            _END,
            least=1,
            most=MAX_DEALS,
        ),
    )
    exact_resets: tuple[tuple[int, int], ...] = attrs.field(
        default=(),
        converter=_as_totals,
        metadata=option(
            "(exact, new) totals: a total of exactly the first number becomes the second. Each first number once.",
            _END,
            most=MAX_TOTAL,
            entries=MAX_ENTRIES,
        ),
    )
    tie: Tie = attrs.field(
        default=Tie.EXTRA_DEAL,
        converter=_as_tie,
        metadata=option("The effect of a tie for the lowest total at the end.", _END),
    )
    score_display: ScoreDisplay = attrs.field(
        default=ScoreDisplay.PENALTY,
        converter=_as_score_display,
        metadata=option("The display of totals. Play is unaffected.", _END),
    )
