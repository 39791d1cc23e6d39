"""Positions worth looking at, and the golden pictures of them; `nox -s generate` writes the files.

Whoever changes how something is drawn looks at all of them: `python -m support.pictures FOLDER` writes pages with the
pictures of every preset and every kind of position, by day and by night, for a browser.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    Exposing,
    GameOver,
    Playing,
    Rules,
    State,
    Suit,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    public_view,
    to_act,
    view,
)
from heartsrules.bots import uniform
from heartsrules.pictures import svg
from heartsrules.play.game import Game
from heartsrules.rules import Kitty
from heartsrules.simulation import play_match

__all__ = ["DOCS", "GOLDEN", "NAMES", "files", "played"]

ROOT: Final = Path(__file__).resolve().parents[2]
GOLDEN: Final = ROOT / "tests" / "data" / "pictures"
DOCS: Final = ROOT / "docs" / "how-to" / "pictures"
LOGO: Final = ROOT / "docs" / "_static" / "logo.svg"
NAMES: Final = ("Ann", "Bartholomew the Great", "Cléo & Co.", "丹尼尔")
TEN: Final = Rules(players=10, decks=2, removed="2C 2C 2D 2D")


def played(rules: Rules, moves: int, seed: str = "table 7") -> Game:
    """A game after the deal and some random moves, or as many as the first deal has."""
    start = new_game(rules)
    game = Game(start).play(deal(start, seed=seed))
    rng = Random(seed)
    for _ in range(moves):
        if not isinstance(game.state, (AwaitingDeal, GameOver)):
            possible = legal_moves(game.state, min(to_act(game.state)))
            game = game.play(possible[rng.randrange(len(possible))])
    return game


def showing(rules: Rules, shown: int, plays: int) -> State:
    """A position of a game in which everybody shows what may be shown, up to some of them."""
    state = played(rules, 0).state
    while isinstance(state, Exposing) and shown:
        state = apply(state, legal_moves(state, state.to_act[0])[-1])
        shown -= 1
    while isinstance(state, Playing) and plays:
        state = apply(state, legal_moves(state)[0])
        plays -= 1
    return state


def golden() -> Iterator[tuple[str, str]]:
    """A few pictures by name, each of which has something that the others do not."""
    four = played(presets.whisthub(), 4 + 18).state
    assert isinstance(four, Playing)
    hand = four.hands[0]
    yield "card", svg.card(Card("TD"), sign="-10", width=120)
    yield "back", svg.card(None, colours=svg.DARK)
    yield "deck", svg.hand(Rules().deck, label="All cards")
    yield "hand", svg.hand(hand, dimmed=list(hand)[:2], raised=list(hand)[-1:], colours=svg.DARK)
    yield "trick", svg.trick(four.tricks[0], names=NAMES)
    yield "state", svg.table(four)
    yield "view", svg.table(view(four, four.turn), names=NAMES, colours=svg.DARK, width=400)
    yield "pass", svg.table(played(Rules(), 2).state)
    yield "ten", svg.table(played(TEN, 10 + 34).state)
    yield "ten-narrow", svg.table(view(played(TEN, 10 + 34).state, 3), width=400)
    yield "showing", svg.table(view(showing(presets.gong_zhu(4), 2, 0), 2))
    yield "kitty", svg.table(view(played(Rules(players=5, kitty=Kitty.FIRST_TRICK), 5 + 8).state, 1))
    yield "large-hands", svg.table(played(Rules(players=3, decks=2, removed="2C 2C"), 3 + 10).state)
    yield "exposed", svg.table(view(showing(presets.gong_zhu(4), 4, 6), 0))
    over = play_match(presets.partner_hearts(), [uniform] * 4, seed=3)
    yield "over", svg.table(over, names=NAMES)
    yield "sheet", svg.score_sheet(over, names=NAMES, rows=10)


def for_the_docs() -> Iterator[tuple[str, str]]:
    """The pictures of the page on drawing; the page has the same calls."""
    state = played(Rules(), 4 + 18).state
    assert isinstance(state, Playing)
    known = view(state, state.turn)
    hand = Cards("4C TC 5D 8D KD 3S QS 2H 9H AH")
    yield "hand", svg.hand(hand, dimmed=hand.of_suit(Suit.HEARTS), raised=[Card("QS")])
    names = ("Ann", "Bob", "Cleo", "Dan")
    yield "view-light", svg.table(known, names=names)
    yield "view-dark", svg.table(known, names=names, colours=svg.DARK)
    yield "trick", svg.trick(state.tricks[-1], names=names, width=360)
    yield "sheet", svg.score_sheet(play_match(presets.omnibus(4), [uniform] * 4, seed=7), names=names)


def files() -> Iterator[tuple[Path, bytes]]:
    """The files as they should be."""
    yield LOGO, svg.hand(Cards("QS AH"), colours=svg.Colours(felt="none"), label="heartsrules").encode()
    for folder, pictures in ((GOLDEN, golden()), (DOCS, for_the_docs())):
        for name, text in pictures:
            yield folder / f"{name}.svg", text.encode()


def everything() -> Iterator[tuple[str, list[str]]]:
    """Pages of pictures by name: each preset by its counts of players, in the middle of a deal and at its end."""
    for preset in presets.ALL.values():
        pictures: list[str] = []
        for players in preset.players:
            rules = preset(players)
            half = 2 * players + rules.cards_per_hand * players // 2
            game = played(rules, half)
            for state in (played(rules, 1).state, game.state, played(rules, 9999).state):
                pictures += [svg.table(state), svg.table(view(state, 1), colours=svg.DARK)]
            over = play_match(rules, [uniform] * players, seed=7, deals=40)
            pictures += [svg.score_sheet(over), svg.table(public_view(over), colours=svg.DARK, width=340)]
        yield preset.name, pictures


def main() -> None:
    """Write the pages."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    style = "display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start"
    for name, pictures in everything():
        page = f'<!doctype html><meta charset="utf-8"><title>{name}</title><body style="{style}">{"".join(pictures)}'
        (folder / f"{name}.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
