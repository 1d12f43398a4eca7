"""stand-in"""
import numpy as np
from hearts_sim.engine.bits import lowest, count
from hearts_sim.engine.rng import below
from hearts_sim.engine.legal import suit_mask
from hearts_sim.search._jit import kernel

@kernel
def believe(rules, view):
    # [players, seat, hand, unknown, room(11), banned(11), known(11)]
    b = np.zeros(48, np.int64)
    b[0] = rules.players; b[1] = view.seat; b[2] = view.hand
    unknown = view.deck & ~(view.hand | view.played)
    to = (view.seat + view.pass_offset) % rules.players
    mine = 0
    if view.pass_offset > 0 and view.pass_count > 0:
        mine = view.passed & ~view.played
        b[26 + to] = mine
    unknown &= ~mine
    b[3] = unknown
    for s in range(rules.players):
        b[15 + s] = 0
        for suit in range(4):
            if view.voids[s] >> suit & 1:
                b[15 + s] |= suit_mask(suit)
        b[4 + s] = rules.hand_size - count(view.played_by[s])
    b[4 + to] -= count(b[26 + to])
    return b

@kernel
def draw(b, stream, hands):
    players, seat = b[0], b[1]
    room = np.empty(11, np.int64)
    while True:
        for s in range(players):
            hands.cards[s] = b[26 + s]
            room[s] = b[4 + s]
        hands.cards[seat] = b[2]
        ok = True
        for step in range(2):
            cards = b[3]
            while cards:
                card = lowest(cards)
                cards &= cards - 1
                total = 0; limited = False
                for s in range(players):
                    if s != seat:
                        if b[15 + s] >> card & 1:
                            limited = True
                        else:
                            total += room[s]
                if limited != (step == 0):
                    continue
                if total == 0:
                    ok = False
                    break
                pick = below(stream, total)
                for s in range(players):
                    if s != seat and not b[15 + s] >> card & 1:
                        pick -= room[s]
                        if pick < 0:
                            hands.cards[s] |= 1 << card
                            room[s] -= 1
                            break
            if not ok:
                break
        if ok:
            return
