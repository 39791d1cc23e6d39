"""A deliberately naive reference model of Hearts, written from the rules in docs/reference/rules.md alone.

It shares no code with the package under test (it imports nothing of it): that is its whole worth as an oracle.
Everything is lists, strings and dicts, and nothing is clever or fast. A card is a string such as ``"2C"``, ``"TD"``,
``"QS"`` or ``"AH"``; with two decks equal strings simply occur twice. Numbered sections are those of that page.

The rules are duck-typed: any object with the options as attributes, already normalised and valid, will do.
"""

from __future__ import annotations

from copy import copy
from itertools import combinations
from typing import Any

SUITS = "CDSH"
RANKS = "23456789TJQKA"

Move = tuple[Any, ...]
Plays = list[tuple[int, str]]
Tricks = list[tuple[int, list[tuple[int, str]], int | None]]


# ----------------------------------------------------------------------------------------------------------- cards


def sort_key(card: str) -> tuple[int, int]:
    return (SUITS.index(card[1]), RANKS.index(card[0]))


def in_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=sort_key)


def rank(card: str) -> int:
    return RANKS.index(card[0])


def suit(card: str) -> str:
    return card[1]


def is_heart(card: str) -> bool:
    return card[1] == "H"


def without(cards: list[str], taken: list[str]) -> list[str]:
    """The cards less the taken ones, one copy for each."""
    rest = list(cards)
    for card in taken:
        rest.remove(card)
    return rest


def deck(rules: Any) -> list[str]:
    """The cards in play: all decks less the removed cards."""
    everything: list[str] = []
    for _ in range(rules.decks):
        for letter in SUITS:
            for figure in RANKS:
                everything.append(figure + letter)
    return in_order(without(everything, [str(card) for card in rules.removed]))


def hand_size(rules: Any) -> int:
    if rules.hand_size is not None:
        return int(rules.hand_size)
    return len(deck(rules)) // int(rules.players)


def penalty_value(rules: Any, card: str) -> int:
    """What the card costs whoever captures it if nobody has shown any (bonus cards and the doubler count elsewhere)."""
    value = 0
    if is_heart(card):
        value += rules.heart_values[rank(card)]
    if card == "QS":
        value += rules.queen_points
    for extra_card, points in rules.extra_penalties:
        if str(extra_card) == card:
            value += points
    return value


def is_penalty(rules: Any, card: str) -> bool:
    return penalty_value(rules, card) > 0


def bonus_points(rules: Any, card: str) -> int:
    """What the card takes off the score of whoever captures it, if nobody has shown it."""
    for bonus in rules.bonuses:
        if str(bonus.card) == card:
            return int(bonus.points)
    return 0


def is_scoring(rules: Any, card: str) -> bool:
    """A penalty card, a heart of whatever value, or a bonus card."""
    return is_penalty(rules, card) or is_heart(card) or bonus_points(rules, card) > 0


def times(card: str, exposed: list[str]) -> int:
    """How often the card counts: twice if it was shown, a heart if any heart was."""
    if is_heart(card):
        return 2 if any(is_heart(other) for other in exposed) else 1
    return 2 if card in exposed else 1


def card_points(rules: Any, pile: list[str], exposed: list[str]) -> int:
    """What the cards cost whoever captures them, once these cards have been shown."""
    return sum(penalty_value(rules, card) * times(card, exposed) for card in pile)


# ----------------------------------------------------------------------------------------------------------- sides


def side_of(rules: Any, seat: int) -> int:
    """The team of a seat, or the seat itself where everybody plays for themselves."""
    if rules.teams:
        return int(seat % rules.teams)
    return seat


def dealer_of(rules: Any, deal_number: int) -> int:
    return int((rules.first_dealer + deal_number) % rules.players)


def seats_from_dealers_left(rules: Any, dealer: int) -> list[int]:
    return [(dealer + 1 + k) % rules.players for k in range(rules.players)]


def side_totals(rules: Any, totals: list[int]) -> dict[int, int]:
    sums: dict[int, int] = {}
    for seat in range(rules.players):
        side = side_of(rules, seat)
        sums[side] = sums.get(side, 0) + totals[seat]
    return sums


# --------------------------------------------------------------------------------------------------------- passing


def choose_gifts(cards: list[str], counts: list[int]) -> set[tuple[tuple[str, ...], ...]]:
    """Every way to make gifts of these sizes, in order, out of the cards."""
    if not counts:
        return {()}
    found: set[tuple[tuple[str, ...], ...]] = set()
    for gift in set(combinations(in_order(cards), counts[0])):
        for others in choose_gifts(without(cards, list(gift)), counts[1:]):
            found.add((gift,) + others)
    return found


def receiver_of(rules: Any, giver: int, offset: int, decliners: list[int]) -> int:
    """Whom a gift ends with, going on by the same offset over all who declined; it may be the giver."""
    receiver = (giver + offset) % rules.players
    while receiver in decliners:
        receiver = (receiver + offset) % rules.players
    return int(receiver)


