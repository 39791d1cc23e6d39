"""Every message, word for word in every language, and the catalogues that the words come from.

The files `data/messages.txt` and, for each other language, `data/messages.<language>.txt` hold them for people to read:
one line for each violation and each event, and for each problem of a rule set, of a setup, of a row of the score sheet,
of a preset, of a picture and of what `support.refusals` and `OTHERS` call. `nox -s generate` writes them anew.
"""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args

import attrs
import pytest

import test_refused_documents
import test_refused_events
from heartsrules import (
    Card,
    Cards,
    Deal,
    Event,
    IllegalMove,
    InvalidRules,
    InvalidState,
    InvalidWire,
    Phase,
    Problem,
    Rules,
    Suit,
    Violation,
    apply,
    messages,
    new_game,
    presets,
)
from heartsrules.base.errors import MAX_MESSAGE, InvalidPicture, TooManyWorlds
from heartsrules.cards import NO_CARDS
from heartsrules.formats.wire import from_json, to_json
from heartsrules.formats.wire._convert import _param_of
from heartsrules.formats.wire.parts import problem_params, write_part
from heartsrules.messages import UnknownLanguage, _of_file, catalogue, key, languages, letters, parameters, text
from heartsrules.messages._format import Select, Word, every_part, parsed
from heartsrules.play.violations import (
    PRECEDENCE,
    AlreadyDecided,
    AlreadyPassed,
    BadDeal,
    CardIsCompulsory,
    ExposedCardRestricted,
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
    TooManyDeals,
    UnpassableCards,
    WrongNumberOfCards,
    WrongPhase,
)
from heartsrules.rules import Compulsory, FirstTrick, HeartsLead, Moon, OpeningCard
from heartsrules.rules._choices import Choice
from heartsrules.setup import check
from support.examples import of_every_class
from support.patterns import names_in, texts_in
from support.problems import sentences_made
from support.refusals import refusals as more_refusals
from support.refused_calls import judged
from support.run_parts import REFUSED
from support.tables import rules_of
from test_check import CASES
from test_presets import CONTRADICTIONS, UNSUPPORTED
from test_row_check import FORGED
from test_rules import REFUSALS
from test_stateless import MISSING
from test_svg import BAD
from test_wire import EVENTS

pytestmark = pytest.mark.once_interpreted

DATA = Path(__file__).parents[1] / "data"
SOURCES = Path(__file__).parents[2] / "src" / "heartsrules"

OTHERS: tuple[Callable[[], object], ...] = (
    lambda: presets.removed("hoyle", 4),
    lambda: presets.hand_size("heartsette", 9),
    lambda: apply(new_game(Rules()), Deal((Cards("2C 2C"),) * 3, NO_CARDS)),
)
"""What raises an error with problems that no other sample has."""

PLAYED = (Phase.DEAL, Phase.PASS, Phase.DEAL_BACK, Phase.EXPOSE, Phase.PLAY, Phase.MOON)
_CHOSEN: tuple[Violation, ...] = (
    GameIsOver(),
    *(
        WrongPhase(now, tried)
        for now in PLAYED
        for tried in PLAYED
        if tried not in (now, Phase.DEAL_BACK) and (now, tried) != (Phase.DEAL_BACK, Phase.DEAL)
    ),
    TooManyDeals(),
    NoSuchSeat(4, 4),
    NoSuchSeat(-1, 3),
    NotYourTurn(0, 3),
    AlreadyPassed(2),
    AlreadyDecided(2),
    NotTheShooter(0, 3),
    NoSuchEffect(Moon.CHOICE),
    BadDeal(
        (
            Problem.of("wrong-hand-size", ("hands[0]",), "dealt", seat=0, count=1, expected=13),
            Problem.of("extra-cards", ("hands",), "dealt", count=2, cards=(), more=2),
        )
    ),
    MayNotDecline(),
    WrongNumberOfCards(None, 1, 2),
    WrongNumberOfCards(None, 2, 1),
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
    *(ExposedCardRestricted(Card(card)) for card in ("TC", "JD", "QS", "AH")),
    QueenBeforeHearts(),
    PointsOnFirstTrick(Card("QS")),
    PointsOnFirstTrick(Card("2H"), FirstTrick.NO_HEARTS),
    *(CardIsCompulsory(Card("2S"), Cards("QS"), when) for when in Compulsory if when is not Compulsory.NO),
    CardIsCompulsory(Card("2S"), Cards("TD QS"), Compulsory.DISCARD),
)
VIOLATIONS = of_every_class(_CHOSEN)


