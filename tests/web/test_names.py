"""What may stand in the name of a person, and how two of them are told apart."""

from __future__ import annotations

import re
import unicodedata

import pytest

from heartsrules.apps.table.names import MAX_NAME, BadName, clean_name, graphemes, told_apart

FAMILY = "👨‍👩‍👧‍👦"
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"

KEPT = {
    "Ann": "Ann",
    "  Ann \t Lee\n": "Ann Lee",
    "Zoe\u0308": "Zoë",
    "שָׁלוֹם": "שָׁלוֹם",
    "می\u200cنا": "می\u200cنا",
    "क\u094d\u200dष": "क\u094d\u200dष",
    f"{FAMILY} Lee": f"{FAMILY} Lee",
    "❤\ufe0f": "❤\ufe0f",
    ENGLAND: ENGLAND,
    FAMILY * MAX_NAME: FAMILY * MAX_NAME,
    "x" * MAX_NAME: "x" * MAX_NAME,
}

REFUSED = {
    "nothing": "",
    "spaces": " \u3000\t",
    "too long": "x" * (MAX_NAME + 1),
    "too many emoji": FAMILY * (MAX_NAME + 1),
    "a zero width space": "An\u200bn",
    "a joiner between Latin letters": "An\u200dn",
    "a soft hyphen": "An\u00adn",
    "what turns the writing": "Ann\u202eeil",
    "NUL": "An\x00n",
    "half of a pair": "An\ud800n",
    "a private character": "An\ue000n",
    "tags without a flag": "An\U000e0067n",
    "a tower of marks": "A" + "\u0335\u0336\u0337\u0338" * 5,
    "one character without an end": "👨" + "\u200d👩" * 40,
    "dots alone": "...",
}


@pytest.mark.parametrize("name", KEPT)
def test_a_name_that_can_be_read_is_kept(name: str) -> None:
    assert clean_name(name) == KEPT[name]


@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED)
def test_a_name_that_hides_something_is_refused(name: str) -> None:
    with pytest.raises(BadName, match="name"):
        clean_name(name)


# What their names say of characters that are there to be empty.
EMPTY = re.compile(r"FILLER$|PATTERN BLANK|FULL BLANK|HALF BLANK|NULL NOTEHEAD|OBJECT REPLACEMENT|VARIATION SELECTOR")


def test_no_character_that_is_there_to_be_empty_is_a_name() -> None:
    points = [point for point in map(chr, range(0x110000)) if unicodedata.category(point)[0] in "LMNS"]
    empty = [point for point in points if EMPTY.search(unicodedata.name(point, ""))]
    assert len(empty) > 260
    for point in empty:
        with pytest.raises(BadName, match="cannot be seen"):
            clean_name(f"Ann{point}")


def test_what_is_joined_is_one_character() -> None:
    assert graphemes(f"a{FAMILY}🇩🇪🇫🇷👍🏽é") == ["a", FAMILY, "🇩🇪", "🇫🇷", "👍🏽", "é"]


ANNS = (
    *("Ann", "ann", "ＡＮＮ", "Änn", "Аnn", "Ann\u0301", "A nn", "A\u2007nn", "Ann.", "A-n-n", "ᴀɴɴ", "Ⱥnn", "𝔸𝕟𝕟"),
    "ΑΝΝ",
)
ALIKE = [("Bill", "BiII"), ("Bob", "Воb"), ("Bob", "B0b"), ("Arno", "Amo"), ("Willi", "VVilli"), ("HELEN", "НЕLЕN")]


@pytest.mark.parametrize(("first", "second"), [*[("Ann", each) for each in ANNS], *ALIKE])
def test_a_second_player_of_the_same_name_gets_a_number(first: str, second: str) -> None:
    assert told_apart(second, ["Zoe", first]) == f"{second} (2)"
    assert told_apart(second, ["Zoe", first, f"{first} (2)"]) == f"{second} (3)"


def test_other_names_stay_as_they_are_but_for_what_a_page_calls_its_own_player() -> None:
    for second in ("Anne", "Hanna", "Ann 3", "!", "?", "❤", "安"):
        assert told_apart(second, ["Ann", "Bob", "...", "🎉", "王"]) == second
    assert told_apart("you", []) == "you (2)"
