"""Play a deal by the client that openapi-python-client makes: python play.py ADDRESS."""

import sys

from heartsrules_client import Client
from heartsrules_client.api.rules import deal, legal_moves, new_game, preset, transition
from heartsrules_client.models import (
    AwaitingDealDocument,
    DealRequest,
    GameOverDocument,
    LegalMovesRequestByState,
    NewGameRequest,
    PresetRequest,
    Refusal,
    TransitionRequest,
)


def result(answer):
    """Return the result of an answer."""
    if answer is None or isinstance(answer, Refusal):
        raise SystemExit(f"refused: {answer}")
    return answer.result


def main(address):
    """Play a deal and print its scores."""
    client = Client(address)
    rules = result(preset.sync(client=client, body=PresetRequest("microsoft", players=4))).rules
    start = result(new_game.sync(client=client, body=NewGameRequest(rules))).state
    state = result(deal.sync(client=client, body=DealRequest(start, seed="table 7"))).state
    moves = 0
    while not isinstance(state, AwaitingDealDocument | GameOverDocument):
        move, *_ = result(legal_moves.sync(client=client, body=LegalMovesRequestByState(state))).moves
        state = result(transition.sync(client=client, body=TransitionRequest(state, move))).state
        moves += 1
    print(f"{moves} moves: {' '.join(map(str, state.scores))}")


main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8001")
