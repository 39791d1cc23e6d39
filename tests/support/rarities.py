"""Names for the rare situations of the rules, found in a move that was made: statistics and events count them.

They are looked for in the states and in the piles alone, so that counting them tests nothing; whether the engine
treats them rightly is for the comparison with the model and for the worked cases to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import attrs

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    DealingBack,
    DealScore,
    Expose,
    Exposing,
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
    is_legal,
    score_deal,
    standings,
    trick_winner,
    why_illegal,
)
from heartsrules.play.violations import (
    CardIsCompulsory,
    ExposedCardRestricted,
    HeartsNotBroken,
    PointsOnFirstTrick,
    QueenBeforeHearts,
    Violation,
)
from heartsrules.rules import (
    ANY_NUMBER,
    BonusFloor,
    Compulsory,
    Duplicates,
    ExposedCardPlay,
    Exposure,
    FirstTrick,
    HeartsBreak,
    HeartsLead,
    Moon,
    MoonCards,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    QueenBreaks,
    Seat,
    TargetScope,
    TargetTest,
    Tie,
    VoidLastTrick,
)

__all__ = ["moon_cards", "situations"]

QUEEN = Card("QS")


def situations(before: State, move: Move, after: State) -> Iterator[str]:
    """The rare situations that a legal move met or made, by name."""
    if isinstance(before, AwaitingDeal) and isinstance(after, Playing):
        yield from _of_the_lead(after)
    if isinstance(before, (Passing, DealingBack)) and isinstance(after, (Exposing, Playing)):
        yield from _of_the_exchange(before, after)
    if isinstance(before, Exposing) and isinstance(move, Expose) and move.cards and before.start.exposed_mask:
        yield f"more cards are shown, {before.rules.exposure}"
        if before.start.exposed[move.seat]:
            yield "a seat shows cards in two rounds"
    if isinstance(before, Exposing) and isinstance(after, Playing):
        yield from _of_what_is_shown(after)
    if isinstance(before, (Passing, DealingBack, Exposing)) and isinstance(after, Playing):
        yield from _of_the_lead(after)
    if isinstance(before, Playing) and isinstance(move, Play):
        yield from _of_a_play(before, move)
        played: Playing | PlayedDeal | None = after if isinstance(after, Playing) else None
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
    if rules.opening_leader is OpeningLeader.LOWEST_CLUB:
        yield from _of_the_lowest(state, Suit.CLUBS, "club")
    if rules.opening_leader is OpeningLeader.QUEEN_TAKER:
        taker = state.score_sheet.queen_taker
        if taker is not None:
            yield "the queen taker leads"
            if min(_held(state, Suit.SPADES)) not in state.hands[taker]:
                yield "the queen taker leads, another holds the lowest spade"
        else:
            yield f"the lowest spade leads, {'nobody took the queen' if state.deal_number else 'in the first deal'}"
            yield from _of_the_lowest(state, Suit.SPADES, "spade")


def _held(state: Playing, suit: Suit) -> list[Card]:
    return [card for hand in state.hands for card in hand.of_suit(suit)]


def _of_the_lowest(state: Playing, suit: Suit, name: str) -> Iterator[str]:
    held = _held(state, suit)
    if any(card < min(held) for card in state.kitty.of_suit(suit)):
        yield f"the lowest {name} lies in the kitty"
    if held.count(min(held)) > 1:
        yield f"two seats hold the lowest {name}"


def _of_what_is_shown(after: Playing) -> Iterator[str]:
    rules = after.rules
    cards = [card for bag in after.exposed for card in bag]
    if cards and not after.passes and rules.shows_before_pass(after.deal_number):
        yield "somebody shows, and nobody passes"
    able = [hand & rules.exposable for hand in after.hands]
    yield f"cards may be shown, {rules.exposure}"
    if not cards and any(able):
        yield "nobody shows, though somebody could"
    if not any(able):
        yield "nobody holds a card that may be shown"
    if len(cards) >= 4:
        yield "four cards are shown"
    if any(not card.bit & (rules._resolved.scoring | rules._resolved.doubler) for card in cards):
        yield "a card is shown that counts nothing"
    if any(len(bag) > 1 for bag in after.exposed):
        yield "a seat shows several cards"
    if any(bag and bag != could for bag, could in zip(after.exposed, able, strict=True)):
        yield "a seat shows only some of its cards"
    if rules.exposable & after.kitty:
        yield "an exposable card lies in the kitty"
    if any(bag & received for bag, received in zip(after.exposed, after.received, strict=True)):
        yield "a card is shown that was received"
    in_turn = [after.exposed[(after.dealer + 1 + place) % rules.players] for place in range(rules.players)]
    if rules.exposure is Exposure.IN_TURN and any(in_turn[:-1]) and in_turn[-1]:
        yield "the dealer shows a card after others have"


def _of_the_exchange(before: Passing | DealingBack, after: Exposing | Playing) -> Iterator[str]:
    rules = before.rules
    plan = rules.pass_plan(before.deal_number)
    declined = {commitment.seat for commitment in after.passes if not commitment.cards}
    passers = [commitment for commitment in after.passes if commitment.cards]
    if declined and passers:
        if rules.pass_optional is PassOptional.UNANIMOUS:
            yield "unanimous: one declines and nothing moves"
        if rules.pass_optional is PassOptional.SKIP:
            if any(
                after.passed[passer.seat] and (passer.seat + offset) % rules.players in declined
                for passer in passers
                for offset, _ in plan
            ):
                yield "skip: a decliner is left out"
                if len(plan) > 1:
                    yield "skip: several gifts go on to others"
            if any(not after.passed[passer.seat] for passer in passers):
                yield "skip: the cards stay"
    if rules.shows_before_pass(before.deal_number):
        yield "nobody shows before the pass"
    if plan == ANY_NUMBER:
        yield "any number into the middle"
        if max(map(len, after.passed)) == rules.cards_per_hand:
            yield "any number: a whole hand"
    if isinstance(before, DealingBack):
        yield "through the middle"
        if any([laid & back for laid, back in zip(after.passed, after.received, strict=True)]):
            yield "the middle: a card comes back"
        if len(declined) == rules.players - 1 and any(after.passed):
            yield "the middle: one seat lays alone"
    if len(plan) == rules.players - 1:
        yield "scatter"
    elif len(plan) > 1:
        yield "several gifts"


def _of_a_play(state: Playing, move: Play) -> Iterator[str]:
    rules = state.rules
    hand = state.hands[state.turn]
    hearts = hand.of_suit(Suit.HEARTS)
    first = state.trick_number == 0
    leading = not state.trick
    following = not leading and bool(hand.of_suit(state.trick[0].card.suit))
    bound = leading and not state.hearts_broken and (not first or rules.opening_card is OpeningCard.ANY)
    if bound and rules.hearts_lead is HeartsLead.POINTS_WHEN_BROKEN:
        if all(card.suit is Suit.HEARTS or rules.penalty(card) for card in hand):
            yield "only hearts and penalty cards on lead, unbroken"
        elif hearts and all(card.suit is Suit.HEARTS or card is QUEEN for card in hand):
            yield "only hearts and a worthless queen on lead, unbroken"
            if rules.heart_lead_spares_queen and QUEEN in hand:
                yield "a worthless queen is spared"
    if bound and rules.hearts_lead is HeartsLead.WHEN_BROKEN:
        if len(hearts) == len(hand):
            yield "only hearts on lead, unbroken"
        elif hearts and len(hearts) + hand.count(QUEEN) == len(hand):
            yield f"only the queen and hearts on lead, {'spared' if rules.heart_lead_spares_queen else 'not spared'}"
    free = rules.opening_card in (OpeningCard.ANY, OpeningCard.UNRESTRICTED)
    if leading and first and not free and not hand.of_suit(Suit.CLUBS):
        yield "the opening leader has no club"
    if leading and first and rules.opening_card is OpeningCard.UNRESTRICTED and move.card.suit is Suit.HEARTS:
        yield "a heart opens"
    if not leading and not following:
        if first and rules.first_trick is FirstTrick.NO_POINTS and all(rules.penalty(card) for card in hand):
            yield "only penalty cards on the first trick"
        bonuses = {bonus.card for bonus in rules.bonuses}
        if (
            first
            and rules.first_trick is FirstTrick.NO_SCORING
            and all(card.suit is Suit.HEARTS or rules.penalty(card) or card in bonuses for card in hand)
        ):
            yield "only scoring cards on the first trick"
            if len(hearts) < len(hand):
                kind = "a bonus card" if move.card in bonuses else "a penalty card"
                yield f"only scoring cards on the first trick, {kind} goes first"
        if first and rules.first_trick is FirstTrick.NO_HEARTS:
            if len(hearts) == len(hand):
                yield "only hearts on the first trick"
            elif move.card.suit is not Suit.HEARTS and rules.penalty(move.card):
                yield "a penalty card on the first trick, where no heart may be discarded"
        if rules.queen_discard_after_hearts and not state.hearts_broken and hand.distinct() == Cards([QUEEN]):
            yield "queen before hearts, waived"
    yield from _of_exposed_cards(state, move)
    against = [reason for card in hand.distinct() for reason in why_illegal(state, Play(state.turn, card))]
    yield from _of_compulsory_cards(state, against)
    reasons = {type(reason) for reason in against}
    if QueenBeforeHearts in reasons:
        yield "queen before hearts"
        if PointsOnFirstTrick in reasons:
            yield "queen before hearts and points on the first trick"
    if PointsOnFirstTrick in reasons:
        yield f"points on the first trick, {rules.first_trick}"
    if any(isinstance(reason, HeartsNotBroken) and reason.card.suit is not Suit.HEARTS for reason in against):
        yield "a penalty card waits on lead"
    if move.card.suit is Suit.HEARTS and rules.hearts_break is HeartsBreak.DISCARDED and not state.hearts_broken:
        how = "led" if leading else "followed" if following else "discarded"
        yield f"a heart {how} before hearts are broken, which only a discard breaks"
    if move.card is QUEEN and not state.hearts_broken and rules.queen_breaks is not QueenBreaks.NEVER:
        how = "led" if leading else "followed" if following else "discarded"
        yield f"queen {how} before hearts are broken, {rules.queen_breaks}"


def _of_exposed_cards(state: Playing, move: Play) -> Iterator[str]:
    """What is rare about the cards that the player has shown and still holds."""
    seat = state.turn
    hand = state.hands[seat]
    exposed = hand & state.exposed[seat]
    led_before = {trick.plays[0].card.suit for trick in state.tricks}
    led = state.trick[0].card.suit if state.trick else None
    how = "leading" if led is None else "following"
    free = state.rules.exposed_card_play is ExposedCardPlay.FREE
    for card in exposed:
        beside = hand.of_suit(card.suit) - exposed
        if led is not None and card.suit is not led:
            if move.card is card and card.suit not in led_before:
                yield "a shown card is discarded on another suit"
                if beside and not free:
                    yield "a shown card is discarded that would be held back in its suit"
            continue
        if free:
            if beside and card.suit not in led_before:
                yield f"a shown card waits for nothing, {how}"
            continue
        held = any(isinstance(reason, ExposedCardRestricted) for reason in why_illegal(state, Play(seat, card)))
        if held:
            yield f"a shown card is held back, {how}"
            if not state.tricks:
                yield "a shown card is held back in the first trick"
            if card.suit is Suit.HEARTS and state.hearts_broken:
                yield "a shown heart is held back, though hearts are broken"
            if not beside:
                yield "a shown card is held back, leading, by another suit"
        if card.suit in led_before:
            if beside:
                yield f"a shown card is released by an earlier trick, {how}"
        elif not beside and not held:
            yield f"a shown card is alone in its suit, {how}"
            if len(exposed.of_suit(card.suit)) > 1:
                yield "shown cards are alone in their suit together"
        elif not held and is_legal(state, Play(seat, card)):
            yield "a shown card is free, because what lies beside it may not be played"
    waits = led is None and state.rules.exposed_card_play is ExposedCardPlay.WAIT_ON_LEAD
    if waits and len(hand) > 1 and move.card in exposed and move.card.suit not in led_before:
        yield "nothing but shown cards may be led"


def _of_compulsory_cards(state: Playing, against: list[Violation]) -> Iterator[str]:
    """What is rare about the cards that must be played, by the reasons against the others."""
    rules = state.rules
    hand = state.hands[state.turn]
    cards = [card for card in hand.distinct() if card in rules.compulsory_cards]
    due = next((reason.required for reason in against if isinstance(reason, CardIsCompulsory)), None)
    if due is not None:
        yield f"a compulsory card, {rules.compulsory}"
        if QUEEN not in due:
            yield "a compulsory card that is not the queen"
        if len(due) > 1:
            yield "two compulsory cards to choose from"
    if rules.compulsory is not Compulsory.SAFE or not state.trick or not hand.of_suit(state.trick[0].card.suit):
        return
    table = [play.card for play in state.trick]
    for card in cards:
        over = [other for other in table if other.suit is card.suit is table[0].suit and other > card]
        counting = [other for other in over if rules.duplicates is not Duplicates.CANCEL or table.count(other) == 1]
        if over and not counting:
            yield "a compulsory card, safe, but what is higher is cancelled"
        if len(counting) > 1:
            yield "a compulsory card, safe, under two higher cards"
        if due is not None and card not in due and card.suit is table[0].suit:
            yield "a compulsory card, safe, but another is not"


@lru_cache(maxsize=1024)
def _otherwise(rules: Rules, **changes: Any) -> Rules:
    """The rule set with other values of some options."""
    return attrs.evolve(rules, **changes)


def _of_a_trick(before: Playing, played: Playing | PlayedDeal) -> Iterator[str]:
    rules = before.rules
    trick: Trick = played.tricks[-1]
    last = len(played.tricks) == rules.cards_per_hand
    if before.set_aside and trick.winner is not None:
        yield "a trick set aside is collected"
    if len({play.card for play in trick.plays}) < rules.players:
        winners = {
            duplicates: trick_winner(
                _otherwise(rules, duplicates=duplicates, two_pairs_void=False), trick.plays, last_trick=False
            )
            for duplicates in Duplicates
        }
        nobody = trick_winner(rules, trick.plays, last_trick=False) is None
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
    if played.kitty_winner is not None and before.kitty_winner is None and rules.kitty_size:
        yield f"the kitty is taken, {rules.kitty}"
        if not before.tricks or all(earlier.winner is None for earlier in before.tricks):
            yield f"the kitty is taken with the first trick won, {rules.kitty}"


def _of_the_end(played: PlayedDeal) -> Iterator[str]:
    rules = played.start.rules
    if not rules.kitty_size or played.kitty_winner is not None:
        return
    yield f"the kitty is not taken, {rules.kitty}"
    wanted = moon_cards(rules)
    for pile in played.captured:
        held = pile & wanted
        if held and held != wanted and held + (played.kitty & wanted) == wanted:
            yield "an untaken kitty prevents a moon"


@lru_cache(maxsize=256)
def moon_cards(rules: Rules) -> Cards:
    """The cards of which everyone must be captured for a moon, but for the bonus cards."""
    if rules.moon_cards is MoonCards.ALL:
        return rules.penalty_cards
    if rules.moon_cards is MoonCards.EVERY_CARD:
        return rules.deck
    queen = (QUEEN,) if rules.moon_cards is MoonCards.HEARTS_AND_QUEEN else ()
    return Cards(card for card in rules.deck if card.suit is Suit.HEARTS or card in queen)


def _of_the_score(before: Playing | ChoosingMoon, after: AwaitingDeal | GameOver) -> Iterator[str]:
    rules, played, row = after.rules, after.last_deal, after.score_sheet[-1]
    assert played is not None
    if row.shooter is not None:
        yield from _of_a_moon(rules, played, row)
    elif rules.moon_needs_bonus and any(moon_cards(rules) <= pile for pile in played.captured):
        yield "no moon without the bonus card"
        if len(rules.bonuses) > 1:
            yield "no moon without every bonus card"
    if rules.total_floor:
        yield from _of_the_total_floor(rules, played, before, row)
    yield from _of_a_doubler(rules, played, row)
    for pile in played.captured:
        if sum(bonus.card in pile for bonus in rules.bonuses) > 1:
            yield "different bonus cards in one pile"
    if rules.bonus_floor is not BonusFloor.NONE and row.shooter is None:
        free = score_deal(
            _otherwise(rules, bonus_floor=BonusFloor.NONE),
            played.captured,
            row.tricks_won,
            before.scores,
            deal_number=before.deal_number,
            exposed=played.exposed,
        )
        if free.points != row.points:
            yield f"the bonus meets its floor, {rules.bonus_floor}"
            if any(bonus.card in bag for bag in played.exposed for bonus in rules.bonuses):
                yield "a shown bonus card meets the floor"
        if any(pile.count(bonus.card) == 2 for pile in played.captured for bonus in rules.bonuses):
            yield "both bonus cards in one pile"
    if any(now != then + points for now, then, points in zip(row.totals, before.scores, row.points, strict=True)):
        yield "exact reset"
        if 0 < rules.teams < rules.players:
            yield "exact reset of a partner"
    if rules.moon is not Moon.OFF and not moon_cards(rules):
        yield "no card makes a moon"
    if any(
        bonus.card in pile and bonus.card.suit is Suit.HEARTS for bonus in rules.bonuses for pile in played.captured
    ):
        yield "a heart is a bonus card"
        if any(bag.of_suit(Suit.HEARTS) for bag in played.exposed):
            yield "a heart is a bonus card, and a heart was shown"
    exacts = {exact for exact, _ in rules.exact_resets}
    if any(now in exacts and not points for now, points in zip(row.totals, row.points, strict=True)):
        yield "no exact reset of a total that the deal did not change"
    yield from _of_the_result(after, row)


def _of_the_total_floor(
    rules: Rules, played: PlayedDeal, before: Playing | ChoosingMoon, row: DealScore
) -> Iterator[str]:
    free = score_deal(
        _otherwise(rules, total_floor=False),
        played.captured,
        row.tricks_won,
        before.scores,
        row.effect if rules.moon is Moon.CHOICE else None,
        deal_number=before.deal_number,
        exposed=played.exposed,
    )
    if free.effect is not row.effect:
        return
    for seat, points in enumerate(row.points):
        if points != free.points[seat]:
            yield "the total floor holds"
            if rules.no_tricks_bonus and not row.tricks_won[seat]:
                yield "the total floor holds the bonus for no tricks"
            if seat == row.shooter:
                yield "the total floor holds a moon"
        if row.totals[seat] != free.totals[seat] and points == free.points[seat]:
            yield "the total floor holds a reset"


def _of_a_moon(rules: Rules, played: PlayedDeal, row: DealScore) -> Iterator[str]:
    assert row.shooter is not None
    yield f"moon, {rules.moon}: {row.effect}"
    if row.sun:
        yield f"sun: {row.effect}"
        if rules.sun_points is not None:
            yield "a sun of its own value"
            if rules.moon_factor > 1:
                yield "a sun of its own value, which no factor multiplies"
    elif rules.moon_factor > 1:
        yield "a factor on a moon"
        if any(card in moon_cards(rules) for bag in played.exposed for card in bag):
            yield "a factor on a moon with a shown card"
    takers = {seat for seat, won in enumerate(row.tricks_won) if won}
    if rules.sun and not row.sun and len(takers) > 1 and len({rules.side(seat) for seat in takers}) == 1:
        yield f"partners won every trick, and have no sun of {rules.sun_scope}"
    if row.effect is Moon.SHOOTER_WINS and row.totals[row.shooter] > min(row.totals):
        yield "a moon wins from behind"
    if row.effect is Moon.SHOOTER_TO_ZERO:
        total = row.totals[row.shooter]
        yield "a moon leaves a total below 0" if total < 0 else "a moon takes a total to 0"
    yield from _of_the_cards_of_a_moon(rules, played, row.shooter)
    everything = [card for bag in played.exposed for card in bag]
    if any(card in moon_cards(rules) for card in everything):
        yield f"a shown card in a moon, {row.effect}"
    if rules.moon_points is None and any(card.suit is Suit.HEARTS and rules.penalty(card) for card in everything):
        yield "a shown heart in a moon that counts its cards"
    if rules.moon_cards is MoonCards.HEARTS and QUEEN in everything:
        yield "a shown queen beside hearts that make a moon"
    if not moon_cards(rules) <= played.captured[row.shooter]:
        yield "moon by two members of a team together"
        side = rules.sides[rules.side(row.shooter)]
        if sum(row.card_points[seat] == row.card_points[row.shooter] for seat in side) > 1:
            yield "moon by two members of a team with equal points"
        if row.sun:
            yield "sun by two members of a team together"
    if rules.kitty_size and played.kitty & moon_cards(rules):
        yield "moon with penalty cards of the kitty"
    if rules.no_tricks_bonus and 0 in row.tricks_won:
        yield f"no-tricks bonus on a moon, {'counted' if rules.no_tricks_bonus_on_moon else 'not counted'}"


def _of_the_cards_of_a_moon(rules: Rules, played: PlayedDeal, shooter: Seat) -> Iterator[str]:
    if rules.moon_cards is MoonCards.ALL:
        return
    yield f"moon of {rules.moon_cards}"
    team = rules.sides[rules.side(shooter)] if rules.moon_scope is MoonScope.TEAM else (shooter,)
    pooled = Cards(card for seat in team for card in played.captured[seat])
    made_of = moon_cards(rules)
    if rules.moon_cards is MoonCards.HEARTS and QUEEN in rules.deck:
        if rules.deck.count(QUEEN) == pooled.count(QUEEN):
            yield "moon of hearts, with the queen"
            made_of += Cards([QUEEN] * rules.deck.count(QUEEN))
            if rules.moon_points is not None and rules.penalty(QUEEN):
                yield "moon of hearts, with the queen, which counts on top of moon_points"
        elif QUEEN in pooled:
            yield "moon of hearts, with one queen of two"
        else:
            yield "moon of hearts, without the queen"
    if rules.penalty_cards & pooled - made_of:
        yield "moon beside penalty cards of the shooter's that are not part of it"
    if rules.penalty_cards - (rules.penalty_cards & pooled) - made_of:
        yield "moon beside penalty cards of others that are not part of it"


def _of_a_doubler(rules: Rules, played: PlayedDeal, row: DealScore) -> Iterator[str]:
    doubler = rules.doubler
    if doubler is None:
        return
    bonuses = {bonus.card for bonus in rules.bonuses}
    for seat, pile in enumerate(played.captured):
        copies = pile.count(doubler.card)
        if not copies:
            continue
        alone = not any(card.suit is Suit.HEARTS or rules.penalty(card) or card in bonuses for card in pile)
        kind = "alone" if alone else "multiplies"
        yield f"a doubler {kind}"
        if any(doubler.card in bag for bag in played.exposed):
            yield f"a shown doubler {kind}"
        if copies > 1:
            yield f"two doublers in one pile, {kind}"
        if not alone and row.points[seat] < 0:
            yield "a doubler multiplies less than nothing"
        if not alone and not any(rules.penalty(card) or card in bonuses for card in pile):
            yield "a doubler with worthless hearts only"
        if row.shooter is None:
            continue
        if rules.side(seat) != rules.side(row.shooter) and row.effect is Moon.OTHERS_UP:
            yield f"a doubler {kind} under somebody else's moon"
        elif seat == row.shooter and row.effect is Moon.SHOOTER_DOWN:
            yield "a doubler multiplies a moon"


def _of_the_result(after: AwaitingDeal | GameOver, row: DealScore) -> Iterator[str]:
    rules = after.rules
    played = len(after.score_sheet)
    sides = standings(rules, row.totals)
    teams = [side.total for side in sides]
    tested = list(row.totals) if rules.target_scope is TargetScope.PLAYER else teams
    if rules.target is not None and max(tested) == rules.target:
        yield f"a total at the target exactly, {rules.target_test}"
    if rules.bonus_target is not None and -min(tested) == rules.bonus_target:
        yield f"a total at the bonus target exactly, {rules.target_test}"
    tie = sides[0].place == sides[1].place
    if isinstance(after, GameOver) and sides[0].total > min(teams):
        yield "exactly the target wins"
    limit = rules.max_deals is not None and played >= rules.max_deals
    by_target = _passed(rules, rules.target, max(tested))
    by_bonus_target = _passed(rules, rules.bonus_target, -min(tested))
    over = limit or by_target or by_bonus_target
    if by_bonus_target and not by_target and not limit:
        yield "the bonus target ends the game" if not tie or rules.tie is Tie.SHARED else "a tie at the bonus target"
    if rules.teams and rules.target_scope is TargetScope.PLAYER:
        by_team = _passed(rules, rules.target, max(teams))
        if by_target != by_team:
            one, other = ("player", "team") if by_target else ("team", "player")
            yield f"a {one} passes the target, no {other} does"
        if by_bonus_target != _passed(rules, rules.bonus_target, -min(teams)):
            yield "the bonus target by player and by team differ"
    if over and tie:
        yield f"a tie at the end, {rules.tie}"
        if isinstance(after, AwaitingDeal) and rules.max_deals == played:
            yield "a tie passes the limit of deals"
    if isinstance(after, AwaitingDeal) and not over and rules.tie is Tie.EXTRA_DEAL:
        earlier = after.score_sheet[-2].totals if played > 1 else None
        if (
            earlier is not None
            and rules.target is not None
            and rules.max_deals is None
            and rules.bonus_target is None
            and rules.target_scope is TargetScope.SIDE
            and standings(rules, earlier)[-1].total > rules.target
        ):
            yield "an extra deal leaves the game undecided again"


def _passed(rules: Rules, limit: int | None, total: int) -> bool:
    return limit is not None and (total > limit or (total == limit and rules.target_test is not TargetTest.EXCEEDED))
