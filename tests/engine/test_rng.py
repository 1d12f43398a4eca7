"""Random streams and deals: published values, independent of what was played before, uniform."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numba import njit
from pair import BIT, listed
from replay import Recorder, play_jobs
from scipy import stats

from hearts_sim.cards import CARDS
from hearts_sim.engine.deal import deal_hand
from hearts_sim.engine.layout import GAME, HANDS, JOB
from hearts_sim.engine.machine import one_job
from hearts_sim.engine.record import compile_rules
from hearts_sim.engine.rng import (
    below,
    hand_key,
    seat_key,
    siphash,
    splitmix,
    words_of_key,
    words_of_state,
)
from hearts_sim.engine.table import Table
from hearts_sim.rules import Rules
from hearts_sim.strategy.randomness import SeatRandom

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15

SPLITMIX_1234567 = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
XOROSHIRO_1_2 = [
    393217,
    669327710093319,
    1732421326133921491,
    11394790081659126983,
    9555452776773192676,
    3586421180005889563,
    1691397964866707553,
    10735626796753111697,
    15216282715349408991,
    14247243556711267923,
]


# The published algorithms, written once more with plain integers.


def plain_splitmix(state: int) -> int:
    """Output of splitmix64 for the state before the step."""
    word = (state + GOLDEN) & MASK
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK
    return word ^ word >> 31


def rotate(word: int, by: int) -> int:
    """Rotate 64 bits to the left."""
    return (word << by | word >> (64 - by)) & MASK


class Xoroshiro:
    """xoroshiro128++ with rotations 17, 49 and 28 and shift 21."""

    def __init__(self, first: int, second: int) -> None:
        self.first, self.second = first, second

    def word(self) -> int:
        first, second = self.first, self.second
        result = (rotate((first + second) & MASK, 17) + first) & MASK
        second ^= first
        self.first = rotate(first, 49) ^ second ^ second << 21 & MASK
        self.second = rotate(second, 28)
        return result

    def below(self, bound: int) -> int:
        """Lemire's method on the upper 32 bits: leave out what would make it uneven."""
        while True:
            product = (self.word() >> 32) * bound
            if product % 2**32 >= 2**32 % bound:
                return product >> 32


def plain_stream(*key: int) -> Xoroshiro:
    """Stream of (seed, block, hand, purpose)."""
    word = 0
    for part in key:
        word = plain_splitmix(word ^ part)
    return Xoroshiro(plain_splitmix(word), plain_splitmix((word + GOLDEN) & MASK))


def plain_deal(rules: Rules, seed: int, block: int, hand: int) -> list[list[str]]:
    """Hands of a deal and the kitty, sorted.

    Seat by seat a card from the rest, the last of which fills the gap; two copies of a card lie
    side by side before.
    """
    stream = plain_stream(seed, block, hand, 0)
    gone = Counter(card.name for card in rules.deck_removal)
    deck = [card.name for card in CARDS for _ in range(rules.packs - gone[card.name])]
    hands: list[list[str]] = []
    for _ in range(rules.players):
        hands.append([])
        for _ in range(rules.hand_size):
            place = stream.below(len(deck))
            hands[-1].append(deck[place])
            deck[place] = deck[-1]
            deck.pop()
    return [sorted(cards, key=BIT.__getitem__) for cards in (*hands, deck)]


def plain_siphash(key: bytes, message: bytes) -> int:
    """SipHash-2-4, from its description in the paper, section 2."""
    k0, k1 = (int.from_bytes(key[at : at + 8], "little") for at in (0, 8))
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D]
    v += [k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rounds(number: int) -> None:
        for _ in range(number):
            for one, other, by in ((0, 1, 13), (2, 3, 16), (0, 3, 21), (2, 1, 17)):
                v[one] = (v[one] + v[other]) & MASK
                v[other] = (v[other] << by | v[other] >> 64 - by) & MASK
                v[other] ^= v[one]
                if by in (13, 17):
                    v[one] = (v[one] << 32 | v[one] >> 32) & MASK

    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) % 256])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def seat_stream(seed: int, block: int, hand: int, seat: int) -> Xoroshiro:
    """The stream of a seat in a hand: beyond the block's key lies the one-way step."""
    block_key = plain_splitmix(plain_splitmix(seed) ^ block)
    key = block_key.to_bytes(8, "little") + plain_splitmix(block_key).to_bytes(8, "little")
    seat_key = plain_siphash(key, seat.to_bytes(8, "little"))
    word = plain_splitmix(seat_key ^ hand)
    return Xoroshiro(plain_splitmix(word), plain_splitmix((word + GOLDEN) & MASK))


