# SPDX-License-Identifier: LGPL-3.0-or-later
"""What the bridges have in common: a graph takes the frames of one scan, and gives its slices.

A bridge is a generator that gives (kind, number, image), where kind is "dark", "flat" or "projection", and None at
least every 0.2 s while no frame comes. It ends with the scan.
"""
import argparse
import sys
import threading
import time

import sinograph


def parser(description, **sources):
    """The options that all bridges have. sources: arguments that say where frames come from, and what they mean."""
    made = argparse.ArgumentParser(description=description)
    for name, meaning in sources.items():
        made.add_argument(name, help=meaning)
    made.add_argument("graph", help='as "app-source frames=1800 ! flat-field ! reconstruct axis=1021.5 ! app-sink"')
    made.add_argument("--device", help="native, cl:0, ... (default: a GPU of OpenCL, else native)")
    made.add_argument("--timeout", type=float, default=10, metavar="SECONDS",
                      help="the scan ends if no frame comes for so long after its first projection (default: 10)")
    return made


def only(graph, kind):
    """The node of a graph that is of a kind, or None."""
    found = [name for name in graph if graph[name].plugin == kind]
    if len(found) > 1:
        raise sinograph.Error(f"the graph has {len(found)} nodes {kind}, a bridge takes one: {', '.join(found)}")
    return graph[found[0]] if found else None


class Scan:
    """Feeds a graph. timeout: seconds without a frame after which the scan has ended; angles: degrees, or None."""

    def __init__(self, line, device=None, timeout=10, angles=None):
        self.graph, self.device, self.timeout = sinograph.Graph(line), device, timeout
        self.source, self.sink = only(self.graph, "app-source"), only(self.graph, "app-sink")
        if self.source is None:
            raise sinograph.Error("the graph does not begin with app-source, which takes the frames of a bridge")
        if angles is not None:
            self.graph.set(self.source.name, frames=self.source["frames"] or len(angles))
            self.source.set_geometry(sinograph.Geometry(angles[:self.source["frames"]]))
        self.left_out, self.last_seen, self.fault = 0, False, None

    def run(self, frames, show):
        """Runs the graph until the scan has ended. show (number, slice) is called in another thread."""
        for frame in frames:  # darks and flats, until the first projection
            if frame is not None and self._push(*frame):
                break
        else:
            raise sinograph.Error("the scan has ended before its first projection")
        run = self.graph.start(self.device, message=lambda node, level, text: tell(f"{node}: {text}"))
        tell("the scan has begun")
        feeder = threading.Thread(target=self._guard, args=(run, self._feed, frames), daemon=True)
        shower = threading.Thread(target=self._guard, args=(run, self._show, show), daemon=True)
        feeder.start()
        shower.start()
        try:
            run.wait()
        except sinograph.Cancelled:
            raise self.fault or sinograph.Error("the run was cancelled")
        shower.join()
        if self.fault:
            raise self.fault
        source = self.source
        tell(f"{source.pushed} projections, lost {source.missing or 'none'}, {source.repeated} repeated, "
             f"{source.late} late, {self.left_out} frames left out")

    def _push(self, kind, number, image):
        """Whether the frame is a projection of the scan."""
        if kind == "projection" and number >= 0:
            self.source.push(image, number=number)
            self.last_seen = self.last_seen or number == self.source["frames"] - 1
            return True
        if self.source.pushed or kind == "projection":
            self.left_out += 1  # the run has taken the darks and flats, or the frame is one before the first
        elif kind == "dark":
            self.source.push_darks(image)
        else:
            self.source.push_flats(image)
        return False

    def _feed(self, run, frames):
        last = time.monotonic()
        while not run.done() and not self._complete():
            frame = next(frames, StopIteration)
            if frame is StopIteration:
                break
            if frame is not None:
                self._push(*frame)
                last = time.monotonic()
            elif time.monotonic() - last > self.timeout:
                tell(f"no frame for {self.timeout:g} s: the scan has ended")
                break
        self.source.end()

    def _complete(self):
        source = self.source
        return self.last_seen and (source["order"] == "rising" or
                                   source.pushed + len(source.missing) >= source["frames"])

    def _show(self, run, show):
        for block in self.sink.blocks() if self.sink else ():
            for number, image in zip(block.rows, block.array):
                show(number, image)

    def _guard(self, run, work, with_what):
        """Does work in a thread. If it fails while the run goes on, the run ends with this error."""
        try:
            work(run, with_what)
        except Exception as error:
            going = not run.done()
            if going or work == self._show:  # slices are shown after the run, too
                self.fault = self.fault or error
            if going:
                run.cancel()


def say(number, image):
    """What a bridge does with slices that has no better place for them."""
    tell(f"slice {number}: mean {image.mean():.5f}, from {image.min():.5f} to {image.max():.5f}")


def tell(text):
    sys.stderr.write(text + "\n")  # whole lines, as threads say things, too


def main(program, report=lambda state: None):
    """The status of a program: 1 after an error, which names the node, and 130 after Ctrl-C. Reports how it ended."""
    try:
        program()
        report("done")
        return 0
    except (sinograph.Error, OSError, ValueError) as error:
        tell(f"error: {error}")
        report(f"error: {error}")
        return 1
    except KeyboardInterrupt:
        tell("interrupted: the run was cancelled")
        report("interrupted")
        return 130