# -------------------------------------------------------------------------------------------------------- exposure


def choose_shown(rules: Any, hand: list[str]) -> set[tuple[str, ...]]:
    """Every way to show some of the exposable cards of a hand, or none."""
    exposable = [str(card) for card in rules.exposable]
    mine = in_order([card for card in hand if card in exposable])
    return {choice for size in range(len(mine) + 1) for choice in combinations(mine, size)}


# ------------------------------------------------------------------------------------------------------ legal plays


def lowest_holder(hands: list[list[str]], letter: str, order: list[int]) -> int:
    """The first seat in this order that holds the lowest card of the suit that is in any hand."""
    lowest = in_order([card for hand in hands for card in hand if suit(card) == letter])[0]
    for seat in order:
        if lowest in hands[seat]:
            return seat
    raise AssertionError("somebody holds the lowest card")


def opening_leader(rules: Any, hands: list[list[str]], dealer: int, queen_taker: int | None) -> int:
    """Who leads first; `queen_taker` captured the queen of spades in the deal before, if anybody did."""
    order = seats_from_dealers_left(rules, dealer)
    kind = rules.opening_leader.name
    if kind == "DEALER_LEFT":
        return order[0]
    if kind == "QUEEN_TAKER":
        return lowest_holder(hands, "S", order) if queen_taker is None else queen_taker
    assert kind == "LOWEST_CLUB"
    return lowest_holder(hands, "C", order)


def only_hearts_and_queen(hand: list[str]) -> bool:
    return all(is_heart(card) or card == "QS" for card in hand)


def hearts_lead_stage(rules: Any, hand: list[str], hearts_broken: bool) -> list[str]:
    """What may be led as far as the rule about leading hearts goes."""
    kind = rules.hearts_lead.name
    if hearts_broken or kind == "ANY_TIME":
        return list(hand)
    if kind == "POINTS_WHEN_BROKEN":
        harmless = [card for card in hand if not is_heart(card) and not is_penalty(rules, card)]
        if rules.heart_lead_spares_queen and harmless == ["QS"] * len(harmless) and only_hearts_and_queen(hand):
            return list(hand)
        return harmless if harmless else list(hand)
    assert kind == "WHEN_BROKEN"
    if rules.heart_lead_spares_queen and only_hearts_and_queen(hand):
        return list(hand)
    others = [card for card in hand if not is_heart(card)]
    return others if others else list(hand)


def opening_stage(rules: Any, hand: list[str], hearts_broken: bool) -> list[str]:
    """What may be led to the very first trick of a deal."""
    kind = rules.opening_card.name
    if kind == "UNRESTRICTED":
        return list(hand)
    if kind == "ANY":
        return hearts_lead_stage(rules, hand, hearts_broken)
    clubs = in_order([card for card in hand if suit(card) == "C"])
    if kind == "LOWEST_CLUB" and clubs:
        return [card for card in clubs if card == clubs[0]]
    if kind == "ANY_CLUB" and clubs:
        return clubs
    harmless = [card for card in hand if not is_penalty(rules, card)]
    return harmless if harmless else list(hand)


def higher_card_lies_there(rules: Any, card: str, trick: Plays) -> bool:
    """Whether a higher card of its suit lies in the trick and is not cancelled."""
    table = [played for _, played in trick]
    for played in table:
        cancelled = rules.duplicates.name == "CANCEL" and table.count(played) == 2
        if suit(played) == suit(card) and rank(played) > rank(card) and not cancelled:
            return True
    return False


def must_be_played(rules: Any, card: str, hand: list[str], trick: Plays) -> bool:
    """Whether this compulsory card, being legal, leaves only itself and others like it."""
    kind = rules.compulsory.name
    if kind == "NO":
        return False
    if kind == "ALWAYS":
        return True
    if not trick:
        return False
    if kind == "NOT_LEAD":
        return True
    led = suit(trick[0][1])
    cannot_follow = all(suit(held) != led for held in hand)
    if kind == "DISCARD":
        return cannot_follow
    assert kind == "SAFE"
    return cannot_follow or (suit(card) == led and higher_card_lies_there(rules, card, trick))


def spares_the_queen(rules: Any, hand: list[str], first_trick: bool, hearts_broken: bool) -> bool:
    """Whether the hand is hearts and Q♠ only, and either may be led before hearts are broken."""
    if hearts_broken or not rules.heart_lead_spares_queen or rules.hearts_lead.name == "ANY_TIME":
        return False
    if rules.hearts_lead.name == "POINTS_WHEN_BROKEN" and is_penalty(rules, "QS"):
        return False
    if first_trick and rules.opening_card.name != "ANY":
        return False
    return "QS" in hand and only_hearts_and_queen(hand)