def refusals() -> Iterator[tuple[str, Callable[[], object]]]:
    """What raises an error with problems, and what it is about."""
    yield from [("rules", partial(Rules, **given)) for given, _, _ in REFUSALS]
    yield from [("stateless", partial(ask, rules_of(fields))) for _, fields, ask in MISSING]
    yield from [("setup", partial(check, setup)) for setup, _ in CASES]
    yield from [("row", partial(judged, rules, row, (0,) * rules.players)) for _, rules, row, _ in FORGED]
    for name, players, option, value in UNSUPPORTED:
        yield "preset", partial(presets.ALL[name], players, **{option: value})
    for name, players, options, _, _ in CONTRADICTIONS:
        yield "preset", partial(presets.ALL[name], players, **options)
    yield "preset", partial(presets.ALL["omnibus"], 9)
    yield from more_refusals()
    yield from [("picture", call) for call, _ in BAD.values()]
    yield from [("other", call) for call in OTHERS]
    yield from REFUSED


@cache
def problems() -> tuple[tuple[str, Problem], ...]:
    """A problem of every kind, and more, each with what it is about."""
    found: list[tuple[str, Problem]] = []
    for about, call in refusals():
        try:
            call()
        except (InvalidRules, InvalidState, InvalidWire, InvalidPicture, TooManyWorlds) as refusal:
            found += [(about, problem) for problem in refusal.problems]
        except IllegalMove as refusal:
            deals = [violation for violation in refusal.violations if isinstance(violation, BadDeal)]
            found += [(about, problem) for violation in deals for problem in violation.problems]
    # Of broken documents and events one of each sentence: golden files have all of them.
    documents = [problem for _, problems in test_refused_documents.refused() for problem in problems]
    events = [problem for _, problem in test_refused_events.broken()]
    sampled = {key(problem) for _, problem in found}
    for about, problem in (*[("document", each) for each in documents], *[("event", each) for each in events]):
        if key(problem) not in sampled:
            sampled.add(key(problem))
            found.append((about, problem))
    return tuple(found)


def things() -> Iterator[Violation | Event | Problem]:
    """A sample of everything that has words in the catalogues."""
    yield from VIOLATIONS
    yield from EVENTS
    yield from [problem for _, problem in problems()]


def told(language: str) -> Iterator[str]:
    """The lines of a file: what is told, its code, its fields, its words."""
    for violation in VIOLATIONS:
        yield f"violation {violation.code}: {text(violation, language)}"
    for event in EVENTS:
        yield f"event {event.code}: {text(event, language)}"
    for about, problem in problems():
        yield f"{about} {problem.code} {' '.join(problem.fields)}: {text(problem, language)}"


def written() -> dict[Path, bytes]:
    """The files as they should be."""
    return {path_of(language): "".join(f"{line}\n" for line in told(language)).encode() for language in languages()}


def path_of(language: str) -> Path:
    return DATA / ("messages.txt" if language == "en" else f"messages.{language}.txt")


@pytest.mark.parametrize("language", languages())
def test_every_message_is_as_it_is_written_down(language: str) -> None:
    assert list(told(language)) == path_of(language).read_text(encoding="utf-8").splitlines()


def test_english_is_what_is_printed() -> None:
    for thing in things():
        if not isinstance(thing, Event):
            assert text(thing) == text(thing, "en")
            # Only people who read messages get signs.
            assert str(thing) == text(thing, letters("en"))
            assert not set("♣♦♠♥") & set(str(thing))
    assert all(problem.message == text(problem, letters("en")) == str(problem) for _, problem in problems())


# ------------------------------------------------------------------------------------------------------ catalogues


def test_there_are_english_and_german() -> None:
    assert languages() == ("de", "en")


@pytest.mark.parametrize("language", languages())
def test_every_language_has_keys_of_english_in_its_order(language: str) -> None:
    raw = (SOURCES / "messages" / f"{language}.json").read_text(encoding="utf-8")
    own = json.loads(raw)
    assert raw == f"{json.dumps(own, ensure_ascii=False, indent=1)}\n"
    assert list(own) == [name for name in catalogue() if name in own]
    assert catalogue(language) == dict(catalogue()) | own
    assert language != "en" or own == catalogue(), "an app may serve the file as it is"


def test_what_is_not_translated_is_told_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    short = {name: pattern for name, pattern in _of_file("de").items() if name != "violation.game-over"}
    monkeypatch.setattr(messages, "_of_file", lambda language: short if language == "de" else _of_file(language))
    assert messages._catalogue.__wrapped__("de")["violation.game-over"] == GameIsOver.sentence


