"""The weights of the compiled rungs of the ladder, and where each stands among the options.

Each rung has the weights of the one before it and adds its own. A weight that a rung does not have
is zero to it, which switches off what needs it.
"""

WEIGHING = {
    "keep": 1.4,  # points that come with a trick taken later, beside the cards of its suit
    "keep_hearts": 0.065,  # the same for a trick of hearts
    "lead": 0.135,  # points that having to lead costs
    "guard_1": 0.55,  # chance to have to play a card with one lower card of the suit in the hand
    "guard_2": 0.269,  # with two
    "guard_3": 0.189,  # with three
    "guard_4": 0.17,  # with four or more
    "caught": 0.42,  # share of the points of the led suit that others cannot keep back
    "thrown": 1.35,  # share of the points that those throw who cannot follow
    "pass_keep": 2.7,  # as keep, when cards are passed
    "pass_hearts": 0.2,  # as keep_hearts, when cards are passed
    "pass_void": 1.4,  # points that passing a card of a suit is worth that can be emptied
}
SHOOTING = WEIGHING | {
    "shoot": 2.0,  # sure tricks of a hand that goes for the moon
    "share": 0.1,  # share of all points that it must have by then
    "pass_moon": 4.0,  # sure tricks of a hand that passes for a moon
}
STOPPING = SHOOTING | {
    "stop": 0.79,  # stopping a sure moon is worth this share of its points
    "power": 7.0,  # a moon succeeds with the share of all points taken so far, to this power
}

(
    KEEP,
    KEEP_HEARTS,
    LEAD,
    GUARD,  # of one lower card, and the next three
    _,
    _,
    _,
    CAUGHT,
    THROWN,
    PASS_KEEP,
    PASS_HEARTS,
    PASS_VOID,
    SHOOT,
    SHARE,
    PASS_MOON,
    STOP,
    POWER,
) = range(len(STOPPING))
