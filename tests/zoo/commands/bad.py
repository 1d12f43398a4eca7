#!/usr/bin/env python3
"""A bot that speaks JSON lines and misbehaves in one way, from a chosen moment on.

    bad.py MODE [HAND [TRICK [SECONDS]]]

It plays the first of the legal cards and uses nothing but the standard library.
"""

import json
import os
import signal
import subprocess
import sys
import time


def say(message):
    """Send one message."""
    print(json.dumps(message), flush=True)


def raw(data):
    """Send bytes that need not be a message."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def illegal(message, answer, seconds):
    every = [rank + suit for suit in "CDSH" for rank in "23456789TJQKA"]
    say(answer | {"card": next(card for card in every if card not in message["legal"])})


def exits(message, answer, seconds):
    print("that is all", file=sys.stderr, flush=True)
    os._exit(3)


def killed(message, answer, seconds):
    os.kill(os.getpid(), signal.SIGKILL)


def half_line(message, answer, seconds):
    raw(json.dumps(answer).encode()[:-3])
    os._exit(0)


def late(message, answer, seconds):
    time.sleep(seconds)
    say(answer)


def twice(message, answer, seconds):
    line = json.dumps(answer).encode() + b"\n"
    raw(line + line)


def wrong_id(message, answer, seconds):
    say(answer | {"id": answer["id"] + 1})


def not_json(message, answer, seconds):
    raw(b"{'id': 1, card}\n")


def prints(message, answer, seconds):
    print("thinking about", message["hand"], flush=True)
    say(answer)


def huge_line(message, answer, seconds):
    say(answer | {"comment": "x" * 10**7})


def silent(message, answer, seconds):
    time.sleep(seconds)


def stderr_flood(message, answer, seconds):
    line = "x" * 1023 + "\n"
    for _ in range(1000):
        sys.stderr.write(line)
    sys.stderr.flush()
    say(answer)


def child_stays(message, answer, seconds):
    if not CHILDREN:
        CHILDREN.append(subprocess.Popen(["sleep", "1000"], start_new_session=True))
    say(answer)


def never_reads(message, answer, seconds):
    """Answers nothing any more; what else comes stays in the pipe."""
    while True:
        time.sleep(seconds)


def good(message, answer, seconds):
    say(answer)


CHILDREN = []
MODES = (
    good,
    illegal,
    exits,
    killed,
    half_line,
    late,
    twice,
    wrong_id,
    not_json,
    prints,
    huge_line,
    silent,
    stderr_flood,
    child_stays,
    never_reads,
)


def main():
    """Read and answer until there is nothing more."""
    mode = {one.__name__: one for one in MODES}[sys.argv[1]]
    hand, trick, seconds = (*map(float, sys.argv[2:]), *(1.0, 1.0, 600.0)[len(sys.argv) - 2 :])
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say({"type": "hello", "protocol": 1, "name": mode.__name__})
        elif kind == "goodbye":
            return
        elif kind == "choose_card":
            answer = {"id": message["id"], "card": message["legal"][0]}
            now = (message["hand_number"], message["trick_number"])
            act = mode if now >= (hand, trick) else good
            act(message, answer, seconds)


if __name__ == "__main__":
    main()
