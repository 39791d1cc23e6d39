"""The patterns of the catalogues: what ICU MessageFormat says of them, and laws over random ones."""

from __future__ import annotations

import enum
import pickle
import re
from collections.abc import Mapping

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heartsrules import Suit
from heartsrules.messages import LOCALES, languages
from heartsrules.messages._format import (
    PLURAL_FORMS,
    BadArgument,
    BadPattern,
    Figure,
    Locale,
    Part,
    Pattern,
    Plural,
    Select,
    Word,
    parsed,
    render,
)
from heartsrules.rules import Compulsory
from support.patterns import names_in, texts_in

pytestmark = pytest.mark.once_interpreted

ENGLISH = LOCALES["en"]
SLAVIC = Locale(lambda n: "one" if n == 1 else "few" if n in (2, 3, 4) else "many", " ")
"""A language with more forms than two."""


@attrs.frozen
class Told:
    """Arguments that are given as they are."""

    given: Mapping[str, object]

    def value(self, name: str) -> object:
        if name not in self.given:
            raise BadArgument(name)
        return self.given[name]

    def text(self, value: object) -> str:
        return str(value)


def rendered(pattern: str, locale: Locale = ENGLISH, /, **given: object) -> str:
    return render(parsed(pattern), Told(given), locale)


CARDS = "{n, plural, =0 {no card} one {# card} other {# cards}}"
OTHERS = "{n, plural, offset:1 =1 {you} one {you and # more} other {you and # more people}}"
NESTED = (
    "{who, select, null {nobody} other {seat {who}: {n, plural, one {{x, select, a {# A} other {# B}}} other {##}}}}"
)


@pytest.mark.parametrize(
    ("pattern", "arguments", "expected"),
    [
        ("", {}, ""),
        ("plain", {}, "plain"),
        ("{n}", {"n": 1000}, "1000"),
        ("{n, number}", {"n": 1234567}, "1,234,567"),
        ("{ n ,  number }", {"n": -1234}, "-1,234"),
        (CARDS, {"n": 0}, "no card"),
        (CARDS, {"n": 1}, "1 card"),
        (CARDS, {"n": -1}, "-1 card"),
        (CARDS, {"n": 1000}, "1,000 cards"),
        ("{n,plural,other{#}}", {"n": 5}, "5"),
        # Numbers themselves go by the number, forms by what is left of it.
        (OTHERS, {"n": 1}, "you"),
        (OTHERS, {"n": 2}, "you and 1 more"),
        (OTHERS, {"n": 3}, "you and 2 more people"),
        ("{n, plural, offset:-1 one {first} other {number #}}", {"n": 0}, "first"),
        ("{n, plural, offset:-1 one {first} other {number #}}", {"n": 3}, "number 4"),
        ("{x, select, left {to the left} other {{x}}}", {"x": "left"}, "to the left"),
        ("{x, select, left {to the left} other {{x}}}", {"x": "up"}, "up"),
        ("{x, select, not_lead {a} other {b}}", {"x": Compulsory.NOT_LEAD}, "a"),
        ("{x, select, S {a} other {b}}", {"x": Suit.SPADES}, "a"),
        ("{x, select, true {a} false {b} null {c} other {d}}", {"x": True}, "a"),
        ("{x, select, true {a} false {b} null {c} other {d}}", {"x": False}, "b"),
        ("{x, select, true {a} false {b} null {c} other {d}}", {"x": None}, "c"),
        ("{x, select, 3 {a} other {b}}", {"x": 3}, "a"),
        ("{x, select, 3 {a} other {b}}", {"x": 10**5000}, "b"),
        (NESTED, {"who": None, "n": 1, "x": "a"}, "nobody"),
        (NESTED, {"who": 2, "n": 1, "x": "a"}, "seat 2: 1 A"),
        (NESTED, {"who": 2, "n": 3, "x": "a"}, "seat 2: 33"),
        # A # belongs to the plural around it, and is text outside of one.
        ("# {n, plural, other {{x, select, other {#}}}} #", {"n": 7, "x": "q"}, "# 7 #"),
        ("the shooter's choice", {}, "the shooter's choice"),
        ("it''s", {}, "it's"),
        ("'{n}' and '{'", {}, "{n} and {"),
        ("'{it''s}'", {}, "{it's}"),
        ("{n, plural, other {'#' is #}}", {"n": 1}, "# is 1"),
        ("'#'", {}, "'#'"),
        ("end '", {}, "end '"),
    ],
)  # fmt: skip
def test_patterns(pattern: str, arguments: dict[str, object], expected: str) -> None:
    assert rendered(pattern, **arguments) == expected


