#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Who may use the page, and what strangers get. Costs 2 s; with `slowly` 25 s, of which 20 are waits.

usage: requests.py SINOGRAPH [slowly]
"""
import os
import signal
import socket
import stat
import sys
import time

import h5py
import numpy
import tap
from program import call
from served import Served, folder
from tap import check, same

SLOWLY = sys.argv[2:] == ["slowly"]


class Opened:
    """A small volume on a page."""

    def __enter__(self):
        self.folder = folder()
        with h5py.File(f"{self.folder.name}/v.h5", "w") as file:
            file["exchange/data"] = numpy.zeros((3, 4, 5), "f4")
        self.page = Served("view", "--no-browser", f"{self.folder.name}/v.h5")
        return self.page

    def __exit__(self, *_):
        self.page.__exit__()
        self.folder.cleanup()


def send(page, *parts, wait=0.0):
    """The status with which a request in bytes is answered, or what became of the connection."""
    with socket.create_connection(("127.0.0.1", page.port), timeout=40) as client:
        try:
            for part in parts:
                client.sendall(part)
                time.sleep(wait)
        except ConnectionError:
            pass  # the answer may have come before
        try:
            answer = client.makefile("rb").readline()
        except ConnectionError:
            return "reset"
    return int(answer.split()[1]) if answer else "closed"


def head(page, line, *more, cookie=True, host="localhost", inside=True):
    """The head of a request; inside: of the page's folder."""
    words = [line.replace(" /", f" {page.place}/", 1) if inside else line, f"Host: {host}:{page.port}"] + [f"Cookie: {page.cookie}"] * cookie + list(more)
    return "\r\n".join(words + ["", ""]).encode()


def test_strangers():
    """Each gets its status, and the page goes on."""
    with Opened() as page:
        own = f"Origin: http://localhost:{page.port}"
        posted = "POST /run/cancel HTTP/1.1"
        for want, request in (
                (200, head(page, "GET /state HTTP/1.1")),
                (401, head(page, "GET /state HTTP/1.1", cookie=False)),
                (401, head(page, "GET /state HTTP/1.1", inside=False)),
                (401, head(page, "GET /0123/state HTTP/1.1", inside=False)),
                (401, head(page, "GET / HTTP/1.1", inside=False)),
                (401, head(page, "GET /?token=0123 HTTP/1.1", cookie=False, inside=False)),
                (401, head(page, "GET /state HTTP/1.1", f"Cookie: sinograph-{page.port}=0123", cookie=False)),
                (401, head(page, f"GET /state?token={page.token} HTTP/1.1", cookie=False)),
                (403, head(page, "GET /state HTTP/1.1", host="other.example")),
                (403, head(page, "GET /state HTTP/1.1", host="localhost.other.example")),
                (403, head(page, "GET http://other.example/state HTTP/1.1")),
                (403, head(page, "GET /state HTTP/1.1", "Origin: http://other.example")),
                (403, head(page, posted, "Content-Length: 2") + b"{}"),
                (403, head(page, posted, "Origin: null", "Content-Length: 2") + b"{}"),
                (403, head(page, posted, "Origin: http://localhost:1", "Content-Length: 2") + b"{}"),
                (404, head(page, posted, own, "Content-Length: 2") + b"{}"),
                (405, head(page, "PUT /state HTTP/1.1", own, "Content-Length: 2") + b"{}"),
                (405, head(page, "OPTIONS /state HTTP/1.1")),
                (405, head(page, "HEAD /state HTTP/1.1")),
                (401, head(page, "GET /page/../../../etc/passwd HTTP/1.1")),
                (404, head(page, "GET /page/x/../main.js HTTP/1.1")),
                (400, head(page, "GET /page/%2e%2e%2fsite.cpp HTTP/1.1")),
                (404, head(page, "GET /etc/passwd HTTP/1.1")),
                (400, head(page, "GET /state%00 HTTP/1.1")),
                (400, b"GET /state HTTP/1.1\r\n\r\n"),
                (413, head(page, posted, own, "Content-Length: 10000000") + b"x" * 100000),
                (411, head(page, posted, own, "Transfer-Encoding: chunked") + b"2\r\n{}\r\n0\r\n\r\n"),
                (414, head(page, f"GET /state?{'a' * 20000} HTTP/1.1")),
                ("reset", head(page, "GET /state HTTP/1.1", "X: " + "a" * 3000000))):
            got = send(page, request)
            check(got == want or (want == "reset" and got in ("closed", 400, 431)), (request[:120], got, want))
        same(page.ask("/state")[0], 200)