def held_back(
    rules: Any,
    card: str,
    hand: list[str],
    legal: list[str],
    trick: Plays,
    first_trick: bool,
    hearts_broken: bool,
    exposed: list[str],
    suits_led: list[str],
) -> bool:
    """Whether a card of the hand was shown and has to wait, with these cards left by the stages before."""
    if rules.exposed_card_play.name == "FREE" or card not in exposed or suit(card) in suits_led:
        return False
    if trick and suit(trick[0][1]) != suit(card):
        return False
    if rules.exposed_card_play.name == "WAIT_ON_LEAD" and not trick:
        if card == "QS" and spares_the_queen(rules, hand, first_trick, hearts_broken):
            return False
        return any(other not in exposed or suit(other) in suits_led for other in legal)
    return any(suit(other) == suit(card) and other not in exposed for other in legal)


def first_trick_without_scoring_cards(rules: Any, cards: list[str]) -> list[str]:
    """The cards that score nothing; without any, the bonus cards; without these either, all but the hearts."""
    harmless = [card for card in cards if not is_scoring(rules, card)]
    bonuses = [card for card in cards if bonus_points(rules, card) > 0]
    no_hearts = [card for card in cards if not is_heart(card)]
    return harmless or bonuses or no_hearts or cards


def legal_cards(
    rules: Any,
    hand: list[str],
    trick: Plays,
    first_trick: bool,
    hearts_broken: bool,
    exposed: list[str],
    suits_led: list[str],
) -> list[str]:
    """The stages of section 5, one after the other. A stage that would leave nothing is waived.

    `exposed` are the cards that were shown, `suits_led` the suits of the leads of the earlier tricks.
    """
    legal = list(hand)
    cannot_follow = bool(trick) and all(suit(card) != suit(trick[0][1]) for card in hand)
    if not trick:
        if first_trick:
            legal = opening_stage(rules, legal, hearts_broken)
        else:
            legal = hearts_lead_stage(rules, legal, hearts_broken)
    else:
        led = suit(trick[0][1])
        same_suit = [card for card in legal if suit(card) == led]
        if same_suit:
            legal = same_suit
    known = (first_trick, hearts_broken, exposed, suits_led)
    free = [card for card in legal if not held_back(rules, card, hand, legal, trick, *known)]
    if free:
        legal = free
    if cannot_follow:
        if rules.queen_discard_after_hearts and not hearts_broken:
            no_queen = [card for card in legal if card != "QS"]
            if no_queen:
                legal = no_queen
        if first_trick and rules.first_trick.name == "NO_POINTS":
            harmless = [card for card in legal if not is_penalty(rules, card)]
            if harmless:
                legal = harmless
        if first_trick and rules.first_trick.name == "NO_SCORING":
            legal = first_trick_without_scoring_cards(rules, legal)
        if first_trick and rules.first_trick.name == "NO_HEARTS":
            no_hearts = [card for card in legal if not is_heart(card)]
            if no_hearts:
                legal = no_hearts
    compulsory = [str(card) for card in rules.compulsory_cards]
    due = [card for card in legal if card in compulsory and must_be_played(rules, card, hand, trick)]
    if due:
        legal = due
    return in_order(list(set(legal)))


def breaks_hearts(rules: Any, card: str, trick: Plays) -> bool:
    """Whether the card, played on what already lies in the trick, breaks hearts."""
    discarded = bool(trick) and suit(trick[0][1]) != suit(card)
    if is_heart(card):
        way = rules.hearts_break.name
        return way == "PLAYED" or (way == "NOT_LED" and bool(trick)) or (way == "DISCARDED" and discarded)
    if card != "QS":
        return False
    kind = rules.queen_breaks.name
    if kind == "LED":
        return not trick
    if kind == "DISCARDED":
        return discarded
    return bool(kind == "PLAYED")


# --------------------------------------------------------------------------------------------------------- a trick


def trick_winner(rules: Any, plays: Plays) -> int | None:
    """Who wins a complete trick; None if nobody does (what becomes of a void last trick is not decided here)."""
    cards = [card for _, card in plays]
    led = suit(cards[0])
    if rules.duplicates.name == "CANCEL":
        pairs = {card for card in cards if cards.count(card) == 2}
        if rules.two_pairs_void and len(pairs) >= 2:
            return None
        candidates = [(seat, card) for seat, card in plays if suit(card) == led and card not in pairs]
    else:
        candidates = [(seat, card) for seat, card in plays if suit(card) == led]
    if not candidates:
        return None
    highest = max(rank(card) for _, card in candidates)
    holders = [seat for seat, card in candidates if rank(card) == highest]
    if rules.duplicates.name == "LAST_WINS":
        return holders[-1]
    return holders[0]


def takes_kitty(rules: Any, won: list[str], last_trick: bool) -> bool:
    """Whether winning these cards (trick and cards set aside) brings a kitty that nobody has taken yet."""
    kind = rules.kitty.name
    if kind == "FIRST_TRICK":
        return True
    if kind == "FIRST_POINT":
        return any(is_penalty(rules, card) for card in won)
    if kind == "FIRST_HEART":
        return any(is_heart(card) for card in won)
    if kind == "LAST_TRICK":
        return last_trick
    return False


# --------------------------------------------------------------------------------------------------------- scoring


