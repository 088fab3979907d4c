# SPDX-License-Identifier: LGPL-3.0-or-later
import random
import socket


def free_address():
    """An address that nobody has, below the ports that the system gives to connections."""
    while True:
        port = random.randrange(20000, 30000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return f"tcp://127.0.0.1:{port}"
