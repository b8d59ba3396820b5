"""The chunks of a study, answered by the workers of a Dask scheduler.

A worker gets a chunk with all that it takes, and returns a file's bytes; only the caller writes. So it does not matter
who answers a chunk, nor how often: a worker that dies has its chunks answered by another, one that joins gets its
share, and what arrives is kept once.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable
from contextlib import suppress
from itertools import islice
from typing import Any

from lessons_lib.errors import StudyError
from lessons_lib.studies import parquet
from lessons_lib.studies.chunks import Chunk

PATIENCE = 10.0
"""Seconds after which a scheduler that does not answer counts as not there."""

AHEAD = 3
"""Chunks for each thread of the cluster that are handed out at a time: enough that none waits, and few to hold."""

COUNTED = 1.0
"""Seconds after which the cluster's threads are counted again, for workers join and leave."""


def encoded_answer(chunk: Chunk) -> bytes:
    """Return the answers to a chunk as the bytes of a file; one thread, for the scheduler fills the others."""
    return parquet.encoded(chunk, chunk.answer(threads=1))


def answered(chunks: Iterable[Chunk], scheduler: str) -> Generator[tuple[Chunk, bytes]]:
    """Yield each chunk and the bytes of its file, in the order in which they arrive.

    Where the cluster has no worker, this waits for one.

    Args:
        chunks: What is to be answered; they are taken when there is somebody to answer them.
        scheduler: Address, as "tcp://10.0.0.1:8786".

    Raises:
        StudyError: There is no scheduler, it is gone, or a chunk has ended several workers.
    """
    from distributed import Client, as_completed
    from distributed.scheduler import KilledWorker

    client = _client(Client, scheduler)
    of_the_chunk = False
    try:
        waiting, arriving = iter(chunks), as_completed(loop=client.loop)
        out: dict[str, Chunk] = {}

        def hand_out() -> None:
            for chunk in islice(waiting, max(0, room.most - len(out))):
                future = client.submit(
                    encoded_answer, chunk, key=f"{chunk.study}-{chunk.run}-{chunk.number}", pure=False
                )
                out[future.key] = chunk
                arriving.add(future)

        room = _Room(client)
        hand_out()
        for future in arriving:
            of_the_chunk = future.status == "error"
            data = future.result()
            yield out.pop(future.key), data
            hand_out()
    except KilledWorker as error:
        raise StudyError(f"a chunk has ended several workers, out of memory perhaps: {error}") from error
    except Exception as error:  # dask raises what a chunk raised, and errors of its own of many kinds
        if of_the_chunk or (client.status == "running" and not isinstance(error, OSError)):
            raise  # an OSError of the client's own is a connection that broke, of which its status may not know yet
        raise StudyError(f"the scheduler at {scheduler} is gone; the same call goes on, once there is one") from error
    finally:
        with suppress(Exception):  # noqa: BLE001
            client.close(timeout=1)


def _client(make: Any, scheduler: str) -> Any:
    try:
        return make(scheduler, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise StudyError(f"no Dask scheduler answers at {scheduler!r}; start one with `dask scheduler`") from error


class _Room:
    """How many chunks may be with the cluster at a time."""

    def __init__(self, client: Any) -> None:
        self.client, self._counted, self._most = client, -COUNTED, AHEAD

    @property
    def most(self) -> int:
        if time.monotonic() - self._counted > COUNTED:
            self._most = AHEAD * max(1, sum(self.client.nthreads().values()))
            self._counted = time.monotonic()
        return self._most
