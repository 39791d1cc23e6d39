"""Faults for the cases of the rulings to find: each is one small change of the engine, and breaks some rulings.

`python -m support.traced` plants one after the other, each in a process of its own, and runs the cases that cite its
rulings. It fails if a ruling has no fault, or if none of its cases notices one. The faults of the naive model, for the
conformance suite, are in `support/faults.py`.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import CodeType
from typing import Final

import attrs

from support import rulings

__all__ = ["FAULTS", "Fault", "hunt"]

SOURCE: Final = rulings.ROOT / "src" / "heartsrules"


@attrs.frozen
class Fault:
    """One change of the engine."""

    name: str
    ids: tuple[str, ...]
    """The rulings that it breaks; each of them has a case that must notice it."""
    module: str
    """A path below the package, without `.py`."""
    old: str
    """A text that the source of the module has once."""
    new: str
    """What stands there instead."""

    @property
    def places(self) -> int:
        """How often the text stands in the module."""
        return (SOURCE / f"{self.module}.py").read_text(encoding="utf-8").count(self.old)


def _fault(name: str, ids: str, module: str, old: str, new: str) -> Fault:
    return Fault(name, tuple([f"HR-{id_}" for id_ in ids.split()]), module, old, new)


_RESOLVED: Final = "rules/resolved"
_LEGALITY: Final = "play/legality"
_TRICKS: Final = "play/tricks"
_SCORING: Final = "play/scoring"
_ENGINE: Final = "play/engine"
_PASSING: Final = "play/passing"
_STATE: Final = "play/state"
_OPENING: Final = "                legal = hand & ~resolved.penalty or hand"
_ELSE: Final = "        else:\n            if resolved.discard_waits and"

# fmt: off
COURSE: Final = (
    # The deal and the pass.
    _fault("the kitty is dealt out again", "1.1", "play/dealing", "_every(pack, dealt, len(pack), 1)",
        "_every(pack, 0, len(pack) - dealt, 1)"),
    _fault("the dealer has the first card", "1.2", "play/dealing", "first: i64 = state.dealer + 1",
        "first: i64 = state.dealer"),
    _fault("the pack is cut", "1.2 ruling.17", "play/dealing", "    players: i64 = resolved.players\n",
        "    players: i64 = resolved.players\n    pack = pack[1:] + pack[:1]\n"),
    _fault("the deal moves to the right", "1.3 first_dealer.2 ruling.33 usual.1", "rules/resolved",
        "(int(self.first_dealer) + deal_number)", "(int(self.first_dealer) - deal_number)"),
    _fault("seat 0 deals first", "first_dealer.1", "rules/resolved", "(int(self.first_dealer) + deal_number)",
        "(deal_number)"),
    _fault("every deal has the same shuffle", "ruling.34", "play/dealing", 'f"deal {state.deal_number}"', '"deal"'),
    _fault("the highest card deals", "ruling.32", "play/dealing", "lowest = min(", "lowest = max("),
    _fault("gifts go the other way", "2.1 pass_cycle.2", _PASSING, "(giver + offset)", "(giver - offset)"),
    _fault("the pass of a hold is asked for", "2.2 usual.2", _ENGINE,
        "    if rules.resolved.sizes_of(state.deal_number) and not", "    if not"),
    _fault("a pass may be made again", "2.3", "play/engine",
        "        return (AlreadyPassed(seat), *reasons) if now.has_moved(seat) else reasons\n",
        "        return reasons\n"),
    _fault("seats pass in turn", "2.4", "play/public",
        "return [seat for seat in range(self.rules.resolved.players) if not self.has_moved(seat)]",
        "return [seat for seat in range(self.rules.resolved.players) if not self.has_moved(seat)][:1]"),
    _fault("cards leave the hand when they are committed", "2.5", "play/engine",
        "        return Passing(state.rules, state.score_sheet, state.hands, state.kitty, commitments)\n",
        "        hands = tuple([hand - sum(move.cards, Cards()) if at == seat else hand for at, hand in "
        "enumerate(state.hands)])\n"
        "        return Passing(state.rules, state.score_sheet, hands, state.kitty, commitments)\n"),
    _fault("cards that stay count as passed", "2.6", _PASSING, "            if to != giver:",
        "            if True:"),
    _fault("the cycle is one step ahead", "pass_cycle.1", "rules/resolved",
        "self.pass_cycle[deal_number % len(self.pass_cycle)]",
        "self.pass_cycle[(deal_number + 1) % len(self.pass_cycle)]"),
    _fault("right is left", "pass_cycle.3 usual.2", "rules/_choices", 'return ((-1, checked_int("count", count)),)',
        'return ((1, checked_int("count", count)),)'),
    _fault("nobody holds with an odd count of players", "dispute.3", "rules/_choices",
        "return (left(), right(), HOLD)", "return (left(), right())"),
    _fault("everybody gets its own cards back", "pass_cycle.4", _PASSING,
        "return laid_cards(rules, commitments), dealt_back", "return dealt_back, dealt_back"),
    _fault("the middle waits for nobody", "pass_cycle.5", _ENGINE,
        "    if state.rules.resolved.through_middle(state.deal_number):\n        return DealingBack",
        "    if False:\n        return DealingBack"),
    _fault("what comes back was not passed", "pass_cycle.6", _PASSING,
        "        return laid_cards(rules, commitments), dealt_back",
        "        kept = tuple([one & other for one, other in zip(laid_cards(rules, commitments), dealt_back)])\n"
        "        laid = tuple([one - other for one, other in zip(laid_cards(rules, commitments), kept)])\n"
        "        return laid, tuple([one - other for one, other in zip(dealt_back, kept)])"),
    _fault("a neighbour sees what a seat got", "pass_cycle.7", "play/view_selection",
        "secrets.received[seat],",
        "secrets.received[seat - 1],"),
    _fault("the dealer is dealt back first", "pass_cycle.8", "play/dealing", "around = [(dealer + 1 + place) % players",
        "around = [(dealer + place) % players"),
    _fault("at least one card must be laid", "pass_cycle.9", _PASSING,
        "optional = rules.pass_optional is not PassOptional.NO or step == ANY_NUMBER",
        "optional = rules.pass_optional is not PassOptional.NO"),
    _fault("any number of cards with two decks", "refused.any-number-with-two-decks", "rules/_problems",
        '        if rules.decks == 2:\n            yield Problem.of("any-number',
        '        if False:\n            yield Problem.of("any-number'),
    _fault("any number of cards may be declined too", "refused.optional-with-any-number", "rules/_problems",
        "        if rules.pass_optional is PassOptional.UNANIMOUS:\n            yield",
        "        if False:\n            yield"),
    _fault("the middle with a gift beside it", "refused.middle-with-gifts", "rules/_problems",
        "if 0 in receivers and len(step) > 1:", "if False:"),
    _fault("everybody may decline", "pass_optional.1 dispute.2", _PASSING,
        "return () if optional else (MayNotDecline(),)",
        "return ()"),
    _fault("every gift goes on as the first one does", "pass_optional.6", _PASSING,
        "        to = (to + offset) % players", "        to = (to + rules.pass_cycle[0][0][0]) % players"),
    _fault("who declined is given cards all the same", "pass_optional.2", _PASSING,
        "    while to in declined:", "    while False:"),
    _fault("those who pass exchange though one declines", "pass_optional.3 pass_optional.5", _PASSING,
        "return not declined or rules.pass_optional is not PassOptional.UNANIMOUS", "return True"),
    _fault("who declined is forgotten", "pass_optional.4", "play/engine",
        "Secrets(state.kitty, passes, passed, received)",
        "Secrets(state.kitty, tuple([move for move in passes if move.cards]), passed, received)"),
    _fault("every card may be passed", "unpassable.1", _PASSING,
        "locked = either(locked, (gift & rules.unpassable).distinct())", "locked = NO_CARDS"),
    _fault("the queen may not be passed", "dispute.1", _PASSING,
        "locked = either(locked, (gift & rules.unpassable).distinct())", 'locked = gift & Cards("QS")'),
    # The exposure.
    _fault("nothing is shown in a hold", "2a.1", _ENGINE, "    if start.rules.resolved.exposable:",
        "    if start.rules.resolved.exposable and start.passes:"),
    _fault("only penalty cards are shown", "exposable.1", "play/exposing",
        "hand.lo & resolved.exposable &", "hand.lo & resolved.exposable & resolved.penalty &"),
    _fault("who holds no such card is not asked", "2a.2 dispute.35 ruling.29", "play/engine",
        "Exposing(start, secrets, hands, (None,) * len(hands))",
        "Exposing(start, secrets, hands, tuple([None if hand.lo & start.rules.resolved.exposable or not "
        "seat else Expose(seat, Cards()) for seat, hand in enumerate(hands)]))"),
    _fault("an exposure may be made again", "2a.3", "play/engine",
        "    if now.has_moved(seat):\n"
        "        return (AlreadyDecided(seat),)\n",
        ""),
    _fault("anything may be shown", "dispute.37", "play/engine",
        " + reasons_against_exposure(\n"
        "            now.rules.resolved, move.cards, now.known_hand(seat), _shown_before(now, seat)\n"
        "        )",
        ""),
    _fault("who showed what is forgotten", "2a.5", "play/view_selection",
        "            state.public,\n            _own(",
        "            replaced(state.public, start=replaced(state.start, exposed=state.rules.resolved.nothing)),\n"
        "            _own("),
    _fault("all show in turn", "exposure.1", _RESOLVED,
        'rules.exposure in (Exposure.IN_TURN, Exposure.ROUNDS_IN_TURN)',
        'True'),
    _fault("in rounds every seat decides once", "exposure.3", _ENGINE, "        if move.cards:\n            # All",
        "        if False:\n            # All"),
    _fault("seat 0 does not decide again", "exposure.5", _ENGINE, "            before = (None,) * len(before)\n",
        "            before = (before[0], *[None] * (len(before) - 1))\n"),
    _fault("all rounds go in turn", "exposure.6", _RESOLVED,
        'rules.exposure in (Exposure.IN_TURN, Exposure.ROUNDS_IN_TURN)',
        'rules.exposure is not Exposure.TOGETHER'),
    _fault("no round goes in turn", "exposure.7", _RESOLVED,
        'rules.exposure in (Exposure.IN_TURN, Exposure.ROUNDS_IN_TURN)',
        'rules.exposure is Exposure.IN_TURN'),
    _fault("a card is shown twice", "exposure.4", "play/exposing", "resolved.exposable & ~exposed.lo",
        "resolved.exposable"),
    _fault("all show together", "exposure.2", _RESOLVED,
        'rules.exposure in (Exposure.IN_TURN, Exposure.ROUNDS_IN_TURN)',
        'False'),
    _fault("where cards are shown first, they are in every deal with a pass", "expose_before_pass.1", _RESOLVED,
        "return [offset for offset, _ in step] == [0]", "return bool(step)"),
    _fault("the pass follows though somebody has shown a card", "expose_before_pass.2", _ENGINE,
        "if not state.before_pass or any(shown_by(state.commitments)):", "if not state.before_pass:"),
    _fault("the first lead follows though nobody has shown a card", "expose_before_pass.3", _ENGINE,
        "if not state.before_pass or any(shown_by(state.commitments)):", "if True:"),
    _fault("nothing is shown after the pass", "expose_before_pass.4", _ENGINE,
        "    if start.rules.resolved.exposable:\n        return Exposing",
        "    if start.rules.resolved.exposable and not (start.passes and start.rules.resolved.shows_before_pass("
        "start.deal_number)):\n        return Exposing"),
    _fault("a shown heart breaks hearts", "2a.7 dispute.36", "play/engine",
        "return Playing(first_trick(start, leader), secrets, hands, leader, (), False)",
        "return Playing(first_trick(start, leader), secrets, hands, leader, (), start.exposed_mask >> 39 != 0)"),
    _fault("a received heart breaks hearts", "6.6", "play/engine",
        "return Playing(first_trick(start, leader), secrets, hands, leader, (), False)",
        "return Playing(first_trick(start, leader), secrets, hands, leader, (), secrets.kitty.lo >> 39 != 0)"),
    # The first lead.
    _fault("the lead is settled before the exchange", "3.1 dispute.4 usual.3", _ENGINE,
        "opening_leader(start.rules.resolved, start.dealer, hands, start.score_sheet.queen_taker)",
        "opening_leader(start.rules.resolved, start.dealer, tuple([hand - gotten + given for hand, given, gotten in "
        "zip(hands, start.passed, start.received)]), start.score_sheet.queen_taker)"),
    _fault("the dealer's left leads where nobody took the queen", "3.2 opening_leader.4 ruling.31", _TRICKS,
        "        return queen_taker\n",
        "        return (dealer + 1) % int(resolved.players) if queen_taker is None else queen_taker\n"),
    _fault("the lowest spade leads though somebody took the queen", "opening_leader.3 ruling.22", _TRICKS,
        "        return queen_taker\n", "        return None\n"),
    _fault("any holder of a club leads", "opening_leader.1", _TRICKS, "    lowest = held & -held\n",
        "    lowest = suit\n"),
    _fault("the dealer leads", "opening_leader.2", _TRICKS,
        "return (dealer + 1) % int(resolved.players) if resolved.opening_leader == C.LEADER_DEALER_LEFT",
        "return dealer if resolved.opening_leader == C.LEADER_DEALER_LEFT"),
    _fault("the search for the lowest card begins with the dealer", "opening_leader.5", _TRICKS,
        "    first = (dealer + 1) % players\n    # Of two", "    first = dealer\n    # Of two"),
    _fault("the lowest club of the deck leads", "ruling.3 dispute.5", _TRICKS, "    lowest = held & -held\n",
        "    lowest = (resolved.deck_lo & suit) & -(resolved.deck_lo & suit)\n"),
    _fault("only the 2C opens", "removed.3 dispute.5 ruling.3", _LEGALITY, "            clubs = hand & C.CLUBS\n",
        "            clubs = hand & 1\n"),
    _fault("any club opens", "5.3 opening_card.1 usual.3 dispute.6", _LEGALITY, "else clubs & -clubs", "else clubs"),
    _fault("the lowest club must open", "opening_card.2", _RESOLVED, "_codes(OpeningCard, \"OPEN_\")",
        "_codes(OpeningCard, \"OPEN_\") | {OpeningCard.ANY_CLUB: OPEN_LOWEST_CLUB}"),
    _fault("a penalty card may open", "opening_card.3 opening_card.6", _LEGALITY, _OPENING,
        "                legal = hand"),
    _fault("a hand of penalty cards may not open", "opening_card.7 ruling.4", _LEGALITY, _OPENING,
        "                legal = hand & ~resolved.penalty"),
    _fault("an opening without clubs keeps the rule on hearts", "opening_card.8 ruling.8", _LEGALITY, _OPENING,
        "                legal = hand & ~(resolved.penalty | resolved.lead_waits) or hand"),
    _fault("a club that costs points may not open", "opening_card.8 ruling.7", _LEGALITY,
        "            clubs = hand & C.CLUBS\n", "            clubs = hand & C.CLUBS & ~resolved.penalty\n"),
    _fault("any card opens where any may that could be led", "opening_card.4 ruling.25", _LEGALITY,
        "    elif first_trick and resolved.opening != C.OPEN_ANY:\n"
        "        if resolved.opening != C.OPEN_UNRESTRICTED:",
        "    elif first_trick:\n        if resolved.opening not in (C.OPEN_UNRESTRICTED, C.OPEN_ANY):"),
    _fault("an unrestricted opening keeps the rule on hearts", "5.4 opening_card.5 ruling.25", _LEGALITY,
        "    elif first_trick and resolved.opening != C.OPEN_ANY:\n",
        "    elif first_trick and resolved.opening not in (C.OPEN_ANY, C.OPEN_UNRESTRICTED):\n"),
    _fault("every lead is as free as the first", "opening_card.9", _LEGALITY,
        "    elif first_trick and resolved.opening != C.OPEN_ANY:\n",
        "    elif (first_trick or resolved.opening == C.OPEN_UNRESTRICTED) and resolved.opening != C.OPEN_ANY:\n"),
    # Following and discarding.
    _fault("nobody has to follow", "4.1 5.2 usual.4", _LEGALITY, "        following = hand & led\n",
        "        following = 0\n"),
    _fault("the highest card must be played", "dispute.17", _LEGALITY, "            legal = following\n",
        "            legal = 1 << (int(following).bit_length() - 1)\n"),
    _fault("who cannot follow must discard a heart", "4.2 usual.4 dispute.15", _LEGALITY, _ELSE,
        "        else:\n            legal = hand & C.HEARTS or hand\n"
        "            if resolved.discard_waits and"),
    _fault("a hand of penalty cards is stuck on the first trick", "5.1 first_trick.5 ruling.4 dispute.9", _LEGALITY,
        "legal & ~C.HEARTS\n                if rest and rest != legal:",
        "legal & ~C.HEARTS\n                if rest != legal:"),
    _fault("points may be thrown on the first trick", "5.13 first_trick.1 usual.4 dispute.7", _RESOLVED,
        "FirstTrick.NO_POINTS: penalty", "FirstTrick.NO_POINTS: 0"),
    _fault("bonus cards are barred from the first trick", "5.14 bonuses.2 dispute.8", _RESOLVED,
        "FirstTrick.NO_POINTS: penalty", "FirstTrick.NO_POINTS: penalty | bonus"),
    _fault("only hearts that cost points are barred from the first trick", "ruling.9 first_trick.2", _RESOLVED,
        "FirstTrick.NO_HEARTS: HEARTS", "FirstTrick.NO_HEARTS: penalty & HEARTS"),
    _fault("no points on the first trick where only hearts are barred", "first_trick.2", _RESOLVED,
        "FirstTrick.NO_HEARTS: HEARTS", "FirstTrick.NO_HEARTS: penalty"),
    _fault("a free first trick is not free", "first_trick.3", _RESOLVED, ".get(rules.first_trick, 0)",
        ".get(rules.first_trick, penalty)"),
    _fault("bonus cards are never barred from the first trick", "first_trick.6", _RESOLVED,
        "FirstTrick.NO_SCORING: penalty | HEARTS | bonus", "FirstTrick.NO_SCORING: penalty | HEARTS"),
    _fault("a hand of scoring cards discards any of them", "first_trick.7", _LEGALITY,
        "rest = legal & resolved.bonus_faces or legal & ~C.HEARTS", "pass"),
    _fault("a queen that is barred goes before a heart", "first_trick.8", _LEGALITY,
        "legal & resolved.bonus_faces or legal & ~C.HEARTS", "hand & resolved.bonus_faces or hand & ~C.HEARTS"),
    _fault("a hand of scoring cards discards the queen before a bonus card", "first_trick.7", _LEGALITY,
        "rest = legal & resolved.bonus_faces or legal & ~C.HEARTS", "rest = legal & ~C.HEARTS"),
    _fault("the ban holds only where clubs are led", "first_trick.4 ruling.5", _LEGALITY,
        "if first_trick and resolved.first_trick_bars:",
        "if first_trick and resolved.first_trick_bars and led & C.CLUBS:"),
    _fault("the queen is thrown before hearts", "5.12 queen_discard_after_hearts.1 dispute.16", _RESOLVED,
        "QUEEN if rules.queen_discard_after_hearts else 0", "0"),
    _fault("the queen waits to follow too", "queen_discard_after_hearts.2", _LEGALITY,
        "            legal = following\n", "            legal = following & ~C.QUEEN or following\n"),
    _fault("a queen alone is never thrown", "queen_discard_after_hearts.3", _LEGALITY,
        "rest = legal & ~resolved.discard_waits\n                if rest and rest != legal:",
        "rest = legal & ~resolved.discard_waits\n                if rest != legal:"),
    _fault("the queen does not wait on the first trick", "queen_discard_after_hearts.4 5.1", _LEGALITY,
        "if resolved.discard_waits and not hearts_broken:",
        "if resolved.discard_waits and not hearts_broken and not first_trick:"),
    # The lead.
    _fault("hearts may be led before they are broken", "5.5 hearts_lead.1 usual.5 dispute.10", _RESOLVED,
        '0 if any_time else HEARTS | (penalty if points_wait else 0)', '0'),
    _fault("only hearts wait for the breaking", "5.6 5.17 hearts_lead.2 dispute.14", _RESOLVED,
        "(penalty if points_wait else 0)", "0"),
    _fault("hearts are never free", "hearts_lead.3", _RESOLVED, "0 if any_time else HEARTS", "HEARTS"),
    _fault("hearts alone may not be led", "5.1 hearts_lead.4 ruling.6", _LEGALITY,
        "        if rest and rest != hand and hand & ~C.HEARTS != resolved.lead_spared:",
        "        if rest != hand and not (rest and hand & ~C.HEARTS == resolved.lead_spared):"),
    _fault("the lone queen is always spared", "5.7 heart_lead_spares_queen.2 ruling.6 dispute.11", _RESOLVED,
        "spares = rules.heart_lead_spares_queen and", "spares ="),
    _fault("the lone queen is never spared", "heart_lead_spares_queen.1 dispute.11", _RESOLVED,
        "QUEEN if spares else 0", "0"),
    _fault("a lone queen that costs nothing is not spared", "heart_lead_spares_queen.3", _RESOLVED,
        "if points_wait and self.values[36]:",
        "if points_wait:"),
    # Shown cards.
    _fault("a shown card may follow at once", "2a.4 5.8 exposable.3 dispute.31", _LEGALITY,
        "            if waiting and resolved.exposed_card_play != C.SHOWN_FREE:\n"
        "                rest = legal & ~waiting",
        "            if False:\n                rest = legal & ~waiting"),
    _fault("a shown card may lead its suit", "5.9 dispute.32", _LEGALITY, "    if waiting and not led and",
        "    if False and"),
    _fault("a shown card waits without another of its suit", "5.10 ruling.27 dispute.31", _LEGALITY,
        "rest = legal & ~waiting\n                if rest and rest != legal:",
        "rest = legal & ~waiting\n                if rest != legal:"),
    _fault("a shown card may not be discarded", "5.11 dispute.33", _LEGALITY, _ELSE,
        "        else:\n            legal = hand & ~waiting or hand\n"
        "            if resolved.discard_waits and"),
    _fault("a discard counts as a lead of its suit", "ruling.26 dispute.34", "play/public",
        "        waiting &= ~trick.plays[0].suit_mask\n",
        "        for play in trick.plays:\n"
        "            waiting &= ~play.suit_mask\n"),
    _fault("a shown card is free on the first trick", "5.19 2a.7", _LEGALITY,
        "rest = legal & ~resolved.first_trick_bars\n", "rest = legal & ~(resolved.first_trick_bars & ~waiting)\n"),
    _fault("every shown card waits", "exposed_card_play.1", _RESOLVED, "_codes(ExposedCardPlay, \"SHOWN_\")",
        "_codes(ExposedCardPlay, \"SHOWN_\") | {ExposedCardPlay.FREE: SHOWN_WAIT_IN_SUIT}"),
    _fault("on the lead a shown card waits for its suit alone", "exposed_card_play.2", _RESOLVED,
        "_codes(ExposedCardPlay, \"SHOWN_\")",
        "_codes(ExposedCardPlay, \"SHOWN_\") | {ExposedCardPlay.WAIT_ON_LEAD: SHOWN_WAIT_IN_SUIT}"),
    _fault("a shown queen waits for hearts that she is spared for", "exposed_card_play.3", _LEGALITY,
        "            waiting &= ~spared\n", "            pass\n"),
    _fault("a spared queen is reason enough for a shown heart to wait", "exposed_card_play.5", _LEGALITY,
        "        if not legal & ~waiting:\n            return 0\n", ""),
    _fault("a shown queen is spared where any card opens", "exposed_card_play.4", _LEGALITY,
        "not hearts_broken and not (first_trick and resolved.opening != C.OPEN_ANY)", "not hearts_broken"),
    # Compulsory cards.
    _fault("nothing is compulsory", "5.15 ruling.15 dispute.15 compulsory_cards.1", _RESOLVED,
        "rules.compulsory_cards.lo if rules.compulsory is not Compulsory.NO else 0", "0"),
    _fault("of several compulsory cards the lowest is due", "5.16 compulsory_cards.2", _LEGALITY,
        "        due = called & legal\n", "        due = called & legal\n        due &= -due\n"),
    _fault("nothing is due that is discarded", "compulsory.1", _LEGALITY,
        "if resolved.compulsory == C.COMPULSORY_NOT_LEAD or not hand & led:",
        "if resolved.compulsory == C.COMPULSORY_NOT_LEAD:"),
    _fault("nothing is due that follows safely", "compulsory.2", _LEGALITY,
        "    return resolved.compulsory_faces & beaten\n", "    return 0\n"),
    _fault("nothing is due that follows", "compulsory.3", _LEGALITY,
        "if resolved.compulsory == C.COMPULSORY_NOT_LEAD or not hand & led:", "if not hand & led:"),
    _fault("nothing is due on lead", "compulsory.4 ruling.15", _LEGALITY,
        "    if resolved.compulsory == C.COMPULSORY_ALWAYS:\n        return resolved.compulsory_faces\n"
        "    if not led:\n", "    if not led:\n"),
    _fault("one safe card makes all due", "compulsory.5", _LEGALITY,
        "    return resolved.compulsory_faces & beaten\n",
        "    return resolved.compulsory_faces if resolved.compulsory_faces & beaten else 0\n"),
    _fault("a cancelled card makes safe", "compulsory.6 ruling.14", _LEGALITY,
        "    if resolved.duplicates == C.CANCEL:\n        over &= ~hi\n", ""),
    _fault("an equal card makes safe", "compulsory.7 ruling.14", _LEGALITY, "    return (over >> 1) & led\n",
        "    return over & led\n"),
)
# fmt: on
# fmt: off
TRICKS: Final = (
    # Breaking hearts.
    _fault("only a discarded heart breaks hearts", "6.1 hearts_break.1 dispute.13 usual.5", _RESOLVED,
        "led = HEARTS if hearts is HeartsBreak.PLAYED else 0\n        followed = HEARTS if hearts in "
        "(HeartsBreak.PLAYED, HeartsBreak.NOT_LED) else 0",
        "led = 0\n        followed = HEARTS if hearts is HeartsBreak.NOT_LED else 0"),
    _fault("any heart breaks hearts", "6.2 hearts_break.2 hearts_break.3", _RESOLVED,
        "led = HEARTS if hearts is HeartsBreak.PLAYED else 0\n        followed = HEARTS if hearts in "
        "(HeartsBreak.PLAYED, HeartsBreak.NOT_LED) else 0", "led = followed = HEARTS"),
    _fault("a heart that is led breaks hearts, though it must not be led", "hearts_break.4", _RESOLVED,
        "led = HEARTS if hearts is HeartsBreak.PLAYED else 0",
        "led = HEARTS if hearts in (HeartsBreak.PLAYED, HeartsBreak.NOT_LED) else 0"),
    _fault("a discarded heart always breaks hearts", "hearts_break.5", _RESOLVED,
        "discarded = 0 if hearts is HeartsBreak.NEVER else HEARTS", "discarded = HEARTS"),
    _fault("hearts that break no hearts keep the queen from breaking them", "hearts_break.6", _RESOLVED,
        "breaks = rules.queen_breaks\n", "breaks = rules.queen_breaks if rules.hearts_break is not HeartsBreak.NEVER "
        "else QueenBreaks.NEVER\n"),
    _fault("the queen breaks no hearts", "6.3 queen_breaks.2 ruling.2", _RESOLVED,
        "led | (QUEEN if breaks in (QueenBreaks.LED, QueenBreaks.PLAYED) else 0)", "led"),
    _fault("the queen always breaks hearts", "queen_breaks.1 dispute.12", _RESOLVED,
        "led | (QUEEN if breaks in (QueenBreaks.LED, QueenBreaks.PLAYED) else 0)", "led | QUEEN"),
    _fault("the queen breaks no hearts when it is discarded", "queen_breaks.3", _RESOLVED,
        "QUEEN if breaks in (QueenBreaks.DISCARDED, QueenBreaks.PLAYED) else 0", "0"),
    _fault("the queen breaks no hearts when it follows", "queen_breaks.4", _RESOLVED,
        "followed | (QUEEN if breaks is QueenBreaks.PLAYED else 0)", "followed"),
    _fault("hearts are broken at the end of the trick", "6.4", _ENGINE,
        "state.hearts_broken or breaks_hearts(resolved, led_suit(trick), move.bit)",
        "state.hearts_broken or len(trick) + 1 == resolved.players and any([play.bit >> 39 for play in trick])"),
    _fault("nothing is broken where hearts may be led", "6.5", _ENGINE,
        "state.hearts_broken or breaks_hearts(resolved, led_suit(trick), move.bit)",
        "state.hearts_broken or (resolved.lead_waits != 0 and breaks_hearts(resolved, led_suit(trick), move.bit))"),
    # The trick.
    _fault("the highest card of any suit wins", "7.1 usual.4", _TRICKS, "    over = lo & led\n    if hi",
        "    over = lo\n    if hi"),
    _fault("the leader captures the trick", "7.2", "play/public",
        "winner is not None and winner == seat:",
        "winner is not None and trick.leader == seat:"),
    _fault("the same seat leads again", "7.3 usual.4", _ENGINE, "    leader = played.leader if last else winner\n",
        "    leader = played.leader\n"),
    _fault("the next seat leads after a void trick", "7.4", "play/engine",
        "PublicDeal(played.start, played.leader, tricks, played.captured, won,",
        "PublicDeal(played.start, (played.leader + 1) % resolved.players, tricks, played.captured, won,"),
    _fault("what is set aside is lost", "7.5", "play/engine",
        "        aside = bag_of(lo, hi)\n",
        "        aside = NO_CARDS\n"),
    _fault("what was set aside counts as a trick", "7.6 ruling.20", _ENGINE, "won[winner] + 1",
        "won[winner] + (2 if aside else 1)"),
    _fault("equal cards do not cancel", "duplicates.1 dispute.27", _TRICKS,
        "    if hi and resolved.duplicates == C.CANCEL:", "    if False:"),
    _fault("somebody wins though all cancel", "duplicates.2 7.4", _TRICKS, "        over &= ~hi\n    # Every",
        "        over = over & ~hi or over\n    # Every"),
    _fault("the first of equal cards wins", "duplicates.3", _TRICKS, "if resolved.duplicates != C.LAST_WINS:",
        "if True:"),
    _fault("only pairs of the suit led void a trick", "two_pairs_void.1", _TRICKS,
        "_TWO_PAIRS_VOID and hi & (hi - 1):", "_TWO_PAIRS_VOID and hi & led & ((hi & led) - 1):"),
    _fault("the leader wins a last trick that is void", "void_last_trick.1", _RESOLVED,
        "rules.void_last_trick is VoidLastTrick.LEADER", "True"),
    _fault("nobody wins a last trick that is void", "void_last_trick.2", _RESOLVED,
        "rules.void_last_trick is VoidLastTrick.LEADER", "False"),
    _fault("there is one deck", "decks.1", _RESOLVED, "bag_of(FULL, FULL if rules.decks == 2 else 0) - rules.removed",
        "bag_of(FULL, 0) - rules.removed"),
    _fault("equal cards are two moves", "decks.2", "play/stateless",
        "return bag_of(playable(rules.resolved, bag.lo, led, first, broken, beaten, waiting, None), 0)",
        "return bag_of(playable(rules.resolved, bag.lo, led, first, broken, beaten, waiting, None), bag.hi)"),
    _fault("nothing is removed", "removed.1", _RESOLVED,
        "bag_of(FULL, FULL if rules.decks == 2 else 0) - rules.removed",
        "bag_of(FULL, FULL if rules.decks == 2 else 0)"),
    _fault("what is left over is nobody's", "removed.2", _RESOLVED, "return hand, total - hand * rules.players",
        "return hand, 0"),
    _fault("all cards are dealt out", "hand_size.1", _RESOLVED,
        "total // rules.players if rules.hand_size is None else rules.hand_size", "total // rules.players"),
    # The kitty.
    _fault("the kitty is taken again and again", "8.1", _TRICKS, "position >= 0 and kitty_waits and takes_kitty",
        "position >= 0 and takes_kitty"),
    _fault("the first trick brings no kitty", "8.1 kitty.1", _TRICKS,
        "    if resolved.kitty == C.KITTY_FIRST_TRICK:\n        return True\n",
        "    if resolved.kitty == C.KITTY_FIRST_TRICK:\n        return last\n"),
    _fault("only a heart brings the kitty", "kitty.2", _RESOLVED, "KITTY_FIRST_POINT: penalty",
        "KITTY_FIRST_POINT: HEARTS"),
    _fault("any penalty card brings the kitty", "kitty.3", _RESOLVED, "KITTY_FIRST_HEART: HEARTS",
        "KITTY_FIRST_HEART: penalty"),
    _fault("the first trick brings the kitty of the last", "kitty.4", _TRICKS,
        "    if resolved.kitty == C.KITTY_LAST_TRICK:\n        return last\n",
        "    if resolved.kitty == C.KITTY_LAST_TRICK:\n        return True\n"),
    _fault("what was set aside brings no kitty", "8.2", _TRICKS, "takes_kitty(resolved, lo, last)",
        "takes_kitty(resolved, masks_of(plays)[0], last)"),
    _fault("the kitty is laid away", "8.3", "play/public",
        "        return with_item(public.captured, taker, public.captured[taker] + kitty)\n",
        "        return public.captured\n"),
    _fault("the kitty counts as a trick", "8.4", _ENGINE, "won[winner] + 1", "won[winner] + (2 if takes else 1)"),
    _fault("the last trick brings any kitty", "8.5 ruling.23", _TRICKS,
        "    return won & resolved.kitty_marks != 0\n", "    return last or won & resolved.kitty_marks != 0\n"),
    _fault("a moon needs no card that nobody took", "8.6 ruling.23", _SCORING,
        "if not (resolved.moon_lo & ~lo or resolved.moon_hi & ~hi):", "if not resolved.moon_lo & ~lo:"),
    _fault("nobody sees the kitty", "kitty_shown_to.1 dispute.26", "play/view_selection",
        "    if public is not None and public.kitty_winner == seat and "
        "public.start.rules.kitty_shown_to is _TAKER:\n",
        "    if False:\n"),
    _fault("a kitty that nobody sees is not taken", "kitty_shown_to.2", "play/engine",
        "    if takes:\n"
        "        taker = winner\n",
        '    if takes and played.start.rules.kitty_shown_to.name != "NOBODY":\n'
        "        taker = winner\n"),
)
# fmt: on
_MOON_TEST: Final = "if not (resolved.moon_lo & ~lo or resolved.moon_hi & ~hi):"
# fmt: off
SCORE: Final = (
    _fault("every penalty card costs one", "9.1 usual.6", _SCORING, "points += each.points * int(popcount(faces))",
        "points += int(popcount(faces))"),
    _fault("every heart costs one", "heart_values.1", _RESOLVED, "enumerate(rules.heart_values[:13], 39)",
        "enumerate([1] * 13, 39)"),
    _fault("the queen always costs 13", "queen_points.1", _RESOLVED, "values[36] = rules.queen_points",
        "values[36] = 13"),
    _fault("extra penalties are forgotten", "extra_penalties.1", _RESOLVED, "        values[card.index] += points\n",
        "        values[card.index] += 0\n"),
    _fault("an extra penalty makes no penalty card", "extra_penalties.2", _RESOLVED, "if values[card.index] > 0)",
        "if values[card.index] > 0 and (card.bit & HEARTS or card.index == 36))"),
    _fault("a heart that costs nothing is a penalty card", "heart_values.3 ruling.8", _RESOLVED,
        "if values[card.index] > 0)", "if values[card.index] > 0 or card.bit & HEARTS)"),
    _fault("a queen that costs nothing is a penalty card", "queen_points.2", _RESOLVED, "if values[card.index] > 0)",
        "if values[card.index] > 0 or card.index == 36)"),
    _fault("a heart that costs nothing may be led", "heart_values.2 ruling.8", _RESOLVED,
        '0 if any_time else HEARTS |', '0 if any_time else HEARTS & penalty |'),
    _fault("only penalty cards are scoring cards", "5.18", _RESOLVED,
        'self.penalty | self.bonus_faces | (deck.lo & HEARTS)', 'self.penalty'),
    _fault("what is shown counts once", "2a.6 9.2 9.3 9.4 exposable.2 ruling.28 dispute.36", _RESOLVED,
        "[value * 2 if card.bit & doubled else value for", "[value for"),
    _fault("a shown heart doubles only itself", "9.3 exposable.2 ruling.28", "play/exposing",
        "    if exposed_mask & C.HEARTS:\n", "    if False:\n"),
    _fault("a shown card doubles a moon that is fixed", "9.4 ruling.28", _RESOLVED, "rules.moon_points or sum(",
        "(2 if doubled else 1) * (rules.moon_points or 0) or sum("),
    _fault("a shown bonus card counts once", "9.5", _RESOLVED, "each.points * (2 if each.card.bit & doubled else 1)",
        "each.points"),
    _fault("a shown doubler counts once", "9.6", _RESOLVED, "doubler.factor * times", "doubler.factor"),
    # The moon.
    _fault("nobody shoots the moon", "9.7 moon.1 usual.6 dispute.21", _SCORING,
        "    if resolved.moon == C.MOON_OFF:\n        return -1\n", "    return -1\n"),
    _fault("the moon is always shot", "moon.6", _RESOLVED, "MOON_CODES[rules.moon] if moon else MOON_OFF",
        "MOON_CODES[rules.moon] or MOON_OTHERS_UP"),
    _fault("a moon needs no bonus card", "9.8 moon_needs_bonus.1 dispute.18", _RESOLVED,
        "moon | (self.bonus_faces if moon and rules.moon_needs_bonus else 0)", "moon"),
    _fault("a moon takes the bonus cards too", "bonuses.3 moon_needs_bonus.1 dispute.18", _RESOLVED,
        "moon | (self.bonus_faces if moon and rules.moon_needs_bonus else 0)", "moon | self.bonus_faces"),
    _fault("a moon goes by the points", "9.9 ruling.24", _SCORING, _MOON_TEST,
        "if card_points(resolved, lo, hi) >= 26:"),
    _fault("the other penalty cards are free in a moon", "9.10 moon_cards.5", _RESOLVED,
        'self.penalty & ~moon', '0'),
    _fault("a partner pays for the moon", "moon.1", _SCORING, "            elif number % sides != side:\n",
        "            elif number != shooter:\n"),
    _fault("the shooter goes up", "moon.2 dispute.20", _SCORING, "                points -= down\n",
        "                points += down\n"),
    _fault("the others go down", "moon.1 usual.6", _SCORING,
        "                points += up\n            seat.points",
        "                points -= up\n            seat.points"),
    _fault("nobody chooses", "moon.3", _RESOLVED, "_codes(Moon, \"MOON_\")",
        "_codes(Moon, \"MOON_\") | {Moon.CHOICE: MOON_OTHERS_UP}"),
    _fault("a moon is never saved", "moon.4 dispute.24", _RESOLVED, "_codes(Moon, \"MOON_\")",
        "_codes(Moon, \"MOON_\") | {Moon.AUTO_SAVE: MOON_OTHERS_UP}"),
    _fault("a moon is saved though the shooter wins", "moon.4", _RESOLVED, "_codes(Moon, \"MOON_\")",
        "_codes(Moon, \"MOON_\") | {Moon.AUTO_SAVE: MOON_AUTO_EXTEND}"),
    _fault("a moon never extends the game", "moon.5", _RESOLVED, "_codes(Moon, \"MOON_\")",
        "_codes(Moon, \"MOON_\") | {Moon.AUTO_EXTEND: MOON_OTHERS_UP}"),
    _fault("an automatic moon looks at the target alone", "moon.7 ruling.16", _SCORING,
        "winners is None or (resolved.moon",
        "max([seat.after for seat in board.seats]) < resolved.target or (winners and resolved.moon"),
    _fault("a moon never does both", "moon.8", _RESOLVED, "_codes(Moon, \"MOON_\")",
        "_codes(Moon, \"MOON_\") | {Moon.BOTH: MOON_OTHERS_UP}"),
    _fault("the others pay once", "moon.9", _SCORING, "down = value * (len(seats) - len(seats) // sides)",
        "down = value"),
    _fault("a total is not taken to 0", "moon.10 9.16", _SCORING,
        "                seat.points = min(seat.points, -seat.total)\n", "                pass\n"),
    _fault("a total to 0 costs the others", "moon.10", _SCORING,
        "if effect == C.MOON_SHOOTER_DOWN or effect == C.MOON_SHOOTER_TO_ZERO:", "if effect == C.MOON_SHOOTER_DOWN:"),
    _fault("a moon without cards is shot", "moon.13", _RESOLVED, "MOON_CODES[rules.moon] if moon else MOON_OFF",
        "MOON_CODES[rules.moon]"),
    _fault("a total below 0 is raised to 0", "moon.12", _SCORING, "seat.points = min(seat.points, -seat.total)",
        "seat.points = -seat.total"),
    _fault("a moon never wins the game", "moon.11 10.9", _SCORING,
        "    if shooter >= 0 and resolved.moon == C.MOON_SHOOTER_WINS:\n", "    if False:\n"),
    _fault("every penalty card is never the moon", "moon_cards.1", _RESOLVED,
        "    if rules.moon_cards is MoonCards.ALL or", "    if"),
    _fault("hearts alone make the moon", "moon_cards.2", _RESOLVED,
        "(HEARTS if rules.moon_cards is MoonCards.HEARTS else HEARTS | QUEEN)", "HEARTS"),
    _fault("hearts alone never make the moon", "moon_cards.3 dispute.22", _RESOLVED,
        "(HEARTS if rules.moon_cards is MoonCards.HEARTS else HEARTS | QUEEN)", "(HEARTS | QUEEN)"),
    _fault("the queen never counts for a moon of hearts", "moon_cards.4 moon_points.2", _RESOLVED,
        "deck.lo & QUEEN & ~moon if rules.moon_cards is MoonCards.HEARTS else 0", "0"),
    _fault("every card is every penalty card", "moon_cards.6", _RESOLVED, "        return deck.lo\n",
        "        return penalty\n"),
    _fault("the moon counts once", "moon_factor.1", _RESOLVED, "self.moon_near * rules.moon_factor", "self.moon_near"),
    _fault("the queen of a moon counts once", "moon_factor.2", _RESOLVED, "self.queens_value * rules.moon_factor",
        "self.queens_value"),
    _fault("moon_points is forgotten", "moon_points.1", _RESOLVED, "rules.moon_points or sum(", "sum("),
    _fault("partners shoot together", "moon_scope.1 dispute.25", _RESOLVED,
        "sides_of(rules) if rules.moon_scope is MoonScope.TEAM else", "sides_of(rules) if True else"),
    _fault("of a team, the first one shoots", "moon_scope.2", _SCORING,
        "    return min(side, key=lambda seat: (-in_piles[seat], (seat - dealer - 1) % players))",
        "    return side[0]"),
    _fault("the sun is a moon", "sun.1 dispute.23", _SCORING, "board.sun = _is_sun(resolved, board)",
        "board.sun = False"),
    _fault("the sun is for a team's tricks", "sun_scope.2", _RESOLVED, "rules.sun_scope is MoonScope.PLAYER", "False"),
    _fault("the sun is for one player's tricks", "sun_scope.1", _RESOLVED,
        "rules.sun_scope is MoonScope.PLAYER", "True"),
    _fault("partners who shoot together never have one player's sun", "sun_scope.3", _SCORING,
        "    if not sun_allows(", "    if len(resolved.moon_sides) < resolved.sun_groups or not sun_allows("),
    _fault("one player's sun is not the partner's", "sun_scope.4", _SCORING,
        "            elif number % sides != side:\n", "            elif number % sides != side or board.sun:\n"),
    _fault("the sun has no value of its own", "sun_points.1", _RESOLVED, "rules.sun_points or 0", "0"),
    _fault("the queen comes on top of the sun", "sun_points.3", _SCORING,
        "            value = resolved.sun_value or value * 2\n",
        "            value = resolved.sun_value and resolved.sun_value + resolved.moon_queens_value or value * 2\n"),
    _fault("the factor multiplies the sun", "sun_points.2", _RESOLVED, "rules.sun_points or 0",
        "(rules.sun_points or 0) * rules.moon_factor"),
    _fault("a trick left over at the end does not hide the sun", "ruling.19", _SCORING,
        "    return popcount(lo) + popcount(hi) == popcount(resolved.deck_lo) + popcount(resolved.deck_hi) "
        "- untaken\n", "    return True\n"),
    _fault("the sun needs every trick to be won", "sun.2 ruling.19", _SCORING,
        "    return popcount(lo) + popcount(hi) == popcount(resolved.deck_lo) + popcount(resolved.deck_hi) "
        "- untaken\n", "    return sum([seat.won for seat in board.seats]) == resolved.hand_size\n"),
    # Bonuses, the doubler, floors.
    _fault("bonus cards are forgotten", "9.11 bonuses.1 bonuses.4 dispute.19", _SCORING,
        "points += each.points * int(_copies(seat, each.faces))", "points += 0"),
    _fault("a heart that is a bonus card never counts twice", "bonuses.6", _RESOLVED,
        "Valued(each.points * (2 if each.card.bit & doubled else 1)",
        "Valued(each.points * (2 if each.card.bit & doubled & ~HEARTS else 1)"),
    _fault("a bonus card counts once", "bonuses.1", _SCORING,
        "points += each.points * int(_copies(seat, each.faces))",
        "points += each.points * min(1, int(_copies(seat, each.faces)))"),
    _fault("a shooter's bonus cards count nothing", "bonuses.4 dispute.19", _SCORING, "            if seat.bonus:\n",
        "            if seat.bonus and int(seat.seat) != shooter:\n"),
    _fault("only the first bonus card counts", "bonuses.5 ruling.12", _RESOLVED,
        "each.card.bit) for each in rules.bonuses\n", "each.card.bit) for each in rules.bonuses[:1]\n"),
    _fault("a bonus always has a floor", "bonus_floor.1", _SCORING, "    if floor == C.FLOOR_NONE:\n",
        "    if False:\n"),
    _fault("the deal has no floor", "bonus_floor.2", _RESOLVED, "_codes(BonusFloor, \"FLOOR_\")",
        "_codes(BonusFloor, \"FLOOR_\") | {BonusFloor.DEAL: FLOOR_NONE}"),
    _fault("the floor of the total is that of the deal", "bonus_floor.3 9.11", _SCORING,
        "base = total if floor == C.FLOOR_TOTAL else 0", "base = 0"),
    _fault("a floor raises a score", "bonus_floor.4", _SCORING,
        "return min(points, max(base + points - bonus, 0) - base)", "return max(base + points - bonus, 0) - base"),
    _fault("the bonus for no tricks stops at 0", "bonus_floor.5 no_tricks_bonus.2 9.13 ruling.11", _SCORING,
        "                seat.points -= resolved.no_tricks_bonus\n",
        "                seat.points = max(seat.points - resolved.no_tricks_bonus, 0)\n"),
    _fault("nothing is doubled", "9.12 doubler.1 ruling.13", _RESOLVED, "doubler.factor * times", "times"),
    _fault("two doublers double once", "doubler.2", _SCORING, "                if copies == 2:\n",
        "                if False:\n"),
    _fault("the doubler alone counts nothing", "doubler.3", _SCORING,
        "seat.points -= resolved.doubler_alone * copies", "seat.points -= 0"),
    _fault("a partner's doubler doubles", "doubler.4 doubler.5 ruling.13", _SCORING,
        "            copies = int(seat.doublers)\n",
        "            copies = sum([int(other.doublers) for other in seats if (other.seat - seat.seat) % "
        "compiled.sides == 0])\n"),
    _fault("no tricks cost points", "9.13 no_tricks_bonus.1", _SCORING,
        "                seat.points -= resolved.no_tricks_bonus\n",
        "                seat.points += resolved.no_tricks_bonus\n"),
    _fault("no tricks bring a bonus on a moon", "no_tricks_bonus_on_moon.1", _SCORING,
        "(shooter < 0 or resolved.switches & _NO_TRICKS_BONUS_ON_MOON)", "True"),
    _fault("totals have no floor", "total_floor.1 9.16", _SCORING,
        "    if resolved.switches & _TOTAL_FLOOR:\n", "    if False:\n"),
    _fault("the floor of totals stops the bonus cards alone", "total_floor.2", _SCORING,
        "    if resolved.switches & _TOTAL_FLOOR:\n",
        "    if resolved.switches & _TOTAL_FLOOR and all([seat.won for seat in seats]):\n"),
    _fault("the floor of totals is that of a side", "total_floor.3", _SCORING,
        "seat.points = max(seat.points, min(-seat.total, 0))",
        "seat.points = max(seat.points, min(-sum([each.total for each in seats if (each.seat - seat.seat) % "
        "compiled.sides == 0]), 0))"),
    _fault("the floor raises a total", "total_floor.4", _SCORING,
        "seat.points = max(seat.points, min(-seat.total, 0))", "seat.points = max(seat.points, -seat.total)"),
    _fault("a reset goes below the floor", "total_floor.5", _RESOLVED,
        "max(lower, min(exact, 0)) if rules.total_floor else lower", "lower"),
    # Totals and the end.
    _fault("a row replaces the totals", "9.14", _SCORING, "    after = total + points\n", "    after = points\n"),
    _fault("totals are never reset", "9.15 exact_resets.1 dispute.29", _SCORING,
        "        return resolved.resets.get(after, after)\n", "        return after\n"),
    _fault("an exact total is reset though nothing was added", "exact_resets.2 ruling.18", _SCORING,
        "    if resolved.resets and points:\n", "    if resolved.resets:\n"),
    _fault("resets lead on", "exact_resets.3 ruling.18", _SCORING,
        "        return resolved.resets.get(after, after)\n",
        "        after = resolved.resets.get(after, after)\n        return resolved.resets.get(after, after)\n"),
    _fault("the target is tested after every trick", "10.1", _ENGINE,
        "    if played.trick_number < resolved.hand_size:\n",
        "    if played.trick_number < compiled.hand_size and not (compiled.target and "
        "max([sum([state.rules.penalty(card) for card in pile]) for pile in played.captured]) >= "
        "compiled.target):\n"),
    _fault("no total ends the game", "10.2 target.1 usual.7 ruling.1 dispute.28", _SCORING,
        "over = over or highest > resolved.target or (highest == resolved.target and not exceeded)",
        "over = over or False"),
    _fault("the target must be exceeded", "target_test.1 ruling.1 usual.7", _RESOLVED,
        "rules.target_test is TargetTest.EXCEEDED", "True"),
    _fault("the target may be reached", "target_test.1", _RESOLVED,
        "rules.target_test is TargetTest.EXCEEDED", "False"),
    _fault("exactly the target is a total like any other", "target_test.2 target_test.3 target_test.6 10.10", _RESOLVED,
        "rules.target if rules.target_test is TargetTest.EXACT_WINS else None", "None"),
    _fault("exactly the target does not end the game", "target_test.2 target_test.7", _RESOLVED,
        "rules.target_test is TargetTest.EXCEEDED", "rules.target_test is not TargetTest.REACHED"),
    _fault("exactly the target comes before a moon that wins", "target_test.4", _SCORING,
        "    if shooter >= 0 and resolved.moon == C.MOON_SHOOTER_WINS:\n",
        "    if shooter >= 0 and resolved.moon == C.MOON_SHOOTER_WINS and resolved.winning_total not in totals:\n"),
    _fault("of several exact totals the first wins", "target_test.5", _SCORING, "ranks = [(side not in exact, total)",
        "ranks = [(side not in exact, side if side in exact else total)"),
    _fault("exactly the bonus target wins", "target_test.7", _SCORING, "if total == resolved.winning_total}",
        "if total in (resolved.winning_total, -resolved.bonus_target)}"),
    _fault("players reach the target", "target_scope.1", _RESOLVED, "rules.target_scope is TargetScope.PLAYER",
        "True"),
    _fault("sides reach the target", "10.2 target_scope.1 ruling.10", _RESOLVED,
        "rules.target_scope is TargetScope.PLAYER", "False"),
    _fault("the lowest player wins", "10.7 target_scope.2 ruling.10", _SCORING,
        "for seat in range(len(totals)) if winners >> seat % sides & 1])",
        "for seat in range(len(totals)) if winners and totals[seat] == min(totals)])"),
    _fault("an automatic moon compares players", "target_scope.3 ruling.10", _SCORING,
        "board.shooter in winners",
        "board.seats[board.shooter].after == min([seat.after for seat in board.seats])"),
    _fault("nothing below 0 ends the game", "10.3 bonus_target.1", _SCORING,
        "over = over or depth > resolved.bonus_target or (depth == resolved.bonus_target and not exceeded)",
        "over = over or False"),
    _fault("what is below 0 need not exceed", "bonus_target.2", _SCORING,
        "(depth == resolved.bonus_target and not exceeded)", "depth == resolved.bonus_target"),
    _fault("one deal more is played", "10.4 max_deals.1", _SCORING, "deals_played >= resolved.max_deals",
        "deals_played > resolved.max_deals"),
    _fault("the game goes on after an extra deal", "tie.3", _SCORING, "deals_played >= resolved.max_deals",
        "deals_played == resolved.max_deals"),
    _fault("there is no last deal", "max_deals.2", "play/engine",
        "        if now.deal_number >= MAX_DEALS:\n"
        "            return (TooManyDeals(),)\n",
        ""),
    _fault("a team's total is that of its last member", "10.5 teams.2", _SCORING,
        "sides[seat % int(resolved.sides)] += total", "sides[seat % int(resolved.sides)] = total"),
    _fault("the highest total wins", "10.6 usual.7", _SCORING, "other < rank", "other > rank"),
    _fault("a tie ends the game", "10.8 tie.1 tie.3", _SCORING,
        "    if winners & (winners - 1) and not resolved.shares_ties:\n", "    if False:\n"),
    _fault("a tie goes on", "10.8 tie.2", _SCORING,
        "    if winners & (winners - 1) and not resolved.shares_ties:\n", "    if winners & (winners - 1):\n"),
    _fault("partners sit side by side", "teams.1", _RESOLVED, "tuple(range(side, rules.players, count))",
        "tuple(range(side * (rules.players // count), (side + 1) * (rules.players // count)))"),
    _fault("totals are shown as they are", "score_display.1", "play/stateless",
        "    if rules.score_display is ScoreDisplay.NEGATIVE:\n"
        "        return -number\n",
        ""),
    _fault("totals are kept as they are shown", "score_display.2", "play/engine",
        "return AwaitingDeal(start.rules, sheet, played) if winners",
        'return AwaitingDeal(start.rules, sheet if start.rules.score_display.name != "NEGATIVE" else '
        "ScoreSheet(tuple([-total for total in score.totals]), sheet.next_deal), played) if winners"),
    # What is refused, and what everybody may conclude.
    _fault("there are as many seats as anybody names", "players.1", _ENGINE,
        "    if not 0 <= seat < players:\n        return (NoSuchSeat(seat, players),)\n", ""),
    _fault("it is everybody's turn", "dispute.30", "play/engine",
        "    early: tuple[Violation, ...] = () if seat == now.turn else (NotYourTurn(seat, now.turn),)\n",
        "    early: tuple[Violation, ...] = ()\n"),
    _fault("plays tell nothing of a hand", "ruling.21 ruling.30", "views/inferring", "            if others >= 0:\n",
        "            if False:\n"),
    _fault("a bonus target ends no game alone", "bonus_target.5", "rules/_problems",
        "        reachable = lowest is None or", "        reachable = rules.target is not None and lowest is None or"),
    _fault("a reset leads to no bonus target", "bonus_target.4 bonus_target.6", "rules/_totals",
        "                lowest = min(lowest, lower)", "                pass"),
    _fault("a floor lets totals fall", "bonus_target.4", "rules/_totals",
        " and rules.bonus_floor is BonusFloor.NONE", ""),
    _fault("void pairs are refused with one deck", "ruling.35", "rules/_problems",
        "if rules.two_pairs_void and rules.decks == 2 and", "if rules.two_pairs_void or"),
    _fault("cards are looked for only where all values are right", "ruling.36", "rules/_problems",
        "    deck = None if \"decks\" in broken else deck_of(rules)\n",
        "    deck = None if broken else deck_of(rules)\n"),
)
# fmt: on


def _refusals() -> Iterator[Fault]:
    """For each refused combination, a constructor of rules that lets it pass."""
    for ruling in rulings.rulings():
        _, _, code = ruling.id.partition("HR-refused.")
        if code:
            yield Fault(
                f"{code} is not refused",
                (ruling.id,),
                "rules/_rules",
                "problems = tuple(problems_of(self))",
                f'problems = tuple([each for each in problems_of(self) if each.code != "{code}"])',
            )


FAULTS: Final[Sequence[Fault]] = (*COURSE, *TRICKS, *SCORE, *_refusals())


# ------------------------------------------------------------------------------------------------------- planting them


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module with a change of its source."""

    def __init__(self, fullname: str, path: str, fault: Fault) -> None:
        super().__init__(fullname, path)
        self.fault = fault

    def get_code(self, fullname: str) -> CodeType:
        """The code of the changed source, past the cache of byte code."""
        source = (self.get_source(fullname) or "").replace(self.fault.old, self.fault.new)
        return compile(source, self.path, "exec", dont_inherit=True)