def test_splitmix_gives_published_values() -> None:
    """The splitmix64 of the engine gives the published numbers for seed 1234567."""
    states = [(1234567 + step * GOLDEN) & MASK for step in range(5)]

    assert [plain_splitmix(state) for state in states] == SPLITMIX_1234567
    assert [int(splitmix(np.uint64(state))) for state in states] == SPLITMIX_1234567


def test_xoroshiro_gives_published_values() -> None:
    """The generator of the engine gives the published numbers for the state (1, 2)."""
    plain = Xoroshiro(1, 2)

    assert [plain.word() for _ in range(10)] == XOROSHIRO_1_2
    assert words_of_state(np.array([1, 2], np.uint64), 10).tolist() == XOROSHIRO_1_2


@pytest.mark.parametrize("key", [0, 1, 42, MASK, GOLDEN], ids=hex)
def test_streams_of_a_key_agree_with_plain_integers(key: int) -> None:
    """A key becomes a generator's state by two steps of splitmix64."""
    plain = Xoroshiro(plain_splitmix(key), plain_splitmix((key + GOLDEN) & MASK))

    assert words_of_key(np.uint64(key), 50).tolist() == [plain.word() for _ in range(50)]


# What plain bots draw from.


def test_seat_random_draws_the_words_of_the_compiled_stream() -> None:
    """A plain bot's numbers are the words that a compiled bot would get from the same state."""
    words = words_of_state(np.array([5, 6], np.uint64), 40).tolist()
    state = np.array([5, 6], np.uint64)
    rng = SeatRandom(state)

    assert [rng.getrandbits(64) for _ in range(20)] == words[:20]
    assert words_of_state(state, 20).tolist() == words[20:]


@pytest.mark.parametrize(
    ("bits", "taken"),
    [(1, 1), (5, 1), (63, 1), (64, 1), (65, 2), (128, 2), (200, 4)],
)
def test_random_bits_come_from_the_top_of_as_few_words_as_needed(bits: int, taken: int) -> None:
    """`getrandbits` fits its range and uses one word for each 64 bits begun."""
    state = np.array([1, 2], np.uint64)
    rng = SeatRandom(state)
    number = rng.getrandbits(bits)

    assert 0 <= number < 2**bits
    assert words_of_state(state, 1).tolist() == [XOROSHIRO_1_2[taken]]


def test_no_random_bits_are_nought_and_less_are_refused() -> None:
    """Like `random.Random`, no bits give 0 and a negative number of bits is an error."""
    rng = SeatRandom(np.array([1, 2], np.uint64))

    assert rng.getrandbits(0) == 0
    with pytest.raises(ValueError, match="negative"):
        rng.getrandbits(-1)


def test_random_is_the_upper_53_bits() -> None:
    """`random` gives the upper 53 bits of a word, below 1."""
    rng = SeatRandom(np.array([1, 2], np.uint64))

    assert [rng.random() for _ in range(10)] == [(word >> 11) / 2**53 for word in XOROSHIRO_1_2]


def test_methods_of_random_work() -> None:
    """Choice, sample, shuffle, gauss and the others work and depend on the state alone."""

    def draw() -> list[Any]:
        rng = SeatRandom(np.array([3, 4], np.uint64))
        cards = list(range(10))
        rng.shuffle(cards)
        return [
            cards,
            rng.choice("CDSH"),
            rng.choices("CDSH", weights=[1, 2, 3, 4], k=5),
            rng.sample(range(52), 3),
            rng.randrange(7),
            rng.randint(1, 6),
            rng.uniform(2, 3),
            rng.gauss(0, 1),
            rng.gauss(0, 1),
            rng.betavariate(2, 3),
        ]

    assert draw() == draw()
    assert sorted(draw()[0]) == list(range(10))


