"""A table for a language model: prompts in words, strict answers, reasons for refusals, and counts by option.

    pip install heartsrules && python table.py --rule-sets 200

A player is a function from a prompt to an answer. `Scripted` knows no rules; put a call to a model in its place.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from random import Random

import heartsrules as hearts
from heartsrules.bots import uniform
from heartsrules.play.dealing import chance_to_act
from heartsrules.testing import random_rules
from heartsrules.views import ExposingView, PassingView, PlayingView

Player = Callable[[str], str]
"""A function that answers a prompt with one line."""

FORMS = {
    PassingView: "`pass 2C 3C 4C`; gifts are apart by ` / `; `pass` alone passes nothing. The gifts are: {gifts}.",
    ExposingView: "`show QS AH`; `show` alone shows nothing.",
    PlayingView: "`play QS`.",
}
MOONS = ("others-up", "shooter-down")
MOON_FORM = " or ".join([f"`moon {name}`" for name in MOONS]) + "."
CARDS = re.compile(r"([2-9TJQKA][CDSH]( [2-9TJQKA][CDSH])*)?")


def prompt(seen: hearts.View, refusal: str | None) -> str:
    """Return a prompt with the rules, the seat's view, the form of the answer, and why the last answer was refused."""
    steps = seen.plan if isinstance(seen, PassingView) else ()
    gifts = " / ".join([f"{count or 'any number of'} cards" for _, count in steps])
    lines = ["You play Hearts. The rules:", *hearts.describe(seen.rules), "", "The table:", str(seen), ""]
    lines += [f"You are seat {seen.seat}. Your hand: {getattr(seen, 'hand', '')}"]
    lines += [f"Your answer was refused: {refusal}"] if refusal else []
    form = FORMS.get(type(seen), MOON_FORM).format(gifts=gifts)
    return "\n".join([*lines, f"Answer with one line and nothing else: {form}"])


def parsed(answer: str, seat: int) -> hearts.Move | str:
    """Parse an answer strictly. Return the move, or a description of the mistake."""
    word, _, rest = answer.partition(" ")
    if word == "moon" and rest in MOONS:
        return hearts.ChooseMoon(seat, rest)
    texts = rest.split(" / ") if word == "pass" else [rest]
    if word not in ("pass", "show", "play") or not all([CARDS.fullmatch(text) for text in texts]):
        return f"this is not of the form that was asked for: {answer[:200]!r}"
    try:
        if word == "pass":
            return hearts.Pass(seat, *texts) if rest else hearts.Pass(seat)
        return hearts.Expose(seat, rest) if word == "show" else hearts.Play(seat, rest)
    except ValueError as error:  # not one card to play, or a card three times
        return str(error)


def decide(player: Player, seen: hearts.View, rng: Random, counts: Counter[str], tries: int) -> hearts.Move:
    """Ask a player until it gives a legal answer, or draw a move after too many tries."""
    assert seen.seat is not None
    counts["decisions"] += 1
    refusal = None
    for _ in range(tries):
        move = parsed(player(prompt(seen, refusal)), seen.seat)
        if isinstance(move, str):
            counts["unreadable"] += 1
            refusal = move
            continue
        # The reasons are made of the view, so they tell nothing that the seat may not know.
        reasons = hearts.why_illegal(seen, move)
        if not reasons:
            return move
        counts["illegal"] += 1
        refusal = "; ".join(map(str, reasons))
    counts["given up"] += 1
    return uniform(seen, rng)


def play_deal(rules: hearts.Rules, player: Player, rng: Random, tries: int = 3) -> Counter[str]:
    """Play a deal in a random seat against uniformly random players."""
    own = rng.randrange(rules.players)
    counts: Counter[str] = Counter(deals=1)
    state: hearts.State = hearts.new_game(rules)
    while not state.score_sheet:
        if chance_to_act(state):
            state = hearts.apply(state, hearts.deal(state, rng=rng))
            continue
        seat = min(hearts.to_act(state))
        seen = hearts.view(state, seat)
        move = decide(player, seen, rng, counts, tries) if seat == own else uniform(seen, rng)
        state = hearts.apply(state, move)
    points = state.score_sheet[-1].points
    counts.update({"points": points[own], "of all": sum(points), "seats": rules.players})
    return counts


def measure(player: Player, rule_sets: int, seed: int, tries: int = 3) -> dict[str, Counter[str]]:
    """Play a deal under each of some random rule sets, and return counts by option and value, and in all."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for number in range(rule_sets):
        rng = Random(f"{seed}/{number}")
        rules = random_rules(rng)
        counts = play_deal(rules, player, rng, tries)
        found["all"].update(counts)
        for option in hearts.Rules.OPTIONS:
            value = getattr(rules, option.name)
            usual = "usual" if value == getattr(hearts.Rules(), option.name) else "other"
            found[f"{option.name}={value if option.choices else usual}"].update(counts)
    return dict(sorted(found.items()))


class Scripted:
    """A player without a model. It offers the cards of its hand in turn, whatever the reasons against them."""

    def __init__(self) -> None:
        self.offers = 0

    def __call__(self, text: str) -> str:
        self.offers += 1
        hand = text.partition("Your hand: ")[2].partition("\n")[0].split()
        if "`play" in text:
            return f"play {hand[self.offers % len(hand)]}"
        return "pass " + " ".join(hand[:3]) if "`pass" in text else "show" if "`show" in text else "moon others-up"


def main() -> None:
    """Measure the scripted player, and print its counts for every option."""
    parser = argparse.ArgumentParser(description="Measure a player by option over random rule sets.")
    parser.add_argument("--rule-sets", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name, of in measure(Scripted(), asked.rule_sets, asked.seed).items():
        told = ", ".join([f"{of[kind]} {kind}" for kind in ("deals", "decisions", "illegal", "unreadable", "given up")])
        print(f"{name:36} {of['points'] / of['deals']:6.2f} points, all {of['of all'] / of['seats']:6.2f}; {told}")


if __name__ == "__main__":
    main()
