# SPDX-License-Identifier: LGPL-3.0-or-later
"""A file system that processes of a simulation share."""
import heapq
import math


class Transfers:
    """Those under way share the bandwidth evenly, and none is faster than its node. All have got the same since any moment."""

    def __init__(self, together, node):
        self.together, self.node, self.level, self.last, self.ends = together, node, 0, 0, []

    def rate(self):
        return min(self.node, self.together / max(len(self.ends), 1))

    def begin(self, now, number, size, process):
        self.level, self.last = self.level + self.rate() * (now - self.last), now
        heapq.heappush(self.ends, (self.level + size, number, process))

    def next_end(self):
        return self.last + max(self.ends[0][0] - self.level, 0) / self.rate() if self.ends else math.inf

    def end(self):
        self.last = self.next_end()
        self.level, _, process = heapq.heappop(self.ends)
        return process
