"""`Rules`, checked as a whole and resolved."""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import Any, Final

import attrs

from heartsrules.base.errors import InvalidRules, InvalidSeat, Problem, suggestion
from heartsrules.base.rendering import rendered
from heartsrules.base.values import checked_int, int_text, plain_int, wrong_type
from heartsrules.cards import Card, Cards, bag_of
from heartsrules.rules._choices import HEART_VALUES, HeartValues, PassPlan, Seat
from heartsrules.rules._fields import RuleFields
from heartsrules.rules._option import check_type, options_of, unified, unknown_name, with_scatter
from heartsrules.rules._problems import problems_of
from heartsrules.rules.resolved import ResolvedRules, sides_of


def _check_number(deal_number: object) -> None:
    number = checked_int("deal_number", deal_number)
    if number < 0:
        raise ValueError(f"deal_number is {int_text(number)}: deals are numbered from 0")


@attrs.frozen(kw_only=True, repr=False, cache_hash=True)
class Rules(RuleFields):
    """A rule set. The defaults are the four-player game to 100.

    Values are normalized, so that equal games are equal: pass offsets to the range -((players - 1) // 2) to (players -
    1) // 2 and `"across"`, collections of cards to card order, named heart values to 13 ints. An option with named
    values accepts the name too. `attrs.evolve` makes a changed copy, with all checks.

    >>> Rules(players=5, removed="2D 2C", moon="choice")
    Rules(players=5, removed=Cards('2C 2D'), moon=Moon.CHOICE)
    >>> Rules(players=5)
    Traceback (most recent call last):
    heartsrules.base.errors.InvalidRules: 52 cards do not divide evenly among 5 players: remove 2 cards (`removed`), \
or set `kitty`

    Raises:
        InvalidRules: the combination cannot be played. It lists all problems at once.
        InvalidNotation: a text for a collection of cards contains something that is not a card, or a third copy of a
            card.
        TooManyCopies: an iterable for a collection of cards contains a third copy of a card.
        TypeError: a field has the wrong type. A bool is not an int.
    """

    _resolved: ResolvedRules = attrs.field(init=False, eq=False, repr=False)

    def __attrs_pre_init__(self) -> None:
        # Another call of `__init__` would change the rules of every state that has them.
        if hasattr(self, "_resolved"):
            raise attrs.exceptions.FrozenInstanceError

    def __attrs_post_init__(self) -> None:
        unknown: list[Problem] = []
        for declared in self.OPTIONS:
            value = getattr(self, declared.name)
            spelling = with_scatter(declared, value, self.players)
            problem = unknown_name(declared, spelling)
            if problem is not None:
                unknown.append(problem)
                continue
            check_type(declared, spelling)
            spelling = unified(declared, spelling, self.players)
            if spelling is not value:
                object.__setattr__(self, declared.name, spelling)
        problems = tuple(unknown or problems_of(self))
        if problems:
            raise InvalidRules(problems)
        object.__setattr__(self, "_resolved", ResolvedRules(self))

    @property
    def deck(self) -> Cards:
        """The cards in play, which are all decks without `removed`."""
        return bag_of(self._resolved.deck_lo, self._resolved.deck_hi)

    @property
    def cards_per_hand(self) -> int:
        """The number of cards dealt to each player, even if `hand_size` is None."""
        return self._resolved.hand_size

    @property
    def kitty_size(self) -> int:
        """The number of cards left over after dealing."""
        return self._resolved.kitty_size

    @property
    def penalty_cards(self) -> Cards:
        """The cards in play with a penalty value above 0, including second copies."""
        resolved = self._resolved
        return bag_of(resolved.penalty, resolved.penalty & resolved.deck_hi)

    @property
    def penalty_total(self) -> int:
        """The penalty value of all cards in play, including the kitty's."""
        return self._resolved.penalty_total

    @property
    def moon_value(self) -> int:
        """The value of the moon without the `sun`, whatever its effect.

        It is `moon_points`, or the penalty value of the cards that make it, times `moon_factor`. With
        `MoonCards.HEARTS` it includes the ♠Q, as for a shooter who has her.

        >>> from heartsrules.rules import MoonCards
        >>> Rules().moon_value, Rules(moon_cards=MoonCards.HEARTS, moon_points=30).moon_value
        (26, 43)
        """
        resolved = self._resolved
        return resolved.moon_value + (resolved.moon_queens_value if resolved.moon_queens else 0)

    @property
    def sun_value(self) -> int:
        """The value of a moon with every trick.

        It is `sun_points`, or twice the `moon_value`; without `sun` the `moon_value`.

        >>> Rules(sun=True).sun_value, Rules(sun=True, sun_points=39).sun_value, Rules().sun_value
        (52, 39, 26)
        """
        if not self.sun:
            return self.moon_value
        return self._resolved.sun_value or 2 * self.moon_value

    def penalty(self, card: Card) -> int:
        """Return a card's penalty value.

        >>> Rules().penalty(Card("QS")), Rules().penalty(Card("KS"))
        (13, 0)
        """
        if not isinstance(card, Card):
            wrong_type("card", "a Card", card)
        return self._resolved.values[card.index]

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats of each side. A side is a team, or one player in a game without teams.

        >>> Rules(teams=2).sides
        ((0, 2), (1, 3))
        """
        return sides_of(self)

    def side(self, seat: Seat) -> int:
        """Return the side of a seat, its index in `sides`.

        Raises:
            InvalidSeat: the table has no such seat.
        """
        number = plain_int("seat", seat)
        if not 0 <= number < self.players:
            raise InvalidSeat(number, self.players)
        return number % (self.teams or self.players)

    def pass_plan(self, deal_number: int) -> PassPlan:
        """Return the pass plan of a deal, numbered from 0.

        It is a step of `pass_cycle` with a number for `"across"`.

        Raises:
            ValueError: `deal_number` is negative.
        """
        _check_number(deal_number)
        return self._resolved.pass_plan(deal_number)

    def shows_before_pass(self, deal_number: int) -> bool:
        """Return True if cards are exposed before a deal's pass.

        The pass then takes place only if no card is exposed. Deals are numbered from 0.

        Raises:
            ValueError: `deal_number` is negative.
        """
        _check_number(deal_number)
        return self._resolved.shows_before_pass(deal_number)

    def dealer(self, deal_number: int) -> Seat:
        """Return the dealer of a deal, numbered from 0.

        The deal moves one seat to the left each time.

        Raises:
            ValueError: `deal_number` is negative.
        """
        _check_number(deal_number)
        return self._resolved.dealer(deal_number)

    def changes(self) -> dict[str, Any]:
        """Return the fields that differ from the defaults for this number of players.

        >>> Rules(target=50).changes()
        {'target': 50}
        """
        return {
            declared.name: value
            for declared in self.OPTIONS
            if (value := getattr(self, declared.name)) != declared.default_for(self.players)
        }

    def __repr__(self) -> str:
        changed = self.changes()
        named = {values: name for name, values in HEART_VALUES.items()}
        if changed.get("heart_values") in named:
            changed["heart_values"] = HeartValues(named[changed["heart_values"]])
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in changed.items())})"

    def _repr_html_(self) -> str:
        return str(rendered("html", self))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.changes(),)

    def __copy__(self) -> Rules:
        return self

    def __deepcopy__(self, memo: object) -> Rules:
        return self


def _restore(changes: dict[str, Any]) -> Rules:
    """Unpickle a rule set."""
    return _restored(tuple(changes.items()))


# Making a rule set takes as long as reading ten states.
@lru_cache(maxsize=64)
def _restored(changes: tuple[tuple[str, Any], ...]) -> Rules:
    return Rules(**dict(changes))


Rules.OPTIONS = options_of(Rules)


def _suggest_names(cls: Any) -> None:
    """Make the constructor suggest the closest names for an unknown option."""
    init = cls.__init__
    names = [declared.name for declared in cls.OPTIONS]

    @wraps(init)
    def named(rules: Rules, *args: object, **options: object) -> None:
        if args:
            raise TypeError("options of Rules must be given by name: write Rules(players=4)")
        for name in options:
            if name not in names:
                raise TypeError(f"Rules has no option {name!r}: {suggestion(name, names)}")
        init(rules, **options)

    cls.__init__ = named


_suggest_names(Rules)


_MOST_DOUBLED: Final = 1024
"""The maximum number of resolved forms cached for one rule set."""


def resolved_doubled(rules: Rules, doubled: int) -> ResolvedRules:
    """Return the resolved rules in which some cards count double."""
    kept = rules._resolved.doubled
    found = kept.get(doubled)
    if found is None:
        if len(kept) >= _MOST_DOUBLED:
            kept.clear()
        found = kept[doubled] = ResolvedRules(rules, doubled)
    return found


def switch(name: str) -> int:
    """Return the bit of a bool option in `ResolvedRules.switches`."""
    return {declared.name: declared.switch for declared in Rules.OPTIONS if declared.switch}[name]


if Rules.__doc__ is not None:  # there are no docstrings with -OO
    Rules.__doc__ += "\n    Attributes:\n" + "".join(
        [f"        {declared.name}: {declared.sentence}\n" for declared in Rules.OPTIONS]
    )