@pytest.mark.parametrize("language", languages())
def test_every_sample_has_its_words_and_they_use_every_parameter_and_no_other(language: str) -> None:
    patterns = catalogue(language)
    for thing in things():
        assert key(thing) in patterns
        given = parameters(thing)
        used = {of_parameter(name, given) for name in names_in(parsed(patterns[key(thing)]))}
        assert used == set(given), key(thing)
        said = text(thing, language)
        assert 0 < len(said) <= MAX_MESSAGE
        assert not re.search(r"[{}\n]|  |^ | $|\.$", said), said
        # What a catalogue does not fit is told by its code.
        assert not isinstance(thing, Problem) or not said.startswith(thing.code), said
        # Only an application may give a problem its sentence.
        assert not isinstance(thing, Problem) or thing.ready is None


def of_parameter(name: str, given: Mapping[str, object]) -> str:
    """The parameter that an argument of a pattern is made of."""
    return name if name in given else re.sub(r"_(count|suit|suit_name|or|and)$", "", name)


@pytest.mark.parametrize("language", languages())
def test_every_key_has_a_sample(language: str) -> None:
    sampled = {key(thing) for thing in things()}
    terms = {name for name in catalogue(language) if name.startswith("term.")}
    # Those of rule sets are test_describe's, of hints test_assess's, of reviews test_review's, of drills test_drills's.
    prefixes = ("rules.", "hint.", "review.", "drill.", "picture.", "terminal.")
    rules = {name for name in catalogue(language) if name.startswith(prefixes)}
    assert set(catalogue(language)) - terms - rules == sampled
    sources = "".join([path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py")])
    assert {name for name in terms if f'"{name[5:]}"' not in sources} == set()
    written = {name for name in catalogue(language) if name.startswith(("picture.", "terminal."))}
    names = set(re.findall(r"""["']([a-z.-]+)["']""", sources))
    unused = {name for name in written if not {name, name.split(".", 1)[1]} & names}
    assert {name for name in unused if not re.match(r"terminal\.(command|does|word|key|title)\.", name)} == set()


def test_every_class_of_events_and_violations_has_words() -> None:
    sampled = {key(thing) for thing in things()}
    assert {f"violation.{kind.code}" for kind in PRECEDENCE} <= sampled
    assert {f"event.{kind.code}" for kind in get_args(Event)} <= sampled


@pytest.mark.sampled(4)
@pytest.mark.parametrize("module", sorted(SOURCES.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCES)))
def test_every_problem_that_is_made_has_words(module: Path) -> None:
    assert set(sentences_made(module)) <= set(catalogue())


ALIKE = {"term.placed", "violation.bad-deal", "terminal.command.rest"}
"""Patterns without words of their own, which may be the same as in English."""


@pytest.mark.parametrize("language", [language for language in languages() if language != "en"])
def test_nothing_is_left_in_english(language: str) -> None:
    same = {name for name, pattern in _of_file(language).items() if catalogue()[name] == pattern}
    assert same <= ALIKE


KINDS_OF_GAME = {
    "form.game",
    "form.games",
    "game.microsoft.4.title",
    "invite.game",
    "problem.other-game",
    "start.games",
}
"""What says `Spiel` and means neither a deal nor a match."""
REFUSED_GERMAN = (
    (r"(?<![Ii]m )\bSpiel(e|en|s)?\b", "a deal is a Runde and a match is a Partie", "das Spiel ist vorbei"),
    (r"\bBl[aä]tt", "a hand is a Hand and a pack is a Deck", "nicht im Blatt"),
    (r"Kartenspiel", "a pack is a Deck", "zwei Kartenspielen"),
    (r"Summe", "a total is a Stand", "die niedrigste Summe"),
    (r"\bPartei|Mannschaft", "a team is a Team", "keine Mannschaften"),
    (r"aufdeck|aufgedeckt", "a card is shown: zeigen", "ein aufgedecktes Herz"),
    (r"Stich[^.;:]*\bgew[aio]nn|\b[Gg]ew[aio]nn[^.;:]*Stich|Gewinner", "a player macht a trick", "den Stich gewinnt"),
    (r"-(Zwei|Drei|Vier|Fünf|Sechs|Sieben|Acht|Neun|Zehn)", "a card has its number in digits", "Karo-Zehn"),
    (r"Regelsatz", "a rule set is a Regelwerk", "kein fertiger Regelsatz"),
)
"""Words that once stood beside those of `recipes.md` for the same thing: what, why not, and an example."""


def test_german_has_one_word_for_each_thing() -> None:
    """In the catalogue, on the page of the table and in its form: a player reads all of them side by side."""
    static = SOURCES / "apps" / "table" / "static"
    told = dict(catalogue("de")) | json.loads((static / "words.de.json").read_text("utf-8"))
    told["options"] = (static / "options.de.json").read_text("utf-8")
    for pattern, reason, example in REFUSED_GERMAN:
        assert re.search(pattern, example), example
        found = {name for name, words in told.items() if re.search(pattern, words)}
        assert found - KINDS_OF_GAME == set(), reason


@pytest.mark.parametrize("language", languages())
def test_no_pattern_holds_what_libraries_for_browsers_read_as_a_tag(language: str) -> None:
    for pattern in catalogue(language).values():
        assert not any("<" in part or "\n" in part for part in texts_in(parsed(pattern)))


def test_a_language_without_a_catalogue_is_refused_with_those_that_there_are() -> None:
    assert text(GameIsOver(), "de-AT") == text(GameIsOver(), "DE") == text(GameIsOver(), "de")
    for language in ("tlh", "", "../en", "en.json", "x" * 10**6):
        with pytest.raises(UnknownLanguage) as caught:
            text(GameIsOver(), language)
        assert (caught.value.language, caught.value.languages) == (language, languages())
        assert str(caught.value).endswith(f": choose one of {', '.join(languages())}")
        assert len(str(caught.value)) < 200
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), again.languages) == (str(caught.value), caught.value.languages)
        with pytest.raises(UnknownLanguage):
            catalogue(language)