@pytest.mark.parametrize(
    ("pattern", "position", "reason"),
    [
        ("{", 1, "expected the name of an argument"),
        ("{}", 1, "expected the name of an argument"),
        ("a}", 1, "a } without its {"),
        ("{n", 2, "expected ,"),
        ("{n, plural}", 10, "expected ,"),
        ("{n, ordinal, other {x}}", 4, "expected number, plural or select"),
        ("{n, number, percent}", 10, "expected }"),
        ("{n, plural, one {x}}", 19, "there is no case for other"),
        ("{n, plural, lots {x} other {x}}", 30, f"lots is not a plural form: expected =, {', '.join(PLURAL_FORMS)}"),
        ("{n, plural, =x {x} other {x}}", 13, "expected a whole number"),
        ("{n, plural, offset:x other {x}}", 19, "expected a whole number"),
        ("{n, select, =1 {x} other {x}}", 12, "expected a case"),
        ("{n, select, a {x} a {y} other {x}}", 19, "the case a comes twice"),
        ("{n, select, other {x", 20, "the case does not end: expected }"),
        ("{n, select, other {x}", 21, "expected }"),
        ("{n, select, other x}", 18, "expected {"),
        ("say '{n}", 8, "the quotation does not end: expected '"),
        ("{any-club}", 4, "expected ,"),
    ],
)  # fmt: skip
def test_what_is_not_a_pattern_is_refused_with_its_place(pattern: str, position: int, reason: str) -> None:
    with pytest.raises(BadPattern) as caught:
        parsed(pattern)
    error = caught.value
    assert (error.pattern, error.position, error.reason) == (pattern, position, reason)
    assert str(error) == f"{reason}, at position {position} of {pattern!r}"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("pattern", ["{n}", "{n, number}", CARDS, "{n, select, other {x}}"])
def test_a_missing_argument_is_an_error(pattern: str) -> None:
    with pytest.raises(BadArgument):
        rendered(pattern, m=1)


@pytest.mark.parametrize("value", ["1", None, True, 1.5])
@pytest.mark.parametrize("pattern", ["{n, number}", CARDS])
def test_a_plural_needs_an_int(pattern: str, value: object) -> None:
    with pytest.raises(BadArgument, match="n must be an int for this pattern, not"):
        rendered(pattern, n=value)


def test_each_language_has_its_plural_forms_and_groups() -> None:
    assert set(LOCALES) == set(languages())
    for locale in LOCALES.values():
        assert [locale.plural(number) for number in (-1, 0, 1, 2, 11, 21)] == ["one", "other", "one", *["other"] * 3]
    assert [locale.figure(1234567) for locale in (LOCALES["de"], LOCALES["en"])] == ["1.234.567", "1,234,567"]


def test_a_language_may_have_more_forms() -> None:
    pattern = "{n, plural, one {a} few {b} many {c} other {d}}"
    assert [rendered(pattern, SLAVIC, n=number) for number in (1, 3, 1000)] == ["a", "b", "c"]
    assert rendered("{n, plural, one {a} other {# d}}", SLAVIC, n=3000) == "3 000 d"


def test_all_that_is_in_a_pattern_is_found() -> None:
    pattern = parsed("a {b} {c, number} {d, plural, =0 {e} other {f {g}}} {h, select, i {j {k}} other {}}")
    assert names_in(pattern) == {"b", "c", "d", "g", "h", "k"}
    assert [part.strip() for part in texts_in(pattern) if part.strip()] == ["a", "e", "f", "j"]


# ------------------------------------------------------------------------------------------------------------- laws

NAMES = st.sampled_from(["a", "b", "count", "x_1"])
TEXTS = st.text(st.characters(codec="utf-8") | st.sampled_from("{}#',"), min_size=1, max_size=8)
NUMBERS = st.integers(-3, 3)
LEAVES = st.one_of(TEXTS, st.builds(Word, NAMES), st.builds(Figure, NAMES))


def patterns_of(parts: st.SearchStrategy[Part]) -> st.SearchStrategy[Pattern]:
    return st.lists(parts, max_size=4).map(joined_texts)


def joined_texts(parts: list[Part]) -> Pattern:
    """The same with texts beside each other made one, as they are when they are read."""
    found: list[Part] = []
    for part in parts:
        if found and isinstance(part, str) and isinstance(found[-1], str):
            found[-1] += part
        else:
            found.append(part)
    return tuple(found)


