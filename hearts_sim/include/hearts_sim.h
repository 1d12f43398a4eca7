/* Bots for hearts-sim in C and C++.
 *
 * Made by `python -m hearts_sim.strategy.header`: do not edit. docs/c.md tells how to use it.
 *
 *     #include "hearts_sim.h"
 *
 *     HS_BOT(lowest, 0);
 *
 *     int64_t lowest(hs_view *view)
 *     {
 *         if (view->call != HS_CARD)
 *             return HS_DEFAULT;
 *         view->answer = hs_lowest(view->legal);
 *         return HS_ANSWERED;
 *     }
 */
#ifndef HEARTS_SIM_H
#define HEARTS_SIM_H

#include <stddef.h>
#include <stdint.h>

#define HS_VIEW_VERSION 1

/* What a bot returns: the answer is in view->answer, or "I do not decide this". The second is for
 * every hook but HS_CARD: the default pass, the better moon choice, nothing where there is nothing
 * to answer. Anything else means that it failed. */
enum { HS_ANSWERED = 1, HS_DEFAULT = 2 };

/* Which hook is called: view->call. */
enum {
    HS_START_GAME = 0, HS_START_HAND = 1, HS_PASS = 2, HS_CARD = 3, HS_MOON = 4, HS_END_HAND = 5
};
/* Answers to HS_MOON: charge every other seat, or relieve your own. */
enum { HS_MOON_ADD = 0, HS_MOON_SUBTRACT = 1 };
/* view->pass_offset, where it is no number of seats to the left. */
enum { HS_SCATTER = -1, HS_HOLD = 0 };
/* A card is suit * 13 + rank; a set of cards has bit n for card n. */
enum { HS_CLUBS = 0, HS_DIAMONDS = 1, HS_SPADES = 2, HS_HEARTS = 3 };
enum {
    HS_TWO = 0, HS_THREE = 1, HS_FOUR = 2, HS_FIVE = 3, HS_SIX = 4, HS_SEVEN = 5, HS_EIGHT = 6,
    HS_NINE = 7, HS_TEN = 8, HS_JACK = 9, HS_QUEEN = 10, HS_KING = 11, HS_ACE = 12
};
enum { HS_QUEEN_OF_SPADES = 36, HS_KING_OF_SPADES = 37, HS_ACE_OF_SPADES = 38 };
/* Sizes of arrays. Those by seat have room for the largest table. */
enum { HS_MAX_SEATS = 11, HS_MAX_TRICKS = 34, HS_MAX_CARDS = 104, HS_MAX_CYCLE = 32 };
enum { HS_MOST_OPTIONS = 64 };
/* Codes of the rules; docs/rules.md says what each means. */
/* hs_rules.kitty_rule */
enum {
    HS_LEFTOVER_REMOVE = 0, HS_LEFTOVER_KITTY_FIRST_TRICK = 1, HS_LEFTOVER_KITTY_FIRST_PENALTY = 2,
    HS_LEFTOVER_KITTY_LAST_TRICK = 3
};
/* hs_rules.first_lead */
enum {
    HS_FIRST_LEAD_LOWEST_CLUB = 0, HS_FIRST_LEAD_LOWEST_CLUB_HOLDER_ANY_CLUB = 1,
    HS_FIRST_LEAD_ELDEST_ANY = 2
};
/* hs_rules.first_trick_all_points */
enum {
    HS_FIRST_TRICK_ALL_POINTS_ANY = 0, HS_FIRST_TRICK_ALL_POINTS_HEARTS_ONLY = 1,
    HS_FIRST_TRICK_ALL_POINTS_QUEEN_FIRST = 2
};
/* hs_rules.trick_winner */
enum {
    HS_TRICK_WINNER_HIGHEST_LED = 0, HS_TRICK_WINNER_CANCEL_PAIRS = 1,
    HS_TRICK_WINNER_LATEST_OF_EQUALS = 2
};
/* hs_rules.moon */
enum {
    HS_MOON_OFF = 0, HS_MOON_OLD = 1, HS_MOON_NEW = 2, HS_MOON_CHOICE = 3, HS_MOON_MIXED = 4,
    HS_MOON_AUTO = 5, HS_MOON_VOID = 6
};
/* hs_rules.sun */
enum { HS_SUN_OFF = 0, HS_SUN_DOUBLE = 1, HS_SUN_RESET_TO_ZERO = 2 };
/* hs_rules.floor */
enum { HS_SCORE_FLOOR_NONE = 0, HS_SCORE_FLOOR_HAND0 = 1, HS_SCORE_FLOOR_TOTAL0 = 2 };
/* hs_rules.exact_target */
enum {
    HS_EXACT_TARGET_OFF = 0, HS_EXACT_TARGET_MINUS50 = 1, HS_EXACT_TARGET_ZERO = 2,
    HS_EXACT_TARGET_WIN = 3
};