def must_capture(rules: Any) -> list[str]:
    """What must be captured to shoot the moon; nothing if no card makes one."""
    kind = rules.moon_cards.name
    if kind == "ALL":
        wanted = [card for card in deck(rules) if is_penalty(rules, card)]
    elif kind == "HEARTS_AND_QUEEN":
        wanted = [card for card in deck(rules) if is_heart(card) or card == "QS"]
    elif kind == "EVERY_CARD":
        wanted = deck(rules)
    else:
        assert kind == "HEARTS"
        wanted = [card for card in deck(rules) if is_heart(card)]
    if rules.moon_needs_bonus and wanted:
        wanted += [card for card in deck(rules) if bonus_points(rules, card) and card not in wanted]
    return wanted


def team_of_moon(rules: Any, seat: int) -> list[int]:
    """Who captures a moon together with this seat."""
    if rules.moon_scope.name == "TEAM":
        return [mate for mate in range(rules.players) if side_of(rules, mate) == side_of(rules, seat)]
    return [seat]


def holds_all(pile: list[str], wanted: list[str]) -> bool:
    return all(pile.count(card) >= wanted.count(card) for card in wanted)


def pooled(rules: Any, captured: list[list[str]], seat: int) -> list[str]:
    return [card for mate in team_of_moon(rules, seat) for card in captured[mate]]


def find_shooter(rules: Any, captured: list[list[str]], dealer: int, exposed: list[str]) -> int | None:
    if rules.moon.name == "OFF" or not must_capture(rules):
        return None
    order = seats_from_dealers_left(rules, dealer)
    for seat in order:
        if holds_all(pooled(rules, captured, seat), must_capture(rules)):
            members = [mate for mate in order if mate in team_of_moon(rules, seat)]
            most = max(card_points(rules, captured[mate], exposed) for mate in members)
            for mate in members:
                if card_points(rules, captured[mate], exposed) == most:
                    return mate
    return None


def queens(rules: Any) -> list[str]:
    return [card for card in deck(rules) if card == "QS"]


def queens_belong_to_hearts_moon(rules: Any, captured: list[list[str]], shooter: int) -> bool:
    """Whether a moon of hearts is one of hearts and queens, because who shot holds every queen of spades too."""
    return rules.moon_cards.name == "HEARTS" and holds_all(pooled(rules, captured, shooter), queens(rules))


def is_moon_card(rules: Any, card: str, captured: list[list[str]], shooter: int) -> bool:
    """Whether the card counts as a part of this moon and not for whoever captured it."""
    kind = rules.moon_cards.name
    if kind == "EVERY_CARD":
        return True
    if kind == "ALL":
        return is_penalty(rules, card)
    if is_heart(card):
        return True
    if card != "QS":
        return False
    return kind == "HEARTS_AND_QUEEN" or queens_belong_to_hearts_moon(rules, captured, shooter)


def took_every_trick(rules: Any, tricks: Tricks, seat: int) -> bool:
    """Whether the side of this seat, or one player, took all tricks; one set aside counts for whoever collected it."""
    takers: list[int] = []
    waiting = 0
    for _, _, winner in tricks:
        waiting += 1
        if winner is not None:
            takers += [winner] * waiting
            waiting = 0
    if waiting > 0:
        return False
    if rules.sun_scope.name == "PLAYER":
        return all(taker == takers[0] for taker in takers)
    return all(side_of(rules, taker) == side_of(rules, seat) for taker in takers)


def moon_figure(rules: Any, captured: list[list[str]], shooter: int, sun: bool, exposed: list[str]) -> int:
    """The value of the moon, or of the sun."""
    if sun and rules.sun_points is not None:
        return int(rules.sun_points)
    if rules.moon_points is None:
        moon_cards = [card for card in deck(rules) if is_moon_card(rules, card, captured, shooter)]
        value = card_points(rules, moon_cards, exposed)
    else:
        value = int(rules.moon_points)
        if queens_belong_to_hearts_moon(rules, captured, shooter):
            value += card_points(rules, queens(rules), exposed)
    value *= int(rules.moon_factor)
    return 2 * value if sun else value


def moon_row(
    rules: Any, captured: list[list[str]], shooter: int, effect: str | None, sun: bool, exposed: list[str]
) -> list[int]:
    """The card points after a moon with this effect: what its cards count instead, and the others as ever."""
    value = moon_figure(rules, captured, shooter, sun, exposed)
    opponents = [seat for seat in range(rules.players) if side_of(rules, seat) != side_of(rules, shooter)]
    assert effect in ("OTHERS_UP", "SHOOTER_DOWN", "BOTH", "OTHERS_PAY", "SHOOTER_TO_ZERO", "SHOOTER_WINS")
    others_up = effect in ("OTHERS_UP", "BOTH", "OTHERS_PAY", "SHOOTER_WINS")
    times_down = {"SHOOTER_DOWN": 1, "BOTH": 1, "OTHERS_PAY": len(opponents)}.get(effect, 0)
    after: list[int] = []
    for seat in range(rules.players):
        others = [card for card in captured[seat] if not is_moon_card(rules, card, captured, shooter)]
        points = card_points(rules, others, exposed)
        if others_up and side_of(rules, seat) != side_of(rules, shooter):
            points += value
        if times_down and seat == shooter:
            points -= times_down * value
        after.append(points)
    return after