class _Planter(importlib.abc.MetaPathFinder):
    """Finds the module of a fault, and loads it with the change."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self.wanted = f"heartsrules.{fault.module.replace('/', '.')}"
        self.planted = False

    def find_spec(self, fullname: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:  # noqa: ARG002
        """The changed module; None: it is another one."""
        if fullname != self.wanted:
            return None
        self.planted = True
        source = str(SOURCE / f"{self.fault.module}.py")
        return importlib.machinery.ModuleSpec(fullname, _Loader(fullname, source, self.fault), origin=source)


def _missed(fault: Fault) -> list[str]:
    """The rulings of a fault of which no case notices it. The process is spoiled by it."""
    planter = _Planter(fault)
    sys.meta_path.insert(0, planter)
    found = rulings.noticed(fault.ids)
    assert planter.planted, f"{planter.wanted} was imported before"
    return [id_ for id_ in fault.ids if id_ not in found]


def hunt(faults: Iterable[Fault]) -> Iterator[tuple[Fault, list[str]]]:
    """Each fault with the rulings of which no case notices it.

    Raises:
        RuntimeError: a process ended otherwise than it should.
    """

    def one(fault: Fault) -> tuple[Fault, list[str]]:
        command = [sys.executable, "-m", "support.traced", "--plant", fault.name]
        paths = os.pathsep.join([str(SOURCE.parent), str(rulings.ROOT / "tests")])
        run = subprocess.run(
            command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False
        )
        lines = run.stdout.splitlines()
        if not lines or not lines[-1].startswith("missed:"):
            raise RuntimeError(f"{fault.name}: {run.stdout}{run.stderr}")
        return fault, lines[-1].split()[1:]

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        yield from threads.map(one, faults)


def main() -> int:
    """Plant the faults, and tell what no case notices. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m support.traced", description=__doc__)
    parser.add_argument("--fault", metavar="TEXT", default="", help="only faults with this text in their name or an id")
    parser.add_argument("--sample", type=int, help="so many faults, drawn at random, instead of all")
    parser.add_argument("--seed", default="1", help="of the sample")
    parser.add_argument("--plant", metavar="NAME", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.plant is not None:
        (fault,) = [fault for fault in FAULTS if fault.name == asked.plant]
        print("missed:", *_missed(fault))
        return 0
    faults = [fault for fault in FAULTS if asked.fault in fault.name or asked.fault in fault.ids]
    if asked.sample is not None:
        faults = random.Random(asked.seed).sample(faults, min(asked.sample, len(faults)))
    problems = 0
    for fault, missed in hunt(faults):
        for id_ in missed:
            problems += 1
            print(f"not noticed: {fault.name}: {id_}", flush=True)
    print(f"{len(faults)} faults, which break {len({id_ for fault in faults for id_ in fault.ids})} rulings", end=": ")
    print(f"{problems} times no case notices one" if problems else "each is noticed by a case of each")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
