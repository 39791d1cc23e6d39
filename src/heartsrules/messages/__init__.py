"""The texts of violations, events, problems and rule sets in several languages.

`text` renders one of them as a sentence, `describe` a rule set. A catalogue is a JSON file of this package, an object
of patterns by key. The English sentences of violations are defined in their classes. Patterns that another language
lacks are rendered in English:

- `violation.<code>`, `event.<code>`, `problem.<code>` and `problem.<code>.<detail>`;
- `rules.<name>`: the sentences of `describe` and their repeated parts;
- `hint.<name>`, `review.<name>`, `drill.<name>`: texts of `heartsrules.analysis` and of these commands;
- `picture.<name>`: texts of diagrams and pictures;
- `terminal.<name>`: texts of a game in the terminal, and the words that a player can type;
- `term.<name>`: the form of cards, suits and lists, and the words between several texts.

Patterns use the part of ICU MessageFormat that `heartsrules.messages._format` describes. `arguments` returns the
arguments for a library of it: the attributes of a violation or an event, the `params` of a problem, and these derived
ones:

- `x_count`: the number of cards, values or seats in `x`;
- `x_suit` and `x_suit_name`: the letter and the name of a card's suit;
- `x_or` and `x_and`: all values or seats, with "or" or "and" before the last.

Texts show cards as `♠Q` and `♣10`. `str`, `repr`, JSON, the notation and the languages of `letters` use `QS` and `TC`.

As text, a card is `term.card` and a suit `term.suit`; a member of another enum is its value. A list is its items with
commas, where a card with its positions is `term.placed` and another pair has colons. It shows five items, or thirteen
numbers, and the number of the others; an event lists all. A `select` uses the letter of a suit, the value of another
enum with `_` for `-`, `true`, `false`, or `null` without a value.
"""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

import attrs

from heartsrules.base.errors import HeartsError, Problem, joined, printable, truncated
from heartsrules.base.values import digits_if_many, items_in, wrong_type
from heartsrules.cards import Card, Cards, Suit
from heartsrules.messages._format import BadArgument, Locale, Pattern, parsed, render, values_for, with_texts
from heartsrules.messages._rules import Filled, sentences
from heartsrules.play.events import Event
from heartsrules.play.moves import Expose, Pass
from heartsrules.play.sheet import DealScore
from heartsrules.play.violations import PRECEDENCE, Violation
from heartsrules.rules import Rules

__all__ = [
    "UnknownLanguage",
    "arguments",
    "catalogue",
    "describe",
    "key",
    "languages",
    "letters",
    "marked",
    "parameters",
    "phrase",
    "text",
]
__dir__ = __all__.copy


class UnknownLanguage(HeartsError, ValueError):
    """There is no catalogue for the language.

    Attributes:
        language: the requested language.
        languages: the available ones.
    """

    code = "unknown-language"

    def __init__(self, language: str, languages: tuple[str, ...]) -> None:
        super().__init__(
            f"there is no catalogue for {truncated(repr(language), 100)}: choose one of {', '.join(languages)}"
        )
        self.language = language
        self.languages = languages


@cache
def languages() -> tuple[str, ...]:
    """Return the tags of the languages with a catalogue.

    >>> languages()
    ('de', 'en')
    """
    names = [entry.name for entry in resources.files(__name__).iterdir()]
    return tuple(sorted([name.removesuffix(".json") for name in names if name.endswith(".json")]))


def marked(language: str) -> str:
    """Return the tag of the language in which cards and options are marked, to show them in another way.

    A card is `⟦QS⟧`. In the sentences of problems, an option is `⟦hand_size⟧` and a member of its enum `⟦=CANCEL⟧`.

    >>> text(Problem.at("not-in-the-deck", "bonuses", "names", cards=Cards("JD")), marked("de"))
    'bonuses enthält ⟦JD⟧, aber diese Karte ist nicht im Spiel'

    Raises:
        UnknownLanguage: there is no catalogue for the language.
    """
    return _checked(language) + _MARKED


def letters(language: str) -> str:
    """Return the tag of the language in which cards are written as in records, for streams without signs of suits.

    >>> phrase("violation.queen-before-hearts", letters("en"))
    'QS may not be discarded before hearts are broken'

    Raises:
        UnknownLanguage: there is no catalogue for the language.
    """
    return _checked(language).partition("-x-")[0] + _LETTERS


