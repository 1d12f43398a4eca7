/* A bot in C that stays just under every trick.
 *
 * Build: cc -O2 -shared -fPIC -I$(python -m hearts_sim.include) ducker.c -o ducker.so
 * Enter: {name: DuckerC, library: ./ducker.so, symbol: ducker, options: {spades: 1}}
 *
 * Passes: the high spades, then the highest ranks.
 * Plays: leads its lowest rank; follows with the highest card under the winning one, or its lowest
 *     when all would win; void, throws what it would pass.
 * Options: spades, 0 to pass and throw high spades like the cards of other suits.
 */
#include "hearts_sim.h"

HS_BOT(ducker, 0);

/* How much one wants to be rid of a card. */
static int64_t danger(const hs_view *view, int64_t card)
{
    int high_spade = card >= HS_QUEEN_OF_SPADES && card <= HS_ACE_OF_SPADES;
    if (high_spade && hs_options(view)[0] != 0)
        return card == HS_QUEEN_OF_SPADES ? 2000 : 1000 + card;
    return 10 * hs_rank(card) + hs_suit(card);
}

static int64_t most_dangerous(const hs_view *view, int64_t cards)
{
    int64_t best = hs_lowest(cards);
    for (; cards; cards &= cards - 1) {
        int64_t card = hs_lowest(cards);
        if (danger(view, card) > danger(view, best))
            best = card;
    }
    return best;
}

static int64_t lowest_rank(int64_t cards)
{
    int64_t best = hs_lowest(cards);
    for (; cards; cards &= cards - 1) {
        int64_t card = hs_lowest(cards);
        if (hs_rank(card) < hs_rank(best))
            best = card;
    }
    return best;
}

/* With two packs a card may be there twice: then its second copy can go too. */
static void choose_pass(hs_view *view)
{
    int64_t chosen = 0, twice = 0, number;
    for (number = 0; number < view->pass_count; number++) {
        int64_t second = chosen & view->hand_twice & ~twice;
        int64_t card = hs_bit(most_dangerous(view, (view->legal & ~chosen) | second));
        twice |= chosen & card;
        chosen |= card;
    }
    view->answer = chosen;
    view->answer_twice = twice;
}

static void choose_card(hs_view *view)
{
    int64_t follows, under;
    if (view->trick_size == 0) {
        view->answer = lowest_rank(view->legal);
        return;
    }
    follows = hs_in_suit(view->legal, view->led_suit);
    if (!follows) {
        view->answer = most_dangerous(view, view->legal);
        return;
    }
    /* With two packs the winning card may be none: the cards so far have cancelled each other. */
    under = view->winning_card >= 0 ? hs_below_card(follows, view->winning_card) : 0;
    view->answer = under ? hs_highest(under) : hs_lowest(follows);
}

int64_t ducker(hs_view *view)
{
    switch (view->call) {
    case HS_PASS:
        choose_pass(view);
        return HS_ANSWERED;
    case HS_CARD:
        choose_card(view);
        return HS_ANSWERED;
    default: /* the moon, and what is only told */
        return HS_DEFAULT;
    }
}