#if defined(__cplusplus)
#define HS_C extern "C"
#else
#define HS_C
#endif

#if defined(_WIN32)
#define HS_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define HS_EXPORT __attribute__((visibility("default")))
#else
#define HS_EXPORT
#endif

/* Goes once above the function of each bot: its name, and the size of its memory in words of
 * 8 bytes. */
#define HS_BOT(symbol, memory_words)                                                               \
    HS_C HS_EXPORT int64_t symbol(hs_view *view);                                                  \
    HS_C HS_EXPORT const int64_t symbol##_view_version = HS_VIEW_VERSION;                          \
    HS_C HS_EXPORT const int64_t symbol##_memory_words = (memory_words)

#if defined(__cplusplus) && __cplusplus >= 201103L
#define HS_ASSERT(condition, text) static_assert(condition, text)
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define HS_ASSERT(condition, text) _Static_assert(condition, text)
#else
#define HS_JOIN_(left, right) left##right
#define HS_JOIN(left, right) HS_JOIN_(left, right)
#define HS_ASSERT(condition, text) typedef char HS_JOIN(hs_assert_, __LINE__)[(condition) ? 1 : -1]
#endif

/* The numbers before the meanings are those of the words of 8 bytes, for other languages.
 *
 * Sets have every card once; with two packs, the set of the same name with _twice has those that
 * are there twice. Seats are numbered clockwise from 0. */

/* What belongs to you on your seat. Do not write here: there are functions for it below. */
typedef struct {
    uint64_t rng[2];                     /* 0  : state of the seat's random stream */
    int64_t options;                     /* 2  : address of the options, float64 */
    int64_t memory;                      /* 3  : address of the scratch memory */
    int64_t memory_size;                 /* 4  : in words of 8 bytes */
} hs_own;
HS_ASSERT(sizeof(hs_own) == 40, "hs_own has another size");
HS_ASSERT(offsetof(hs_own, options) == 16, "hs_own.options is elsewhere");