_MARKED: Final = "-x-marked"
_LETTERS: Final = "-x-letters"
_OPTIONS_IN_TEXT: Final = re.compile(r"(`?)\b([a-z]+(?:_[a-z]+)*|[A-Z]{2,}(?:_[A-Z]+)*)\b\1")
_MEMBERS: Final = frozenset(
    [choice.name for option in Rules.OPTIONS for choice in option.choices if isinstance(choice, enum.Enum)]
)
_OPTIONS: Final = frozenset([option.name for option in Rules.OPTIONS])


def _styled(pattern: Pattern, key: str, language: str, marks: bool) -> Pattern:
    """Write a pattern's own cards as in records, or mark its cards and options."""

    def mark(found: re.Match[str]) -> str:
        quote, word = found.groups()
        if word in _MEMBERS:
            return f"⟦={word}⟧"
        # An unquoted option of one word can be any word of an English sentence.
        is_option = word in _OPTIONS and (bool(quote) or language != "en" or "_" in word)
        return f"⟦{word}⟧" if is_option else found[0]

    def change(text: str) -> str:
        text = text.replace("♠Q", "⟦QS⟧" if marks else "QS")  # the one card that patterns name
        return _OPTIONS_IN_TEXT.sub(mark, text) if marks and key.startswith("problem.") else text

    if key == "term.card":
        return parsed("⟦{rank}{suit}⟧" if marks else "{rank}{suit}")
    return with_texts(pattern, change)


@cache
def _catalogue(language: str) -> Mapping[str, str]:
    language = language.partition("-x-")[0]
    english = _of_file("en") | {f"violation.{kind.code}": kind.sentence for kind in PRECEDENCE}
    return MappingProxyType(english if language == "en" else english | _of_file(language))


def _of_file(language: str) -> dict[str, str]:
    patterns: dict[str, str] = json.loads(
        resources.files(__name__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    )
    return patterns


def catalogue(language: str = "en") -> Mapping[str, str]:
    """Return the patterns of a language by key, as a read-only mapping.

    >>> catalogue()["violation.queen-before-hearts"]
    '♠Q may not be discarded before hearts are broken'

    Raises:
        UnknownLanguage: there is no catalogue for the language.
    """
    return _catalogue(_checked(language))


def text(thing: Violation | Event | Problem, language: str = "en") -> str:
    """Render a violation, an event or a problem as a sentence without a full stop.

    It has at most 2,000 characters. An application's own problem, which has no catalogue entry, is rendered as its code
    and parameters.

    Args:
        language: a tag such as `de` or `de-AT`, which begins with one of `languages()`.

    >>> from heartsrules.play.violations import NotYourTurn
    >>> text(NotYourTurn(seat=0, turn=2)), text(NotYourTurn(seat=0, turn=2), "de")
    ("it is seat 2's turn, not seat 0's", 'Platz 2 ist am Zug, nicht Platz 0')

    Raises:
        UnknownLanguage: there is no catalogue for the language.
    """
    language = _checked(language)
    if isinstance(thing, PRECEDENCE):
        return _of_violation(thing, language)
    named = key(thing)
    if isinstance(thing, Problem):
        return truncated(_of_problem(thing, named, language))
    return truncated(_filled_in(named, parameters(thing), language, None))


def plain_text(thing: Violation | Event | Problem) -> str:
    """Render a thing in English with cards as in records, for `str`."""
    return text(thing, letters("en"))


@lru_cache(maxsize=1024)
def _of_violation(violation: Violation, language: str) -> str:
    """Render a violation, cached because all cards of a hand have the same few."""
    return truncated(_filled_in(key(violation), parameters(violation), language, _FEW))


def arguments(thing: Violation | Event | Problem, language: str = "en") -> dict[str, str | int]:
    """Return the arguments of a pattern, for other libraries of ICU MessageFormat.

    >>> from heartsrules.play.violations import OpeningCardRequired
    >>> from heartsrules.rules import OpeningCard
    >>> arguments(OpeningCardRequired(Card("AH"), OpeningCard.LOWEST_CLUB), "de")
    {'required': 'lowest_club', 'card': '♥A'}

    Returns:
        Texts in the language, numbers, and words of cases, by the names in the pattern `catalogue(language)[key]`. It
            is empty for a problem without a catalogue entry.

    Raises:
        UnknownLanguage: there is no catalogue for the language.
    """
    language = _checked(language)
    named = key(thing)
    if named not in _catalogue(language):
        return {}
    most = None if named.startswith("event.") else _FEW
    return values_for(_pattern(language, named), _Arguments(parameters(thing), language, most))


def describe(rules: Rules, language: str = "en", *, names: Sequence[str] | None = None) -> tuple[str, ...]:
    """Describe a rule set in sentences, in the order of play.

    Options without effect under these rules are left out. Seats are counted from 1 as players do, or called by the
    players' names.

    >>> for sentence in describe(Rules(players=3, removed="2D", target=50))[:3]:
    ...     print(sentence)
    3 players use a deck of 52 cards without ♦2; each is dealt 17 cards.
    Seat 1 deals first; the deal moves to the left.
    Before the play, every player passes, deal by deal: 3 cards to the left; 3 cards to the right; nothing; then \
this starts again.

    >>> describe(Rules(), names=("Ann", "Bob", "Cleo", "Dan"))[1]
    'First dealer: Ann; the deal moves to the left.'

    Args:
        language: one of `languages()`.
        names: each player's name. Defaults to the numbers of the seats.

    Raises:
        UnknownLanguage: there is no catalogue for the language.
        ValueError: there is not one name per seat.
    """
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)
    language = _checked(language)
    if names is not None:
        if isinstance(names, str) or not isinstance(names, Sequence):
            wrong_type("names", "a sequence of texts or None", names)
        items_in("names", names, str, "texts")
        if len(names) != rules.players:
            raise ValueError(f"names has {len(names)} of them for {rules.players} players: give one for each seat")

    def say(name: str, **params: object) -> Filled:
        return Filled(_filled_in(f"rules.{name}", params, language, None))

    return tuple([say(name, **params).text for name, params in sentences(rules, say, names)])


