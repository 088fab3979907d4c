# SPDX-License-Identifier: LGPL-3.0-or-later
"""The functions that wait, for asyncio: the event loop goes on meanwhile. A task that is cancelled ends its run."""
from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator

import numpy

from . import _arrays, _reconstruct, filters as _filters
from ._graph import Block, Sink, Source

PAUSE = 0.01  # seconds between two looks for room or a block: a thread that waits could not be cancelled


async def reconstruct(projections, *arguments: Any, **options: Any) -> numpy.ndarray:
    """As sinograph.reconstruct."""
    return await _reconstruct.job(projections, *arguments, **options)


async def filter(node: str, data, *arguments: Any, **properties: Any) -> numpy.ndarray:
    """As the function of sinograph.filters: await filter ("median", array, size=5)."""
    return await getattr(_filters, node.replace("-", "_")).job(data, *arguments, **properties)


async def push(source: Source, frames, **options: Any) -> None:
    """As source.push (), which may wait for room."""
    array = _arrays.prepared(frames)
    for part in array if array.ndim == 3 and not options else [array]:
        while not source._has_room(part.nbytes):
            await asyncio.sleep(PAUSE)
        source.push(part, **options)


async def blocks(sink: Sink) -> AsyncIterator[Block]:
    """As sink.blocks (), which waits for blocks. A task that is cancelled loses none."""
    while True:
        await asyncio.sleep(0)
        while (got := sink._try(1e-4)) is None:
            await asyncio.sleep(PAUSE)
        if got[0] is None:
            return
        yield got[0]