/* All settings of the game; read only. */
typedef struct {
    int64_t players;                     /* 0 */
    int64_t hand_size;                   /* 1 */
    int64_t deck_size;                   /* 2 */
    int64_t deck_cards[HS_MAX_CARDS];    /* 3 */
    int64_t deck_twice;                  /* 107 */
    int64_t kitty_rule;                  /* 108: HS_LEFTOVER_REMOVE,
                                                 HS_LEFTOVER_KITTY_FIRST_TRICK, ... */
    int64_t kitty_size;                  /* 109 */
    int64_t sides;                       /* 110: teams, or seats without teams */
    int64_t side[HS_MAX_SEATS];          /* 111: of each seat; the first seats have their own
                                                 number */
    int64_t team_count;                  /* 122 */
    int64_t singly;                      /* 123: 1: the scores of partners are added up to
                                                 compare sides */
    int64_t pooled;                      /* 124: 1: partners have one score */
    int64_t pass_count;                  /* 125 */
    int64_t pass_forbidden;              /* 126 */
    int64_t cycle_length;                /* 127 */
    int64_t cycle[HS_MAX_CYCLE];         /* 128: seats to the left, 0 hold, -1 scatter */
    int64_t first_lead;                  /* 160: HS_FIRST_LEAD_LOWEST_CLUB,
                                                 HS_FIRST_LEAD_LOWEST_CLUB_HOLDER_ANY_CLUB, ... */
    int64_t first_trick_ban;             /* 161 */
    int64_t first_trick_all_points;      /* 162: HS_FIRST_TRICK_ALL_POINTS_ANY,
                                                 HS_FIRST_TRICK_ALL_POINTS_HEARTS_ONLY, ... */
    int64_t hearts_lead_barred;          /* 163 */
    int64_t breakers;                    /* 164 */
    int64_t hearts_instead_of_queen;     /* 165 */
    int64_t queen_lead_barred;           /* 166 */
    int64_t queen_discard_barred;        /* 167 */
    int64_t queen_forced;                /* 168 */
    int64_t trick_winner;                /* 169: HS_TRICK_WINNER_HIGHEST_LED,
                                                 HS_TRICK_WINNER_CANCEL_PAIRS, ... */
    int64_t cancel_two_pairs;            /* 170 */
    int64_t point_cards;                 /* 171 */
    int64_t penalty_cards;               /* 172 */
    int64_t penalty_count;               /* 173 */
    int64_t cost[52];                    /* 174 */
    int64_t bonus_cards;                 /* 226 */
    int64_t bonus[52];                   /* 227 */
    int64_t no_trick_bonus;              /* 279 */
    int64_t moon;                        /* 280: HS_MOON_OFF, HS_MOON_OLD, ... */
    int64_t moon_points;                 /* 281 */
    int64_t moon_cards;                  /* 282: what the shooter must take */
    int64_t moon_by_team;                /* 283: 1: a team shoots together */
    int64_t moon_side[HS_MAX_SEATS];     /* 284: as side, for a moon: teams or seats */
    int64_t moon_spares;                 /* 295: 1: the shooter's partner does not pay */
    int64_t sun;                         /* 296: HS_SUN_OFF, HS_SUN_DOUBLE, ... */
    int64_t sun_spares_first;            /* 297 */
    int64_t floor;                       /* 298: HS_SCORE_FLOOR_NONE, HS_SCORE_FLOOR_HAND0, ... */
    int64_t exact_target;                /* 299: HS_EXACT_TARGET_OFF, HS_EXACT_TARGET_MINUS50,
                                                 ... */
    int64_t win_highest;                 /* 300 */
    int64_t deals;                       /* 301 */
    int64_t target;                      /* 302 */
    int64_t pass_target;                 /* 303: 1: the target must be passed, 0: reached */
    int64_t tie_draw;                    /* 304 */
    int64_t tie_cap;                     /* 305 */
    int64_t max_hands;                   /* 306 */
    int64_t unused;                      /* 307: no value */
} hs_rules;
HS_ASSERT(sizeof(hs_rules) == 2464, "hs_rules has another size");
HS_ASSERT(offsetof(hs_rules, hand_size) == 8, "hs_rules.hand_size is elsewhere");
HS_ASSERT(offsetof(hs_rules, pass_forbidden) == 1008, "hs_rules.pass_forbidden is elsewhere");
HS_ASSERT(offsetof(hs_rules, trick_winner) == 1352, "hs_rules.trick_winner is elsewhere");
HS_ASSERT(offsetof(hs_rules, moon_by_team) == 2264, "hs_rules.moon_by_team is elsewhere");
HS_ASSERT(offsetof(hs_rules, tie_cap) == 2440, "hs_rules.tie_cap is elsewhere");

