#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Images that leave over ZeroMQ, and graphs that are joined by it. Costs 3 s."""
import os
import socket
import time

from network import *
from addresses import free_address

SCAN = "simulate width=40 height=12 projections=30 type=u16 darks=2 flats=3"


def address_of(kind=zmq.PULL, room=1000):
    """A socket that listens, and its address."""
    listener = zmq.Context.instance().socket(kind)
    listener.rcvhwm = room
    if kind == zmq.SUB:
        listener.subscribe(b"")
    listener.bind(HERE)
    return listener, listener.last_endpoint.decode()


def sent(line, words=""):
    """The messages of a graph that ends with the node."""
    listener, address = address_of()
    run = Run(f"{line} ! send address={address} bind=false {words}")
    messages = []
    while not messages or messages[-1] != END:
        check(listener.poll(20000), "no message comes")
        messages.append(listener.recv_multipart())
    run.end()
    listener.close()
    return messages[:-1]


def images_of(messages):
    headers = [json.loads(message[0]) for message in messages]
    return headers, [numpy.frombuffer(message[1], about["type"]).reshape(about["shape"]) for about, message in zip(headers, messages)]


def written(line):
    Run(f"{line} ! write path={path('written.h5')} overwrite=true").end()
    with h5py.File(path("written.h5")) as file:
        return next(file[name][:] for name in ("/exchange/data", "/volume") if name in file)


def test_projections_and_slices():
    for line, dtype in ((SCAN, "uint16"), (f"{SCAN} ! flat-field", "float32"), (f"{SCAN} ! flat-field ! reconstruct", "float32"),
                        (f"{SCAN} ! flat-field ! half-pack", "float16")):
        headers, images = images_of(sent(line))
        want = written(line)
        same([about["frame"] for about in headers], list(range(len(want))))
        same({(about["htype"], about["type"], *about["shape"]) for about in headers}, {("array-1.0", dtype, *want.shape[1:])})
        check((numpy.array(images) == want).all(), f"{line}: other images were sent")


def test_joined_graphs_write_the_same_bytes():
    """One graph, two that are joined by one address, and two with a sender between them that mixes the frames."""
    chain = "flat-field ! reconstruct"
    Run(f"{SCAN} ! write path={path('scan.h5')} overwrite=true").end()
    with h5py.File(path("scan.h5")) as file:
        darks, flats, frames = (file["/exchange/" + name][:] for name in ("data_dark", "data_white", "data"))
    want = written(f"read path={path('scan.h5')} ! {chain}")
    address = free_address()
    sending = Run(f"read path={path('scan.h5')} ! send address={address}")
    got = written(f"receive address={address} timeout=20")
    sending.end()
    check((got == frames).all(), "other frames arrived")
    everything = [array(i, frame) for i, frame in enumerate([*darks, *flats, *frames])]
    mixed = sorted(range(len(everything)), key=lambda number: number * 7 % 5 + number)
    for order in (range(len(everything)), mixed):
        with Sender([everything[i] for i in order]) as sender:
            got = written(f"receive address={sender.address} frames=30 darks=2 flats=3 order=any timeout=20 ! {chain}")
        check((got == want).all(), "other slices than from the file")


def test_publishers():
    listener, address = address_of(zmq.SUB)
    run = Run(f"{SCAN} ! send address={address} bind=false socket=pub").end()
    while listener.poll(200):
        same(len(listener.recv_multipart()) <= 2, True)
    listener.close()
    same(run.said, [])


def test_nobody_listens():
    address = free_address()
    for words in "", "bind=false":
        raises(Code.FAILED, f"'send': no receiver at address={address} has taken a message for 0.2 s (timeout)",
               Run(f"{SCAN} ! send address={address} {words} timeout=0.2").end)
        for i in range(20 if "SINO_TEST_THOROUGH" in os.environ else 4):
            run = Run(f"{SCAN} ! send address={address} {words}")
            time.sleep(i * 0.01)
            run.cancel()


def test_a_receiver_that_stops():
    """Messages that nobody takes are dropped when the run is cancelled, in the run and while the last ones leave."""
    for projections in 100, 30:
        listener, address = address_of(room=1)
        run = Run(f"simulate width=512 height=512 projections={projections} ! send address={address} bind=false")
        check(listener.poll(20000), "no message comes")
        time.sleep(0.3)
        run.cancel()
        listener.close(linger=0)


def test_a_receiver_that_goes_away():
    """Images that waited for it are lost, so the run must not end as if nothing were. Who is no receiver does not count."""
    address = free_address()
    where = address.removeprefix("tcp://").split(":")
    big = f"simulate width=512 height=512 projections=200 ! send address={address}"
    run, puller = Run(big), zmq.Context.instance().socket(zmq.PULL)
    puller.rcvhwm = 1
    puller.connect(address)
    for _ in range(3):
        check(puller.poll(20000), "no message comes")
        puller.recv_multipart()
    puller.close(linger=0)
    raises(Code.FAILED, f"'send': a receiver at address={address} went away: images that waited for it are lost", run.end)
    run = Run(big)
    for attempt in range(100):
        try:
            socket.create_connection(where).close()
            break
        except ConnectionRefusedError:
            time.sleep(0.1)
    same(len(written(f"receive address={address} timeout=20")), 200)
    run.end()


def test_properties():
    for words, wanted in (("", "'send': set address to where receivers find the images"), ("address=nonsense", "address=nonsense: cannot be bound"),
                          ("address=ipc:///tmp/frames", "images that still wait in an ipc socket are lost when the sender ends")):
        raises(Code.BAD_PROPERTY, wanted, lambda: Run(f"{SCAN} ! send {words}").end())
    raises(Code.BAD_FORMAT, "send", Run(f"{SCAN} ! interleave ! send address=tcp://*:5555").end)


main(globals())
