/* The base game of Hearts for four players without passing, dealt and played at random: as fast as plain C does it.

   random_play DEALS A B C COUNTER: the words of the stream to draw from, as `repr(RandomStream(seed))` shows them. The
   draws are those of heartsrules, so the points are those of `rollouts`. It prints the sums of the points by seat, those
   of their squares, and the nanoseconds of processor time. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BIT(card) ((uint64_t)1 << (card))
#define SUIT(card) ((uint64_t)0x1FFF << 13 * ((card) / 13))
static const uint64_t QUEEN = BIT(36), HEARTS = (uint64_t)0x1FFF << 39;

/* Chris Doty-Humphrey's sfc32. */
static uint32_t a, b, c, counter;

static inline uint32_t word(void) {
    uint32_t result = a + b + counter++;
    a = b ^ (b >> 9);
    b = c + (c << 3);
    c = ((c << 21) | (c >> 11)) + result;
    return result;
}

/* An exactly uniform number below a bound of at most 2**31, from 64 bits. */
static inline uint32_t fair(uint32_t bound) {
    for (;;) {
        uint64_t high = word();
        uint64_t bits = high << 32 | word();
        if (high < UINT32_MAX || UINT64_MAX - bits >= (uint64_t)-bound % bound)
            return bits % bound;
    }
}

/* A nearly uniform number below a small bound. */
static inline uint32_t pick(uint32_t bound) { return (uint64_t)word() * bound >> 32; }

static int highest(uint64_t cards) { return 63 - __builtin_clzll(cards); }

/* The Fisher-Yates shuffle, then a card at a time from the dealer's left on. */
static void deal(uint64_t hands[4], int dealer) {
    int pack[52];
    for (int card = 0; card < 52; card++)
        pack[card] = card;
    for (int last = 51; last > 0; last--) {
        int other = fair(last + 1), card = pack[last];
        pack[last] = pack[other];
        pack[other] = card;
    }
    for (int seat = 0; seat < 4; seat++)
        hands[seat] = 0;
    for (int place = 0; place < 52; place++)
        hands[(dealer + 1 + place) & 3] |= BIT(pack[place]);
}

/* The cards of a hand that may be played. */
static inline uint64_t legal(uint64_t hand, uint64_t led, int trick, int broken) {
    uint64_t rest = hand;
    if (led) {
        if (hand & led)
            return hand & led;
        if (!trick)
            rest = hand & ~(HEARTS | QUEEN);
    } else if (!trick) {
        return BIT(0);
    } else if (!broken) {
        rest = hand & ~HEARTS;
    }
    return rest ? rest : hand;
}

static void play(uint64_t hands[4], uint64_t piles[4]) {
    int leader = 0, broken = 0;
    while (!(hands[leader] & BIT(0)))
        leader++;
    for (int seat = 0; seat < 4; seat++)
        piles[seat] = 0;
    for (int trick = 0; trick < 13; trick++) {
        uint64_t led = 0, played = 0;
        uint64_t by_seat[4];
        for (int turn = 0; turn < 4; turn++) {
            int seat = (leader + turn) & 3;
            uint64_t cards = legal(hands[seat], led, trick, broken);
            if (cards & (cards - 1))
                for (uint32_t skipped = pick(__builtin_popcountll(cards)); skipped; skipped--)
                    cards &= cards - 1;
            uint64_t bit = cards & -cards;
            hands[seat] ^= bit;
            by_seat[seat] = bit;
            played |= bit;
            broken |= (bit & HEARTS) != 0;
            if (!led)
                led = SUIT(__builtin_ctzll(bit));
        }
        uint64_t best = BIT(highest(played & led));
        while (by_seat[leader] != best)
            leader = (leader + 1) & 3;
        piles[leader] |= played;
    }
}

/* Hearts count 1 and the queen of spades 13; a player who takes all gives the others 26. */
static void score(const uint64_t piles[4], int points[4]) {
    int shooter = -1;
    for (int seat = 0; seat < 4; seat++) {
        points[seat] = __builtin_popcountll(piles[seat] & HEARTS) + (piles[seat] & QUEEN ? 13 : 0);
        if (points[seat] == 26)
            shooter = seat;
    }
    for (int seat = 0; shooter >= 0 && seat < 4; seat++)
        points[seat] = seat == shooter ? 0 : 26;
}

int main(int count, char **values) {
    if (count != 6)
        return 2;
    long deals = atol(values[1]);
    a = strtoul(values[2], NULL, 10);
    b = strtoul(values[3], NULL, 10);
    c = strtoul(values[4], NULL, 10);
    counter = strtoul(values[5], NULL, 10);
    long sums[4] = {0}, squares[4] = {0};
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (long number = 0; number < deals; number++) {
        uint64_t hands[4], piles[4];
        int points[4];
        deal(hands, 0);
        play(hands, piles);
        score(piles, points);
        for (int seat = 0; seat < 4; seat++) {
            sums[seat] += points[seat];
            squares[seat] += points[seat] * points[seat];
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    for (int seat = 0; seat < 4; seat++)
        printf("%ld ", sums[seat]);
    for (int seat = 0; seat < 4; seat++)
        printf("%ld ", squares[seat]);
    printf("%lld\n", (end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec);
    return 0;
}