/* What you see. Write nothing but answer and answer_twice: it is the table itself, no copy. */
typedef struct {
    int64_t call;                        /* 0  : which hook is called: HS_CARD, HS_PASS, ... */
    int64_t answer;                      /* 1  : your answer goes here */
    int64_t seat;                        /* 2  : one's own seat, 0 to players - 1 */
    int64_t hand;                        /* 3  : the cards in one's hand */
    int64_t legal;                       /* 4  : cards that may be played now, or in a pass: be
                                                 passed */
    int64_t passed;                      /* 5  : cards that one passed in this hand */
    int64_t received;                    /* 6  : cards that one was passed in this hand */
    int64_t own;                         /* 7  : address of the seat's hs_own */
    int64_t answer_twice;                /* 8  : in a pass with two packs: cards of the answer of
                                                 which both copies go */
    int64_t hand_twice;                  /* 9  : the cards that one holds twice */
    int64_t passed_twice;                /* 10 : cards of which one passed both copies */
    int64_t received_twice;              /* 11 : cards of which one was passed both copies */
    int64_t kitty;                       /* 12 : cards of the kitty, when one has it; else empty */
    int64_t kitty_twice;                 /* 13 : cards that are twice in the kitty one has */
    int64_t players;                     /* 14 : number of seats */
    int64_t hand_size;                   /* 15 : cards dealt to each seat; tricks in a hand */
    int64_t hand_number;                 /* 16 : number of the hand in the game, from 1 */
    int64_t pass_offset;                 /* 17 : seats to the left that the pass goes; 0 for a
                                                 hold, -1 for a scatter */
    int64_t pass_count;                  /* 18 : cards that each seat passes in this hand */
    int64_t turn;                        /* 19 : seat that plays next */
    int64_t leader;                      /* 20 : seat that leads the trick */
    int64_t trick_number;                /* 21 : number of the trick in the hand, from 1 */
    int64_t trick_size;                  /* 22 : cards in the trick so far; 0 when one leads */
    int64_t trick_cards;                 /* 23 : cards of the trick so far, as a set */
    int64_t trick_points;                /* 24 : penalty points in the trick so far */
    int64_t led_suit;                    /* 25 : suit of the lead, -1 when one leads */
    int64_t winning_card;                /* 26 : card that wins the trick so far, -1 for none */
    int64_t winning_seat;                /* 27 : seat that wins the trick so far, -1 for none */
    int64_t hearts_broken;               /* 28 : 1 when hearts are broken, else 0 */
    int64_t taken[HS_MAX_SEATS];         /* 29 : cards taken in tricks in this hand, by seat; at
                                                 its end with the kitty */
    int64_t points[HS_MAX_SEATS];        /* 40 : penalty points taken in this hand, by seat; in
                                                 HS_END_HAND the hand's points */
    int64_t trick[HS_MAX_SEATS];         /* 51 : cards of the trick in the order played,
                                                 trick_size of them */
    int64_t first_winner;                /* 62 : seat that won the first trick; kept only where
                                                 the rules need it, else -1 */
    int64_t trick_twice;                 /* 63 : cards that are twice in the trick */
    int64_t held;                        /* 64 : cards of tricks without a winner, for the next
                                                 winner */
    int64_t held_twice;                  /* 65 : cards of which both copies are held */
    int64_t held_points;                 /* 66 : penalty points that are held */
    int64_t held_tricks;                 /* 67 : number of tricks that are held */
    int64_t taken_twice[HS_MAX_SEATS];   /* 68 : cards of which a seat took both copies, by seat */
    int64_t kitty_seat;                  /* 79 : seat that has the kitty, -1 while nobody has */
    int64_t played;                      /* 80 : all cards played in this hand */
    int64_t cards_played;                /* 81 : number of cards played in this hand */
    int64_t played_by[HS_MAX_SEATS];     /* 82 : cards played in this hand, by seat */
    int64_t tricks_won[HS_MAX_SEATS];    /* 93 : tricks won in this hand, by seat */
    int64_t voids[HS_MAX_SEATS];         /* 104: suits that each seat has shown to be void in,
                                                 bit 0 for clubs to bit 3 hearts */
    int64_t scores[HS_MAX_SEATS];        /* 115: total of the hands before this one, by seat */
    int64_t history[HS_MAX_CARDS];       /* 126: every card in the order played */
    int64_t leaders[HS_MAX_TRICKS];      /* 230: seat that led each trick so far, the current one
                                                 last */
    int64_t played_twice;                /* 264: cards of which both copies are played */
    int64_t played_by_twice[HS_MAX_SEATS]; /* 265: cards of which a seat played both copies, by
                                                 seat */
    int64_t deck;                        /* 276: the cards that are dealt */
    int64_t deck_twice;                  /* 277: the cards that are there twice */
    int64_t kitty_size;                  /* 278: number of cards that are left after the deal */
    int64_t team_count;                  /* 279: number of teams, 0 without teams */
    int64_t point_cards;                 /* 280: hearts and the other cards that cost points */
    int64_t penalty_cards;               /* 281: cards that cost points; all are a moon */
    int64_t bonus_cards;                 /* 282: cards that take points off */
    int64_t cost[52];                    /* 283: penalty points of each of the 52 cards */
    int64_t bonus[52];                   /* 335: points of the bonus cards among the 52 cards:
                                                 below zero, 0 for the others */
    int64_t moon;                        /* 387: HS_MOON_OFF, HS_MOON_OLD, ... */
    int64_t moon_points;                 /* 388: points of a moon */
    int64_t win_highest;                 /* 389: 1 when the highest total wins, else 0 */
    int64_t target;                      /* 390: total that ends the game */
    int64_t deals;                       /* 391: fixed number of deals, 0 when points end the
                                                 game */
    int64_t rules;                       /* 392: address of the hs_rules */
} hs_view;
HS_ASSERT(sizeof(hs_view) == 3144, "hs_view has another size");
HS_ASSERT(offsetof(hs_view, answer) == 8, "hs_view.answer is elsewhere");
HS_ASSERT(offsetof(hs_view, kitty_twice) == 104, "hs_view.kitty_twice is elsewhere");
HS_ASSERT(offsetof(hs_view, led_suit) == 200, "hs_view.led_suit is elsewhere");
HS_ASSERT(offsetof(hs_view, held_tricks) == 536, "hs_view.held_tricks is elsewhere");
HS_ASSERT(offsetof(hs_view, played_by_twice) == 2120, "hs_view.played_by_twice is elsewhere");
HS_ASSERT(offsetof(hs_view, win_highest) == 3112, "hs_view.win_highest is elsewhere");

