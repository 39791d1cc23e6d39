// Plays one decision of xinxin: a line of numbers in, a line of numbers out. It is built together with the sources of
// https://github.com/nathansttt/hearts, in place of their main.cpp; what comes of that is under their licence, the GPL.
//
// In:  how many worlds, how many simulations in all, the flags of the rules, the direction of the pass (1 left, -1 right,
//      2 across, 0 none), the seat that leads where no club must, four hands of 13 cards as they were dealt, how many
//      cards were passed (0 or 12, three by each seat in order), these, how many were played, and these.
// Out: the card to play; or before the pass, the three cards that seat 0 passes.
#include <iostream>
#include <vector>

#include "Hearts.h"
#include "UCT.h"
#include "iiMonteCarlo.h"

using namespace hearts;

static std::vector<card> read(int count)
{
    std::vector<card> cards;
    for (int number = 0; number < count; number++)
    {
        int next;
        std::cin >> next;
        cards.push_back(next);
    }
    return cards;
}

static SimpleHeartsPlayer *player(int worlds, int simulations)
{
    UCT *search = new UCT(simulations / worlds, 0.4);
    search->setPlayoutModule(new HeartsPlayout());
    search->setEpsilonPlayout(0.1);
    iiMonteCarlo *sampling = new iiMonteCarlo(search, worlds);
    sampling->setUseThreads(false);
    SimpleHeartsPlayer *made = new SafeSimpleHeartsPlayer(sampling);
    made->setModelLevel(2);
    return made;
}

int main()
{
    int worlds, simulations, rules, direction, first, count;
    while (std::cin >> worlds >> simulations >> rules >> direction >> first)
    {
        std::vector<std::vector<card> > hands;
        for (int seat = 0; seat < 4; seat++)
            hands.push_back(read(13));
        HeartsGameState *game = new HeartsGameState(1);
        for (int seat = 0; seat < 4; seat++)
            game->addPlayer(player(worlds, simulations));
        game->setRules(rules);
        game->Reset();
        game->SetInitialCards(hands);
        game->setPassDir(direction);
        game->setFirstPlayer(first);
        std::cin >> count;
        std::vector<card> passed = read(count);
        std::cin >> count;
        std::vector<card> played = read(count);
        for (size_t number = 0; number < passed.size(); number++)
        {
            CardMove move(passed[number], number / 3);
            game->ApplyMove(&move);
        }
        for (size_t number = 0; number < played.size(); number++)
        {
            CardMove move(played[number], game->getNextPlayerNum());
            game->ApplyMove(&move);
        }
        int cards = direction != 0 && passed.empty() ? 3 : 1;
        for (int number = 0; number < cards; number++)
        {
            CardMove *move = (CardMove *)game->getNextPlayer()->Play();
            std::cout << (int)move->c << " ";
            if (cards == 3)
                game->ApplyMove(move);
        }
        std::cout << std::endl;
    }
}