def test_headers():
    """The cookie is for this page alone, and nothing from elsewhere may be in it."""
    with Opened() as page:
        place, page.place = page.place, ""
        status, headers, _ = page.ask(f"/?token={page.token}")
        same((status, headers["Location"]), (303, f"{place}/"))
        cookie, page.place = headers["Set-Cookie"], place
        check(cookie.startswith(f"sinograph-{page.port}=") and "HttpOnly" in cookie and "SameSite=Strict" in cookie, cookie)
        check(cookie.endswith(f"Path={place}/"), "servers at other ports get the cookie")
        check(page.token not in cookie and page.token not in place, "the token is elsewhere")
        status, headers, body = page.ask("/")
        policy = headers["Content-Security-Policy"]
        check(policy.startswith("default-src 'none'") and "unsafe" not in policy, policy)
        same([headers[name] for name in ("Cache-Control", "Referrer-Policy", "X-Content-Type-Options")],
             ["no-store", "no-referrer", "nosniff"])
        check(b"http://" not in body.replace(b"http://www.w3.org", b"") and b"https://" not in body, "another site is named")
        script = body.decode().split('src="')[1].split('"')[0].removeprefix(page.place)
        status, headers, body = page.ask(script)
        same((status, headers["Content-Type"]), (200, "text/javascript; charset=utf-8"))
        check("immutable" in headers["Cache-Control"], headers["Cache-Control"])


def test_addresses():
    """Other machines are refused, with the line that helps; a Unix socket is its owner's and goes with the program."""
    with folder() as place:
        with h5py.File(f"{place}/v.h5", "w") as file:
            file["exchange/data"] = numpy.zeros((3, 4, 5), "f4")
        for address in "0.0.0.0:8080", "*:8080", "[::]:8080", "192.168.1.1:8080", "example.org:80":
            status, _, error = call("view", f"{place}/v.h5", "--no-browser", "--at", address)
            check(status == 2 and "ssh -N -L" in error, (address, status, error))
        for address in "x", "70000", "-1", "unix:", "unix:" + "x" * 200, "localhost:x":
            status, _, error = call("view", f"{place}/v.h5", "--no-browser", "--at", address)
            check(status == 2 and "Traceback" not in error, (address, status, error))
        status, _, error = call("launch", "--monitor=0.0.0.0:80", "simulate ! null")
        check(status == 2 and "ssh -N -L" in error, error)
        with Served("view", "--no-browser", f"{place}/v.h5", "--at", "8080") if not taken(8080) else Opened() as page:
            same(call("view", f"{place}/v.h5", "--no-browser", "--at", str(page.port))[0], 2)
        path = f"{place}/socket"
        with Unix(path, f"{place}/v.h5") as process:
            same(stat.S_IMODE(os.stat(path).st_mode), 0o600)
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(path)
                client.sendall(b"GET /state HTTP/1.1\r\nHost: localhost:8080\r\n\r\n")
                check(b" 401 " in client.makefile("rb").readline(), "no answer")
            process.terminate()
            same(process.wait(30), 130)
            check(not os.path.exists(path), "the socket stays")


def taken(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


class Unix:
    def __init__(self, path, volume):
        import subprocess

        from program import PROGRAM
        self.process = subprocess.Popen([PROGRAM, "view", "--no-browser", volume, "--at", f"unix:{path}"],
                                        stdout=subprocess.PIPE, text=True)
        check("token=" in self.process.stdout.readline(), "no address")

    def __enter__(self):
        return self.process

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def test_pages_that_do_not_read():
    """They take neither memory nor the place of others."""
    with Opened() as page:
        before = memory(page)
        silent = []
        for _ in range(10):
            client = socket.create_connection(("127.0.0.1", page.port))
            client.sendall(head(page, "GET /events HTTP/1.1"))
            silent.append(client)
        for _ in range(300):
            same(page.ask("/state")[0], 200)
        check(memory(page) - before < 64 << 20, "memory grows")  # a sanitizer keeps 32 MiB
        for client in silent:
            client.close()


def memory(page):
    with open(f"/proc/{page.process.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_many():
    """More connections than the page takes are told so, and places come back."""
    with Opened() as page:
        idle = [socket.create_connection(("127.0.0.1", page.port)) for _ in range(100)]
        time.sleep(.5)
        full = send(page, head(page, "GET /state HTTP/1.1"))
        check(full == 503, full)
        for client in idle:
            client.close()
        for _ in range(50):
            if send(page, head(page, "GET /state HTTP/1.1")) == 200:
                return
            time.sleep(.1)
        raise AssertionError("no place came back")


if SLOWLY:
    def test_half_a_request():
        """What does not come within ten seconds is not waited for."""
        with Opened() as page:
            began = time.monotonic()
            same(send(page, b"GET /state HT"), 408)
            check(9 < time.monotonic() - began < 15, "another time")
            same(send(page, head(page, "GET /state HTTP/1.1")[:-2], *[b"X: y\r\n"] * 30, wait=.4), 408)

    def test_stopped():
        """A browser that stops for a while goes on afterwards."""
        with Opened() as page:
            os.kill(page.process.pid, signal.SIGSTOP)
            time.sleep(1)
            os.kill(page.process.pid, signal.SIGCONT)
            same(page.ask("/state")[0], 200)

tap.main(globals())