def phrase(name: str, /, language: str = "en", **params: object) -> str:
    """Render the pattern `name` of a catalogue.

    >>> phrase("term.suit", "de", suit=Suit.SPADES)
    'Pik'

    Args:
        language: one of `languages()`.

    Raises:
        UnknownLanguage: there is no catalogue for the language.
        LookupError: the catalogue has no such pattern, or the pattern needs another argument.
    """
    return _filled_in(name, params, _checked(language), None)


def fill(name: str, language: str, /, **params: object) -> str:
    """Render a pattern like `phrase`, but do not cut or escape its texts."""
    whole = {name: Filled(value) if type(value) is str else value for name, value in params.items()}
    return _filled_in(name, whole, _checked(language), None)


def key(thing: Violation | Event | Problem) -> str:
    """Return the catalogue key of a violation, an event or a problem.

    >>> key(Problem.of("too-many", ("pass_cycle",), "entries", name="pass_cycle", most=1000))
    'problem.too-many.entries'
    """
    if isinstance(thing, Problem):
        return f"problem.{thing.code}.{thing.detail}" if thing.detail else f"problem.{thing.code}"
    if isinstance(thing, PRECEDENCE):
        return f"violation.{thing.code}"
    if not isinstance(thing, Event):
        wrong_type("thing", "a violation, an event or a problem", thing)
    return f"event.{thing.code}"


def parameters(thing: Violation | Event | Problem) -> dict[str, Any]:
    """Return the parameters of a violation, event or problem, by their JSON names.

    >>> from heartsrules.play.events import PassCommitted
    >>> parameters(PassCommitted(Pass(1, Cards("QS"))))
    {'seat': 1, 'cards': (Cards('QS'),)}
    """
    if isinstance(thing, Problem):
        return dict(thing.params)
    key(thing)  # refuses anything else
    values: dict[str, Any] = {}
    for field in attrs.fields(type(thing)):
        value = getattr(thing, field.name)
        if isinstance(value, (Pass, Expose)):
            values |= {name: getattr(value, name) for name in value.__match_args__}
        else:
            values[field.name] = value
    return values


def _checked(language: object) -> str:
    if not isinstance(language, str):
        wrong_type("language", "a str", language)
    if language.removesuffix(_MARKED).removesuffix(_LETTERS) in languages():
        return language
    primary = language.replace("_", "-").partition("-")[0].lower()
    if primary not in languages():
        raise UnknownLanguage(language, languages())
    return primary


def _of_problem(problem: Problem, named: str, language: str) -> str:
    if problem.ready is not None:
        return problem.ready
    params = parameters(problem)
    if named in _catalogue(language):
        with suppress(BadArgument):
            return _filled_in(named, params, language, _FEW)
    # An application or a document's writer made it, not for this catalogue.
    given = _Arguments({}, language, _FEW)
    parts = ", ".join([f"{name}: {given.text(value)}" for name, value in params.items()])
    return f"{problem.code} ({parts})" if parts else problem.code