/* Cards. */

static inline int64_t hs_card(int64_t suit, int64_t rank)
{
    return suit * 13 + rank;
}

static inline int64_t hs_suit(int64_t card)
{
    return card / 13;
}

static inline int64_t hs_rank(int64_t card)
{
    return card % 13;
}

/* Sets of cards. */

/* The set that holds one card. */
static inline int64_t hs_bit(int64_t card)
{
    return (int64_t)1 << card;
}

static inline int hs_has(int64_t cards, int64_t card)
{
    return (int)(cards >> card & 1);
}

/* All thirteen cards of a suit. */
static inline int64_t hs_suit_mask(int64_t suit)
{
    return (int64_t)0x1FFF << (13 * suit);
}

/* Those of a suit. */
static inline int64_t hs_in_suit(int64_t cards, int64_t suit)
{
    return cards & hs_suit_mask(suit);
}

/* Those with a lower number than a card; within a suit, those of lower rank. */
static inline int64_t hs_below_card(int64_t cards, int64_t card)
{
    return cards & (hs_bit(card) - 1);
}

/* Those with a higher number than a card; within a suit, those of higher rank. */
static inline int64_t hs_above_card(int64_t cards, int64_t card)
{
    return cards & ~(2 * hs_bit(card) - 1);
}

/* Number of cards. */
static inline int64_t hs_count(int64_t cards)
{
#if defined(__GNUC__)
    return __builtin_popcountll((unsigned long long)cards);
#else
    int64_t number = 0;
    for (; cards; cards &= cards - 1)
        number++;
    return number;
#endif
}

/* Lowest card by number; 64 for the empty set. */
static inline int64_t hs_lowest(int64_t cards)
{
#if defined(__GNUC__)
    return cards ? __builtin_ctzll((unsigned long long)cards) : 64;
#else
    int64_t card = 0;
    while (card < 64 && !((uint64_t)cards >> card & 1))
        card++;
    return card;
#endif
}

