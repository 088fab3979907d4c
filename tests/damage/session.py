# SPDX-License-Identifier: LGPL-3.0-or-later
"""A process that runs graphs, one at a time, and that is begun anew when it dies or hangs."""
import os
import select
import signal
import subprocess

SECONDS = 60  # time for one graph, on a machine that has other work, too


class Ended(Exception):
    """The process died, hung, or said what it should not have."""


class Session:
    def __init__(self, runner, messages):
        self.runner, self.messages, self.process, self.said = runner, messages, None, 0

    def begin(self):
        self.said = 0
        with open(self.messages, "wb") as errors:
            self.process = subprocess.Popen([self.runner], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                                            env={**os.environ, "HDF5_EXTFILE_PREFIX": "${ORIGIN}"})

    def ask(self, *words):
        """Whether it went well, KiB of memory at the peak, and the plan or message with escapes as in C."""
        if not self.process:
            self.begin()
        try:
            self.process.stdin.write("\t".join(words).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self.died()
        answer = b""
        while not answer.endswith(b"\n"):
            if not select.select([self.process.stdout], [], [], SECONDS)[0]:
                self.process.kill()
                self.process.wait()
                self.forget()
                raise Ended(f"no answer to {words[0]} within {SECONDS} s")
            piece = self.process.stdout.read1(65536)
            if not piece:
                self.died()
            answer += piece
        verdict, peak, said = answer.decode().rstrip("\n").split("\t")
        return verdict == "ok", int(peak), said

    def forget(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process = None

    def died(self):
        status = self.process.wait()
        self.forget()
        how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        raise Ended(f"the process died: {how}\n{self.words()}")

    def words(self):
        """What it has printed since it was last asked."""
        text = self.messages.read_bytes()[self.said:]
        self.said += len(text)
        return text.decode(errors="replace")[:6000]

    def silent(self):
        """Throws when it has printed anything: messages are for errors."""
        # TBB complains where there are fewer processors than threads asked for.
        said = [line for line in self.words().splitlines() if line and not line.startswith("TBB Warning")]
        if said:
            raise Ended("the process printed: " + "\n".join(said))

    def end(self):
        if not self.process:
            return
        self.process.stdin.close()
        try:
            status = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.process.stdout.close()
        self.process = None
        if status != 0:
            raise Ended(f"exit status {status}\n{self.words()}")
