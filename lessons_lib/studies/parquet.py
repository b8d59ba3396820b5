"""Answers as Parquet: a file a chunk, its columns with their units, and in its metadata where the numbers came from.

Any reader of Parquet reads a folder of them as one table. A field's metadata name its unit; the schema's metadata,
under `study`, are JSON: the study's hash, the case's seeds, the versions, the machine, and the seconds that it took.
"""

from __future__ import annotations

import json
from dataclasses import fields
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib.errors import StudyError
from lessons_lib.pose_ik import Status
from lessons_lib.studies.chunks import Chunk, Found, Part
from lessons_lib.studies.machine import versions

ABOUT = b"study"
"""Key of the schema's metadata."""


def encoded(chunk: Chunk, part: Part) -> bytes:
    """Return an answered chunk as the bytes of a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    found, case, count = part.found, chunk.case, len(part.found)
    moved, joints = " ".join(dict.fromkeys(chunk.chain.joint_units)), ", ".join(chunk.chain.joint_units)

    def same(word: str) -> Any:
        return pa.DictionaryArray.from_arrays(np.zeros(count, dtype=np.int32), pa.array([word]))

    status = [status.name for status in found.status]
    columns = {
        "case": (np.full(count, case.place, dtype=np.int32), "1"),
        "robot": (same(case.robot), ""),
        "method": (same(case.method), ""),
        "damping": (pa.array([case.damping] * count, pa.float64()), "the method's own"),
        "strategy": (same(case.strategy), ""),
        "goal": (same(case.goal), ""),
        "pose": (np.arange(chunk.first, chunk.first + count), "1"),
        "status": (pa.array(status).dictionary_encode(), ""),
        "converged": (found.converged, ""),
        "iterations": (found.iterations.astype(np.int32), "1"),
        "restarts": (found.restarts.astype(np.int32), "1"),
        "orientation_error": (found.orientation_error, "rad"),
        "position_error": (found.position_error, "m"),
        "distance": (found.distance, moved),
        "q": (pa.FixedSizeListArray.from_arrays(found.q.ravel(), chunk.chain.dof), joints),
    }
    arrays = {name: pa.array(values) for name, (values, _) in columns.items()}
    about = {
        "hash": chunk.study,
        "chunk": chunk.number,
        "seeds": {
            name: {"entropy": seed.entropy, "spawn_key": seed.spawn_key}
            for name, seed in (("problems", chunk.problems), ("draws", chunk.draws))
        },
        "seconds": part.seconds,
        "machine": part.process,
        "versions": dict(versions("pyarrow", "distributed")),
    }
    schema = pa.schema(
        [
            pa.field(name, arrays[name].type, metadata={"unit": unit} if unit else None)
            for name, (_, unit) in columns.items()
        ],
        metadata={ABOUT: json.dumps(about, ensure_ascii=False)},
    )
    stream = pa.BufferOutputStream()
    parquet.write_table(
        pa.table(list(arrays.values()), schema=schema), stream, compression="zstd", write_page_checksum=True
    )
    return bytes(stream.getvalue())


def decoded(file: Path | bytes) -> Part:
    """Return an answered chunk from its file, or from the bytes of one.

    Raises:
        StudyError: It is damaged; the checksum of each page was written with it.
    """
    import pyarrow as pa

    try:
        return _decoded(file)
    except (OSError, pa.ArrowException, LookupError, TypeError, ValueError) as cause:
        name = "a chunk that a worker sent" if isinstance(file, bytes) else str(file)
        raise StudyError(f"{name} is damaged: {cause}") from cause


def _decoded(file: Path | bytes) -> Part:
    from pyarrow import parquet

    source = BytesIO(file) if isinstance(file, bytes) else file
    table = parquet.read_table(source, page_checksum_verification=True)
    about = json.loads(table.schema.metadata[ABOUT])
    columns = {name: table[name].to_numpy() for name in table.column_names if name not in ("q", "status")}
    q = table["q"].combine_chunks()
    columns["q"] = q.flatten().to_numpy().reshape(len(table), -1)
    columns["status"] = np.array([Status[name] for name in table["status"].to_pylist()], dtype=np.object_)
    counts = {name: columns[name].astype(np.int64) for name in ("iterations", "restarts")}
    arrays = {field.name: {**columns, **counts}[field.name] for field in fields(Found)}
    for array in arrays.values():
        array.setflags(write=False)
    return Part(Found(**arrays), about["seconds"], about["machine"])


def is_answer(file: Path, study: str, number: int) -> bool:
    """Return whether a file is there, is whole, and holds that chunk of that study."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        about = json.loads(parquet.read_schema(file).metadata[ABOUT])
    except (OSError, pa.ArrowInvalid, KeyError, TypeError, ValueError):  # not there, torn, or somebody else's
        return False
    return (about["hash"], about["chunk"]) == (study, number)