@pytest.mark.parametrize("refused", ["seed", "setstate"])
def test_a_seats_stream_cannot_be_reset(refused: str) -> None:
    """A bot that seeds its stream is told that the run does that, and the state stays."""
    state = np.array([1, 2], np.uint64)
    rng = SeatRandom(state)

    with pytest.raises(NotImplementedError, match="seeded by the run"):
        getattr(rng, refused)(1)
    assert state.tolist() == [1, 2]
    assert rng.getstate() == (1, 2)


# Uniform numbers.


@njit
def _many_below(state: Any, bound: int, number: int) -> Any:
    counts = np.zeros(bound, np.int64)
    for _ in range(number):
        counts[below(state, bound)] += 1
    return counts


@njit
def _numbers_below(state: Any, bound: int, number: int) -> Any:
    numbers = np.zeros(number, np.int64)
    for place in range(number):
        numbers[place] = below(state, bound)
    return numbers


@pytest.mark.parametrize("bound", [2, 3, 4, 5, 7, 13, 51, 52])
def test_numbers_below_a_bound_are_uniform(bound: int) -> None:
    """Every number below a bound comes up equally often."""
    counts = _many_below(np.array([bound, 77], np.uint64), bound, 1_000_000)

    assert stats.chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("bound", [1, 2, 52, 3 * 2**30, 2**32 - 1])
def test_numbers_below_a_bound_agree_with_plain_integers(bound: int) -> None:
    """Also with bounds that make it draw again, the numbers are those of Lemire's method."""
    plain = Xoroshiro(11, 12)
    numbers = _numbers_below(np.array([11, 12], np.uint64), bound, 1000)

    assert numbers.tolist() == [plain.below(bound) for _ in range(1000)]


# Deals.


@pytest.mark.parametrize(
    ("preset", "players"),
    [
        *(("black_lady", players) for players in range(3, 9)),
        *(("kitty", players) for players in range(3, 8)),
        *(("cancellation", players) for players in range(6, 12)),
    ],
)
@pytest.mark.parametrize(("seed", "block"), [(0, 0), (1, 0), (2**63 - 1, 5), (12, 2**32 - 1)])
def test_deals_are_those_of_their_key(preset: str, players: int, seed: int, block: int) -> None:
    """Seed, block and number of the hand give the cards, by a shuffle written independently."""
    rules = Rules.preset(preset, players=players, pass_cycle=["H"])
    table = Table(rules, seed=seed, block=block)
    for hand in (1, 2, 3):
        table.deal()
        places = [*zip(table.hands, table.hands_twice, strict=True)]
        places.append((table.kitty, table.kitty_twice))
        dealt = [listed(*cards) for cards in places]
        assert dealt == plain_deal(rules, seed, block, hand)
        while not table.hand_over:
            table.play(table.legal.lowest())
        table.score()


def _dealt(seed: int, block: int, highest: bool, hands: int = 4) -> list[tuple[int, ...]]:
    """Hands as dealt, while low or high cards are passed and played."""
    table = Table(Rules(target=1000), seed=seed, block=block)
    dealt = []
    for _ in range(hands):
        table.deal()
        dealt.append(tuple(map(int, table.hands)))
        if table.pass_count:
            table.exchange(
                [
                    table.default_pass(seat) if highest else list(table.passable(seat))[:3]
                    for seat in range(4)
                ]
            )
        while not table.hand_over:
            table.play(table.legal.highest() if highest else table.legal.lowest())
        table.score()
    return dealt


def test_deals_do_not_depend_on_what_was_played() -> None:
    """Whoever plays however: the hands of a block are the same."""
    assert _dealt(1, 2, highest=True) == _dealt(1, 2, highest=False)


def test_deals_differ_between_seeds_blocks_and_hands() -> None:
    """No two of some thousand seeds, blocks and hands share a deal."""
    seen = {
        tuple(map(tuple, plain_deal(Rules(), seed, block, hand)))
        for seed in range(10)
        for block in range(10)
        for hand in range(1, 11)
    }
    ours = [deal for seed in (1, 2) for block in (3, 4) for deal in _dealt(seed, block, True)]

    assert len(seen) == 1000
    assert len(set(ours)) == len(ours) == 16


