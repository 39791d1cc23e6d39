"""Pictures: well-formed documents that stand alone, with words for assistive technology; golden ones, byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from xml.etree import ElementTree

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChoosingMoon,
    Exposing,
    GameOver,
    Passing,
    Play,
    Playing,
    Rules,
    ScoreSheet,
    State,
    Trick,
    apply,
    deal,
    display_score,
    new_game,
    presets,
    public_view,
    to_act,
    view,
    why_illegal_cards,
)
from heartsrules.base.errors import InvalidPicture
from heartsrules.base.values import replaced
from heartsrules.bots import uniform
from heartsrules.cards import ALL_FACES
from heartsrules.pictures import svg
from heartsrules.pictures.facts import TableFacts
from heartsrules.rules import HOLD, Kitty, KittyShownTo, Moon, OpeningCard, OpeningLeader, ScoreDisplay
from heartsrules.rules.presets import ALL
from heartsrules.setup import set_up
from heartsrules.simulation import play_match
from support import pictures
from support.pictures import played

pytestmark = pytest.mark.once_compiled

GAME = played(presets.whisthub(), 4 + 18)
assert isinstance(GAME.state, Playing)
FOUR: Playing = GAME.state
OVER = play_match(presets.partner_hearts(), [uniform] * 4, seed=3)
MOONS = Rules(
    players=3,
    hand_size=2,
    kitty=Kitty.LAST_TRICK,
    opening_leader=OpeningLeader.DEALER_LEFT,
    opening_card=OpeningCard.ANY,
    heart_values=(0,) * 13,  # the Q♠ is the only penalty card: who takes it has shot the moon
    moon=Moon.CHOICE,
    pass_cycle=(HOLD,),
)
NS = "{http://www.w3.org/2000/svg}"
OUTSIDE = re.compile(r'\b(?:href|src|url\(|@import|<script|<style|<image|<use|<foreignObject)\b|\bid="')


def parsed(picture: str) -> ElementTree.Element:
    """The document, which stands alone."""
    assert OUTSIDE.search(picture) is None
    assert picture.endswith("</svg>\n")
    return ElementTree.fromstring(picture)


def told(picture: str) -> tuple[str, str]:
    """What assistive technology finds: the title and the description."""
    root = parsed(picture)
    title, says = root.find(f"{NS}title"), root.find(f"{NS}desc")
    assert title is not None
    assert title.text == root.get("aria-label")
    assert root.get("role") == "img"
    return title.text or "", "" if says is None else says.text or ""


def faces(picture: str) -> list[str]:
    """The names of all cards of a picture, in the order in which they are drawn."""
    return [title.text or "" for group in parsed(picture).iter(f"{NS}g") for title in group.findall(f"{NS}title")]


def words_in(picture: str) -> list[str]:
    """All words that are written in a picture."""
    return [text.text or "" for text in parsed(picture).iter(f"{NS}text")]


def veils(picture: str) -> int:
    """How many cards are dimmed."""
    return picture.count('fill-opacity="0.45"')


def borders(picture: str, colours: svg.Colours = svg.LIGHT) -> int:
    """How many cards stand out."""
    return picture.count(f'rx="7" fill="{colours.card}" stroke="{colours.accent}" stroke-width="3"')


def dashes(picture: str) -> int:
    """How many cards are marked."""
    return picture.count("stroke-dasharray")


# ------------------------------------------------------------------------------------------------------ golden pictures


def test_golden_pictures() -> None:
    """`nox -s generate` writes them; look at what has changed."""
    wanted = dict(pictures.files())
    assert [str(path) for path, picture in wanted.items() if path.read_bytes() != picture] == []
    assert len(wanted) == 22
    for picture in wanted.values():
        parsed(picture.decode())


def test_pages_of_all_pictures_can_be_written() -> None:
    name, drawn = next(iter(pictures.everything()))
    assert name == next(iter(ALL))
    assert len(drawn) == 8 * len(ALL[name].players)


# ------------------------------------------------------------------------------------------------------ cards and hands


def test_every_card_is_drawn_in_its_own_way() -> None:
    drawn = {str(card): svg.card(card) for card in ALL_FACES}
    assert len(set(drawn.values())) == 52
    assert [told(picture)[0] for picture in list(drawn.values())[::13]] == [
        "two of clubs",
        "two of diamonds",
        "two of spades",
        "two of hearts",
    ]
    for card in ALL_FACES:
        assert (svg.LIGHT.red in drawn[str(card)]) == (card.suit.letter in "DH")
    assert told(svg.card(None))[0] == "a card face down"
    assert told(svg.card(Card("QS"), label="the lady"))[0] == "the lady"


def test_the_drawings_have_every_rank_and_suit_and_nothing_else() -> None:
    drawings = json.loads(svg.DRAWINGS.read_text(encoding="utf-8"))
    assert {f"{rank}{suit}" for rank in drawings["ranks"] for suit in drawings["suits"]} == set(map(str, ALL_FACES))
    parts = [*drawings["ranks"].values(), *drawings["suits"].values()]
    assert [part["path"] for part in parts if not re.fullmatch(r"[-MLHVCSAZmlhvcsaz0-9. ]+", part["path"])] == []
    assert [svg.card_name(card) for card in ALL_FACES] == [
        f"{drawings['ranks'][card.rank.letter]['name']} of {drawings['suits'][card.suit.letter]['name']}"
        for card in ALL_FACES
    ]


@pytest.mark.parametrize("count", [0, 1, 13, 18, 19, 35, 52])
def test_a_hand_of_any_length(count: int) -> None:
    cards = list(Rules(decks=2).deck)[:count]
    picture = svg.hand(cards)
    assert faces(picture) == [svg.card_name(card) for card in cards]
    assert told(picture) == (
        f"Hand of {count} card{'s' * (count != 1)}",
        f"{', '.join(map(svg.card_name, cards)) or 'none'}.",
    )
    assert ("no cards" in words_in(picture)) == (count == 0)
    root = parsed(picture)
    assert float(root.get("width", "0")) <= 2 * 8 + 60 + 17 * 26 + 3 * 8


def test_cards_are_dimmed_and_stand_out_as_often_as_they_are_named() -> None:
    hand = Cards("2H 2H QS AC")
    once = svg.hand(hand, dimmed=[Card("2H")], raised=[Card("QS")])
    assert (veils(once), borders(once)) == (1, 1)
    twice = svg.hand(hand, dimmed=Cards("2H 2H"), raised=Cards("2H AC"))
    assert (veils(twice), borders(twice)) == (2, 2)
    assert told(twice)[1].endswith("Dimmed: two of hearts, two of hearts. Highlighted: ace of clubs, two of hearts.")


def test_cards_lie_in_the_order_in_which_they_are_given() -> None:
    assert faces(svg.hand([Card("QS"), Card("2C")])) == ["queen of spades", "two of clubs"]
    assert faces(svg.hand(Cards("QS 2C"))) == ["two of clubs", "queen of spades"]
    assert faces(svg.hand(card for card in Cards("QS 2C"))) == ["two of clubs", "queen of spades"]


def test_signs_stand_on_their_cards() -> None:
    signs = {Card("JD"): "-10", Card("TC"): "×2"}
    assert words_in(svg.hand(Cards("TC JD QS"), signs=signs)) == ["×2", "-10"]
    assert words_in(svg.card(Card("JD"), sign="-10")) == ["-10"]
    assert "-10" in words_in(svg.trick([Play(0, Card("JD"))], signs=signs))


def test_sizes() -> None:
    for picture in (svg.card(Card("2C"), width=30), svg.hand(Cards("2C 3C"), width=30), svg.table(FOUR, width=30)):
        root = parsed(picture)
        _, _, wide, high = map(float, root.get("viewBox", "").split())
        assert float(root.get("width", "0")) == 30
        assert float(root.get("height", "0")) == pytest.approx(30 * high / wide, abs=0.01)


def test_colours() -> None:
    mine = svg.Colours(felt="darkgreen", card="#ffe", red="#a00", black="navy")
    picture = svg.hand(Cards("2C 2D"), colours=mine)
    assert all([f'"{colour}"' in picture for colour in ("darkgreen", "#ffe", "#a00", "navy")])
    assert f'"{svg.LIGHT.red}"' not in picture
    assert 'fill="none"' not in svg.hand((), colours=svg.Colours(felt="none")), "there is no ground"
    for picture in (svg.table(FOUR, colours=svg.DARK), svg.score_sheet(OVER, colours=svg.DARK)):
        used = set(re.findall(r"#[0-9a-f]{6}", picture))
        assert used <= set(attrs.asdict(svg.DARK).values())


def test_the_last_trick_is_as_bright_as_any_and_can_be_left_out() -> None:
    """On lead, a picture under the title of the next trick must not show the one before, if that is asked."""
    between = next(state for state in GAME.states if isinstance(state, Playing) and state.tricks and not state.trick)
    last = {svg.card_name(play.card) for play in between.tricks[-1].plays}
    assert last <= set(faces(svg.table(between)))
    assert 'opacity="0.55"' not in svg.table(between)
    assert not last & set(faces(svg.table(between, last_trick=False)))


def test_pictures_have_the_colours_of_the_browser_table() -> None:
    style = (pictures.ROOT / "src/heartsrules/apps/table/static/tokens.css").read_text(encoding="utf-8")
    tokens = dict.fromkeys(("felt", "accent", "edge", "red", "black", "gold", "skin", "hair", "back"), "")
    tokens |= {"paper": "plate", "ink": "on-felt", "soft": "on-felt-soft", "card": "sheet"}
    for name, token in tokens.items():
        (given,) = re.findall(rf"--{token or name}: (.*);", style)
        found = re.findall(r"#\w+", given)
        assert [getattr(colours, name) for colours in (svg.LIGHT, svg.DARK)] == [found[0], found[-1]], name


def test_faces_are_those_of_the_browser_table() -> None:
    """Pips, court figures and both corners are drawn from the same file."""
    full = json.loads(svg.DRAWINGS.read_text(encoding="utf-8"))["full"]
    assert svg.card(Card("TH")).count(f'fill="{svg.LIGHT.red}"') == len(full["pips"]["T"]) + 2 == 12
    queen = svg.card(Card("QS"))
    for kind, path in full["courts"]["parts"]["Q"]:
        assert queen.count(f'd="{path}"') >= 2, kind


# --------------------------------------------------------------------------------------------------------------- tricks


def test_a_trick_lies_before_those_who_played_it() -> None:
    first = FOUR.tricks[0]
    picture = svg.trick(first, names=pictures.NAMES)
    assert sorted(faces(picture)) == sorted([svg.card_name(play.card) for play in first.plays])
    said = [f"{pictures.NAMES[play.seat]}: {svg.card_name(play.card)}." for play in first.plays]
    assert first.winner is not None
    assert told(picture) == ("Trick", f"{' '.join(said)} {pictures.NAMES[first.winner]} took it.")
    assert words_in(picture).count("took the trick") == 1


def test_a_trick_that_nobody_won_and_one_so_far() -> None:
    plays = [Play(0, Card("2C")), Play(1, Card("2C")), Play(2, Card("3C")), Play(3, Card("3C"))]
    nobody = svg.trick(Trick(0, tuple(plays), None), dimmed=Cards("2C 2C 3C 3C"))
    assert told(nobody)[1].split(". ")[4] == "No one took it"
    assert veils(nobody) == 4
    so_far = svg.trick(plays[:2], names=[f"Seat {seat}" for seat in range(5)], first=3)
    assert words_in(so_far).count("led") == 1
    assert "took" not in told(so_far)[1]
    assert [word for word in words_in(so_far) if word.startswith("Seat")] == [f"Seat {seat}" for seat in range(5)]
    assert faces(svg.trick([], names=("Ann", "Bob", "Cleo"))) == []
    unnamed = svg.trick([Play(2, Card("2C")), Play(4, Card("3C"))])
    assert [word for word in words_in(unnamed) if word.startswith("Seat")] == [f"Seat {seat}" for seat in range(5)]
    assert [word for word in words_in(svg.trick([])) if word.startswith("Seat")] == ["Seat 0"]


# --------------------------------------------------------------------------------------------------------------- tables


def test_a_state_shows_all_hands_and_a_view_its_own() -> None:
    lying = [svg.card_name(play.card) for play in FOUR.trick]
    hands = [[svg.card_name(card) for card in hand] for hand in FOUR.hands]
    assert faces(svg.table(FOUR)) == [*lying, *[card for hand in hands for card in hand]]
    for seat, hand in enumerate(hands):
        assert faces(svg.table(view(FOUR, seat))) == [*lying, *hand]
    assert faces(svg.table(public_view(FOUR))) == lying


def test_what_may_not_be_played_is_dimmed() -> None:
    barred = sum([bool(reasons) for _, reasons in why_illegal_cards(FOUR)])
    assert 0 < barred < len(FOUR.hands[FOUR.turn])
    assert veils(svg.table(FOUR)) == veils(svg.table(view(FOUR, FOUR.turn))) == barred
    assert veils(svg.table(FOUR, dimmed=())) == 0
    assert veils(svg.table(FOUR, dimmed=list(FOUR.hands[0])[:3])) == 3


def test_what_is_passed_stands_out_for_those_who_know_it() -> None:
    state = played(Rules(), 2).state
    assert isinstance(state, Passing)
    assert borders(svg.table(state)) == 6
    assert [borders(svg.table(view(state, seat))) for seat in range(4)] == [3, 3, 0, 0]
    assert borders(svg.table(public_view(state))) == 0
    assert "Every player passes 3 cards to the left" in words_in(svg.table(state))


@pytest.mark.parametrize(
    ("players", "step", "words"),
    [
        (4, [(2, 3)], "3 cards across"),
        (4, [(-1, 1)], "1 card to the right"),
        (4, [(1, 1), (2, 1), (3, 1)], "a card to each of the others"),
        (5, [(2, 2), (-2, 1)], "2 cards 2 seats to the left, 1 card 2 seats to the right"),
    ],
)
def test_a_pass_is_told_in_words(players: int, step: list[tuple[int, int]], words: str) -> None:
    rules = Rules(players=players, pass_cycle=[step], removed="2C 2D" if players == 5 else "")
    assert f"Every player passes {words}" in words_in(svg.table(played(rules, 0).state))


def test_the_kitty_lies_face_down_before_those_who_may_not_see_it() -> None:
    rules = Rules(players=5, kitty=Kitty.FIRST_TRICK, kitty_shown_to=KittyShownTo.TAKER)
    state = played(rules, 5 + 8).state
    assert isinstance(state, Playing)
    taker = state.kitty_winner
    assert taker is not None
    kitty = [svg.card_name(card) for card in state.kitty]
    for seat in range(5):
        picture = svg.table(view(state, seat))
        assert f"to Seat {taker}" in words_in(picture)
        if seat == taker:
            assert faces(picture)[-len(kitty) :] == kitty
        else:
            assert not set(faces(picture)) & set(kitty)
            assert "Kitty to Seat" in told(picture)[1]
            assert f"{len(kitty)} cards face down" in told(picture)[1]


def test_exposed_cards_lie_open() -> None:
    rules = presets.gong_zhu(4)
    choosing = pictures.showing(rules, 2, 0)
    assert isinstance(choosing, Exposing)
    committed = sum([len(move.cards) for move in choosing.commitments if move])
    able = list(map(TableFacts(choosing).exposable, range(4)))
    assert [len(able[seat]) > 0 for seat in sorted(to_act(choosing))] == [True, True]
    marked = sum([len(able[seat]) for seat in to_act(choosing)])
    assert (borders(svg.table(choosing)), dashes(svg.table(choosing))) == (committed + marked, marked)
    for seat in range(4):
        seen = svg.table(view(choosing, seat))
        asked = able[seat] if seat in to_act(choosing) else Cards()
        assert dashes(seen) == len(asked)
        assert (f"May be exposed: {', '.join(map(svg.card_name, asked))}." in told(seen)[1]) == bool(asked)
    assert dashes(svg.table(public_view(choosing))) == 0
    state = pictures.showing(rules, 4, 6)
    assert isinstance(state, Playing)
    open_cards = [state.exposed[seat] & state.hands[seat] for seat in range(4)]
    assert sum(map(len, open_cards)) > 1
    assert borders(svg.table(state)) == sum(map(len, open_cards))
    for seat in range(4):
        picture = svg.table(view(state, seat))
        assert words_in(picture).count("exposes") == sum([bool(cards) for cards in open_cards]) - bool(open_cards[seat])
        assert borders(picture) == len(open_cards[seat])


def test_after_a_deal_its_last_trick_is_shown() -> None:
    after = played(Rules(), 9999).state
    assert isinstance(after, AwaitingDeal)
    assert after.last_deal is not None
    last = [svg.card_name(play.card) for play in after.last_deal.tricks[-1].plays]
    for shown in (after, view(after, 2), public_view(after)):
        assert sorted(faces(svg.table(shown))) == sorted(last)
        assert "Deal 2 is next" in words_in(svg.table(shown))
    assert faces(svg.table(new_game(Rules()))) == []


def test_the_end_names_the_winners() -> None:
    assert isinstance(OVER, GameOver)
    head, *_ = words_in(svg.table(OVER, names=("Ann", "Bob", "Cleo", "Dan")))
    assert head == "The game is over: Ann and Cleo win"
    assert words_in(svg.table(OVER)).count("wins") == 2


def test_a_shooter_is_to_choose() -> None:
    rules = MOONS
    state = next(state for seed in "abcdefgh" for state in played(rules, 9, seed).states if hasattr(state, "shooter"))
    assert isinstance(state, ChoosingMoon)
    picture = svg.table(state)
    assert f"Deal 1: Seat {state.shooter} shot the moon" in words_in(picture)
    assert "shot the moon" in words_in(picture)
    assert f"13 to each of the others, or 13 off Seat {state.shooter}'s total" in words_in(picture)
    more = replaced(state, others_up=replaced(state.others_up, points=(7, 0, 1)))
    told_of = f"Points to the others: 7 0 1, or off Seat {state.shooter}'s total: 0 0 -13"
    assert told_of in words_in(svg.table(more))


def test_totals_are_shown_as_the_rules_say() -> None:
    for score_display, shown in ((ScoreDisplay.NEGATIVE, "−30 points"), (ScoreDisplay.COUNTDOWN, "70 points")):
        rules = Rules(score_display=score_display, pass_cycle=[HOLD])
        hands = [Cards(cards) for cards in ("2C", "3C", "4C", "5C")]
        rest = rules.deck - Cards("2C 3C 4C 5C")
        state = set_up(
            rules,
            hands=hands,
            leader=0,
            captured=[rest, Cards(), Cards(), Cards()],
            deal_number=2,
            scores=(30, 1, 9, 12),
        )
        assert shown in words_in(svg.table(state))


@pytest.mark.parametrize("players", range(3, 12))
def test_no_card_lies_upon_a_name(players: int) -> None:
    """The cards of a trick, of a whole one too, are clear of the names and of each other."""
    rules = Rules(players=players, decks=2 if players > 6 else 1, kitty=Kitty.LAST_TRICK, pass_cycle=[HOLD])
    after = played(rules, 9999).state
    assert isinstance(after, AwaitingDeal)
    assert after.last_deal is not None
    state = played(rules, players + 1).state
    for width in (None, 400):
        check_apart(svg.table(after, width=width), 2 * players)
        check_apart(svg.table(view(after, 1), width=width), 2 * players)
        check_apart(svg.trick(after.last_deal.tricks[0], width=width), 2 * players)
        check_apart(svg.table(state, width=width), players + 1)
        check_apart(svg.table(view(state, 1), width=width), players + 1)


@pytest.mark.parametrize("players", range(3, 12))
def test_words_can_be_read_on_a_phone_and_cards_use_the_width(players: int) -> None:
    rules = Rules(players=players, decks=2 if players > 6 else 1, kitty=Kitty.LAST_TRICK, pass_cycle=[HOLD])
    state = played(rules, 0).state
    # With the kitty, six hands are seven rows.
    for width, columns in ((400, 1), (680, 2 if players >= 6 else 1)):
        picture = svg.table(state, width=width)
        root = parsed(picture)
        _, _, wide, high = map(float, root.get("viewBox", "").split())
        assert min([float(text.get("font-size", "0")) for text in root.iter(f"{NS}text")]) * width / wide >= 10
        hands = [name for name in words_in(picture) if name.startswith("Seat")]
        assert len(hands) == 2 * players
        starts = {float(re.findall(r"[\d.]+", part.get("transform", ""))[0]) for part in root[-1]}
        assert len(starts) == columns
        if columns == 2:
            assert high < 950


def check_apart(picture: str, count: int) -> None:
    """There are so many names and cards in the circle of seats, and no two of them overlap."""
    root = parsed(picture)
    (ring,) = [each for each in root.iter(f"{NS}g") if len(each) and each[0].get("fill-opacity") == "0.07"]
    boxes: list[tuple[float, float, float, float]] = []
    for part in ring.findall(f"{NS}g"):
        place = list(map(float, re.findall(r"-?[\d.]+", part.get("transform", ""))))
        scale = place[2] if len(place) > 2 else 1.0
        paper = next(part.iter(f"{NS}rect"))
        wide, high = (float(paper.get(side, "0")) * scale for side in ("width", "height"))
        boxes.append((place[0], place[1], place[0] + wide, place[1] + high))
    assert len(boxes) == count
    _, _, wide, high = map(float, root.get("viewBox", "").split())
    assert all([-wide / 2 <= left and right <= wide / 2 for left, _, right, _ in boxes])
    assert max([box[3] for box in boxes]) - min([box[1] for box in boxes]) < high
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


# --------------------------------------------------------------------------------------------------------- score sheets


def test_a_score_sheet_has_a_row_for_each_deal() -> None:
    over = play_match(presets.omnibus(6), [uniform] * 6, seed=1)
    picture = svg.score_sheet(over)
    written = words_in(picture)
    at = written.index("1")
    for number, row in enumerate(over.score_sheet, 1):
        assert written[at] == str(number)
        assert [int(cell.replace("−", "-")) for cell in written[at + 1 : at + 7]] == list(row.points)
        at += 7
    assert written[-7:] == ["Total", *map(str, over.scores)]
    assert sum([row.shooter is not None for row in over.score_sheet]) == told(picture)[1].count("shot the moon") > 0


def test_a_long_score_sheet_is_drawn_from_its_end() -> None:
    rules = Rules(target=None, max_deals=70)
    over = play_match(rules, [uniform] * 4, seed=1)
    sheet = over.score_sheet
    written = words_in(svg.score_sheet(over))
    at = written.index("1 to 40")
    assert written[at + 1 : at + 5] == list(map(str, sheet.head(40).totals))
    assert written[at + 5] == "41"
    assert len(written) == 5 + 5 * 32
    assert "69" in words_in(svg.score_sheet(sheet, rows=69))
    assert "1" in words_in(svg.score_sheet(sheet, rows=69)), "of one deal there is no first and last"
    assert len(words_in(svg.score_sheet(sheet, rows=70))) == 5 + 5 * 71


def test_the_changes_of_a_sheet_add_up_to_its_totals() -> None:
    """Also where totals count down, are shown negative, or are reset."""
    for rules in (
        Rules(score_display=ScoreDisplay.COUNTDOWN),
        Rules(score_display=ScoreDisplay.NEGATIVE),
        presets.catsatcards(4),
    ):
        over = play_match(rules, [uniform] * 4, seed=5)
        numbers = [
            int(word.replace("−", "-")) for word in words_in(svg.score_sheet(over)) if re.fullmatch(r"−?\d+", word)
        ]
        *rows, totals = [numbers[at : at + 5] for at in range(0, len(numbers) - 4, 5)] + [numbers[-4:]]
        start = display_score(rules, 0)
        assert [start + sum([row[1 + seat] for row in rows]) for seat in range(4)] == totals


def test_teams_and_winners_are_named() -> None:
    picture = svg.score_sheet(OVER, names=("Ann", "Bob", "Cleo", "Dan"))
    assert words_in(picture)[:9] == ["Deal", "Ann", "team 1", "Bob", "team 2", "Cleo", "team 1", "Dan", "team 2"]
    assert told(picture)[1].endswith("Won by Ann and Cleo.")


def test_a_sheet_alone_and_an_empty_one() -> None:
    assert words_in(svg.score_sheet(ScoreSheet((5, -6, 7), 3)))[4:8] == ["1 to 3", "5", "−6", "7"]
    assert words_in(svg.score_sheet(new_game(Rules())))[-5:] == ["Total", "0", "0", "0", "0"]


# ------------------------------------------------------------------------------------------------------ what is refused

HOSTILE = '<script>alert(1)</script> & "quotes" \0\x1b\ufffe\ud800\n'


def test_whatever_players_are_called_is_only_text() -> None:
    names = [HOSTILE, "", "x" * 10_000, "丹尼尔" * 10]
    for picture in (
        svg.table(FOUR, names=names),
        svg.trick(FOUR.tricks[0], names=names),
        svg.score_sheet(FOUR, names=names),
    ):
        root = parsed(picture)
        assert {part.tag.removeprefix(NS) for part in root.iter()} <= {
            *("svg", "title", "desc", "rect", "ellipse", "circle", "path", "g", "text")
        }
        assert max(map(len, words_in(picture))) < 40
    assert told(svg.card(None, label=HOSTILE))[0] == '<script>alert(1)</script> & "quotes" \ufffd\ufffd\ufffd\ufffd'


BAD: dict[str, tuple[Callable[[], object], list[tuple[str, tuple[str, ...]]]]] = {
    "size": (lambda: svg.card(Card("QS"), width=0), [("out-of-range", ("width",))]),
    "no number": (lambda: svg.hand((), width=float("nan")), [("out-of-range", ("width",))]),
    "huge": (lambda: svg.table(FOUR, width=10**5000), [("out-of-range", ("width",))]),
    "sign": (lambda: svg.card(Card("QS"), sign="x" * 10_000), [("too-long", ("signs", "QS"))]),
    "cards": (
        lambda: svg.hand(Cards("2C"), dimmed=Cards("2C 2C"), raised=Cards("QS")),
        [("not-drawn", ("dimmed",)), ("not-drawn", ("raised",))],
    ),
    "dimmed": (lambda: svg.table(view(FOUR, 0), dimmed=[Card("2C")]), [("not-drawn", ("dimmed",))]),
    "names": (
        lambda: svg.table(FOUR, names=["Ann"], first=4, width=-1),
        [("out-of-range", ("width",)), ("out-of-range", ("first",)), ("wrong-number-of-names", ("names",))],
    ),
    "rows": (lambda: svg.score_sheet(FOUR, rows=0), [("out-of-range", ("rows",))]),
    "too many names": (lambda: svg.trick([], names=["Ann"] * 12), [("wrong-number-of-names", ("names",))]),
    "no names": (lambda: svg.trick([Play(0, Card("2C"))], names=()), [("wrong-number-of-names", ("names",))]),
    "seats": (
        lambda: svg.trick([Play(0, Card("2C")), Play(0, Card("3C")), Play(11, Card("4C"))]),
        [("seat-twice", ("plays", "1")), ("no-such-seat", ("plays", "2"))],
    ),
    "a winner": (
        lambda: svg.trick(Trick(0, (Play(0, Card("2C")), Play(1, Card("3C"))), 7)),
        [("no-such-seat", ("plays", "winner"))],
    ),
    "a reference": (lambda: svg.Colours(felt="url(http://example.org/x)"), [("no-such-colour", ("felt",))]),
    "half a colour": (lambda: svg.Colours(red="#12345"), [("no-such-colour", ("red",))]),
    "a long colour": (lambda: svg.Colours(red="#" * 10**6), [("no-such-colour", ("red",))]),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_drawn_is_refused_at_its_place(name: str) -> None:
    call, problems = BAD[name]
    with pytest.raises(InvalidPicture) as caught:
        call()
    assert [(problem.code, problem.fields) for problem in caught.value.problems] == problems
    assert caught.value.code == "invalid-picture"
    assert isinstance(caught.value, ValueError)
    assert len(str(caught.value)) <= 2000


def test_cards_may_be_named_and_drawn_more_often_than_any_deck_has_them() -> None:
    queens = [Card("QS")] * 3
    assert faces(svg.hand(queens, dimmed=queens)) == ["queen of spades"] * 3
    with pytest.raises(InvalidPicture, match="dimmed has QS, but the picture does not show it"):
        svg.hand(queens[:1], dimmed=queens)
    with pytest.raises(InvalidPicture, match="dimmed has QS"):
        svg.table(view(FOUR, 0), dimmed=queens)


def test_of_equal_cards_of_a_table_as_many_are_dimmed_as_are_named() -> None:
    rules = Rules(decks=2, players=8, pass_cycle=[()])
    state = apply(new_game(rules), deal(new_game(rules), seed=3))
    assert isinstance(state, Playing)
    face = next(card for card in rules.deck if sum(card in hand for hand in state.hands) == 2)
    for times in (0, 1, 2):
        assert veils(svg.table(state, dimmed=[face] * times)) == times


def test_every_code_of_a_refusal_is_on_the_page() -> None:
    page = (pictures.ROOT / "docs/reference/violations.md").read_text(encoding="utf-8")
    text = page.partition("### Problems of pictures")[2].partition("###")[0]
    for _, problems in BAD.values():
        for code, _ in problems:
            assert f"`{code}`" in text


def test_the_same_arguments_give_the_same_picture() -> None:
    assert svg.table(FOUR) == svg.table(apply_again(FOUR))
    assert isinstance(svg.table(FOUR), svg.Picture)
    assert svg.table(FOUR)._repr_svg_() == svg.table(FOUR)


def apply_again(state: State) -> State:
    """An equal state that shares nothing with it."""
    again: State = GAME.at(0)
    for move in GAME.moves:
        again = apply(again, move)
    assert again == state
    return again
