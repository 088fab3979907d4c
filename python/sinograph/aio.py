# SPDX-License-Identifier: LGPL-3.0-or-later
"""The functions that wait, for asyncio: the event loop goes on meanwhile. A task that is cancelled ends its run."""
from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator

import numpy

from . import _reconstruct, filters as _filters
from ._graph import Block, Sink, Source


async def reconstruct(projections, *arguments: Any, **options: Any) -> numpy.ndarray:
    """As sinograph.reconstruct."""
    return await _reconstruct.job(projections, *arguments, **options)


async def filter(node: str, data, *arguments: Any, **properties: Any) -> numpy.ndarray:
    """As the function of sinograph.filters: await filter ("median", array, size=5)."""
    return await getattr(_filters, node.replace("-", "_")).job(data, *arguments, **properties)


async def push(source: Source, frames, **options: Any) -> None:
    """As source.push (), which may wait for room."""
    await asyncio.to_thread(source.push, frames, **options)


async def blocks(sink: Sink) -> AsyncIterator[Block]:
    """As sink.blocks (), which waits for blocks."""
    while (block := await asyncio.to_thread(sink.pull_block)) is not None:
        yield block
