#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Pictures of a scan that the program follows, over a socket. Costs 1 s, and 1 s of waiting. usage: live.py SINOGRAPH"""
import json
import os
import socket
import subprocess
import tempfile
import time

import tap
from program import PROGRAM, call
from tap import check, same


def test_a_run_that_fails():
    """Clients of the program are told why, with the name of the node."""
    with tempfile.TemporaryDirectory() as folder:
        same(call("launch", f"simulate width=32 height=8 projections=40 ! minus-log ! write path={folder}/all/%02i.tif", "-q")[0], 0)
        os.mkdir(f"{folder}/come")
        for number in range(3):
            os.rename(f"{folder}/all/{number:02}.tif", f"{folder}/come/{number:02}.tif")
        running = subprocess.Popen([PROGRAM, "launch", "-q", f"read path={folder}/come follow=true frames=40 timeout=1 angles=0:180 "
                                    f"! live axis=16 address=unix:{folder}/live"], stderr=subprocess.PIPE, text=True)
        while not os.path.exists(f"{folder}/live") and running.poll() is None:
            time.sleep(.01)
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(60)
            client.connect(f"{folder}/live")
            client.sendall(b'{"pull": 0, "newer-than": 100}\n')
            answer = json.loads(client.makefile().readline())
        check(answer["ended"] and answer["error"].startswith("the run failed: 'read': no new projection has come"), answer)
        check("'read': no new projection has come" in running.communicate(timeout=60)[1], "another error")
        same(running.returncode, 1)
        check(not os.path.exists(f"{folder}/live"), "the file of the socket stays")


tap.main(globals())