/* Highest card by number; -1 for the empty set. */
static inline int64_t hs_highest(int64_t cards)
{
#if defined(__GNUC__)
    return cards ? 63 - __builtin_clzll((unsigned long long)cards) : -1;
#else
    int64_t card = 63;
    while (card >= 0 && !((uint64_t)cards >> card & 1))
        card--;
    return card;
#endif
}

/* Card at a place (0, 1, ...) of a set in ascending order. */
static inline int64_t hs_nth(int64_t cards, int64_t place)
{
    for (; place > 0; place--)
        cards &= cards - 1;
    return hs_lowest(cards);
}

/* The table. */

/* All settings of the game. */
static inline const hs_rules *hs_rules_of(const hs_view *view)
{
    return (const hs_rules *)(intptr_t)view->rules;
}

/* Seat of your partner, who sits opposite; -1 without teams. */
static inline int64_t hs_partner(const hs_view *view)
{
    return view->team_count ? (view->seat + view->team_count) % view->players : -1;
}

/* Cards in play that you have not seen: neither in your hand or kitty nor played. With two packs,
 * those of which at least one copy is unseen. */
static inline int64_t hs_unseen(const hs_view *view)
{
    int64_t hand = view->hand, played = view->played, kitty = view->kitty;
    int64_t seen = view->hand_twice | view->played_twice | view->kitty_twice;
    seen |= (hand & played) | (hand & kitty) | (played & kitty);
    return (view->deck & ~(hand | played | kitty)) | (view->deck_twice & ~seen);
}

/* Cards of which both copies are unseen. */
static inline int64_t hs_unseen_twice(const hs_view *view)
{
    return view->deck_twice & ~(view->hand | view->played | view->kitty);
}

/* What is yours. */

static inline hs_own *hs_own_of(const hs_view *view)
{
    return (hs_own *)(intptr_t)view->own;
}

/* Your options, in the order of the config; HS_MOST_OPTIONS of them, 0 where the config has none.
 * They do not change in a game. */
static inline const double *hs_options(const hs_view *view)
{
    return (const double *)(intptr_t)hs_own_of(view)->options;
}

/* Your memory: as many words as HS_BOT says, 0 at the start of each game. Each seat has its own. */
static inline int64_t *hs_memory(const hs_view *view)
{
    return (int64_t *)(intptr_t)hs_own_of(view)->memory;
}

static inline int64_t hs_memory_words(const hs_view *view)
{
    return hs_own_of(view)->memory_size;
}

/* Next 64 bits of the seat's random stream, which is the same in every run with the same seed.
 * xoroshiro128++ (S. Vigna, D. Blackman, https://prng.di.unimi.it). */
static inline uint64_t hs_random_word(const hs_view *view)
{
    uint64_t *state = hs_own_of(view)->rng;
    uint64_t first = state[0], second = state[1], total = first + second;
    uint64_t word = ((total << 17) | (total >> 47)) + first;
    second ^= first;
    state[0] = ((first << 49) | (first >> 15)) ^ second ^ (second << 21);
    state[1] = (second << 28) | (second >> 36);
    return word;
}

/* Number from 0 to bound - 1, every one equally likely; bound is from 1 to 2^32 - 1.
 * D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29 (2019). */
static inline int64_t hs_random_below(const hs_view *view, int64_t bound)
{
    uint64_t limit = (uint64_t)bound, low = 0xFFFFFFFF;
    uint64_t product = (hs_random_word(view) >> 32) * limit;
    if ((product & low) < limit) {
        uint64_t floor = (low + 1 - limit) % limit;
        while ((product & low) < floor)
            product = (hs_random_word(view) >> 32) * limit;
    }
    return (int64_t)(product >> 32);
}

/* One card of a set, every one equally likely; the set must not be empty. */
static inline int64_t hs_random_card(const hs_view *view, int64_t cards)
{
    return hs_nth(cards, hs_random_below(view, hs_count(cards)));
}

#endif
