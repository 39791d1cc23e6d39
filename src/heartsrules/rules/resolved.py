"""Resolved rules: a rule set as masks, counts and flags, for what is done on every play, trick or deal.

Code on that path looks at no enum and at no field of `Rules`. Masks and
counts are machine integers when compiled; points may be integers of any size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, final

from heartsrules.cards import Cards

if TYPE_CHECKING:
    from mypy_extensions import i64

CLUBS: Final = 0x1FFF
"""The bits of all clubs."""
SPADES: Final = 0x7FFC000000
"""The bits of all spades."""
HEARTS: Final = 0xFFF8000000000
"""The bits of all hearts."""
QUEEN: Final = 0x1000000000
"""The bit of the Q♠ (26 + 10)."""

OPEN_ANY: Final = 0
OPEN_LOWEST_CLUB: Final = 1
OPEN_ANY_CLUB: Final = 2
OPEN_NON_POINT: Final = 3
OPEN_UNRESTRICTED: Final = 4

LEADER_LOWEST_CLUB: Final = 0
LEADER_DEALER_LEFT: Final = 1
LEADER_QUEEN_TAKER: Final = 2

COMPULSORY_NO: Final = 0
COMPULSORY_DISCARD: Final = 1
COMPULSORY_SAFE: Final = 2
COMPULSORY_NOT_LEAD: Final = 3
COMPULSORY_ALWAYS: Final = 4

SHOWN_FREE: Final = 0
SHOWN_WAIT_IN_SUIT: Final = 1
SHOWN_WAIT_ON_LEAD: Final = 2

SINGLE: Final = 0
CANCEL: Final = 1
FIRST_WINS: Final = 2
LAST_WINS: Final = 3

KITTY_NONE: Final = 0
KITTY_FIRST_TRICK: Final = 1
KITTY_FIRST_POINT: Final = 2
KITTY_FIRST_HEART: Final = 3
KITTY_LAST_TRICK: Final = 4

MOON_OFF: Final = 0
MOON_OTHERS_UP: Final = 1
MOON_SHOOTER_DOWN: Final = 2
MOON_CHOICE: Final = 3
MOON_BOTH: Final = 4
MOON_OTHERS_PAY: Final = 5
MOON_SHOOTER_WINS: Final = 6
# From here on the running totals decide what the moon does.
MOON_AUTO_SAVE: Final = 7
MOON_AUTO_EXTEND: Final = 8
MOON_SHOOTER_TO_ZERO: Final = 9

FLOOR_NONE: Final = 0
FLOOR_DEAL: Final = 1
FLOOR_TOTAL: Final = 2


@final
class Valued:
    """Faces of equal worth."""

    __slots__ = ("faces", "points")

    def __init__(self, points: int, faces: i64) -> None:
        self.points: Final = points
        """The worth of each card."""
        self.faces: Final[i64] = faces


@final
class ResolvedRules:
    """The resolved form of a rule set. `Rules` makes it; it is not part of the value of the rule set."""

    def __init__(self, facts: dict[str, Any]) -> None:
        """Take the value of each attribute, by its name."""
        self.freedom: i64 = -1
        """The cached result of `legality.freedom`; -1: not computed yet."""
        self.players: Final[i64] = facts["players"]
        self.deck_lo: Final[i64] = facts["deck_lo"]
        """The faces in play."""
        self.deck_hi: Final[i64] = facts["deck_hi"]
        """The faces in play twice."""
        self.hand_size: Final[i64] = facts["hand_size"]
        self.kitty_size: Final[i64] = facts["kitty_size"]
        self.values: Final[tuple[int, ...]] = facts["values"]
        """The penalty value of each of the 52 faces, by index."""
        self.penalty: Final[i64] = facts["penalty"]
        """The faces whose penalty value is greater than 0."""
        self.penalty_total: Final[int] = facts["penalty_total"]
        """The penalty value of all cards in play, the kitty's included."""
        self.opening_leader: Final[i64] = facts["opening_leader"]
        self.opening: Final[i64] = facts["opening"]
        self.first_trick_bars: Final[i64] = facts["first_trick_bars"]
        """The faces that may not be discarded on the first trick."""
        self.first_trick_bars_bonus: Final[bool] = facts["first_trick_bars_bonus"]
        """Bonus cards are among `first_trick_bars`: in a hand of nothing else they go first, and hearts last."""
        self.lead_waits: Final[i64] = facts["lead_waits"]
        """The faces that may not be led before hearts are broken."""
        self.lead_spared: Final[i64] = facts["lead_spared"]
        """The Q♠, if a leader with nothing but her and hearts may lead either, and she is not in `lead_waits`; or 0."""
        self.discard_waits: Final[i64] = facts["discard_waits"]
        """The faces that may not be discarded before hearts are broken."""
        self.break_lead: Final[i64] = facts["break_lead"]
        """The faces that break hearts when they are led."""
        self.break_follow: Final[i64] = facts["break_follow"]
        """The faces that break hearts when they follow suit."""
        self.break_discard: Final[i64] = facts["break_discard"]
        """The faces that break hearts when they are discarded."""
        self.compulsory: Final[i64] = facts["compulsory"]
        self.compulsory_faces: Final[i64] = facts["compulsory_faces"]
        """The faces that must be played when `compulsory` says so; none with COMPULSORY_NO."""
        self.duplicates: Final[i64] = facts["duplicates"]
        self.leader_takes_void_last_trick: Final[bool] = facts["leader_takes_void_last_trick"]
        self.resets: Final[dict[int, int]] = facts["resets"]
        """By total that falls back, the new total."""
        self.kitty: Final[i64] = facts["kitty"]
        """When the kitty is taken; KITTY_NONE too when there is none."""
        self.kitty_marks: Final[i64] = facts["kitty_marks"]
        """The faces of which the first that is won brings the kitty; 0: the kitty depends on no card."""
        self.worth: Final[list[Valued]] = facts["worth"]
        """The penalty cards in play by their value, the dearest first. Nobody changes the list."""
        self.moon: Final[i64] = facts["moon"]
        self.moon_lo: Final[i64] = facts["moon_lo"]
        """The faces that a shooter must have."""
        self.moon_hi: Final[i64] = facts["moon_hi"]
        """The faces that a shooter must have twice."""
        self.moon_sides: Final[tuple[tuple[int, ...], ...]] = facts["moon_sides"]
        """The groups of seats that can shoot the moon together: sides, or single players."""
        self.moon_value: Final[int] = facts["moon_value"]
        """What the moon is worth, without the queens of `moon_queens`."""
        self.moon_near: Final[int] = facts["moon_near"]
        """Three times the penalty points at which a moon is near: `moon_value`, not multiplied by `moon_factor`."""
        self.sun_value: Final[int] = facts["sun_value"]
        """What the moon is worth to a side that took every trick; 0: twice as much as otherwise."""
        self.moon_apart: Final[i64] = facts["moon_apart"]
        """The penalty cards that make no moon: they count for their takers even then."""
        self.moon_queens: Final[i64] = facts["moon_queens"]
        """The Q♠, if a shooter needs only hearts and makes a moon of the queens too if that side holds all of them."""
        self.queens_value: Final[int] = facts["queens_value"]
        """The penalty value of every Q♠ in play together."""
        self.moon_queens_value: Final[int] = facts["moon_queens_value"]
        """What these add to the moon if the shooter's side makes one of `moon_queens` too."""
        self.one_queen: Final[bool] = facts["one_queen"]
        """Exactly one Q♠ is in play."""
        self.sides: Final[i64] = facts["sides"]
        """How many sides there are: teams or players. Seat s is of side s mod sides."""
        self.bonuses: Final[list[Valued]] = facts["bonuses"]
        """The bonus cards, one by one. Nobody changes the list."""
        self.bonus_faces: Final[i64] = facts["bonus_faces"]
        """The faces of all bonus cards."""
        self.doubler: Final[i64] = facts["doubler"]
        """The face that multiplies its taker's score; 0 without one."""
        self.doubler_factor: Final[int] = facts["doubler_factor"]
        self.doubler_alone: Final[int] = facts["doubler_alone"]
        self.scoring: Final[i64] = facts["scoring"]
        """The faces of all scoring cards: penalty cards, hearts and bonus cards."""
        self.counting: Final[i64] = facts["counting"]
        """The faces that make a difference to the points of whoever captures them."""
        self.named_faces: Final[i64] = facts["named_faces"]
        """The faces that a rule of the play or of the score names, other than as hearts."""
        self.kinds: Final[list[int]] = facts["kinds"]
        """The kind of each face, at the remainder of its bit by 53. Cards of one kind that are next to each other in
        what is left of their suit are interchangeable in play and score, unless they were shown. Nobody changes it."""
        self.bonus_floor: Final[i64] = facts["bonus_floor"]
        self.no_tricks_bonus: Final[int] = facts["no_tricks_bonus"]
        self.target: Final[int] = facts["target"]
        """The total that ends the game; 0: no target."""
        self.target_exceeded: Final[bool] = facts["target_exceeded"]
        """The target must be exceeded, not only reached."""
        self.target_of_player: Final[bool] = facts["target_of_player"]
        """Each player's own total is compared with the target, not a side's."""
        self.bonus_target: Final[int] = facts["bonus_target"]
        """How far below 0 a total ends the game; 0: no such target."""
        self.max_deals: Final[int] = facts["max_deals"]
        """The number of deals that ends the game; 0: no limit."""
        self.shares_ties: Final[bool] = facts["shares_ties"]
        self.first_dealer: Final[i64] = facts["first_dealer"]
        self.pass_cycle: Final[tuple[tuple[tuple[int, int], ...], ...]] = facts["pass_cycle"]
        self.gift_sizes: Final[tuple[tuple[int, ...], ...]] = facts["gift_sizes"]
        """By step of the pass cycle, the number of cards in each gift."""
        self.unpassable: Final[i64] = facts["unpassable"]
        """The faces that may not be passed."""
        self.exposable: Final[i64] = facts["exposable"]
        """The faces that may be shown before the first lead; none: there is no exposure."""
        self.shows_in_turn: Final[bool] = facts["shows_in_turn"]
        """Cards are shown by one seat after the other, not by all at once."""
        self.shows_in_rounds: Final[bool] = facts["shows_in_rounds"]
        """Whenever a seat shows cards, all others may show more."""
        self.shows_openly: Final[bool] = facts["shows_openly"]
        """What a seat shows is seen at once."""
        self.exposed_card_play: Final[i64] = facts["exposed_card_play"]
        self.shows_first: Final[tuple[bool, ...]] = facts["shows_first"]
        """By step of the pass cycle, whether cards are shown before the pass, which is made only if none are."""
        self.doubled: Final[dict[int, ResolvedRules]] = {}
        """Cache of resolved forms in which some faces count double, by those faces."""
        self.nothing: Final[tuple[Cards, ...]] = facts["nothing"]
        """An empty bag for each seat."""
        self.switches: Final[i64] = facts["switches"]
        """The bits of the bool options that are on; see `heartsrules.rules.switch`."""
        self.may_decline: Final[bool] = facts["may_decline"]
        """Passing is optional."""

    def dealer(self, deal_number: int) -> int:
        """The seat that deals a deal."""
        return (int(self.first_dealer) + deal_number) % int(self.players)

    def pass_plan(self, deal_number: int) -> tuple[tuple[int, int], ...]:
        """The pass step of a deal."""
        return self.pass_cycle[deal_number % len(self.pass_cycle)]

    def sizes_of(self, deal_number: int) -> tuple[int, ...]:
        """The number of cards in each gift of a deal; empty: this deal has no passing."""
        return self.gift_sizes[deal_number % len(self.gift_sizes)]

    def shows_before_pass(self, deal_number: int) -> bool:
        """Whether cards are shown before the pass of a deal, which is made only if none are."""
        return self.shows_first[deal_number % len(self.shows_first)]

    def through_middle(self, deal_number: int) -> bool:
        """Whether the pass of a deal goes through the middle: one pile, which is dealt back."""
        step = self.pass_plan(deal_number)
        return len(step) == 1 and step[0][0] == 0