def score_deal(
    rules: Any,
    before: list[int],
    captured: list[list[str]],
    tricks_won: list[int],
    shooter: int | None,
    effect: str | None,
    sun: bool,
    exposed: list[str],
) -> list[int]:
    """The row of the score sheet: points 1 to 5 of section 9, with the effect of a moon already chosen."""
    seats = range(rules.players)
    row = [card_points(rules, captured[seat], exposed) for seat in seats]

    if shooter is not None:
        row = moon_row(rules, captured, shooter, effect, sun, exposed)

    for seat in seats:
        credit = sum(bonus_points(rules, card) * times(card, exposed) for card in captured[seat])
        if rules.bonus_floor.name == "TOTAL":
            credit = min(credit, max(0, before[seat] + row[seat]))
        elif rules.bonus_floor.name == "DEAL":
            credit = min(credit, max(0, row[seat]))
        row[seat] -= credit

    if rules.doubler is not None:
        for seat in seats:
            for card in captured[seat]:
                if card == str(rules.doubler.card):
                    if any(is_scoring(rules, other) for other in captured[seat]):
                        row[seat] *= rules.doubler.factor * times(card, exposed)
                    else:
                        row[seat] -= rules.doubler.alone * times(card, exposed)

    if shooter is None or rules.no_tricks_bonus_on_moon:
        for seat in seats:
            if tricks_won[seat] == 0:
                row[seat] -= rules.no_tricks_bonus

    if shooter is not None and effect == "SHOOTER_TO_ZERO" and before[shooter] + row[shooter] > 0:
        row[shooter] = -before[shooter]

    if rules.total_floor:
        for seat in seats:
            if row[seat] < 0 and before[seat] + row[seat] < 0:
                row[seat] = -before[seat] if before[seat] > 0 else 0
    return row


def queen_taker(rules: Any, captured: list[list[str]]) -> int | None:
    """Who captured the queen of spades, if just one is in play and somebody did."""
    if len(queens(rules)) == 1:
        for seat in range(rules.players):
            if "QS" in captured[seat]:
                return seat
    return None


def new_totals(rules: Any, before: list[int], row: list[int]) -> list[int]:
    """Points 6 and 7 of section 9: the running totals with the row added, and the exact resets."""
    after: list[int] = []
    for old, points in zip(before, row, strict=True):
        total = old + points
        if points != 0:
            for exact, lower in rules.exact_resets:
                if old + points == exact:
                    total = lower
                    if rules.total_floor and lower < 0:
                        total = min(exact, 0)
        after.append(total)
    return after


def winners_of_game(rules: Any, totals: list[int], deals_played: int, shooter: int | None = None) -> list[int] | None:
    """The winning seats if the game is over after a deal; None if another deal follows."""
    if shooter is not None and rules.moon.name == "SHOOTER_WINS":
        return [seat for seat in range(rules.players) if side_of(rules, seat) == side_of(rules, shooter)]
    sums = side_totals(rules, totals)
    tested = list(totals) if rules.target_scope.name == "PLAYER" else list(sums.values())
    reached = rules.target_test.name in ("REACHED", "EXACT_WINS")
    ended = False
    for total in tested:
        if rules.target is not None and (total > rules.target or (reached and total == rules.target)):
            ended = True
        below = -total
        if rules.bonus_target is not None and (below > rules.bonus_target or (reached and below == rules.bonus_target)):
            ended = True
    if rules.max_deals is not None and deals_played >= rules.max_deals:
        ended = True
    if not ended:
        return None
    best_sides = leading_sides(rules, totals)
    if len(best_sides) > 1 and rules.tie.name == "EXTRA_DEAL":
        return None
    return [seat for seat in range(rules.players) if side_of(rules, seat) in best_sides]


def hit_the_target(rules: Any, totals: list[int], side: int) -> bool:
    """Whether a side wins, or comes first, by a total of exactly the target."""
    if rules.target_test.name != "EXACT_WINS" or rules.target is None:
        return False
    by_player = rules.target_scope.name == "PLAYER"
    if by_player:
        return any(total == rules.target and side_of(rules, seat) == side for seat, total in enumerate(totals))
    return bool(side_totals(rules, totals)[side] == rules.target)


def leading_sides(rules: Any, totals: list[int]) -> list[int]:
    """The sides with the lowest total; of those that hit the target, if any did."""
    sums = side_totals(rules, totals)
    hits = {side: total for side, total in sums.items() if hit_the_target(rules, totals, side)}
    running = hits or sums
    return [side for side in running if running[side] == min(running.values())]