def around(parts: st.SearchStrategy[Part]) -> st.SearchStrategy[Part]:
    inner = patterns_of(parts)
    forms = st.fixed_dictionaries({"other": inner}, optional={form: inner for form in PLURAL_FORMS if form != "other"})
    cases = st.fixed_dictionaries({"other": inner}, optional={"null": inner, "true": inner, "any_club": inner})
    return st.one_of(
        st.builds(Plural, NAMES, NUMBERS, st.dictionaries(NUMBERS, inner, max_size=2), forms),
        st.builds(Select, NAMES, cases),
    )


PATTERNS = patterns_of(st.recursive(LEAVES, around, max_leaves=12))


def written(pattern: Pattern, in_plural: bool = False) -> str:
    """A pattern as a text that is read as it."""
    texts: list[str] = []
    for part in pattern:
        match part:
            case str():
                # What is special in a row is in one quotation, with the apostrophes in it and beside it: two
                # apostrophes between two quotations would be one.
                special = "{}#" if in_plural else "{}"
                quoted = re.compile(f"['{special}]*[{special}]['{special}]*")
                end = 0
                for found in quoted.finditer(part):
                    texts.append(part[end : found.start()].replace("'", "''"))
                    texts.append("'" + found[0].replace("'", "''") + "'")
                    end = found.end()
                texts.append(part[end:].replace("'", "''"))
            case Word(name):
                texts.append(f"{{{name}}}")
            case Figure(name):
                texts.append(f"{{{name}, number}}")
            case Plural(name, offset, exact, forms):
                cases = [f"={number} {{{written(inner, True)}}}" for number, inner in exact.items()]
                cases += [f"{form} {{{written(inner, True)}}}" for form, inner in forms.items()]
                texts.append(f"{{{name}, plural, offset:{offset} {' '.join(cases)}}}")
            case Select(name, words):
                inside = " ".join([f"{word} {{{written(inner, in_plural)}}}" for word, inner in words.items()])
                texts.append(f"{{{name}, select, {inside}}}")
    return "".join(texts)


def said(pattern: Pattern, given: Mapping[str, int | str | None], locale: Locale) -> str:
    """What a pattern says, worked out a second time."""
    text = ""
    for part in pattern:
        if isinstance(part, str):
            text += part
        elif isinstance(part, Word):
            text += str(given[part.name])
        elif isinstance(part, Figure):
            text += locale.figure(number_of(given, part.name))
        elif isinstance(part, Plural):
            number = number_of(given, part.name)
            form = locale.plural(number - part.offset)
            inner = part.forms.get(form, part.forms["other"])
            text += said(part.exact.get(number, inner), given, locale)
        elif isinstance(part, Select):
            value = given[part.name]
            word = "null" if value is None else str(value).replace("-", "_")
            text += said(part.cases.get(word, part.cases["other"]), given, locale)
        else:
            assert isinstance(part, enum.Enum)
    return text


def number_of(given: Mapping[str, int | str | None], name: str) -> int:
    value = given[name]
    if not isinstance(value, int):
        raise BadArgument(name)
    return value


@given(PATTERNS)
@example(("{{}'}'{",))
@example((Plural("a", 0, {}, {"other": ("#'##{",)}),))
def test_what_is_written_is_read(pattern: Pattern) -> None:
    assert parsed(written(pattern)) == pattern


# Longer numbers are told by how many digits they have.
VALUES = st.one_of(
    st.integers(-5, 5), st.integers(-(10**19), 10**19), st.sampled_from(["any-club", "other", "text"]), st.none()
)


@given(
    PATTERNS,
    st.fixed_dictionaries(dict.fromkeys(("a", "b", "count", "x_1"), VALUES)),
    st.sampled_from([ENGLISH, SLAVIC]),
)
def test_what_is_rendered_is_what_the_parts_say(
    pattern: Pattern, arguments: dict[str, int | str | None], locale: Locale
) -> None:
    try:
        expected = said(pattern, arguments, locale)
    except BadArgument:
        with pytest.raises(BadArgument):
            render(pattern, Told(arguments), locale)
    else:
        assert render(pattern, Told(arguments), locale) == expected


@given(PATTERNS)
def test_nothing_but_the_names_in_a_pattern_is_asked_for(pattern: Pattern) -> None:
    asked: set[str] = set()

    class Asked:
        def value(self, name: str) -> object:
            asked.add(name)
            return 1

        def text(self, value: object) -> str:
            return str(value)

    render(pattern, Asked(), ENGLISH)
    assert asked <= names_in(pattern)


@given(TEXTS)
@example("#'#")
def test_any_text_is_read_or_refused_with_a_place_in_it(text: str) -> None:
    try:
        pattern = parsed(text)
    except BadPattern as error:
        position = error.position
    else:
        position = 0
        assert parsed(written(pattern)) == pattern
    assert 0 <= position <= len(text)
