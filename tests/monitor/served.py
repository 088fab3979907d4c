# SPDX-License-Identifier: LGPL-3.0-or-later
"""A page that the program serves, and a client of it that knows HTTP alone."""
import http.client
import json
import os
import re
import subprocess
import tempfile

import numpy

from program import PROGRAM


class Served:
    """Starts the program, whose output names the address of the page; `words`: its arguments."""

    def __init__(self, *words):
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.printed = ""
        while not (found := re.search(r"http://localhost:(\d+)/\?token=(\w+)", self.printed)):
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError(f"no page: {self.printed}{self.error()}")
            self.printed += line
        self.port, self.token, self.url, self.place = int(found[1]), found[2], found[0], ""
        status, headers, _ = self.ask(f"/?token={self.token}")
        assert status == 303, status
        self.place = headers["Location"].rstrip("/")
        self.cookie = headers["Set-Cookie"].split(";")[0]

    def error(self):
        self.errors.seek(0)
        return self.errors.read()

    def ask(self, path, method="GET", body=None, **headers):
        """(status, headers, body) of a request as the page sends it, with an address in the page's folder."""
        client = http.client.HTTPConnection("localhost", self.port, timeout=60)
        headers = {**({"Cookie": self.cookie} if hasattr(self, "cookie") else {}), **headers}
        if method == "POST":
            headers.setdefault("Origin", f"http://localhost:{self.port}")
        client.request(method, self.place + path, body, headers)
        response = client.getresponse()
        return response.status, response.headers, response.read()

    def json(self, path):
        status, _, body = self.ask(path)
        assert status == 200, (path, status, body)
        return json.loads(body)

    def post(self, path, **values):
        status, _, body = self.ask(path, "POST", json.dumps(values))
        return status, json.loads(body)

    def picture(self, path):
        """The values of a picture, within a step of its 16 bits, and its headers."""
        status, headers, body = self.ask(path)
        assert status == 200, (path, status, body)
        steps = numpy.frombuffer(body, "<u2").reshape(int(headers["Sino-Height"]), int(headers["Sino-Width"]))
        low, high = float(headers["Sino-Low"]), float(headers["Sino-High"])
        values = low + (steps - 1.0) / 65534 * (high - low)
        values[steps == 0] = numpy.nan
        return values, headers

    def events(self):
        """States of the page, as they come."""
        client = http.client.HTTPConnection("localhost", self.port, timeout=60)
        client.request("GET", self.place + "/events", headers={"Cookie": self.cookie})
        for line in client.getresponse():
            if line.startswith(b"data: "):
                yield json.loads(line[6:])

    def wait(self):
        status = self.process.wait(60)
        self.process.stdout.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.wait()
        self.errors.close()


def steps_apart(shown, values):
    """The largest difference of a picture from values, in steps of its 16 bits."""
    good = numpy.isfinite(values)
    assert (numpy.isfinite(shown) == good).all()
    step = max(numpy.ptp(values[good].astype(float)) / 65534, 1e-30)
    return numpy.abs(shown[good] - values[good]).max() / step


def folder():
    return tempfile.TemporaryDirectory(dir=os.environ.get("SINO_TEST_FOLDER"))


def near(got, want, share):
    """Values that differ by a share of the largest one at most."""
    got, want = numpy.asarray(got, float), numpy.asarray(want, float)
    assert got.shape == want.shape, (got.shape, want.shape)
    far = numpy.abs(got - want).max() / max(numpy.abs(want).max(), 1e-30)
    assert far <= share, f"{far} of the largest value apart, not {share}"