def automatic_effect(rules: Any, shooter: int, after: list[int], deals_played: int) -> str:
    """What a moon does where nobody chooses; `after` are the totals that OTHERS_UP would lead to."""
    kind = str(rules.moon.name)
    if kind not in ("AUTO_SAVE", "AUTO_EXTEND"):
        return kind
    winners = winners_of_game(rules, after, deals_played)
    if kind == "AUTO_EXTEND":
        return "OTHERS_UP" if winners is None else "SHOOTER_DOWN"
    assert kind == "AUTO_SAVE"
    return "OTHERS_UP" if winners is None or shooter in winners else "SHOOTER_DOWN"


def places(rules: Any, totals: list[int]) -> list[tuple[int, list[int]]]:
    """The sides by place, from the best; equal totals share a place, and of these the first seat comes first."""
    sums = side_totals(rules, totals)
    ranks = {side: (0 if hit_the_target(rules, totals, side) else 1, sums[side]) for side in sums}
    order = sorted(sums, key=lambda side: (ranks[side], side))
    return [
        (
            1 + sum(rank < ranks[side] for rank in ranks.values()),
            [seat for seat in range(rules.players) if side_of(rules, seat) == side],
        )
        for side in order
    ]


def shown_total(rules: Any, total: int) -> int:
    """A total as it is shown."""
    kind = rules.score_display.name
    if kind == "NEGATIVE":
        return -total
    if kind == "COUNTDOWN":
        return int(rules.target - total)
    return total


# ------------------------------------------------------------------------------------------------------- the model


