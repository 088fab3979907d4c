#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Shows a plane of a scan that is under way, of a node `live address=tcp://localhost:5601`: show-slice.py HOST PORT [PLANE]"""
import json
import socket
import sys

import matplotlib.pyplot as plt
import numpy

host, port, plane = (*sys.argv[1:], "0")[:3]
stream = socket.create_connection((host, int(port))).makefile("rwb")
version, shown = 0, None
while True:
    stream.write(json.dumps({"pull": int(plane), "newer-than": version, "type": "u8"}).encode() + b"\n")
    stream.flush()
    answer = json.loads(stream.readline())
    if "version" not in answer:
        sys.exit(answer.get("error"))
    version = answer["version"]
    pixels = numpy.frombuffer(stream.read(answer["bytes"]), "u1").reshape(answer["shape"])
    shown = shown or plt.imshow(pixels, "gray", vmin=0, vmax=255)
    shown.set_data(pixels)
    plt.title(f"{answer['at']}: {answer['projections']} projections")
    plt.pause(.001)
