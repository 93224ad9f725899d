# SPDX-License-Identifier: GPL-2.0-only
"""A video encoder that follows the rate of its carrier: sizes of frames, nothing else.

RFC 8867, 4.3 has its numbers: from 150 kbit/s, where it starts, to 1.5 Mbit/s; up to 30
frames/s; it reacts after 100 ms; over one second its rate is within 5 % of what it was
asked for. A key frame, one each second, has four times the size of another frame. Sizes
vary at random by up to 15 %, and the rate control makes up for it in later frames.
"""

import collections
import dataclasses
import random


@dataclasses.dataclass(frozen=True)
class Codec:
    """What an encoder can do."""
    least: float = 150e3        # bit/s
    most: float = 1.5e6
    start: float = 150e3
    fps: int = 30
    reaction: float = 0.1       # s, from a request to frames of that rate
    group: int = 30             # frames from one key frame to the next
    key: float = 4              # size of a key frame over that of another
    noise: float = 0.15         # greatest share by which the size of a frame differs
    share: float = 0.9          # of X that is asked for, so that a queue can become empty
    audio: bool = True          # a stream of 20 kbit/s beside it

    def limited(self, rate):
        """The rate that it makes when it is asked for this one."""
        return min(self.most, max(self.least, rate))


EVEN = Codec(most=4e6, start=300e3, reaction=0, group=1, key=1, noise=0, audio=False)
# RFC 8867's encoder; a simpler one, with neither jitter nor audio in its cases; and one whose
# frames are a packet each
CODECS = {"rfc": Codec(), "even": EVEN,
          **{f"thin{fps}": dataclasses.replace(EVEN, least=16e3, start=32e3, most=8 * 1200 * fps,
                                               fps=fps) for fps in (15, 30)}}


class Encoder:
    """The frames of one video."""

    REPAY = 3                   # frames over which the rate control makes up for a difference

    def __init__(self, codec, seed):
        self.codec, self.random = codec, random.Random(seed)
        self.rate = codec.start
        self.asked = collections.deque()        # (when it takes effect, bit/s)
        self.over = 0                           # bytes more than asked for until now
        self.to_key = 0                         # frames until the next key frame
        # Encoders that start at the same time do not have their key frames together: the
        # first group is shorter.
        half = codec.group // 2
        self.length = half + self.random.randrange(half + 1) or 1

    def ask(self, now, allowed):
        """The carrier allows so many bit/s; None or 0: it does not know yet."""
        if allowed:
            self.asked.append((now + self.codec.reaction, allowed * self.codec.share))

    def frame(self, now):
        """Bytes of the frame that is made now, and whether it is a key frame."""
        c = self.codec
        while self.asked and self.asked[0][0] <= now + 1e-9:
            self.rate = c.limited(self.asked.popleft()[1])
        key = self.to_key == 0
        if key:
            self.to_key = self.length
        self.to_key -= 1
        # Each group has the rate that was asked for.
        nominal = self.rate / 8 / c.fps * (c.key if key else 1) * self.length / \
            (c.key + self.length - 1)
        if not self.to_key:
            self.length = c.group
        size = nominal * (1 + self.random.uniform(-c.noise, c.noise)) - self.over / self.REPAY
        size = max(1, round(size))
        self.over += size - nominal
        return size, key

    def resume(self):
        """After a pause: the next frame is a key frame."""
        self.to_key, self.over, self.length = 0, 0, self.codec.group


class Guess:
    """X of a carrier that does not state one (CCID 2), from what it takes.

    While nothing waits for long, X grows by 10 % a second. When something has waited for
    100 ms, X falls to 85 % of what was taken in the last second, at most once a second.
    """

    WAIT, GROW, FALL, MEMORY = 0.1, 0.1, 0.85, 1.0

    def __init__(self, start, share):
        self.x = start / share
        self.taken = collections.deque()        # (when, bits)
        self.last = self.fell = None

    def take(self, now, size):
        """The carrier took so many bytes."""
        self.taken.append((now, 8 * size))

    def allowed(self, now, waited):
        """bit/s, when the oldest data has waited for so many s."""
        while self.taken and self.taken[0][0] < now - self.MEMORY:
            self.taken.popleft()
        if waited <= self.WAIT:
            self.x *= 1 + self.GROW * min(1, now - (now if self.last is None else self.last))
        elif self.fell is None or now >= self.fell + self.MEMORY:
            self.x = min(self.x, self.FALL * sum(b for _, b in self.taken) / self.MEMORY)
            self.fell = now
        self.last = now
        return self.x
