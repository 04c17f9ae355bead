"""Indexes given vectors with Python's Chroma and queries them, as the peer of the bench `retrieval`.

usage: python_chroma.py FILE, JSON with
- chunks: the vectors of all chunks
- tasks: for each task the vector of its query, and the ranges of rows [start, end) of its documents' chunks
- k: the number of hits
- written: further dimensions

Each task has a collection of its own in one store on disk, with Chroma's default settings. Nothing is embedded, and texts
are not stored. For each of the written dimensions, as many random vectors are written. Prints the costs as a line of JSON.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

try:
    import chromadb
    import numpy
except ImportError as error:
    sys.exit(f"{error}. Run: python -m pip install chromadb numpy")

# Distances of 32-bit floats that are summed in another order differ by about this much.
TOLERANCE = 1e-5


def add(client, name, vectors):
    """Writes the vectors of a task to a collection in the largest batches that Chroma accepts, and queries it once.

    Chroma builds the rest of the index at the first query.
    """
    collection = client.create_collection(name)
    size = client.get_max_batch_size()
    for start in range(0, len(vectors), size):
        batch = vectors[start : start + size]
        collection.add(ids=[str(start + at) for at in range(len(batch))], embeddings=batch)
    collection.query(query_embeddings=vectors[:1], n_results=1)
    return collection


def written_per_second(client, counts, dimensions):
    """Writes a collection of random vectors for each count. Returns how many vectors that is per second."""
    random = numpy.random.default_rng(dimensions)
    seconds = 0.0
    for at, count in enumerate(counts):
        vectors = random.random((count, dimensions), dtype=numpy.float32) - 0.5
        vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
        started = time.perf_counter()
        add(client, f"written-{dimensions}-{at}", vectors)
        seconds += time.perf_counter() - started
    return sum(counts) / seconds


def recall_of(found, vectors, query, k):
    """The share of the k nearest vectors that were found. Vectors with the same distance count as equal."""
    distances = ((vectors - query) ** 2).sum(axis=1)
    count = min(k, len(distances))
    furthest = numpy.partition(distances, count - 1)[count - 1]
    return sum(distances[int(row)] <= furthest + TOLERANCE for row in found) / count


def measure(data, store):
    k = data["k"]
    chunks = numpy.array(data["chunks"], dtype=numpy.float32)
    settings = chromadb.Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(path=store, settings=settings)
    # The first collection also creates the files of the store.
    add(client, "warm-up", chunks[:1])
    tasks = []
    for at, task in enumerate(data["tasks"]):
        vectors = numpy.concatenate([chunks[start:end] for start, end in task["rows"]])
        tasks.append((add(client, f"task-{at}", vectors), vectors, numpy.array(task["query"], dtype=numpy.float32)))
    times, recalls = [], []
    for collection, vectors, query in tasks:
        count = min(k, len(vectors))
        started = time.perf_counter()
        found = collection.query(query_embeddings=[query], n_results=count, include=["distances"])
        times.append((time.perf_counter() - started) * 1000)
        recalls.append(recall_of(found["ids"][0], vectors, query, k))
    return {
        "chroma": chromadb.__version__,
        "writtenPerSecond": [
            written_per_second(client, [len(vectors) for _, vectors, _ in tasks], size)
            for size in data["written"]
        ],
        "p50Ms": float(numpy.quantile(times, 0.5)),
        "p95Ms": float(numpy.quantile(times, 0.95)),
        "recallMean": float(numpy.mean(recalls)),
        "recallWorst": float(numpy.min(recalls)),
    }


with tempfile.TemporaryDirectory(prefix="tablehunt-bench-") as temporary:
    print(json.dumps(measure(json.loads(Path(sys.argv[1]).read_text()), temporary)))