def test_a_catalogue_cannot_be_changed_through_what_is_given_out() -> None:
    given = catalogue()
    with pytest.raises(AttributeError):
        given.clear()  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        given["violation.game-over"] = ""  # type: ignore[index]
    assert catalogue() is given
    assert text(GameIsOver()) == "the game is over: no more moves can be made"


def test_a_problem_that_no_catalogue_knows_is_told_by_its_parameters() -> None:
    mine = Problem.of("too-loud", ("music",), decibels=90, card=Card("QS"))
    assert (str(mine), text(mine, "de")) == ("too-loud (decibels: 90, card: QS)", "too-loud (decibels: 90, card: ♠D)")
    assert str(Problem("too-loud", ())) == "too-loud"
    # A code that there is, from a writer who tells other parameters.
    assert str(Problem.of("uneven-teams", ("teams",), players=5)) == "uneven-teams (players: 5)"
    assert (
        str(Problem.of("uneven-deal", (), total=1, players=2, over="x"))
        == "uneven-deal (total: 1, players: 2, over: x)"
    )


def test_a_text_from_outside_is_told_in_part_and_can_do_nothing_to_a_terminal() -> None:
    said = str(Problem.of("unknown-table", ("table",), table="\x1b[2J" + "x" * 10**6, tables=("a",)))
    assert said.isprintable()
    assert len(said) < 300


def test_a_problem_is_a_value() -> None:
    one = Problem.of("not-in-the-deck", ("removed",), "names", name="removed", cards=Cards("2C"))
    same = Problem.of("not-in-the-deck", ("removed",), "names", name="removed", cards=Cards("2C"))
    other = Problem.of("not-in-the-deck", ("removed",), "names", name="removed", cards=Cards("3C"))
    assert one == same != other
    assert len({one, same, other}) == 2
    for each in (one, other, Problem("x", ("y",)), Problem("x", (), message="said")):
        assert eval(repr(each)) == each
        assert pickle.loads(pickle.dumps(each)) == each
    assert dict(one.params) == {"name": "removed", "cards": Cards("2C")}


def test_json_has_the_parameters_of_a_problem() -> None:
    """A text in it is a card or a suit where its name says so; values of options and numbers beyond 2^53
    are texts."""
    changed = set()
    for _, problem in problems():
        given = json.loads(write_part(problem_params(problem)))
        again = attrs.evolve(problem, params=tuple([(name, _param_of(name, tuples(given[name]))) for name in given]))
        changed |= {name for name, value in problem.params if dict(again.params)[name] != value}
        assert [name for name, _ in again.params] == [name for name, _ in problem.params]
        if again == problem:
            assert text(again, "de") == text(problem, "de")
    texts = {"effect", "expected", "given", "kitty", "moon", "offered", "phase", "value"}
    assert changed == {*texts, "deals", "reasons", "seat"}


def tuples(value: Any) -> Any:
    return tuple([tuples(item) for item in value]) if isinstance(value, list) else value


