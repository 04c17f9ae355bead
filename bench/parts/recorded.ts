/**
 * Figures of other programs, measured on 2026-11-21 on a shared machine with two cores (best of three). Each program did
 * the task of the bench that refers to it. The figures are constants. Of these programs, the benches run only Python's Chroma, when it is there.
 */
export const recorded = {
  /** Inspect AI 0.3.285, react agent, 1,000 attempts x 10 steps at 50 ms, concurrency 64: wall time relative to the ideal. */
  inspectOverheadRatio: 9.8,
  /** The same without latency: processor time per step. */
  inspectCpuMsPerStep: 7.7,
  /** The same at 5,000 attempts without latency: peak memory. */
  inspectPeakMbAt5000: 557,
  /** The time of `node -e 0` on that machine, in milliseconds. It shows the machine's speed. */
  nodeStartMs: 64,
  /** AOE's published scorer in Python without a judge, tables of 50 x 10 per second of processor time. */
  publishedScorerTablesPerSecond: 85.8,
  /** LangChain with Chroma in Python, an embedder without cost: chunks added per second, by dimensions. */
  pythonChunksPerSecond: new Map([[256, 2_200]]),
  /** The same: recall at k = 250 against exact search. */
  pythonRecallMean: 0.987,
  pythonRecallWorst: 0.86,
  /** The same: the median of the queries in milliseconds. */
  pythonQueryP50Ms: 5,
} as const
