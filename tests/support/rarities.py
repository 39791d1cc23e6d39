"""Names for the rare situations of the rules, found in a move that was made: statistics and events count them.

They are looked for in the states and in the piles alone, so that counting them tests nothing; whether the engine
treats them rightly is for the comparison with the model and for the worked cases to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import attrs

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    DealScore,
    GameOver,
    Move,
    Passing,
    Play,
    PlayedDeal,
    Playing,
    Rules,
    State,
    Suit,
    Trick,
    score_deal,
    standings,
    trick_winner,
    why_illegal,
)
from heartsrules.rules import (
    BonusFloor,
    Duplicates,
    FirstTrick,
    HeartsLead,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    QueenBreaks,
    QueenCompulsory,
    TargetTest,
    Tie,
    VoidLastTrick,
)
from heartsrules.violations import PointsOnFirstTrick, QueenBeforeHearts, QueenIsCompulsory

__all__ = ["situations"]

QUEEN = Card("QS")


def situations(before: State, move: Move, after: State) -> Iterator[str]:
    """The rare situations that a legal move met or made, by name."""
    if isinstance(before, AwaitingDeal) and isinstance(after, Playing):
        yield from _of_the_lead(after)
    if isinstance(before, Passing) and isinstance(after, Playing):
        yield from _of_the_exchange(before, after)
        yield from _of_the_lead(after)
    if isinstance(before, Playing) and isinstance(move, Play):
        yield from _of_a_play(before, move)
        played = after.deal if isinstance(after, Playing) else None
        if isinstance(after, (AwaitingDeal, ChoosingMoon, GameOver)):
            played = after.last_deal
        if played is not None and played.trick_number > before.trick_number:
            yield from _of_a_trick(before, played)
        if isinstance(after, (AwaitingDeal, ChoosingMoon, GameOver)) and after.last_deal is not None:
            yield from _of_the_end(after.last_deal)
    if isinstance(before, (Playing, ChoosingMoon)) and isinstance(after, (AwaitingDeal, GameOver)):
        yield from _of_the_score(before, after)
    if isinstance(move, ChooseMoon):
        yield f"the shooter chooses {move.effect}"


def _of_the_lead(state: Playing) -> Iterator[str]:
    rules = state.rules
    clubs = [card for hand in state.hands for card in hand.of_suit(Suit.CLUBS)]
    if rules.opening_leader is OpeningLeader.LOWEST_CLUB:
        if any(card < min(clubs) for card in state.kitty.of_suit(Suit.CLUBS)):
            yield "the lowest club lies in the kitty"
        if clubs.count(min(clubs)) > 1:
            yield "two seats hold the lowest club"


def _of_the_exchange(before: Passing, after: Playing) -> Iterator[str]:
    rules = before.rules
    declined = {commitment.seat for commitment in after.passes if not commitment.gifts}
    passers = [commitment for commitment in after.passes if commitment.gifts]
    if declined and passers:
        if rules.pass_optional is PassOptional.UNANIMOUS:
            yield "unanimous: one declines and nothing moves"
        if rules.pass_optional is PassOptional.SKIP:
            ((offset, _),) = before.step
            if any(
                after.passed[passer.seat] and (passer.seat + offset) % rules.players in declined for passer in passers
            ):
                yield "skip: a decliner is left out"
            if any(not after.passed[passer.seat] for passer in passers):
                yield "skip: the cards stay"
    if len(before.step) == rules.players - 1:
        yield "scatter"
    elif len(before.step) > 1:
        yield "several gifts"


def _of_a_play(state: Playing, move: Play) -> Iterator[str]:
    rules = state.rules
    hand = state.hands[state.turn]
    hearts = hand.of_suit(Suit.HEARTS)
    first = state.trick_number == 0
    leading = not state.trick
    following = not leading and bool(hand.of_suit(state.trick[0].card.suit))
    closed = rules.hearts_lead is HeartsLead.WHEN_BROKEN and not state.hearts_broken
    if leading and closed and (not first or rules.opening_card is OpeningCard.ANY):
        if len(hearts) == len(hand):
            yield "only hearts on lead, unbroken"
        elif hearts and len(hearts) + hand.count(QUEEN) == len(hand):
            yield f"only the queen and hearts on lead, {'spared' if rules.heart_lead_spares_queen else 'not spared'}"
    if leading and first and rules.opening_card is not OpeningCard.ANY and not hand.of_suit(Suit.CLUBS):
        yield "the opening leader has no club"
    if not leading and not following:
        if first and rules.first_trick is FirstTrick.NO_POINTS and all(rules.penalty(card) for card in hand):
            yield "only penalty cards on the first trick"
        if rules.queen_discard_after_hearts and not state.hearts_broken and hand.faces() == Cards([QUEEN]):
            yield "queen before hearts, waived"
    reasons = {type(reason) for card in hand.faces() for reason in why_illegal(state, Play(state.turn, card))}
    if QueenIsCompulsory in reasons:
        yield f"queen compulsory, {rules.queen_compulsory}"
        if (
            rules.queen_compulsory is QueenCompulsory.SAFE
            and following
            and sum(play.card in (Card("KS"), Card("AS")) for play in state.trick) == 2
        ):
            yield "queen compulsory, safe, under two high spades"
    if QueenBeforeHearts in reasons:
        yield "queen before hearts"
        if PointsOnFirstTrick in reasons:
            yield "queen before hearts and points on the first trick"
    if PointsOnFirstTrick in reasons:
        yield "points on the first trick"
    if move.card is QUEEN and not state.hearts_broken and rules.queen_breaks is not QueenBreaks.NEVER:
        how = "led" if leading else "followed" if following else "discarded"
        yield f"queen {how} before hearts are broken, {rules.queen_breaks}"


@lru_cache(maxsize=256)
def _with_duplicates(rules: Rules, duplicates: Duplicates) -> Rules:
    return attrs.evolve(rules, duplicates=duplicates, two_pairs_void=False)


def _of_a_trick(before: Playing, played: PlayedDeal) -> Iterator[str]:
    rules = before.rules
    trick: Trick = played.tricks[-1]
    last = len(played.tricks) == rules.cards_per_hand
    if before.set_aside and trick.winner is not None:
        yield "a trick set aside is collected"
    if len({play.card for play in trick.plays}) < rules.players:
        winners = {
            duplicates: trick_winner(_with_duplicates(rules, duplicates), trick.plays) for duplicates in Duplicates
        }
        nobody = trick_winner(rules, trick.plays) is None
        if nobody:
            yield "void by cancellation" if winners[Duplicates.CANCEL] is None else "void by two pairs"
            if len(played.tricks) == 1:
                yield "the first trick is void"
            if last and rules.void_last_trick is VoidLastTrick.LEADER:
                yield "the last trick is void, for its leader"
            elif last:
                yield "the last trick is void, for nobody"
        if winners[Duplicates.FIRST_WINS] != winners[Duplicates.LAST_WINS]:
            yield f"equal highest cards, {rules.duplicates}"
    if played.kitty_taker is not None and before.kitty_taker is None and rules.kitty_size:
        yield f"the kitty is taken, {rules.kitty}"
        if not before.tricks or all(earlier.winner is None for earlier in before.tricks):
            yield f"the kitty is taken with the first trick won, {rules.kitty}"


def _of_the_end(played: PlayedDeal) -> Iterator[str]:
    rules = played.start.rules
    if not rules.kitty_size or played.kitty_taker is not None:
        return
    yield f"the kitty is not taken, {rules.kitty}"
    penalties = rules.penalty_cards
    for pile in played.captured:
        held = pile & penalties
        if held and held != penalties and held + (played.kitty & penalties) == penalties:
            yield "an untaken kitty prevents a moon"


@lru_cache(maxsize=256)
def _without_floor(rules: Rules) -> Rules:
    return attrs.evolve(rules, bonus_floor=BonusFloor.NONE)


def _of_the_score(before: Playing | ChoosingMoon, after: AwaitingDeal | GameOver) -> Iterator[str]:
    rules, played, row = after.rules, after.last_deal, after.deal_scores[-1]
    assert played is not None
    if row.shooter is not None:
        yield from _of_a_moon(rules, played, row)
    elif rules.moon_needs_bonus and any(rules.penalty_cards <= pile for pile in played.captured):
        yield "no moon without the bonus card"
    if rules.bonus_floor is not BonusFloor.NONE and row.shooter is None:
        free = score_deal(
            _without_floor(rules), played.captured, row.tricks_won, before.scores, deal_number=before.deal_number
        )
        if free.points != row.points:
            yield f"the bonus meets its floor, {rules.bonus_floor}"
        if any(pile.count(rules.bonus.card) == 2 for pile in played.captured if rules.bonus):
            yield "both bonus cards in one pile"
    if any(now != then + points for now, then, points in zip(row.totals, before.scores, row.points, strict=True)):
        yield "exact reset"
    exacts = {exact for exact, _ in rules.exact_resets}
    if any(now in exacts and not points for now, points in zip(row.totals, row.points, strict=True)):
        yield "no exact reset of a total that the deal did not change"
    yield from _of_the_result(after, row)


def _of_a_moon(rules: Rules, played: PlayedDeal, row: DealScore) -> Iterator[str]:
    assert row.shooter is not None
    yield f"moon, {rules.moon}: {row.effect}"
    if row.sun:
        yield f"sun: {row.effect}"
    if not rules.penalty_cards <= played.captured[row.shooter]:
        yield "moon by two members of a team together"
        side = rules.sides[rules.side(row.shooter)]
        if sum(row.card_points[seat] == row.card_points[row.shooter] for seat in side) > 1:
            yield "moon by two members of a team with equal points"
        if row.sun:
            yield "sun by two members of a team together"
    if rules.kitty_size and played.kitty & rules.penalty_cards:
        yield "moon with penalty cards of the kitty"
    if rules.no_tricks_bonus and 0 in row.tricks_won:
        yield f"no-tricks bonus on a moon, {'counted' if rules.no_tricks_bonus_on_moon else 'not counted'}"


def _of_the_result(after: AwaitingDeal | GameOver, row: DealScore) -> Iterator[str]:
    rules = after.rules
    played = len(after.deal_scores)
    sides = standings(rules, row.totals)
    highest = sides[-1].total
    if rules.target is not None and highest == rules.target:
        yield f"a total at the target exactly, {rules.target_test}"
    tie = sides[0].total == sides[1].total
    over = (rules.max_deals is not None and played >= rules.max_deals) or (
        rules.target is not None
        and (highest > rules.target or (highest == rules.target and rules.target_test is TargetTest.REACHED))
    )
    if over and tie:
        yield f"a tie at the end, {rules.tie}"
        if isinstance(after, AwaitingDeal) and rules.max_deals == played:
            yield "a tie passes the limit of deals"
    if isinstance(after, AwaitingDeal) and not over and rules.tie is Tie.EXTRA_DEAL:
        earlier = after.deal_scores[-2].totals if played > 1 else None
        if (
            earlier is not None
            and rules.target is not None
            and rules.max_deals is None
            and standings(rules, earlier)[-1].total > rules.target
        ):
            yield "an extra deal leaves the game undecided again"