def test_the_reasons_of_the_rules_are_whole_in_json() -> None:
    found = {}
    for _, problem in problems():
        reasons = dict(problem.params).get("reasons", ())
        if reasons:
            given = json.loads(write_part(problem_params(problem)))["reasons"]
            documents = [json.dumps({"heartsrules": 1, "kind": "violation", **reason}) for reason in given]
            assert tuple([from_json(document, Violation) for document in documents]) == reasons
            found[problem.code] = given
    assert set(found) == {"illegal-pass", "illegal-play", "illegal-exposure"}
    (reason,) = found["illegal-play"]
    assert reason == {
        "code": "hearts-not-broken",
        "card": "2H",
        "lead": "when-broken",
        "message": "♥2 may not be led: hearts are not broken",
        "arguments": {"card": "♥2", "card_suit": "H", "lead": "when_broken"},
    }


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (2**53 - 1, 2**53 - 1),
        (2**53, "9007199254740992"),
        (-(2**53), "-9007199254740992"),
        (10**5000, "1e5000"),
        (-(10**5000), "-1e5000"),
        ("\ud800", "?"),
        ("x" * 10**6, "x" * 2000),
        ((1,) * 1000, [1] * 100),
        (Suit.HEARTS, "H"),
        (Moon.OTHERS_UP, "others-up"),
        (None, None),
        (True, True),
        (((Card("QS"), 3), Cards("2C 3C")), [["QS", 3], "2C 3C"]),
    ],
    ids=range(13),
)
def test_parameters_of_any_size_are_written(value: Any, written: object) -> None:
    problem = Problem.of("too-loud", (), value=value)
    assert json.loads(write_part(problem_params(problem))) == {"value": written}


def test_a_deal_that_is_refused_is_the_same_again_from_json() -> None:
    cards, other = Cards("2C 2C QS"), (Card("2C"), Card("TH"))
    known = Problem.of("not-in-the-decks", ("removed",), cards=cards, decks=2)
    mine = Problem(
        "too-loud", ("hands",), (("cards", cards), ("other_cards", other), ("suit", Suit.CLUBS)), message="shh"
    )
    odd = Problem("too-loud", (), (("card", "all"), ("suit", ""), ("cards", "2X"), ("ask", None)), "so", message="shh")
    for problem in (known, mine, odd):
        violation = BadDeal((problem,))
        assert from_json(to_json(violation), Violation) == violation


def test_a_refusal_puts_nothing_into_words_until_somebody_asks() -> None:
    """A search that tries moves pays for no sentence, and an app that tells none loads no catalogue."""
    code = """
import sys
from heartsrules import IllegalMove, InvalidRules, Play, Rules, apply, new_game
try:
    apply(new_game(Rules()), Play(0, "{card}"))
except (IllegalMove, TypeError):
    pass
try:
    Rules(players=2)
except InvalidRules as error:
    refusal = error
before = "heartsrules.messages" in sys.modules
print(before, str(refusal), "heartsrules.messages" in sys.modules)
"""
    code = code.replace('"{card}"', "Card('2C')").replace("import IllegalMove", "import Card, IllegalMove")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False players is 2: choose 3 to 11 True\n"


# ------------------------------------------------------------------------------------------------------ violations


def test_every_violation_has_its_message() -> None:
    assert {type(violation) for violation in VIOLATIONS} == set(PRECEDENCE)
    texts = [str(violation) for violation in VIOLATIONS]
    assert sorted(texts) == sorted(set(texts))


def test_a_player_is_told_a_sentence_and_not_a_value() -> None:
    for violation in VIOLATIONS:
        message = str(violation)
        assert not message.endswith(".")
        assert not re.search(r"[A-Z]\w+\(|\bNone\b|<|\{|\n", message), message


@pytest.mark.parametrize("language", languages())
def test_no_case_for_other_values_states_a_rule(language: str) -> None:
    """A value that a program spells in its own way must not be told as another one."""
    values = {each.value.replace("-", "_") for kind in Choice.__subclasses__() for each in kind}
    for name, pattern in catalogue(language).items():
        of_rules = name.startswith(("violation.", "event.", "problem.", "rules."))
        for part in every_part(parsed(pattern)):
            if not isinstance(part, Select) or not (of_rules or values & set(part.cases)):
                continue
            other = part.cases["other"]
            if set(part.cases) != {"null", "other"} and other not in (("now",), ("jetzt muss man",)):
                assert all([each == Word(part.name) or each == "; " for each in other]), (name, other)