class Model:
    """A whole game. Between two deals everything of the finished deal stays readable until `deal` is called."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.phase = "deal"
        self.scores: list[int] = [0] * rules.players
        self.deal_number = 0
        self.dealer = dealer_of(rules, 0)
        self.score_sheet: list[dict[str, Any]] = []
        self.queen_taker: int | None = None
        self.winners: list[int] = []
        self.clear_table()

    def branch(self) -> Model:
        """A copy that can be played on while this one stays as it is."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list):
                setattr(other, name, [item.copy() if isinstance(item, list) else item for item in value])
            elif isinstance(value, (dict, set)):
                setattr(other, name, value.copy())
        return other

    def clear_table(self) -> None:
        players = self.rules.players
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.seat: int | None = None
        self.leader: int | None = None
        self.trick: Plays = []
        self.tricks: Tricks = []
        self.captured: list[list[str]] = [[] for _ in range(players)]
        self.set_aside: list[str] = []
        self.kitty: list[str] = []
        self.kitty_winner: int | None = None
        self.hearts_broken = False
        self.passed: list[list[str]] = [[] for _ in range(players)]
        self.received: list[list[str]] = [[] for _ in range(players)]
        self.shooter: int | None = None
        self.committed: dict[int, tuple[tuple[str, ...], ...]] = {}
        self.exposed: dict[int, tuple[str, ...]] = {}
        self.decided: set[int] = set()
        self.last_to_decide: int | None = None

    # ------------------------------------------------------------------------------------------------- questions

    def pass_plan(self) -> Any:
        """The passing step of this deal."""
        step = self.rules.pass_cycle[self.deal_number % len(self.rules.pass_cycle)]
        return tuple([(self.rules.players // 2 if to == "across" else to, count) for to, count in step])

    def tricks_won(self) -> list[int]:
        winners = [winner for _, _, winner in self.tricks]
        return [winners.count(seat) for seat in range(self.rules.players)]

    def to_act(self) -> set[int]:
        if self.phase == "pass":
            return {seat for seat in range(self.rules.players) if seat not in self.committed}
        if self.phase == "expose":
            waiting = [seat for seat in seats_from_dealers_left(self.rules, self.dealer) if seat not in self.decided]
            return {self.next_to_expose(waiting)} if self.rules.exposure.name.endswith("IN_TURN") else set(waiting)
        if self.phase == "play":
            assert self.seat is not None
            return {self.seat}
        if self.phase == "moon":
            assert self.shooter is not None
            return {self.shooter}
        return set()

    def legal_passes(self, seat: int) -> set[tuple[tuple[str, ...], ...]]:
        barred = [str(card) for card in self.rules.unpassable]
        passable = [card for card in self.hands[seat] if card not in barred]
        if self.any_number():
            sizes = range(1, len(passable) + 1)
            return {()} | {(gift,) for size in sizes for gift in combinations(in_order(passable), size)}
        choices = choose_gifts(passable, [count for _, count in self.pass_plan()])
        if self.rules.pass_optional.name != "NO":
            choices.add(())
        return choices

    def legal_plays(self) -> list[str]:
        assert self.phase == "play"
        assert self.seat is not None
        return legal_cards(
            self.rules,
            self.hands[self.seat],
            self.trick,
            not self.tricks,
            self.hearts_broken,
            self.exposed_cards(),
            [suit(plays[0][1]) for _, plays, _ in self.tricks],
        )

    def exposed_cards(self) -> list[str]:
        """What anybody has shown in this deal."""
        return [card for cards in self.exposed.values() for card in cards]

    def shown(self) -> list[list[str]]:
        """What each seat has shown in this deal."""
        return [list(self.exposed.get(seat, ())) for seat in range(self.rules.players)]

    def legal_moves(self) -> list[Move]:
        if self.phase == "deal":
            raise RuntimeError("a deal is a chance move")
        if self.phase == "pass":
            moves: list[Move] = []
            for seat in sorted(self.to_act()):
                for gifts in sorted(self.legal_passes(seat)):
                    moves.append(("pass", seat, gifts))
            return moves
        if self.phase == "expose":
            return [
                ("expose", seat, cards)
                for seat in sorted(self.to_act())
                for cards in sorted(choose_shown(self.rules, self.may_expose(seat)))
            ]
        if self.phase == "play":
            return [("play", self.seat, card) for card in self.legal_plays()]
        if self.phase == "moon":
            return [("moon", self.shooter, effect) for effect in ("OTHERS_UP", "SHOOTER_DOWN")]
        return []

    # -------------------------------------------------------------------------------------------------- the deal

    def deal(self, hands: list[list[str]], kitty: list[str]) -> None:
        assert self.phase == "deal"
        assert len(hands) == self.rules.players
        assert all(len(hand) == hand_size(self.rules) for hand in hands)
        assert in_order([card for hand in hands for card in hand] + list(kitty)) == deck(self.rules)
        self.clear_table()
        self.hands = [in_order(list(hand)) for hand in hands]
        self.kitty = in_order(list(kitty))
        if self.pass_plan() and not self.shows_first():
            self.phase = "pass"
        else:
            self.start_exposure()

    def apply(self, move: Move) -> None:
        kind, seat, what = move
        assert kind == self.phase
        assert seat in self.to_act()
        if kind == "pass":
            self.apply_pass(seat, what)
        elif kind == "expose":
            self.apply_exposure(seat, what)
        elif kind == "play":
            self.apply_play(seat, what)
        else:
            assert kind == "moon"
            assert what in ("OTHERS_UP", "SHOOTER_DOWN")
            self.write_scores(what)

    # --------------------------------------------------------------------------------------------------- passing

    def apply_pass(self, seat: int, gifts: tuple[tuple[str, ...], ...]) -> None:
        if self.any_number():
            assert not gifts or (len(gifts) == 1 and len(gifts[0]) > 0)
        elif gifts:
            assert [len(gift) for gift in gifts] == [count for _, count in self.pass_plan()]
        else:
            assert self.rules.pass_optional.name != "NO"
        without(self.hands[seat], [card for gift in gifts for card in gift])  # fails if a card is not there
        self.committed[seat] = gifts
        if len(self.committed) == self.rules.players and not self.goes_through_the_middle():
            self.exchange()
            self.start_exposure()

    def any_number(self) -> bool:
        """Whether everybody lays as many cards into the middle as it likes."""
        return self.goes_through_the_middle() and self.pass_plan()[0][1] == 0

    def shows_first(self) -> bool:
        """Whether cards are shown before the pass of this deal, which is made only if nobody has shown any."""
        if not self.pass_plan() or len(self.rules.exposable) == 0 or self.rules.expose_before_pass.name == "NEVER":
            return False
        return self.rules.expose_before_pass.name == "ALWAYS" or self.goes_through_the_middle()

    def goes_through_the_middle(self) -> bool:
        return len(self.pass_plan()) == 1 and self.pass_plan()[0][0] == 0

    def deal_back(self, hands: list[list[str]]) -> None:
        """What lies in the middle comes back, as many cards to each as it laid there."""
        assert self.phase == "pass"
        assert self.goes_through_the_middle()
        assert not self.to_act()
        decliners = [seat for seat in self.committed if not self.committed[seat]]
        nobody_moves = decliners and self.rules.pass_optional.name == "UNANIMOUS"
        assert len(hands) == self.rules.players
        for seat in range(self.rules.players):
            laid = [] if nobody_moves or seat in decliners else list(self.committed[seat][0])
            assert len(hands[seat]) == len(laid)
            self.passed[seat] = in_order(laid)
            self.received[seat] = in_order(list(hands[seat]))
        pile = in_order([card for cards in self.passed for card in cards])
        assert in_order([card for cards in self.received for card in cards]) == pile
        for seat in range(self.rules.players):
            kept = without(self.hands[seat], self.passed[seat])
            self.hands[seat] = in_order(kept + self.received[seat])
        self.start_exposure()

    def exchange(self) -> None:
        decliners = [seat for seat in self.committed if not self.committed[seat]]
        if decliners and self.rules.pass_optional.name == "UNANIMOUS":
            return
        for giver in range(self.rules.players):
            if giver in decliners:
                continue
            for (offset, _), gift in zip(self.pass_plan(), self.committed[giver], strict=True):
                receiver = receiver_of(self.rules, giver, offset, decliners)
                if receiver != giver:
                    self.passed[giver] += gift
                    self.received[receiver] += gift
        for seat in range(self.rules.players):
            self.passed[seat] = in_order(self.passed[seat])
            self.received[seat] = in_order(self.received[seat])
            kept = without(self.hands[seat], self.passed[seat])
            self.hands[seat] = in_order(kept + self.received[seat])

    # -------------------------------------------------------------------------------------------------- exposure

    def start_exposure(self) -> None:
        """Everybody may show cards, or the first lead is due at once where no card may be shown."""
        if len(self.rules.exposable) > 0:
            self.phase = "expose"
        else:
            self.start_play()

    def next_to_expose(self, waiting: list[int]) -> int:
        """Who is next where cards are shown in turn: the seat to the left of the one that has just decided."""
        if self.last_to_decide is None:
            return waiting[0]
        return (self.last_to_decide + 1) % int(self.rules.players)

    def may_expose(self, seat: int) -> list[str]:
        """The cards of a hand that do not lie open yet."""
        return [card for card in self.hands[seat] if card not in self.exposed.get(seat, ())]

    def apply_exposure(self, seat: int, cards: tuple[str, ...]) -> None:
        assert cards in choose_shown(self.rules, self.may_expose(seat))
        self.exposed[seat] = tuple(in_order([*self.exposed.get(seat, ()), *cards]))
        if cards and self.rules.exposure.name.startswith("ROUNDS"):
            self.decided = set()
        self.decided.add(seat)
        self.last_to_decide = seat
        if len(self.decided) == self.rules.players:
            if self.shows_first() and not self.committed and not self.exposed_cards():
                self.phase = "pass"
                self.decided = set()
                self.last_to_decide = None
            else:
                self.start_play()

    # --------------------------------------------------------------------------------------------------- playing

    def start_play(self) -> None:
        self.phase = "play"
        self.leader = opening_leader(self.rules, self.hands, self.dealer, self.queen_taker)
        self.seat = self.leader

    def apply_play(self, seat: int, card: str) -> None:
        assert card in self.legal_plays()
        if breaks_hearts(self.rules, card, self.trick):
            self.hearts_broken = True
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) < self.rules.players:
            self.seat = (seat + 1) % self.rules.players
        else:
            self.finish_trick()

    def finish_trick(self) -> None:
        assert self.leader is not None
        leader = self.leader
        last_trick = all(not hand for hand in self.hands)
        winner = trick_winner(self.rules, self.trick)
        if winner is None and last_trick and self.rules.void_last_trick.name == "LEADER":
            winner = leader

        cards = [card for _, card in self.trick]
        if winner is None:
            self.set_aside = in_order(self.set_aside + cards)
        else:
            won = self.set_aside + cards
            self.set_aside = []
            if self.kitty and self.kitty_winner is None and takes_kitty(self.rules, won, last_trick):
                self.kitty_winner = winner
                won = won + self.kitty
            self.captured[winner] = in_order(self.captured[winner] + won)
        self.tricks.append((leader, self.trick, winner))
        self.trick = []

        if last_trick:
            self.seat = None
            self.leader = None
            self.finish_deal()
        else:
            self.leader = leader if winner is None else winner
            self.seat = self.leader

    # --------------------------------------------------------------------------------------------------- scoring

    def finish_deal(self) -> None:
        self.shooter = find_shooter(self.rules, self.captured, self.dealer, self.exposed_cards())
        if self.shooter is None:
            self.write_scores(None)
        elif self.rules.moon.name == "CHOICE":
            self.phase = "moon"
        else:
            row = self.row_with("OTHERS_UP")
            after = new_totals(self.rules, self.scores, row)
            self.write_scores(automatic_effect(self.rules, self.shooter, after, self.deal_number + 1))

    def is_sun(self) -> bool:
        return bool(
            self.rules.sun and self.shooter is not None and took_every_trick(self.rules, self.tricks, self.shooter)
        )

    def row_with(self, effect: str | None) -> list[int]:
        return score_deal(
            self.rules,
            self.scores,
            self.captured,
            self.tricks_won(),
            self.shooter,
            effect,
            self.is_sun(),
            self.exposed_cards(),
        )

    def write_scores(self, effect: str | None) -> None:
        row = self.row_with(effect)
        self.scores = new_totals(self.rules, self.scores, row)
        self.queen_taker = queen_taker(self.rules, self.captured)
        self.score_sheet.append(
            {
                "points": row,
                "card_points": [card_points(self.rules, pile, self.exposed_cards()) for pile in self.captured],
                "shooter": self.shooter,
                "effect": effect,
                "sun": self.is_sun(),
                "tricks_won": self.tricks_won(),
                "totals": list(self.scores),
                "queen_taker": self.queen_taker,
                "exposed": self.shown() if len(self.rules.exposable) > 0 else [],
            }
        )
        winners = winners_of_game(self.rules, self.scores, self.deal_number + 1, self.shooter)
        self.shooter = None
        if winners is None:
            self.phase = "deal"
            self.deal_number += 1
            self.dealer = dealer_of(self.rules, self.deal_number)
        else:
            self.phase = "over"
            self.winners = winners