def test_deals_of_a_game_do_not_depend_on_the_games_before(library: Any) -> None:
    """A game of a block has the same deals alone, after others, and with other bots."""
    random_bot = library.get("RandomLegal").strategy
    low_bot = library.get("LowCard").strategy

    def dealt(bots: list[Any], blocks: list[int]) -> dict[int, list[Any]]:
        rules = Rules(pass_count=0, end={"deals": 3})
        jobs = np.zeros(len(blocks), JOB)
        jobs["block"] = blocks
        jobs["entries"][:, :4] = range(4)
        _, _, plays = play_jobs(rules, bots, jobs, seed=8)
        hands: dict[int, list[Any]] = {}
        for row in plays:
            hands.setdefault(int(row["block"]), []).append(
                (int(row["hand"]), int(row["seat"]), int(row["card"]))
            )
        return {block: sorted(cards) for block, cards in hands.items()}

    alone = dealt([random_bot] * 4, [6])
    after = dealt([random_bot] * 4, [1, 2, 6])
    others = dealt([low_bot, random_bot, low_bot, low_bot], [6, 3])

    assert alone[6] == after[6] == others[6]
    assert after[1] != after[2]


# Of the key 00 01 ... 0F and the message 00 01 ... 07: the ninth of the 64 vectors that the authors
# publish with their reference code (https://github.com/veorq/SipHash, vectors.h).
SIPHASH_OF_8_BYTES = 0x93F5F5799A932462


def test_siphash() -> None:
    """The one-way step to the key of a seat is SipHash-2-4."""
    key = np.frombuffer(bytes(range(16)), "<u8")
    word = np.frombuffer(bytes(range(8)), "<u8")[0]
    assert int(siphash(key[0], key[1], word)) == SIPHASH_OF_8_BYTES
    assert plain_siphash(bytes(range(16)), bytes(range(8))) == SIPHASH_OF_8_BYTES


def test_keys_of_seats_differ() -> None:
    """Every seat of every block has its own key."""
    keys = [int(seat_key(7, block, seat)) for block in range(50) for seat in range(11)]
    assert len(set(keys)) == len(keys)


@njit
def _count_deals(rules: Any, game: Any, hands: Any, number: int) -> Any:
    """How often each card came to each seat and to the kitty, and what came together to a seat.

    That is QS and KS of one pack, and both copies of QS of two.
    """
    counts = np.zeros((52, rules.players + 1), np.int64)
    pairs = 0
    for block in range(number):
        game.hand_key = hand_key(4, block, 1)
        deal_hand(rules, game, hands)
        for seat in range(rules.players):
            cards, twice = hands.cards[seat], hands.cards_twice[seat]
            pairs += cards >> 36 & 3 == 3 if rules.deck_twice == 0 else twice >> 36 & 1
            for card in range(52):
                counts[card, seat] += (cards >> card & 1) + (twice >> card & 1)
        for card in range(52):
            kitty = (hands.kitty >> card & 1) + (hands.kitty_twice >> card & 1)
            counts[card, rules.players] += kitty
    return counts, pairs


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(Rules(players=3), id="three"),
        pytest.param(Rules(), id="four"),
        pytest.param(Rules(players=7), id="seven"),
        pytest.param(Rules.preset("kitty"), id="kitty"),
        pytest.param(Rules.preset("cancellation", players=7), id="two-packs-and-kitty"),
    ],
)
def test_every_card_comes_everywhere_equally_often(rules: Rules) -> None:
    """Over many deals the table of card by place is as even as chance makes it."""
    number, size = 100_000, rules.deck_size
    game = np.zeros(1, GAME)[0]
    counts, pairs = _count_deals(compile_rules(rules)[0], game, np.zeros(1, HANDS)[0], number)
    counts = counts[[int(card) for card in rules.deck]]
    room = np.array([rules.hand_size] * rules.players + [rules.kitty_size])
    if not rules.kitty_size:
        counts, room = counts[:, :-1], room[:-1]

    assert (counts.sum(axis=1) == number * rules.packs).all()
    assert (counts.sum(axis=0) == number * room).all()
    # In a deal the cards of a hand exclude each other, which makes the sum of squares
    # size / (size - 1) times that of a plain chi-square; with two packs as well.
    expected = number * rules.packs * room / size
    statistic = ((counts - expected) ** 2 / expected).sum() * (size - 1) / size
    freedom = (len(counts) - 1) * (len(room) - 1)
    assert 1e-4 < stats.chi2.sf(statistic, freedom) < 1 - 1e-4
    share = rules.players * rules.hand_size * (rules.hand_size - 1) / (size * (size - 1))
    assert abs(pairs / number - share) < 4 * (share * (1 - share) / number) ** 0.5