def _filled_in(key: str, params: Mapping[str, Any], language: str, most: int | None) -> str:
    return render(_pattern(language, key), _Arguments(params, language, most), LOCALES[language.partition("-x-")[0]])


@cache
def _pattern(language: str, key: str) -> Pattern:
    pattern, plain = parsed(_catalogue(language)[key]), language.partition("-x-")[0]
    return pattern if plain == language else _styled(pattern, key, plain, language.endswith(_MARKED))


def _one_or_other(number: int) -> str:
    return "one" if abs(number) == 1 else "other"


LOCALES: Final = {"de": Locale(_one_or_other, "."), "en": Locale(_one_or_other, ",")}
"""The number conventions of each language, as in `Intl.PluralRules` and `Intl.NumberFormat`."""

_FEW: Final = 5
_FEW_NUMBERS: Final = 13
_LONGEST: Final = 200


class _Arguments:
    def __init__(self, params: Mapping[str, Any], language: str, most: int | None) -> None:
        self.params: Final = params
        self.language: Final = language
        self.most: Final = most

    def value(self, name: str) -> object:
        if name in self.params:
            return self.params[name]
        base, _, what = name.rpartition("_")
        value = self.params.get(base)
        if what == "count" and isinstance(value, (Cards, tuple, frozenset)):
            return len(value)
        if what == "suit" and isinstance(value, Card):
            return value.suit.letter
        if what == "name" and isinstance(suited := self.params.get(base.removesuffix("_suit")), Card):
            return suited.suit
        if what in ("and", "or") and isinstance(value, (tuple, frozenset)):
            return self._linked(what, value)
        raise BadArgument(f"there is no {name}")

    def text(self, value: object) -> str:
        """Return a value as text. None and bools are written as in Python."""
        if isinstance(value, str):
            return printable(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}...")
        if isinstance(value, Filled):
            return value.text
        if isinstance(value, Suit):
            return self._term("suit", suit=value)
        if isinstance(value, enum.Enum):
            return str(value.value)
        if isinstance(value, int) and not isinstance(value, bool):
            digits = digits_if_many(value)
            return str(value) if digits is None else self._term("huge", digits=digits)
        if isinstance(value, Card):
            return self._term("card", rank=value.rank.letter, suit=value.suit.letter)
        if isinstance(value, Cards):
            return self._listed(tuple(value), self.most, " ") if value else self._term("nothing")
        if isinstance(value, DealScore):
            return ", ".join([self._term("points", seat=seat, points=each) for seat, each in enumerate(value.points)])
        if isinstance(value, frozenset):
            return self._listed(tuple(sorted(value)), None)
        if isinstance(value, tuple):
            if value and isinstance(value[0], (Problem, *PRECEDENCE)):
                return joined([text(each, self.language) for each in value], language=self.language)
            if not value:
                return self._term("nothing")
            if isinstance(value[0], Cards):
                return self._listed(value, self.most, self._term("between-bags"))
            return self._listed(value, _FEW_NUMBERS if isinstance(value[0], int) else self.most)
        return str(value)

    def _listed(self, values: tuple[object, ...], most: int | None, between: str = ", ") -> str:
        named = values if most is None else values[:most]
        text = between.join([self._item(value) for value in named])
        more = len(values) - len(named)
        return self._term("more", named=text, more=more) if more else text

    def _item(self, value: object) -> str:
        if not isinstance(value, tuple) or not value or isinstance(value[0], tuple):
            return self.text(value)
        first, *rest = [self.text(part) for part in value]
        if isinstance(value[0], Card) and all([isinstance(part, str) for part in value[1:]]):
            return self._term("placed", card=first, places=", ".join(rest)) if rest else first
        return ":".join([first, *rest])

    def _linked(self, word: str, values: Iterable[Any]) -> str:
        items = [self._item(value) for value in (sorted(values) if isinstance(values, frozenset) else values)]
        if len(items) < 2:
            return items[0] if items else self._term("nothing")
        return self._term(word, others=", ".join(items[:-1]), last=items[-1])

    def _term(self, name: str, **params: object) -> str:
        return term(name, self.language, **params)


def term(name: str, language: str, /, **params: object) -> str:
    """Render `term.<name>`, the words of a language between other texts."""
    return _filled_in(f"term.{name}", params, language, None)