# Streams of the seats.


class Words(Recorder):
    """Notes a number of its stream at every call, and plays the lowest card."""

    def choose_card(self, view: Any) -> Any:
        self._note("word", view, self.rng.getrandbits(64))
        return view.legal.lowest()


def _words(seed: int, block: int) -> dict[tuple[int, int], list[int]]:
    """Numbers that each seat drew, by hand and seat."""
    seen: list[Any] = []
    rules = Rules(pass_count=0, end={"deals": 3})
    play_jobs(rules, [Words] * 4, one_job([0, 1, 2, 3], block), seed, {"seen": seen})
    words: dict[tuple[int, int], list[int]] = {}
    for hook, view, word in seen:
        if hook == "word":
            words.setdefault((view.hand_number, view.seat), []).append(word)
    return words


def test_streams_of_seats_are_those_of_their_keys() -> None:
    """Seed, block, hand and seat give a seat's numbers, anew in every hand."""
    for (hand, seat), words in _words(21, 4).items():
        plain = seat_stream(21, 4, hand, seat)
        assert words == [plain.word() for _ in range(13)]


def test_streams_of_seats_differ() -> None:
    """No number comes twice in the streams of other seats, hands, blocks or seeds."""
    drawn: Counter[int] = Counter()
    for seed in (1, 2):
        for block in (0, 1):
            for words in _words(seed, block).values():
                drawn.update(words)

    assert len(drawn) == 2 * 2 * 3 * 52
    assert max(drawn.values()) == 1


def test_rng_is_there_in_the_constructor_and_seeded_for_hand_zero() -> None:
    """Before the first hand a seat's stream is that of hand 0."""
    drawn: list[int] = []

    class Early(Recorder):
        def __init__(self, seen: list[Any]) -> None:
            super().__init__(seen)
            drawn.append(self.rng.getrandbits(64))

    rules = Rules(end={"deals": 1}, moon="off", tie="draw")
    play_jobs(rules, [Early] * 4, one_job([0, 1, 2, 3], 9), 5, {"seen": []})

    assert drawn == [seat_stream(5, 9, 0, seat).word() for seat in range(4)]


def test_plain_and_compiled_bots_get_the_same_stream(library: Any) -> None:
    """A compiled bot's random card is the one that its stream's first number picks."""
    rules = Rules(pass_count=0, end={"deals": 1}, tie="draw")
    bots = [library.get("RandomLegal").strategy] * 4
    _, _, plays = play_jobs(rules, bots, one_job([0] * 4, 2), 6)

    table = Table(rules, seed=6, block=2)
    table.deal()
    streams = [seat_stream(6, 2, 1, seat) for seat in range(4)]
    for row in plays:
        legal = sorted(table.legal)
        card = legal[streams[table.turn].below(len(legal))]
        assert (row["seat"], row["card"]) == (table.turn, card)
        table.play(card)


def test_a_machine_plays_the_same_twice(library: Any) -> None:
    """The same jobs with the same seed give the same rows, with another seed others."""
    bots = [library.get("RandomLegal").strategy] * 4
    first = play_jobs(Rules(), bots, one_job([0, 1, 2, 3]), 6)
    second = play_jobs(Rules(), bots, one_job([0, 1, 2, 3]), 6)
    other = play_jobs(Rules(), bots, one_job([0, 1, 2, 3]), 7)

    assert first == second
    assert first[2] != other[2]
